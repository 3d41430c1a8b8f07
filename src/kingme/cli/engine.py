"""``kingme engine``: the engine for other programs, on standard input and output."""

from __future__ import annotations

import sys
import threading
from typing import Annotated

import typer

__all__ = ["engine"]


def engine(
    lines: Annotated[
        bool, typer.Option("--lines", help="Speak plain lines, one command and one answer each.")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Search in plain Python, as for variants other than English."),
    ] = False,
) -> None:
    """Be an engine for another program.

    The Hub protocol, version 2, is spoken on standard input and output, or with --lines a plain
    one for scripts: see docs/engines.md. Type `hub` or `name` to try; `quit` ends it.
    """
    from kingme import __version__
    from kingme.engine.generic import GenericEngine
    from kingme.engine.hosting import Host, load
    from kingme.engine.hubhost import HubHost
    from kingme.engine.linehost import LineHost
    from kingme.engine.thinking import Thinker
    from kingme.rules.variant import Variant

    def make(variant: Variant, table_mib: int, threads: int) -> Thinker:
        return GenericEngine() if plain else load(variant, table_mib, threads)

    writing = threading.Lock()

    def say(line: str) -> None:
        with writing:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    host: Host
    if lines:
        host = LineHost(say, make, f"kingme {__version__}")
    else:
        host = HubHost(say, make, __version__)
    host.serve(sys.stdin)
