"""How quick the engine is: nodes, threads, starts, and perft beside C and with a table.

    python bench/search.py [--rounds N] [--seconds S] [--deep D]

Everything is compared within the run, round after round, and the best round counts, since a
shared machine only ever slows a program down. Rates count processor seconds of the searching
thread, but that of two threads together counts the wall's, as a player's clock does; beside it
stands how much of two processors the two threads got, and the ratio that their nodes a processor
second would give with both to themselves. ``perft_to_c`` compares with bench/perft.c,
the same algorithm, compiled in this run by ``gcc -O3``; ``perft_to_native_c`` with
``-march=native`` besides, which counts bits by one instruction instead of a call. ``--deep``
counts to that depth with a table (17 takes minutes). The cold start compiles every kernel into an
empty folder. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kingme.engine.api import Limits
from kingme.engine.local import LocalEngine
from kingme.engine.signature import signature
from kingme.rules.history import History

HERE = Path(__file__).parent

#: Perft of the start position by depth (OEIS A133046).
LEAVES = {
    11: 85242128,
    13: 1766623630,
    14: 7978439499,
    15: 36263167175,
    16: 165629569428,
    17: 758818810990,
}
PERFT_DEPTH = 11
START = """
import time
began = time.perf_counter(), time.process_time()
from kingme.engine.api import Limits
from kingme.engine.local import LocalEngine
from kingme.rules.history import History
LocalEngine(16).best_move(History.start(), Limits(depth=4))
print(time.perf_counter() - began[0], time.process_time() - began[1])
"""


def starts(rounds: int) -> dict[str, float]:
    """Return the seconds from a new process to its first move, cold and warm."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "KINGME_CACHE_DIR": folder}

        def once() -> tuple[float, float]:
            done = subprocess.run(
                [sys.executable, "-c", START],
                env=environment, capture_output=True, text=True, check=True,
            )  # fmt: skip
            wall, cpu = done.stdout.split()
            return float(wall), float(cpu)

        cold = once()
        warm = [once() for _ in range(rounds)]
    return {
        "cold_compile_s": round(cold[0], 2),
        "cold_compile_cpu_s": round(cold[1], 2),
        "warm_start_s": round(min(wall for wall, _ in warm), 3),
        "warm_start_cpu_s": round(min(cpu for _, cpu in warm), 3),
    }


def pin(processor: int) -> None:
    """Keep the present thread on one processor, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {processor})


class Pinned(LocalEngine):
    """Its helpers run on the processor that the main thread leaves free.

    Some systems leave new threads beside their parent while another processor idles.
    """

    def _help(self, *task: Any) -> None:
        pin(1)
        super()._help(*task)


def speeds(rounds: int, seconds: float) -> dict[str, float]:
    """Return nodes a second of one thread and of two, and their ratio, from the start position."""
    engines = [Pinned(64), Pinned(64, threads=2)]
    best = [0.0, 0.0]
    shares = [0.0, 0.0]
    rates = [0.0, 0.0]
    everywhere = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if len(everywhere) > 1:
        pin(0)
    for _ in range(rounds):
        for index, engine in enumerate(engines):
            engine.clear()
            wall, cpu = time.perf_counter(), time.process_time()
            nodes = engine.best_move(History.start(), Limits(seconds=seconds)).nodes
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            if nodes / wall > best[index]:
                best[index] = nodes / wall
                shares[index] = cpu / wall
            rates[index] = max(rates[index], nodes / cpu)
    if everywhere:
        os.sched_setaffinity(0, everywhere)
    return {
        "nodes_per_cpu_s": round(rates[0]),
        "nodes_per_s_one": round(best[0]),
        "nodes_per_s_two": round(best[1]),
        "two_to_one": round(best[1] / best[0], 2),
        "processors_one": round(shares[0], 2),
        "processors_two": round(shares[1], 2),
        "two_to_one_at_full_share": round(2 * rates[1] / rates[0], 2),
    }


def perfts(rounds: int) -> dict[str, float]:
    """Return leaves a processor second of the kernels and of bench/perft.c."""
    from kingme.engine.kernels.perft import perft
    from kingme.rules.position import Position

    best = {"kernels": 0.0, "c": 0.0, "native_c": 0.0}

    def check(leaves: int, seconds: float, name: str) -> None:
        if leaves != LEAVES[PERFT_DEPTH]:
            raise SystemExit(f"perft {PERFT_DEPTH} by {name} is {leaves}")
        best[name] = max(best[name], leaves / seconds)

    with tempfile.TemporaryDirectory() as folder:
        programs = {"c": Path(folder) / "c", "native_c": Path(folder) / "native_c"}
        for name, program in programs.items():
            options = ["-march=native"] if name == "native_c" else []
            command = ["gcc", "-O3", *options, str(HERE / "perft.c"), "-o", str(program)]
            subprocess.run(command, check=True)
        perft(Position.start(), 8)
        for _ in range(rounds):
            began = time.thread_time()
            leaves = perft(Position.start(), PERFT_DEPTH)
            check(leaves, time.thread_time() - began, "kernels")
            for name, program in programs.items():
                command = [str(program), str(PERFT_DEPTH)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                counted, spent = done.stdout.split()
                check(int(counted), float(spent), name)
    return {
        "perft_per_cpu_s": round(best["kernels"]),
        "perft_c_per_cpu_s": round(best["c"]),
        "perft_to_c": round(best["kernels"] / best["c"], 2),
        "perft_to_native_c": round(best["kernels"] / best["native_c"], 2),
    }


def deep(depth: int) -> dict[str, float]:
    """Count with a table and return the processor seconds that took."""
    from kingme.engine.kernels.perft import Counter
    from kingme.rules.position import Position

    counter = Counter()
    began = time.thread_time()
    leaves = counter.perft(Position.start(), depth)
    if leaves != LEAVES[depth]:
        raise SystemExit(f"perft {depth} is {LEAVES[depth]}, but {leaves} were counted")
    return {"deep": depth, "deep_cpu_s": round(time.thread_time() - began, 1)}


def main() -> None:
    """Take all figures in turn and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--deep", type=int, choices=sorted(LEAVES)[1:], default=14)
    options = parser.parse_args()
    figures: dict[str, object] = {
        "bench": "search",
        "python": platform.python_version(),
        "signature": signature(),
        **speeds(options.rounds, options.seconds),
        **perfts(options.rounds),
        **deep(options.deep),
        **starts(options.rounds),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
