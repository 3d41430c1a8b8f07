"""The positions that a book is made of, and what they are worth by minimax over them.

A position is kept as Black to move sees it: one with White to move is turned round. Only men are
on the board, and every move takes some off or brings one forward, so no game comes back to a
position and the graph of them has no cycles.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from kingme.engine.api import WIN
from kingme.engine.book import MOST_LOSS, Entry, key_of, word_of
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["Node", "Tree", "seen"]


@dataclass(slots=True)
class Node:
    """A position. ``children`` are its moves and where they lead, once it has been opened.

    ``order`` sorts positions so that each comes before those that it can arise from.
    ``glance`` is the score of a short search for the side to move, ``score`` that of a whole one,
    ``value`` what minimax makes of it.
    """

    position: Position
    key: int
    order: tuple[int, int, int]
    glance: int | None = None
    score: int | None = None
    value: int = 0
    children: tuple[tuple[Move, Node], ...] | None = None

    @property
    def known(self) -> int | None:
        """What searches of this very position have found."""
        return self.glance if self.score is None else self.score

    def worth(self, child: Node) -> int:
        """What the move to a child is worth to the side that plays it."""
        return -child.value

    @property
    def best(self) -> Node:
        """The child that the best move leads to, the first of several."""
        assert self.children
        return max((child for _, child in self.children), key=self.worth)


class Tree:
    """Nodes by key, each position once."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        self.opened: list[Node] = []
        self._sorted: list[Node] = []

    def node(self, position: Position) -> Node | None:
        """Return the node of a position, a new one if need be; ``None`` where there are kings."""
        key = key_of(position)
        if key is None:
            return None
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = Node(seen(position), key, _order(key))
            bisect.insort(self._sorted, found, key=lambda node: node.order)
            if not position.legal_moves:
                found.glance = found.score = found.value = -WIN
        return found

    def open(self, node: Node) -> bool:
        """Add the children of a node; False where the book has no words for it.

        That is so where the game is over, where a man is crowned, or where two different jumps
        have the same start and end.
        """
        if node.children is not None:
            return True
        words, children = set(), []
        for move in node.position.legal_moves:
            after = node.position.after(move)
            words.add(word_of(node.position, move))
            if after.kings:
                return False
            child = self.node(after)
            assert child is not None
            children.append((move, child))
        if not children or len(words) < len(children):
            return False
        node.children = tuple(children)
        self.opened.append(node)
        return True

    def value(self) -> None:
        """Give every node its value: its own score, or the best that its moves are worth."""
        for node in self._sorted:
            if node.children:
                node.value = node.worth(node.best)
            else:
                node.value = node.known or 0

    def distances(self, seeds: dict[int, int], margin: int, step: int) -> dict[int, int]:
        """Return how far off each position is that is reached from seeds by good moves.

        That is the least sum of what the moves on the way lose, with ``step`` for each ply, and
        of the seed's own distance. A move may lose ``margin`` at most, in hundredths of a man.
        """
        found = dict(seeds)
        for node in reversed(self._sorted):
            start = found.get(node.key)
            if start is None or node.children is None:
                continue
            for _, child in node.children:
                loss = node.value - node.worth(child)
                if loss <= margin:
                    far = start + loss + step
                    found[child.key] = min(far, found.get(child.key, far))
        return found

    def entries(self, margin: int) -> dict[int, Entry]:
        """Return what goes into the book: positions whose best moves were looked into further.

        Moves that lead to positions which were not opened are left out, and so is a position
        whose best move is one of them, or that has no choice.
        """
        entries = {}
        margin = min(margin, MOST_LOSS)
        for node in self.opened:
            if len(node.children or ()) < 2 or node.best.children is None:
                continue
            moves = sorted(
                (node.value - node.worth(child), word_of(node.position, move))
                for move, child in node.children or ()
                if child.children is not None
            )
            words = tuple(word | loss << 10 for loss, word in moves if loss <= margin)
            entries[node.key] = node.value, words
        return entries


def seen(position: Position) -> Position:
    """Return a position as Black to move sees it."""
    return position.mirrored() if position.turn is Side.WHITE else position


def _order(key: int) -> tuple[int, int, int]:
    """Return what sorts positions: fewer men first, then those that have gone further."""
    forward = sum(
        rank * ((key >> 4 * rank & 0xF).bit_count() + (key >> 60 - 4 * rank & 0xF).bit_count())
        for rank in range(8)
    )
    return key.bit_count(), -forward, key
