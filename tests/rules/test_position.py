"""Legal moves and playing them: the cases that programs get wrong, and more of their kind."""

import copy
import pickle
from typing import Any

import pytest

from kingme import (
    ENGLISH,
    History,
    IllegalMoveError,
    Move,
    Piece,
    Position,
    PositionError,
    Side,
    Variant,
)


def texts(fen):
    return {str(move) for move in Position.from_fen(fen).legal_moves}


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # two routes with the same first and last square
        ("W:W27,32:B15,16,23,24", {"27x20x11", "27x18x11"}),
        # a man crowned by a jump stops, though a king could go on
        ("B:W25,26:B22", {"22x29", "22x31"}),
        ("B:W26,27:B22", {"22x31"}),
        ("W:W11:B8,7,K6", {"11x4", "11x2"}),
        # no move: White has lost, and does not pass
        ("W:W5:B1", set()),
        ("W:W5:B1,6", set()),
        # never onto a piece
        ("B:W14,18:B9", {"9-13"}),
        # a king jumps backward, a man does not
        ("B:W9,18:BK23", {"23x14x5"}),
        ("B:W14,18:BK23", {"23-19", "23-26", "23-27"}),
        ("B:W18:B23", {"23-26", "23-27"}),
        # the jump is compulsory even where it loses
        ("B:W15,24:B11,1", {"11x18"}),
        # any jump may be chosen, the short as well as the long
        ("B:W14,15,22:B10", {"10x17x26", "10x19"}),
    ],
)
def test_legal_moves(fen, expected):
    assert texts(fen) == expected


def test_a_king_passes_through_its_own_start_square():
    position = Position.from_fen("W:WK22:B9,10,11,17,18,19,25,26,27")
    assert len(position.legal_moves) == 16
    assert len({position.play(move) for move in position.legal_moves}) == 8
    assert any(move.start in move.path[1:-1] for move in position.legal_moves)


def test_a_loop_may_end_where_it_began():
    position = Position.from_fen("W:WK22:B17,18,10,9")
    loops = [move for move in position.legal_moves if move.start == move.end]
    assert {str(move) for move in loops} == {"22x13x6x15x22", "22x15x6x13x22"}
    after = position.play(loops[0])
    assert after.fen == "B:WK22:B"


def test_no_piece_is_jumped_twice():
    for move in Position.from_fen("W:WK22:B9,10,11,17,18,19,25,26,27").legal_moves:
        assert len(set(move.captures)) == len(move.captures)


def test_a_chain_is_never_left_unfinished():
    position = Position.from_fen("W:W29:B25,18,11")
    assert [str(m) for m in position.legal_moves] == ["29x22x15x8"]
    with pytest.raises(IllegalMoveError, match="not the whole jump") as caught:
        position.play(Move((29, 22), (25,)))
    assert caught.value.legal == ("29x22x15x8",)
    assert caught.value.must_jump == (29,)


def test_other_pieces_wait_when_a_jump_is_due():
    position = Position.from_fen("B:W15:B10,1")
    with pytest.raises(IllegalMoveError, match="a jump is compulsory, with the piece on 10"):
        position.play(Move((1, 5)))


def test_a_move_with_the_wrong_captures_is_refused():
    position = Position.from_fen("B:W15:B10")
    with pytest.raises(IllegalMoveError):
        position.play(Move((10, 19), ()))


@pytest.mark.parametrize(
    ("path", "captures", "words"),
    [
        ((11, 15), (3,), "captures other pieces"),
        ((11,), (), "at least two squares"),
        ((), (), "an empty path is not legal: a move names at least two squares"),
        ((11, 18), (), "the piece on 11 cannot go there"),
    ],
)
def test_moves_that_a_program_made_up_are_refused(path, captures, words):
    with pytest.raises(IllegalMoveError, match=words):
        Position.start().play(Move(path, captures))


def test_a_sides_code_is_taken_for_the_side_and_nothing_else_is():
    pieces = {9: Piece(Side.BLACK), 22: Piece(Side.WHITE)}
    assert Position.of(pieces, "B") == Position.of(pieces, Side.BLACK)  # type: ignore[arg-type]
    turns: tuple[Any, ...] = ("X", None, "black", 0)
    for turn in turns:
        with pytest.raises(PositionError, match="is no side to move"):
            Position.of(pieces, turn)


@pytest.mark.parametrize("fen", ["W:W27,K32:B15", "B:W:B12"])
def test_a_position_shows_how_to_read_it_again(fen):
    position = Position.from_fen(fen)
    assert repr(position) == f"Position.from_fen('{fen}')"
    assert eval(repr(position)) == position


