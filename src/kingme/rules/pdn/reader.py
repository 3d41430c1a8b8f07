"""Reading PDN: games one at a time, or a visitor that is told of them."""

from __future__ import annotations

from collections.abc import Iterator

from kingme.rules.pdn.parser import Parser
from kingme.rules.pdn.source import Source, blocks
from kingme.rules.pdn.tree import Builder, Game
from kingme.rules.pdn.visitor import Visitor
from kingme.rules.variant import Variant

__all__ = ["read", "visit"]


def read(
    source: Source, *, variant: Variant | None = None, default: Variant | None = None
) -> Iterator[Game]:
    r"""Yield the games of a PDN text, bytes or file, one at a time.

    Nothing is raised for what the text says: errors and repairs are in ``notes``, and the
    next game is read. ``variant`` is what is played, whatever a GameType says; without it,
    the GameType does, and ``default``, or else English draughts, where there is none. Bytes
    are UTF-8 (with or without a mark), or else Latin-1, game by game; UTF-16 and UTF-32 are
    known by their mark, and places count what they are in UTF-8. A text without a tag or a
    move is an error at its beginning. What ``read`` of a file raises comes through.

    >>> first, second = read("1. 11-15 23-18 2. 8-11 18x12 *\n\n1. 11-16 24-20 1/2-1/2")
    >>> [str(move) for move in first.moves], first.notes[0].line, first.notes[0].column
    (['11-15', '23-18', '8-11'], 1, 24)
    >>> second.result, second.draw, second.offset
    ('1/2-1/2', True, 32)
    """
    builder = Builder()
    parser = Parser(builder, variant, default)
    for block in blocks(source):
        parser.feed(block)
        yield from builder.take()
    parser.close()
    yield from builder.take()


def visit(
    source: Source,
    visitor: Visitor,
    *,
    variant: Variant | None = None,
    default: Variant | None = None,
) -> None:
    """Read a PDN text, bytes or file, and tell a visitor of it; nothing else is kept.

    >>> from kingme.rules.pdn import Counter
    >>> counter = Counter()
    >>> visit(b"1. 11-15 22-17 *", counter)
    >>> counter.games, counter.plies
    (1, 2)
    """
    parser = Parser(visitor, variant, default)
    for block in blocks(source):
        parser.feed(block)
    parser.close()
