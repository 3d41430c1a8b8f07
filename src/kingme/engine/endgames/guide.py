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

if TYPE_CHECKING:
    from kingme.engine.endgames.headway import Headway

__all__ = ["Guide"]


class Guide:
    """Finds the way through won endings, and remembers it from move to move."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._headway: Headway | None = None

    def moves(self, root: Root, enough: Callable[[], bool]) -> list[Move]:
        """Return the moves of a won root that are to be played, at least one.

        Without distances those are the moves that come soonest to headway, a man's move or a
        capture that keeps the win, so that every win comes to its end. With distances they win
        soonest, among those that make headway before the draw rule, where there are such. What
        takes a second or two ends when ``enough`` says so: then they are the moves that win and
        repeat nothing.
        """
        near = self._near(root, enough)
        if root.untold:
            if not near:
                return root.keeping()
            least = min(near.values())
            return [move for move, plies in near.items() if plies == least]
        won = {m: worth.plies or 0 for m, worth in root.worths.items() if worth.value is Value.WIN}
        in_time = {m: plies for m, plies in won.items() if near.get(m, 1000) <= (root.left or 0)}
        pool = in_time or won
        return [move for move, plies in pool.items() if plies == min(pool.values())]

    def _near(self, root: Root, enough: Callable[[], bool]) -> dict[Move, int]:
        """Return the plies to headway by each winning move, as far as they are known."""
        from kingme.engine.endgames.headway import makes_headway

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
        from kingme.engine.endgames.headway import Headway, key_of

        if self._headway is None or self._headway.key != key_of(position, position.turn):
            self._headway = Headway.of(position, position.turn, self._tables.directory)
        if self._headway is None:
            return None
        self._headway.work(enough)
        return self._headway if self._headway.done else None
