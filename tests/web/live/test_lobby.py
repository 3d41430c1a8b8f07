"""The lobby: seeks, joining, pairing and the list, over one store and two processes."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.live.house import NOW, House, sat

from kingme.errors import NotEnoughChips, Refusal, Unavailable
from kingme.play.clock import TimeControl
from kingme.play.rating import Rating
from kingme.play.room import DEFAULT_ROOMS
from kingme.play.stakes import welcome
from kingme.web.live import admission, listing
from kingme.web.live.clerk import AWAY, DAY
from kingme.web.live.crowd import EXPIRES, LOST, NAMED, SETTLED, Crowd, Hint
from kingme.web.live.frames import Ack, Do, Join, Pair, SeekSent, Unseek
from kingme.web.live.frames import Lobby as LobbyFrame
from kingme.web.live.lobby import OPEN, YOUNG, Lobby
from kingme.web.live.sockets import Sockets

pytestmark = pytest.mark.anyio

BLITZ = TimeControl("increment", 300_000, 3_000)
BULLET = TimeControl("increment", 60_000)
DAYS = TimeControl("days", 3 * DAY)
PATIENCE = 20
names = itertools.count(1)


class Visitor:
    """Somebody with the lobby before them."""

    def __init__(self, town: Town, user: int | None, process: int = 0) -> None:
        self.town, self.user, self.process = town, user, process
        self.lobby, self.sockets = town.lobbies[process], town.sockets[process]
        self.headers: dict[str, str] = {}
        self.heard = self.checked = NOW
        self.frames: list[dict[str, Any]] = []
        self.bytes = b""
        self.sockets.add(self, self.sockets.mark)

    def send(self, frame: bytes, key: str | None = None) -> None:
        self.bytes = frame
        self.frames.append(json.loads(frame))

    def bye(self, reason: Any, code: int) -> None:
        self.leave()

    async def gone(self) -> None:
        pass

    def leave(self) -> None:
        self.sockets.remove(self)
        self.lobby.unwatch(self)

    async def ask(self, frame: Any) -> Ack:
        assert self.user is not None
        answer = await self.lobby.ask(self.user, frame)
        await self.town.rest()
        return answer

    async def seek(self, control: TimeControl = BLITZ, **fields: Any) -> Ack:
        return await self.ask(SeekSent(id=name(fields), control=control, **fields))

    async def pair(self, control: TimeControl = BLITZ, **fields: Any) -> Ack:
        return await self.ask(Pair(id=name(fields), control=control, **fields))

    async def join(self, seek: str | None, **fields: Any) -> Ack:
        assert seek is not None
        return await self.ask(Join(id=name(fields), seek=seek, **fields))

    def paired(self) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["t"] == "paired"]

    async def look(self) -> dict[str, Any]:
        """The lobby as this visitor sees it now."""
        self.lobby.watch(self)
        await self.town.wait(1_000)
        return next(frame for frame in reversed(self.frames) if frame["t"] == "lobby")


def name(fields: dict[str, Any]) -> str:
    """The id of a frame: a new one, unless one is given."""
    return str(fields.pop("id", None) or f"frame{next(names)}")


class Town:
    """Two processes with a lobby each, on the house's store."""

    def __init__(self, house: House) -> None:
        self.house, self.day, self.store = house, house.day, house.store
        self.ratings: dict[Any, Any] = {}
        self.lobbies: list[Lobby] = []
        self.sockets: list[Sockets] = []

    def open(self, hub: int) -> None:
        chosen, view = self.house.hubs[hub], self.house.views[hub]
        bus = self.house.exchange.lines[hub]
        sockets = Sockets(bus, chosen.process, self.day.now)
        lobby = Lobby(view, chosen, bus, sockets, DEFAULT_ROOMS, self.day.now, self.day.later)
        chosen.listen("user", sockets.hear)
        lobby.start()
        self.sockets.append(sockets)
        self.lobbies.append(lobby)

    def person(self, process: int = 0, **fields: Any) -> Visitor:
        """Somebody with an account and some chips."""
        user = self.store.users.add(f"Person{next(names)}", NOW, "hash")
        self.store.ledger.book(welcome(user.id, NOW, fields.pop("chips", 100)))
        if fields:
            self.store.users.change(user.id, **fields)
        return Visitor(self, user.id, process)

    def guest(self) -> Visitor:
        return Visitor(self, self.store.users.add(f"Guest-{next(names)}", NOW).id)

    async def rest(self) -> None:
        """Wait until nobody is at work."""
        async with asyncio.timeout(PATIENCE):
            while True:
                await self.house.rest()
                tasks = [task for lobby in self.lobbies for task in at_work(lobby)]
                if not tasks:
                    return
                await asyncio.wait(tasks)

    async def wait(self, ms: int) -> None:
        """Let time go by, with all that is done in it."""
        while ms > 0:
            self.day.move(min(ms, 500))
            await self.rest()
            ms -= 500

    def games(self, user: int | None) -> list[Any]:
        games: list[Any] = self.store.games.find(player=user, public=False)
        return games


