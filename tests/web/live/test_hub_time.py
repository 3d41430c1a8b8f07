"""Deadlines, outages, and players who are gone."""

from __future__ import annotations

import asyncio

import pytest
from tests.web.live.house import BLITZ, House, Person, refused, sat

from kingme.errors import Unavailable
from kingme.play import clock
from kingme.play.clock import RETURN, TimeControl
from kingme.play.events import ClockShifted, FlagFell

pytestmark = pytest.mark.anyio

SHORT = TimeControl("increment", 15_000, 0)
BEGIN = 30_000


async def begun(house, control=BLITZ, **fields):
    """A game after its first two moves: Black's clock runs."""
    game = await house.game(control, **fields)
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    await wim.play(game, 1, "22-18")
    for person in (dora, wim, dora, wim):
        await person.event("moved")
    return game, dora, wim


# --- deadlines ---


async def test_a_flag_falls_by_itself_when_the_time_is_over(house: House):
    game, _, wim = await begun(house, SHORT)
    deadline = house.state(game).deadline() or 0
    assert deadline > house.day.now() + 15_000
    await house.wait(deadline - house.day.now() - 1)
    assert house.state(game).playing
    await house.wait(1)
    fell = await wim.event("flag_fell")
    assert fell["side"] == "B"
    assert house.log(game)[3].at == deadline
    assert house.kinds(game)[3:] == ["FlagFell", "Settled"]
    assert house.hubs[0].figures["deadlines"] == 0


async def test_a_game_that_nobody_begins_is_called_off(house: House):
    game = await house.game(BLITZ)
    dora, _ = await sat(house, game)
    await house.wait(BEGIN)
    assert (await dora.event("aborted")).get("side") is None


async def test_a_game_that_nobody_ever_opened_is_called_off_too(house: House):
    game = await house.game(BLITZ)
    await house.wait(BEGIN)
    assert house.kinds(game) == ["Started", "Aborted", "Settled"]


async def test_a_game_without_a_clock_ends_when_nobody_moves_for_long(house: House, monkeypatch):
    monkeypatch.setattr(clock, "IDLE", 60_000)
    game, dora, _ = await begun(house, TimeControl())
    await house.wait(59_999)
    assert house.state(game).playing
    await house.wait(1)
    assert (await dora.event("deserted"))["outcome"]["winner"] == "W"
    assert house.kinds(game)[3:] == ["Deserted", "Settled"]


async def test_a_move_after_the_time_is_refused_and_the_flag_has_fallen(house: House):
    game, dora, wim = await begun(house, SHORT)
    # No timer gets its turn before the move does.
    house.day.time = house.state(game).deadline() or 0
    for view in house.views:
        view.service.beat("another", house.day.now() - 1, 60_000)
    assert (await refused("game_over", dora.play(game, 2, "15x22"))).version == 5
    assert (await wim.event("flag_fell"))["side"] == "B"


async def test_a_move_costs_the_time_until_it_came_not_until_it_was_written(house: House):
    game, dora, _ = await begun(house)
    await house.wait(10_000)
    before = house.state(game).clock.left[0]

    def late():
        house.day.time += 900

    house.views[0].games.hook = late
    await dora.play(game, 2, "15x22", lag=400)
    moved = house.log(game)[3]
    assert (moved.spent, moved.credit) == (9_600, 400)
    assert house.state(game).clock.left[0] == before - 9_600 + BLITZ.increment


async def test_games_that_no_process_holds_are_found_by_the_sweep(house: House):
    game, dora, wim = await begun(house, SHORT)
    dora.hub.leave(dora)
    wim.hub.leave(wim)
    house.hubs[0]._keeper.tables.clear()
    house.hubs[0]._deadlines.set(game, None)
    await house.wait(30_000)
    assert "FlagFell" in house.kinds(game)


async def test_a_deadline_that_could_not_be_kept_is_tried_again(house: House):
    game, _, wim = await begun(house, SHORT)
    games = house.views[0].games
    deadline = house.state(game).deadline() or 0
    await house.wait(deadline - house.day.now() - 1)
    games.fault = Unavailable("no log can be written")
    await house.wait(2_500)
    assert house.kinds(game)[-1] == "Moved"
    games.fault = None
    await house.wait(2_000)
    assert (await wim.event("flag_fell"))["side"] == "B"


async def test_a_log_that_cannot_be_read_is_not_tried_for_ever(house: House, caplog):
    game = await house.game(BLITZ)
    house.hubs[0]._deadlines.set(game, None)

    house.views[0].games.fault = ValueError("no log")
    await house.wait(BEGIN + 30_000)
    assert caplog.text.count("cannot be woken") == 1
    watcher = Person(house.hubs[0])
    refusal = await refused("failed", watcher.follow(game))
    assert "ValueError" not in str(refusal)


