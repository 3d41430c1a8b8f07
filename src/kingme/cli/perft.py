"""``kingme perft``: count the move sequences from a position, and how quickly."""

from __future__ import annotations

import functools
import importlib
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from kingme.cli.compiling import tell_unkept
from kingme.cli.pdn_shared import variant_of
from kingme.errors import FenError
from kingme.rules.moves import Move
from kingme.rules.notation import spell
from kingme.rules.perft import perft as plain_perft
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["CountCommand", "perft"]

Counter = Callable[[Position, int], int]

LONG, PLAIN_LONG = 9, 7
"""Depth from which a count is split, so that a bar can show how far it is."""


KEPT = 10
"""Depth from which on positions are kept in a table, so that none is counted twice."""

TABLE_MIB = 256


@dataclass(frozen=True, slots=True)
class Way:
    """How moves are counted, from which depth on a count is long, and which moves are one."""

    count: Counter
    long: int
    unique: bool = False

    def moves(self, position: Position) -> list[Move]:
        """The moves of a position, each result once where that is asked for."""
        found = position.legal_moves
        if not self.unique:
            return list(found)
        return list({(m.start, m.end, frozenset(m.captures)): m for m in found[::-1]}.values())[
            ::-1
        ]


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
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another variant than English.")
    ] = None,
    fen: Annotated[
        str | None, typer.Option(help="Position to count from, instead of the start.")
    ] = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count behind each first move.")
    ] = False,
    unique: Annotated[
        bool, typer.Option("--unique", help="Count routes with one result as one move.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Use the rules in plain Python, not the kernels.")
    ] = False,
) -> None:
    """Count the moves from a position.

    The leaves of the game tree are counted depth by depth, with the rate. Every route is a move,
    unless --unique takes those of one piece together that end on one square and capture the same
    pieces. From depth 10 on no position is counted twice, so that the rate is higher. Positions
    that cannot occur in a game are counted all the same, with a note, since move generators are
    tested on them. The compiled kernels count English checkers alone; the other variants, and
    unique moves, are counted by the rules in plain Python.
    """
    position = _position(fen, variant_of(variant) or ENGLISH)
    if plain or unique or position.variant != ENGLISH:
        way = Way(functools.partial(plain_perft, unique=unique), PLAIN_LONG, unique)
    else:
        way = Way(_kernel(), LONG)
    if depth >= way.long and sys.stderr.isatty():
        importlib.import_module("rich.progress")  # before the time is taken
    if divide:
        _divide(position, depth, way)
        return
    for plies in range(min(1, depth), depth + 1):
        started = time.perf_counter()
        leaves = sum(_each(position, plies, way))
        _line(plies, leaves, time.perf_counter() - started)


def _position(fen: str | None, variant: Variant) -> Position:
    if fen is None:
        return Position.start(variant)
    try:
        return Position.from_fen(fen, variant)
    except FenError as error:
        position = Position.from_fen(fen, variant, strict=False)
        typer.echo(f"note: {error}; counted all the same", err=True)
        return position


def _kernel() -> Counter:
    tell_unkept()
    if sys.stderr.isatty():
        typer.echo("compiling the kernels where they are not cached ...", err=True)
    from kingme.engine.kernels.perft import Counter as Keeper
    from kingme.engine.kernels.perft import perft as kernel_perft

    kernel_perft(Position.start(), 1)
    keeper = Keeper(TABLE_MIB)

    def count(position: Position, depth: int) -> int:
        return (keeper.perft if depth >= KEPT else kernel_perft)(position, depth)

    return count


def _divide(position: Position, depth: int, way: Way) -> None:
    if depth < 1:
        raise typer.BadParameter("--divide needs a depth of 1 or more", param_hint="DEPTH")
    started = time.perf_counter()
    total = 0
    moves = [(spell(move, position.variant), move) for move in way.moves(position)]
    width = max((len(text) for text, _ in moves), default=0)
    for text, move in moves:
        leaves = sum(_each(position.play(move), depth - 1, way))
        total += leaves
        typer.echo(f"{text:<{width}}  {leaves}")
    _line(depth, total, time.perf_counter() - started)


def _line(plies: int, leaves: int, seconds: float) -> None:
    rate = leaves / seconds / 1e6 if seconds else 0.0
    typer.echo(f"perft {plies:<2}  {leaves}  {seconds:.3f} s  {rate:.2f} M leaves/s")


def _each(position: Position, depth: int, way: Way) -> Iterable[int]:
    """Yield the counts that add up to ``perft(position, depth)``, with a bar if that is long."""
    if depth < way.long or not sys.stderr.isatty():
        yield _interruptible(way.count, position, depth)
        return
    firsts = [position.play(move) for move in way.moves(position)]
    parts = [after.play(reply) for after in firsts for reply in way.moves(after)]
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        for part in bar.track(parts):
            yield _interruptible(way.count, part, depth - 2)


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
