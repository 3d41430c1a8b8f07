"""The three-move ballots: each is replayed, and none leads where another does."""

import pytest

from kingme.rules.ballots import BALLOTS, ballot_of
from kingme.rules.position import Position


def test_the_deck():
    assert list(BALLOTS) == list(range(1, 175))
    assert sum(ballot.barred for ballot in BALLOTS.values()) == 18
    assert sum(ballot.status == "playable" for ballot in BALLOTS.values()) == 156
    assert len({ballot.position for ballot in BALLOTS.values()}) == 174


@pytest.mark.parametrize("number", BALLOTS)
def test_each_line_is_legal_and_found_again(number):
    ballot = BALLOTS[number]
    position = Position.start()
    for move in ballot.moves:
        position = position.play(position.parse(move))
    assert ballot.position == position
    assert ballot_of(position) is ballot


def test_what_is_no_ballot():
    assert ballot_of(Position.start()) is None
    barred = BALLOTS[3]
    assert barred.status == "barred" and not barred.name
    assert str(barred) == "3: 9-13 21-17 10-14"
