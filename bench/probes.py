"""How quickly packed endgame files are asked: at random, and as a search asks them.

    python bench/probes.py [--pieces N] [--probes N] [--roots N] [--seconds S]

The files that are kept are used, of up to N pieces. ``random_ns`` is the time of a value of random
positions of exactly N pieces, a jump due or not, where the processor foretells nothing.
``search_ns`` is that of values in the order of a search without bounds: all lines of a few plies
from positions with a piece more, as far as they come to N pieces, ``met`` of them. Both are of the
processor, the best of several rounds. ``nodes`` and ``nodes_without`` are the engine's positions a
second, in searches of S seconds of the processor each from positions with two pieces more, with
these files and with 4 pieces alone. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections.abc import Iterator

import numpy as np

from endgames import ROUNDS, STRIDE, scattered
from kingme.engine.api import Limits
from kingme.engine.endgames import Tables
from kingme.engine.endgames.slices import Forces
from kingme.engine.kernels.bits import Words
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.packed import value_of
from kingme.engine.local import LocalEngine
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.presets import PRESETS

PLIES = 5
"""Of the lines from a position."""


@kernel("int64(uint64[::1], int64, int64)")
def ask(memory: Words, count: int, directory: int) -> int:
    """Read so many values; the sum keeps the compiler from leaving any out."""
    total = 0
    for i in range(0, count * 4, 4):
        black = 1 if memory[i + 3] else 0
        total += value_of(memory[i], memory[i + 1], memory[i + 2], black, directory)
    return total


def nanoseconds(memory: Words, directory: int) -> float:
    """The time of a value of such positions."""
    count = len(memory) // STRIDE
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.thread_time()
        ask(memory, count, directory)
        best = min(best, time.thread_time() - started)
    return best / count * 1e9


def roots(pieces: int, count: int) -> list[Position]:
    """Positions of random games, when so many pieces are left."""
    chance = random.Random(7)  # noqa: S311
    found: list[Position] = []
    while len(found) < count:
        position = Position.start()
        while position.legal_moves and len(position.pieces) > pieces:
            position = position.after(chance.choice(position.legal_moves))
        if position.legal_moves and len(position.pieces) == pieces:
            found.append(position)
    return found


def lines(position: Position, pieces: int, plies: int) -> Iterator[Position]:
    """The positions of exactly so many pieces in all lines of a few plies, as they come."""
    if len(position.pieces) <= pieces:
        if len(position.pieces) == pieces:
            yield position
        return
    for move in position.legal_moves if plies else ():
        yield from lines(position.after(move), pieces, plies - 1)


def placed(positions: list[Position]) -> Words:
    """Positions as the kernel reads them."""
    memory = np.zeros(len(positions) * STRIDE, np.uint64)
    for i, position in enumerate(positions):
        memory[i * STRIDE : (i + 1) * STRIDE] = [int(word) for word in scalars(position)]
    return memory


def speed(found: list[Position], tables: Tables, seconds: float) -> float:
    """The positions a second of an engine with such databases."""
    engine = LocalEngine(16, clock="cpu", endgames=tables)
    nodes = spent = 0.0
    for position in found:
        engine.clear()
        history, preset = History.start(position), PRESETS["agreement"]
        *_, last = engine.analyse(history, Limits(seconds=seconds), preset)
        nodes += last.nodes
        spent += last.seconds
    return nodes / spent


def main() -> None:
    """Ask, search, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--probes", type=int, default=100_000)
    parser.add_argument("--roots", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=0.5)
    asked = parser.parse_args()
    every = Tables.all()
    packs = [pack for pack in every.packs if pack.pieces <= asked.pieces]
    tables = Tables(every.block, every.block_pieces, packs)
    if tables.pieces < asked.pieces:
        parser.error(f"there are no values of {asked.pieces} pieces")
    slices: list[Forces] = [m for m in tables.totals() if m.pieces == asked.pieces]
    found = roots(asked.pieces + 2, asked.roots)
    near = roots(asked.pieces + 1, asked.roots)
    met = [end for root in near for end in lines(root, asked.pieces, PLIES)]
    directory = tables.directory.address
    figures = {
        "bench": "probes",
        "python": platform.python_version(),
        "pieces": asked.pieces,
        "random_ns": round(nanoseconds(scattered(slices, asked.probes), directory), 1),
        "met": len(met),
        "search_ns": round(nanoseconds(placed(met), directory), 1),
        "nodes": round(speed(found, tables, asked.seconds)),
        "nodes_without": round(
            speed(found, Tables(every.block, every.block_pieces), asked.seconds)
        ),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
