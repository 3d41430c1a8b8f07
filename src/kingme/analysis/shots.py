"""Shots: men are given, and more are taken for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kingme.rules.moves import Move
from kingme.rules.position import Position

__all__ = ["Shot", "exchanged", "number_word", "shot_in"]

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True)
class Shot:
    """A line in which every reply is a jump that is due, and the pieces it gives and takes.

    >>> str(Shot(given=1, taken=2, line=()))
    'two for one'
    """

    given: int
    taken: int
    line: tuple[Move, ...]

    def __str__(self) -> str:
        """Return its name, as players say it."""
        return f"{number_word(self.taken)} for {number_word(self.given)}"


def number_word(count: int) -> str:
    """Return a count as players say it, in words up to nine."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def shot_in(position: Position, line: Sequence[Move]) -> Shot | None:
    """Return the shot that a line begins with; ``None`` where it begins with none.

    The line is cut after the move that brings the most, where no jump is due.

    >>> position = Position.from_fen("W:W23,24,28:B14,15,16")
    >>> line = []
    >>> for text in ["24-19", "15x24", "28x12"]:
    ...     line.append(position.parse(text))
    ...     position = position.play(line[-1])
    >>> str(shot_in(Position.from_fen("W:W23,24,28:B14,15,16"), line))
    'two for one'
    """
    given = taken = 0
    best: Shot | None = None
    for number, move in enumerate(line):
        if number % 2:
            if not move.captures:
                break
            given += len(move.captures)
        else:
            taken += len(move.captures)
        position = position.play(move)
        settled = number % 2 == 0 and not position.must_jump
        gain = taken - given
        if settled and given and gain > (best.taken - best.given if best else 0):
            best = Shot(given, taken, tuple(line[: number + 1]))
    return best


def exchanged(line: Sequence[Move]) -> tuple[int, int]:
    """Return how many pieces the side that begins a line gives in it, and how many it takes."""
    given, taken = (sum(len(move.captures) for move in line[first::2]) for first in (1, 0))
    return given, taken
