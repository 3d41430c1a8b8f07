"""An engine in this process: buffers of its own around the compiled kernels."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np

from kingme.engine.api import GameOverError, Info, Limits, Score
from kingme.engine.endgames import Tables
from kingme.engine.kernels import tables
from kingme.engine.kernels.board import packed, scalars
from kingme.engine.kernels.search import prepare, root
from kingme.engine.timing import Alarm, Stopwatch
from kingme.engine.weights import Weights, default
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import STANDARD, DrawPreset, Progress
from kingme.rules.position import Position

__all__ = ["LocalEngine"]

ENDLESS = 1 << 62
DEEPEST = tables.PLIES - 28
MARGIN = 40
"""Half the width of the window around the last score, in hundredths of a man."""

BUCKET = 64
"""Bytes of a bucket of the table."""


class LocalEngine:
    """Searches with a table of ``table_mib`` MiB (rounded down to a power of two).

    ``weights`` are those of the evaluation; the ones that come with the package where not given.

    Any thread may call it; one search runs at a time, another waits for it. Many engines may
    run in a process, each with buffers of its own, and none holds the GIL while it searches.
    """

    def __init__(
        self, table_mib: int = 16, *, sight: int = 1, weights: Weights | None = None
    ) -> None:
        buckets = 1
        while 2 * buckets * BUCKET <= table_mib << 20:
            buckets *= 2
        self._mem = np.zeros(tables.MEM_SIZE, np.uint64)
        self._ctl = np.zeros(tables.CTL_SIZE, np.int64)
        self._table = np.zeros(buckets * BUCKET // 8, np.uint64)
        self._ctl[tables.MASK] = buckets - 1
        self._ctl[tables.SIGHT] = sight
        self._weights = weights or default()
        self._ctl[tables.WEIGHTS] = self._weights.address
        self._endgames = Tables.ready()
        if self._endgames is not None:
            self._ctl[tables.ENDGAMES] = self._endgames.address
        self._lock = threading.Lock()

    def analyse(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> Iterator[Info]:
        """Yield an info after each iteration, the last one perhaps of a depth half done.

        Draws within the search follow ``preset``. Close the iterator if you leave it early:
        until then the engine is taken. Raises `GameOverError` where no move is legal.
        """
        _require_moves(history)
        return self._iterate(history, limits, preset)

    def best_move(self, history: History, limits: Limits, preset: DrawPreset = STANDARD) -> Info:
        """Return the last info of a search."""
        for found in self.analyse(history, limits, preset):
            info = found
        return info

    def judge(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        """Give every legal move an exact score at the greatest depth that the limits allow.

        Of several routes to one result the first stands for all. Takes some times as long as a
        search for the best move alone. Raises `GameOverError` where no move is legal.
        """
        _require_moves(history)
        with self._lock, Alarm(limits.seconds, self.stop):
            return self._judge(history, limits, preset)

    def stop(self) -> None:
        """End the search that another thread runs; it still returns what it has."""
        self._ctl[tables.STOP] = 1

    def clear(self) -> None:
        """Forget everything learnt from earlier searches."""
        with self._lock:
            self._table[:] = 0
            self._ctl[tables.HISTORY :] = 0

    def _iterate(self, history: History, limits: Limits, preset: DrawPreset) -> Iterator[Info]:
        with self._lock, Alarm(limits.seconds, self.stop):
            watch = Stopwatch(limits.seconds)
            words = self._prepare(history, limits, preset)
            score = 0
            for depth in range(1, min(limits.depth or DEEPEST, DEEPEST) + 1):
                score = self._deepen(words, depth, score)
                stopped = self._ctl[tables.STOP] != 0
                if stopped and depth > 1 and self._ctl[tables.DONE] == 0:
                    return
                info = self._info(history.position, depth, score, watch.seconds)
                yield info
                plies = info.score.plies_to_end
                if stopped or watch.over or (plies is not None and plies <= depth):
                    return

    def _judge(
        self, history: History, limits: Limits, preset: DrawPreset
    ) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        watch = Stopwatch(limits.seconds)
        words = self._prepare(history, limits, preset)
        count = int(self._ctl[tables.COUNT])
        moves = tuple(_named(history.position, int(word)) for word in self._mem[:count])
        scores = tuple(Score(0) for _ in moves)
        reached = 0
        for depth in range(1, min(limits.depth or DEEPEST, DEEPEST) + 1):
            self._search(words, -tables.INFINITY, tables.INFINITY, depth, 1)
            if self._ctl[tables.STOP] != 0:
                break
            at = tables.ROOT_SCORES
            scores = tuple(Score(int(value)) for value in self._ctl[at : at + count])
            reached = depth
        best = max(range(count), key=lambda i: scores[i])
        nodes = int(self._ctl[tables.NODES])
        info = Info(reached, scores[best], nodes, watch.seconds, (moves[best],))
        return moves, scores, info

    def _prepare(
        self, history: History, limits: Limits, preset: DrawPreset
    ) -> tuple[np.uint64, np.uint64, np.uint64, int]:
        """Load the position, the rules and the past into the buffers; clear the stop flag."""
        ctl = self._ctl
        ctl[tables.STOP] = 0
        ctl[tables.NODE_LIMIT] = limits.nodes or ENDLESS
        ctl[tables.RESETS] = sum(
            bit
            for bit, kind in (
                (1, Progress.CAPTURE),
                (2, Progress.MAN_MOVE),
                (4, Progress.PROMOTION),
            )
            if kind in preset.progress
        )
        ctl[tables.QUIET_LIMIT] = preset.progress_plies or 0
        ctl[tables.REPEATS] = (preset.repetition or 3) - 1
        ctl[tables.AGE] = (ctl[tables.AGE] + 1) & 63
        past = _reversible(history)
        for index, position in enumerate(past):
            self._mem[tables.KEYS + index] = tables.key_of(*scalars(position))
        ctl[tables.ROOT] = len(past)
        ctl[tables.SAME] = len(past)
        ctl[tables.QUIET] = history.quiet_plies(preset)
        words = scalars(history.position)
        prepare(*words, self._mem, ctl)
        return words

    def _deepen(
        self, words: tuple[np.uint64, np.uint64, np.uint64, int], depth: int, last: int
    ) -> int:
        """Search one depth, first in a narrow window around the last score."""
        low, high = -tables.INFINITY, tables.INFINITY
        if depth >= 5 and abs(last) < tables.DECIDED:
            low, high = last - MARGIN, last + MARGIN
        while True:
            score = self._search(words, low, high, depth, 0)
            if self._ctl[tables.STOP] != 0:
                return last if self._ctl[tables.DONE] == 0 or score <= low else score
            if score <= low > -tables.INFINITY:
                low = -tables.INFINITY
            elif score >= high < tables.INFINITY:
                high = tables.INFINITY
            else:
                return score

    def _search(
        self,
        words: tuple[np.uint64, np.uint64, np.uint64, int],
        low: int,
        high: int,
        depth: int,
        every: int,
    ) -> int:
        return int(root(*words, low, high, depth, every, self._mem, self._ctl, self._table))

    def _info(self, position: Position, depth: int, score: int, seconds: float) -> Info:
        """Put what the kernels found in the words of the rules."""
        first = self._mem[:1]
        line = self._mem[tables.LINES : tables.LINES + self._ctl[tables.LENGTH]]
        pv: list[Move] = []
        for word in line if line.size and line[0] == first[0] else first:
            move = _named(position, int(word))
            pv.append(move)
            position = position.play(move)
        return Info(depth, Score(score), int(self._ctl[tables.NODES]), seconds, tuple(pv))


def _require_moves(history: History) -> None:
    if not history.position.legal_moves:
        raise GameOverError(f"{history.position.turn.title} has no move: the game is over")


def _named(position: Position, word: int) -> Move:
    """Return the first legal move that is packed as this word."""
    word &= (1 << 48) - 1
    return next(move for move in position.legal_moves if packed(move) == word)


def _reversible(history: History) -> tuple[Position, ...]:
    """Return the positions before the present one that it could still repeat."""
    now = history.position
    men = (now.black & ~now.kings, now.white & ~now.kings)
    count = (now.black.bit_count(), now.white.bit_count())
    first = len(history.positions) - 1
    while first > 0 and len(history.positions) - first < tables.PAST:
        before = history.positions[first - 1]
        if (before.black & ~before.kings, before.white & ~before.kings) != men:
            break
        if (before.black.bit_count(), before.white.bit_count()) != count:
            break
        first -= 1
    return history.positions[first:-1]