# --- outages ---


async def test_an_outage_is_charged_to_nobody(house: House):
    game, dora, wim = await begun(house)
    await house.wait(7_000)
    down = house.store.service.beat("witness", house.day.now(), 4000)
    assert down == []
    last = house.day.now()
    house.day.time += 60_000  # nothing happens meanwhile, not even a timer
    house.day.move(1_000)
    await house.rest()
    shifted = await wim.event("clock_shifted")
    up = house.day.now() - 1_000 + 1_000
    assert shifted["since"] == up + RETURN - 7_000
    await house.wait(RETURN + 3_000)
    await dora.play(game, 2, "15x22")
    moved = house.log(game)[-1]
    assert moved.spent == 10_000
    assert house.kinds(game).count("ClockShifted") == 1
    assert up - last >= 60_000


async def test_an_outage_is_known_before_a_move_is_judged(house: House):
    game, dora, _ = await begun(house, SHORT)
    await house.wait(5_000)
    house.day.time += 60_000  # the move comes before any timer
    await dora.play(game, 2, "15x22")
    assert house.kinds(game)[3:] == ["ClockShifted", "Moved"]
    assert house.log(game)[-1].spent <= 5_000


async def test_no_flag_falls_for_an_outage(house: House):
    game, _, wim = await begun(house, SHORT)
    await house.wait(5_000)
    house.day.time += 60_000
    house.day.move(0)  # the deadline and the heartbeat are due at once
    await house.rest()
    assert house.state(game).playing
    await house.wait(RETURN + 30_000)
    fell = next(event for event in house.log(game) if isinstance(event, FlagFell))
    shifted = next(event for event in house.log(game) if isinstance(event, ClockShifted))
    assert fell.at >= shifted.since + 15_000
    assert (await wim.event("flag_fell"))["side"] == "B"


async def test_a_game_that_is_loaded_after_an_outage_learns_of_it_first(house: House):
    game, _, _ = await begun(house)
    await house.wait(7_000)
    await house.hubs[0].stop()
    house.day.time += 100_000
    hub = await house.open()
    assert "ClockShifted" not in house.kinds(game)
    dora = Person(hub, house.dora)
    frame = await dora.follow(game)
    assert house.kinds(game)[-1] == "ClockShifted"
    assert frame["game"]["clock"]["since"] == house.day.now() + RETURN - 7_000
    await dora.play(game, 2, "15x22")
    assert house.log(game)[-1].spent <= 7_000


async def test_a_short_restart_is_an_outage_too(house: House):
    game, _, _ = await begun(house)
    await house.hubs[0].stop()
    house.day.time += 1_600
    await house.open()
    assert house.views[-1].service.gaps == [1_500]
    await Person(house.hubs[1]).follow(game)
    assert "ClockShifted" in house.kinds(game)


async def test_a_store_that_was_away_is_an_outage_for_those_who_stayed(house: House):
    game, dora, wim = await begun(house)
    await house.wait(2_000)
    view = house.views[0]
    view.games.lost = True
    await house.wait(20_000)
    assert not house.hubs[0].healthy
    await refused("storage", dora.play(game, 2, "15x22", id="mine"))
    view.games.lost = False
    await dora.play(game, 2, "15x22", id="mine")
    assert house.kinds(game)[3:] == ["ClockShifted", "Moved"]
    assert house.log(game)[-1].spent <= 2_500
    assert (await wim.event("moved"))["move"] == "15x22"
    assert house.hubs[0].healthy


async def test_a_store_that_was_away_for_a_moment_only_is_an_outage_too(house: House):
    _, _, wim = await begun(house)
    view = house.views[0]
    view.games.lost = True
    await house.wait(2_000)
    view.games.lost = False
    await house.wait(1_500)
    assert (await wim.event("clock_shifted"))["clock"]["running"] == "B"
    assert view.service.gaps == [1_500, 1_500]


async def test_each_outage_shifts_a_clock_once(house: House):
    game, dora, _ = await begun(house)
    for _ in range(3):
        await house.wait(4_000)
        house.day.time += 30_000
        await house.wait(2_000)
    assert house.kinds(game).count("ClockShifted") == 3
    await house.wait(20_000)
    await dora.play(game, 2, "15x22")
    assert house.kinds(game).count("ClockShifted") == 3
    assert house.log(game)[-1].spent <= 40_000


