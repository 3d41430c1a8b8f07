"""Gains by force: that a line wins its pieces whatever is played, and which other moves do so too.

The depth of a proof is the least at which the move of the line wins the pieces, in each step for
itself. At that depth every other move is looked at too: one that wins as much is right, whatever a
search thinks of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from kingme.analysis.puzzles.forcing import Forcing, lead_of
from kingme.analysis.puzzles.puzzle import PuzzleStep
from kingme.rules.moves import Move
from kingme.rules.position import Position

__all__ = ["MOST", "Secured", "secured", "unsecured"]

MOST = 23
"""Plies of a proof, at most: what takes more is not worth its time."""

NODES = 20_000_000
"""Positions that the proof of one move may look at."""


class Secured(NamedTuple):
    """What is proved of a line: its steps, how many pieces it wins, and in how many plies.

    In the steps all moves are accepted that are proved to win as much.
    """

    steps: tuple[PuzzleStep, ...]
    pieces: int
    plies: int


def secured(position: Position, steps: tuple[PuzzleStep, ...], count: int) -> Secured | None:
    """Prove that a line wins so many pieces by force, or fewer; ``None`` where that cannot be."""
    for fewer in range(count, 0, -1):
        found = _secured(position, steps, fewer)
        if found is not None:
            return found
    return None


def _secured(position: Position, steps: tuple[PuzzleStep, ...], count: int) -> Secured | None:
    forcing = _forcing(position, count)
    widened: list[PuzzleStep] = []
    plies = 0
    for before, step in _positions(position, steps):
        needed = _needed(before.after(step.move), forcing, MOST)
        if needed is None:
            return None
        plies = plies or needed
        more: list[Move] = []
        for move, _ in step.refuted:
            wins = forcing.within(before.after(move), needed - 1, NODES)
            if wins is None:
                return None
            more += [move] * wins
        left = tuple(pair for pair in step.refuted if pair[0] not in more)
        widened.append(replace(step, accepted=(*step.accepted, *more), refuted=left))
    return Secured(tuple(widened), count, plies)


def unsecured(
    position: Position, steps: tuple[PuzzleStep, ...], count: int, plies: int
) -> Iterator[str]:
    """Yield where a line does not win so many pieces by force, its first move in so many plies.

    Also where a move that is called wrong does so in as many as that of the line takes.
    """
    forcing = _forcing(position, count)
    for number, (before, step) in enumerate(_positions(position, steps)):
        needed = _needed(before.after(step.move), forcing, MOST if number else plies)
        if needed is None or (needed != plies and not number):
            yield f"{before.fen}: {step.move} is not proved to win {count} in {plies} plies"
            return
        for move, _ in step.refuted:
            if forcing.within(before.after(move), needed - 1, NODES) is not False:
                yield f"{before.fen}: {move} wins {count} too"


def _forcing(position: Position, count: int) -> Forcing:
    return Forcing(position.turn, lead_of(position, position.turn) + count)


def _needed(after: Position, forcing: Forcing, most: int) -> int | None:
    """The least plies, the move before them among them, in which the goal is reached."""
    for plies in range(0, most, 2):
        found = forcing.within(after, plies, NODES)
        if found is None:
            return None
        if found:
            return plies + 1
    return None


def _positions(
    position: Position, steps: tuple[PuzzleStep, ...]
) -> Iterator[tuple[Position, PuzzleStep]]:
    for step in steps:
        yield position, step
        position = position.after(step.move)
        if step.reply is not None:
            position = position.after(step.reply)
