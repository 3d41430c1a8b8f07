"""Zobrist keys: the same for the same, others for others, and step by step."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import VARIANTS, Board, Piece, Position, Side
from kingme.rules import hashing

CHOICES = st.lists(st.integers(0, 40), max_size=80)
NAMES = st.sampled_from(sorted(VARIANTS))


def walk(choices, name):
    board = Board(variant=name)
    for choice in choices:
        if not board.legal_moves:
            break
        board.push(board.legal_moves[choice % len(board.legal_moves)])
    return board.history.positions


@pytest.mark.parametrize(
    ("fen", "key"),
    [
        ("W:WK1:BK32", "d509c8aadf6e7ee9"),
        ("B:W25,26:B22", "edc017c01bbd685"),
    ],
)
def test_a_key_is_the_same_for_ever(fen, key):
    assert f"{Position.from_fen(fen).key:x}" == key


@given(CHOICES, NAMES)
def test_a_key_is_followed_move_by_move(choices, name):
    positions = walk(choices, name)
    key = positions[0].key
    for old, new in pairwise(positions):
        key = hashing.step(key, old, new)
        assert key == new.key
    assert 0 <= key < 2**64


@given(CHOICES, CHOICES, NAMES)
def test_keys_tell_positions_apart(one, other, name):
    seen: dict[int, Position] = {}
    for position in (*walk(one, name), *walk(other, name)):
        assert seen.setdefault(position.key, position) == position


def test_all_that_makes_a_position_makes_the_key():
    man, king = Piece(Side.WHITE), Piece(Side.WHITE, king=True)
    some = [
        Position.of(pieces, turn)
        for turn in Side
        for pieces in (
            {10: man, 1: Piece(Side.BLACK)},
            {10: king, 1: Piece(Side.BLACK)},
            {11: man, 1: Piece(Side.BLACK)},
            {10: man, 1: Piece(Side.BLACK, king=True)},
            {10: Piece(Side.BLACK), 1: king},
        )
    ]
    assert len({position.key for position in some}) == len(some)


def test_variants_have_keys_of_their_own():
    starts = [Position.start(variant) for variant in VARIANTS.values()]
    assert len({position.key for position in starts}) == len(starts)
    english, russian = Position.start(), Position.start(VARIANTS["russian"])
    assert hashing.step(english.key, english, russian) == russian.key