def at_work(lobby: Lobby) -> list[asyncio.Task[Any]]:
    repeats = [*lobby._repeats, lobby._showing._repeat]
    tasks = [lobby._showing._task, *(repeat._task for repeat in repeats)]
    return [task for task in tasks if task is not None and not task.done()]


@pytest.fixture
async def town(house: House) -> AsyncIterator[Town]:
    await house.open()
    town = Town(house)
    for hub in range(2):
        town.open(hub)
    yield town
    for lobby in town.lobbies:
        await lobby.stop()


async def refused(code: str, asked: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await asked
    assert caught.value.code == code, str(caught.value)
    assert str(caught.value).endswith(".")
    return caught.value


class TestSeeks:
    async def test_all_see_a_seek_and_its_owner_whose_it_is(self, town):
        dora, wim, stranger = town.person(), town.person(process=1), Visitor(town, None)
        ack = await dora.seek(rated=True, stake=25, side="W")
        assert ack.seek and ack.code is None
        for viewer, yours in ((dora, True), (wim, False), (stranger, False)):
            (seek,) = (await viewer.look())["seeks"]
            assert (seek["id"], seek["yours"]) == (ack.seek, yours)
            assert (seek["text"], seek["speed"], seek["stake"]) == ("5+3", "blitz", 25)
            assert (seek["rated"], seek["side"], seek["owner"]["id"]) == (True, "W", dora.user)
        await dora.ask(Unseek(id="x", seek=ack.seek))
        assert (await wim.look())["seeks"] == []

    async def test_nobody_closes_the_seek_of_another(self, town):
        dora, wim = town.person(), town.person()
        ack = await dora.seek()
        await wim.ask(Unseek(id="x", seek=ack.seek or ""))
        assert (await wim.look())["seeks"]

    async def test_both_are_called_to_the_game_in_every_process(self, town):
        dora, wim, stranger = town.person(), town.person(process=1), town.person()
        same = Visitor(town, dora.user, process=1)
        ack = await dora.seek(side="W", stake=50)
        joined = await wim.join(ack.seek)
        for visitor, side in ((dora, "W"), (same, "W"), (wim, "B")):
            assert visitor.paired() == [{"t": "paired", "game": joined.game, "side": side}]
        assert not stranger.paired()
        assert (await stranger.look())["seeks"] == []
        assert town.house.kinds(joined.game) == ["Started"]
        assert town.store.ledger.balance(dora.user) == 50
        assert joined.game in town.house.hubs[1]._deadlines

    async def test_a_seek_becomes_one_game(self, town):
        dora, *others = (town.person(process=number % 2) for number in range(7))
        ack = await dora.seek()
        answers = await asyncio.gather(
            *(other.join(ack.seek) for other in others), return_exceptions=True
        )
        assert sum(isinstance(answer, Ack) for answer in answers) == 1
        assert {error.code for error in answers if isinstance(error, Refusal)} == {"seek_gone"}
        assert len(town.games(dora.user)) == 1

    async def test_other_seeks_of_both_close_with_it(self, town):
        dora, wim, third = town.person(), town.person(), town.person()
        theirs = await wim.seek(BULLET)
        slow = await wim.seek(DAYS)
        ack = await dora.seek()
        await wim.join(ack.seek)
        await refused("seek_gone", third.join(theirs.seek))
        assert [seek["id"] for seek in (await third.look())["seeks"]] == [slow.seek]

    async def test_who_was_just_taken_does_not_join_another(self, town, monkeypatch):
        """Somebody's own seek is taken while they accept one."""
        dora, wim, third = town.person(), town.person(), town.person(process=1)
        own, other = await dora.seek(), await wim.seek()
        clerk = dora.lobby._clerk
        judge = clerk.judge

        def meanwhile(asker: Any, seek: Any) -> None:
            judge(asker, seek)
            monkeypatch.undo()
            asyncio.run_coroutine_threadsafe(third.join(own.seek), loop).result(PATIENCE)

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(clerk, "judge", meanwhile)
        await refused("playing", dora.join(other.seek))
        assert len(town.games(dora.user)) == 1
        assert (await wim.look())["seeks"]

    async def test_who_closes_a_seek_meanwhile_joins_all_the_same(self, town, monkeypatch):
        """Somebody calls their own seek off on one page and accepts another's on the next."""
        dora, wim = town.person(), town.person()
        same = Visitor(town, dora.user, process=1)
        own, other = await dora.seek(), await wim.seek()
        clerk = dora.lobby._clerk
        judge = clerk.judge

        def meanwhile(asker: Any, seek: Any) -> None:
            judge(asker, seek)
            monkeypatch.undo()
            leaving = same.ask(Unseek(id="x", seek=own.seek))
            asyncio.run_coroutine_threadsafe(leaving, loop).result(PATIENCE)

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(clerk, "judge", meanwhile)
        joined = await dora.join(other.seek)
        assert [game.id for game in town.games(dora.user)] == [joined.game]

    async def test_ones_own_seek_is_for_others(self, town):
        dora = town.person()
        ack = await dora.seek()
        await refused("own_seek", dora.join(ack.seek))
        await refused("seek_gone", dora.join("nothing"))

    async def test_a_link_is_for_whoever_has_it(self, town):
        dora, wim = town.person(), town.person()
        ack = await dora.seek(private=True)
        assert ack.code and len(ack.code) == 16
        assert (await wim.look())["seeks"] == []
        (mine,) = (await dora.look())["seeks"]
        assert (mine["id"], mine["code"], mine["yours"]) == (ack.seek, ack.code, True)
        await refused("seek_gone", wim.join(ack.seek))
        joined = await wim.join(ack.code)
        assert town.games(wim.user)[0].started.private
        look = await Visitor(town, None).look()
        assert look["games"] == [] and look["playing"] == 1
        assert [game["id"] for game in (await wim.look())["mine"]] == [joined.game]

    async def test_one_seek_with_a_clock_at_a_time_and_so_many_in_all(self, town):
        dora = town.person()
        await dora.seek(BULLET)
        last = await dora.seek(BLITZ)
        assert [seek["id"] for seek in (await dora.look())["seeks"]] == [last.seek]
        for _ in range(OPEN - 1):
            await dora.seek(DAYS)
        await dora.seek(BULLET)  # in place of the other
        await refused("too_many_seeks", dora.seek(DAYS))
        await refused("too_many_seeks", dora.seek(private=True))


class TestAgain:
    """What is asked again is done once, and answered as before, by whatever process."""

    async def test_a_seek(self, town):
        dora, wim = town.person(), town.person()
        same = Visitor(town, dora.user, process=1)
        ack = await dora.seek(id="first", private=True)
        assert await same.seek(id="first", private=True) == ack
        assert len(town.store.seeks.seeks(town.day.now())) == 1
        joined = await wim.join(ack.code)
        for visitor in (dora, same):
            again = await visitor.seek(id="first", private=True)
            assert (again.game, again.seek) == (joined.game, None)
        assert not town.store.seeks.seeks(town.day.now())

    async def test_a_join(self, town):
        dora, wim = town.person(), town.person()
        same = Visitor(town, wim.user, process=1)
        ack = await dora.seek()
        joined = await wim.join(ack.seek, id="mine")
        await town.wait(1_000)
        assert await same.join(ack.seek, id="mine") == joined
        await refused("seek_gone", same.join(ack.seek, id="another"))

    async def test_a_pairing(self, town):
        dora, wim = town.person(), town.person()
        waiting = await dora.pair(id="wait")
        assert waiting.seek and await dora.pair(id="wait") == waiting
        joined = await wim.pair(id="go")
        assert joined.game
        assert await wim.pair(id="go") == joined
        again = await dora.pair(id="wait")
        assert (again.game, again.seek) == (joined.game, None)
        assert len(town.games(dora.user)) == 1

    async def test_another_person_with_the_same_name_for_it(self, town):
        dora, wim = town.person(), town.person()
        ack = await dora.seek(id="mine")
        joined = await wim.join(ack.seek, id="mine")
        assert joined.game
        third = town.person()
        assert (await third.seek(id="mine")).seek not in (None, ack.seek)

    async def test_what_is_unknown_is_asked_again(self, town):
        """The store took a seek and the answer was lost."""
        dora, wim = town.person(), town.person()
        ack = await dora.seek()
        view = town.house.views[0]

        def take(*given: Any) -> bool:
            town.store.seeks.take(*given)
            raise Unavailable("no answer")

        view.seeks = SimpleNamespace(seeks=town.store.seeks.seeks, take=take)
        with pytest.raises(Unavailable):
            await wim.join(ack.seek, id="mine")
        del view.seeks
        assert not dora.paired()
        joined = await wim.join(ack.seek, id="mine")
        assert [row.id for row in town.games(wim.user)] == [joined.game]
        assert dora.paired()[0]["game"] == wim.paired()[0]["game"] == joined.game
        assert joined.game in town.house.hubs[0]._deadlines

    async def test_nobody_is_called_to_a_game_that_goes_on(self, town):
        dora, wim = town.person(), town.person()
        ack = await dora.seek(id="first", side="B")
        joined = await wim.join(ack.seek, id="mine")
        await town.house.hubs[0].do(dora.user, do(joined.game, "play", ply=0, move="11-15"))
        assert (await dora.seek(id="first")).game == joined.game
        assert await wim.join(ack.seek, id="mine") == joined
        assert len(dora.paired()) == len(wim.paired()) == 1


class TestRefusals:
    async def test_guests_play_for_fun(self, town):
        guest, dora = town.guest(), town.person()
        await refused("needs_account", guest.seek(rated=True))
        await refused("needs_account", guest.pair(stake=10))
        rated = await dora.seek(rated=True)
        await refused("needs_account", guest.join(rated.seek))
        casual = await dora.seek(rated=False)
        assert (await guest.join(casual.seek)).game

    async def test_rooms_are_for_their_members(self, town):
        dora = town.person()
        wim = town.person(membership="vip", member_until=NOW + DAY)
        await refused("room_closed", dora.seek(room="tourist"))
        ack = await wim.seek(room="tourist")
        await refused("room_closed", dora.join(ack.seek))
        await refused("room_closed", wim.seek(room="priority"))
        town.day.move(DAY)
        await refused("room_closed", wim.seek(room="tourist"))

    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({"room": "cellar"}, "no_such_room"),
            ({"preset": "coffee"}, "no_such_preset"),
            ({"stake": 11}, "no_such_stake"),
            ({"control": TimeControl("increment", 1)}, "bad_clock"),
            ({"control": TimeControl("increment", 10**30, 10**30)}, "bad_clock"),
            ({"control": TimeControl(), "rated": True}, "bad_clock"),
            ({"control": TimeControl(), "stake": 10}, "bad_clock"),
        ],
    )
    async def test_what_there_is_not(self, town, fields, code):
        dora = town.person()
        await refused(code, dora.seek(**fields))
        await refused(code, dora.pair(**fields))

    async def test_a_purse_that_is_too_small(self, town):
        dora, wim = town.person(chips=10), town.person(chips=100)
        await refused("not_enough_chips", dora.seek(stake=25))
        ack = await wim.seek(stake=25)
        error = await refused("not_enough_chips", dora.join(ack.seek))
        assert isinstance(error, NotEnoughChips) and error.user == dora.user

    async def test_an_owner_who_lost_the_chips_meanwhile(self, town):
        dora, wim, third = town.person(chips=100), town.person(), town.person()
        link = await dora.seek(DAYS, stake=100)
        ack = await dora.seek(stake=100)
        await wim.join(ack.seek)
        await refused("seek_gone", third.join(link.seek))
        assert (await third.look())["seeks"] == []
        assert town.store.ledger.balance(third.user) == 100

    async def test_one_game_with_a_clock_at_a_time(self, town):
        dora, wim, third = town.person(), town.person(), town.person()
        await wim.join((await dora.seek()).seek)
        ack = await third.seek()
        for busy in (dora, wim):
            await refused("playing", busy.join(ack.seek))
            await refused("playing", busy.seek())
            await refused("playing", busy.pair())
        assert (await dora.seek(DAYS)).seek
        assert (await wim.join((await third.seek(DAYS)).seek)).game

    async def test_one_who_may_not_play_any_more(self, town):
        dora = town.person(disabled=True)
        await refused("needs_session", dora.seek())

    @pytest.mark.parametrize("change", [{"disabled": True}, {"membership": "none"}])
    async def test_the_seek_of_an_owner_who_may_not_play_any_more(self, town, change):
        dora = town.person(membership="vip")
        wim = town.person(membership="vip")
        ack = await dora.seek(DAYS, room="tourist")
        link = await dora.seek(room="tourist", private=True)
        town.store.users.change(dora.user, **change)
        await refused("seek_gone", wim.join(ack.seek))
        await refused("seek_gone", wim.join(link.code))
        assert not town.store.seeks.seeks(town.day.now())
        assert not town.games(wim.user)

    async def test_so_many_games_at_once_and_no_more(self, town, monkeypatch):
        monkeypatch.setattr(admission, "MOST", 3)
        monkeypatch.setattr(admission, "MOST_OF_A_GUEST", 2)
        dora, guest = town.person(), town.guest()
        spare = await guest.seek(DAYS)
        for _ in range(2):
            assert (await guest.join((await dora.seek(DAYS)).seek)).game
        last = await dora.seek(TimeControl())
        await refused("too_many_games", guest.join(last.seek))
        await refused("too_many_games", guest.seek(DAYS))
        await refused("seek_gone", dora.join(spare.seek))
        assert (await town.person().join(last.seek)).game
        await refused("too_many_games", dora.pair())

    async def test_a_store_that_is_away(self, town):
        dora = town.person()
        view = town.house.views[0]

        def away(*_: Any, **__: Any) -> Any:
            raise Unavailable("gone")

        view.seeks = SimpleNamespace(seeks=away, open=away, purge=away, prolong=away)
        with pytest.raises(Unavailable):
            await dora.seek()
        dora.lobby.watch(dora)
        await town.wait(70_000)
        assert not dora.frames
        del view.seeks
        assert (await dora.look())["people"] == 1


