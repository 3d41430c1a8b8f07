"""Games of others, moves out of turn, and stakes that somebody would like to have twice."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.web.live.attacks.attacker import control, doing, fetch, moves, play, seated

from kingme.play.events import Settled
from kingme.play.game import replay
from live.people import enrol

pytestmark = pytest.mark.anyio


class TestAPrivateGame:
    async def test_is_not_there_for_others(self, service, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 3)
            for stranger in (await arrive(people[2]), await arrive()):
                answers = []
                for game in (pair.game, "2345678923"):
                    stranger.send({"t": "follow", "game": game})
                    answer = await stranger.next("no", "game", "events")
                    answers.append({**answer, "game": ""})
                assert answers[0] == answers[1]
                assert answers[0]["code"] == "no_game"
            answers = [
                await (await arrive(people[2])).do(game, "resign")
                for game in (pair.game, "2345678923")
            ]
            assert [answer["t"] for answer in answers] == ["no", "no"]
            assert answers[0]["code"] == answers[1]["code"]

    @pytest.mark.parametrize("path", ["/game/{}", "/game/{}.pdn"])
    async def test_has_no_page_for_others(self, service, people, path):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 2)
            answers = []
            for game in (pair.game, "2345678923"):
                for person in (people[2], None):
                    answer = await fetch(service, path.format(game), person)
                    answers.append((answer.status_code, answer.text.replace(game, "")))
            assert {status for status, _ in answers} == {404}
            own = await fetch(service, path.format(pair.game), people[0])
            assert own.status_code == 200

    async def test_is_in_no_list(self, service, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 2)
            visitor = await arrive()
            visitor.send({"t": "watch"})
            assert pair.game not in json.dumps(await visitor.next("lobby"))
            page = await fetch(service, f"/player/{people[0].name}", people[2])
            assert pair.game not in page.text


class TestASpectator:
    @pytest.mark.parametrize(
        ("what", "fields"),
        [
            ("play", {"ply": 2, "move": "9-14"}),
            ("resign", {}),
            ("abort", {}),
            ("offer_draw", {}),
            ("accept_draw", {}),
            ("claim_draw", {}),
            ("offer_takeback", {}),
            ("accept_takeback", {}),
            ("claim_gone", {}),
            ("set_chat", {}),
            ("say", {"phrase": "hello"}),
            ("offer_rematch", {}),
        ],
    )
    async def test_has_no_say(self, service, store, arrive, people, what, fields):
        async with seated(service, people[0], people[1], private=False) as pair:
            before = await play(pair, 2)
            for spectator in (await arrive(people[2]), await arrive()):
                spectator.send({"t": "follow", "game": pair.game})
                await spectator.next("game")
                answer = await spectator.do(pair.game, what, **fields)
                assert answer["t"] == "no"
                assert answer["code"] in ("not_player", "needs_session")
            assert moves(store, pair.game) == before
            assert replay(store.games.events(pair.game)).playing


class TestMoves:
    async def test_for_the_other_side(self, service, store, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 2)
            white = await arrive(people[1])
            answer = await white.do(pair.game, "play", ply=2, move="9-14")
            assert (answer["t"], answer["code"]) == ("no", "not_your_turn")
            assert moves(store, pair.game) == before

    @pytest.mark.parametrize(
        ("ply", "move", "code"),
        [
            (1, "22-17", "stale"),
            (3, "22-17", "stale"),
            (2**53, "22-17", "stale"),
            (2, "1-2", "illegal_move"),
            (2, "32-28", "illegal_move"),
            (2, "", "illegal_move"),
            (2, "11x18x25x32", "illegal_move"),
            (2, "\u202e11-15", "illegal_move"),
        ],
    )
    async def test_that_cannot_be(self, service, store, arrive, people, ply, move, code):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 2)
            black = await arrive(people[0])
            answer = await black.do(pair.game, "play", ply=ply, move=move)
            assert (answer["t"], answer["code"]) == ("no", code)
            assert answer["message"]
            assert moves(store, pair.game) == before

    async def test_that_come_twice_are_played_once(self, service, store, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 2)
            black, again = await arrive(people[0]), await arrive(people[0])
            move = str(pair.one.boards[pair.game].positions[-1].legal_moves[0])
            frame = doing(pair.game, "one-and-the-same", ply=2, move=move)
            first = await asyncio.gather(*(who.ask(dict(frame)) for who in (black, again) * 5))
            assert {answer["t"] for answer in first} == {"ack"}
            assert len(moves(store, pair.game)) == 3

    async def test_taken_back_do_not_come_back_by_themselves(self, service, store, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 2)
            black = await arrive(people[0])
            move = str(pair.one.boards[pair.game].positions[-1].legal_moves[0])
            frame = doing(pair.game, "sent-before", ply=2, move=move)
            await black.ask(dict(frame))
            await pair.one.do(pair.game, "offer_takeback")
            await pair.two.do(pair.game, "accept_takeback")
            await black.ask(dict(frame))
            events = store.games.events(pair.game)
            assert [str(move) for move in replay(events).history.moves] == before


class TestSettling:
    @pytest.mark.parametrize("ends", [("resign", "resign"), ("accept_draw", "resign")])
    async def test_by_ends_that_race_happens_once(self, service, store, arrive, people, ends):
        balances = [store.ledger.balance(person.id) for person in people[:2]]
        async with seated(service, people[0], people[1], stake=100, rated=True) as pair:
            await play(pair, 4)
            if "accept_draw" in ends:
                await pair.one.do(pair.game, "offer_draw")
            sockets = [await arrive(people[number % 2]) for number in range(10)]
            answers = await asyncio.gather(
                *(
                    attacker.do(pair.game, ends[number % len(ends)])
                    for number, attacker in enumerate(sockets)
                )
            )
            assert {answer["t"] for answer in answers} == {"ack", "no"}
            events = store.games.events(pair.game)
            assert sum(isinstance(event, Settled) for event in events) == 1
        changes = [
            store.ledger.balance(person.id) - before
            for person, before in zip(people, balances, strict=False)
        ]
        assert sum(changes) == 0
        assert abs(changes[0]) in (0, 100)
        assert store.ledger.check() == []

    async def test_with_a_stake_that_is_not_there(self, service, store, arrive):
        poor = list(enrol(store, 2, chips=40))
        one, two = await arrive(poor[0]), await arrive(poor[1])
        seek = {"t": "seek", "control": control(), "stake": 50, "private": True}
        answer = await one.ask(seek)
        if answer["t"] == "ack":
            answer = await two.ask({"t": "join", "seek": answer["code"]})
        assert (answer["t"], answer["code"]) == ("no", "not_enough_chips")
        assert [store.ledger.balance(person.id) for person in poor] == [40, 40]

    async def test_with_the_same_chips_at_two_boards(self, service, store, arrive):
        poor = list(enrol(store, 3, chips=50))
        sockets = [await arrive(person) for person in (*poor, poor[0])]
        codes = []
        days = {"kind": "days", "initial": 24 * 60 * 60 * 1000}
        for attacker in sockets[1:3]:
            seek = {"t": "seek", "control": days, "stake": 50, "private": True}
            codes.append((await attacker.ask(seek))["code"])
        answers = await asyncio.gather(
            *(
                attacker.ask({"t": "join", "seek": code})
                for attacker, code in zip((sockets[0], sockets[3]), codes, strict=True)
            )
        )
        assert sorted(answer["t"] for answer in answers) == ["ack", "no"]
        assert store.ledger.balance(poor[0].id) == 0
        assert store.ledger.check() == []

    @pytest.mark.parametrize("stake", [-50, 1, 2**53, 2**63, 0.5, "50", None])
    async def test_for_a_stake_that_no_room_has(self, arrive, people, stake):
        attacker = await arrive(people[0])
        answer = await attacker.ask({"t": "seek", "control": control(), "stake": stake})
        assert answer["t"] == "no"


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "increment", "initial": 0, "increment": 0},
        {"kind": "increment", "initial": -1, "increment": 0},
        {"kind": "increment", "initial": 2**62, "increment": 0},
        {"kind": "days", "initial": 1},
        {"kind": "forever"},
        {},
        [],
    ],
)
async def test_a_clock_that_cannot_be(arrive, people, wrong):
    attacker = await arrive(people[0])
    answer = await attacker.ask({"t": "seek", "control": wrong})
    if wrong == {}:  # the clock without time
        assert answer["t"] in ("ack", "no")
    else:
        assert answer["t"] == "no"
