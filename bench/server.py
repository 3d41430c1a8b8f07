"""Live games on the real server: how soon a move reaches the opponent, and where that breaks.

    python bench/server.py [--games 1000] [--rate 200] [--seconds 60] [--processes 1]
                           [--with sqlite|postgresql] [--no-ramp]

Starts ``kingme serve`` (as many processes as asked for) with a database of its own (SQLite, or
PostgreSQL with Redis), and plays
random legal games from this process: two sockets a game, spread over all server processes so that
the two players of a game are on different ones. Accounts and sessions are written through the
store; games begin through the lobby (a private seek, joined by its code). Moves are sent at an
even rate, whatever the server does, and each is timed from its sending to its arrival at the
opponent's client, which has by then waited for this process too. After that the rate is raised
step by step until more than 1 % of the moves take longer than 50 ms. Prints one JSON line; times
are in milliseconds, memory in KiB, processors in shares of one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import platform
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path

from kingme.play.clock import TimeControl
from kingme.store import open_store
from live.client import Board, Client, Heard, keep
from live.people import enrol
from live.private import private_services
from live.seats import Pair, seat
from live.service import Service

LIMIT_MS = 50.0
STEP_SECONDS = 10.0
STEP = 1.25
STEPS = 16
COMMITS = ("kingme_batches_total", "kingme_batch_items_total")
CONTROL = TimeControl("increment", 30 * 60 * 1000, 10 * 1000)


@dataclass
class Phase:
    """What was seen while moves were sent at one rate."""

    rate: float
    seconds: float = 0.0
    sent: int = 0
    starved: int = 0  # how often no game was ready to be moved in
    latencies: list[float] = field(default_factory=list)
    pongs: list[float] = field(default_factory=list)  # round trips of pings meanwhile
    late: list[float] = field(default_factory=list)  # of this process behind its own timetable
    server_cpu: float = 0.0
    load_cpu: float = 0.0

    def figures(self) -> dict[str, float]:
        """What is printed of it."""
        found = sorted(self.latencies)
        if not found:
            return {"rate": self.rate, "moves": 0}

        def at(share: float) -> float:
            return round(found[min(len(found) - 1, int(share * len(found)))], 1)

        return {
            "rate": round(len(found) / self.seconds, 1),
            "asked": round(self.rate, 1),
            "moves": len(found),
            "p50_ms": at(0.5),
            "p90_ms": at(0.9),
            "p99_ms": at(0.99),
            "max_ms": round(found[-1], 1),
            "server_cpu": round(self.server_cpu / self.seconds, 2),
            "load_cpu": round(self.load_cpu / self.seconds, 2),
            "ping_p99_ms": round(_p99(self.pongs), 1),
            "load_late_p99_ms": round(_p99(self.late), 1),
            "starved": self.starved,
        }

    @property
    def good(self) -> bool:
        """Whether the moves came in time, and at the rate that was asked for."""
        return _p99(self.latencies) <= LIMIT_MS and len(self.latencies) >= 0.97 * self.sent


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98] if len(values) > 1 else 0.0


class Load:
    """All pairs, which of them are ready for a move, and the moves on their way."""

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = {client: pair for pair in pairs for client in (pair.one, pair.two)}
        self.ready = deque(pairs)
        self.flying: dict[tuple[str, int], tuple[float, Phase]] = {}
        self.phase: Phase | None = None
        self.ended = 0
        self.again: set[asyncio.Task[None]] = set()
        for client in self.pairs:
            client.heard = self.heard

    def heard(self, client: Client, board: Board, event: Heard) -> None:
        """Time a move that has arrived at the other side, and let its game go on."""
        pair = self.pairs[client]
        if event.kind == "moved" and event.side is not board.you:
            flight = self.flying.pop((board.id, event.ply), None)
            if flight is not None:
                sent, phase = flight
                phase.latencies.append((time.perf_counter() - sent) * 1000)
                self.ready.append(pair)
        if board.over and board.id == pair.game and pair.over:
            task = asyncio.ensure_future(self.restart(pair))
            self.again.add(task)
            task.add_done_callback(self.again.discard)

    async def restart(self, pair: Pair) -> None:
        """Begin the next game of a pair."""
        self.ended += 1
        pair.game, old = "", pair.game
        for client in (pair.one, pair.two):
            client.unfollow(old)
        await pair.sit()
        self.ready.append(pair)

    def send(self, phase: Phase) -> None:
        """Send one move in the game that has waited longest."""
        for _ in range(len(self.ready)):
            pair = self.ready.popleft()
            found = pair.mover()
            if found is None:
                if pair.game and not pair.over:
                    self.ready.append(pair)
                continue
            client, board = found
            self.flying[board.id, len(board.moves)] = (time.perf_counter(), phase)
            client.play(board)
            phase.sent += 1
            return
        phase.starved += 1

    async def run(self, phase: Phase, services: list[Service], say: str) -> Phase:
        """Send moves at the rate of the phase for its seconds, evenly."""
        began = time.perf_counter()
        server, own = sum(s.cpu() for s in services), time.process_time()
        due, end, told = began, began + phase.seconds, began
        for client in self.pairs:
            client.trips = phase.pongs
        while (now := time.perf_counter()) < end:
            while due <= now:
                phase.late.append((now - due) * 1000)
                self.send(phase)
                due += 1 / phase.rate
            if now - told >= 1:
                told = now
                done = len(phase.latencies) / (now - began)
                progress(f"{say}: {done:.0f} moves a second, {end - now:.0f} s left")
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        phase.seconds = time.perf_counter() - began
        phase.server_cpu = sum(s.cpu() for s in services) - server
        phase.load_cpu = time.process_time() - own
        await asyncio.sleep(0.5)  # what is still on its way belongs to this phase
        return phase


def progress(text: str) -> None:
    """Say on a terminal how far it is, in one line; elsewhere line by line."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def figure(service: Service, name: str) -> float:
    """One of the figures that a server gives of itself."""
    found = re.search(rf"^{name} (\S+)$", service.get("/metrics").decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def memory(services: list[Service]) -> int:
    """Resident memory of all server processes."""
    return sum(service.memory() for service in services)


async def connect(clients: list[Client]) -> None:
    """Open all connections, a hundred at a time."""
    gate = asyncio.Semaphore(100)

    async def one(client: Client) -> None:
        async with gate:
            await client.connect()

    await asyncio.gather(*map(one, clients))


async def measure(options: argparse.Namespace, services: list[Service]) -> dict[str, object]:
    """Seat everyone, play, and raise the rate until it breaks."""
    empty = memory(services)
    progress(f"enrolling {2 * options.games} people ...")
    store = open_store(services[0].database)
    people = await asyncio.to_thread(enrol, store, 2 * options.games)
    store.close()
    bases = [service.base for service in services]
    clients = [
        Client([bases[number % len(bases)]], person.token, user=person.id)
        for number, person in enumerate(people)
    ]
    progress(f"connecting {len(clients)} sockets ...")
    keeping = asyncio.create_task(keep(clients))
    await connect(clients)
    connected = memory(services)
    pairs = [Pair(one, two, CONTROL) for one, two in zip(clients[::2], clients[1::2], strict=True)]
    progress(f"beginning {len(pairs)} games ...")
    began = time.perf_counter()
    await seat(pairs)
    seating = time.perf_counter() - began
    seated = memory(services)
    gc.collect()
    gc.freeze()
    load = Load(pairs)
    await load.run(Phase(options.rate, 5.0), services, "warming up")
    main = await load.run(Phase(options.rate, options.seconds), services, "measuring")
    after = memory(services)
    steps = await ramp(load, services, options) if options.ramp else []
    held = [phase for phase in (main, *steps) if phase.good]
    broken = next((phase for phase in steps if not phase.good), None)
    resumed = sum(client.resumed for client in clients)
    batches, items = (sum(figure(s, name) for s in services) for name in COMMITS)
    refused = sum((client.refused for client in clients), Counter[str]())
    closed = dict(sum((client.closed for client in clients), Counter[int]()))
    wrong = [client.broken for client in clients if client.broken]
    keeping.cancel()
    for client in clients:
        client.end()
    return {
        "games": len(pairs),
        "sockets": len(clients),
        **main.figures(),
        "moves_a_commit": round(items / max(1, batches), 2),
        "games_ended": load.ended,
        "games_begun_a_second": round(len(pairs) / seating, 1),
        "idle_kib": empty,
        "kib_per_socket": round((connected - empty) / len(clients), 1),
        "kib_per_game": round((seated - empty) / len(pairs), 1),
        "kib_after": after,
        "reconnects": resumed,
        "closed": closed,
        "refused": dict(refused),
        "not_understood": wrong[:3],
        "holds_rate": max((phase.figures()["rate"] for phase in held), default=0),
        "breaks_at": broken.figures() if broken else None,
        "steps": [phase.figures() for phase in steps],
    }


async def ramp(load: Load, services: list[Service], options: argparse.Namespace) -> list[Phase]:
    """Raise the rate step by step until moves come late."""
    steps: list[Phase] = []
    rate = options.rate
    for _ in range(STEPS):
        rate *= STEP
        phase = Phase(rate, STEP_SECONDS)
        steps.append(await load.run(phase, services, f"at {rate:.0f} a second"))
        if not phase.good:
            break
    return steps


def main() -> None:
    """Start the servers, measure, print, and stop them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=200.0, help="moves a second in all")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--with", dest="store", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--ramp", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kingme-load-")))
        database = redis = None
        if options.store == "postgresql":
            postgres, running = private_services(stack)
            database, redis = postgres.url, running.url
        services = []
        for number in range(options.processes):
            service = Service(folder, database=database, redis=redis, name=f"server{number}")
            stack.callback(service.stop)
            service.start()
            service.wait("/api/engine", b'"ready":true')
            services.append(service)
        began = os.getloadavg()[0]
        figures = asyncio.run(measure(options, services))
    progress("")
    print(
        json.dumps(
            {
                "bench": "server",
                "python": platform.python_version(),
                "cpus": os.cpu_count(),
                "load_before": round(began, 1),
                "processes": options.processes,
                "store": options.store,
                **figures,
            }
        )
    )


if __name__ == "__main__":
    main()
