"""How soon a search answers after it was told to stop: many searches, stopped at any moment.

    python bench/stops.py [--searches N] [--threads N] [--seed N]

Positions with one move and with none, a crowd of twelve kings a side, endless chases of kings,
openings and endings are searched without a limit in turn, with one engine, and stopped from
another thread after up to 50 milliseconds. What counts is the time from the call of ``stop`` to
the end of the search, in the thread that searches. On a busy machine that thread may have to wait
for a processor, so beside the longest times stands how late a thread that merely slept woke up.
Prints one JSON line; times are in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import platform
import queue
import random
import threading
import time

from kingme.engine.api import GameOverError, Limits
from kingme.engine.local import LocalEngine
from kingme.engine.signature import POSITIONS
from kingme.rules.history import History
from kingme.rules.outcome import PRESETS, STANDARD, DrawPreset
from kingme.rules.position import Position

FENS = (
    *POSITIONS,
    "B:W14,18:B9",
    "W:W5:B1",
    "W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:BK21,K22,K23,K24,K25,K26,K27,K28,K29,K30,K31,K32",
    "B:WK1,K3,K6,K8,K10,K12,K14,K16,K18,K20,K22,K24:BK2,K4,K5,K7,K9,K11,K13,K15,K17,K19,K21,K23",
    "W:WK14,K15:BK1,K5",
    "W:WK14,K15,K18:BK1,K5,K32",
    "B:WK32:BK26",
)
LONGEST = 0.05
"""Seconds after which a search is stopped at the latest, and in which it must answer then."""


def main() -> None:
    """Stop so many searches and print how long they took to answer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311
    engine = LocalEngine(16, threads=options.threads)
    engine.best_move(History.start(), Limits(depth=6))
    ended: queue.SimpleQueue[tuple[float, bool]] = queue.SimpleQueue()
    asked: queue.SimpleQueue[tuple[History, DrawPreset] | None] = queue.SimpleQueue()
    begun = threading.Event()

    def search() -> None:
        while (task := asked.get()) is not None:
            history, preset = task
            found = False
            try:
                infos = engine.analyse(history, Limits(), preset)
                begun.set()
                for info in infos:
                    found = info.move in history.position.legal_moves
            except GameOverError:
                begun.set()
                found = not history.position.legal_moves
            ended.put((time.perf_counter(), found))

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    delays, wakes, over = [], [], 0
    for number in range(options.searches):
        history = History.start(Position.from_fen(FENS[number % len(FENS)]))
        begun.clear()
        asked.put((history, chance.choice([STANDARD, PRESETS["agreement"]])))
        begun.wait()
        pause = chance.random() * LONGEST
        slept = time.perf_counter()
        time.sleep(pause)
        stopped = time.perf_counter()
        wakes.append(stopped - slept - pause)
        engine.stop()
        answered, found = ended.get(timeout=60)
        if not found:
            raise SystemExit(f"a search of {history.position.fen} gave no legal move")
        if answered < stopped:
            over += 1
        else:
            delays.append(answered - stopped)
    asked.put(None)
    delays.sort()
    wakes.sort()
    figures = {
        "bench": "stops",
        "python": platform.python_version(),
        "threads": options.threads,
        "searches": options.searches,
        "ended_before": over,
        "median_ms": round(1000 * delays[len(delays) // 2], 2),
        "p99_ms": round(1000 * delays[len(delays) * 99 // 100], 2),
        "longest_ms": round(1000 * delays[-1], 2),
        "later_than_50_ms": sum(delay > LONGEST for delay in delays),
        "wake_p99_ms": round(1000 * wakes[len(wakes) * 99 // 100], 2),
        "wake_longest_ms": round(1000 * wakes[-1], 2),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
