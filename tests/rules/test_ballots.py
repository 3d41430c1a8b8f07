"""The decks: every line is replayed, and leads where independent sources say."""

from __future__ import annotations

import csv
import hashlib
import random
from pathlib import Path

import pytest

from kingme import History, Position
from kingme.rules.ballots import (
    DECKS,
    ELEVEN_MAN,
    NAMED,
    THREE_MOVE,
    TWO_MOVE,
    ballot_of,
    find,
    opening_of,
)

DATA = Path(__file__).parents[1] / "data" / "ballots.tsv"
ELEVEN_MAN_FENS = "5d6467d79603bc1e8a2a0d360da4024e21b7d2a25e9614f66a07de9f95427d0f"
"""SHA-256 of the positions of all eleven-man ballots in a published list, a FEN a line."""


def published():
    with DATA.open(newline="") as file:
        return [
            (row["deck"], row["moves"], row["fen"]) for row in csv.DictReader(file, delimiter="\t")
        ]


def test_the_sizes_of_the_decks():
    sizes = {name: (len(deck), len(deck.drawn)) for name, deck in DECKS.items()}
    assert sizes["three-move"] == (174, 156)
    assert sizes["two-move"] == (49, 43)
    assert sizes["eleven-man"] == (2500, 2400)
    for deck in DECKS.values():
        assert list(deck) == list(range(1, len(deck) + 1))
        assert repr(deck).startswith(f"<Deck {deck.name}: ")


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.name)
def test_each_line_is_legal_and_found_again(deck):
    for number, ballot in deck.items():
        position = ballot.start
        for move in ballot.moves:
            legal = [str(known) for known in position.legal_moves]
            assert move in legal, ballot
            position = position.play(move)
        assert ballot.number == number and ballot.deck == deck.name
        assert ballot.position == position == ballot.history.position
        known = ballot_of(position, deck)
        assert known is ballot or (known and deck is NAMED and known.position == position)
        assert position.legal_moves


@pytest.mark.parametrize("deck", [THREE_MOVE, TWO_MOVE, ELEVEN_MAN], ids=lambda deck: deck.name)
def test_no_two_ballots_of_a_deck_lead_to_one_position(deck):
    assert len({ballot.position for ballot in deck.values()}) == len(deck)


def test_two_moves_are_all_that_there_are():
    after = {
        position.play(move)
        for first in Position.start().legal_moves
        for position in [Position.start().play(first)]
        for move in position.legal_moves
    }
    assert {ballot.position for ballot in TWO_MOVE.values()} == after


@pytest.mark.parametrize("name", ["three-move", "two-move", "named"])
def test_positions_are_those_of_published_lists(name):
    deck = DECKS[name]
    rows = [(moves, fen) for kind, moves, fen in published() if kind == name]
    own = [(" ".join(ballot.moves), ballot.position.fen) for ballot in deck.values()]
    if name == "named":  # six names of first moves come before
        assert [len(ballot.moves) for ballot in list(deck.values())[:6]] == [1] * 6
        own = own[6:]
    assert own == rows


def test_eleven_man_positions_are_those_of_a_published_list():
    fens = "\n".join(ballot.position.fen for ballot in ELEVEN_MAN.values())
    assert hashlib.sha256(fens.encode()).hexdigest() == ELEVEN_MAN_FENS
    for ballot in ELEVEN_MAN.values():
        black, white = ballot.removed
        assert black < 13 and white > 20
        assert len(ballot.start.pieces) == 22


def test_what_the_decks_say_of_a_ballot():
    barred = THREE_MOVE[3]
    assert (barred.status, barred.barred, barred.name) == ("barred", True, "")
    assert str(barred) == "three-move ballot 3: 9-13 21-17 10-14"
    assert sum(ballot.barred for ballot in THREE_MOVE.values()) == 18
    assert {ballot.status for ballot in TWO_MOVE.values() if ballot.barred} == {"excluded"}
    lost = [ballot for ballot in ELEVEN_MAN.values() if ballot.status == "lost"]
    assert len(lost) == 247 and sum(ballot.barred for ballot in lost) == 100
    assert str(ELEVEN_MAN[312]) == "eleven-man ballot 312 without 12 and 28: 10-14 21-17"


def test_a_draw_depends_on_chance_alone():
    numbers = [THREE_MOVE.draw(random.Random(seed)).number for seed in range(300)]
    assert numbers == [THREE_MOVE.draw(random.Random(seed)).number for seed in range(300)]
    assert len(set(numbers)) > 100
    assert not any(THREE_MOVE[number].barred for number in numbers)


def test_which_ballot_a_game_came_through():
    game = THREE_MOVE[5].history
    assert ballot_of(game) is THREE_MOVE[5]
    later = game.play(game.position.legal_moves[0])
    assert ballot_of(later) is THREE_MOVE[5]
    (two,) = (ballot for ballot in TWO_MOVE.values() if ballot.moves == ("9-13", "22-18"))
    assert ballot_of(game.back(), TWO_MOVE) is two
    assert ballot_of(game.back()) is None
    assert ballot_of(ELEVEN_MAN[7].history, ELEVEN_MAN) is ELEVEN_MAN[7]
    assert ballot_of(ELEVEN_MAN[7].history) is None


def test_what_is_no_ballot():
    assert ballot_of(Position.start()) is None
    assert opening_of(Position.start()) is None
    assert opening_of(History.start("W:WK1:BK32")) is None


def test_openings_have_names():
    assert opening_of(History.start().play("9-13")) is NAMED[1]
    assert opening_of(History.start().play("9-13").play("22-18").play("6-9")) is THREE_MOVE[5]
    assert opening_of(ELEVEN_MAN[7].position) is ELEVEN_MAN[7]
    (ballot,) = find("old FOURTEENTH")
    assert ballot.deck == "named" and opening_of(ballot.position) is ballot
    assert find("no such opening") == []
