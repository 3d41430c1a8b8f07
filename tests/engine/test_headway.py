"""Winning without distances: the way to headway is the shortest, and always comes to a win."""

from __future__ import annotations

import itertools
import random

import pytest
from tests.engine.endings import some

from kingme import Position
from kingme.engine.endgames import Tables, Value
from kingme.engine.endgames.guide import makes_headway
from kingme.engine.endgames.headway import Headway
from kingme.rules.moves import Move


@pytest.fixture(scope="module")
def solved() -> Tables:
    return Tables.have()


def asked_for(tables: Tables, headway: Headway, position: Position) -> int | None:
    """The plies to headway that the moves from a position ask for, by the rules."""

    def loses(move: Move) -> bool:
        after = position.after(move)
        return not after.legal_moves or tables.value(after) is Value.LOSS

    for_good = [move for move in position.legal_moves if makes_headway(position, move)]
    others = [headway.plies(position.after(m)) for m in position.legal_moves if m not in for_good]
    known = [plies for plies in others if plies is not None]
    if position.turn is headway.winner:
        return 1 if any(map(loses, for_good)) else min(known, default=-2) + 1
    return max(known) + 1 if others else 0


def test_headway_is_as_far_as_the_moves_ask_for(solved):
    chance = random.Random(3)
    far = 0
    broken_off = itertools.cycle((False, True))
    for first in some(solved, Value.WIN, 12, 9):
        position = first
        headway = Headway.of(position, position.turn, solved.directory)
        assert headway is not None
        while not headway.done:  # it may be broken off at any time
            headway.work(lambda: next(broken_off))
        for _ in range(12):
            plies = headway.plies(position)
            assert plies == asked_for(solved, headway, position), position.fen
            far = max(far, plies or 0)
            ways = [m for m in position.legal_moves if not makes_headway(position, m)]
            ways = [m for m in ways if headway.plies(position.after(m)) is not None]
            if not ways:
                break
            position = position.after(chance.choice(ways))
    assert far > 4


def test_what_is_not_won_has_no_headway(solved):
    draw = some(solved, Value.DRAW, 1, 3)[0]
    headway = Headway.of(draw, draw.turn, solved.directory)
    assert headway is not None
    headway.work(lambda: False)
    assert headway.plies(draw) is None


def test_too_many_placings_are_left_to_the_search(solved):
    kings = Position.from_fen("W:WK1,K2,K3:BK30,K31,K32")
    assert Headway.of(kings, kings.turn, solved.directory) is None
