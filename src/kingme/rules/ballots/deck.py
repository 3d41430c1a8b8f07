"""A ballot and a deck of them, as read from a file beside this module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol, TypeVar

from kingme.rules.history import History
from kingme.rules.position import Position

__all__ = ["Ballot", "Chance", "Deck"]

Item = TypeVar("Item")

MEN = 24


class Chance(Protocol):
    """What draws by lot, such as a `random.Random`: the rules have no chance of their own."""

    def choice(self, seq: Sequence[Item], /) -> Item:
        """Return one of them."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """An opening of a deck.

    ``status`` is what its deck says of it, such as ``"playable"``; ``barred`` tells whether it
    is never drawn. ``removed`` are squares whose men are taken off before the first move.
    """

    deck: str
    number: int
    moves: tuple[str, ...]
    name: str
    status: str
    barred: bool
    removed: tuple[int, ...] = ()

    @property
    def start(self) -> Position:
        """The position before its moves."""
        return _without(self.removed)

    @property
    def history(self) -> History:
        """The game so far: its start, and its moves played."""
        history = History.start(self.start)
        for move in self.moves:
            history = history.play(move)
        return history

    @property
    def position(self) -> Position:
        """The position after its moves."""
        return self.history.position

    def __str__(self) -> str:
        """Return the deck and the number, the name where there is one, and the moves.

        Where names are the deck, their numbers say nothing.
        """
        moves = " ".join(self.moves)
        if self.status == "named":
            return f"{self.name}: {moves}"
        name = f", {self.name}" if self.name else ""
        without = " without " + " and ".join(map(str, self.removed)) if self.removed else ""
        return f"{self.deck} ballot {self.number}{name}{without}: {moves}"


class Deck(Mapping[int, Ballot]):
    """Ballots by number; read at the first use.

    ``name`` is short, ``title`` for people. Each line of ``file`` is a number with a mark, the
    ``removed`` squares, the moves, and the name where there is one; ``marks`` are what the marks
    mean, and what is marked ``-`` is never drawn.
    """

    def __init__(
        self, name: str, title: str, file: str, marks: Mapping[str, str], removed: int = 0
    ) -> None:
        self.name = name
        self.title = title
        self._file = file
        self._marks = marks
        self._removed = removed

    def __getitem__(self, number: int) -> Ballot:
        return self._ballots[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._ballots)

    def __len__(self) -> int:
        return len(self._ballots)

    def __repr__(self) -> str:
        """Return its name and size."""
        return f"<Deck {self.name}: {len(self)} ballots>"

    @cached_property
    def drawn(self) -> tuple[Ballot, ...]:
        """The ballots that are drawn by lot: all but the barred ones, by number."""
        return tuple(ballot for ballot in self.values() if not ballot.barred)

    @cached_property
    def plies(self) -> int:
        """The number of moves of its longest ballot."""
        return max(len(ballot.moves) for ballot in self.values())

    def draw(self, chance: Chance) -> Ballot:
        """Draw a ballot by lot; the same state of ``chance`` gives the same one.

        >>> import random
        >>> from kingme.rules.ballots import THREE_MOVE
        >>> THREE_MOVE.draw(random.Random(7)).number
        93
        """
        return chance.choice(self.drawn)

    def at(self, position: Position) -> Ballot | None:
        """Return the ballot that leads to a position, or ``None``."""
        if (position.black | position.white).bit_count() > MEN - self._removed:
            return None
        return self._by_position.get(position)

    @cached_property
    def _ballots(self) -> dict[int, Ballot]:
        import pkgutil  # it costs time at import that few need

        data = pkgutil.get_data(__package__ or "", self._file) or b""
        ballots = map(self._read, data.decode().splitlines())
        return {ballot.number: ballot for ballot in ballots}

    @cached_property
    def _by_position(self) -> dict[Position, Ballot]:
        found: dict[Position, Ballot] = {}
        for ballot in self.values():
            found.setdefault(ballot.position, ballot)
        return found

    def _read(self, line: str) -> Ballot:
        number, *words = line.split()
        removed = tuple(map(int, words[: self._removed]))
        rest = words[self._removed :]
        moves = tuple(word for word in rest if word[0].isdigit())
        mark = number[-1]
        return Ballot(
            self.name,
            int(number[:-1]),
            moves,
            " ".join(rest[len(moves) :]),
            self._marks[mark],
            mark == "-",
            removed,
        )


@cache
def _without(removed: tuple[int, ...]) -> Position:
    start = Position.start()
    pieces = {at: piece for at, piece in start.pieces.items() if at not in removed}
    return Position.of(pieces, start.turn)
