"""What a type checker must accept, and the types that it must see; checked, never run."""

import random
from collections.abc import Collection
from typing import assert_type

import kingme
from kingme import (
    ENGLISH,
    PRESETS,
    VARIANTS,
    Board,
    DrawPreset,
    History,
    LegalMoves,
    Move,
    Outcome,
    Piece,
    Position,
    Side,
    Status,
    Variant,
    divide,
    pdn,
    perft,
    svg,
)

position = Position.from_fen("W:WK7:B15")
assert_type(Position.start(ENGLISH), Position)
assert_type(position.fen, str)
assert_type(position.turn, Side)
assert_type(position.key, int)
assert_type(position.legal_moves, tuple[Move, ...])
assert_type(position.must_jump, tuple[int, ...])
assert_type(position.parse("7x10"), Move)
assert_type(position.play("7x10"), Position)
assert_type(position.play(position.legal_moves[0]), Position)
assert_type(position.piece_at(7), Piece | None)
assert_type(position.pieces, dict[int, Piece])
assert_type(position.mirrored(), Position)
assert_type(position.fault, str | None)

board = Board()
Board(position)
Board(History.start())
Board("W:WK7:B15", VARIANTS["russian"])
Board(variant="italian")
assert_type(board.position, Position)
assert_type(board.history, History)
assert_type(board.legal_moves, LegalMoves)
assert_type(board.legal_moves.count(), int)
assert_type(len(board.legal_moves), int)
assert_type(list(board.legal_moves), list[Move])
assert_type(board.legal_moves[0], Move)
assert_type(random.choice(board.legal_moves), Move)
assert_type("11-15" in board.legal_moves, bool)
assert_type(Move((11, 15)) in board.legal_moves, bool)
moves: Collection[Move] = board.legal_moves
assert_type(board.push("11-15"), Move)
assert_type(board.pop(), Move)
assert_type(board.peek(), Move)
assert_type(board.move_stack, tuple[Move, ...])
assert_type(board.outcome(), Outcome | None)
assert_type(board.outcome("tournament", claim=True), Outcome | None)
assert_type(board.outcome(PRESETS["tournament"]), Outcome | None)
assert_type(board.status(), Status)
assert_type(board.status().reasons, tuple[str, ...])
assert_type(board.outcome(claim=Side.WHITE), Outcome | None)
assert_type(board.mirrored(), Board)
assert_type(board.mirror(), Board)
assert_type(Move((11, 15)).mirrored(), Move)
assert_type(board.copy(stack=False), Board)
assert_type(board.variant, Variant)
assert_type(board.key, int)

history = History.start().play("11-15")
assert_type(history.moves, tuple[Move, ...])
assert_type(history.position, Position)
assert_type(history.outcome(), Outcome | None)
outcome = history.outcome()
if outcome is not None:
    assert_type(outcome.winner, Side | None)

picture = svg.board(
    position,
    size=200,
    orientation=Side.BLACK,
    last_move=Move((11, 15)),
    arrows=[(11, 15), Move((11, 15)), svg.Arrow((11, 15), "#ff0000")],
    marks=[1, svg.Mark(2, "cross")],
    coordinates="letters",
    theme=svg.THEMES["green"],
)
assert_type(picture, str)
assert_type(svg.board(board), str)
assert_type(kingme.svg.board(position, coordinates=False, theme="wood"), str)

assert_type(VARIANTS, dict[str, Variant])
assert_type(PRESETS, dict[str, DrawPreset])
assert_type(perft(position, 3), int)
assert_type(divide(position, 3), dict[Move, int])
assert_type(pdn.game_pdn({}, history), str)
for game in pdn.read(b"1. 11-15 *"):
    assert_type(game, pdn.Game)
    assert_type(game.history, History)
    assert_type(game.line[0].position, Position | None)
