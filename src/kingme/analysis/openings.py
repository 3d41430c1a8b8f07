"""What is known of a position in the opening: what people played, and what the engine holds of it.

Practice is the tree of a collection of games, or of the counts that come with the package. The
engine's view of a move is what the opening book says; where that says nothing, what a short search
found of the position after it when those counts were made.
"""

from __future__ import annotations

from dataclasses import dataclass

from kingme.collection import Branch, Tally, Tree
from kingme.collection.practice import Practice
from kingme.engine.book import Book
from kingme.rules.ballots import Ballot, opening_of
from kingme.rules.position import Position

__all__ = ["Explored", "Option", "explored"]


@dataclass(frozen=True, slots=True)
class Option(Branch):
    """A branch of the opening tree, and what the engine holds of it.

    ``value`` is for the side that makes the move, in hundredths of a man, None where it is not
    known; ``booked`` says that it is the book's.
    """

    value: int | None
    booked: bool


@dataclass(frozen=True, slots=True)
class Explored:
    """A position with its moves, the most played first; ``opening`` is the name it goes by."""

    position: Position
    opening: Ballot | None
    tally: Tally
    options: tuple[Option, ...]


def explored(position: Position, tree: Tree | None, practice: Practice, book: Book) -> Explored:
    """Put together what is known of a position.

    ``tree`` is what was played there, None for nothing. Moves that the book holds good and nobody
    played come last.

    >>> from kingme.collection.practice import default
    >>> from kingme.engine.book import default as book
    >>> start = Position.start().play("9-13").play("22-18").play("6-9")
    >>> found = explored(start, default().tree(start), default(), book())
    >>> found.opening.name, found.options[0].tally.games > 0
    ('Dreaded Edinburgh', True)
    """
    known = {one.move: one.score.value for one in book.moves(position)}
    branches = list(tree.branches) if tree else []
    played = {branch.move for branch in branches}
    branches += [Branch(move, Tally(), None) for move in known if move not in played]
    options = []
    for branch in branches:
        after = practice.value(position.after(branch.move))
        value = known.get(branch.move, None if after is None else -after)
        booked = branch.move in known
        options.append(Option(branch.move, branch.tally, branch.score, value, booked))
    tally = tree.tally if tree else Tally()
    return Explored(position, opening_of(position), tally, tuple(options))
