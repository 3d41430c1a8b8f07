"""A source in pieces: bytes from anywhere, cut before games, and decoded piece by piece.

A file may be as long as it likes: no more is held than the piece that is read, and a piece
is mostly one game. It is cut only before a line that begins with a tag and stands outside
of any comment; where there is none for long, behind a result that ends a line.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

__all__ = [
    "MARK",
    "SECTION",
    "Block",
    "Readable",
    "Source",
    "blocks",
    "breaks",
    "chunks",
    "decoded",
    "next_tags",
    "wide",
]

CHUNK = 1 << 18
#: from here on a piece is also cut behind results, and from there on anywhere between words
LONG, LONGEST = 1 << 19, 1 << 24

MARK = b"\xef\xbb\xbf"
#: how texts begin that are something else; the longer marks go first
_WIDE = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
SECTION = re.compile(rb"(?:[ \t]*\[[ \t]*[A-Za-z][^\r\n]*\][ \t]*(?:\r\n|\r|\n|\Z))*")
_OPENING = re.compile(rb"\[(?=[A-Za-z])")
_LINE_END = re.compile(rb"[\r\n]")
_RESULT = re.compile(rb"(?<!\S)(?:\*|[0-2]-[0-2]|1/2-1/2)[ \t]*(?:\r\n|\r|\n)")
#: what Windows puts where Latin-1 has control characters: quotes, dashes, the euro
_WINDOWS = {
    code: char for code in range(0x80, 0xA0) if (char := bytes([code]).decode("cp1252", "ignore"))
}


class Readable(Protocol):
    """Anything that gives bytes: an open file, a socket's file, an archive's member."""

    def read(self, size: int, /) -> bytes | str:
        """Return at most so many bytes, and none at the end."""


Source = str | bytes | bytearray | memoryview | Readable
"""What PDN is read from: text, bytes, or anything with ``read(size)``."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a source, with the place of its first byte.

    The first piece of a text in UTF-16 or UTF-32 names this ``encoding``; it is UTF-8 by now.
    """

    data: bytes
    offset: int
    line: int
    encoding: str = ""


def decoded(data: bytes) -> str:
    """Return a piece as text: UTF-8 where it is that, and Latin-1 otherwise.

    >>> decoded("Müller".encode()), decoded("Müller".encode("latin-1"))
    ('Müller', 'Müller')
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1").translate(_WINDOWS)


def breaks(data: bytes, start: int, end: int) -> int:
    """Return how many lines end between two places; CR, LF and both together end one."""
    found = data.count(b"\n", start, end)
    carriage = data.count(b"\r", start, end)
    return found + carriage - data.count(b"\r\n", start, end) if carriage else found


def blocks(source: Source) -> Iterator[Block]:
    """Yield a source in pieces; all of them together are the whole source."""
    buffer, offset, line = b"", 0, 1
    encoding, data = _opened(source)
    for chunk in data:
        buffer += chunk
        if not offset and buffer.startswith(MARK):
            buffer, offset = buffer[len(MARK) :], len(MARK)
        start = 0
        while (cut := _cut(buffer, start, final=not chunk)) > start:
            yield Block(buffer[start:cut], offset + start, line, encoding)
            encoding = ""
            line += breaks(buffer, start, cut)
            start = cut
        buffer, offset = buffer[start:], offset + start
    if buffer:
        yield Block(buffer, offset, line, encoding)


def chunks(source: Source) -> Iterator[bytes]:
    """Yield what a source holds, as UTF-8 where it is UTF-16, and an empty chunk at its end."""
    yield from _opened(source)[1]


def wide(head: bytes) -> str:
    """Return whether a text begins with the mark of UTF-16 or UTF-32, and which.

    >>> wide("1. 11-15".encode("utf-16")), wide(b"1. 11-15")
    ('utf-16', '')
    """
    return next((name for mark, name in _WIDE if head.startswith(mark)), "")


def _opened(source: Source) -> tuple[str, Iterator[bytes]]:
    """Return the encoding of a source that is neither UTF-8 nor Latin-1, and all that it holds."""
    data, head = _bytes(source), b""
    for chunk in data:
        head += chunk
        if len(head) >= 4 or not chunk:
            break
    whole = itertools.chain((head,), data, (b"",)) if head else iter((b"",))
    encoding = "" if isinstance(source, str) else wide(head)
    return encoding, _recoded(encoding, whole) if encoding else whole


def _recoded(encoding: str, data: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same text in UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in data:
        text = decoder.decode(chunk, final=not chunk)
        if text:
            yield text.encode("utf-8", "replace")
    yield b""


def _bytes(source: Source) -> Iterator[bytes]:
    """Yield what a source holds."""
    if isinstance(source, str):
        source = source.encode("utf-8", "replace")
    if isinstance(source, bytes | bytearray | memoryview):
        for at in range(0, len(source), CHUNK):
            yield bytes(source[at : at + CHUNK])
    elif not hasattr(source, "read"):
        kind = type(source).__name__
        raise TypeError(f"PDN is read from a str, bytes or an open file, not {kind}")
    else:
        while chunk := source.read(CHUNK):
            yield chunk.encode("utf-8", "replace") if isinstance(chunk, str) else chunk


def _cut(buffer: bytes, start: int, *, final: bool) -> int:
    """Return where the piece from ``start`` ends, or -1 where that is not known yet."""
    section = SECTION.match(buffer, start)
    cut = next_tags(buffer, start, section.end() if section else start, final=final)
    return cut if cut >= 0 or final else _spare(buffer, start)


def next_tags(buffer: bytes, start: int, begin: int, *, final: bool) -> int:
    """Return where the next line begins that is a tag and no comment, or -1 if none is known.

    The line is looked for from ``begin`` on, and never at ``start``, where a piece begins.
    """
    at = begin
    while (opening := _OPENING.search(buffer, at)) is not None:
        at = opening.start()
        row = _row(buffer, begin, at)
        if row > start:
            if not final and not _LINE_END.search(buffer, at):
                return -1
            inside = _comment_end(buffer, begin, row)
            if inside < 0:
                return row
            if inside >= len(buffer):
                break
            at = inside
        at += 1
    return -1


def _row(buffer: bytes, start: int, at: int) -> int:
    """Return where the line begins that ``at`` stands first in; -1 where it does not."""
    row = at
    while row > start and buffer[row - 1] in b" \t":
        row -= 1
    return row if row and buffer[row - 1] in b"\r\n" else -1


def _comment_end(buffer: bytes, begin: int, at: int) -> int:
    """Return where the comment ends that ``at`` stands in, or -1 where it stands in none.

    A brace that is open there belongs to a comment if what comes next is a closing one.
    """
    if buffer.rfind(b"{", begin, at) <= buffer.rfind(b"}", begin, at):
        return -1
    opens = buffer.find(b"{", at)
    closes = buffer.find(b"}", at, opens if opens >= 0 else len(buffer))
    if closes >= 0:
        return closes
    return -1 if opens >= 0 else len(buffer)


def _spare(buffer: bytes, start: int) -> int:
    """Where to cut a piece that is long already and holds no other tag, or -1."""
    if len(buffer) - start < LONG:
        return -1
    ends = [found.end() for found in _RESULT.finditer(buffer, start)]
    if ends and ends[-1] < len(buffer):
        return ends[-1]
    if len(buffer) - start < LONGEST:
        return -1
    return max(buffer.rfind(b"\n", start), buffer.rfind(b" ", start)) + 1 or len(buffer)
