"""A second oracle: pydraughts, in games and in positions full of kings.

Where it is not right, the rules texts decide: see docs/decisions/0014-variants-and-authorities.md.
"""

import random

import draughts
import pytest

from kingme import VARIANTS, Piece, Position, Side

#: what pydraughts calls the variants that it knows
NAMES = {
    "english": "english",
    "italian": "italian",
    "russian": "russian",
    "brazilian": "brazilian",
    "turkish": "turkish",
    "international": "standard",
    "frisian": "frisian",
    "antidraughts": "antidraughts",
    "breakthrough": "breakthrough",
}


def number(variant, theirs):
    """Our number of a square of theirs: boards with letters are numbered from White's a1 there."""
    if not variant.letters_first:
        return theirs
    row, column = divmod(theirs - 1, variant.geometry.width)
    file = column if variant.all_squares else 2 * column + row % 2
    return variant.geometry.number(f"{chr(ord('a') + file)}{row + 1}")


def fen(position):
    """A position as pydraughts reads it: with letters where it has them."""
    letters = position.variant.letters_first
    name = position.variant.geometry.letters if letters else str
    sides = [
        side.code
        + ",".join(
            ("K" if piece.king else "") + name(square)
            for square, piece in position.pieces.items()
            if piece.side is side
        )
        for side in (Side.WHITE, Side.BLACK)
    ]
    return ":".join([position.turn.code, *sides])


def results(position):
    return {(m.start, m.end, frozenset(m.captures)): m for m in position.legal_moves}


def their_results(board, variant):
    return {
        (
            number(variant, move.steps_move[0]),
            number(variant, move.steps_move[-1]),
            frozenset(number(variant, square) for square in move.captures or ()),
        ): move
        for move in board.legal_moves()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_game_agrees_at_every_ply(name):
    variant, rng = VARIANTS[name], random.Random(4)
    position, board = Position.start(variant), draughts.Board(variant=NAMES[name])
    compared = 0
    # In Turkish draughts its kings pass over pieces of their own side.
    while compared < 40 and not position.outcome and not (name == "turkish" and position.kings):
        mine, theirs = results(position), their_results(board, variant)
        assert set(mine) == set(theirs), position.fen
        chosen = rng.choice(sorted(mine, key=lambda key: (*key[:2], sorted(key[2]))))
        position = position.play(mine[chosen])
        board.push(theirs[chosen])
        again = Position.from_fen(board.fen, variant)
        # A king's run is not in a FEN.
        assert (again.pieces, again.turn) == (position.pieces, position.turn)
        compared += 1
    assert compared > 20


def placed(variant, rng):
    """A position with kings, men off their crown rows."""
    geometry = variant.geometry
    squares = rng.sample(range(1, geometry.squares + 1), rng.randint(6, geometry.squares // 3))
    pieces = {}
    for place, square in enumerate(squares):
        side = Side.BLACK if place % 2 else Side.WHITE
        crowned = bool(geometry.masks[square] & variant.crown_row(side))
        pieces[square] = Piece(side, crowned or rng.random() < 0.3)
    return Position.of(pieces, rng.choice(list(Side)), variant)


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in ("turkish", "breakthrough")]
)
def test_positions_with_kings_agree(name):
    variant, rng = VARIANTS[name], random.Random(11)
    captures = 0
    for _ in range(25):
        position = placed(variant, rng)
        board = draughts.Board(variant=NAMES[name], fen=fen(position))
        assert set(results(position)) == set(their_results(board, variant)), position.fen
        captures += any(len(move.captures) > 1 for move in position.legal_moves)
    assert captures >= 2
