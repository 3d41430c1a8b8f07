"""How a collection becomes counts (`practice`): from the start along what was played."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kingme.collection.library import Collection
from kingme.collection.packing import key_of
from kingme.collection.practice import Entry, Practice, entry_of
from kingme.collection.query import Query
from kingme.collection.tree import Tree
from kingme.rules.position import Position

__all__ = ["FEWEST", "counted", "met"]

FEWEST = 5
"""Games that must have reached a position for it to be kept, unless another number is asked for."""

MOVES = 255
"""Moves of a position that are kept, the most played; a byte tells how many."""


def met(games: Collection, fewest: int = FEWEST) -> Iterator[Tree]:
    """Yield every position that so many games came to, in an order that depends on them alone.

    Each is reached from the start through others of them; a position and its mirror image are one.
    """
    waiting = [Position.start()]
    seen = {key_of(waiting[0])}
    while waiting:
        tree = games.tree(Query(position=waiting.pop()))
        if tree.tally.games < fewest:
            continue
        yield tree
        for branch in tree.branches:
            after = tree.position.after(branch.move)
            key = key_of(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)


def counted(
    games: Collection,
    judge: Callable[[Position], int | None],
    fewest: int = FEWEST,
    told: Callable[[int], None] = lambda done: None,
) -> Practice:
    """Return the openings of a collection; ``judge`` gives each position its value.

    ``told`` hears how many positions are done.
    """
    entries: dict[int, Entry] = {}
    for tree in met(games, fewest):
        shown = Tree(tree.position, tree.tally, tree.ended, tree.branches[:MOVES])
        entries[key_of(tree.position)] = entry_of(shown, judge(tree.position))
        told(len(entries))
    return Practice(entries, games.facts.games)
