"""A server of people on a real database, whose time the test sets, and browsers that visit it."""

from __future__ import annotations

import contextlib
import functools
import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx
from argon2 import PasswordHasher
from starlette.applications import Starlette
from starlette.middleware import Middleware

from kingme.play.clock import TimeControl
from kingme.play.commands import Play, Resign
from kingme.play.events import Started
from kingme.play.game import apply as after
from kingme.play.game import begin, decide, result
from kingme.play.ports import Append, NewGame
from kingme.play.stakes import settlement
from kingme.rules.variant import Side
from kingme.store import Store, open_store
from kingme.web.auth import Passwords
from kingme.web.community import Community, gather
from kingme.web.guard import REFUSALS, Guard
from kingme.web.logs import Logged
from kingme.web.metrics import Measured
from kingme.web.settings import Settings

from .conftest import serving

PASSWORD = "a horse of paper"
DAY = 24 * 60 * 60 * 1000
MONDAY = 1_700_000_000_000


@dataclass
class Clock:
    """The time that the server believes it is, ms."""

    now: int = MONDAY

    def __call__(self) -> int:
        return self.now


def quick() -> Passwords:
    """Passwords that cost no time."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@dataclass
class Town:
    """A server, its store, and its time."""

    base: str
    store: Store
    clock: Clock
    settings: Settings
    told: list[tuple[str, int]]
    community: Community
    browsers: list[httpx.Client] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def browser(self, **options) -> httpx.Client:
        """A browser that nobody has signed in on."""
        # Reading the machine's certificates for each browser would take longer than most tests.
        made = httpx.Client(base_url=self.base, timeout=60, verify=False, **options)
        self.browsers.append(made)
        return made

    def guest(self) -> httpx.Client:
        browser = self.browser()
        assert browser.post("/api/session").status_code == 201
        return browser

    def account(self, name: str, **changes) -> httpx.Client:
        """A browser in which somebody has just registered."""
        browser = self.browser()
        sent = {"name": name, "password": PASSWORD, **changes}
        answer = browser.post("/api/account", json=sent)
        assert answer.status_code == 201, answer.text
        return browser

    def user(self, name: str):
        return self.store.users.user(name)

    def game(self, black, white, moves=("11-15", "22-18"), *, over=True, **changes) -> str:
        """A game between two users by name, resigned by White at its end where it is `over`."""
        game = f"game{next(self.numbers):06}"
        stake = changes.pop("stake", 0)
        started = Started(
            at=self.clock(),
            black=self.user(black).id,
            white=self.user(white).id,
            control=changes.pop("control", TimeControl("increment", 300_000, 3_000)),
            terms=self.settings.rooms["passport"].terms(stake),
            **changes,
        )
        self.store.games.create(NewGame(game, started, None))
        state = begin(started)
        commands = [Play(by=None, ply=ply, move=move) for ply, move in enumerate(moves)]
        for command in commands:
            state = self._do(game, state, Play(by=state.turn, ply=command.ply, move=command.move))
        if over:
            self._do(game, state, Resign(by=Side.WHITE))
        self.clock.now += 1000
        return game

    def _do(self, game, state, command):
        events = decide(state, command, self.clock())
        before = state.version
        for event in events:
            state = after(state, event)
        end = result(state)
        item = Append(game, before, tuple(events), state.plies, None, end)
        if end is None:
            assert self.store.games.append([item]) == [True]
            return state
        brought = settlement(
            game, state.started, end.winner, end.termination, state.plies, state.speed, self.clock()
        )
        done = Append(game, before, tuple(events), state.plies, None, end, brought)
        assert self.store.games.finish(done) is not None
        return state


@functools.cache
def empty() -> bytes:
    """A database with all its tables and nobody in it."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/kingme.db")
        store.migrate()
        store.close()
        return (Path(folder) / "kingme.db").read_bytes()


@contextlib.contextmanager
def town(
    folder: Path, settings: Settings | None = None, clock: Clock | None = None
) -> Iterator[Town]:
    """Serve a new town while the block runs."""
    chosen, time = settings or Settings(), clock or Clock()
    (folder / "kingme.db").write_bytes(empty())
    store = open_store(f"sqlite:///{folder}/kingme.db")
    told: list[tuple[str, int]] = []

    def hear(what):
        async def note(user: int) -> None:
            told.append((what, user))

        return note

    community = gather(
        store,
        chosen,
        now=time,
        changed=hear("changed"),
        renewed=hear("renewed"),
        passwords=quick(),
    )
    app = Starlette(
        routes=community.routes,
        middleware=[
            Middleware(Logged),
            Middleware(Measured, metrics=community.metrics),
            Middleware(Guard, settings=chosen),
        ],
        exception_handlers=dict.fromkeys(REFUSALS, community.site.explain),
    )
    with serving(app) as base:
        made = Town(base, store, time, chosen, told, community)
        try:
            yield made
        finally:
            for browser in made.browsers:
                browser.close()
            community.limits.close()
    store.close()
