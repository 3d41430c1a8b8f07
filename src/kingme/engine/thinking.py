"""How a level chooses its move: what it sees, what it overlooks, and its whims."""

from __future__ import annotations

import math
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
from kingme.rules.variant import Goal, Side

__all__ = ["Thinker", "choose"]

VARIED_DEPTH = 9
VARIED_WHIM = 3
ENOUGH = 0.6
"""Part of the time after which no deeper iteration is begun."""

MAN, CROWN = 100, 30
CARELESS = 60
"""Hundredths of a man that nobody gives away who sees it."""


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
    legal = history.position.legal_moves
    if len(legal) == 1:
        return Info(0, Score(0), 0, 0.0, legal)
    if book is not None and level.book:
        known = book.choose(history.position, level.book, chance)
        if known is not None:
            return Info(0, known.score, 0, 0.0, (known.move,))
    if level.whim:
        return _whimsical(thinker, history, level, chance, preset, seconds)
    if len(history.moves) < level.varied and _usual_start(history):
        limits = Limits(depth=min(level.depth, VARIED_DEPTH), seconds=seconds)
        moves, scores, info = thinker.judge(history, limits, preset)
        return _varied(moves, scores, info, chance)
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
    """Choose among moves of which some were looked at properly, and some only at first sight.

    What is overlooked about a move makes it look as good as the best there is, as far as first
    sight tells them apart. A move that costs a man at first sight is never played for a whim,
    nor where it was not looked at properly: only where a proper look finds it better.
    """
    sight = None
    if level.glance:
        # First: what a proper look leaves in the engine's memory would sharpen the glance.
        glance = Limits(depth=level.glance, seconds=seconds)
        sight = [score.value for score in thinker.judge(history, glance, preset)[1]]
    proper = Limits(depth=level.depth, seconds=seconds)
    moves, scores, info = thinker.judge(history, proper, preset)
    if sight is None:
        sight = [_at_once(history.position, move) for move in moves]
    most, top = max(sight), max(scores).value
    liking = []
    for seen, score in zip(sight, scores, strict=True):
        overlooked = chance.random() < level.oversight
        whim = chance.uniform(-level.whim, level.whim)
        if not overlooked and _won(score):
            liking.append(2.0 * score.value)
        elif seen <= most - CARELESS:
            liking.append(-math.inf if overlooked else float(score.value - level.whim))
        else:
            liking.append(whim + (top + seen - most if overlooked else score.value))
    return _liked(moves, scores, info, liking)


def _at_once(position: Position, move: Move) -> int:
    """Return what stands after a move, the jumps that answer it, and those back; no further.

    In hundredths of a man, for the side that moves.
    """
    return _standing(position.play(move), position.turn, 2)


def _standing(position: Position, side: Side, jumps: int) -> int:
    routes = [move for move in position.legal_moves if move.captures] if jumps else []
    if routes:
        after = (_standing(position.play(route), side, jumps - 1) for route in routes)
        return max(after) if position.turn is side else min(after)
    black, white, kings = position.black, position.white, position.kings
    value = MAN * (black.bit_count() - white.bit_count())
    value += CROWN * ((black & kings).bit_count() - (white & kings).bit_count())
    if position.variant.goal is Goal.LOSE_ALL:
        value = -value
    return value if side is Side.BLACK else -value


def _varied(
    moves: tuple[Move, ...], scores: tuple[Score, ...], info: Info, chance: random.Random
) -> Info:
    """Choose among moves of about the same value."""
    liking = [score.value + chance.uniform(-VARIED_WHIM, VARIED_WHIM) for score in scores]
    if any(map(_won, scores)):
        liking = [float(score.value) for score in scores]
    return _liked(moves, scores, info, liking)


def _won(score: Score) -> bool:
    return score.won


def _liked(
    moves: tuple[Move, ...], scores: tuple[Score, ...], info: Info, liking: list[float]
) -> Info:
    at = liking.index(max(liking))
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
