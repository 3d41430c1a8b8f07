"""A live game as a person meets it, and the people and games that a test needs to begin with."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from playwright.sync_api import expect
from tests.e2e.table import Table

from kingme.play.clock import TimeControl
from kingme.play.commands import Play
from kingme.play.events import Event, Moved, Started
from kingme.play.game import State, apply, begin, decide, replay
from kingme.play.ports import Append, NewGame, User
from kingme.play.room import DEFAULT_ROOMS
from kingme.play.stakes import welcome
from kingme.rules.variant import Side
from kingme.store import Store, open_store
from kingme.web.auth import COOKIE
from kingme.web.live.names import fresh
from kingme.web.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator

__all__ = ["House", "LiveTable", "Visitor", "choose"]

YEAR = 365 * 24 * 60 * 60 * 1000
GAME = re.compile(r"/game/\w+$")


def now() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Visitor:
    """Somebody with a session, and the means to open pages as them."""

    user: User
    cookie: dict[str, Any]

    @property
    def name(self) -> str:
        return self.user.name


class House:
    """The running server and its store, through which people and games are made in no time."""

    def __init__(
        self, url: str, contexts: Callable[..., BrowserContext], database: str | None = None
    ) -> None:
        self.url = url
        self.store: Store = open_store(database or Settings().database_url)
        self._contexts = contexts

    def visitor(
        self, name: str = "", *, guest: bool = False, chips: int = 150, **fields: object
    ) -> Visitor:
        """Somebody new; an account has chips, a guest none."""
        at = now()
        chosen = f"{name or 'Player'}{secrets.token_hex(3)}"
        user = self.store.users.add(chosen, at, None if guest else "-")
        if fields:
            user = self.store.users.change(user.id, **fields)
        if chips and not guest:
            self.store.ledger.book(welcome(user.id, at, chips))
        token = secrets.token_urlsafe(32)
        hashed = hashlib.sha256(token.encode()).digest()
        self.store.sessions.start(hashed, user.id, at, at + YEAR)
        return Visitor(user, {"name": COOKIE, "value": token, "url": self.url})

    def context(self, visitor: Visitor | None = None, **options: Any) -> BrowserContext:
        """A browser of theirs; of a stranger without a visitor."""
        context = self._contexts(**{"viewport": {"width": 1280, "height": 800}, **options})
        if visitor is not None:
            context.add_cookies([visitor.cookie])  # type: ignore[list-item]
        return context

    def page(self, visitor: Visitor | None = None, path: str = "/lobby", **options: Any) -> Any:
        """A page in a browser of theirs."""
        page = self.context(visitor, **options).new_page()
        page.goto(urljoin(self.url, path))
        if path.startswith("/lobby"):
            expect(page.locator("#crowd")).to_contain_text("being played")
        return page

    def game(
        self,
        black: Visitor,
        white: Visitor,
        control: str = "10+5",
        *,
        stake: int = 0,
        moves: Sequence[str] = (),
        ago: int = 0,
        **fields: Any,
    ) -> str:
        """A game between two that began `ago` ms ago, when these moves were played at once."""
        at = now() - ago
        started = Started(
            at=at,
            black=black.user.id,
            white=white.user.id,
            control=TimeControl.parse(control),
            terms=DEFAULT_ROOMS["passport"].terms(stake),
            **fields,
        )
        state = begin(started)
        new = NewGame(fresh(), started, state.deadline())
        self.store.games.create(new)
        played = []
        for ply, move in enumerate(moves):
            events = decide(state, Play(by=state.turn, ply=ply, move=move), at)
            played += events
            for event in events:
                state = apply(state, event)
        if played:
            item = Append(new.id, 1, tuple(played), state.plies, state.deadline())
            assert self.store.games.append([item]) == [True]
        return new.id

    def spend(self, game: str, moves: tuple[str, str], left: int) -> None:
        """Let both move, after which Black has so many ms left.

        The server finds that in the log within 5 s; White's move counts from soon after that.
        """
        state = self.state(game)
        spent = state.clock.left[0] + state.started.control.increment - left
        soon = now() + 8_000
        one, other = moves
        events = (
            Moved(at=soon, side=Side.BLACK, ply=state.plies, move=one, spent=spent),
            Moved(at=soon, side=Side.WHITE, ply=state.plies + 1, move=other),
        )
        for event in events:
            state = apply(state, event)
        item = Append(game, state.version - 2, events, state.plies, state.deadline())
        assert self.store.games.append([item]) == [True]

    def events(self, game: str) -> list[Event]:
        """All that has happened in a game, as the store knows it."""
        return self.store.games.events(game)

    def state(self, game: str) -> State:
        """The game as the store knows it."""
        return replay(self.events(game))

    def table(self, game: str, visitor: Visitor | None = None, **options: Any) -> LiveTable:
        """The page of a game, open before somebody, and connected."""
        table = LiveTable(self.context(visitor, **options).new_page(), self.url)
        return table.sit_down(game)

    def tables(self, game: str, *visitors: Visitor | None, **options: Any) -> list[LiveTable]:
        """The same before several people."""
        return [self.table(game, visitor, **options) for visitor in visitors]

    def match(self, control: str = "10+5", **fields: Any) -> tuple[LiveTable, LiveTable]:
        """Two new people at a new game, Black first."""
        black, white = self.visitor("Ann"), self.visitor("Bert")
        game = self.game(black, white, control, **fields)
        return self.table(game, black), self.table(game, white)


class LiveTable(Table):
    """A page of a live game."""

    def __init__(self, page: Any, url: str) -> None:
        super().__init__(page, url)
        self.panel = page.locator("#panel")
        self.question = page.locator("#question")
        self.answers = page.get_by_role("group", name="Your answer")
        self.near = page.locator("#near")
        self.far = page.locator("#far")
        self.lines = page.get_by_role("list", name="What was said")

    @property
    def game(self) -> str:
        """The id of the game."""
        return str(self.page.url.rpartition("/")[2])

    def sit_down(self, game: str | None = None) -> LiveTable:
        """Open a game, or wait for the one that the lobby opens, until it is live."""
        if game is not None:
            self.page.goto(urljoin(self.url, f"/game/{game}"))
        expect(self.page).to_have_url(GAME)
        return self.connected()

    def connected(self, timeout: float = 10_000) -> LiveTable:
        """Wait until the server is there and has said who else is; `timeout` in ms."""
        expect(self.panel).to_have_attribute("data-state", "online", timeout=timeout)
        self.live()
        expect(self.page.locator("#far .person .unseen")).not_to_be_empty()
        return self

    def again(self) -> LiveTable:
        """Load the page again."""
        self.page.reload()
        return self.connected()

    def play(self, text: str) -> None:
        """Play a typed move when it is this player's turn; it must be taken."""
        expect(self.status).to_have_text("Your turn")
        super().play(text)

    def answer(self, name: str) -> None:
        """Give an answer to what is asked on the page."""
        self.answers.get_by_role("button", name=name, exact=True).click()

    def clock(self, side: Locator) -> str:
        """What a clock shows."""
        return side.locator(".clock b").inner_text()

    def heard(self) -> list[str]:
        """Everything that was said to a screen reader since `listen`, in order."""
        return list(self.page.evaluate("window.heard"))

    def listen(self) -> LiveTable:
        """Remember from now on what is said."""
        self.page.evaluate(
            """() => {
                window.heard = [];
                for (const region of document.querySelectorAll("[role=status], [role=alert]"))
                    new MutationObserver(() => heard.push(region.textContent))
                        .observe(region, { childList: true });
            }"""
        )
        return self

    def cut(self) -> None:
        """Cut this browser's network."""
        self.page.context.set_offline(True)
        expect(self.panel).to_have_attribute("data-state", "offline")

    def mend(self) -> LiveTable:
        """Give it back."""
        self.page.context.set_offline(False)
        return self.connected()


def choose(page: Any, group: str, name: str) -> None:
    """Choose one of the radio buttons of a group."""
    page.get_by_role("group", name=group).get_by_role("radio", name=name, exact=True).check()