class TestRematch:
    """Another game is a game like any other."""

    async def over(self, town: Town, *pair: Visitor, **fields: Any) -> str:
        """A game of two people that is over."""
        one, two = pair
        joined = await two.join((await one.seek(side="B", **fields)).seek)
        assert joined.game is not None
        await town.house.hubs[0].do(one.user, do(joined.game, "abort"))
        return joined.game

    async def test_not_beside_another_game_with_a_clock(self, town):
        dora, wim, third = town.person(), town.person(), town.person()
        hub = town.house.hubs[0]
        game = await self.over(town, dora, wim)
        await hub.do(dora.user, do(game, "offer_rematch"))
        await third.join((await dora.seek()).seek)
        error = await refused("playing", hub.do(wim.user, do(game, "accept_rematch")))
        assert "opponent" in str(error)
        await refused("playing", hub.do(dora.user, do(game, "offer_rematch")))
        assert len([row for row in town.games(dora.user) if row.result is None]) == 1

    async def test_what_both_were_looking_for_closes(self, town):
        dora, wim, third = town.person(), town.person(), town.person()
        hub = town.house.hubs[0]
        game = await self.over(town, dora, wim)
        await hub.do(dora.user, do(game, "offer_rematch"))
        live, slow = await dora.seek(), await dora.seek(DAYS)
        await hub.do(wim.user, do(game, "accept_rematch"))
        await refused("seek_gone", third.join(live.seek))
        assert [seek["id"] for seek in (await third.look())["seeks"]] == [slow.seek]

    async def test_not_for_one_who_may_not_any_more(self, town):
        dora, wim = town.person(membership="vip"), town.person(membership="vip", chips=400)
        hub = town.house.hubs[0]
        game = await self.over(town, dora, wim, room="tourist")
        await hub.do(dora.user, do(game, "offer_rematch"))
        town.store.users.change(dora.user, membership="none")
        await refused("room_closed", hub.do(wim.user, do(game, "accept_rematch")))
        assert town.house.kinds(game)[-1] == "RematchOffered"


