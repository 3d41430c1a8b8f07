"""Leaves a second of the plain rules and of the kernels, beside clatsop, in one run.

    python bench/perft.py [--rounds N]

clatsop is the quickest library on PyPI whose rules of American checkers are right. The
three are timed in turn, round after round, and the best round of each is compared, since
a shared machine only ever slows a program down. Each counts the leaves of the last ply
by the length of its list of moves. Prints one JSON line; rates are in leaves a second.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable

from clatsop import Ruleset, Turn

from kingme import Position
from kingme.engine.kernels.perft import perft as kernel_perft
from kingme.rules.perft import perft as plain_perft

#: Perft of the start position (OEIS A133046).
LEAVES = (1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128)
PLAIN_DEPTH, KERNEL_DEPTH = 7, 11


def clatsop_perft(depth: int) -> int:
    """Count with clatsop's quickest interface, on packed states without checks."""
    expand = Ruleset.american().expand_packed_unchecked

    def count(state: int, plies: int) -> int:
        states, _ = expand(state)
        return len(states) if plies == 1 else sum(count(after, plies - 1) for after in states)

    return count(Turn.initial().packed, depth)


def rate(count: Callable[[int], int], depth: int) -> float:
    """Return leaves a second of one count, after checking that the count is right."""
    started = time.perf_counter()
    leaves = count(depth)
    seconds = time.perf_counter() - started
    if leaves != LEAVES[depth]:
        raise SystemExit(f"perft {depth} is {LEAVES[depth]}, but {leaves} were counted")
    return leaves / seconds


def main() -> None:
    """Time the three counters in turn and print their best rates and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = max(1, parser.parse_args().rounds)
    start = Position.start()
    counters: dict[str, tuple[Callable[[int], int], int]] = {
        "clatsop": (clatsop_perft, PLAIN_DEPTH),
        "plain": (lambda depth: plain_perft(start, depth), PLAIN_DEPTH),
        "kernels": (lambda depth: kernel_perft(start, depth), KERNEL_DEPTH),
    }
    for count, _ in counters.values():  # compile, and check the counts of every depth
        for depth in range(1, PLAIN_DEPTH + 1):
            rate(count, depth)
    best = dict.fromkeys(counters, 0.0)
    for _ in range(rounds):
        for name, (count, depth) in counters.items():
            best[name] = max(best[name], rate(count, depth))
    figures: dict[str, object] = {
        "bench": "perft",
        "python": platform.python_version(),
        "rounds": rounds,
        **{name: round(value) for name, value in best.items()},
        "plain_to_clatsop": round(best["plain"] / best["clatsop"], 2),
        "kernels_to_clatsop": round(best["kernels"] / best["clatsop"], 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
