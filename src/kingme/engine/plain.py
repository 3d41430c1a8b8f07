"""A small engine in pure Python, which answers until the compiled one is ready.

Alpha-beta over the generator of the rules; jumps are played out before a position is valued.
It sees a few plies in the time that the compiled engine takes for a dozen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kingme.engine.api import WIN, GameOverError, Info, Limits, Score
from kingme.engine.timing import Stopwatch
from kingme.rules.history import History
from kingme.rules.moves import Generator, Move
from kingme.rules.outcome import STANDARD, DrawPreset
from kingme.rules.position import Position
from kingme.rules.squares import EIGHT

__all__ = ["PlainEngine"]

INFINITY = 2 * WIN
DEEPEST = 60
MAN = 100
KING = 132
CENTRE = sum(EIGHT.masks[square] for square in (10, 11, 14, 15, 18, 19, 22, 23))
ROWS = tuple(EIGHT.row(row) for row in range(8))

#: own pieces, enemy pieces, kings of both, and whether own men move down
State = tuple[int, int, int, bool]


class _StopSearch(Exception):
    """Raised inside a search to end it."""


class PlainEngine:
    """The engine protocol in plain Python; one object serves one search at a time."""

    def __init__(self) -> None:
        self._stopped = False

    def analyse(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> Iterator[Info]:
        """Yield an info after each iteration; raise `GameOverError` where no move is legal."""
        self._stopped = False
        search = _Search(self, history, limits)
        return search.deepen()

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
        return _Search(self, history, limits).judge()

    def stop(self) -> None:
        """End the search that another thread runs; it still yields what it has."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether the present search was told to stop."""
        return self._stopped


class _Search:
    """One search: its limits, its count of nodes, and the moves of its root."""

    def __init__(self, engine: PlainEngine, history: History, limits: Limits) -> None:
        position = history.position
        if not position.legal_moves:
            raise GameOverError(f"{position.turn.title} has no move: the game is over")
        self._engine = engine
        self._limits = limits
        self._watch = Stopwatch(limits.seconds)
        self._generator: Generator = position.variant.generator
        self._nodes = 0
        self._moves = list(position.legal_moves)
        self._after = {move: _state(position.play(move)) for move in self._moves}
        seen = Counter(_state(before) for before in history.positions[:-1])
        self._repeats = {state for state, times in seen.items() if times > 1}

    def deepen(self) -> Iterator[Info]:
        """Search deeper and deeper, the best move of the last iteration first."""
        best = self._moves[0]
        known = False
        for depth in range(1, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            alpha = -INFINITY
            try:
                for move in self._moves:
                    score = self._value(move, depth, alpha)
                    if score > alpha:
                        alpha, best = score, move
            except _StopSearch:
                if alpha == -INFINITY:
                    if not known:
                        yield self._info(0, 0, best)
                    return
                yield self._info(depth, alpha, best)
                return
            known = True
            self._moves.remove(best)
            self._moves.insert(0, best)
            yield self._info(depth, alpha, best)
            if abs(alpha) >= WIN - depth:
                return

    def judge(self) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        """Score each move for itself, deeper and deeper."""
        moves = tuple(self._moves)
        scores = tuple(Score(0) for _ in moves)
        reached = 0
        for depth in range(1, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            try:
                scores = tuple(Score(self._value(move, depth, -INFINITY)) for move in moves)
            except _StopSearch:
                break
            reached = depth
        best = max(range(len(moves)), key=lambda i: scores[i])
        return moves, scores, self._info(reached, scores[best].value, moves[best])

    def _info(self, depth: int, score: int, move: Move) -> Info:
        return Info(depth, Score(score), self._nodes, self._watch.seconds, (move,))

    def _value(self, move: Move, depth: int, alpha: int) -> int:
        after = self._after[move]
        if after in self._repeats:
            return 0
        return -self._search(after, depth - 1, -INFINITY, -alpha, 1)

    def _search(self, state: State, depth: int, alpha: int, beta: int, ply: int) -> int:
        self._nodes += 1
        if self._watch.over or self._engine.stopped or self._nodes == self._limits.nodes:
            raise _StopSearch
        own, enemy, kings, down = state
        generator = self._generator
        if depth <= 0 and not generator.jumpers(own, enemy, kings, down):
            if not generator.count(own, enemy, kings, down):
                return ply - WIN
            return _evaluate(state)
        routes = generator.routes(own, enemy, kings, down)
        if not routes:
            return ply - WIN
        best = -INFINITY
        for path, captured in routes:
            after = _after(state, path[0], path[-1], captured, generator)
            score = -self._search(after, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best = score
                alpha = max(alpha, score)
                if alpha >= beta:
                    break
        return best


def _state(position: Position) -> State:
    return position.masks


def _after(state: State, start: int, end: int, captured: int, generator: Generator) -> State:
    own, enemy, kings, down = state
    king = kings & start or end & generator.crown[down]
    kings = kings & ~start & ~captured | (end if king else 0)
    return enemy & ~captured, own & ~start | end, kings, not down


def _evaluate(state: State) -> int:
    """Value a quiet position: material, the centre, and how far men have come."""
    own, enemy, kings, down = state
    count = (own | enemy).bit_count()
    value = 2 * (24 - count) * (own.bit_count() - enemy.bit_count())
    for pieces, sign, goes_down in ((own, 1, down), (enemy, -1, not down)):
        men = pieces & ~kings
        value += sign * (MAN * men.bit_count() + KING * (pieces & kings).bit_count())
        value += sign * 4 * (pieces & CENTRE).bit_count()
        rows = ROWS if goes_down else ROWS[::-1]
        value += sign * sum(step * (men & row).bit_count() for step, row in enumerate(rows))
        value += sign * 5 * (men & rows[0]).bit_count()
    return value