class TestPairing:
    async def test_the_first_waits_and_the_next_joins(self, town):
        dora, wim = town.person(), town.person(process=1)
        assert (await dora.pair()).seek
        joined = await wim.pair()
        assert joined.game
        assert dora.paired()[0]["game"] == wim.paired()[0]["game"] == joined.game
        assert not town.store.seeks.seeks(town.day.now())

    async def test_what_does_not_suit_is_left(self, town):
        people = [town.person() for _ in range(5)]
        wishes: list[dict[str, Any]] = [
            {"control": BLITZ},
            {"control": BULLET},
            {"control": BLITZ, "rated": True},
            {"control": BLITZ, "stake": 10},
            {"control": BLITZ, "preset": "tournament"},
        ]
        for person, wish in zip(people, wishes, strict=True):
            assert (await person.pair(**wish)).seek
        await town.wait(40_000)
        assert not any(person.paired() for person in people)

    async def test_an_open_seek_that_suits_is_as_good(self, town):
        dora, wim = town.person(), town.person()
        ack = await dora.seek(side="B")
        joined = await wim.pair()
        assert joined.game and dora.paired()[0]["side"] == "B"
        assert ack.seek

    async def test_the_nearest_in_rating_and_who_waits_looks_farther(self, town):
        people = [self.rated(town, value) for value in (1500, 1850, 1560)]
        far, master, near = people
        await far.pair()
        await master.pair()
        joined = await near.pair()
        assert far.paired()[0]["game"] == joined.game
        assert not master.paired()
        late = self.rated(town, 1500, process=1)
        await late.pair()
        await town.wait(14_000)
        assert master.paired() and late.paired()

    @staticmethod
    def rated(town: Town, value: float, process: int = 0) -> Visitor:
        visitor = town.person(process)
        ratings = town.store.users.ratings
        known = town.ratings
        known[visitor.user] = dict.fromkeys(("blitz", "days"), Rating(value, 50, games=20))

        def look(ids: Any, speed: Any = None) -> Any:
            return ratings(ids, speed) | {who: known[who] for who in ids if who in known}

        users = town.store.users
        for view in town.house.views:
            vars(view)["users"] = SimpleNamespace(user=users.user, users=users.users, ratings=look)
        return visitor

    async def test_what_was_paired_while_one_waited_is_found_again(self, town):
        for control in (DAYS, BLITZ):
            pair = [self.rated(town, 1500), self.rated(town, 1750)]
            frames = [f"wait{next(names)}" for _ in pair]
            for person, frame in zip(pair, frames, strict=True):
                assert (await person.pair(control, id=frame)).seek
            await town.wait(15_000)
            (game,) = {frame["game"] for person in pair for frame in person.paired()}
            for person, frame in zip(pair, frames, strict=True):
                again = await person.pair(control, id=frame)
                assert (again.game, again.seek) == (game, None)
                assert len(town.games(person.user)) == 1

    async def test_two_processes_pair_nobody_twice(self, town):
        """All wait, each for somebody nearer; then time makes most of them suit one another."""
        people = [self.rated(town, 1000 + 130 * number, number % 2) for number in range(8)]
        for person in people:
            await person.pair()
        await town.wait(20_000)
        games = {row.id for person in people for row in town.games(person.user)}
        called = [frame["game"] for person in people for frame in person.paired()]
        assert sorted(called) == sorted([*games, *games])
        assert all(len(person.paired()) <= 1 for person in people)
        assert len(games) >= 3  # the two at the ends may be left

    @pytest.mark.parametrize("poor", [0, 1])
    async def test_one_who_lost_the_chips_waits_no_more(self, town, poor):
        pair = [self.rated(town, 1000), self.rated(town, 1150)]
        third = town.person()
        asked = []
        for person in pair:
            asked.append((await person.pair(stake=100)).seek)
            town.day.move(1)
        await third.join((await pair[poor].seek(DAYS, stake=100)).seek)
        await town.wait(5_000)
        assert not pair[1 - poor].paired()
        assert [seek.id for seek in town.store.seeks.seeks(town.day.now())] == [asked[1 - poor]]


