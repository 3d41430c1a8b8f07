"""How a level chooses its move: what it sees, what it overlooks, and its whims."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Protocol

from kingme.engine.api import Info, Limits, Score
from kingme.engine.book import Book
from kingme.engine.levels import Level
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset
from kingme.rules.position import Position

__all__ = ["Thinker", "choose"]

VARIED_DEPTH = 9
VARIED_WHIM = 3
ENOUGH = 0.6
"""Part of the time after which no deeper iteration is begun."""


class Thinker(Protocol):
    """What choosing asks of an engine, compiled or plain."""

    def analyse(self, history: History, limits: Limits, preset: DrawPreset) -> Iterator[Info]:
        """Yield an info after each iteration."""

    def judge(
        self, history: History, limits: Limits, preset: DrawPreset
    ) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        """Score every legal move."""

    def stop(self) -> None:
        """End a search."""


def choose(
    thinker: Thinker,
    history: History,
    level: Level,
    chance: random.Random,
    preset: DrawPreset,
    seconds: float,
    book: Book | None = None,
) -> Info:
    """Return what a level plays; its move is the first of ``pv``, and a book's is played at once.

    The same history, level and state of ``chance`` give the same move, as long as the engine
    has forgotten earlier searches and the time is enough for the level's depth.
    """
    if book is not None and level.book:
        known = book.choose(history.position, level.book, chance)
        if known is not None:
            return Info(0, known.score, 0, 0.0, (known.move,))
    if level.whim:
        return _whimsical(thinker, history, level, chance, preset, seconds)
    if len(history.moves) < level.varied and _usual_start(history):
        limits = Limits(depth=min(level.depth, VARIED_DEPTH), seconds=seconds)
        moves, scores, info = thinker.judge(history, limits, preset)
        return _pick(moves, scores, info, VARIED_WHIM, chance)
    found = thinker.analyse(history, Limits(depth=level.depth, seconds=seconds), preset)
    for info in found:
        last = info
        if info.seconds > ENOUGH * seconds:
            _close(found)
            break
    return last


def _whimsical(
    thinker: Thinker,
    history: History,
    level: Level,
    chance: random.Random,
    preset: DrawPreset,
    seconds: float,
) -> Info:
    limits = Limits(depth=level.depth, seconds=seconds)
    moves, scores, info = thinker.judge(history, limits, preset)
    if level.oversight:
        glance = Limits(depth=level.glance, seconds=seconds)
        _, first_sight, _ = thinker.judge(history, glance, preset)
        scores = tuple(
            short if chance.random() < level.oversight else full
            for full, short in zip(scores, first_sight, strict=True)
        )
    return _pick(moves, scores, info, level.whim, chance)


def _pick(
    moves: tuple[Move, ...],
    scores: tuple[Score, ...],
    info: Info,
    whim: int,
    chance: random.Random,
) -> Info:
    """Pick the move that is liked best, a whim added to what each is worth."""
    liking = [score.value + chance.uniform(-whim, whim) for score in scores]
    best = max(scores)
    if best.plies_to_end is not None and best.value > 0:
        liking = [float(score.value) for score in scores]
    at = max(range(len(moves)), key=lambda i: liking[i])
    if moves[at] == info.pv[0]:
        return info
    return Info(info.depth, scores[at], info.nodes, info.seconds, (moves[at],))


def _usual_start(history: History) -> bool:
    first = history.positions[0]
    return first == Position.start(first.variant)


def _close(found: Iterator[Info]) -> None:
    close = getattr(found, "close", None)
    if close is not None:
        close()
