"""A search that plays every variant: it asks a position for its moves and a record for its goal.

Alpha-beta, deeper and deeper, in pure Python. Captures are played out before a position is
valued; a position that comes again on the way is a draw. It knows nothing of a variant but what
its record says, so that a new record is played the moment it exists.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Protocol

from kingme.engine.api import WIN, GameOverError, Info, Limits, Score
from kingme.engine.levels import level_of
from kingme.engine.thinking import choose
from kingme.engine.timing import Stopwatch
from kingme.engine.worth import Worth
from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import STANDARD, DrawPreset
from kingme.rules.position import Position
from kingme.rules.variant import Goal

__all__ = ["GenericEngine", "Stop", "best_move"]

INFINITY = 2 * WIN
DEEPEST = 60
REMEMBERED = 400_000
"""Positions kept in a table, some 100 MB at most; a full table is begun anew."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

#: black, white, kings, and whether Black is to move
Key = tuple[int, int, int, bool]

Line = tuple[Move, ...]


class Stop(Protocol):
    """What can tell a search to end, such as a ``threading.Event``."""

    def is_set(self) -> bool:
        """Return whether the search is to end now."""


class _StopSearch(Exception):
    """Raised inside a search to end it."""


def best_move(
    position: Position | History,
    *,
    seconds: float,
    stop: Stop | None = None,
    level: int | None = None,
    seed: int | None = None,
) -> Move:
    """Return a good move of any variant, found within ``seconds``.

    ``stop``, once set, ends the search within 50 ms; it still returns a legal move. A ``level``
    from 1 to 8 plays as weakly as its record says, the same way for the same ``seed``. A
    history lets the search know which positions were there before. Raises `GameOverError` where
    no move is legal and ``ValueError`` for no time or an unknown level.

    >>> from kingme import Position
    >>> str(best_move(Position.from_fen("W:WK15,K22:BK4"), seconds=0.2))
    '15-11'
    """
    history = position if isinstance(position, History) else History.start(position)
    chosen = None if level is None else level_of(level)
    limits = Limits(seconds=seconds)
    engine = GenericEngine(stop)
    legal = history.position.legal_moves
    if len(legal) == 1:
        return legal[0]
    if chosen is None:
        return engine.best_move(history, limits).move
    chance = random.Random(seed)  # noqa: S311 (whims, not secrets)
    return choose(engine, history, chosen, chance, STANDARD, min(seconds, chosen.seconds)).move


