"""What players and spectators see of a game, in the shapes that go over the wire."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from tests.play.sitting import BLACK, DORA, NOW, WHITE, WIM, Sitting

from kingme import Side
from kingme.play.commands import (
    Abort,
    AcceptRematch,
    ClaimDraw,
    OfferDraw,
    OfferRematch,
    OfferTakeback,
    Resign,
    Say,
    SetChat,
    Wake,
)
from kingme.play.events import Settled, Share
from kingme.play.game import apply, decide
from kingme.play.room import DEFAULT_ROOMS
from kingme.play.views import HIDDEN, clock_view, event_view, game_view, outcome_view

OPENING = "11-15 22-18 15x22"
PEOPLE = {DORA: {"id": DORA, "name": "Dora"}, WIM: {"id": WIM, "name": "Wim"}}
VIEWERS = [BLACK, WHITE, None]


def seen(sitting: Sitting, viewer: Side | None = None) -> dict[str, Any]:
    """The view as it arrives in a browser."""
    view = game_view(sitting.state, "GAME", viewer, PEOPLE)
    shown: dict[str, Any] = json.loads(msgspec.json.encode(view))
    return shown


def events_seen(sitting: Sitting, viewer: Side | None) -> list[dict[str, Any]]:
    return [event_view(event, viewer, sitting.state) for event in sitting.log]


def test_a_game_as_it_is_shown():
    terms = DEFAULT_ROOMS["passport"].terms(10)
    game = Sitting(rated=True, terms=terms, rematch_of="BEFORE").play(OPENING, take=1_000)
    assert seen(game, WHITE) == {
        "id": "GAME",
        "version": 4,
        "variant": "english",
        "preset": "standard",
        "start": None,
        "moves": ["11-15", "22-18", "15x22"],
        "control": {"kind": "increment", "initial": 300_000, "increment": 3_000},
        "text": "5+3",
        "speed": "blitz",
        "clock": {"left": [302_000, 300_000], "running": "W", "since": NOW + 3_000},
        "status": "playing",
        "outcome": None,
        "black": {"id": DORA, "name": "Dora"},
        "white": {"id": WIM, "name": "Wim"},
        "rated": True,
        "private": False,
        "room": "passport",
        "stake": 10,
        "terms": json.loads(msgspec.json.encode(terms)),
        "you": "W",
        "draw": None,
        "takeback": None,
        "rematch": None,
        "chat": {"black": False, "white": False, "lines": []},
        "next": None,
        "rematchOf": "BEFORE",
        "startedAt": NOW,
        "endedAt": None,
        "settled": None,
        "startDeadline": None,
    }


def test_people_who_are_not_known_are_shown_by_their_id():
    view = game_view(Sitting().state, "GAME", None, {})
    assert (view.black, view.white) == ({"id": DORA}, {"id": WIM})


def test_the_deadline_of_the_first_moves_is_shown():
    game = Sitting()
    assert seen(game)["startDeadline"] == NOW + 30_000
    assert seen(game.play("11-15", take=500))["startDeadline"] == NOW + 30_500
    assert seen(game)["clock"]["running"] is None
    assert seen(Sitting("no clock"))["startDeadline"] is None


def test_offers_are_shown_to_everybody():
    game = Sitting().play(OPENING)
    game.do(OfferDraw, WHITE)
    game.do(OfferTakeback, BLACK)
    for viewer in VIEWERS:
        assert (seen(game, viewer)["draw"], seen(game, viewer)["takeback"]) == ("W", "B")
    game.do(Resign, WHITE)
    game.do(OfferRematch, WHITE)
    assert seen(game)["rematch"] == "W"
    game.do(AcceptRematch, BLACK, game="NEXT")
    assert (seen(game)["rematch"], seen(game)["next"]) == (None, "NEXT")


def test_spectators_do_not_see_the_talk():
    game = Sitting().play(OPENING)
    game.do(SetChat, BLACK, on=True)
    game.do(SetChat, WHITE, on=True)
    game.do(Say, BLACK, phrase="hello", id="secret-id")
    game.wait(9).do(Say, WHITE, text="secret text")
    assert seen(game, BLACK)["chat"] == {
        "black": True,
        "white": True,
        "lines": [
            {"side": "B", "at": NOW, "phrase": "hello"},
            {"side": "W", "at": NOW + 9, "text": "secret text"},
        ],
    }
    assert seen(game)["chat"] is None
    shown = events_seen(game, None)
    assert shown[-4:] == [HIDDEN] * 4
    assert "secret" not in json.dumps([seen(game), shown])
    talk = events_seen(game, WHITE)[-4:]
    assert [event["kind"] for event in talk] == ["chat_set", "chat_set", "said", "said"]
    assert talk[-1] == {"kind": "said", "side": "W", "text": "secret text", "at": NOW + 9}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_event_shows_the_id_of_its_command(viewer):
    game = Sitting()
    game.do(Say, BLACK, phrase="hello", id="secret-id")
    game.do(Resign, BLACK, id="secret-id-2")
    assert "secret" not in json.dumps(events_seen(game, viewer))
    assert "command" not in json.dumps(events_seen(game, viewer))


def test_events_in_camel_case_without_their_defaults():
    game = Sitting().play(OPENING, take=1_000)
    assert event_view(game.log[3], None) == {
        "kind": "moved",
        "at": NOW + 3_000,
        "side": "B",
        "ply": 2,
        "move": "15x22",
        "spent": 1_000,
    }
    assert event_view(Sitting(rematch_of="X").log[0], None)["rematchOf"] == "X"


def test_the_event_that_ends_a_game_tells_its_outcome():
    game = Sitting(start="W:W18:B14").play("18x9")
    outcome = {
        "winner": "W",
        "termination": "no_pieces",
        "result": "0-1",
        "text": "White wins: Black has no piece left.",
    }
    assert seen(game)["outcome"] == outcome
    assert event_view(game.log[-1], None, game.state)["outcome"] == outcome
    assert "outcome" not in event_view(game.log[-1], None)
    assert "outcome" not in event_view(game.log[0], None, game.state)
    assert seen(game)["endedAt"] == NOW


def test_how_a_game_ended_is_said():
    def text(sitting):
        return outcome_view(sitting.state)

    def game():
        return Sitting().play(OPENING)

    assert text(game()) is None
    late = game().wait(10**6)
    late.do(Wake)
    drawn = Sitting(start="W:WK29,K32,21:BK1,K4", preset="tournament").shuffle(15)
    drawn.do(ClaimDraw, BLACK, move="6-1")
    assert [(text(late).result, text(late).text), (text(drawn).result, text(drawn).text)] == [
        ("1-0", "Black wins: White's time ran out."),
        ("1/2-1/2", "Draw: the same position came again and again."),
    ]


def test_a_game_that_was_called_off_has_no_result():
    game = Sitting().play("11-15")
    game.do(Abort, WHITE)
    assert seen(game)["status"] == "aborted"
    assert seen(game)["outcome"] == {
        "winner": None,
        "termination": "aborted",
        "result": "*",
        "text": "White called the game off.",
    }
    game = Sitting().play("11-15").wait(10**6)
    game.do(Wake)
    assert seen(game)["outcome"]["text"] == "The game was called off: White did not begin in time."


def test_the_clock_of_a_game_that_is_over_stands():
    game = Sitting().play(OPENING).wait(5_000)
    game.do(Resign, BLACK)
    clock = clock_view(game.state)
    assert (clock.left, clock.running, clock.since) == ((303_000, 295_000), None, None)


def test_what_a_game_brought_is_shown():
    game = Sitting(rated=True).play(OPENING)
    game.do(Resign, WHITE)
    black, white = Share(chips=10, points=5, rating=1500, rating_after=1512), Share(points=1)
    settled = Settled(at=NOW, black=black, white=white)
    game.state = apply(game.state, settled)
    shown = {
        "at": NOW,
        "black": {"chips": 10, "points": 5, "rating": 1500, "ratingAfter": 1512},
        "white": {"points": 1},
    }
    assert seen(game)["settled"] == shown
    assert event_view(settled, None) == {"kind": "settled", **shown}


def test_looking_changes_nothing():
    game = Sitting().play(OPENING)
    state = game.state
    for viewer in VIEWERS:
        seen(game, viewer)
    event_view(game.log[-1], None)["kind"] = "changed"
    assert game.state is state
    assert decide(state, Wake(by=None), NOW) == ()
    assert HIDDEN == {"kind": "hidden"}
