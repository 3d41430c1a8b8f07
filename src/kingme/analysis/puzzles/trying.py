"""How hard a puzzle is: the levels of the engine try it, and it is rated by who succeeds.

A level solves a puzzle as a person does who sees only so far: at every move of the solver it
chooses, and each must be one that is accepted. Levels 1 to 5 err by chance and try several
times; 6 and 7 always choose the same. The rating is that at which these results are likeliest,
a puzzle being an opponent who wins where it is not solved, among ratings that are likely for its
features (Glickman's expectation, with the usual scale of 400).
"""

from __future__ import annotations

import math
import random
from typing import cast

from kingme.analysis.puzzles.proving import Proof, Searcher
from kingme.engine.levels import LEVELS
from kingme.engine.thinking import Thinker, choose
from kingme.rules.history import History
from kingme.rules.outcome import STANDARD
from kingme.rules.position import Position

__all__ = ["RATINGS", "TRIES", "rated", "rating_of", "usual"]

RATINGS = (700, 909, 1095, 1366, 1567, 1756, 1870)
"""The ratings of levels 1 to 7, on the scale of people: seven tenths of the leads that
``bench/levels.py`` measured between neighbours (docs/engines.md), since engines that differ in
depth alone beat each other more surely than people do. Level 1 is a beginner's 700."""

TRIES = 5
"""Tries of a level that errs by chance; one that does not tries once, for as many."""

STEADY = 6
"""The first level that always chooses the same."""

SPREAD = 250.0
"""Standard deviation of ratings around what is usual for the features."""

LEAST, MOST, GRAIN = 500, 2400, 10

AMPLE = 1e6
"""Seconds for a choice: enough that depth alone ends it."""


def rated(position: Position, proof: Proof, engine: Searcher) -> tuple[int, tuple[int, ...]]:
    """Return the rating of a puzzle, and how many tries of each level solved it."""
    found = tuple(_solved(position, proof, engine, number) for number in range(1, len(RATINGS) + 1))
    return rating_of(found, usual(position, proof)), found


def usual(position: Position, proof: Proof) -> float:
    """Return the rating that is usual for a puzzle's features.

    Longer lines, a quiet first move, more moves to choose from, and pieces given before any is
    taken make it harder.
    """
    steps = [step for step in proof.steps if step.refuted]
    choices = sum(len(step.refuted) for step in steps)
    quiet = not position.must_jump
    return (
        800.0
        + 110 * len(proof.steps)
        + 60 * len(steps)
        + 12 * choices
        + 80 * quiet
        + (40 * proof.given)
    )


def rating_of(found: tuple[int, ...], prior: float) -> int:
    """Return the likeliest rating for what the levels solved, in tens."""

    def likelihood(rating: float) -> float:
        total = -((rating - prior) ** 2) / (2 * SPREAD**2)
        for level, solved in zip(RATINGS, found, strict=True):
            chance = 1 / (1 + 10 ** ((rating - level) / 400))
            total += solved * math.log(chance) + (TRIES - solved) * math.log(1 - chance)
        return total

    return max(range(LEAST, MOST + 1, GRAIN), key=likelihood)


def _solved(position: Position, proof: Proof, engine: Searcher, number: int) -> int:
    """How many of its tries a level solves."""
    if number >= STEADY:
        return TRIES * _solves(position, proof, engine, number, 0)
    return sum(_solves(position, proof, engine, number, seed) for seed in range(TRIES))


def _solves(position: Position, proof: Proof, engine: Searcher, number: int, seed: int) -> bool:
    chance = random.Random(f"{position.fen} {number} {seed}")  # noqa: S311 (no secret)
    level = LEVELS[number - 1]
    for step in proof.steps:
        if step.refuted:
            engine.clear()
            thinker = cast(Thinker, engine)
            info = choose(thinker, History.start(position), level, chance, STANDARD, AMPLE)
            if info.move not in step.accepted:
                return False
        if step.reply is not None:
            position = position.after(step.move).after(step.reply)
    return True
