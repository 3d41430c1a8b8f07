"""``kingme engine``: the engine for other programs, on standard input and output."""

from __future__ import annotations

import io
import sys
import threading
from typing import Annotated, TextIO

import typer

from kingme.cli.compiling import tell_unkept

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

    A script that pipes its lines ends with the last of them: each has its answer. Behind `quit` a
    search or a count has 5 seconds to come to its end, and `stop` ends it at once.
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

    if not plain:
        tell_unkept()
    host: Host
    if lines:
        host = LineHost(say, make, f"kingme {__version__}", _number(sys.stdout))
    else:
        host = HubHost(say, make, __version__, _number(sys.stdout))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    host.serve(sys.stdin)


def _number(stream: TextIO) -> int | None:
    """The number of a stream's file, where it has one."""
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None
