"""Building a database, pair of slices by pair, over compiled kernels.

`build` does so in memory, which is known before it begins: the block itself
(`slices.Layout.size`) and a byte for each position of the largest pair
(`slices.Layout.working`). `solve` fills one pair, wherever the slices before it lie; larger
databases are built with it by ``kingme.jobs``, over files.
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

from kingme.engine.endgames.files import EndgameError, head, require
from kingme.engine.endgames.slices import (
    DIRECTORY,
    HEAD,
    UNIT,
    Forces,
    Layout,
    Pair,
    layout,
    pairs,
    span,
    starts,
)
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.movegen import WIDTH
from kingme.engine.kernels.retrograde import LARGEST, begin, spread

__all__ = ["SPAN", "Block", "Crew", "Progress", "build", "directory", "solve"]

Block: TypeAlias = npt.NDArray[np.uint8]

Progress = Callable[[int, int, str], None]
"""Takes the positions done, how many there are in all, and which slices are next."""

MOST = 6
"""Pieces of a block in memory, which takes 2.6 GB then."""

SPAN = 1 << 18
"""Numbers that a call of a kernel works on: an interrupt is heard between two calls."""

PAGE, SAMPLED = 1 << 12, 16
"""Of a large pair, one in so many pages of codes is looked at to tell how far it is."""


def build(pieces: int, *, workers: int = 1, progress: Progress | None = None) -> Block:
    """Return the block of all positions of up to so many pieces, with distances in plies.

    The bytes do not depend on the number of ``workers``, which are threads. Raises
    `EndgameError` for fewer than 2 pieces, more than 6, or a win too far for a byte, and
    ``ValueError`` for no workers.
    """
    require(pieces, MOST)
    if workers < 1:
        raise ValueError(f"workers is 1 or more, not {workers}: they are the threads that build")
    plan = layout(pieces)
    block = np.zeros(plan.size, np.uint8)
    block[HEAD : HEAD + DIRECTORY] = np.frombuffer(directory(plan), np.uint8)
    order = pairs(pieces)
    total = sum(material.positions for material in plan.places)
    done = 0
    with Crew(workers) as crew:
        for pair in order:
            if progress is not None:
                progress(done, total, str(pair[0]))
            first = plan.places[pair[0]]
            codes = block[first : first + sum(map(span, pair))]
            solve(pair, codes, address_of(block), crew)
            done += sum(material.positions for material in pair)
    block[:HEAD] = np.frombuffer(head(pieces, block[HEAD:].data), np.uint8)
    if progress is not None:
        progress(total, total, "")
    return block


def directory(plan: Layout) -> bytes:
    """Return the directory of a block: where each slice begins, in units, or 0."""
    entries = [0] * (DIRECTORY // 4)
    for material, place in plan.places.items():
        entries[material.entry] = place // UNIT
    return struct.pack(f"={len(entries)}i", *entries)


class Crew:
    """Calls a kernel for all numbers of a slice, on so many threads.

    ``between`` is called before each range of numbers, by the thread that works on it; what it
    raises ends the work.
    """

    def __init__(self, workers: int, between: Callable[[], None] | None = None) -> None:
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None
        self.between = between
        self.workers = workers

    def __enter__(self) -> Crew:
        (self._pool or nullcontext()).__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def largest(self, call: Callable[[int, int], int], count: int) -> int:
        """Return the largest result of a call over the ranges of ``count`` numbers."""
        size = min(SPAN, max(4096, -(-count // self.workers // UNIT) * UNIT))
        bounds = [*range(0, count, size), count]

        def ranged(low: int, high: int) -> int:
            if self.between is not None:
                self.between()
            return call(low, high)

        results: Iterable[int]
        if self._pool is None or len(bounds) == 2:
            results = itertools.starmap(ranged, itertools.pairwise(bounds))
        else:
            results = self._pool.map(ranged, bounds[:-1], bounds[1:])
        return max(results, default=0)


def solve(
    pair: Pair,
    codes: Block,
    tables: int,
    crew: Crew,
    advance: Callable[[int], None] | None = None,
) -> None:
    """Fill the slices of a pair, which lie in ``codes`` one behind the other; it holds zeros.

    ``tables`` is the address of a block with all that they lead to. ``advance`` is called with
    numbers of positions, which come to about those of the pair and to no more: half of them are
    looked at first, and each distance judges some. Raises `EndgameError` for a win too far for a
    byte.
    """
    places = starts(pair)
    eights = codes.view(np.uint64)
    left = np.zeros(codes.size, np.uint8)

    def open_slice(material: Forces) -> int:
        def call(low: int, high: int) -> int:
            memory = np.zeros(WIDTH, np.uint64)
            at = places[material], 0, *material.counts, low, high
            if advance is not None:
                advance((high - low) // 2)
            return int(begin(codes, left, tables, *at, memory))

        return crew.largest(call, material.positions)

    def spread_slice(material: Forces, code: int) -> int:
        bases = places[material], places[material.exchanged], 0

        def call(low: int, high: int) -> int:
            at = *bases, *material.counts, low, high
            return int(spread(codes, eights, left, tables, code, *at))

        return crew.largest(call, material.positions)

    largest = max(open_slice(material) for material in pair)
    sample = _sampled(codes)
    share = codes.size / (2 * sample.size)
    rest = sum(material.positions for material in pair) // 2
    code = 1
    while code <= largest:
        if largest > LARGEST:
            raise EndgameError(f"{pair[0]} has a win in more than {LARGEST - 1} plies")
        largest = max(largest, *(spread_slice(material, code) for material in pair))
        if advance is not None:
            judged = min(int(np.count_nonzero(sample == code) * share), rest)
            rest -= judged
            advance(judged)
        code += 1


def _sampled(codes: Block) -> Block:
    """Return codes that stand for all: counting them takes no time beside the work."""
    if codes.size < PAGE * SAMPLED:
        return codes
    return codes[: codes.size // PAGE * PAGE].reshape(-1, PAGE)[::SAMPLED]
