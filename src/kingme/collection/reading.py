"""How the games of a PDN text come into a collection: each text once, and to be gone on with.

Every batch is a transaction that also notes how far the text was read, so that an import which
was stopped begins there when it is asked for again.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from kingme.collection.indexing import Line
from kingme.collection.loading import BATCH, Entry, Loader
from kingme.collection.sources import Metered, Source
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.pdn import Game, Note, Tags, visit, write
from kingme.rules.pdn.source import wide
from kingme.rules.pdn.tree import Builder
from kingme.rules.pdn.visitor import Remark
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["Loaded", "Told", "entry_of", "load"]

COLUMNS = 79
"""The longest line of moves, as :func:`~kingme.rules.pdn.write` has it."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a text brought: games read, added, known before, and with errors.

    At last: how often something was wrong in it, repaired, or odd.
    """

    name: str
    games: int = 0
    added: int = 0
    known: int = 0
    faulty: int = 0
    plies: int = 0
    before: bool = False
    errors: int = 0
    repairs: int = 0
    odd: int = 0


class Told(Protocol):
    """Who is told how far a text is read, in bytes and in games."""

    def __call__(self, bytes_read: int, games: int, /) -> object:
        """Take note."""


def load(
    loader: Loader,
    connection: sqlite3.Connection,
    source: Source,
    told: Told | None = None,
    default: Variant | None = None,
) -> Loaded:
    """Add the games of a text, from where an earlier try of it ended.

    The default is the variant of those that do not say theirs.
    """
    digest = _digest(source, default)
    find = "SELECT games, added, faulty, resume, finished FROM source WHERE digest = ?"
    row = connection.execute(find, (digest,)).fetchone() or (0, 0, 0, 0, 0)
    games, added, faulty, resume, finished = row
    if finished:
        return Loaded(source.name, games, 0, games, faulty, before=True)
    read_now = 0
    reader = _Reader(loader)

    def note(done: bool, at: int) -> None:
        counts = (games + reader.games, added + reader.added, faulty + reader.faulty)
        connection.execute(
            "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?)",
            (digest, source.name, *counts, at, int(done)),
        )

    def metered(size: int) -> None:
        nonlocal read_now
        read_now += size
        if told is not None:
            told(resume + read_now, reader.games)

    def full(offset: int) -> None:
        if not encoding:  # its places are those in UTF-8: such a text is begun with again
            note(False, resume + offset)
        loader.flush()
        loader.begin()

    reader.full = full
    with source.open() as stream:
        encoding = wide(stream.read(4))
    with source.open() as stream:
        if resume:
            stream.seek(resume)
        loader.begin()
        try:
            visit(Metered(stream, metered), reader, default=default)
            note(True, source.size)
            loader.flush()
        except BaseException:
            loader.drop()
            raise
    known = reader.games - reader.added
    return Loaded(
        *(source.name, reader.games, reader.added, known, faulty + reader.faulty, reader.plies),
        errors=reader.notes["error"],
        repairs=reader.notes["repair"],
        odd=reader.notes["odd"],
    )


def _digest(source: Source, default: Variant | None) -> bytes:
    """What a text is known by: read as another variant's it is another one."""
    digest = source.digest()
    if default in (None, ENGLISH):
        return digest
    return blake2b(digest + default.name.encode(), digest_size=16).digest()


class _Reader:
    """Adds the games that it is told of. A tree is made only of those that are more than moves."""

    def __init__(self, loader: Loader) -> None:
        self.games = self.added = self.faulty = self.plies = 0
        self.notes: Counter[str] = Counter()
        #: who is told where the next game begins when a batch is full
        self.full: Callable[[int], None] = lambda _: None
        self._loader = loader
        self._tags = Tags()
        self._start = Position.start()
        self._moves: list[tuple[str, Move | None, Callable[[], Position | None]]] = []
        self._tree: Builder | None = None
        self._wrong = False

    def begin(self, offset: int, line: int) -> None:
        """Begin with a game of moves alone; end a batch where it is full."""
        if self._loader.waiting >= BATCH:
            self.full(offset)
        self._moves, self._tree, self._wrong = [], None, False

    def setup(self, tags: Tags, start: Position) -> None:
        """Keep the tags and the start."""
        self._tags, self._start = tags, start

    def move(self, text: str, move: Move | None, after: Callable[[], Position | None]) -> None:
        """Keep a move."""
        if self._tree is None and move is not None:
            self._moves.append((text, move, after))
        else:
            self._whole().move(text, move, after)

    def remark(self, kind: Remark, text: str) -> None:
        """Something is said: this needs a tree."""
        self._whole().remark(kind, text)

    def branch(self, opens: bool) -> None:
        """So do variations."""
        self._whole().branch(opens)

    def note(self, note: Note) -> None:
        """Know whether anything was an error."""
        self.notes[note.kind] += 1
        self._wrong = self._wrong or note.kind == "error"

    def end(self, result: str) -> None:
        """Add the game."""
        tree = self._tree
        if tree is not None:
            tree.end(result)
            (game,) = tree.take()
            moves = game.moves
        else:
            game = Game(self._tags, result, self._start)
            moves = tuple(move for _, move, _ in self._moves if move is not None)
        if not moves and not game.line and not len(self._tags):
            return
        line = self._loader.index(self._start.variant).line(self._start, moves)
        self.games += 1
        self.plies += len(moves)
        self.faulty += self._wrong
        text = write(game) if tree is not None else _written(game, line)
        self.added += self._loader.add(_entry(game, text, line))

    def _whole(self) -> Builder:
        if self._tree is None:
            self._tree = Builder()
            self._tree.begin(0, 1)
            self._tree.setup(self._tags, self._start)
            for told in self._moves:
                self._tree.move(*told)
        return self._tree


def _written(bare: Game, line: Line) -> str:
    """What :func:`~kingme.rules.pdn.write` makes of a game of these moves and no other words."""
    head = write(bare).removesuffix(f"{bare.result or '*'}\n")
    late = int(bare.start.turn is not bare.start.variant.first)
    words = [
        step.text if ply & 1 else f"{(ply >> 1) + 1}. {step.text}"
        for ply, step in enumerate(line.steps, late)
    ]
    if words and late:
        words[0] = f"1... {words[0]}"
    lines, first, width = [], 0, -1
    for at, word in enumerate((*words, bare.result or "*")):
        width += len(word) + 1
        if width > COLUMNS and at > first:
            lines.append(" ".join(words[first:at]))
            first, width = at, len(word)
    last = (*words[first:], bare.result or "*")
    return head + "\n".join((*lines, " ".join(last), ""))


def entry_of(game: Game, *, with_text: bool = True) -> Entry | None:
    """Return a game of a file as a collection takes it; None where it says nothing at all."""
    if not game.line and not len(game.tags):
        return None
    return _entry(game, write(game) if with_text else "", game.history)


def _entry(game: Game, text: str, history: History | Line) -> Entry:
    tags = game.tags
    return Entry(
        text=text,
        history=history,
        winner=game.winner,
        draw=game.draw,
        black=tags.get("Black", "?"),
        white=tags.get("White", "?"),
        event=tags.get("Event", "?"),
        site=tags.get("Site", "?"),
        round=tags.get("Round", "?"),
        date=tags.get("Date", "????.??.??"),
        said=game.result or "*",
    )
