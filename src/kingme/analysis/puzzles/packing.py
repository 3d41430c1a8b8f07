"""The collection that is shipped, made of what was mined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from kingme.analysis.puzzles.mending import mended
from kingme.analysis.puzzles.proving import Searcher, Tables, proof_of
from kingme.analysis.puzzles.puzzle import Fate, Puzzle
from kingme.analysis.puzzles.written import COLUMNS, line_of

__all__ = ["chosen", "counted", "packed", "proved"]

RANKS = (Fate.MISSED, Fate.ENDED, Fate.FOUND)
"""What became of a puzzle in its game: what is taken first, and what last."""

EASY = 10
"""Of so many puzzles one may be found by all and easy."""


def chosen(puzzles: Iterable[Puzzle], most: int) -> list[Puzzle]:
    """Choose among puzzles, in the order in which they were mined.

    Of two with one position, also with the colours changed, the first is kept. What was missed
    goes before what ended the game, and that before what was found; of these last ones only so
    many are taken that every level solves in every try that they are one in ten of the whole.
    """
    seen: set[int] = set()
    ranked: list[tuple[int, int, Puzzle]] = []
    for number, puzzle in enumerate(puzzles):
        key = min(puzzle.position.key, puzzle.position.mirrored().key)
        if key not in seen:
            seen.add(key)
            ranked.append((RANKS.index(puzzle.fate), number, puzzle))
    ranked.sort(key=lambda one: one[:2])
    kept: list[Puzzle] = []
    simple = 0
    for _, _, puzzle in ranked:
        easy = min(puzzle.found) == max(puzzle.found) > 0
        if easy and puzzle.fate is Fate.FOUND and EASY * simple > len(kept):
            continue
        simple += easy
        kept.append(puzzle)
    return kept[:most]


def proved(puzzle: Puzzle, engine: Searcher, tables: Tables) -> list[Puzzle]:
    """Return a puzzle as it is proved anew, or nothing where it does not hold.

    One that was mined with a larger database may not be proved again so: then its line stays if
    it still holds. Either is looked at once more by a search that is `mended`'s.
    """
    proof = proof_of(puzzle.position, engine, tables)
    if proof is not None and proof.kind is puzzle.kind:
        puzzle = replace(
            puzzle, steps=proof.steps, given=proof.given, taken=proof.taken, plies=proof.plies
        )
    return mended(puzzle, engine, tables)


def packed(puzzles: Iterable[Puzzle]) -> str:
    """Return the file of a collection: a line of column names, and a line for each puzzle."""
    lines = sorted(line_of(puzzle) for puzzle in puzzles)
    return "\n".join(["\t".join(COLUMNS), *lines, ""])


def counted(puzzles: Iterable[Puzzle]) -> dict[str, Any]:
    """Return how many puzzles there are of each kind, fate and range of ratings."""
    kinds: Counter[str] = Counter()
    fates: Counter[str] = Counter()
    ratings: Counter[str] = Counter()
    lengths: Counter[str] = Counter()
    for puzzle in puzzles:
        kinds[str(puzzle.kind)] += 1
        fates[str(puzzle.fate)] += 1
        lengths[str(len(puzzle.steps))] += 1
        low = puzzle.rating // 250 * 250
        ratings[f"{low}-{low + 249}"] += 1
    counts = {"kinds": kinds, "fates": fates, "moves to find": lengths, "ratings": ratings}
    return {name: dict(sorted(count.items())) for name, count in counts.items()}