async def test_a_game_learns_of_all_outages_of_its_turn_however_many_came_later(house: House):
    game, _, _ = await begun(house, TimeControl("days", 86_400_000))
    await house.wait(7_000)
    await house.hubs[0].stop()
    house.day.time += 3_600_000
    for number in range(60):
        house.store.service.beat("witness", house.day.now() + number * 10, 5)
    hub = await house.open()
    assert len(hub._beat.outages) == 50
    dora = Person(hub, house.dora)
    await dora.follow(game)
    assert house.log(game)[3].outage == 1
    assert house.log(game)[3].since == house.day.now() + RETURN - 7_000
    assert (house.state(game, 1).clock.since or 0) >= house.day.now() + RETURN - 7_000


# --- players who are gone ---


async def test_everybody_is_told_who_is_there(house: House):
    game = await house.game()
    hub = house.hubs[0]
    dora = Person(hub, house.dora)
    await dora.follow(game)
    assert await dora.see("presence") == {
        "t": "presence",
        "game": game,
        "black": True,
        "white": False,
        "watchers": 0,
        "gone": None,
        "claimable": None,
    }
    wim, watcher = Person(hub, house.wim), Person(hub)
    await wim.follow(game)
    await dora.see("presence", white=True, watchers=0)
    await watcher.follow(game)
    await house.wait(2_000)
    await dora.see("presence", watchers=1)
    wim.hub.leave(wim)
    await dora.see("presence", white=False, watchers=1)
    await watcher.see("presence", white=False)


async def test_whoever_is_gone_for_long_may_be_claimed_against(house: House):
    game, dora, wim = await begun(house)
    wim.hub.leave(wim)
    seen = await dora.see("presence", white=False)
    assert seen["gone"] == "W"
    assert seen["claimable"] == house.day.now() + 120_000
    await house.wait(119_999)
    await refused("not_gone", dora.do(game, "claim_gone"))
    await house.wait(1)
    await dora.do(game, "claim_gone")
    assert (await dora.event("deserted"))["side"] == "W"


async def test_whoever_left_on_purpose_sooner(house: House):
    game, dora, wim = await begun(house)
    wim.hub.unfollow(game, wim, leaving=True)
    assert (await dora.see("presence", white=False))["claimable"] == house.day.now() + 12_000
    await house.wait(12_000)
    await dora.do(game, "claim_gone", claim="draw")
    assert (await dora.event("deserted"))["claimed"] == "draw"


async def test_whoever_came_back_is_there(house: House):
    game, dora, wim = await begun(house)
    wim.hub.unfollow(game, wim, leaving=True)
    await dora.see("presence", white=False)
    await wim.follow(game)
    assert (await dora.see("presence", white=True))["gone"] is None
    await house.wait(200_000)
    await refused("not_gone", dora.do(game, "claim_gone"))


async def test_a_player_who_went_before_the_second_move_can_be_claimed_against_after_it(
    house: House,
):
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    dora.hub.leave(dora)
    assert (await wim.see("presence", black=False))["gone"] is None
    await wim.play(game, 1, "22-18")
    assert (await wim.see("presence", gone="B"))["claimable"] == house.day.now() + 120_000


async def test_while_hints_do_not_arrive_nobody_is_claimed_against(house: House):
    game, dora, wim = await begun(house)
    wim.hub.leave(wim)
    house.exchange.cut = True
    await house.wait(130_000)
    await refused("not_gone", dora.do(game, "claim_gone"))
    house.exchange.cut = False
    await house.wait(119_000)
    await refused("not_gone", dora.do(game, "claim_gone"))
    await house.wait(2_000)
    await dora.do(game, "claim_gone")


async def test_a_crowd_is_told_of_now_and_then(house: House):
    game = await house.game()
    dora, _ = await sat(house, game)
    watchers = [Person(house.hubs[0]) for _ in range(50)]
    for watcher in watchers:
        await watcher.follow(game)
    await house.wait(2_000)
    told = [frame["watchers"] for frame in dora.all if frame["t"] == "presence"]
    assert told[-1] == 50
    assert len(told) <= 4
    assert sum(len(watcher.all) for watcher in watchers) <= 4 * 50


async def test_many_flags_fall_together(house: House):
    games = [await house.game(BLITZ) for _ in range(60)]
    before = house.hubs[0].figures["calls"]
    await house.wait(BEGIN)
    await asyncio.gather(*(Person(house.hubs[0]).follow(game) for game in games))
    assert all(house.state(game).status == "aborted" for game in games)
    assert house.hubs[0].figures["calls"] - before >= 60
