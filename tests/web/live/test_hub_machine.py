"""Two hubs under anything that may go wrong: what was acknowledged is in the log, once."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.live.house import House, Person

from kingme.errors import Refusal
from kingme.play.events import Moved
from kingme.play.game import replay
from kingme.store import open_store

AGAIN = {"storage", "busy", "too_fast"}
SAYINGS = ["offer_draw", "decline_draw", "offer_takeback", "accept_takeback", "say", "set_chat"]

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["play"] * 8
            + ["say"] * 4
            + ["both"] * 2
            + ["wait", "away", "cut", "lost", "silent", "mend", "return", "restart"]
        ),
        st.booleans(),
        st.integers(0, 10_000),
    ),
    max_size=40,
)


class Play:
    """A game of two people who send again what had no answer, as pages do."""

    def __init__(self, house: House, game: str) -> None:
        self.house, self.game = house, game
        self.people = [Person(house.hubs[n], user) for n, user in enumerate(self.users)]
        self.played: list[dict[str, Any]] = []
        self.unanswered: list[tuple[int, str, dict[str, Any]]] = []

    @property
    def users(self) -> tuple[int, int]:
        return self.house.dora, self.house.wim

    async def ask(self, who: int, what: str, **fields: Any) -> None:
        fields.setdefault("id", f"c{next(Person.ids)}")
        try:
            await self.people[who].do(self.game, what, **fields)
            if what == "play":
                self.played.append(fields)
        except Refusal as refusal:
            if refusal.code in AGAIN:
                self.unanswered.append((who, what, fields))

    async def say(self, who: int, chance: random.Random) -> None:
        what = chance.choice(SAYINGS)
        await self.ask(who, what, phrase="hello" if what == "say" else None)

    async def play(self, who: int, chance: random.Random) -> None:
        """A move that is legal as far as the page of `who` knows."""
        state = self.house.hubs[who].peek(self.game)
        if state is not None and state.playing:
            move = chance.choice(state.history.position.legal_moves)
            await self.ask(who, "play", ply=state.plies, move=str(move))

    async def come_back(self, who: int, leave: bool = True) -> None:
        person = self.people[who]
        version = person.versions.get(self.game, 0)
        if leave:
            person.hub.leave(person)
        fresh = Person(self.house.hubs[who], person.user)
        try:
            await fresh.follow(self.game, version)
        except Refusal as refusal:
            assert refusal.code in AGAIN  # noqa: PT017
        self.people[who] = fresh

    async def mend(self) -> None:
        self.house.exchange.cut = False
        for view in self.house.views:
            view.games.lost = view.games.silent = False
        await self.house.wait(1_000)
        again, self.unanswered = self.unanswered, []
        for who, what, fields in again:
            await self.ask(who, what, **fields)

    async def step(self, kind: str, flip: bool, number: int) -> None:
        who, chance = int(flip), random.Random(number)
        view = self.house.views[-2:][who]
        match kind:
            case "play":
                await self.play(who, chance)
            case "say":
                await self.say(who, chance)
            case "both":
                await asyncio.gather(
                    self.play(0, chance), self.say(1, chance), self.play(1, chance)
                )
            case "wait":
                await self.house.wait(number)
            case "away":
                self.house.day.time += number
            case "cut":
                self.house.exchange.cut = True
            case "lost":
                view.games.lost = True
            case "silent":
                view.games.silent = True
            case "mend":
                await self.mend()
            case "return":
                await self.come_back(who)
            case "restart":
                await self.restart()

    async def restart(self) -> None:
        """Both processes end and begin anew."""
        await self.mend()
        for hub in self.house.hubs:
            await hub.stop()
        self.house.hubs.clear()
        self.house.exchange.lines.clear()
        for who in (0, 1):
            await self.house.open()
            await self.come_back(who, leave=False)


async def run(steps: list[tuple[str, bool, int]]) -> None:
    store = open_store("sqlite://")
    store.migrate()
    house = House(store)
    for _ in range(2):
        await house.open()
    play = Play(house, await house.game())
    for person in play.people:
        await person.follow(play.game)
    for step in steps:
        await play.step(*step)
    await play.mend()
    for who in (0, 1):
        await play.come_back(who)
    await house.wait(6_000)

    log = house.log(play.game)
    assert [event.at for event in log] == sorted(event.at for event in log)
    ids = [event.command for event in log if event.command]
    assert len(ids) == len(set(ids))
    moves = {(event.ply, event.move) for event in log if isinstance(event, Moved)}
    for fields in play.played:
        # By its own id, or by that of the same move, which had no answer.
        assert fields["id"] in ids or (fields["ply"], fields["move"]) in moves
    state = replay(log)
    for who, person in enumerate(play.people):
        assert person.versions[play.game] == len(log)
        assert house.state(play.game, who) == state
    assert store.ledger.check() == []
    await house.close()
    store.close()


@settings(max_examples=25)
@given(STEPS)
def test_what_was_acknowledged_is_in_the_log_once(steps):
    asyncio.run(run(steps))
