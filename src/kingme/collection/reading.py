"""How the games of a PDN text come into a collection: each text once, and to be gone on with.

Every batch is a transaction that also notes how far the text was read, so that an import which
was stopped begins there when it is asked for again.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Protocol

from kingme.collection.loading import BATCH, Entry, Loader
from kingme.collection.sources import Metered, Source
from kingme.rules.pdn import Game, read, write

__all__ = ["Loaded", "Told", "entry_of", "load"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a text brought: games read, added, known before, and with errors."""

    name: str
    games: int = 0
    added: int = 0
    known: int = 0
    faulty: int = 0
    plies: int = 0
    before: bool = False


class Told(Protocol):
    """Who is told how far a text is read, in bytes and in games."""

    def __call__(self, bytes_read: int, games: int, /) -> object:
        """Take note."""


def load(
    loader: Loader, connection: sqlite3.Connection, source: Source, told: Told | None = None
) -> Loaded:
    """Add the games of a text, from where an earlier try of it ended."""
    digest = source.digest()
    find = "SELECT games, added, faulty, resume, finished FROM source WHERE digest = ?"
    row = connection.execute(find, (digest,)).fetchone() or (0, 0, 0, 0, 0)
    games, added, faulty, resume, finished = row
    if finished:
        return Loaded(source.name, games, 0, games, faulty, before=True)
    read_now = count = plies = 0

    def note(done: bool, at: int) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?)",
            (digest, source.name, games, added, faulty, at, int(done)),
        )

    def metered(size: int) -> None:
        nonlocal read_now
        read_now += size
        if told is not None:
            told(resume + read_now, count)

    new = 0
    with source.open() as stream:
        if resume:
            stream.seek(resume)
        loader.begin()
        try:
            for game in read(Metered(stream, metered)):
                if loader.waiting >= BATCH:
                    note(False, resume + game.offset)
                    loader.flush()
                    loader.begin()
                entry = entry_of(game)
                if entry is None:
                    continue
                count += 1
                games += 1
                plies += len(entry.history.moves)
                faulty += any(problem.kind == "error" for problem in game.notes)
                if loader.add(entry):
                    added += 1
                    new += 1
            note(True, source.size)
            loader.flush()
        except BaseException:
            loader.drop()
            raise
    return Loaded(source.name, count, new, count - new, faulty, plies)


def entry_of(game: Game, *, with_text: bool = True) -> Entry | None:
    """Return a game of a file as a collection takes it; None where it says nothing at all."""
    tags = game.tags
    if not game.line and not list(tags.items()):
        return None
    return Entry(
        text=write(game) if with_text else "",
        history=game.history,
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
