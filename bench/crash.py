"""Kills the server, or what it stands on, at random moments under load, and looks what is left.

    python bench/crash.py [--kills 50] [--games 40] [--rate 80] [--seed 1]
                          [--with sqlite|postgresql] [--victims server,postgresql,redis]

Starts the real server and lets people play random games on it, game after game: rated, for stakes,
under clocks. At random moments a victim is killed by SIGKILL and started again, sometimes at once,
sometimes after some seconds. After each restart every client has to come back by itself; then the
log is compared with all that was acknowledged since the run began, clocks are reckoned again, and
the ledger has to add up. ``--with postgresql`` plays on two server processes with PostgreSQL and
Redis, private instances of this run. Prints one JSON line; status 1 where anything was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kingme.play.clock import TimeControl
from kingme.store import Store, open_store
from live.audit import Downtime, examine
from live.client import Board, Client, Heard, keep
from live.people import enrol
from live.private import private_services
from live.seats import Pair, seat
from live.service import Service

CONTROLS = (
    TimeControl("increment", 60_000, 1_000),
    TimeControl("increment", 180_000, 0),
    TimeControl("increment", 20_000, 0),
    TimeControl("per_move", 15_000, 0),
)
STAKES = (0, 10, 50)
CHIPS = 1_000_000
MOMENTS = 200
"""So many moves are sent at most between two kills."""

PAUSES = (0.0, 0.0, 1.0, 6.0)
"""For how many seconds what was killed stays down, by lot."""

RETURN_SECONDS = 60.0
ALLOWANCE_MS = 2_000
"""What a player may be charged around an outage: shorter ones are not noticed by the heartbeat."""


@dataclass
class Run:
    """One run: who plays, who dies, and what was seen."""

    clients: list[Client]
    pairs: list[Pair]
    chance: random.Random
    rate: float
    paused: bool = False
    sent: int = 0
    downtimes: list[Downtime] = field(default_factory=list)
    boards: dict[tuple[int, str], Board] = field(default_factory=dict)
    restarting: set[asyncio.Task[None]] = field(default_factory=set)
    ended: int = 0

    def __post_init__(self) -> None:
        """Hear what every client hears."""
        self.by_client = {client: pair for pair in self.pairs for client in (pair.one, pair.two)}
        for client in self.clients:
            client.heard = self.heard

    def heard(self, client: Client, board: Board, event: Heard) -> None:
        """Begin the next game of a pair whose game is over."""
        del event
        self.boards[id(client), board.id] = board
        pair = self.by_client[client]
        if board.id == pair.game and pair.over:
            pair.game = ""
            self.ended += 1
            task = asyncio.ensure_future(self.again(pair))
            self.restarting.add(task)
            task.add_done_callback(self.restarting.discard)

    async def again(self, pair: Pair) -> None:
        """Sit down to another game."""
        pair.stake = self.chance.choice(STAKES)
        pair.control = self.chance.choice(CONTROLS)
        await pair.sit()

    async def play(self) -> None:
        """Send moves at an even rate until cancelled."""
        due = time.monotonic()
        while True:
            now = time.monotonic()
            due = max(due, now - 1)  # what could not be sent while the server was down is not owed
            while due <= now and not self.paused:
                due += 1 / self.rate
                self.move()
            if self.paused:
                due = now
            await asyncio.sleep(0.005)

    def move(self) -> None:
        """Send one move in any game where somebody can."""
        for _ in range(20):
            found = self.chance.choice(self.pairs).mover()
            if found is not None:
                client, board = found
                client.play(board)
                self.sent += 1
                return

    async def settle(self) -> float:
        """Wait until every client is back, with everything answered; returns the seconds."""
        began = time.monotonic()
        self.paused = True
        try:
            while self.restarting or not all(client.idle for client in self.clients):
                if time.monotonic() - began > RETURN_SECONDS:
                    away = sum(not client.online for client in self.clients)
                    owed = sum(not client.idle for client in self.clients) - away
                    raise SystemExit(
                        f"After {RETURN_SECONDS:.0f} s {away} clients are not back, "
                        f"{owed} wait for answers, and {len(self.restarting)} games to begin."
                    )
                await asyncio.sleep(0.02)
            return time.monotonic() - began
        finally:
            self.paused = False


@dataclass
class Victim:
    """Something that is killed: how, how it is started again, and whether play stops meanwhile."""

    name: str
    kill: Callable[[], None]
    revive: Callable[[], None]
    stops_play: bool = True


def now() -> int:
    """The time, ms since the epoch."""
    return time.time_ns() // 1_000_000


async def strike(
    run: Run, victim: Victim, pauses: Sequence[float], store: Store, totals: Counter[str]
) -> list[str]:
    """Kill once, start again, wait for everyone, and look at what is there."""
    moment = run.sent + run.chance.randint(1, MOMENTS)
    while run.sent < moment:
        await asyncio.sleep(run.chance.random() / run.rate)
    down = now()
    await asyncio.to_thread(victim.kill)
    await asyncio.sleep(run.chance.choice(pauses))
    await asyncio.to_thread(victim.revive)
    if victim.stops_play:
        run.downtimes.append((down, now()))
    began = time.monotonic()
    while not all(client.online for client in run.clients):
        if time.monotonic() - began > RETURN_SECONDS:
            break
        await asyncio.sleep(0.02)
    back = time.monotonic() - began
    await run.settle()
    acked = [move for client in run.clients for move in client.acked]
    boards = [replace(board) for board in run.boards.values()]  # as they are before the log is read
    run.paused = True
    found = await asyncio.to_thread(examine, store, acked, boards, run.downtimes, ALLOWANCE_MS)
    run.paused = False
    totals["back_ms"] = max(totals["back_ms"], round(back * 1000))
    totals["acked"] = found.acked
    totals["moves"] = found.moves
    totals["games"] = found.games
    totals["games_settled"] = found.ended
    totals["flags"] = found.flags
    totals["worst_charge_ms"] = max(totals["worst_charge_ms"], found.worst_charge)
    return found.faults + [client.broken for client in run.clients if client.broken]


async def measure(
    options: argparse.Namespace, services: list[Service], victims: list[Victim]
) -> dict[str, object]:
    """Seat everyone, and strike as often as asked for."""
    chance = random.Random(options.seed)  # noqa: S311 (chance, not secrets)
    store = open_store(services[0].database)
    people = await asyncio.to_thread(enrol, store, 2 * options.games, chips=CHIPS)
    bases = [service.base for service in services]
    clients = [
        Client(bases, person.token, user=person.id, chance=random.Random(chance.random()))  # noqa: S311
        for person in people
    ]
    keeping = asyncio.create_task(keep(clients))
    await asyncio.gather(*(client.connect() for client in clients))
    pairs = [
        Pair(one, two, chance.choice(CONTROLS), rated=True, stake=chance.choice(STAKES))
        for one, two in zip(clients[::2], clients[1::2], strict=True)
    ]
    run = Run(clients, pairs, chance, options.rate)
    await seat(pairs)
    playing = asyncio.create_task(run.play())
    totals: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    faults: list[str] = []
    began = time.monotonic()
    for number in range(options.kills):
        victim = chance.choice(victims)
        killed[victim.name] += 1
        new = [
            fault
            for fault in await strike(run, victim, options.pauses, store, totals)
            if fault not in faults
        ]
        faults += new
        passed = time.monotonic() - began
        left = passed / (number + 1) * (options.kills - number - 1)
        progress(
            f"{number + 1} of {options.kills}: {victim.name} killed, {totals['acked']} moves "
            f"acknowledged, {len(faults)} faults, {left:.0f} s left"
        )
    playing.cancel()
    keeping.cancel()
    for client in clients:
        client.end()
    store.close()
    return {
        "kills": dict(killed),
        "seconds": round(time.monotonic() - began, 1),
        "sockets": len(clients),
        **totals,
        "resent": sum(client.resent for client in clients),
        "reconnects": sum(client.resumed for client in clients),
        "refused": dict(sum((client.refused for client in clients), Counter[str]())),
        "faults": faults,
    }


def progress(text: str) -> None:
    """Say how far it is."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def stage(
    options: argparse.Namespace, folder: Path, stack: contextlib.ExitStack
) -> tuple[list[Service], list[Victim]]:
    """Start the servers, and say who may be killed."""
    victims = []
    if options.store == "sqlite":
        services = [Service(folder)]
    else:
        postgres, redis = private_services(stack)
        services = [
            Service(folder, database=postgres.url, redis=redis.url, name=f"server{number}")
            for number in range(2)
        ]
        victims.append(Victim("postgresql", postgres.kill, postgres.start))
        victims.append(Victim("redis", redis.kill, redis.start, stops_play=False))
    for service in services:
        stack.callback(service.stop)
        service.start()
        victims.append(Victim("server", service.kill, service.start, stops_play=len(services) == 1))
    wanted = set(filter(None, options.victims.split(",")))
    return services, [victim for victim in victims if not wanted or victim.name in wanted]


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Start what is needed, strike, and stop it all; returns the figures."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kingme-crash-")))
        services, victims = stage(options, folder, stack)
        figures = asyncio.run(measure(options, services, victims))
    return {
        "bench": "crash",
        "python": platform.python_version(),
        "cpus": os.cpu_count(),
        "store": options.store,
        "games_at_once": options.games,
        "rate": options.rate,
        **figures,
    }


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rate", type=float, default=80.0, help="moves a second in all")
    parser.add_argument("--with", dest="store", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--victims", default="", help="of server,postgresql,redis; all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.set_defaults(pauses=PAUSES)
    figures = run(parser.parse_args())
    progress("")
    print(json.dumps(figures))
    sys.exit(1 if figures["faults"] else 0)


if __name__ == "__main__":
    main()
