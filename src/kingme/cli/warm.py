"""``kingme warm``: compile the engine ahead of time, so that the first game has it at once."""

from __future__ import annotations

import time

import typer

from kingme.cli.compiling import tell_damaged, tell_unkept

__all__ = ["warm"]


def warm() -> None:
    """Compile the engine ahead of time.

    It takes less than a minute, once, and the result is kept. A game never waits for this:
    without it, the same happens while the first one is played.
    """
    from kingme.engine.kernels import cachedir
    from kingme.engine.warming import STEPS
    from kingme.engine.warming import warm as fill

    began = time.monotonic()

    def report(number: int, count: int, what: str) -> None:
        typer.echo(f"{time.monotonic() - began:5.1f} s  step {number} of {count}: {what}")

    tell_unkept()
    tell_damaged()
    if fill(report):
        typer.echo(f"The engine is compiled ({len(STEPS)} steps), in {cachedir.folder()}")
    else:
        typer.echo(f"The engine was compiled before, in {cachedir.folder()}")
