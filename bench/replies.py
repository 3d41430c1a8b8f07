"""How quickly the computer replies, and how the server feels meanwhile.

    python bench/replies.py [--seconds 10] [--level 8]

Two players for each processor ask for replies while somebody loads the page over and over; they
are another process, so that only the server's own work counts. Prints one JSON line: how late the
event loop was, and the latencies that the clients saw, in milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import threading
import time

import httpx2 as httpx

from kingme.cli.play import listen
from kingme.engine.opponent import Opponent
from kingme.rules.history import History
from kingme.rules.outcome import PRESETS
from kingme.web.app import create_app
from kingme.web.ports import Ports
from kingme.web.serve import SWITCH_SECONDS, Server
from kingme.web.settings import Settings

PLAYERS = 2 * (os.cpu_count() or 1)


def play(base: str, level: int, end: float, replies: list[float]) -> None:
    """Play the computer against itself, game after game, and note how long each reply takes."""
    history = History.start()
    with httpx.Client(base_url=base, timeout=60) as client:
        while time.monotonic() < end:
            if history.outcome(PRESETS["standard"]):
                history = History.start()
            sent = {"protocol": 1, "moves": [str(m) for m in history.moves], "level": level}
            before = time.perf_counter()
            answer = client.post("/api/reply", json=sent)
            if answer.status_code == 200:
                replies.append((time.perf_counter() - before) * 1000)
                history = history.play(answer.json()["move"])


def load(base: str, end: float, loads: list[float]) -> None:
    """Load the page twenty times a second and note how long each load takes."""
    with httpx.Client(base_url=base, timeout=60) as client:
        while time.monotonic() < end:
            before = time.perf_counter()
            client.get("/").raise_for_status()
            loads.append((time.perf_counter() - before) * 1000)
            time.sleep(0.05)


def clients(base: str, seconds: float, level: int) -> dict[str, float]:
    """Everyone who uses the server, in this process; returns what they saw."""
    end = time.monotonic() + seconds
    replies: list[float] = []
    loads: list[float] = []
    threads = [
        threading.Thread(target=load, args=(base, end, loads)),
        *(threading.Thread(target=play, args=(base, level, end, replies)) for _ in range(PLAYERS)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        "replies": len(replies),
        "reply_ms_median": round(statistics.median(replies)),
        "reply_ms_worst": round(max(replies)),
        "pages": len(loads),
        "page_ms_median": round(statistics.median(loads), 1),
        "page_ms_worst": round(max(loads), 1),
    }


async def beat(late: list[float]) -> None:
    """Note how late each wake-up of the event loop comes, until cancelled."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - before - 0.001) * 1000)


async def measure(seconds: float, level: int) -> dict[str, float | str]:
    """Serve for so many seconds under load."""
    sys.setswitchinterval(SWITCH_SECONDS)
    opponent = Opponent()
    opponent.start_warming()
    await asyncio.to_thread(opponent.wait, 300)
    listener = listen("127.0.0.1", 0)
    up = asyncio.Event()
    server = Server(create_app(Settings(), Ports(opponent)), up.set)
    serving = asyncio.create_task(server.serve([listener]))
    await up.wait()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    late: list[float] = []
    beating = asyncio.create_task(beat(late))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, "--seconds", str(seconds), "--level", str(level)),
        *("--client", base),
        stdout=asyncio.subprocess.PIPE,
    )
    seen, _ = await process.communicate()
    beating.cancel()
    server.should_exit = True
    await serving
    return {
        "bench": "replies",
        "level": level,
        "players": PLAYERS,
        **json.loads(seen),
        "loop_late_ms_median": round(statistics.median(late), 2),
        "loop_late_ms_p99": round(statistics.quantiles(late, n=100)[98], 1),
        "loop_late_ms_worst": round(max(late), 1),
    }


def main() -> None:
    """Measure, or be the clients of a measurement, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--client", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        print(json.dumps(clients(options.client, options.seconds, options.level)))
    else:
        print(json.dumps(asyncio.run(measure(options.seconds, options.level))))


if __name__ == "__main__":
    main()
