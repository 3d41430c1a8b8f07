"""Traps: texts and positions that programs get wrong, each with its right value."""

import pytest

from kingme import (
    VARIANTS,
    AmbiguousMoveError,
    FenError,
    History,
    IllegalMoveError,
    Outcome,
    Piece,
    Position,
    Side,
    Termination,
)

INTERNATIONAL = VARIANTS["international"]
#: a king has its way around a loop: two orders of the same captures
LOOP = "B:WK1,7,K8,K15,K16,21,28,29:BK3,11"


def test_ranges_are_read_on_the_board_that_they_are_for():
    text = "W:W31-50:B1-20"
    position = Position.from_fen(text, INTERNATIONAL)
    assert position == Position.start(INTERNATIONAL)
    assert position.fen == Position.start(INTERNATIONAL).fen
    with pytest.raises(FenError, match="'31-50' is no square: they run from 1 to 32") as refused:
        Position.from_fen(text)
    assert (refused.value.token, refused.value.column) == ("31-50", 4)


def test_kings_in_lists_with_a_dot_at_the_end():
    position = Position.from_fen("W:WK27,K23:BK28,12.")
    assert position.pieces == {
        12: Piece(Side.BLACK),
        23: Piece(Side.WHITE, king=True),
        27: Piece(Side.WHITE, king=True),
        28: Piece(Side.BLACK, king=True),
    }


def test_a_side_without_pieces_has_lost():
    position = Position.from_fen("B:W32:B")
    assert position.legal_moves == ()
    assert position.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)
    assert Position.from_fen("B:W32").outcome == position.outcome


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("W:W1:B32", "White has a man on 1, its crown row"),
        ("W::.", "names no pieces"),
        ("W:W:B", "there is no piece on the board"),
        ("W:WK1,1:B9", "square 1 is named twice"),
        ("W:W9:B9", "square 9 is named twice"),
        ("W:W12-9:B1", "runs backward"),
    ],
)
def test_positions_that_cannot_be_are_refused(text, reason):
    with pytest.raises(FenError, match=reason):
        Position.from_fen(text)


@pytest.mark.parametrize("text", ["3x10x19x12x3", "3x12x19x10x3"])
def test_a_loop_can_be_taken_in_two_orders(text):
    position = Position.from_fen(LOOP)
    move = position.parse(text)
    assert str(move) == text
    assert (move.start, move.end) == (3, 3)
    assert sorted(move.captures) == [7, 8, 15, 16]
    assert position.play(move).fen == "W:WK1,21,28,29:BK3,11"


def test_both_orders_of_a_loop_are_one_result_for_a_short_text():
    position = Position.from_fen(LOOP)
    assert position.play("3x3") == position.play("3x12x19x10x3")


def test_a_short_text_that_fits_different_captures_is_ambiguous():
    position = Position.from_fen("W:W15,21,25,26,28,30,31,32:B1,2,4,6,8,10,11,13,18,19,27")
    with pytest.raises(AmbiguousMoveError, match="32x7 can mean") as refused:
        position.parse("32x7")
    assert len(refused.value.candidates) == 2
    results = {position.play(text).fen for text in refused.value.candidates}
    assert len(results) == 2


def test_a_man_that_is_crowned_by_a_capture_stops():
    position = Position.from_fen("B:W26,27:B22")
    assert [str(move) for move in position.legal_moves] == ["22x31"]
    assert position.play("22x31").fen == "W:W27:BK31"
    with pytest.raises(IllegalMoveError):
        position.play("22x31x24")
    # The same position elsewhere: goes on as a king, goes on as a man.
    russian = Position.from_fen("B:W26,27:B22", VARIANTS["russian"])
    assert {move.captures for move in russian.legal_moves} == {(26, 27)}
    assert not russian.play(russian.legal_moves[0]).white
    pool = Position.from_fen("B:W26,27:B22", VARIANTS["pool"])
    assert [str(move) for move in pool.legal_moves] == ["22x31x24"]
    assert pool.play("22x31x24").fen == "W:W:B24"


def test_a_game_is_won_only_after_the_jump():
    history = History.start("W:WK29:BK25")
    assert history.outcome() is None
    assert [str(move) for move in history.position.legal_moves] == ["29x22"]
    assert history.play("29x22").outcome() == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_a_captured_piece_stays_in_the_way_until_the_end():
    # The king may not jump 27 twice, and 27, though captured, bars the way back.
    position = Position.from_fen("W:WK49:B13,22,27,34,43", INTERNATIONAL)
    most = max(len(move.captures) for move in position.legal_moves)
    assert all(len(set(move.captures)) == most for move in position.legal_moves)
