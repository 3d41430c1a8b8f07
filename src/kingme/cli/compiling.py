"""Compiling the engine before a command needs it, where that has not been done yet."""

from __future__ import annotations

import contextlib
import sys

import typer

__all__ = ["compiled_first"]


def compiled_first() -> None:
    """Compile the engine unless it is in the cache; say so on standard error.

    Each step is told on a terminal. Where the cache takes no files, the kernels are compiled as
    they are loaded.
    """
    from kingme.engine.kernels import cachedir
    from kingme.engine.warming import WarmingError, warm

    if cachedir.stamped():
        return
    typer.echo("note: the engine is being compiled first; it takes a minute, once", err=True)

    def report(number: int, count: int, what: str) -> None:
        if sys.stderr.isatty():
            typer.echo(f"step {number} of {count}: {what}", err=True)

    with contextlib.suppress(WarmingError):
        warm(report)
