"""What players and watchers see of the hub."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.web.live.house import NOW, House, Person, refused, sat

from kingme.play.clock import TimeControl
from kingme.play.events import Settled
from kingme.play.room import DEFAULT_ROOMS
from kingme.play.stakes import grant

pytestmark = pytest.mark.anyio

OPENING = ["11-15", "22-18", "15x22", "25x18", "8-11", "29-25"]


async def opened(house, dora, wim, game, moves=OPENING):
    for ply, move in enumerate(moves):
        await (wim if ply % 2 else dora).play(game, ply, move)


# --- moves ---


async def test_a_move_is_in_the_log_when_it_is_acknowledged_and_both_see_it(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    assert await dora.play(game, 0, "11-15") == 2
    assert house.log(game)[1].move == "11-15"
    for person in (dora, wim):
        seen = await person.event("moved")
        assert (seen["move"], seen["ply"], seen["version"]) == ("11-15", 0, 2)
    assert await wim.play(game, 1, "22-18") == 3
    assert (await dora.event("moved"))["clock"]["running"] == "B"


async def test_a_move_that_comes_again_is_acknowledged_and_played_once(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    assert await dora.play(game, 0, "11-15", id="same") == 2
    assert await dora.play(game, 0, "11-15", id="same") == 2
    await wim.play(game, 1, "22-18")
    assert await dora.play(game, 0, "11-15", id="same") == 3
    assert house.kinds(game) == ["Started", "Moved", "Moved"]


async def test_the_same_move_at_the_same_time_is_played_once(house: House):
    game = await house.game()
    dora, _ = await sat(house, game)
    versions = await asyncio.gather(*(dora.play(game, 0, "11-15", id="same") for _ in range(5)))
    assert versions == [2] * 5
    assert house.kinds(game) == ["Started", "Moved"]


async def test_a_refusal_tells_the_version_and_changes_nothing(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    assert (await refused("not_your_turn", wim.play(game, 0, "22-18"))).version == 1
    await refused("illegal_move", dora.play(game, 0, "11-20"))
    await refused("bad_frame", dora.do(game, "play", ply=0))
    await dora.play(game, 0, "11-15")
    assert (await refused("stale", dora.play(game, 0, "9-14"))).version == 2
    assert not [frame for frame in wim.frames if frame["t"] == "events" and frame["after"] > 1]


async def test_only_the_players_may_do_anything(house: House):
    game = await house.game()
    stranger = house.store.users.add("Stranger", NOW).id
    watcher, visitor = Person(house.hubs[0], stranger), Person(house.hubs[0])
    await watcher.follow(game)
    await visitor.follow(game)
    for person in (watcher, visitor):
        for what in ("resign", "abort", "offer_rematch", "claim_gone"):
            await refused("not_player", person.do(game, what))
        await refused("not_player", person.play(game, 0, "11-15"))
    assert house.kinds(game) == ["Started"]


async def test_too_many_commands_at_once_are_turned_away(house: House):
    game = await house.game()
    dora, _ = await sat(house, game)
    asked = [dora.do(game, "say", phrase="hello") for _ in range(60)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert {getattr(answer, "code", "done") for answer in answers} == {"done", "too_fast"}
    said = sum(isinstance(answer, int) for answer in answers)
    assert house.kinds(game).count("Said") == said >= 32


async def test_a_connection_that_breaks_does_not_keep_its_move_from_the_opponent(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    asked = asyncio.ensure_future(dora.play(game, 0, "11-15"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asked.cancel()
    dora.hub.leave(dora)
    assert (await wim.event("moved"))["move"] == "11-15"


# --- following ---


async def test_who_comes_back_gets_exactly_what_was_missed(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    await opened(house, dora, wim, game)
    for version in range(1, 8):
        frame = await Person(house.hubs[0], house.dora).follow(game, version)
        assert (frame["t"], frame["after"]) == ("events", version)
        assert [event["move"] for event in frame["events"]] == OPENING[version - 1 :]
        assert frame["clock"]["running"] == "B"


@pytest.mark.parametrize("version", [0, 8, 99])
async def test_who_has_nothing_or_knows_the_future_gets_the_whole_game(house: House, version):
    game = await house.game()
    dora, wim = await sat(house, game)
    await opened(house, dora, wim, game)
    frame = await dora.follow(game, version)
    assert frame["t"] == "game"
    assert frame["game"]["moves"] == OPENING
    assert frame["game"]["you"] == "B"
    assert frame["game"]["version"] == 7


async def test_who_missed_a_lot_gets_the_whole_game(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    for _ in range(20):
        await dora.do(game, "say", phrase="hello")
        await wim.do(game, "say", phrase="thanks")
    assert (await dora.follow(game, 2))["t"] == "game"
    assert len((await dora.follow(game, 10))["events"]) == 31


async def test_the_players_are_shown_with_their_names(house: House):
    game = await house.game(rated=True)
    frame = await Person(house.hubs[0]).follow(game)
    black = frame["game"]["black"]
    assert (black["name"], black["guest"], black["provisional"]) == ("Dora", False, True)
    assert frame["game"]["you"] is None


async def test_there_are_no_frames_after_leaving(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    wim.hub.unfollow(game, wim)
    wim.frames.clear()
    await dora.play(game, 0, "11-15")
    assert not wim.frames
    assert house.hubs[0].following(wim) == []
    wim.hub.unfollow(game, wim)
    wim.hub.leave(wim)


async def test_following_is_bounded(house: House):
    games = [await house.game() for _ in range(17)]
    watcher = Person(house.hubs[0])
    for game in games[:16]:
        await watcher.follow(game)
    await refused("too_many", watcher.follow(games[16]))
    await watcher.follow(games[0])
    watcher.hub.leave(watcher)
    await watcher.follow(games[16])


async def test_a_game_that_nobody_follows_leaves_memory_and_comes_back(house: House):
    hub = house.hubs[0]
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    dora.hub.leave(dora)
    await house.wait(80_000)
    assert hub.peek(game) is not None
    wim.hub.leave(wim)
    await house.wait(80_000)
    assert hub.peek(game) is None
    assert hub.figures["deadlines"] == 0
    frame = await wim.follow(game)
    assert frame["game"]["moves"] == ["11-15"]


async def test_a_game_that_is_over_leaves_memory_when_nobody_follows_it(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.do(game, "abort")
    await house.wait(10_000)
    assert house.hubs[0].peek(game) is not None
    dora.hub.leave(dora)
    wim.hub.leave(wim)
    await house.wait(10_000)
    assert house.hubs[0].peek(game) is None


async def test_where_memory_is_full_what_nobody_needs_makes_room(house: House):
    hub = house.hubs[0]
    hub._keeper._most = 3
    games = [await house.game() for _ in range(5)]
    dora = Person(hub, house.dora)
    for game in games[:3]:
        await dora.follow(game)
        await house.wait(500)
    await refused("busy", dora.follow(games[3]))
    hub.unfollow(games[1], dora)
    await dora.follow(games[3])
    assert hub.peek(games[1]) is None
    assert all(hub.peek(game) for game in (games[0], games[2], games[3]))
    await refused("busy", dora.follow(games[4]))


async def test_a_follower_that_fell_behind_is_given_the_whole_game_at_once(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    whole, who = map(bytes.decode, wim.hub.whole(game, wim))
    assert '"t":"game"' in whole
    assert '"11-15"' in whole
    assert '"t":"presence"' in who
    assert wim.hub.whole("other", wim) == []


async def test_each_kind_of_viewer_is_encoded_once(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    frames: list[bytes] = []

    class Watcher:
        user = None

        def send(self, frame, key=None):
            if key is None:
                frames.append(frame)

    watchers = [Watcher() for _ in range(10)]
    for watcher in watchers:
        await house.hubs[0].follow(game, watcher)
    await dora.play(game, 0, "11-15")
    assert len(frames) == 10
    assert len({id(frame) for frame in frames}) == 1
    assert (await wim.event("moved"))["move"] == "11-15"


# --- private games ---


async def test_a_private_game_is_for_its_players_alone(house: House):
    game = await house.game(private=True)
    stranger = house.store.users.add("Stranger", NOW).id
    for user in (None, stranger):
        person = Person(house.hubs[0], user)
        missing = await refused("no_game", person.follow("there-is-none"))
        hidden = await refused("no_game", person.follow(game))
        assert str(missing) == str(hidden)
        for asked in (person.play(game, 0, "11-15"), person.do(game, "resign")):
            assert (await refused("no_game", asked)).version is None
    dora, _ = await sat(house, game)
    assert await dora.play(game, 0, "11-15") == 2


# --- what players say ---


async def test_watchers_see_nothing_of_what_players_say(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    watcher = Person(house.hubs[0])
    await watcher.follow(game)
    await dora.do(game, "say", phrase="good_luck")
    await dora.do(game, "set_chat", on=True)
    await wim.do(game, "set_chat", on=True)
    await dora.do(game, "say", text="between us")
    await dora.play(game, 0, "11-15")
    seen = [await wim.event("said"), await wim.event("said")]
    assert [said.get("text", said.get("phrase")) for said in seen] == ["good_luck", "between us"]
    moved = await watcher.event("moved")
    assert moved["version"] == 6
    late, later = Person(house.hubs[0]), Person(house.hubs[0])
    assert (await late.follow(game))["game"]["chat"] is None
    gap = await later.follow(game, 1)
    assert [event["kind"] for event in gap["events"]] == ["hidden"] * 4 + ["moved"]
    assert not [frame for frame in [*watcher.all, *late.all, *later.all] if "between" in str(frame)]


async def test_who_mutes_the_other_reads_no_more_of_them(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.do(game, "say", phrase="hello")
    house.store.service.mute(house.wim, house.dora, True)
    await house.hubs[0].renew(house.wim)
    assert (await wim.see("game"))["game"]["chat"]["lines"] == []
    await dora.do(game, "say", phrase="thanks")
    await wim.do(game, "say", phrase="hello")
    assert (await wim.event("hidden"))["version"] == 3
    assert (await dora.event("said"))["phrase"] == "hello"
    assert (await dora.event("said"))["phrase"] == "thanks"
    assert (await dora.event("said"))["side"] == "W"
    house.store.service.mute(house.wim, house.dora, False)
    await house.hubs[0].renew(house.wim)
    assert len((await wim.see("game"))["game"]["chat"]["lines"]) == 3


# --- ends ---


async def test_the_end_is_settled_in_the_same_breath(house: House):
    for user in (house.dora, house.wim):
        house.store.ledger.book(grant(f"gift {user}", user, 100, "gift", NOW))
    terms = DEFAULT_ROOMS["passport"].terms(10)
    game = await house.game(rated=True, terms=terms)
    dora, wim = await sat(house, game)
    await opened(house, dora, wim, game)
    assert house.store.ledger.balance(house.dora) == 90
    assert await dora.do(game, "resign") == 9
    assert house.kinds(game)[-2:] == ["Resigned", "Settled"]
    settled = house.log(game)[-1]
    assert isinstance(settled, Settled)
    assert settled.white.rating_after > settled.white.rating > settled.black.rating_after
    assert house.store.ledger.balance(house.dora) == 100 + settled.black.chips < 100
    assert house.store.ledger.check() == []
    assert (await wim.event("settled"))["white"]["chips"] == settled.white.chips
    await refused("game_over", wim.do(game, "resign"))
    await house.rest()
    shown = (await wim.follow(game))["game"]
    assert shown["white"]["rating"] == settled.white.rating_after
    assert shown["outcome"]["winner"] == "W"


async def test_an_aborted_game_gives_the_stakes_back(house: House):
    for user in (house.dora, house.wim):
        house.store.ledger.book(grant(f"gift {user}", user, 100, "gift", NOW))
    game = await house.game(terms=DEFAULT_ROOMS["passport"].terms(10))
    dora, wim = await sat(house, game)
    await dora.do(game, "abort")
    assert (await wim.event("aborted"))["side"] == "B"
    assert house.store.ledger.balance(house.dora) == house.store.ledger.balance(house.wim) == 100


async def test_a_rematch_begins_with_sides_changed(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    news = []
    house.hubs[0].on_news(lambda game, state, events: news.append((game, state.version)))
    await refused("not_allowed", dora.do(game, "offer_rematch"))
    await opened(house, dora, wim, game)
    await dora.do(game, "resign")
    await dora.do(game, "offer_rematch")
    await wim.do(game, "accept_rematch", id="yes")
    following = (await dora.event("rematched"))["game"]
    assert await wim.do(game, "accept_rematch", id="yes") == house.state(game).version
    assert await wim.do(game, "offer_rematch") == house.state(game).version
    dora, wim = await sat(house, following)
    await wim.play(following, 0, "11-15")
    assert house.log(following)[0].rematch_of == game
    assert (following, 1) in news


async def test_a_rematch_needs_chips_and_a_room_that_is_open(house: House):
    house.store.ledger.book(grant("gift", house.dora, 100, "gift", NOW))
    house.store.ledger.book(grant("other gift", house.wim, 10, "gift", NOW))
    game = await house.game(terms=DEFAULT_ROOMS["passport"].terms(10))
    dora, wim = await sat(house, game)
    await opened(house, dora, wim, game)
    await wim.do(game, "resign")
    version = await dora.do(game, "offer_rematch")
    await refused("not_enough_chips", wim.do(game, "accept_rematch"))
    assert len(house.log(game)) == version
    vip = DEFAULT_ROOMS["tourist"].terms(0)
    house.store.users.change(house.dora, membership="vip", member_until=NOW + 60_000)
    game = await house.game(terms=vip)
    await dora.follow(game)
    await wim.follow(game)
    await opened(house, dora, wim, game)
    await wim.do(game, "resign")
    await refused("room_closed", wim.do(game, "offer_rematch"))
    await dora.do(game, "offer_rematch")


@pytest.mark.parametrize("what", [{"rated": True}, {"terms": DEFAULT_ROOMS["passport"].terms(10)}])
async def test_a_rematch_for_something_needs_a_clock(house: House, what: dict[str, Any]):
    """Such a game began before that was asked for: it ends as it can, and no other follows."""
    for user in (house.dora, house.wim):
        house.store.ledger.book(grant(f"gift {user}", user, 100, "gift", NOW))
    game = await house.game(TimeControl(), **what)
    dora, wim = await sat(house, game)
    await opened(house, dora, wim, game)
    await wim.do(game, "resign")
    await refused("bad_clock", dora.do(game, "offer_rematch"))


# --- the end of the hub ---


async def test_stopping_writes_what_was_asked_and_takes_no_more(house: House):
    games = [await house.game() for _ in range(20)]
    people = [Person(house.hubs[0], house.dora) for _ in games]
    for person, game in zip(people, games, strict=True):
        await person.follow(game)
    asked = [
        asyncio.ensure_future(person.play(game, 0, "11-15"))
        for person, game in zip(people, games, strict=True)
    ]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await house.hubs[0].stop()
    assert await asyncio.gather(*asked) == [2] * 20
    assert all(house.kinds(game) == ["Started", "Moved"] for game in games)
    await refused("stopping", people[0].play(games[0], 1, "22-18"))
    await refused("stopping", people[0].follow(games[0]))
    assert not house.hubs[0].healthy


async def test_a_game_of_days_may_be_played_without_anybody_waiting(house: House):
    game = await house.game(TimeControl("days", 3 * 86_400_000))
    dora = Person(house.hubs[0], house.dora)
    assert await dora.play(game, 0, "11-15") == 2
