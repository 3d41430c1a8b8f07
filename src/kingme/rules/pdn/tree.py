"""A game as a tree: its tags, its main line, and what branches off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.pdn.clocks import Clock, clocks
from kingme.rules.pdn.results import winner_of
from kingme.rules.pdn.tags import Tags
from kingme.rules.pdn.visitor import Note, Remark
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["Builder", "Game", "Node"]

#: characters of signs such as ``!?`` at one move
_MARKS = 100


@dataclass(slots=True, eq=False)
class Node:
    """A move in a game, and what is said of it.

    ``move`` is ``None`` where there is none to be known: a placeholder, an illegal move,
    whatever follows one, or a position that is set up. ``text`` is what was written;
    ``variations`` are alternatives to this very move. Two nodes are equal where the same
    is played and said, however a move was spelled.
    """

    move: Move | None
    text: str = ""
    nags: list[int] = field(default_factory=list)
    strength: str = ""
    comments: list[str] = field(default_factory=list)
    #: comments in front of the move, behind its number
    before: list[str] = field(default_factory=list)
    variations: list[list[Node]] = field(default_factory=list)
    after: Callable[[], Position | None] | Position | None = field(default=None, repr=False)

    @property
    def position(self) -> Position | None:
        """The position after the move; ``None`` where it cannot be known."""
        if not (self.after is None or isinstance(self.after, Position)):
            self.after = self.after()
        return self.after

    @property
    def clock(self) -> Clock | None:
        """The first clock time in the comments behind the move; ``None`` where there is none."""
        return next(iter(self.clocks), None)

    @property
    def clocks(self) -> list[Clock]:
        """Every clock time in the comments behind the move."""
        return [clock for comment in self.comments for clock in clocks(comment)]

    def __eq__(self, other: object) -> bool:
        """Compare what is played and said, with all variations."""
        return _parts(self) == _parts(other) if isinstance(other, Node) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _parts(node: Node) -> tuple[object, ...]:
    said = node.move or " ".join(node.text.split())
    return said, node.nags, node.strength, node.comments, node.before, node.variations


@dataclass(slots=True, eq=False)
class Game:
    """A game as PDN has it: nothing that was written is lost.

    ``result`` is what the text states, empty where it states nothing; it is never changed
    because of the board, for games end by resignation. ``comments`` stand before the first
    move; ``offset`` (bytes) and ``line_number`` say where the game begins in its file.
    Two games are equal where tags, start, result, moves and everything said are.

    >>> from kingme.rules.pdn import read
    >>> game, = read('[Event "Club"] 1. 11-15! {bold} (1. 12-16) 22-18 1-0')
    >>> game.tags["Event"], [str(move) for move in game.moves], game.winner.title
    ('Club', ['11-15', '22-18'], 'Black')
    >>> game.line[0].strength, game.line[0].comments, str(game.line[0].variations[0][0].move)
    ('!', ['bold'], '12-16')
    """

    tags: Tags = field(default_factory=Tags)
    result: str = ""
    start: Position = field(default_factory=Position.start)
    comments: list[str] = field(default_factory=list)
    line: list[Node] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    offset: int = 0
    line_number: int = 1

    @classmethod
    def of(cls, history: History, tags: Tags | None = None, result: str = "*") -> Game:
        """Return the game of a history.

        >>> Game.of(History.start().play("11-15")).line[0].position.turn.title
        'White'
        """
        nodes = [
            Node(move, str(move), after=after)
            for move, after in zip(history.moves, history.positions[1:], strict=True)
        ]
        return cls(tags or Tags(), result, history.positions[0], line=nodes)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line, up to the first that is not known."""
        return tuple(move for _, move in self._known())

    @property
    def history(self) -> History:
        """The main line with its positions, up to the first move that is not known."""
        known = list(self._known())
        positions = tuple(node.position for node, _ in known)
        return History((self.start, *positions), tuple(move for _, move in known))  # type: ignore[arg-type]

    @property
    def winner(self) -> Side | None:
        """Who won, as the result states it; ``None`` where nobody did or nothing is stated."""
        return winner_of(self.result, self.start.variant.first)[0]

    @property
    def draw(self) -> bool:
        """Whether the result states a draw."""
        return winner_of(self.result, self.start.variant.first)[1]

    def _repr_html_(self) -> str:
        """Return the game with its last position, for notebooks."""
        from kingme.rules import html

        return html.game(self)

    def _known(self) -> Iterator[tuple[Node, Move]]:
        for node in self.line:
            if node.move is None:
                return
            yield node, node.move

    def __eq__(self, other: object) -> bool:
        """Compare everything but the notes and the place in the file."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.tags == other.tags
            and (self.result or "*") == (other.result or "*")
            and self.start == other.start
            and self.comments == other.comments
            and self.line == other.line
        )

    __hash__ = None  # type: ignore[assignment]


class Builder:
    """A visitor that builds the tree of one game after the other."""

    __slots__ = ("_before", "_lines", "_ready", "game")

    def __init__(self) -> None:
        self.game = Game()
        self._ready: list[Game] = []
        self._lines: list[list[Node]] = []
        self._before: list[str] = []

    def take(self) -> list[Game]:
        """Return the games that are complete, and let go of them."""
        ready, self._ready = self._ready, []
        return ready

    def begin(self, offset: int, line: int) -> None:
        """Begin with an empty tree."""
        self.game = Game(offset=offset, line_number=line)
        self._lines = [self.game.line]
        self._before = []

    def setup(self, tags: Tags, start: Position) -> None:
        """Keep the tags and the start."""
        self.game.tags, self.game.start = tags, start

    def move(self, text: str, move: Move | None, after: Callable[[], Position | None]) -> None:
        """Add a node to the line that is open."""
        node = Node(move, text, after=after)
        if self._before:
            node.before, self._before = self._before, []
        self._lines[-1].append(node)

    def remark(self, kind: Remark, text: str) -> None:
        """Keep what is said at the node that it belongs to."""
        line = self._lines[-1]
        if kind == "before":
            self._before.append(text)
        elif not line:
            self.game.comments.append(text)
        elif kind == "comment":
            line[-1].comments.append(text)
        elif kind == "nag":
            line[-1].nags.append(int(text))
        elif len(line[-1].strength) < _MARKS:
            line[-1].strength += text

    def branch(self, opens: bool) -> None:
        """Open a line as an alternative to the last node, or close the innermost."""
        self._settle()
        if opens:
            line: list[Node] = []
            self._lines[-1][-1].variations.append(line)
            self._lines.append(line)
            return
        if not self._lines.pop():
            self._lines[-1][-1].variations.pop()

    def note(self, note: Note) -> None:
        """Keep a note."""
        self.game.notes.append(note)

    def end(self, result: str) -> None:
        """Keep the result."""
        self._settle()
        self.game.result = result
        self._ready.append(self.game)

    def _settle(self) -> None:
        """What was to stand before a move that never came stands behind the last one."""
        if self._before:
            holder = next((line[-1] for line in reversed(self._lines) if line), self.game)
            holder.comments += self._before
            self._before = []