class GenericEngine:
    """The engine protocol for every variant; one object serves one search at a time.

    ``stop`` is a signal of the caller, beside the method of this name: it is never cleared here.
    """

    def __init__(self, stop: Stop | None = None) -> None:
        self._signal = stop
        self._stopped = False

    def analyse(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> Iterator[Info]:
        """Yield an info after each iteration; raise `GameOverError` where no move is legal."""
        self._stopped = False
        return _Search(history, limits, lambda: self.stopped).deepen()

    def best_move(self, history: History, limits: Limits, preset: DrawPreset = STANDARD) -> Info:
        """Return the last info of a search."""
        for found in self.analyse(history, limits, preset):
            info = found
        return info

    def judge(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        """Give every legal move a score at the greatest depth that the limits allow."""
        self._stopped = False
        return _Search(history, limits, lambda: self.stopped).judge()

    def stop(self) -> None:
        """End the search that another thread runs; it still yields what it has."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether the present search was told to stop."""
        return self._stopped or (self._signal is not None and self._signal.is_set())


class _Search:
    """One search: its limits, its count of nodes, its table, and the moves of its root."""

    def __init__(self, history: History, limits: Limits, stopped: Callable[[], bool]) -> None:
        position = history.position
        self._moves = list(position.legal_moves)
        if not self._moves or position.outcome is not None:
            raise GameOverError(f"{position.turn.title} has no move to make: the game is over")
        self._position = position
        self._worth = Worth(position.variant)
        self._goal = position.variant.goal
        self._limits = limits
        self._stopped = stopped
        self._watch = Stopwatch(limits.seconds)
        self._nodes = 0
        self._reach = 0
        self._table: dict[Key, tuple[int, int, int, Move]] = {}
        self._after = {move: position.after(move) for move in self._moves}
        # What was there twice is a draw the next time; what was there once can be had again.
        seen = Counter(_key(before) for before in history.positions)
        self._repeated = {key for key, times in seen.items() if times > 1}
        self._path: set[Key] = {_key(position)}

    def deepen(self) -> Iterator[Info]:
        """Search deeper and deeper, the best move of the last iteration first."""
        best: Line = (self._moves[0],)
        for depth in range(1, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            alpha = -INFINITY
            self._reach = 2 * depth
            stopped = False
            try:
                for move in self._moves:
                    score, line = self._value(move, depth, alpha)
                    if score > alpha:
                        alpha, best = score, line
            except _StopSearch:
                stopped = True
            if alpha > -INFINITY:
                yield self._info(depth, alpha, best)
            elif depth == 1:
                yield self._info(0, 0, best)
            if stopped or abs(alpha) >= WIN - depth:
                return
            self._moves.remove(best[0])
            self._moves.insert(0, best[0])

    def judge(self) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        """Score each move for itself, deeper and deeper."""
        moves = tuple(self._moves)
        values = [0] * len(moves)
        reached = 0
        for depth in range(1, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            self._reach = 2 * depth
            try:
                values = [self._value(move, depth, -INFINITY)[0] for move in moves]
            except _StopSearch:
                break
            reached = depth
        best = max(range(len(moves)), key=lambda i: values[i])
        info = self._info(reached, values[best], (moves[best],))
        return moves, tuple(Score(value) for value in values), info

    def _info(self, depth: int, score: int, line: Line) -> Info:
        return Info(depth, Score(score), self._nodes, self._watch.seconds, line)

    def _value(self, move: Move, depth: int, alpha: int) -> tuple[int, Line]:
        """Value a move of the root for the side that makes it, and the line that follows."""
        after = self._after[move]
        if _key(after) in self._repeated:
            return 0, (move,)
        score, line = self._search(after, depth - 1, -INFINITY, -alpha, 1)
        return -score, (move, *line)

    def _search(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, Line]:
        """Return what a position is worth to the side to move, and the line expected."""
        self._nodes += 1
        if self._watch.over or self._stopped() or self._nodes == self._limits.nodes:
            raise _StopSearch
        if self._goal is Goal.CROWN_FIRST and position.kings:
            return ply - WIN, ()
        key = _key(position)
        if key in self._path:
            return 0, ()
        try:
            moves = position.legal_moves
        except KingmeError:  # more captures than anybody can list
            return self._worth.of(position), ()
        if not moves:
            return (WIN - ply if self._goal is Goal.LOSE_ALL else ply - WIN), ()
        if (depth <= 0 and not moves[0].captures) or ply >= DEEPEST:
            return self._worth.of(position), ()
        depth = max(depth, 0)
        known = self._table.get(key)
        first: Move | None = None
        if known is not None:
            at, score, kind, first = known
            if at >= depth and abs(score) < WIN - DEEPEST and _settles(kind, score, alpha, beta):
                return score, (first,)
        return self._try(position, _ordered(moves, first), depth, alpha, beta, ply)

    def _try(
        self,
        position: Position,
        moves: list[Move],
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> tuple[int, Line]:
        """Search each move in turn, until one is too good for the opponent to allow."""
        key = _key(position)
        self._path.add(key)
        line: Line = (moves[0],)
        best, low = -INFINITY, alpha
        # A forced reply costs no depth, or a long exchange would hide what comes after it.
        deeper = depth if len(moves) == 1 and depth > 0 and ply < self._reach else depth - 1
        try:
            for move in moves:
                score, rest = self._search(position.after(move), deeper, -beta, -alpha, ply + 1)
                if -score > best:
                    best, line = -score, (move, *rest)
                    alpha = max(alpha, best)
                    if alpha >= beta:
                        break
        finally:
            self._path.discard(key)
        if len(self._table) >= REMEMBERED:
            self._table.clear()
        kind = AT_MOST if best <= low else AT_LEAST if best >= beta else EXACT
        self._table[key] = depth, best, kind, line[0]
        return best, line


def _key(position: Position) -> Key:
    return position.black, position.white, position.kings, position.masks[3]


def _settles(kind: int, score: int, alpha: int, beta: int) -> bool:
    """Whether a value in the table is all that is asked for."""
    return kind == EXACT or (score >= beta if kind == AT_LEAST else score <= alpha)


def _ordered(moves: tuple[Move, ...], first: Move | None) -> list[Move]:
    """The move that was best before comes first, then captures of many pieces."""
    if not moves[0].captures:
        if first is None:
            return list(moves)
        return [first, *(move for move in moves if move != first)]
    return sorted(moves, key=lambda move: (move != first, -len(move.captures)))
