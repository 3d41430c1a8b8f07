"""What an endgame database costs: seconds, memory, bytes; and how quickly it is asked.

    python bench/endgames.py [--pieces N] [--workers W] [--probes N]
    python bench/endgames.py --files [--pieces N] [--workers W] [--distance] [--memory MIB]

The kernels are compiled first. Seconds are of the processor, all threads together, beside those
on the clock, which a busy machine stretches. ``peak_mib`` is the largest memory of this process,
``before_mib`` what it had before. Probes are of random positions, White and Black to move, without
a jump due and with: of the whole database (``probe_ns``), where the processor foretells nothing,
and of the largest slice (``slice_probe_ns``), which is closer to what a search asks. Both are the
best of several rounds.

With ``--files`` it is built by way of a folder, as `kingme endgames build` does, and packed; the
folder is a temporary one. ``rate`` is positions a second of the processor. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from kingme.engine.endgames import Tables
from kingme.engine.endgames.memory import require
from kingme.engine.endgames.pack import pack_distances, pack_values
from kingme.engine.endgames.slices import Forces, layout
from kingme.engine.endgames.work import Plan, Work
from kingme.engine.kernels.bits import ONE, Words, turned
from kingme.engine.kernels.index import position_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.probe import probe_endgame
from kingme.jobs.endgames import lead
from kingme.jobs.local import LocalExecutor
from kingme.jobs.ports import Packers

ROUNDS = 5
STRIDE = 4
"""Words a position: own, opp, kings, black."""


@kernel("void(uint64[::1], int64, int64, int64, int64, int64, int64)")
def place(memory: Words, at: int, number: int, a: int, b: int, c: int, d: int) -> None:
    """Write a position of a slice, with White to move where its number is odd."""
    own, opp, kings = position_of(number, a, b, c, d)
    black = ONE
    if number & 1:
        own = turned(own)
        opp = turned(opp)
        kings = turned(kings)
        black ^= ONE
    memory[at] = own
    memory[at + 1] = opp
    memory[at + 2] = kings
    memory[at + 3] = black


@kernel("int64(uint64[::1], int64, int64)")
def ask(memory: Words, count: int, tables: int) -> int:
    """Probe so many positions; the sum keeps the compiler from leaving any out."""
    total = 0
    for i in range(0, count * 4, 4):
        black = 1 if memory[i + 3] else 0
        total += probe_endgame(memory[i], memory[i + 1], memory[i + 2], black, tables)
    return total


def scattered(materials: list[Forces], count: int) -> Words:
    """Random positions of some slices, each slice as often as its share of all."""
    chance = np.random.default_rng(7)
    sizes = np.array([material.positions for material in materials], np.float64)
    chosen = chance.choice(len(materials), count, p=sizes / sizes.sum())
    memory = np.zeros(count * STRIDE, np.uint64)
    for i, which in enumerate(chosen):
        material = materials[which]
        place(memory, i * STRIDE, int(chance.integers(material.positions)), *material.counts)
    return memory


def nanoseconds(tables: Tables, materials: list[Forces], count: int) -> float:
    """The time of a probe in such positions."""
    memory = scattered(materials, count)
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.thread_time()
        ask(memory, count, tables.address)
        best = min(best, time.thread_time() - started)
    return best / count * 1e9


def mib() -> int:
    """The largest memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 if sys.platform != "darwin" else 1 << 20))


def in_memory(pieces: int, workers: int, probes: int) -> dict[str, object]:
    """Build in memory, ask, and prove."""
    Tables.build(2, workers=workers)
    plan = layout(pieces)
    before = mib()
    clock, processor = time.perf_counter(), time.process_time()
    tables = Tables.build(pieces, workers=workers)
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    peak = mib()
    slices = list(plan.places)
    everywhere = nanoseconds(tables, slices, probes)
    largest = max(slices, key=lambda material: material.positions)
    near = nanoseconds(tables, [largest], probes)
    positions = sum(material.positions for material in plan.places)
    checked = time.process_time()
    if tables.verify() is not None:
        raise SystemExit("the database is wrong")
    return {
        "positions": positions,
        "seconds": round(clock, 2),
        "cpu_seconds": round(processor, 2),
        "verify_cpu_seconds": round(time.process_time() - checked, 2),
        "before_mib": before,
        "peak_mib": peak,
        "planned_bytes": plan.size + plan.working,
        "bytes": tables.block.nbytes,
        "positions_a_byte": round(positions / tables.block.nbytes, 3),
        "probes": probes,
        "probe_ns": round(everywhere, 1),
        "slice_probe_ns": round(near, 1),
        "probes_a_second": round(1e9 / everywhere),
    }


def in_files(pieces: int, workers: int, bound: int, kinds: tuple[str, ...]) -> dict[str, object]:
    """Build by way of a folder, and pack the slices of exactly so many pieces."""
    packers = {"values": pack_values, "distances": pack_distances}
    with tempfile.TemporaryDirectory() as folder:
        with Work(Path(folder) / "compiling", Plan(2, kinds, 2), bound) as work:
            led(work, packers, workers, bound)
        before = mib()
        clock, processor = time.perf_counter(), time.process_time()
        with Work(Path(folder) / "work", Plan(pieces, kinds, pieces), bound) as work:
            require(work.left, bound)
            led(work, packers, workers, bound)
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            packed = {
                kind: sum(path.stat().st_size for _, path in work.packed(pieces, kind))
                for kind in kinds
            }
            exact = sum(m.positions for m in work.mapped.plan.places if m.pieces == pieces)
            return {
                "positions": work.positions,
                "seconds": round(clock, 2),
                "cpu_seconds": round(processor, 2),
                "rate": round(work.positions / processor),
                "before_mib": before,
                "peak_mib": mib(),
                "bound_mib": bound >> 20,
                "work_bytes": work.mapped.plan.size,
                "packed_bytes": packed,
                "positions_a_byte": {kind: round(exact / n, 1) for kind, n in packed.items()},
            }


def led(work: Work, packers: Packers, workers: int, bound: int) -> None:
    """Do all of a build on threads."""
    hands = LocalExecutor(work.mapped, packers, workers, bound)
    try:
        lead(work, hands)
    finally:
        hands.close()


def main() -> None:
    """Build, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--probes", type=int, default=200_000)
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--distance", action="store_true")
    parser.add_argument("--memory", type=int, default=2048)
    chosen = parser.parse_args()
    if chosen.files:
        kinds = ("values", "distances") if chosen.distance else ("values",)
        found = in_files(chosen.pieces, chosen.workers, chosen.memory << 20, kinds)
    else:
        found = in_memory(chosen.pieces, chosen.workers, chosen.probes)
    figures = {
        "bench": "endgames",
        "python": platform.python_version(),
        "pieces": chosen.pieces,
        "workers": chosen.workers,
        **found,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
