"""Numbers and bytes: keys that mirror images share, moves that come out as they went in."""

import random

import pytest

from kingme.collection.packing import (
    code_of,
    date_number,
    folded,
    key_of,
    mass_of,
    packed,
    paths,
)
from kingme.rules import hashing
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS

from .made import played


@pytest.mark.parametrize("name", VARIANTS)
def test_a_position_and_its_mirror_image_have_one_key(name):
    history = played(Position.start(VARIANTS[name]), random.Random(name), 60)
    for position in history.positions:
        turned = position.mirrored()
        assert key_of(turned) == key_of(position)
        assert mass_of(turned) == mass_of(position)
        geometry = position.variant.geometry
        assert {move.mirrored(geometry) for move in position.legal_moves} == set(turned.legal_moves)


@pytest.mark.parametrize("name", VARIANTS)
def test_moves_come_out_as_they_went_in_and_have_numbers_of_their_own(name):
    history = played(Position.start(VARIANTS[name]), random.Random(name), 60)
    assert paths(packed(history.moves)) == [move.path for move in history.moves]
    for position in history.positions:
        legal = position.legal_moves
        codes = {code_of(move, legal) for move in legal}
        assert len(codes) == len(legal)
        assert all(0 < code < 1 << 17 for code in codes)


def test_keys_tell_positions_apart():
    start = Position.start()
    seen = {key_of(start)}
    for move in start.legal_moves:
        seen.add(key_of(start.play(move)))
    assert len(seen) == 8
    assert key_of(Position.start(VARIANTS["russian"])) not in seen
    one = Position.from_fen("B:WK3:B12")
    other = Position.from_fen("W:WK3:B12")
    assert key_of(one) != key_of(other)
    assert key_of(one) == key_of(Position.from_fen("W:W21:BK30"))
    assert all(-(2**63) <= key < 2**63 for key in seen)


def test_a_key_stays_what_it_is():
    # Files hold it: a change needs a new VERSION.
    assert key_of(Position.start(ENGLISH)) == hashing.key(Position.start(ENGLISH))
    assert key_of(Position.start(ENGLISH)) == 6977086364295410143


def test_two_ways_around_one_square_are_two_moves():
    position = Position.from_fen("B:WK1,7,8,15,16:BK3,K11,K10", strict=False)
    legal = position.legal_moves
    assert len({code_of(move, legal) for move in legal}) == len(legal)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1904.12.03", 19041203),
        ("1904-12-3", 19041203),
        ("1904", 19040000),
        ("1904.12", 19041200),
        ("1904.12.??", 19041200),
        ("03.12.1904", 19041203),
        ("?.12.1904", None),
        ("1904.13.01", None),
        ("????.??.??", None),
        ("", None),
        ("spring of 1904", None),
    ],
)
def test_dates(text, number):
    assert date_number(text) == number


def test_names_are_folded():
    assert folded("  DÉSIRÉ\tRanjatoelina ") == "desire ranjatoelina"
    assert folded("Straße") == "strasse"


def test_a_move_with_many_landings():
    move = Move((1, 10, 19, 28), (6, 15, 24))
    assert packed([move, Move((5, 9))]) == bytes([1, 10, 19, 28 | 128, 5, 9 | 128])
