"""Compiling the engine before a command needs it, where that has not been done yet."""

from __future__ import annotations

import contextlib
import sys

import typer

__all__ = ["compiled_first", "tell_damaged", "tell_unkept"]


def tell_unkept() -> None:
    """Say on standard error where compiled code cannot be kept, or not where it was asked for."""
    from kingme.engine.endgames import files
    from kingme.engine.kernels import cachedir

    told = cachedir.unkept()
    if told is None:
        return
    shared = "; its databases are read all the same" if files.shared() else ""
    typer.echo(f"note: {told}{shared}", err=True)


def tell_damaged() -> bool:
    """Say on standard error how many files of compiled code are damaged; False where none is."""
    from kingme.engine.kernels import cachedir

    damaged = cachedir.damaged()
    if damaged:
        files = (
            "1 file of compiled code is"
            if damaged == 1
            else f"{damaged} files of compiled code are"
        )
        typer.echo(f"note: {files} damaged; compiled anew", err=True)
    return damaged > 0


def compiled_first() -> None:
    """Compile the engine unless it is in the cache; say so on standard error.

    Each step is told on a terminal. Where the cache takes no files, the kernels are compiled as
    they are loaded.
    """
    from kingme.engine.kernels import cachedir
    from kingme.engine.warming import WarmingError, warm

    tell_unkept()
    if cachedir.stamped():
        _database()
        return
    if not tell_damaged():
        typer.echo("note: the engine is being compiled first; it takes a minute, once", err=True)

    def report(number: int, count: int, what: str) -> None:
        if sys.stderr.isatty():
            typer.echo(f"step {number} of {count}: {what}", err=True)

    with contextlib.suppress(WarmingError):
        warm(report)


def _database() -> None:
    """Build the endgame database of few pieces where it is kept and is missing or damaged."""
    from kingme.engine.endgames import files

    if files.path_of() is not None and not files.sound():
        from kingme.cli.endgames import have

        have(files.PIECES)
