"""``kingme ballots``: what it lists, draws and writes."""

from __future__ import annotations

import pytest

from kingme import History, Position, pdn
from kingme.engine.match import openings
from kingme.rules.ballots import DECKS, ELEVEN_MAN, THREE_MOVE

from .calling import kingme

__all__ = ["kingme"]


def test_a_deck_is_listed(kingme):
    lines = kingme("ballots").out.splitlines()
    assert len(lines) == 174
    assert lines[2] == "three-move ballot 3: 9-13 21-17 10-14  (barred)"
    assert lines[4] == "three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9  (playable)"
    assert len(kingme("ballots", "--drawn").out.splitlines()) == 156
    named = kingme("ballots", "--deck", "named").out.splitlines()
    assert named[0] == "named 1 Edinburgh: 9-13"


def test_some_are_asked_for_by_number_or_name(kingme):
    assert kingme("ballots", "174", "5").out.splitlines() == [
        f"{ballot}  (playable)" for ballot in (THREE_MOVE[174], THREE_MOVE[5])
    ]
    assert kingme("ballots", "black", "HOLE").out == (
        "three-move ballot 60, Black Hole: 10-14 22-17 9-13  (playable)\n"
    )
    assert kingme("ballots", "312", "--deck", "eleven-man").out == (
        "eleven-man ballot 312 without 12 and 28: 10-14 21-17  (lost)\n"
    )


@pytest.mark.parametrize("deck", DECKS)
def test_json_has_all_there_is(kingme, deck):
    told = kingme("ballots", "7", "--deck", deck, "--json").json
    ballot = DECKS[deck][7]
    assert told == [
        {
            "deck": deck,
            "number": 7,
            "name": ballot.name,
            "status": ballot.status,
            "barred": ballot.barred,
            "removed": list(ballot.removed),
            "moves": list(ballot.moves),
            "fen": ballot.position.fen,
        }
    ]


@pytest.mark.parametrize("deck", ["three-move", "eleven-man"])
def test_what_is_written_is_a_file_of_openings_for_a_match(kingme, deck):
    words = ("ballots", "5", "60", "12", "--deck", deck)
    wanted = [DECKS[deck][number] for number in (5, 60, 12)]
    fens = openings(kingme(*words, "--fen").out)
    assert [game.position for game in fens] == [ballot.position for ballot in wanted]
    text = kingme(*words, "--pdn").out
    assert openings(text) == [ballot.history for ballot in wanted]
    games = list(pdn.read(text))
    assert [game.tags["Round"] for game in games] == ["5", "60", "12"]
    assert not any(game.notes for game in games)


def test_a_draw_by_lot(kingme):
    words = ("ballots", "--draw", "40", "--deck", "eleven-man", "--fen")
    drawn = kingme(*words, "--seed", "3").out
    assert drawn == kingme(*words, "--seed", "3").out != kingme(*words, "--seed", "4").out
    known = {ballot.position for ballot in ELEVEN_MAN.drawn}
    lines = drawn.splitlines()
    assert len(lines) == 40
    assert {Position.from_fen(line.split()[0]) for line in lines} <= known
    assert all(History.start(line.split()[0]).position.legal_moves for line in lines)


def test_what_there_is_not(kingme):
    assert kingme.refused("ballots", "175") == (
        "the deck three-move has no number 175: they run from 1 to 174"
    )
    assert "has no number" in kingme.refused("ballots", "9" * 5000)
    assert kingme.refused("ballots", "no", "such") == (
        "no opening in any deck has 'no such' in its name"
    )
    assert "in the deck two-move" in kingme.refused("ballots", "dundee", "--deck", "two-move")
    for words in (("--deck", "x"), ("--fen", "--json"), ("--draw", "0")):
        done = kingme("ballots", *words)
        assert done.code == 2 and "Traceback" not in done.err


def test_more_than_there_are_is_told(kingme):
    done = kingme("ballots", "--draw", "157")
    assert done.err == "note: there are only 156 to draw from, so that some come more than once\n"
    assert kingme("ballots", "--draw", "156").err == ""
