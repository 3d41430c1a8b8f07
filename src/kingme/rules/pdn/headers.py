"""The tags of all games and where they begin, without a look at the moves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kingme.rules.pdn.lexer import tag
from kingme.rules.pdn.source import (
    MARK,
    SECTION,
    Source,
    breaks,
    chunks,
    decoded,
    next_tags,
)
from kingme.rules.pdn.tags import Tags

__all__ = ["Header", "headers"]

_REMARKS = re.compile(rb"(?:\s+|\{[^}]*\}?|[;%][^\r\n]*)*")
#: what makes a section of tags worth a closer look: more on a line, escapes, another quote
_QUICK = re.compile(r'\[([A-Za-z]\w*+)[ \t]++"([^"\\\r\n]*+)"\][ \t]*+(?:\n|\r\n?)')
#: tags as they are nearly always written, each on a line; whether that is all, the next byte says
_SIMPLE = re.compile(rb"(?:\[[A-Za-z][^\]\r\n]*+\]\r?\n)*+")

_ENDS = b"\r\n"
_MORE = frozenset((b"[", b" ", b"\t"))


class Header:
    """The tags of one game, and the byte and the line where they begin."""

    __slots__ = ("_first", "_parts", "_tags", "line_number", "offset")

    def __init__(self, part: bytes, offset: int, line_number: int) -> None:
        self._parts = [part]
        self._tags: Tags | None = None
        self._first: str | None = None
        self.offset = offset
        self.line_number = line_number

    @property
    def tags(self) -> Tags:
        """The tags, which are read when they are asked for."""
        if self._tags is None:
            pairs = _pairs(decoded(self._parts[0]))
            for part in self._parts[1:]:
                pairs += _pairs(decoded(part))
            self._tags = Tags(pairs)
        return self._tags

    def joined(self, part: bytes) -> bool:
        """Take up more tags; but tags that begin with the same name as these are another game's."""
        if self._first is None:
            self._first = next(iter(self.tags), "")
        name = next(iter(_pairs(decoded(part))), ("",))[0]
        if self._first == name:
            return False
        self._first = self._first or name
        self._parts.append(part)
        self._tags = None
        return True

    def __repr__(self) -> str:
        return f"Header({self.tags!r}, offset={self.offset}, line_number={self.line_number})"


def headers(source: Source) -> Iterator[Header]:
    r"""Yield the tags of each game that has any, with its place; moves are passed over unread.

    From its ``offset`` on, :func:`read` reads the very game. Games without any tag are not
    seen, nor are tags that stand on a line with something else.

    >>> text = '[Event "A"]\n1. 11-15 *\n\n[Event "B"]\n[Round "2"]\n1. 11-16 *\n'
    >>> [(header.tags["Event"], header.offset, header.line_number) for header in headers(text)]
    [('A', 0, 1), ('B', 24, 4)]
    """
    buffer, offset, line = b"", 0, 1
    waiting: Header | None = None  # its moves have not begun: more tags may come
    for chunk in chunks(source):
        buffer += chunk
        if not offset and buffer.startswith(MARK):
            buffer, offset = buffer[len(MARK) :], len(MARK)
        start, final = 0, not chunk
        bare = b"\r" not in buffer  # then lines are quickly counted
        while start < len(buffer):
            section = _SIMPLE.match(buffer, start)
            end = section.end() if section else start
            if buffer[end : end + 1] in _MORE:
                section = SECTION.match(buffer, start)
                end = section.end() if section else start
            # The usual case in one step: no comment up to the next line that is a tag.
            cut = buffer.find(b"[", end)
            if (
                cut <= start
                or buffer[cut - 1] not in _ENDS
                or buffer.find(b"{", end, cut) >= 0
                or not _whole(buffer, cut)
            ):
                cut = next_tags(buffer, start, end, final=final)
                if cut < 0 and not final:
                    break
                cut = cut if cut >= 0 else len(buffer)
            if end > start:
                part = buffer[start:end]
                if not waiting or not waiting.joined(part):
                    if waiting:
                        yield waiting
                    waiting = Header(part, offset + start, line)
            if waiting and _played(buffer, end, cut):
                yield waiting
                waiting = None
            line += buffer.count(b"\n", start, cut) if bare else breaks(buffer, start, cut)
            start = cut
        buffer, offset = buffer[start:], offset + start
    if waiting:
        yield waiting


def _whole(buffer: bytes, at: int) -> bool:
    """Whether the line of a tag is there to its end."""
    return buffer[at + 1 : at + 2].isalpha() and buffer.find(b"\n", at) >= 0


def _played(buffer: bytes, start: int, end: int) -> bool:
    """Whether anything but remarks stands between two places."""
    if buffer[start : start + 1].isdigit():
        return True
    remarks = _REMARKS.match(buffer, start, end)
    return remarks is None or remarks.end() < end


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the names and values in a section of tags."""
    pairs: list[tuple[str, str]] = _QUICK.findall(text)
    if len(pairs) == text.count("]"):
        return pairs
    pairs, at = [], 0
    while (at := text.find("[", at)) >= 0:
        read = tag(text, at, True)
        if read:
            pairs.append(read[:2])
        at = read[2] if read else at + 1
    return pairs
