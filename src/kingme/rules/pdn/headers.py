"""The tags of all games and where they begin, without a look at the moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kingme.rules.pdn.source import SECTION, Source, blocks, decoded
from kingme.rules.pdn.tags import Tags

__all__ = ["Header", "headers"]

#: tags as they should be, without anything that is escaped
_QUICK = re.compile(r'\[([A-Za-z]\w*)[ \t]+"([^"\\\r\n]*)"\][ \t]*(?:\r\n|\r|\n)')
_COMMENT = re.compile(r"\s*(?:\{[^}]*\}?|[;%][^\r\n]*)")


@dataclass(slots=True)
class Header:
    """The tags of one game, and the byte and line where they begin."""

    tags: Tags
    offset: int
    line_number: int


def headers(source: Source) -> Iterator[Header]:
    r"""Yield the tags of each game that has any, with its place; moves are passed over unread.

    From its ``offset`` on, :func:`read` reads the very game. Games without any tag are not seen.

    >>> text = '[Event "A"]\n1. 11-15 *\n\n[Event "B"]\n[Round "2"]\n1. 11-16 *\n'
    >>> [(header.tags["Event"], header.offset, header.line_number) for header in headers(text)]
    [('A', 0, 1), ('B', 24, 4)]
    """
    open_: Header | None = None
    for block in blocks(source):
        section = SECTION.match(block.data)
        end = section.end() if section else 0
        tags = _tags(block.data[:end])
        body = _has_body(block.data, end)
        if open_ and tags and tags[0][0] != next(iter(open_.tags)):
            for name, value in tags:
                open_.tags.add(name, value)
        elif tags:
            if open_:
                yield open_
            open_ = Header(Tags(tags), block.offset, block.line)
        if body and open_:
            yield open_
            open_ = None
    if open_:
        yield open_


def _has_body(data: bytes, at: int) -> bool:
    return bool(data[at:].strip())


def _tags(section: bytes) -> list[tuple[str, str]]:
    text = decoded(section)
    return _QUICK.findall(text)
