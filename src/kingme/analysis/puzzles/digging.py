"""Mining a file of games in an order that is drawn by lot once, by one process or several."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator

from kingme.analysis.puzzles.mining import Plan, Vein, mined
from kingme.rules.pdn import headers, read

__all__ = ["TABLE_MIB", "dug", "order_of", "texts_of"]

TABLE_MIB = 8
SEED = 1


def texts_of(data: bytes) -> list[bytes]:
    """Cut a text of games into its games, in their order."""
    places = [header.offset for header in headers(data)]
    return [data[start:end] for start, end in zip(places, [*places[1:], len(data)], strict=True)]


def order_of(texts: list[bytes]) -> list[int]:
    """Return the numbers of games in the order in which they are mined, which is always the same.

    Games that somebody won go first, for there somebody erred. Among them, and among the others,
    the order is by lot, so that also the first of them are from all years and players.
    """
    order = list(range(len(texts)))
    random.Random(SEED).shuffle(order)  # noqa: S311 (no secret)
    return sorted(order, key=lambda number: _drawn(texts[number]))


def _drawn(text: bytes) -> bool:
    header = next(iter(headers(text)), None)
    return header is None or header.tags.get("Result", "") not in ("1-0", "0-1")


def dug(
    texts: list[bytes], wanted: list[int], plan: Plan, workers: int = 1
) -> Iterator[tuple[int, Vein]]:
    """Yield what each wanted game brings, in the order wanted, whatever the workers."""
    jobs = ((number, texts[number], plan) for number in wanted)
    if workers == 1:
        yield from map(_dig, jobs)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers) as pool:
        yield from pool.imap(_dig, jobs)


class _Tools:
    """What a process mines with, made once for a database of so many pieces."""

    _made: _Tools | None = None

    def __init__(self, pieces: int) -> None:
        from kingme.analysis.puzzles.glancing import Glance
        from kingme.engine.endgames import Tables
        from kingme.engine.local import LocalEngine

        self.tables = Tables.load()
        more = Tables.load(pieces)
        self.pieces = pieces
        self.glance = Glance(more)
        self.engine = LocalEngine(TABLE_MIB, endgames=more)

    @classmethod
    def own(cls, pieces: int) -> _Tools:
        """The tools of this process."""
        if cls._made is None or cls._made.pieces != pieces:
            cls._made = cls(pieces)
        return cls._made


def _dig(job: tuple[int, bytes, Plan]) -> tuple[int, Vein]:
    number, text, plan = job
    tools = _Tools.own(plan.pieces)
    vein = Vein()
    for game in read(text):
        found = mined(game, tools.glance, tools.engine, tools.tables, plan)
        vein.plies += found.plies
        vein.candidates += found.candidates
        vein.puzzles += found.puzzles
    return number, vein
