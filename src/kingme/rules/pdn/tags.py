"""The tags of a game: names and values in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["Tags"]


class Tags:
    """Pairs of names and values; a name that comes twice is kept twice, and its first counts.

    >>> tags = Tags([("Event", "Match"), ("Round", "1"), ("Event", "Rematch")])
    >>> tags["Event"], tags.get("Site", "?"), len(tags), "Round" in tags
    ('Match', '?', 3, True)
    >>> tags["Round"] = "2"
    >>> list(tags.items())
    [('Event', 'Match'), ('Round', '2'), ('Event', 'Rematch')]
    """

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = list(pairs)

    def add(self, name: str, value: str) -> None:
        """Write one more pair at the end, whether or not the name is there."""
        self._pairs.append((name, value))

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a name, or ``default``."""
        return next((value for known, value in self._pairs if known == name), default)

    def find(self, name: str) -> str:
        """Return the first value of a name, in whatever case it is written; or nothing.

        >>> Tags([("fen", "W:W32:B1")]).find("FEN")
        'W:W32:B1'
        """
        if name in self:
            return self.get(name)
        wanted = name.lower()
        return next((value for known, value in self._pairs if known.lower() == wanted), "")

    def items(self) -> list[tuple[str, str]]:
        """Return all pairs in their order."""
        return list(self._pairs)

    def __getitem__(self, name: str) -> str:
        for known, value in self._pairs:
            if known == name:
                return value
        raise KeyError(name)

    def __setitem__(self, name: str, value: str) -> None:
        """Change the first value of a name where it stands, or add it at the end."""
        for at, (known, _) in enumerate(self._pairs):
            if known == name:
                self._pairs[at] = name, value
                return
        self._pairs.append((name, value))

    def __delitem__(self, name: str) -> None:
        """Take a name out, every time that it comes; ``KeyError`` where it does not."""
        if name not in self:
            raise KeyError(name)
        self._pairs = [pair for pair in self._pairs if pair[0] != name]

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self._pairs)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __eq__(self, other: object) -> bool:
        return self._pairs == other._pairs if isinstance(other, Tags) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tags({self._pairs!r})"
