"""Laws that hold for every position, and texts of every kind that must never crash."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from kingme import FenError, MoveError, Piece, Position, Side, divide, perft

SQUARES = st.permutations(range(1, 33))


@st.composite
def positions(draw):
    """Any position that can be set up: 1 to 12 pieces a side, men off their crown rows."""
    squares = draw(SQUARES)
    counts = draw(st.tuples(st.integers(0, 12), st.integers(1, 12)))
    sides = [Side.BLACK] * counts[0] + [Side.WHITE] * counts[1]
    kings = draw(st.lists(st.booleans(), min_size=len(sides), max_size=len(sides)))
    pieces = {}
    for square, side, king in zip(squares, sides, kings, strict=False):
        crowned = square > 28 if side is Side.BLACK else square < 5
        pieces[square] = Piece(side, king or crowned)
    return Position.of(pieces, draw(st.sampled_from(Side)))


@given(positions())
def test_fen_round_trip(position):
    assert Position.from_fen(position.fen) == position


@given(positions())
def test_texts_of_every_legal_move_lead_back_to_it(position):
    for move in position.legal_moves:
        assert position.parse(str(move)) == move
        assert position.parse(move.letters()) == move


@given(positions())
def test_what_a_move_does(position):
    own, enemy = position.turn, position.turn.other
    moves = position.legal_moves
    assert list(moves) == sorted(set(moves))
    assert len({move.is_jump for move in moves}) <= 1
    assert {move.start for move in moves if move.is_jump} == set(position.must_jump)
    for move in moves:
        after = position.play(move)
        assert after.turn is enemy
        before_piece, piece = position.piece_at(move.start), after.piece_at(move.end)
        assert piece.side is own
        assert piece.king >= before_piece.king
        count = {side: sum(p.side is side for p in position.pieces.values()) for side in Side}
        left = {side: sum(p.side is side for p in after.pieces.values()) for side in Side}
        assert left[own] == count[own]
        assert left[enemy] == count[enemy] - len(move.captures)
        assert all(position.piece_at(square).side is enemy for square in move.captures)
        assert all(after.piece_at(square) is None for square in move.captures)
        assert after.fault is None


@given(positions())
def test_the_mirror_image_has_the_same_game(position):
    mirror = position.mirrored()
    assert mirror.mirrored() == position
    assert len(mirror.legal_moves) == len(position.legal_moves)
    turned = {tuple(33 - square for square in move.path) for move in position.legal_moves}
    assert {move.path for move in mirror.legal_moves} == turned


@settings(max_examples=30)
@given(positions())
def test_perft_is_the_sum_of_its_parts(position):
    assert perft(position, 1) == len(position.legal_moves)
    assert perft(position, 3) == sum(divide(position, 3).values())


def attempt(read, text, refusals):
    """Return what ``read`` makes of a text, and the refusal; any other error is a crash."""
    try:
        return read(text), None
    except refusals as error:
        return None, error


# What people type is near the real thing: mix real pieces of text with noise.
FEN_LIKE = st.lists(
    st.sampled_from(
        ["W", "B", "K", ":", ",", "-", ".", " ", "1", "12", "21-32", "1-12", "33", "0", "b8",
         "H0", "F1", '"', "[FEN ", "]", "“", "²", "٣", "\n", "\x00", "K1-K4", "é", "-1"]
    ),
    max_size=25,
).map("".join)  # fmt: skip
MOVE_LIKE = st.lists(
    st.sampled_from(
        ["11", "15", "22", "x", "-", ":", " ", "c3", "d4", "1.", "...", "!", "?", "0", "99",
         "a8", "K", "×", "²", "٣", "\n", "\x00", "*", "(", "12345678901234567890"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=1_000)
@given(st.one_of(FEN_LIKE, st.text(max_size=60)))
def test_any_text_is_a_position_or_a_fen_error(text):
    position, refusal = attempt(Position.from_fen, text, FenError)
    if refusal:
        assert str(refusal)
        assert refusal.column >= 1
    else:
        assert position.fault is None
        assert Position.from_fen(position.fen) == position


@settings(max_examples=1_000)
@given(positions(), st.one_of(MOVE_LIKE, st.text(max_size=40)))
def test_any_text_is_a_legal_move_or_a_move_error(position, text):
    move, refusal = attempt(position.parse, text, MoveError)
    if refusal:
        assert str(refusal)
        assert refusal.legal == tuple(str(legal) for legal in position.legal_moves)
    else:
        assert move in position.legal_moves


def test_mangled_fens_of_real_positions_never_crash():
    rng = random.Random(7)
    position = Position.start()
    for _ in range(300):
        if not position.legal_moves:
            position = Position.start()
        position = position.play(rng.choice(position.legal_moves))
        text = list(position.fen)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 2)] = rng.choice(["", "K", ":", ",", "9", "-", "W"])
        again, refusal = attempt(Position.from_fen, "".join(text), FenError)
        assert str(refusal) if refusal else again.fault is None
