"""``kingme perft``: count the move sequences from a position, and how quickly."""

from __future__ import annotations

import importlib
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from kingme.errors import FenError
from kingme.rules.moves import Move
from kingme.rules.perft import perft as plain_perft
from kingme.rules.position import Position

__all__ = ["CountCommand", "perft"]

Counter = Callable[[Position, int], int]

LONG = 9
"""Depth from which a count is split, so that a bar can show how far it is."""


class CountCommand(TyperCommand):
    """A command that takes a negative number for the depth it is meant as, not for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line; raises ``BadParameter``."""
        for word in args:
            if re.fullmatch(r"-\d+", word):
                raise typer.BadParameter(f"{word} is below 0", ctx=ctx, param_hint="DEPTH")
        return super().parse_args(ctx, args)


def perft(
    depth: Annotated[int, typer.Argument(min=0, max=40, help="Plies to look ahead.")],
    fen: Annotated[
        str | None, typer.Option(help="Position to count from, instead of the start.")
    ] = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count behind each first move.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Use the rules in plain Python, not the kernels.")
    ] = False,
) -> None:
    """Count the moves from a position.

    The leaves of the game tree are counted depth by depth, with the rate. Every route is a move.
    Positions that cannot occur in a game are counted all the same, with a note, since move
    generators are tested on them.
    """
    position = _position(fen)
    count = plain_perft if plain else _kernel()
    if depth >= LONG and sys.stderr.isatty():
        importlib.import_module("rich.progress")  # before the time is taken
    if divide:
        _divide(position, depth, count)
        return
    for plies in range(min(1, depth), depth + 1):
        started = time.perf_counter()
        leaves = sum(_each(position, plies, count))
        _line(plies, leaves, time.perf_counter() - started)


def _position(fen: str | None) -> Position:
    if fen is None:
        return Position.start()
    try:
        return Position.from_fen(fen)
    except FenError as error:
        position = Position.from_fen(fen, strict=False)
        typer.echo(f"note: {error}; counted all the same", err=True)
        return position


def _kernel() -> Counter:
    from kingme.engine.kernels.perft import perft as kernel_perft

    if sys.stderr.isatty():
        typer.echo("compiling the kernels where they are not cached ...", err=True)
    kernel_perft(Position.start(), 1)
    return kernel_perft


def _divide(position: Position, depth: int, count: Counter) -> None:
    if depth < 1:
        raise typer.BadParameter("--divide needs a depth of 1 or more", param_hint="DEPTH")
    started = time.perf_counter()
    total = 0
    width = max((len(str(move)) for move in position.legal_moves), default=0)
    for move in position.legal_moves:
        leaves = sum(_each(position.play(move), depth - 1, count))
        total += leaves
        typer.echo(f"{move!s:<{width}}  {leaves}")
    _line(depth, total, time.perf_counter() - started)


def _line(plies: int, leaves: int, seconds: float) -> None:
    rate = leaves / seconds / 1e6 if seconds else 0.0
    typer.echo(f"perft {plies:<2}  {leaves}  {seconds:.3f} s  {rate:.2f} M leaves/s")


def _each(position: Position, depth: int, count: Counter) -> Iterable[int]:
    """Yield the counts that add up to ``perft(position, depth)``, with a bar if that is long."""
    if depth < LONG or not sys.stderr.isatty():
        yield _interruptible(count, position, depth)
        return
    parts = [after.play(reply) for after in _after(position) for reply in after.legal_moves]
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        for part in bar.track(parts):
            yield _interruptible(count, part, depth - 2)


def _after(position: Position) -> list[Position]:
    moves: tuple[Move, ...] = position.legal_moves
    return [position.play(move) for move in moves]


def _interruptible(count: Counter, position: Position, depth: int) -> int:
    """Count in a thread, so that Ctrl-C is heard while a kernel runs."""
    answers: queue.Queue[int | BaseException] = queue.Queue()

    def work() -> None:
        try:
            answers.put(count(position, depth))
        except BaseException as error:  # noqa: BLE001 (handed over to the waiting thread)
            answers.put(error)

    threading.Thread(target=work, daemon=True).start()
    answer = answers.get()
    if isinstance(answer, BaseException):
        raise answer
    return answer
