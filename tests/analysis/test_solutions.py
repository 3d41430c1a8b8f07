"""Every move of a position by the endgame database: sound, ordered, and as the rules end games."""

from __future__ import annotations

import pytest

from kingme import Position
from kingme.analysis import solutions
from kingme.engine.api import WIN
from kingme.engine.endgames import Tables


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables.have(3)


@pytest.mark.parametrize(
    ("fen", "best", "worst"),
    [
        ("W:WK18,K19:BK3", "win", "win"),
        ("W:W18,25:BK17", "win", "loss"),
        ("W:W16,K23:BK19", "draw", "loss"),
        ("B:WK18,K19:BK3", "loss", "loss"),
        ("W:W5:BK29", "draw", "draw"),
    ],
)
def test_each_move_is_worth_what_follows(tables, fen, best, worst):
    position = Position.from_fen(fen)
    found = solutions(position, tables)
    assert {one.line[0] for one in found} == set(position.legal_moves)
    assert (found[0].result, found[-1].result) == (best, worst)
    assert (found[0].result, found[0].plies) == (
        tables.value(position).value,
        tables.distance(position),
    )
    for one in found:  # a score says how far away the end is
        assert one.result == "draw" or abs(one.score) == WIN - (one.plies or 0)
    assert found[0].line[0] in tables.best_moves(position)
    order = {"win": 2, "draw": 1, "loss": 0, None: -1}
    assert [order[one.result] for one in found] == sorted(
        (order[one.result] for one in found), reverse=True
    )


def test_a_line_leads_to_the_end(tables):
    position = Position.from_fen("W:WK18,K19:BK3")
    for move in solutions(position, tables)[0].line:
        position = position.after(move)
    assert not position.legal_moves
