"""The hub alone, without sockets: what a move costs the event loop, and a game in memory.

    python bench/hub.py [--games 1000] [--rate 200] [--seconds 30] [--plies 60]

Games on a new SQLite file, each with its two players as followers in this process, who play random
legal moves at an even rate for all games together. Then as many games of so many plies are loaded
anew, as after a restart. Prints one JSON line; times are in milliseconds, memory in KiB a game.
The event loop's processor time includes that of this driver, about a quarter of it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kingme.bus import open_bus
from kingme.errors import Refusal
from kingme.play.clock import TimeControl
from kingme.play.commands import Play
from kingme.play.events import Event, Started
from kingme.play.game import apply, begin, decide
from kingme.play.ports import Append, NewGame
from kingme.store import Store, open_store
from kingme.web.live.frames import Do
from kingme.web.live.hub import Hub
from kingme.web.settings import Settings

CONTROL = TimeControl("increment", 30 * 60 * 1000, 10_000)
TURN_SECONDS = 0.002


class Follower:
    """A player in this process, who notes when the next frame comes."""

    def __init__(self, user: int) -> None:
        self.user = user
        self.came = 0.0

    def send(self, frame: bytes, key: str | None = None) -> None:
        """Take a frame."""
        if key is None:
            self.came = time.perf_counter()


@dataclass
class Seen:
    """What was measured."""

    arrivals: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    refused: int = 0


def now() -> int:
    """The time of day in ms."""
    return time.time_ns() // 1_000_000


def resident() -> int:
    """Resident memory of this process in KiB."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def part(values: list[float], share: float) -> float:
    """The value that this share of all does not exceed, in ms."""
    ranked = sorted(values)
    return round(1000 * ranked[min(len(ranked) - 1, int(share * len(ranked)))], 2)


def write_game(
    store: Store, game: str, users: list[int], plies: int, chance: random.Random
) -> None:
    """A game of so many random plies, straight into the store."""
    while True:
        started = Started(at=now(), black=users[0], white=users[1], control=CONTROL)
        state, events = begin(started), list[Event]()
        while state.playing and state.plies < plies:
            move = chance.choice(state.history.position.legal_moves)
            command = Play(state.plies, str(move), by=state.turn, id=f"{game}{state.plies:04}")
            for event in decide(state, command, now()):
                state = apply(state, event)
                events.append(event)
        if state.playing:
            break
    store.games.create(NewGame(game, started, begin(started).deadline()))
    if events:
        item = Append(game, 1, tuple(events), state.plies, state.deadline())
        store.games.append([item])


async def move(hub: Hub, game: str, players: dict[int, Follower], seen: Seen, random_: Any) -> None:
    """One random move in a game, timed until the opponent has it."""
    state = hub.peek(game)
    if state is None or not state.playing:
        return
    mover, other = state.player(state.turn), state.player(state.turn.other)
    text = str(random_.choice(state.history.position.legal_moves))
    frame = Do(id=f"m{state.version}", game=game, what="play", ply=state.plies, move=text)
    begun = time.perf_counter()
    try:
        await hub.do(mover, frame, 30)
    except Refusal:
        seen.refused += 1
    else:
        seen.arrivals.append(players[other].came - begun)


async def play(
    hub: Hub, seats: dict[str, dict[int, Follower]], rate: float, seconds: float
) -> Seen:
    """Moves at an even rate over all games."""
    seen, chance, games = Seen(), random.Random(1), list(seats)  # noqa: S311 (chance, not secrets)
    tasks: set[asyncio.Task[None]] = set()
    begun, sent = time.perf_counter(), 0
    while (passed := time.perf_counter() - begun) < seconds:
        while sent < passed * rate:
            game = games[sent % len(games)]
            task = asyncio.ensure_future(move(hub, game, seats[game], seen, chance))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            sent += 1
        turn = time.perf_counter()
        await asyncio.sleep(TURN_SECONDS)
        seen.turns.append(time.perf_counter() - turn - TURN_SECONDS)
    if tasks:
        await asyncio.wait(tasks)
    return seen


async def sit(hub: Hub, store: Store, games: list[str]) -> dict[str, dict[int, Follower]]:
    """Both players follow each game, all at once."""
    seats = {}
    for game in games:
        started = store.games.events(game)[0]
        assert isinstance(started, Started)
        seats[game] = {user: Follower(user) for user in (started.black, started.white)}
    pairs = [(game, follower) for game, pair in seats.items() for follower in pair.values()]
    await asyncio.gather(*(hub.follow(game, follower, 0) for game, follower in pairs))
    return seats


async def measure(options: argparse.Namespace, store: Store) -> dict[str, object]:
    """Everything."""
    chance = random.Random(2)  # noqa: S311 (chance, not secrets)
    users = [store.users.add(f"P{number}", now()).id for number in range(100)]
    for name, plies in (("old", options.plies), ("new", 0)):
        for number in range(options.games):
            write_game(store, f"{name}{number:06}", chance.sample(users, 2), plies, chance)
    figures: dict[str, object] = {}
    hub = Hub(store, open_bus(None), Settings(), now)
    await hub.start()
    empty = resident()
    seats = await sit(hub, store, [f"new{number:06}" for number in range(options.games)])
    cpu, loop, begun = time.process_time(), time.thread_time(), time.perf_counter()
    seen = await play(hub, seats, options.rate, options.seconds)
    cpu, loop, passed = (
        time.process_time() - cpu,
        time.thread_time() - loop,
        time.perf_counter() - begun,
    )
    done = len(seen.arrivals)
    figures |= {
        "moves": done,
        "refused": seen.refused,
        "rate": round(done / passed, 1),
        "arrival": {name: part(seen.arrivals, x) for name, x in SHARES.items()},
        "loop_late": {name: part(seen.turns, x) for name, x in SHARES.items()},
        "loop_cpu_a_move": round(1000 * loop / done, 3),
        "all_cpu_a_move": round(1000 * cpu / done, 3),
        "hub": hub.figures,
    }
    del seats
    await hub.stop()

    hub = Hub(store, open_bus(None), Settings(), now)
    await hub.start()
    before = resident()
    cpu, begun = time.process_time(), time.perf_counter()
    await sit(hub, store, [f"old{number:06}" for number in range(options.games)])
    figures["load"] = {
        "plies": options.plies,
        "seconds": round(time.perf_counter() - begun, 2),
        "cpu_a_game": round(1000 * (time.process_time() - cpu) / options.games, 2),
        "memory_a_game": round((resident() - before) / options.games, 1),
    }
    figures["memory_before"] = empty
    await hub.stop()
    return figures


SHARES = {"half": 0.5, "p90": 0.9, "p99": 0.99, "most": 1.0}


def main() -> int:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--plies", type=int, default=60)
    options = parser.parse_args()
    sys.setswitchinterval(0.001)
    with tempfile.TemporaryDirectory(prefix="kingme-hub-") as folder:
        store = open_store(f"sqlite:///{folder}/kingme.db")
        store.migrate()
        print(json.dumps(asyncio.run(measure(options, store))))
        store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