class TestTime:
    async def test_a_seek_stays_while_its_owner_does(self, town):
        dora, wim = town.person(), town.person(process=1)
        await dora.seek()
        await town.wait(120_000)
        assert (await wim.look())["seeks"]
        dora.leave()
        await town.wait(AWAY - 11_000)
        assert town.store.seeks.seeks(town.day.now())
        await town.wait(12_000)
        assert not town.store.seeks.seeks(town.day.now())

    async def test_links_and_slow_games_wait_without_their_owner(self, town):
        dora, wim = town.person(), town.person()
        link = await dora.seek(private=True)
        slow = await dora.seek(DAYS)
        dora.leave()
        town.day.move(DAY - 60_000)
        await town.rest()
        assert {seek.id for seek in town.store.seeks.seeks(town.day.now())} == {
            link.seek,
            slow.seek,
        }
        town.day.move(2 * 60_000)
        await town.rest()
        await refused("seek_gone", wim.join(link.code))
        town.day.move(5 * DAY)
        await town.rest()
        assert (await wim.join(slow.seek)).game


class TestAway:
    """A game with a clock needs both: an owner who is not here is not played."""

    @pytest.mark.parametrize("near", [0, 1])
    async def test_a_seek_is_out_of_sight_until_its_owner_is_back(self, town, near):
        dora, wim = town.person(), town.person(process=near)
        ack = await dora.seek()
        await town.wait(SETTLED)
        dora.leave()
        await town.wait(2_000)
        assert (await wim.look())["seeks"] == []
        error = await refused("away", wim.join(ack.seek))
        assert "try again when they are back" in str(error)
        back = Visitor(town, dora.user, process=1 - near)
        assert [seek["yours"] for seek in (await back.look())["seeks"]] == [True]
        await town.wait(1_000)
        assert [seek["id"] for seek in (await wim.look())["seeks"]] == [ack.seek]
        assert (await wim.join(ack.seek)).game

    async def test_a_page_elsewhere_is_as_good(self, town):
        dora, wim = town.person(), town.person()
        Visitor(town, dora.user, process=1)
        ack = await dora.seek()
        await town.wait(SETTLED)
        dora.leave()
        assert (await wim.look())["seeks"]
        assert (await wim.join(ack.seek)).game

    @pytest.mark.parametrize("near", [0, 1])
    async def test_a_link_is_not_used_up(self, town, near):
        dora, wim = town.person(), town.person(process=near)
        ack = await dora.seek(private=True)
        await town.wait(1_000)
        dora.leave()
        await town.wait(20 * AWAY)
        await refused("away", wim.join(ack.code))
        assert not town.games(wim.user)
        (seek,) = town.store.seeks.seeks(town.day.now())
        assert all(lobby.away(seek) for lobby in town.lobbies)
        Visitor(town, dora.user)
        await town.wait(1_000)
        assert not any(lobby.away(seek) for lobby in town.lobbies)
        assert (await wim.join(ack.code)).game

    @pytest.mark.parametrize("quick", [False, True])
    async def test_nobody_is_paired_with_one_who_left(self, town, quick):
        dora, wim, third = (town.person() for _ in range(3))
        await town.wait(SETTLED)
        left = await (dora.pair() if quick else dora.seek())
        await town.wait(YOUNG)
        dora.leave()
        waiting = await wim.pair()
        assert waiting.seek
        await town.wait(5_000)
        assert not wim.paired()
        assert (await third.pair()).game == wim.paired()[0]["game"]
        assert [seek.id for seek in town.store.seeks.seeks(town.day.now())] == [left.seek]

    async def test_who_comes_back_is_paired(self, town):
        dora, wim = town.person(), town.person()
        await town.wait(SETTLED)
        await dora.pair()
        await town.wait(YOUNG)
        dora.leave()
        assert (await wim.pair()).seek
        await town.wait(2_000)
        back = Visitor(town, dora.user, process=1)
        await town.wait(3_000)
        assert back.paired() and wim.paired()

    @pytest.mark.parametrize("control", [DAYS, TimeControl()])
    async def test_a_game_without_haste_begins_without_the_owner(self, town, control):
        dora, wim = town.person(), town.person()
        ack = await dora.seek(control)
        link = await dora.seek(control, private=True)
        await town.wait(SETTLED)
        dora.leave()
        await town.wait(1_000)
        assert [seek["id"] for seek in (await wim.look())["seeks"]] == [ack.seek]
        assert (await wim.join(link.code)).game

    async def test_one_who_may_not_play_any_more_is_not_waited_for(self, town):
        dora, wim = town.person(), town.person()
        ack = await dora.seek(private=True)
        await town.wait(SETTLED)
        dora.leave()
        town.store.users.change(dora.user, disabled=True)
        await refused("seek_gone", wim.join(ack.code))

    async def test_nobody_is_judged_while_the_bus_is_cut(self, town):
        dora, wim = town.person(), town.person(process=1)
        ack = await dora.seek(private=True)
        await town.wait(SETTLED)
        dora.leave()
        await town.wait(1_000)
        (seek,) = town.store.seeks.seeks(town.day.now())
        assert wim.lobby.away(seek)
        town.house.exchange.cut = True
        assert not wim.lobby.away(seek)
        await town.wait(60_000)
        town.house.exchange.cut = False
        assert not wim.lobby.away(seek)  # the others have to tell first who is with them
        await town.wait(SETTLED + 1_000)
        assert wim.lobby.away(seek)
        assert ack.code == seek.code

    async def test_one_whose_seek_is_new_is_here(self, town):
        """It may be joined before the other process has heard of its owner."""
        await town.wait(SETTLED)
        dora, wim = town.person(), town.person(process=1)
        dora.leave()
        ack = await dora.seek(private=True)
        assert (await wim.join(ack.code)).game


