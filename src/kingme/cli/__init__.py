"""The ``kingme`` command: one module a subcommand, bound together here."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; what kingme refuses is one line on stderr and exit status 2.

    Output that cannot be written, or memory that is not there, is another line and status 1, and
    an interrupt is status 130.
    """
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(130)


def _run() -> None:
    from kingme.cli.app import app
    from kingme.cli.output import discard, open_streams, reason
    from kingme.errors import KingmeError

    open_streams()
    try:
        app()
    except KingmeError as error:
        print(f"kingme: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        discard()
        print(f"kingme: cannot go on: {reason(error)}", file=sys.stderr)
        sys.exit(1)
    except MemoryError:
        print("kingme: cannot go on: there is not enough memory", file=sys.stderr)
        sys.exit(1)
