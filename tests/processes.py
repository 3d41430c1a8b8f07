"""What tests ask of processes that others have started."""

import os
import select


def ends(pid: int) -> bool:
    """Wait until a process that is not ours ends, and say whether it has."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 10)[0])
    finally:
        os.close(watched)
