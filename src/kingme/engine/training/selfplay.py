"""The engine plays itself, and quiet positions are kept with what came of them.

A game is played by one kernel and depends on nothing but its number, the seed, the weights and
the nodes a move, so games can be played in any order by any number of threads, and a run that
was broken off goes on with the same bytes.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import numpy as np

from kingme.engine.kernels import tables
from kingme.engine.kernels.games import FIELDS, LONGEST, QUIET_PLIES, play_game
from kingme.engine.training.openings import Openings
from kingme.engine.training.records import Rows, rows_of

__all__ = ["BLOCK", "Table", "Terms", "blocks"]

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


class Table:
    """The buffers of one thread; plays one game at a time."""

    def __init__(self, openings: Openings, terms: Terms, weights: int) -> None:
        self._openings = openings
        self._terms = terms
        self._mem = np.zeros(tables.MEM_SIZE, np.uint64)
        self._ctl = np.zeros(tables.CTL_SIZE, np.int64)
        self._ctl[tables.MASK] = TABLE_WORDS // 8 - 1
        self._ctl[tables.SIGHT] = 1
        self._ctl[tables.WEIGHTS] = weights
        self._ctl[tables.RESETS] = 3
        self._ctl[tables.QUIET_LIMIT] = QUIET_PLIES
        self._ctl[tables.REPEATS] = 2
        self._entries = np.zeros(TABLE_WORDS, np.uint64)
        self._kept = np.zeros((LONGEST + 1, FIELDS), np.int64)

    def play(self, number: int) -> Rows:
        """Play the game of a number and return its quiet positions."""
        words, chance, seed = self._openings.draw(self._terms.seed, number)
        result = play_game(
            *words, chance, seed, self._terms.nodes, self._mem, self._ctl, self._entries, self._kept
        )
        return rows_of(self._kept[: self._kept[LONGEST, 0]], int(result))


def blocks(
    terms: Terms, openings: Openings, weights: int, first: int, workers: int = 1
) -> Iterator[tuple[int, Rows]]:
    """Yield blocks of games without end: the number of the first game, and the positions of all.

    ``weights`` is the address of the weights that play.
    """
    with ThreadPoolExecutor(workers) as pool:
        boards = queue.SimpleQueue[Table]()
        for _ in range(workers):
            boards.put(Table(openings, terms, weights))

        def work(start: int) -> Rows:
            board = boards.get()
            try:
                return np.concatenate([board.play(start + i) for i in range(BLOCK)])
            finally:
                boards.put(board)

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
