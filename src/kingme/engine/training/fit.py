"""Weights from positions: logistic regression of results, by Adam over small batches.

The chance that Black wins is taken to be ``1 / (1 + exp(-value / scale))``, where the value is
that of the evaluation in hundredths of a man, and the scale is what fits the searches' scores
best. What is aimed at is the result of the game, blended with the chance that the search's score
stands for. Weights are drawn toward those that they began with, by as much as one normal
deviation of ``spread`` hundredths would. Whole games are held out, never single positions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kingme.engine.kernels import evaluate as terms
from kingme.engine.kernels.bits import Word, Words, popcount
from kingme.engine.kernels.evaluate import PHASES
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.patterns import PATTERNS
from kingme.engine.training.features import ROOM, features
from kingme.engine.training.parameters import Pairs, spread, tied
from kingme.engine.training.records import Rows, padded

__all__ = ["Fitted", "Settings", "Stage", "Table", "fit", "scale_of"]

Reals = npt.NDArray[np.float64]
Turns = npt.NDArray[np.int64]

FEW = 8
"""Pieces from which on positions are plenty in every long game, and count less."""

DECAY1 = 0.9
DECAY2 = 0.999
FLOOR = 1e-12
"""Below any second moment of a gradient that matters."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How weights are fitted.

    ``blend`` is the share of the search's score in what is aimed at; ``pattern_spread`` and
    ``spread`` are hundredths of a man; ``rate`` is the first step of Adam, also in hundredths;
    ``few`` is what a position of at most eight pieces counts. The numbers are those that won the
    duels against their neighbours. Raises ``ValueError`` for numbers that fit nothing.
    """

    epochs: int = 5
    batch: int = 8192
    rate: float = 3.0
    blend: float = 0.9
    pattern_spread: float = 16.0
    spread: float = 40.0
    few: float = 0.3
    held_out: float = 0.05
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what fits nothing, or everything to nonsense."""
        for name in ("epochs", "batch", "rate", "pattern_spread", "spread"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise ValueError(f"{name} is a number above 0, not {value}")
        for name in ("blend", "few", "held_out"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise ValueError(f"{name} is 0 to 1, not {value}")


@dataclass(frozen=True, slots=True)
class Table:
    """Positions as columns: padded boards, turns, what is aimed at for Black, what each counts."""

    black: Words
    white: Words
    kings: Words
    turns: Turns
    aims: Reals
    shares: Reals


@dataclass(frozen=True, slots=True)
class Stage:
    """The losses after an epoch, per position: of those learnt from, and of those held out."""

    epoch: int
    loss: float
    held_out: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of it: the pairs, the scale in hundredths, and the losses epoch by epoch."""

    pairs: Pairs
    scale: float
    stages: tuple[Stage, ...]


@kernel("float64(uint64)")
def _phase(pieces: Word) -> float:
    """Return how much of the opening is in a position, from 0 to 1."""
    return min(max(popcount(pieces) - 4, 0), PHASES) / PHASES


@kernel(
    "float64(uint64[::1], uint64[::1], uint64[::1], int64[::1], float64[::1], float64[::1],"
    " int64[::1], float64, int64[::1], float64[::1], float64[:, ::1], float64[:, ::1])"
)
def slope(
    black: Words,
    white: Words,
    kings: Words,
    turns: Turns,
    aims: Reals,
    shares: Reals,
    picked: Turns,
    scale: float,
    index: Turns,
    signs: Reals,
    pairs: Reals,
    slopes: Reals,
) -> float:
    """Add the slopes of the loss over the picked positions to ``slopes``; return the loss.

    Where ``slopes`` is empty only the loss is reckoned.
    """
    ids = np.zeros(ROOM, np.int64)
    counts = np.zeros(ROOM, np.int64)
    loss = 0.0
    for i in picked:
        n = features(black[i], white[i], kings[i], turns[i], ids, counts)
        phase = _phase(black[i] | white[i])
        value = 0.0
        for j in range(n):
            times = counts[j] * signs[ids[j]]
            k = index[ids[j]]
            value += times * (phase * pairs[k, 0] + (1.0 - phase) * pairs[k, 1])
        chance = 1.0 / (1.0 + np.exp(-value / scale))
        sure = min(max(chance, 1e-9), 1.0 - 1e-9)
        loss -= shares[i] * (aims[i] * np.log(sure) + (1.0 - aims[i]) * np.log(1.0 - sure))
        if slopes.shape[0] == 0:
            continue
        error = shares[i] * (chance - aims[i]) / scale
        for j in range(n):
            times = counts[j] * signs[ids[j]] * error
            k = index[ids[j]]
            slopes[k, 0] += times * phase
            slopes[k, 1] += times * (1.0 - phase)
    return loss


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1],"
    " float64[::1], float64, float64, int64)"
)
def step(
    pairs: Reals,
    start: Reals,
    slopes: Reals,
    first: Reals,
    second: Reals,
    pulls: Reals,
    per: float,
    rate: float,
    number: int,
) -> None:
    """Take the step of a batch (Kingma and Ba, 2015), and clear ``slopes``.

    ``pulls`` draws each weight toward its start; ``per`` is what the batch's slopes are divided
    by.
    """
    one = 1.0 - DECAY1**number
    two = 1.0 - DECAY2**number
    for k in range(pairs.shape[0]):
        for side in range(2):
            gradient = slopes[k, side] / per + pulls[k] * (pairs[k, side] - start[k, side])
            slopes[k, side] = 0.0
            first[k, side] = DECAY1 * first[k, side] + (1.0 - DECAY1) * gradient
            second[k, side] = DECAY2 * second[k, side] + (1.0 - DECAY2) * gradient * gradient
            if second[k, side] > 0.0:
                size = np.sqrt(second[k, side] / two) + FLOOR
                pairs[k, side] -= rate * (first[k, side] / one) / size


def scale_of(scores: Reals, results: Reals, shares: Reals) -> float:
    """Return the scale at which scores foretell results best, in hundredths of a man.

    Scores and results (0 to 1) for the same side; Newton's method in one unknown.
    """
    slope_ = 1.0 / 150.0
    for _ in range(40):
        chance = 1.0 / (1.0 + np.exp(-slope_ * scores))
        down = float((shares * (chance - results) * scores).sum())
        bend = float((shares * chance * (1 - chance) * scores * scores).sum())
        change = down / max(bend, 1e-9)
        slope_ = float(np.clip(slope_ - change, 1e-4, 0.1))
        if abs(change) < 1e-9:
            break
    return 1.0 / slope_


def table_of(rows: Rows, settings: Settings) -> tuple[Table, float]:
    """Return the positions as columns, and the scale of their scores."""
    black, white, kings = (padded(rows[name]) for name in ("black", "white", "kings"))
    turns = (rows["turn_result"] & 1).astype(np.int64)
    results = (rows["turn_result"] >> 1) / 2.0
    scores = np.where(turns == 1, 1.0, -1.0) * rows["score"]
    pieces = np.bitwise_count(black | white)
    shares = np.where(pieces <= FEW, settings.few, 1.0)
    scale = scale_of(scores, results, shares)
    aims = (1 - settings.blend) * results + settings.blend / (1 + np.exp(-scores / scale))
    return Table(black, white, kings, turns, aims, shares), scale


def fit(
    rows: Rows,
    games: npt.NDArray[np.int64],
    start: Pairs,
    settings: Settings,
    told: Callable[[Stage], None] = lambda stage: None,
) -> Fitted:
    """Fit weights to positions, whose games are ``games``; ``told`` hears of every epoch.

    The same positions, start and settings give the same weights.
    """
    table, scale = table_of(rows, settings)
    chance = np.random.default_rng(settings.seed)
    last = int(games.max()) + 1
    held = chance.random(last) < settings.held_out
    learnt, proof = np.flatnonzero(~held[games]), np.flatnonzero(held[games])
    stages = []
    pairs = start
    for stage, now in _epochs(table, learnt, proof, start, scale, settings, chance):
        pairs = now
        stages.append(stage)
        told(stage)
    return Fitted(spread(pairs), scale, tuple(stages))


def _epochs(
    table: Table,
    learnt: Turns,
    proof: Turns,
    start: Pairs,
    scale: float,
    settings: Settings,
    chance: np.random.Generator,
) -> Iterator[tuple[Stage, Pairs]]:
    """Yield the losses and the weights after each epoch; the steps grow smaller and smaller."""
    index, signs = tied()
    columns = (table.black, table.white, table.kings, table.turns, table.aims, table.shares)
    total = float(table.shares[learnt].sum())
    pulls = np.full(terms.WEIGHTS_SIZE, 1 / settings.spread**2 / total)
    pulls[:PATTERNS] = 1 / settings.pattern_spread**2 / total
    pairs = start.copy()
    slopes, first, second = (np.zeros_like(pairs) for _ in range(3))
    steps = -(-len(learnt) // settings.batch)
    number = 0
    for epoch in range(1, settings.epochs + 1):
        order = chance.permutation(learnt)
        loss = 0.0
        for batch in range(0, len(order), settings.batch):
            picked = order[batch : batch + settings.batch]
            loss += slope(*columns, picked, scale, index, signs, pairs, slopes)
            number += 1
            left = 1 - (number - 1) / (steps * settings.epochs)
            per = float(table.shares[picked].sum())
            step(pairs, start, slopes, first, second, pulls, per, settings.rate * left, number)
        none = np.zeros((0, 2))
        kept = slope(*columns, proof, scale, index, signs, pairs, none)
        share = float(table.shares[proof].sum())
        held = kept / share if share else float("nan")
        yield Stage(epoch, loss / total, held), pairs
