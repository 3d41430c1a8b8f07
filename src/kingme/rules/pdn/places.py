"""Where a place in a piece of text is in its file: line, column, byte."""

from __future__ import annotations

from kingme.rules.pdn.source import Block, decoded

__all__ = ["Places"]


class Places:
    """The places of one block. Asked in order, each part of the text is looked at once."""

    __slots__ = ("_at", "_byte", "_first", "_line", "_row", "_width", "text")

    def __init__(self, block: Block) -> None:
        self.text = decoded(block.data)
        # Where bytes and characters are as many, one is the other: ASCII, or Latin-1.
        self._width = len(self.text) != len(block.data)
        self._first = block.line, block.offset
        self._at = self._row = 0
        self._line, self._byte = self._first

    def line(self, at: int) -> int:
        """Return the line of a place, counted from 1."""
        return self._find(at)[0]

    def column(self, at: int) -> int:
        """Return the column of a place, counted from 1 in characters."""
        return at - self._find(at)[1] + 1

    def offset(self, at: int) -> int:
        """Return the byte of a place, counted from 0."""
        return self._find(at)[2]

    def _find(self, at: int) -> tuple[int, int, int]:
        """Walk on to a place; from the beginning if it lies behind."""
        if at < self._at:
            self._at = self._row = 0
            self._line, self._byte = self._first
        text, last = self.text, self._at
        ends = text.count("\n", last, at)
        if text.find("\r", last, at) >= 0:
            # CR and LF together end one line, also where the walk stopped between them.
            ends += text.count("\r", last, at) - text.count("\r\n", last, at)
        if ends:
            self._row = max(text.rfind("\n", last, at), text.rfind("\r", last, at)) + 1
            self._line += ends - (last > 0 and text[last - 1 : last + 1] == "\r\n")
        self._byte += len(text[last:at].encode()) if self._width else at - last
        self._at = at
        return self._line, self._row, self._byte
