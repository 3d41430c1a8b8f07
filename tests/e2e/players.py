"""Moves for the tests to play: two quick players, and long walks that change nothing."""

from __future__ import annotations

import random

from kingme import History, Move, Position

__all__ = ["choose", "offer", "walk"]


def choose(position: Position, chance: random.Random) -> Move:
    """A move that brings the game on: the longest jump, or a man's move that loses nothing."""
    moves = sorted(position.legal_moves)
    if moves[0].is_jump:
        return max(moves, key=lambda move: len(move.captures))
    safe = [move for move in moves if not position.play(move).must_jump] or moves
    men = [move for move in safe if not is_king(position, move)]
    return chance.choice(men or safe)


def offer(position: Position, chance: random.Random) -> Move:
    """A move that shortens the game: it gives as many pieces as it can."""
    moves = sorted(position.legal_moves)
    chance.shuffle(moves)
    return max(moves, key=lambda move: (most_jumped(position.play(move)), -len(move.captures)))


def most_jumped(position: Position) -> int:
    return max((len(move.captures) for move in position.legal_moves), default=0)


def is_king(position: Position, move: Move) -> bool:
    piece = position.piece_at(move.start)
    return bool(piece and piece.king)


def walk(fen: str, plies: int) -> list[str]:
    """So many moves of kings without a jump, such that no position comes up twice.

    The last position leaves another such move.
    """
    for seed in range(100):
        chance = random.Random(seed)
        history = History.start(Position.from_fen(fen))
        while len(history.moves) < plies and (choices := quiet(history)):
            history = history.play(chance.choice(choices))
        if len(history.moves) == plies and quiet(history):
            return [str(move) for move in history.moves]
    raise AssertionError(f"no walk of {plies} plies from {fen}")


def quiet(history: History) -> list[Move]:
    """King moves to a new position from which the other side cannot jump."""
    position = history.position
    return [
        move
        for move in sorted(position.legal_moves)
        if not move.is_jump
        and is_king(position, move)
        and not (after := position.play(move)).must_jump
        and after not in history.positions
    ]
