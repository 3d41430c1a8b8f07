"""What makes a position impossible, flag by flag."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import VARIANTS, Board, Piece, Position, Side, Status
from kingme.rules.status import status


@pytest.mark.parametrize(
    ("fen", "variant", "expected"),
    [
        ("B:W21-32:B1-12", "english", Status.VALID),
        ("B:W21:B1-13", "english", Status.TOO_MANY_BLACK),
        ("B:WK1,K2,20-31:B5", "english", Status.TOO_MANY_WHITE),
        ("B:W21:B29", "english", Status.BLACK_MAN_CROWNED),
        ("B:W4:B5", "english", Status.WHITE_MAN_CROWNED),
        ("W:W1:B32", "english", Status.BLACK_MAN_CROWNED | Status.WHITE_MAN_CROWNED),
        ("B:W21:B", "english", Status.VALID),
        ("W:W21:B", "english", Status.NOBODY_MOVED),
        ("B:W:B21", "english", Status.NOBODY_MOVED),
        # nothing lies behind where men begin, or they come back there
        ("B:W50:B1", "international", Status.VALID),
        ("W:WK50:B20", "breakthrough", Status.LATE_KING),
        ("B:WK50:B20", "breakthrough", Status.VALID),
        ("B:WK50:BK1", "breakthrough", Status.LATE_KING),
        ("B:WK50,K49:B20", "breakthrough", Status.LATE_KING),
    ],
)
def test_a_position_has_a_status(fen, variant, expected):
    position = Position.from_fen(fen, VARIANTS[variant], strict=False)
    assert status(position) == expected
    assert Board(position).status() == expected


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ("a2", "a7", Status.VALID),
        ("a1", "a7", Status.WHITE_MAN_BEHIND),
        ("a2", "h8", Status.BLACK_MAN_BEHIND),
        ("h8", "a7", Status.WHITE_MAN_CROWNED),
        ("a2", "a1", Status.BLACK_MAN_CROWNED),
        ("h1", "h8", Status.WHITE_MAN_BEHIND | Status.BLACK_MAN_BEHIND),
    ],
)
def test_turkish_men_never_go_back(white, black, expected):
    variant = VARIANTS["turkish"]
    number, masks = variant.geometry.number, variant.geometry.masks
    position = Position(masks[number(black)], masks[number(white)], 0, Side.WHITE, variant)
    assert status(position) == expected
    kings = position.black | position.white
    crowned = Position(position.black, position.white, kings, Side.WHITE, variant)
    assert status(crowned) is Status.VALID


def test_a_status_says_why():
    found = status(Position.from_fen("W:W1:B32", strict=False))
    assert found.reasons == (
        "a black man stands on its crown row and would be a king there",
        "a white man stands on its crown row and would be a king there",
    )
    assert Status.VALID.reasons == ()
    assert len({reason for flag in Status for reason in flag.reasons}) == len(Status)


@given(st.lists(st.integers(0, 40), max_size=80), st.sampled_from(sorted(VARIANTS)))
def test_positions_of_games_are_possible(choices, name):
    board = Board(variant=name)
    for choice in choices:
        if board.outcome():
            break
        board.push(board.legal_moves[choice % len(board.legal_moves)])
    assert board.status() is Status.VALID


@given(
    st.dictionaries(
        st.integers(1, 32), st.builds(Piece, st.sampled_from(Side), st.booleans()), min_size=1
    ),
    st.sampled_from(Side),
)
def test_a_fault_is_always_told_by_the_status(pieces, turn):
    masks = Board().variant.geometry.masks
    sets = {
        side: sum(masks[n] for n, piece in pieces.items() if piece.side is side) for side in Side
    }
    kings = sum(masks[n] for n, piece in pieces.items() if piece.king)
    position = Position(sets[Side.BLACK], sets[Side.WHITE], kings, turn)
    assert bool(position.fault) == bool(status(position) & ~Status.NOBODY_MOVED)
