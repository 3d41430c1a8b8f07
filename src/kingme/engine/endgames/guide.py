"""Which moves to play in a won ending that the database does not settle.

That is where it tells no distance, or where a draw rule may end the game before the win.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kingme.engine.endgames.roots import Root
from kingme.engine.endgames.tables import Tables, Value
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side

if TYPE_CHECKING:
    from kingme.engine.endgames.headway import Headway

__all__ = ["Guide", "makes_headway"]


class Guide:
    """Finds the way through won endings, and remembers it from move to move."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._headway: Headway | None = None
        self._headway_key: tuple[object, ...] = ()
        self._hurried: tuple[object, int] | None = None

    def moves(self, root: Root, enough: Callable[[], bool]) -> list[Move]:
        """Return the moves of a won root that are to be played, at least one.

        Without distances those are the moves that come soonest to headway, a man's move or a
        capture that keeps the win, so that every win comes to its end. With distances they win
        soonest, as far as headway can be made before the draw rule. What
        takes a second or two ends when ``enough`` says so: then they are the moves that win and
        repeat nothing.
        """
        near = self._near(root, enough)
        if root.untold:
            return _least(near) if near else root.keeping()
        won = {m: worth.plies or 0 for m, worth in root.worths.items() if worth.value is Value.WIN}
        return self._in_time(root, won, near)

    def _in_time(self, root: Root, won: dict[Move, int], near: dict[Move, int]) -> list[Move]:
        """Return the moves that win soonest, as long as headway can still be made before the rule.

        From then on the shortest way to headway is gone to its end: to and fro between both ways
        would repeat positions.
        """
        left, soonest = root.left or 0, _least(won)
        key = key_of(root.position, root.position.turn)
        hurried = self._hurried is not None and self._hurried[0] == key
        if self._hurried is not None and left > self._hurried[1]:  # another game
            hurried = False
        in_time = [move for move in soonest if near.get(move, left + 1) <= left]
        if in_time and not hurried:
            return in_time
        if not near or min(near.values()) > left:
            return soonest
        self._hurried = key, left
        nearest = _least(near)
        return _least({move: won[move] for move in nearest})

    def _near(self, root: Root, enough: Callable[[], bool]) -> dict[Move, int]:
        """Return the plies to headway by each winning move, as far as they are known."""
        position = root.position
        won = [move for move, worth in root.worths.items() if worth.value is Value.WIN]
        near = {move: 1 for move in won if makes_headway(position, move)}
        if len(near) == len(won) or (near and root.untold):
            return near
        headway = self._known(position, enough)
        if headway is None:
            return near
        for move in [move for move in won if move not in near]:
            plies = headway.plies(position.after(move))
            if plies is not None:
                near[move] = plies + 1
        return near

    def _known(self, position: Position, enough: Callable[[], bool]) -> Headway | None:
        """Return how soon headway is made, once all of it is known."""
        from kingme.engine.endgames.headway import Headway

        key = key_of(position, position.turn)
        if self._headway is None or self._headway_key != key:
            self._headway = Headway.of(position, position.turn, self._tables.directory)
            self._headway_key = key
        if self._headway is None:
            return None
        self._headway.work(enough)
        return self._headway if self._headway.done else None


def key_of(position: Position, winner: Side) -> tuple[object, ...]:
    """Return what all positions have in common that only moves of kings lie between."""
    men = position.black & ~position.kings, position.white & ~position.kings
    return winner, *men, position.black.bit_count(), position.white.bit_count()


def makes_headway(position: Position, move: Move) -> bool:
    """Tell whether a move captures or is a man's."""
    piece = position.piece_at(move.start)
    return bool(move.captures) or (piece is not None and not piece.king)


def _least(numbers: dict[Move, int]) -> list[Move]:
    """Return the moves with the least number."""
    least = min(numbers.values())
    return [move for move, number in numbers.items() if number == least]
