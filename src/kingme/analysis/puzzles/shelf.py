"""The collection of puzzles that comes with the package, and which of them to give to whom.

The file is read once; a puzzle is made of its line when it is asked for.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from kingme.analysis.puzzles.puzzle import Puzzle
from kingme.analysis.puzzles.written import COLUMNS, puzzle_of

__all__ = ["FILE", "Shelf", "shelf"]

FILE = Path(__file__).parent / "data" / "puzzles.tsv"

EASIEST, HARDEST = 750, 1750
"""Ratings between which a puzzle of the day is."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Puzzles by their names, in the order of their ratings."""

    lines: dict[str, str]
    ratings: dict[str, int]
    daily: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Shelf:
        """Return the shelf of a file; raises ``ValueError`` for one that is something else."""
        head, *lines = text.splitlines()
        if tuple(head.split("\t")) != COLUMNS:
            raise ValueError(f"this is no collection of puzzles: it begins with {head[:80]!r}")
        named = {line.partition("\t")[0]: line for line in lines}
        ratings = {name: int(line.split("\t", 2)[1]) for name, line in named.items()}
        order = sorted(named, key=lambda name: (ratings[name], name))
        daily = [
            name
            for name in order
            if EASIEST <= ratings[name] <= HARDEST and "=" not in named[name].split("\t")[7]
        ]
        return cls(
            {name: named[name] for name in order},
            {name: ratings[name] for name in order},
            tuple(sorted(daily or order, key=_lot)),
        )

    def __len__(self) -> int:
        return len(self.lines)

    def __contains__(self, name: object) -> bool:
        return name in self.lines

    def get(self, name: str) -> Puzzle:
        """Return a puzzle by its name; raises ``KeyError`` where there is none."""
        return puzzle_of(self.lines[name])

    def of_day(self, day: dt.date) -> str:
        """Return the name of a day's puzzle: the same for everybody, and each in its turn."""
        return self.daily[day.toordinal() % len(self.daily)]

    def near(self, rating: float, but: str = "") -> str:
        """Return the name of the puzzle whose rating is nearest, but not this one."""
        return min(
            (name for name in self.ratings if name != but),
            key=lambda name: (abs(self.ratings[name] - rating), _lot(name + but)),
        )


@lru_cache(maxsize=1)
def shelf() -> Shelf:
    """Return the puzzles that come with the package."""
    return Shelf.read(FILE.read_text(encoding="utf-8"))


def _lot(name: str) -> bytes:
    return blake2b(name.encode(), digest_size=8).digest()
