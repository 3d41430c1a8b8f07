"""How a book is built: the decks are searched, and then good moves are followed best first.

A position is opened by a short search (a glance) of each position that its moves lead to, and a
whole search of those that look good. The decks come first, to the last position of each; then
always the few positions that are reached from a ballot by moves which lose least. Minimax over
all of that says what each move is worth. Which position is next follows from what has been
found, and each search depends on nothing but its position, so work that was broken off and goes
on comes to the same book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from kingme.engine.api import Info, Limits
from kingme.engine.book import Book
from kingme.engine.book.searches import Found, Searches
from kingme.engine.book.tree import Node, Tree
from kingme.rules.ballots import THREE_MOVE, TWO_MOVE
from kingme.rules.history import History
from kingme.rules.position import Position

__all__ = ["Builder", "Plan", "Searcher", "decks"]

GLANCE = 10
"""A glance takes this part of the nodes and the time of a whole search."""

GLANCE_MARGIN = 20
"""Hundredths of a man by which a move may look worse at a glance and still be searched."""

STEP = 2
"""Hundredths of a man that a ply on the way to a position counts as."""

BARRED = 6
"""How much farther off barred ballots are, which only a player's own choice leads to."""

DECIDED = 60
"""An advantage from which on a position is left to the search over the board."""

ROUND = 16
"""Positions that are opened before all values are worked out again."""


class Searcher(Protocol):
    """What building asks of an engine."""

    def best_move(self, history: History, limits: Limits) -> Info:
        """Return the last info of a search."""

    def clear(self) -> None:
        """Forget earlier searches."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How far to go: ``positions`` to open, and the limits of a search.

    ``margin``: hundredths of a man that a move may lose and still be followed.
    """

    positions: int = 3500
    nodes: int | None = 500_000
    seconds: float | None = None
    margin: int = 12

    def limits(self, part: int = 1) -> Limits:
        """Return the limits of a search, or of a part of one."""
        return Limits(
            nodes=self.nodes and max(1, self.nodes // part),
            seconds=self.seconds and self.seconds / part,
        )


def decks() -> Iterator[tuple[Position, int]]:
    """Yield the positions of the decks with how far off each is: the start, and each ply."""
    for deck in (TWO_MOVE, THREE_MOVE):
        for ballot in deck.values():
            positions = ballot.history.positions
            yield from ((position, 0) for position in positions[:-1])
            yield positions[-1], BARRED if ballot.barred else 0


class Builder:
    """Builds a book of searches, those of before and new ones.

    ``seeds`` are the positions it begins with, those of the `decks` where not given. ``told``
    hears how many positions are open.
    """

    def __init__(
        self,
        searches: Searches,
        searcher: Searcher,
        plan: Plan,
        told: Callable[[int], None] = lambda opened: None,
        seeds: Iterator[tuple[Position, int]] | None = None,
    ) -> None:
        self.tree = Tree()
        self.nodes = 0
        self._searches = searches
        self._searcher = searcher
        self._plan = plan
        self._told = told
        self._seeds: dict[int, int] = {}
        for position, far in decks() if seeds is None else seeds:
            node = self.tree.node(position)
            if node is not None:
                self._seeds[node.key] = min(far, self._seeds.get(node.key, far))
        self._closed: set[int] = set()

    def build(self) -> Book:
        """Search until the plan is carried out, or nothing is left to open."""
        for key in list(self._seeds):
            if len(self.tree.opened) >= self._plan.positions:
                break
            self._open(self.tree.nodes[key])
        self._firm()
        while batch := self._next():
            for node in batch:
                self._open(node)
            self._firm()
        return Book(self.tree.entries(self._plan.margin))

    def _next(self) -> list[Node]:
        """Return the positions to open next: the nearest ones."""
        left = min(ROUND, self._plan.positions - len(self.tree.opened))
        plan = self._plan
        far = self.tree.distances(self._seeds, plan.margin, STEP)
        waiting = [
            (distance, key) for key, distance in far.items() if self._open_to(self.tree.nodes[key])
        ]
        return [self.tree.nodes[key] for _, key in sorted(waiting)[:left]]

    def _open_to(self, node: Node) -> bool:
        if node.children is not None or node.key in self._closed:
            return False
        return abs(node.value) < DECIDED

    def _open(self, node: Node) -> None:
        if not self.tree.open(node):
            self._closed.add(node.key)
            if node.known is None:
                node.score = self._search("whole", node)
            return
        for _, child in node.children or ():
            if child.known is None:
                child.glance = self._search("glance", child)

    def _firm(self) -> None:
        """Work out all values, with a whole search of every leaf that may matter to them."""
        while True:
            self.tree.value()
            doubtful = {
                child.key: child
                for node in self.tree.opened
                for _, child in node.children or ()
                if child.score is None
                and child.children is None
                and node.value - node.worth(child) <= GLANCE_MARGIN
            }
            if not doubtful:
                return
            for child in doubtful.values():
                child.score = self._search("whole", child)

    def _search(self, kind: str, node: Node) -> int:
        found = self._searches.get(kind, node.key)
        if found is None:
            self._searcher.clear()
            limits = self._plan.limits(GLANCE if kind == "glance" else 1)
            info = self._searcher.best_move(History.start(node.position), limits)
            found = Found(info.score.value, info.depth, info.nodes)
            self._searches.put(kind, node.key, found)
        self.nodes += found.nodes
        self._told(len(self.tree.opened))
        return found.score
