"""The engine plays itself, and quiet positions are kept with what came of them.

A game is played by one kernel and depends on nothing but its number, the seed, the weights and
the nodes a move, so games can be played in any order by any number of threads, and a run that
was broken off goes on with the same bytes.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import numpy as np

from kingme.engine.kernels import tables
from kingme.engine.kernels.bits import ZERO, Word
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.games import FIELDS, LONGEST, QUIET_PLIES, play_game
from kingme.engine.training.openings import Openings, Scalars
from kingme.engine.training.records import Rows, rows_of
from kingme.engine.weights import Weights
from kingme.rules.position import Position

__all__ = ["BLOCK", "Board", "Seat", "Terms", "blocks", "duel"]

BLOCK = 64
"""Games that are written to disk at once."""

TABLE_WORDS = 1 << 14
"""Words of the table of a game: small, since it is cleared for each."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What games are played under; together with a game's number they decide every bit of it.

    ``weights`` is the digest of the weights that played, which a reader can compare.
    """

    seed: int
    nodes: int
    weights: str
    openings: str


class Seat:
    """The buffers of one player: its counters and its table."""

    def __init__(self, weights: int) -> None:
        self.ctl = np.zeros(tables.CTL_SIZE, np.int64)
        self.ctl[tables.MASK] = TABLE_WORDS // 8 - 1
        self.ctl[tables.SIGHT] = 1
        self.ctl[tables.WEIGHTS] = weights
        self.ctl[tables.RESETS] = 3
        self.ctl[tables.QUIET_LIMIT] = QUIET_PLIES
        self.ctl[tables.REPEATS] = 2
        self.entries = np.zeros(TABLE_WORDS, np.uint64)


class Board:
    """The buffers of one thread; plays one game at a time."""

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._mem = np.zeros(tables.MEM_SIZE, np.uint64)
        self._kept = np.zeros((LONGEST + 1, FIELDS), np.int64)

    def play(
        self, words: Scalars, black: Seat, white: Seat, chance: int = 0, seed: Word = ZERO
    ) -> tuple[int, Rows]:
        """Play a game, at first at random; return the result for Black and quiet positions."""
        result = play_game(
            *words, chance, seed, self._nodes, self._mem,
            black.ctl, black.entries, white.ctl, white.entries, self._kept,
        )  # fmt: skip
        return int(result), rows_of(self._kept[: self._kept[LONGEST, 0]], int(result))


def duel(
    mine: Weights, theirs: Weights, openings: Sequence[Position], games: int, nodes: int
) -> Iterator[float]:
    """Let weights play others at equal nodes, every opening with both colours; yield points.

    Games end as those of self-play do: with a proof, or a score that stays clear.
    """
    board = Board(nodes)
    seats = (Seat(mine.address), Seat(theirs.address))
    for number in range(games):
        opening = scalars(openings[number // 2 % len(openings)])
        black, white = seats if number % 2 == 0 else seats[::-1]
        result, _ = board.play(opening, black, white)
        yield (1 + (result if number % 2 == 0 else -result)) / 2


def blocks(
    terms: Terms, openings: Openings, weights: Weights, first: int, workers: int = 1
) -> Iterator[tuple[int, Rows]]:
    """Yield blocks of games without end: the number of the first game, and the positions of all."""
    with ThreadPoolExecutor(workers) as pool:
        boards = queue.SimpleQueue[tuple[Board, Seat]]()
        for _ in range(workers):
            boards.put((Board(terms.nodes), Seat(weights.address)))

        def work(start: int) -> Rows:
            board, seat = boards.get()
            try:
                drawn = (openings.draw(terms.seed, start + i) for i in range(BLOCK))
                games = [board.play(words, seat, seat, plies, seed) for words, plies, seed in drawn]
                return np.concatenate([rows for _, rows in games])
            finally:
                boards.put((board, seat))

        waiting: deque[tuple[int, Future[Rows]]] = deque()
        starts = count(first, BLOCK)
        try:
            while True:
                while len(waiting) < 2 * workers:
                    start = next(starts)
                    waiting.append((start, pool.submit(work, start)))
                start, future = waiting.popleft()
                yield start, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