class TestList:
    async def test_what_is_sent_is_a_lobby_frame(self, town):
        dora, wim = town.person(), town.person()
        await dora.seek(private=True)
        await wim.seek()
        game = await town.house.game()
        for visitor in (dora, wim, Visitor(town, None)):
            await visitor.look()
            frame = msgspec.json.decode(visitor.bytes, type=LobbyFrame)
            assert msgspec.json.encode(frame) == visitor.bytes
            assert frame.games[0].id == game

    async def test_frames_come_at_most_twice_a_second_and_only_with_news(self, town):
        dora, fan = town.person(), Visitor(town, None)
        fan.lobby.watch(fan)
        await town.rest()
        assert len(fan.frames) == 1
        for _ in range(6):
            await dora.seek()
        assert len(fan.frames) == 1
        await town.wait(1_000)
        assert len(fan.frames) == 2
        await town.wait(10_000)
        assert len(fan.frames) == 2
        await fan.look()
        assert len(fan.frames) == 3  # who asks anew gets it anew

    async def test_private_seeks_take_no_place_of_public_ones(self, town, monkeypatch):
        monkeypatch.setattr(listing, "SEEKS", 2)
        dora, wim = town.person(), town.person()
        public = [(await dora.seek(DAYS)).seek, (await wim.seek(DAYS)).seek]
        links = [(await wim.seek(DAYS, private=True)).seek for _ in range(3)]
        assert {seek["id"] for seek in (await dora.look())["seeks"]} == {*public}
        assert {seek["id"] for seek in (await wim.look())["seeks"]} == {*public, *links}

    async def test_ones_own_games_are_found_for_all_at_once(self, town):
        people = [town.person() for _ in range(6)]
        games = [
            (await two.join((await one.seek(private=True)).code)).game
            for one, two in zip(people[::2], people[1::2], strict=True)
        ]
        asked: list[dict[str, Any]] = []
        games_of = town.house.views[0].games
        find = games_of.find

        def note(**given: Any) -> Any:
            asked.append(given)
            return find(**given)

        vars(games_of)["find"] = note
        for person in people:
            person.lobby.watch(person)
        await town.wait(2_000)
        shown = [[game["id"] for game in person.frames[-1]["mine"]] for person in people]
        assert shown == [[game] for game in games for _ in range(2)]
        mine = [given["player"] for given in asked if "player" in given]
        assert 1 <= len(mine) <= 4 and set(mine[-1]) == {person.user for person in people}

    async def test_who_looks_no_more_hears_no_more(self, town):
        dora, fan = town.person(), Visitor(town, None)
        await fan.look()
        fan.lobby.unwatch(fan)
        await dora.seek()
        await town.wait(5_000)
        assert len(fan.frames) == 1

    async def test_games_are_shown_as_they_stand(self, town):
        fan = Visitor(town, None, process=1)
        game = await town.house.game()
        (shown,) = (await fan.look())["games"]
        assert (shown["id"], shown["plies"], shown["last"]) == (game, 0, None)
        assert shown["black"]["name"] == "Dora"
        dora, wim = await sat(town.house, game)
        await dora.play(game, 0, "11-15")
        await town.wait(3_000)
        (shown,) = fan.frames[-1]["games"]
        assert (shown["plies"], shown["last"]) == (1, "11-15")
        assert shown["fen"].startswith("W:")
        await wim.play(game, 1, "22-18")
        await dora.do(game, "resign")
        await town.wait(3_000)
        assert fan.frames[-1]["games"] == []

    async def test_games_on_offer_stay_on_offer(self, town, monkeypatch):
        monkeypatch.setattr(listing, "GAMES", 2)
        fan = Visitor(town, None)
        first = [await town.house.game() for _ in range(2)]
        assert {game["id"] for game in (await fan.look())["games"]} == set(first)
        late = await town.house.game()
        await town.wait(5_000)
        assert {game["id"] for game in fan.frames[-1]["games"]} == set(first)
        house = town.house
        for game in first:
            await house.hubs[0].do(house.dora, do(game, "abort"))
        await town.wait(5_000)
        assert [game["id"] for game in fan.frames[-1]["games"]] == [late]

    async def test_who_is_online_in_all_processes(self, town):
        dora, guest = town.person(), town.guest()
        far = town.person(process=1)
        same = Visitor(town, far.user, process=0)
        await town.wait(2_000)
        look = await Visitor(town, None).look()
        assert look["people"] == 3
        assert [person["id"] for person in look["online"]] == [dora.user, far.user, guest.user]
        same.leave()
        far.leave()
        await town.wait(2_000)
        assert (await Visitor(town, None).look())["people"] == 2

    async def test_a_new_name_is_shown(self, town):
        guest = town.guest()
        assert (await guest.look())["online"][0]["guest"]
        town.store.users.promote(guest.user, "Mila", "hash", None)
        guest.lobby.renew(guest.user or 0)
        await town.wait(1_000)
        assert guest.frames[-1]["online"][0]["name"] == "Mila"


