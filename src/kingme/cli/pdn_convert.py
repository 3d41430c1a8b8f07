"""``kingme pdn convert``, ``merge``, ``dedupe`` and ``filter``: games into one file."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from kingme.cli.asking import asking
from kingme.cli.output import counted, say
from kingme.cli.pdn_shared import (
    FileError,
    FilesArgument,
    ForceOption,
    OutputOption,
    VariantOption,
    count_notes,
    each_game,
    opened,
    variant_of,
    watching,
    written,
)

if TYPE_CHECKING:
    from kingme.collection import Query
    from kingme.rules.pdn import Game

__all__ = ["convert", "dedupe", "filter_games", "merge"]


class Encoding(enum.Enum):
    """How letters become bytes."""

    UTF8 = "utf-8"
    MARKED = "utf-8-sig"
    LATIN1 = "latin-1"


class Ends(enum.Enum):
    """How lines end."""

    LF = "lf"
    CRLF = "crlf"


class Same(enum.Enum):
    """When two games are one."""

    ALL = "all"
    PLAYERS = "players"
    MOVES = "moves"


class Order(enum.Enum):
    """How merged games are sorted."""

    FILE = "file"
    DATE = "date"
    EVENT = "event"


@dataclass(slots=True)
class Writer:
    """Writes games to a stream, a blank line between any two."""

    stream: BinaryIO
    encoding: str = "utf-8"
    newline: str = "\n"
    games: int = 0

    def put(self, text: str, where: str = "") -> None:
        """Write one game; refused where the encoding has no such letter."""
        body = text if text.endswith("\n") else f"{text}\n"
        body = f"\n{body}" if self.games else body
        if self.newline != "\n":
            body = body.replace("\n", self.newline)
        plain = "utf-8" if self.encoding == "utf-8-sig" else self.encoding
        try:
            data = body.encode(plain)
        except UnicodeEncodeError as error:
            letter = body[error.start : error.end]
            raise FileError(
                f"{where} holds {letter!r}, which {self.encoding} cannot write: use utf-8"
            ) from None
        if self.encoding == "utf-8-sig" and not self.games:
            data = b"\xef\xbb\xbf" + data
        self.stream.write(data)
        self.games += 1


def convert(
    files: FilesArgument,
    output: OutputOption = "-",
    letters: Annotated[
        bool, typer.Option("--letters/--numbers", help="Moves as c3-d4, or as 22-18.")
    ] = False,
    short: Annotated[
        bool,
        typer.Option("--short/--full", help="Jumps by start and end where that is enough."),
    ] = False,
    columns: Annotated[int, typer.Option(min=20, max=10000, help="Longest line of moves.")] = 79,
    encoding: Annotated[Encoding, typer.Option(help="How letters are written.")] = Encoding.UTF8,
    ends: Annotated[Ends, typer.Option(help="How lines end.")] = Ends.LF,
    variant: VariantOption = None,
    force: ForceOption = False,
) -> None:
    """Write games anew, as good PDN: numbers or letters, short or full, in any encoding."""
    from kingme.rules.pdn import write

    found = opened(files)
    chosen = variant_of(variant)
    with written(output, force) as stream, watching(found, "converting") as watch:
        writer = Writer(stream, encoding.value, "\r\n" if ends is Ends.CRLF else "\n")
        for source, game in each_game(found, watch, chosen):
            text = write(game, short=short, letters=letters, columns=columns)
            writer.put(text, f"{source.name}: game {watch.games}")
    count_notes(watch.notes)
    _done(output, f"{counted(writer.games, 'game')} written to {output}")


def merge(
    files: FilesArgument,
    output: OutputOption = "-",
    order: Annotated[Order, typer.Option(help="In what order.")] = Order.FILE,
    variant: VariantOption = None,
    force: ForceOption = False,
) -> None:
    """Put the games of several files into one, as they come or sorted."""
    from kingme.rules.pdn import write

    found = opened(files)
    chosen = variant_of(variant)
    with written(output, force) as stream, watching(found, "merging") as watch:
        writer = Writer(stream)
        games = (game for _, game in each_game(found, watch, chosen))
        if order is Order.FILE:
            for game in games:
                writer.put(write(game))
        else:
            for _, text in sorted((_place(game, order), write(game)) for game in games):
                writer.put(text)
    count_notes(watch.notes)
    _done(output, f"{counted(writer.games, 'game')} written to {output}")


def _place(game: Game, order: Order) -> tuple[str, int, str, int]:
    """What games are sorted by; their place in the file keeps the rest in order."""
    from kingme.collection.packing import date_number, folded

    event = folded(game.tags.get("Event", "")) if order is Order.EVENT else ""
    day = date_number(game.tags.get("Date", "")) or 0
    return event, day, game.tags.get("Round", ""), game.offset


def dedupe(
    files: FilesArgument,
    output: OutputOption = "-",
    same: Annotated[
        Same,
        typer.Option(help="Two are one with the same text; players, moves and result; or moves."),
    ] = Same.PLAYERS,
    variant: VariantOption = None,
    force: ForceOption = False,
) -> None:
    """Leave out games that came before; the first of each stays."""
    from kingme.rules.pdn import write

    found = opened(files)
    chosen = variant_of(variant)
    seen: set[bytes] = set()
    with written(output, force) as stream, watching(found, "comparing") as watch:
        writer = Writer(stream)
        for _, game in each_game(found, watch, chosen):
            text = write(game)
            mark = blake2b(_identity(game, text, same).encode(), digest_size=16).digest()
            if mark not in seen:
                seen.add(mark)
                writer.put(text)
    left = watch.games - writer.games
    count_notes(watch.notes)
    games = counted(writer.games, "game")
    _done(output, f"{games} written to {output}, {left} left out", always=True)


def _identity(game: Game, text: str, same: Same) -> str:
    """What two games that are one have in common."""
    from kingme.collection.packing import folded

    # A game with a move that nobody understands is the same only as its own text.
    if same is Same.ALL or any(node.move is None for node in game.line):
        return text
    moves = " ".join(map(str, game.moves))
    shared = f"{game.start.variant.name} {game.start.fen} {moves}"
    if same is Same.MOVES:
        return shared
    names = "|".join(" ".join(sorted(folded(game.tags.get(n, "")).split())) for n in _NAMES)
    return f"{shared} {names} {game.result}"


_NAMES = ("Black", "White")


@asking
def filter_games(
    query: Query,
    files: FilesArgument,
    output: OutputOption = "-",
    plies: Annotated[int | None, typer.Option(min=0, help="As many plies at least.")] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Only games without an error.")] = False,
    default: VariantOption = None,
    invert: Annotated[bool, typer.Option("--invert", help="The other games instead.")] = False,
    force: ForceOption = False,
) -> None:
    """Write the games that meet every condition."""
    from kingme.collection.matching import matches
    from kingme.collection.reading import entry_of

    chosen = variant_of(default)
    found = opened(files)
    with written(output, force) as stream, watching(found, "filtering") as watch:
        writer = Writer(stream)
        for _, game in each_game(found, watch, chosen):
            entry = entry_of(game)
            good = entry is not None and matches(query, entry)
            good = good and (plies is None or len(game.moves) >= plies)
            good = good and not (clean and any(note.kind == "error" for note in game.notes))
            if entry is not None and good is not invert:
                writer.put(entry.text)
    count_notes(watch.notes)
    read = counted(watch.games, "game")
    _done(output, f"{writer.games} of {read} written to {output}", always=True)


def _done(output: str, text: str, always: bool = False) -> None:
    """Say what was done, where standard output is not the games themselves."""
    if output != "-":
        say(text)
    elif always:
        typer.echo(text.replace(" to -", ""), err=True)
