"""PDN texts that a page sends: what games are in them, and what was odd or wrong, with its place.

The server keeps nothing. A text is read in a thread, a few at once; how much of it is read into
trees is bounded, and the games behind that bound are listed by their tags alone. A page that wants
one of those asks again, with the byte at which it begins.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.rules.ballots import opening_of
from kingme.rules.moves import Move
from kingme.rules.pdn import Game, Node, Note, visit
from kingme.rules.pdn.tree import Builder
from kingme.rules.pdn.visitor import Remark
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH
from kingme.web.api import Desk, bounded
from kingme.web.guard import RequestError, answer
from kingme.web.limits import READINGS, Limits, address_of
from kingme.web.sent import json_record
from kingme.web.settings import Settings
from kingme.web.wire import Number, Record

__all__ = ["BUSY", "LONGEST", "Bounded", "PdnAnswer", "PdnSent", "PdnText", "routes"]

LONGEST = 1_000_000
"""Characters of a text, and about the bytes of a body."""

MOVES = 6000
"""Moves that one answer holds at most, those of variations among them."""

SECONDS = 4.0
"""Of a processor, for the reading of one text; what is not read by then is left."""

LISTED = 5000
NOTES = 200
NO_MOVE = "This is no move"
"""How the note on a word begins that stands among the moves and is none."""

NAMED, SHOWN = 3, 30
"""Such words that are named in a message, and letters of each."""

ODD = 10_000
"""Notes on one game after which its text is taken for rubbish, and is not read on."""

BUSY = "The server is reading other games. Try again in a moment."
TOO_LONG = f"This game has more than {MOVES} moves with its variations, or takes too long to read."
RUBBISH = f"This text is no PDN, or very little of it: more than {ODD} places in it are odd."
NOTHING = "There is no game in this text: no tag, and no move that can be read."

PdnText = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class PdnSent(Record, frozen=True):
    """A text of PDN; what stands before byte `offset` of its UTF-8 is passed over."""

    text: PdnText
    offset: Number = 0


class NodeShown(Record, frozen=True):
    """A move: `move` as it is understood (null where it is not) and `text` as it was written.

    `before` are comments in front of it, `comments` those behind it, `strength` marks as in
    ``!?``, and `variations` lines that could be played in its place.
    """

    move: str | None
    text: str
    path: tuple[int, ...]
    captures: tuple[int, ...]
    nags: list[int]
    strength: str
    before: list[str]
    comments: list[str]
    variations: list[list[NodeShown]]


class NoteShown(Record, frozen=True):
    """What was `odd`, needed a `repair` or was an `error`, at a line and column from 1 on."""

    kind: str
    message: str
    line: int
    column: int
    token: str


class GameShown(Record, frozen=True):
    """A game of a text: `moves` is its main line, null where it is not read in this answer.

    `unread` says what could not be read of it, and in which line; it is empty where all could.
    `opening` is the latest ballot or named opening that it comes to, null where it comes to none.
    """

    offset: int
    line: int
    tags: list[tuple[str, str]]
    variant: str
    start: str
    result: str
    opening: str | None
    comments: list[str]
    moves: list[NodeShown] | None
    notes: list[NoteShown]
    unread: str


class PdnAnswer(Record, frozen=True):
    """The games of a text in their order; `more` says that there are still others behind them."""

    games: list[GameShown]
    more: bool


class Enough(Exception):
    """There are more moves than are to be read."""

    refusal = "too_long", TOO_LONG


class Rubbish(Enough):
    """There is more that is odd than in any game."""

    refusal = "no_game_read", RUBBISH


class Bounded(Builder):
    """Builds trees of so many moves; raises ``Enough`` at the next one, or when time is up."""

    __slots__ = ("_left", "_until")

    def __init__(self, moves: int = MOVES, seconds: float = SECONDS) -> None:
        super().__init__()
        self._left = moves
        self._until = time.thread_time() + seconds

    def note(self, note: Note) -> None:
        """Keep a note, of which rubbish has very many."""
        if len(self.game.notes) >= ODD:
            raise Rubbish
        if time.thread_time() > self._until:
            raise Enough
        super().note(note)

    def move(self, text: str, move: Move | None, after: Callable[[], Position | None]) -> None:
        """Add a node."""
        if not self._left or time.thread_time() > self._until:
            raise Enough
        self._left -= 1
        super().move(text, move, after)


class Listing(Bounded):
    """The same, but goes on with the heads of games: `read` of them have their moves."""

    __slots__ = ("read",)

    def __init__(self) -> None:
        super().__init__()
        self.read: int | None = None

    def begin(self, offset: int, line: int) -> None:
        """Begin a game; enough where more are done than can be listed."""
        if len(self._ready) > LISTED:
            raise Enough
        super().begin(offset, line)

    def move(self, text: str, move: Move | None, after: Callable[[], Position | None]) -> None:
        """Add a node, while there is room for it."""
        if self._left:
            super().move(text, move, after)
        elif time.thread_time() > self._until:
            raise Enough
        elif self.read is None:
            self.read = len(self._ready)

    def remark(self, kind: Remark, text: str) -> None:
        """Keep what is said of a move that is kept."""
        if self.read is None:
            super().remark(kind, text)

    def branch(self, opens: bool) -> None:
        """Open or close a line of moves that are kept."""
        if self.read is None:
            super().branch(opens)


def routes(settings: Settings) -> list[Route]:
    """The address that texts are sent to."""
    desk, limits = Desk(settings, BUSY), Limits(settings.redis)

    async def pdn(request: Request) -> Response:
        """The games of a text."""
        await limits.spend((READINGS, address_of(request.client)))
        sent = await json_record(request, settings, PdnSent, most=LONGEST + LONGEST // 4)
        return answer(await desk.run(bounded(lambda: _read(sent)), request))

    return [Route("/api/pdn", pdn, methods=["POST"])]


def _read(sent: PdnSent) -> PdnAnswer:
    part, lines = _part(sent.text, sent.offset)
    builder = Listing()
    trees, left = _trees(part, builder)
    read = len(trees) if builder.read is None else builder.read
    if not read and (left or builder.read is not None):
        code, message = (left or Enough).refusal
        raise RequestError(422, code, message, field="text")
    games = [_shown(game, sent.offset, lines) for game in trees[:read] if _said(game) or game.notes]
    if not left and not any(_said(game) for game in trees[:read]):
        raise RequestError(422, "no_game_read", NOTHING, field="text")
    games += [_listed(game, sent.offset, lines) for game in trees[read:]]
    return PdnAnswer(games[:LISTED], left is not None or len(games) > LISTED)


def _part(text: str, offset: int) -> tuple[bytes, int]:
    """What is to be read of a text, and how many lines are before it."""
    data = text.encode("utf-8", "replace")
    if not 0 <= offset <= len(data):
        raise RequestError(422, "bad_offset", "No game begins there.", field="offset")
    return data[offset:], data.count(b"\n", 0, offset)


def _trees(part: bytes, builder: Bounded) -> tuple[list[Game], Enough | None]:
    """The games of a text that are within the bound, and why there are others, if there are."""
    try:
        visit(part, builder)
    except Enough as reason:
        return builder.take(), reason
    return builder.take(), None


def _said(game: Game) -> bool:
    return bool(game.line or game.tags)


def _shown(game: Game, offset: int, lines: int) -> GameShown:
    opening = opening_of(game.history) if game.start.variant is ENGLISH else None
    return GameShown(
        offset=game.offset + offset,
        line=game.line_number + lines,
        tags=list(game.tags.items()),
        variant=game.start.variant.name,
        start=game.start.fen,
        result=game.result,
        opening=None if opening is None else str(opening),
        comments=game.comments,
        moves=[_node(node) for node in game.line],
        notes=[_note(note, lines) for note in game.notes[:NOTES]],
        unread=_unread([_note(note, lines) for note in game.notes]),
    )


def _listed(game: Game, offset: int, lines: int) -> GameShown:
    return GameShown(
        offset=game.offset + offset,
        line=game.line_number + lines,
        tags=list(game.tags.items()),
        variant="",
        start="",
        result=game.result,
        opening=None,
        comments=[],
        moves=None,
        notes=[],
        unread="",
    )


def _node(node: Node) -> NodeShown:
    return NodeShown(
        move=None if node.move is None else str(node.move),
        text=node.text,
        path=() if node.move is None else node.move.path,
        captures=() if node.move is None else node.move.captures,
        nags=node.nags,
        strength=node.strength,
        before=node.before,
        comments=node.comments,
        variations=[[_node(inner) for inner in line] for line in node.variations],
    )


def _note(note: Note, lines: int) -> NoteShown:
    message = note.message
    if not message[1:2].isdigit():  # the name of a square, as in c3-d4, stays as it is
        message = f"{message[:1].upper()}{message[1:]}"
    message += "" if message.endswith((".", "?", "…")) else "."
    return NoteShown(note.kind, message, note.line + lines, note.column, note.token[:100])


def _unread(notes: list[NoteShown]) -> str:
    """What a person has to know of the notes: the first error, and words that are no moves."""
    errors = [f"Line {note.line}: {note.message}" for note in notes if note.kind == "error"]
    strange = [note for note in notes if note.message.startswith(NO_MOVE)]
    named = [f"“{note.token[:SHOWN]}” in line {note.line}" for note in strange[:NAMED]]
    if len(strange) > NAMED:
        named.append(f"{len(strange) - NAMED} more")
    first, last = ", ".join(named[:-1]), "".join(named[-1:])
    words = f"Not read as a move: {f'{first} and ' if first else ''}{last}."
    return " ".join([*errors[:1], *([words] if named else [])])
