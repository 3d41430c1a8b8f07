"""Building a database in memory, pair of slices by pair, over compiled kernels.

The memory is known before it begins: the block itself (`slices.Layout.size`) and a byte for
each position of the largest pair (`slices.Layout.working`).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kingme.engine.endgames.files import FEWEST, MOST, EndgameError, head
from kingme.engine.endgames.slices import DIRECTORY, HEAD, UNIT, Forces, Layout, layout, pairs
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.movegen import WIDTH
from kingme.engine.kernels.retrograde import LARGEST, begin, spread

__all__ = ["Progress", "build"]

Block: TypeAlias = npt.NDArray[np.uint8]

Progress = Callable[[int, int, str], None]
"""Takes the positions done, how many there are in all, and which slices are next."""

SPAN = 1 << 18
"""Numbers that a call of a kernel works on: an interrupt is heard between two calls."""


def build(pieces: int, *, workers: int = 1, progress: Progress | None = None) -> Block:
    """Return the block of all positions of up to so many pieces, with distances in plies.

    The bytes do not depend on the number of ``workers``, which are threads. Raises
    `EndgameError` for fewer than 2 pieces, more than 6, or a win too far for a byte, and
    ``ValueError`` for no workers.
    """
    if not FEWEST <= pieces <= MOST:
        raise EndgameError(f"a database has from {FEWEST} to {MOST} pieces, not {pieces}")
    if workers < 1:
        raise ValueError(f"workers is 1 or more, not {workers}: they are the threads that build")
    plan = layout(pieces)
    block = np.zeros(plan.size, np.uint8)
    directory = [0] * (DIRECTORY // 4)
    for material, place in plan.places.items():
        directory[material.entry] = place // UNIT
    block[HEAD : HEAD + DIRECTORY] = np.frombuffer(
        struct.pack(f"={len(directory)}i", *directory), np.uint8
    )
    order = pairs(pieces)
    total = sum(material.positions for material in plan.places)
    done = 0
    with Crew(workers) as crew:
        for pair in order:
            if progress is not None:
                progress(done, total, str(pair[0]))
            _solve(pair, plan, block, crew)
            done += sum(material.positions for material in pair)
    block[:HEAD] = np.frombuffer(head(pieces, block[HEAD:].data), np.uint8)
    if progress is not None:
        progress(total, total, "")
    return block


class Crew:
    """Calls a kernel for all numbers of a slice, on so many threads."""

    def __init__(self, workers: int) -> None:
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None
        self.workers = workers

    def __enter__(self) -> Crew:
        (self._pool or nullcontext()).__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def largest(self, call: Callable[[int, int], int], count: int) -> int:
        """Return the largest result of a call over the ranges of ``count`` numbers."""
        span = min(SPAN, max(4096, -(-count // self.workers // UNIT) * UNIT))
        bounds = [*range(0, count, span), count]
        results: Iterable[int]
        if self._pool is None or len(bounds) == 2:
            results = itertools.starmap(call, itertools.pairwise(bounds))
        else:
            results = self._pool.map(call, bounds[:-1], bounds[1:])
        return max(results, default=0)


def _solve(pair: tuple[Forces, ...], plan: Layout, block: Block, crew: Crew) -> None:
    """Fill the slices of a pair; all that they lead to is there."""
    first = plan.places[pair[0]]
    eights = block.view(np.uint64)
    tables = address_of(block)
    left = np.zeros(plan.places[pair[-1]] + pair[-1].positions - first, np.uint8)

    def open_slice(material: Forces) -> int:
        def call(low: int, high: int) -> int:
            memory = np.zeros(WIDTH, np.uint64)
            at = plan.places[material], first, *material.counts, low, high
            return int(begin(block, left, tables, *at, memory))

        return crew.largest(call, material.positions)

    def spread_slice(material: Forces, code: int) -> int:
        places = plan.places[material], plan.places[material.exchanged], first

        def call(low: int, high: int) -> int:
            at = *places, *material.counts, low, high
            return int(spread(block, eights, left, tables, code, *at))

        return crew.largest(call, material.positions)

    largest = max(open_slice(material) for material in pair)
    code = 1
    while code <= largest:
        if largest > LARGEST:
            raise EndgameError(f"{pair[0]} has a win in more than {LARGEST - 1} plies")
        largest = max(largest, *(spread_slice(material, code) for material in pair))
        code += 1
