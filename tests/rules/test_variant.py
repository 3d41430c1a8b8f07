"""Variants as data: English is complete, others are refused until they can be played."""

import dataclasses

import pytest

from kingme import ENGLISH, VARIANTS, Position, Side, VariantError, perft
from kingme.rules.variant import Variant

SMALL = Variant(
    name="english 6x6", title="English on 6x6", game_type=None, rows=6, columns=6, men=6
)


def test_english_is_the_record_of_the_rules():
    assert ENGLISH.first is Side.BLACK
    assert list(ENGLISH.start_squares(Side.BLACK)) == list(range(1, 13))
    assert list(ENGLISH.start_squares(Side.WHITE)) == list(range(21, 33))
    assert ENGLISH.game_type == 21
    assert VARIANTS["english"] is ENGLISH


def test_another_board_size_is_only_another_record():
    # Counts of English draughts on 6x6, published with the dctl test suite.
    assert [perft(Position.start(SMALL), depth) for depth in range(1, 9)] == [
        5, 25, 106, 369, 1271, 4104, 12495, 37474,
    ]  # fmt: skip


@pytest.mark.parametrize(("men", "behind"), [(11, 0), (20, 0), (12, 2)])
def test_men_that_do_not_fit_are_refused(men, behind):
    with pytest.raises(VariantError, match="do not fill whole rows"):
        Variant(name="odd", title="Odd", game_type=None, men=men, rows_behind=behind)


def test_men_may_stand_away_from_the_edge():
    turkish = Variant(name="t", title="T", game_type=None, men=8, rows_behind=1)
    assert list(turkish.start_squares(Side.BLACK)) == list(range(5, 13))
    assert list(turkish.start_squares(Side.WHITE)) == list(range(21, 29))


def test_equality_compares_the_whole_record():
    assert dataclasses.replace(ENGLISH) == ENGLISH
    assert dataclasses.replace(ENGLISH, men=8) != ENGLISH
    assert hash(dataclasses.replace(ENGLISH)) == hash(ENGLISH)


def test_a_variant_has_a_name_wherever_a_position_begins():
    russian = VARIANTS["russian"]
    start = Position.start("russian")
    assert start == Position.start(russian)
    assert Position.from_fen(start.fen, "russian") == start
    with pytest.raises(ValueError, match="there is no variant 'chess': there are english"):
        Position.start("chess")
