"""A board to play on: what it shows, takes, gives back and says of its end."""

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import (
    ENGLISH,
    PRESETS,
    VARIANTS,
    AmbiguousMoveError,
    Board,
    ClaimError,
    DrawPreset,
    FenError,
    History,
    IllegalMoveError,
    LegalMoves,
    Move,
    MoveTextError,
    Outcome,
    Piece,
    Position,
    Side,
    Status,
    Termination,
)

KINGS = "W:WK1:BK32"
ROUND = ["1-6", "32-28", "6-1", "28-32"]


def played(board, *texts):
    for text in texts:
        board.push(text)
    return board


def test_a_board_begins_at_the_start_of_a_game():
    board = Board()
    assert board.position == Position.start()
    assert (board.variant, board.turn, board.move_stack) == (ENGLISH, Side.BLACK, ())
    assert board.fen == Position.start().fen
    assert board.pieces == Position.start().pieces
    assert board.piece_at(1) == Piece(Side.BLACK)
    assert board.piece_at(16) is None


def test_a_board_begins_with_what_it_is_given():
    position = Position.from_fen(KINGS)
    history = History.start(position).play("1-6")
    assert Board(position).position is position
    assert Board(KINGS).position == position
    assert Board(history).history == history
    assert Board(history).move_stack == history.moves


@pytest.mark.parametrize("name", VARIANTS)
def test_a_board_of_each_variant(name):
    board = Board(variant=name)
    assert board == Board(variant=VARIANTS[name])
    assert board.position == Position.start(VARIANTS[name])
    assert board.status() is Status.VALID
    move = board.push(board.legal_moves[0])
    assert board.pop() == move
    assert eval(repr(board), {"Board": Board}) == board


def test_a_board_refuses_what_is_no_position_and_no_variant():
    with pytest.raises(FenError):
        Board("nonsense")
    with pytest.raises(ValueError, match="there is no variant 'chess': there are english"):
        Board(variant="chess")
    with pytest.raises(ValueError, match="is a position of American checkers"):
        Board(Position.start(), VARIANTS["russian"])
    assert Board(Position.start(), "english") == Board()


def test_moves_are_played_and_taken_back():
    board = Board()
    before = board.position
    first = board.push("11-15")
    assert first == Move((11, 15))
    second = board.push(board.parse("22-18"))
    assert board.peek() is second
    assert board.move_stack == (first, second)
    assert board.history == History.start().play("11-15").play("22-18")
    assert (board.pop(), board.pop()) == (second, first)
    assert board.position is before
    for empty in (board.pop, board.peek):
        with pytest.raises(IndexError, match="no move was played"):
            empty()


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ("11-14", IllegalMoveError),
        ("what", MoveTextError),
        (Move((11, 14)), IllegalMoveError),
        (Move((11, 18), (15,)), IllegalMoveError),
    ],
)
def test_an_illegal_move_changes_nothing(move, error):
    board = Board()
    with pytest.raises(error):
        board.push(move)
    assert board == Board()
    assert board.move_stack == ()


def test_a_move_that_is_not_clear_changes_nothing():
    board = Board("W:W27,32:B15,16,23,24")
    with pytest.raises(AmbiguousMoveError):
        board.push("27x11")
    assert board.move_stack == ()


def test_legal_moves_are_counted_found_and_gone_through():
    moves = Board().legal_moves
    assert len(moves) == moves.count() == 7
    assert list(moves) == list(Position.start().legal_moves)
    assert moves[0] == next(iter(moves))
    assert moves
    assert Move((11, 15)) in moves
    assert Move((11, 14)) not in moves
    assert "11-15" in moves
    assert "f6-g5" in moves
    assert "11-14" not in moves
    assert "27x11" not in Board("W:W27,32:B15,16,23,24").legal_moves
    assert 11 not in moves
    assert repr(moves).startswith("<LegalMoves: 9-13, 9-14,")


def test_no_legal_moves():
    moves = Board("W:W5:B1").legal_moves
    assert not moves
    assert list(moves) == []
    assert repr(moves) == "<LegalMoves: none>"


def test_moves_are_counted_without_being_made():
    position = Position.start()
    assert len(LegalMoves(position)) == 7
    assert position._legal is None