def test_the_representation_names_what_is_unusual():
    impossible = Position.from_fen("W:W2:B9", strict=False)
    assert repr(impossible) == "Position.from_fen('W:W2:B9', strict=False)"
    small = Variant(name="6x6", title="6x6", game_type=None, rows=6, columns=6, men=6)
    assert "<6x6>" in repr(Position.start(small))


def test_crowning_and_capturing_kings():
    after = Position.from_fen("B:W30:B26").play(Move((26, 31)))
    assert after.fen == "W:W30:BK31"
    after = Position.from_fen("W:WK18,5:BK15").play(Move((18, 11), (15,)))
    assert after.fen == "B:W5,K11:B"
    assert after.legal_moves == ()


def test_start_and_pieces():
    start = Position.start()
    assert len(start.pieces) == 24
    assert start.piece_at(1) == Piece(Side.BLACK)
    assert start.piece_at(32) == Piece(Side.WHITE)
    assert start.piece_at(13) is None
    assert start.must_jump == ()
    with pytest.raises(ValueError, match="no square 33"):
        start.piece_at(33)


def test_of_pieces_by_square():
    position = Position.of({18: Piece(Side.WHITE, king=True), 1: Piece(Side.BLACK)}, Side.WHITE)
    assert position.fen == "W:WK18:B1"
    with pytest.raises(PositionError, match="no square 40"):
        Position.of({40: Piece(Side.BLACK)}, Side.BLACK)
    with pytest.raises(PositionError, match="man on 1, its crown row"):
        Position.of({1: Piece(Side.WHITE)}, Side.BLACK)
    with pytest.raises(PositionError, match="Black has 13 pieces"):
        Position.of({n: Piece(Side.BLACK) for n in range(1, 14)}, Side.BLACK)


@pytest.mark.parametrize(
    ("masks", "reason"),
    [
        ((0, 0, 0), "no piece on the board"),
        ((1, 1, 0), "square 1 holds a piece of both sides"),
        ((1, 2, 4), "king is marked on an empty square"),
        ((1 << 8, 1, 0), "no squares of the board"),
        ((1 << 60, 1, 0), "no squares of the board"),
    ],
)
def test_masks_that_are_no_position(masks, reason):
    with pytest.raises(PositionError, match=reason):
        Position(*masks, Side.BLACK)


def test_values_do_not_change_and_compare():
    start = Position.start()
    with pytest.raises(AttributeError):
        start.black = 0
    assert start == Position.from_fen(start.fen)
    assert hash(start) == hash(Position.from_fen(start.fen))
    assert start.variant is ENGLISH


def test_a_text_can_be_played():
    assert Position.start().play("11-15").play("c3-d4").fen.startswith("B:W18,21,23")
    with pytest.raises(IllegalMoveError):
        Position.start().play("11-18")


@pytest.mark.parametrize("fen", ["W:W27,32:B15,16,23,24", "B:W25,26:B22", "W:W7,K22:B1,K10"])
def test_after_a_legal_move_is_what_playing_it_makes(fen):
    position = Position.from_fen(fen)
    for move in position.legal_moves:
        assert position.after(move) == position.play(move)


def test_values_survive_copying_and_pickling():
    history = History.start().play("11-15")
    assert history.position.legal_moves
    for again in (copy.deepcopy(history), pickle.loads(pickle.dumps(history))):
        assert again == history
        assert again.position.legal_moves == history.position.legal_moves


def test_mirrored_turns_the_board_and_the_colours():
    position = Position.from_fen("W:W27,K32:B15,16,K23,24")
    assert position.mirrored().mirrored() == position
    assert position.mirrored().fen == "B:W9,K10,17,18:BK1,6"
    assert len(position.mirrored().legal_moves) == len(position.legal_moves)


def test_diagram():
    lines = str(Position.from_fen("W:W27,K32:B15,K16")).splitlines()
    assert lines[3] == " 5 .   .   b   B"
    assert lines[7] == " 1 .   .   .   W"
    assert lines[-1] == "White to move"


def test_pieces_and_moves_describe_themselves():
    assert str(Piece(Side.BLACK, king=True)) == "dark king"
    move = Position.from_fen("W:W27,32:B15,16,23,24").parse("27x20x11")
    assert (move.start, move.end, move.captures, move.is_jump) == (27, 11, (24, 16), True)
    assert move.letters() == "f2:h4:f6"
    assert str(Move((11, 15))) == "11-15"
    assert Move((22, 18)).letters() == "c3-d4"