def do(game: str | None, what: Any, **fields: Any) -> Any:
    return Do(id=f"do{next(names)}", game=game or "", what=what, **fields)


class Clock:
    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> int:
        return self.time


class TestCrowd:
    def test_what_a_process_said_counts_for_a_while(self):
        now, here = Clock(), {1, 2}
        crowd = Crowd("a", now, lambda: here)
        assert crowd.hear(Hint("b", 2, (2, 3)))
        assert not crowd.hear(Hint("b", 2, (2, 3)))
        assert not crowd.hear(Hint("b"))
        assert crowd.look() == (3, [1, 2, 3])
        now.time += EXPIRES
        assert crowd.look() == (2, [1, 2])
        crowd.hear(Hint("b", 2, (2, 3)))
        crowd.hear(Crowd("b", now, set).farewell())
        assert crowd.look() == (2, [1, 2])

    def test_away_is_who_is_known_to_be_nowhere(self):
        now, here, healthy = Clock(), {1}, [True]
        crowd = Crowd("a", now, lambda: here, lambda: healthy[0])
        assert not crowd.away(9)
        now.time += SETTLED
        crowd.hear(Hint("b", 1, (2,)))
        assert [crowd.away(user) for user in (1, 2, 9)] == [False, False, True]
        healthy[0] = False
        assert not crowd.away(9)
        crowd.announce()
        healthy[0] = True
        assert not crowd.away(9)
        now.time += SETTLED
        assert crowd.away(9)
        crowd.hear(Hint("c", NAMED + 1, tuple(range(100, 100 + NAMED))))
        assert not crowd.away(9)
        crowd.hear(Crowd("c", now, set).farewell())
        assert crowd.away(9)

    def test_a_process_that_fell_silent_has_its_people_for_a_while(self):
        now = Clock()
        crowd = Crowd("a", now, set)
        crowd.hear(Hint("b", 1, (2,)))
        now.time += EXPIRES + LOST - 1
        assert crowd.look() == (0, [])
        assert not crowd.away(2)
        assert crowd.hear(Hint("b", 1, (2,)))
        now.time += EXPIRES + LOST
        assert crowd.away(2)
        assert crowd.look() == (0, [])

    def test_it_tells_what_is_new_and_all_now_and_then(self):
        now, here = Clock(), {1}
        crowd = Crowd("a", now, lambda: here)
        assert crowd.announce() == Hint("a", 1, (1,))
        assert crowd.announce() is None
        here.add(2)
        assert crowd.announce() == Hint("a", 2, (1, 2))
        now.time += EXPIRES // 3
        assert crowd.announce() == Hint("a", 2, (1, 2))

    @given(st.lists(st.sets(st.integers(1, 30)), min_size=1, max_size=4))
    def test_everybody_is_counted_once(self, processes):
        now = Clock()
        first = Crowd("0", now, lambda: processes[0])
        for number, people in enumerate(processes[1:], 1):
            hint = Crowd(str(number), now, lambda people=people: people).announce()
            assert hint is not None
            first.hear(hint)
        count, named = first.look()
        assert set(named) == set().union(*processes)
        assert len(named) <= count <= sum(map(len, processes))

    def test_an_announcement_fits_any_bus(self):
        crowd = Crowd("x" * 16, Clock(), lambda: set(range(10**9, 10**9 + 5_000)))
        hint = crowd.announce()
        assert hint is not None and hint.people == 5_000 and len(hint.named) == NAMED
        assert len(msgspec.json.encode(hint)) < 8_000