def test_legal_moves_are_of_the_position_where_they_were_asked_for():
    board = Board()
    moves = board.legal_moves
    board.push("11-15")
    assert "11-15" in moves
    assert "11-15" not in board.legal_moves


def test_the_game_ends():
    assert Board().outcome() is None
    board = played(Board("B:W26:B22"), "22x31")
    assert board.outcome() == Outcome(Side.BLACK, Termination.NO_PIECES)
    assert Board("W:W5:B1").outcome(claim=True) == Outcome(Side.BLACK, Termination.NO_MOVES)


def test_a_repetition_is_claimed_where_it_must_be():
    board = played(Board(KINGS), *(ROUND * 2)[:-1])
    assert board.outcome() is None
    assert board.outcome("tournament") is None
    drawn = Outcome(None, Termination.REPETITION)
    assert board.outcome("tournament", claim=True) == drawn
    assert board.outcome(PRESETS["agreement"], claim=True) is None
    board.push("28-32")
    assert board.outcome() == drawn
    assert Board(KINGS).outcome("tournament", claim=True) is None


def test_a_lack_of_progress_is_claimed_where_it_must_be():
    rules = DrawPreset("four", "Four plies", "Claimed after 4 plies.", None, frozenset(), 4)
    claimed = replace(rules, claimed=True)
    board = played(Board(KINGS), *ROUND[:-1])
    assert board.outcome(claimed, claim=True) is None
    board.push(ROUND[-1])
    drawn = Outcome(None, Termination.NO_PROGRESS)
    assert board.outcome(claimed) is None
    assert board.outcome(claimed, claim=True) == board.outcome(rules) == drawn


def test_a_claim_is_the_player_s_on_the_turn():
    board = played(Board(KINGS), *(ROUND * 2)[:-1])
    drawn = Outcome(None, Termination.REPETITION)
    assert board.outcome("tournament", claim=Side.BLACK) == drawn
    with pytest.raises(ClaimError, match="White cannot claim: it is Black's turn"):
        board.outcome("tournament", claim=Side.WHITE)
    lost = Board("W:W5:B1")
    assert lost.outcome(claim=Side.BLACK) == lost.outcome(), "a game that is over stays so"


@pytest.mark.parametrize("claim", [None, 1, 0, "B", "tournament", Move((11, 15))])
def test_a_claim_of_another_kind_is_refused(claim):
    with pytest.raises(TypeError, match=f"not {type(claim).__name__}"):
        Board().outcome("tournament", claim=claim)


@given(st.lists(st.integers(0, 40), max_size=60), st.sampled_from(sorted(VARIANTS)))
def test_a_mirror_is_the_same_game_for_the_other_side(choices, name):
    board = Board(variant=name)
    for choice in choices:
        if board.outcome():
            break
        board.push(board.legal_moves[choice % len(board.legal_moves)])
    mirror = board.mirrored()
    assert board.mirror() == mirror
    assert mirror.turn is board.turn.other
    assert mirror.mirrored().history == board.history
    assert len(mirror.legal_moves) == len(board.legal_moves)
    # What is played on one is played on the other.
    again = Board(mirror.history.positions[0])
    for move in mirror.move_stack:
        again.push(move)
    assert again == mirror


def test_a_position_that_cannot_be_has_a_mirror_too():
    board = Board(Position.from_fen("W:W1:B32", strict=False))
    assert board.mirrored().fen == "B:W1:B32"


def test_copies_go_their_own_way():
    board = played(Board(), "11-15")
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert other == board
        other.push("22-18")
        assert other != board
        assert other.move_stack[:1] == board.move_stack
    bare = board.copy(stack=False)
    assert (bare, bare.move_stack) == (board, ())
    assert pickle.loads(pickle.dumps(board)).history == board.history


def test_boards_are_equal_by_position_and_cannot_be_keys():
    there = played(Board(KINGS), *ROUND)
    assert there == Board(KINGS)
    assert there.key == Board(KINGS).key
    assert there != Board()
    assert Board() != Position.start()
    with pytest.raises(TypeError):
        hash(Board())


def test_a_board_as_text():
    assert str(Board()) == str(Position.start())
    assert "\n 3 w   w   w   w\n" in str(Board())
    assert repr(Board(KINGS)) == "Board('W:WK1:BK32')"
    assert repr(Board(variant="italian")).endswith(", 'italian')")
