"""Stores that fail in the middle, and several hubs on one database."""

from __future__ import annotations

import asyncio
import threading

import pytest
from tests.web.live.house import NOW, Exchange, House, Person, refused, sat

from kingme.errors import Unavailable
from kingme.play.clock import TimeControl

pytestmark = pytest.mark.anyio


# --- the store fails ---


async def test_nothing_is_told_before_it_is_durable(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    writing, written = threading.Event(), threading.Event()

    def hook():
        writing.set()
        written.wait()

    house.views[0].games.hook = hook
    asked = asyncio.ensure_future(dora.play(game, 0, "11-15"))
    await asyncio.to_thread(writing.wait)
    assert not asked.done()
    assert not wim.frames
    assert house.state(game).version == 1
    assert house.kinds(game) == ["Started"]
    written.set()
    assert await asked == 2
    assert (await wim.event("moved"))["move"] == "11-15"


async def test_a_write_that_failed_is_not_told_and_may_be_sent_again(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    trouble = house.views[0].games
    trouble.lost = True
    await refused("storage", dora.play(game, 0, "11-15", id="mine"))
    assert not wim.frames
    trouble.lost = False
    assert await dora.play(game, 0, "11-15", id="mine") == 2
    assert (await wim.event("moved"))["version"] == 2
    assert house.kinds(game) == ["Started", "Moved"]


async def test_a_write_that_happened_without_an_answer_is_found_in_the_log(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    trouble = house.views[0].games
    trouble.silent = True
    await refused("storage", dora.play(game, 0, "11-15", id="mine"))
    assert not wim.frames
    trouble.silent = False
    assert await dora.play(game, 0, "11-15", id="mine") == 2
    assert (await wim.event("moved"))["version"] == 2
    assert house.kinds(game) == ["Started", "Moved"]


async def test_followers_are_told_of_it_even_if_nobody_asks_again(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    trouble = house.views[0].games
    trouble.silent = True
    await refused("storage", dora.play(game, 0, "11-15"))
    trouble.silent = False
    await house.wait(6_000)
    assert (await wim.event("moved"))["version"] == 2


async def test_the_end_of_a_game_without_an_answer_is_settled_once(house: House):
    game = await house.game(rated=True)
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    trouble = house.views[0].games
    trouble.silent = True
    await refused("storage", wim.do(game, "resign", id="mine"))
    trouble.silent = False
    assert await wim.do(game, "resign", id="mine") == 4
    assert house.kinds(game) == ["Started", "Moved", "Resigned", "Settled"]
    assert (await dora.event("settled"))["version"] == 4
    await refused("game_over", wim.do(game, "resign", id="other"))


async def test_other_games_go_on_while_one_command_waits(house: House):
    first, second = await house.game(), await house.game()
    dora, _ = await sat(house, first)
    moves = dora.play(first, 0, "11-15"), dora.play(second, 0, "11-15")
    assert list(await asyncio.gather(*moves)) == [2, 2]


async def test_a_failure_of_the_program_is_told_in_plain_words(house: House, caplog):
    game = await house.game()
    dora, _ = await sat(house, game)

    house.views[0].games.fault = ZeroDivisionError("secret")
    refusal = await refused("failed", dora.play(game, 0, "11-15"))
    assert "secret" not in str(refusal)
    assert "secret" in caplog.text
    house.views[0].games.fault = None
    assert await dora.play(game, 0, "11-15") == 2


async def test_who_only_listens_cannot_make_a_move_fail(house: House, caplog):
    game = await house.game()
    dora, _ = await sat(house, game)
    house.hubs[0].on_news(lambda game, state, events: 1 // 0)
    assert await dora.play(game, 0, "11-15") == 2
    assert "ZeroDivisionError" in caplog.text


async def test_a_move_that_could_not_be_stored_costs_the_time_until_it_first_came(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    await wim.play(game, 1, "22-18")
    await house.wait(5_000)
    house.views[0].games.fault = Unavailable("no log can be written")
    await refused("storage", dora.play(game, 2, "15x22", id="mine"))
    await house.wait(2_000)
    await refused("storage", dora.play(game, 2, "15x22", id="mine"))
    await house.wait(2_000)
    house.views[0].games.fault = None
    await dora.play(game, 2, "15x22", id="mine")
    assert house.log(game)[-1].spent == 5_000
    assert house.log(game)[-1].at == NOW + 5_000


async def test_another_move_costs_the_time_until_it_came(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    await dora.play(game, 0, "11-15")
    await wim.play(game, 1, "22-17")
    await house.wait(5_000)
    house.views[0].games.fault = Unavailable("no log can be written")
    await refused("storage", dora.play(game, 2, "15-18", id="mine"))
    await house.wait(4_000)
    house.views[0].games.fault = None
    await dora.play(game, 2, "15-19", id="mine")
    assert house.log(game)[-1].spent == 9_000


async def test_an_event_that_the_store_never_takes_is_a_failure_and_not_tried_for_ever(
    house: House, caplog
):
    game = await house.game()
    dora, _ = await sat(house, game)
    house.views[0].games.deaf = True
    await refused("failed", dora.play(game, 0, "11-15"))
    await refused("failed", dora.do(game, "abort"))
    assert house.hubs[0].figures["conflicts"] == 2
    assert "takes no event" in caplog.text
    await house.wait(60_000)
    assert caplog.text.count("cannot be woken") == 1


async def test_games_that_cannot_be_read_keep_none_from_being_found(house: House, monkeypatch):
    monkeypatch.setattr("kingme.web.live.hub.DUE", 3)
    games = [await house.game() for _ in range(5)]
    for game in games:
        house.hubs[0]._deadlines.set(game, None)
    house.hubs[0]._broken.update(games[:3])
    await house.wait(60_000)
    assert [house.kinds(game)[-1] for game in games] == ["Started"] * 3 + ["Settled"] * 2


async def test_a_game_stays_in_memory_while_somebody_waits_for_it(house: House):
    game = await house.game()
    dora, wim = await sat(house, game)
    dora.hub.leave(dora)
    wim.hub.leave(wim)
    reading, read = threading.Event(), threading.Event()

    def slow():
        reading.set()
        read.wait()

    house.views[0].games.reading = slow
    await house.wait(2_000)
    follows = asyncio.ensure_future(dora.follow(game))
    await asyncio.to_thread(reading.wait)
    house.hubs[0]._keeper.let_go(house.day.now() + 1)
    read.set()
    await follows
    await dora.play(game, 0, "11-15")
    await dora.event("moved")
    dora.hub.leave(dora)


# --- two hubs ---


@pytest.fixture
async def two(house: House):
    await house.open()
    return house


async def test_players_on_different_processes_play_with_one_another(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    for ply, move in enumerate(["11-15", "22-18", "15x22", "25x18", "8-11", "29-25"]):
        mover, other = (wim, dora) if ply % 2 else (dora, wim)
        await mover.play(game, ply, move)
        for person in (mover, other):
            assert (await person.event("moved"))["move"] == move
    await wim.do(game, "resign")
    assert (await dora.event("settled"))["version"] == 9


async def test_the_slower_of_two_commands_is_decided_again(two: House):
    game = await two.game()
    two.exchange.cut = True
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    await dora.play(game, 0, "11-15")
    # Wim's hub knows nothing of it yet.
    assert two.state(game, 1).version == 1
    assert await wim.do(game, "say", phrase="hello") == 3
    assert (await wim.event("moved"))["version"] == 2
    assert two.hubs[1].figures["conflicts"] == 1
    assert await wim.play(game, 1, "22-18") == 4
    assert two.kinds(game) == ["Started", "Moved", "Said", "Moved"]


async def test_what_another_process_wrote_counts_before_a_refusal(two: House):
    """Hints may be lost, or come later than the player, who knows more than the hub."""
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    two.exchange.lines[1].hear = lambda topic, body: None
    await dora.play(game, 0, "11-15")
    assert await wim.play(game, 1, "22-18") == 3  # a stale ply, had the log not been read
    await dora.do(game, "offer_takeback")
    assert await wim.do(game, "accept_takeback") == 5
    await dora.play(game, 0, "9-13")
    await wim.play(game, 1, "22-18")
    await dora.do(game, "offer_draw")
    assert await wim.do(game, "accept_draw") == 10
    assert two.kinds(game)[-2:] == ["DrawAgreed", "Settled"]


async def test_the_log_is_read_once_for_a_refusal(two: House):
    game = await two.game()
    dora = Person(two.hubs[0], two.dora)
    await dora.follow(game)
    reads = []
    two.views[0].games.reading = lambda: reads.append(game)
    await refused("illegal_move", dora.play(game, 0, "11-18"))
    assert reads == [game]
    await dora.play(game, 0, "11-15")
    await dora.do(game, "resign")
    await refused("game_over", dora.do(game, "resign"))
    assert reads == [game]


async def test_one_player_on_two_processes_moves_once(two: House):
    game = await two.game()
    two.exchange.cut = True
    here, there = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.dora)
    await here.follow(game)
    await there.follow(game)
    assert await here.play(game, 0, "11-15", id="same") == 2
    assert await there.play(game, 0, "11-15", id="same") == 2
    assert await there.play(game, 0, "11-15", id="new") == 2
    await refused("stale", there.play(game, 0, "9-14"))
    assert two.kinds(game) == ["Started", "Moved"]


async def test_both_resign_at_once_on_two_processes_and_all_is_settled_once(two: House):
    game = await two.game(rated=True)
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    answers = await asyncio.gather(
        dora.do(game, "resign"), wim.do(game, "resign"), return_exceptions=True
    )
    assert sorted(getattr(answer, "code", "done") for answer in answers) == ["done", "game_over"]
    assert two.kinds(game) == ["Started", "Resigned", "Settled"]


async def test_a_flag_falls_once_on_two_processes(two: House):
    game = await two.game(TimeControl("increment", 15_000, 0))
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    await dora.play(game, 0, "11-15")
    await dora.hub.read(lambda: None)
    await wim.event("moved")
    await wim.play(game, 1, "22-18")
    await two.wait(30_000)
    assert two.kinds(game) == ["Started", "Moved", "Moved", "FlagFell", "Settled"]
    for person in (dora, wim):
        assert (await person.event("flag_fell"))["version"] == 4


async def test_a_hint_that_comes_while_the_log_is_read_is_not_lost(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    trouble = two.views[1].games
    reading, written = threading.Event(), threading.Event()

    def late():
        # What is read is as it was before the second event.
        reading.set()
        written.wait()

    trouble.read = late
    two.exchange.cut = True
    await dora.play(game, 0, "11-15")
    two.exchange.cut = False
    two.exchange.lines[1].hear("game", f"{game} 2".encode())
    await asyncio.to_thread(reading.wait)
    await dora.do(game, "say", phrase="hello")
    trouble.read = lambda: None
    written.set()
    assert (await wim.event("moved"))["version"] == 2
    assert (await wim.event("said"))["version"] == 3


async def test_a_hint_tells_what_is_new_and_nothing_is_read(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    reads: list[str] = []
    two.views[1].games.read = lambda: reads.append("read")
    await dora.play(game, 0, "11-15")
    assert (await wim.event("moved"))["version"] == 2
    assert reads == []
    two.exchange.cut = True
    await wim.play(game, 1, "22-18")
    two.exchange.cut = False
    # A hint was lost: the next one does not lead to what it tells.
    await wim.do(game, "offer_draw")
    assert (await dora.event("draw_offered"))["version"] == 4
    assert two.state(game, 0) == two.state(game, 1)


@pytest.mark.parametrize("told", ["[]", "[{}]", '[{"type":"of a later program"}]', "[", "?"])
async def test_a_hint_that_cannot_be_read_leads_to_the_log(two: House, told):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    two.exchange.cut = True
    await dora.play(game, 0, "11-15")
    two.exchange.lines[1].hear("game", f"{game} 2 {told}".encode())
    assert (await wim.event("moved"))["version"] == 2


async def test_a_hint_of_what_never_comes_is_looked_for_once(two: House):
    game = await two.game()
    dora = Person(two.hubs[0], two.dora)
    await dora.follow(game)
    two.exchange.lines[0].hear("game", f"{game} 99".encode())
    await two.rest()
    assert await dora.play(game, 0, "11-15") == 2


async def test_a_game_that_nobody_followed_is_looked_up_before_it_is_shown(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await wim.follow(game)
    wim.hub.leave(wim)
    two.exchange.cut = True
    await two.wait(1_000)
    await dora.play(game, 0, "11-15")
    assert two.state(game, 1).version == 1
    assert (await wim.follow(game))["game"]["moves"] == ["11-15"]


async def test_who_knows_more_than_the_hub_is_shown_what_is_in_the_log(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    watcher = Person(two.hubs[1])
    await watcher.follow(game)
    two.exchange.cut = True
    await dora.play(game, 0, "11-15")
    assert (await wim.follow(game, 2))["events"] == []
    assert (await watcher.event("moved"))["version"] == 2


async def test_without_hints_the_log_is_looked_at_each_second(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    two.exchange.cut = True
    await two.wait(5_500)
    await dora.play(game, 0, "11-15")
    await two.wait(1_500)
    assert (await wim.event("moved"))["version"] == 2


async def test_a_lost_hint_is_made_up_for(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    two.exchange.lines[1].hear = lambda topic, body: None
    await dora.play(game, 0, "11-15")
    await two.wait(6_000)
    assert (await wim.event("moved"))["version"] == 2


async def test_presence_is_known_on_both_and_a_dead_process_is_forgotten(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    await two.wait(500)
    await dora.see("presence", white=True, black=True)
    # The process of Wim dies without a word: the log goes on.
    line, dead = two.exchange.lines.pop(), two.hubs.pop()
    line.exchange = Exchange()
    await two.wait(25_000)
    await dora.see("presence", white=False)
    two.hubs.append(dead)


async def test_a_process_that_stops_says_that_its_people_are_gone(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    await two.wait(500)
    await dora.see("presence", white=True)
    await two.hubs[1].stop()
    await dora.see("presence", white=False)


async def test_a_late_process_hears_who_is_there(house: House):
    game = await house.game()
    dora = Person(house.hubs[0], house.dora)
    await dora.follow(game)
    await house.wait(500)
    hub = await house.open()
    wim = Person(hub, house.wim)
    await wim.follow(game)
    assert (await wim.see("presence"))["black"] is True


async def test_a_claim_on_another_process_counts_the_same_absence(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    await dora.play(game, 0, "11-15")
    await wim.event("moved")
    await wim.play(game, 1, "22-18")
    await two.wait(500)
    wim.hub.unfollow(game, wim, leaving=True)
    await two.wait(12_500)
    await dora.do(game, "claim_gone")
    assert (await dora.event("deserted"))["side"] == "W"


async def test_names_that_change_are_shown_everywhere(two: House):
    game = await two.game()
    dora, wim = Person(two.hubs[0], two.dora), Person(two.hubs[1], two.wim)
    await dora.follow(game)
    await wim.follow(game)
    two.store.service.mute(two.wim, two.dora, True)
    await two.hubs[0].renew(two.wim)
    await wim.see("game")
    await dora.do(game, "say", phrase="hello")
    assert (await wim.event("hidden"))["version"] == 2


@pytest.mark.parametrize("body", [b"", b"game000001", b"game000001 x", b"@ 0", b"\xff 1", b"@9 0"])
async def test_hints_that_say_nothing_are_passed_over(house: House, body):
    game = await house.game()
    dora, _ = await sat(house, game)
    for line in house.exchange.lines:
        line.hear("game", body)
        line.hear("presence", body)
        line.hear("other", body)
    assert await dora.play(game, 0, "11-15") == 2
