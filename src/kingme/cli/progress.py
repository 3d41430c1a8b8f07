"""How far long work is: a bar on a terminal, else a line now and then; rate and time left."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import typer

__all__ = ["Meter", "progress"]

SPOKEN = 5.0
"""Seconds between two lines of progress where nobody watches a terminal."""


class Meter:
    """Shows how far it is; call it with what is done and a few words. ``rest`` starts its clock."""

    def __init__(self, total: int, before: int, bar: Any = None) -> None:
        self._total = total
        self._bar = bar
        self._task = None if bar is None else bar.add_task("", total=total, completed=before)
        self.rest(before)

    def rest(self, done: int) -> None:
        """Count rate and time left from here on: what was done before took no time now."""
        self._before = done
        self._began = self._spoken = time.monotonic()

    def __call__(self, done: int, text: str) -> None:
        """Show what is done."""
        now = time.monotonic()
        rate = (done - self._before) / max(now - self._began, 1e-9)
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=f"{_rated(rate)}  {text}")
        elif now - self._spoken >= SPOKEN or done >= self._total:
            self._spoken = now
            left = (self._total - done) / rate if rate > 0 else 0
            minutes = f"{max(left, 0) / 60:.1f} min left"
            typer.echo(f"{done} of {self._total}  {text}  {_rated(rate)}  {minutes}", err=True)


@contextlib.contextmanager
def progress(total: int, before: int) -> Iterator[Meter]:
    """Yield what shows how far it is, of which ``before`` is done already."""
    if not sys.stderr.isatty():
        yield Meter(total, before)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, Remaining(), console=Console(stderr=True)) as bar:
        yield Meter(total, before, bar)


def _rated(rate: float) -> str:
    """Say how many are done a second."""
    return f"{rate:.1f}/s" if rate < 1e5 else f"{rate / 1e6:.2f} million/s"
