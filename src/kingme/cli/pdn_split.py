"""``kingme pdn split``: games into many files."""

from __future__ import annotations

import contextlib
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from kingme.cli.output import counted, say
from kingme.cli.pdn_shared import (
    FileError,
    FilesArgument,
    ForceOption,
    VariantOption,
    count_notes,
    each_game,
    opened,
    refuse_existing,
    settle,
    variant_of,
    watching,
)

if TYPE_CHECKING:
    from kingme.rules.pdn import Game

__all__ = ["split"]

_NAMES = ("Black", "White")
LONGEST = 180
"""How many bytes of a name are kept: no file system takes more than 255."""
#: what Windows takes for devices, whatever their ending
_DEVICES = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10)),
}


def split(
    files: FilesArgument,
    into: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go.")],
    games: Annotated[int | None, typer.Option(min=1, help="So many games a file.")] = None,
    by: Annotated[str | None, typer.Option(help="event, player, year, opening, variant.")] = None,
    variant: VariantOption = None,
    force: ForceOption = False,
) -> None:
    """Divide games among files: so many each, or by what they have in common."""
    from kingme.rules.pdn import write

    if (games is None) == (by is None):
        raise FileError("split either by --games N or --by event, player, year, opening, variant")
    sort = _sorter(games, by)
    found = opened(files)
    chosen = variant_of(variant)
    try:
        into.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(f"{into} is no folder: name one for the files") from None
    except OSError as error:
        raise FileError(f"{into} cannot be made: {error.strerror}") from None
    with contextlib.ExitStack() as stack, watching(found, "splitting") as watch:
        folder = _Folder(into, force, stack)
        for source, game in each_game(found, watch, chosen):
            text = write(game)
            for name in sort(game, source.name, watch.games - 1):
                folder.put(name, text)
    count_notes(watch.notes)
    files_made = counted(len(folder.names), "file")
    say(f"{counted(watch.games, 'game')} written to {files_made} in {into}")


def _sorter(games: int | None, by: str | None) -> Callable[[Game, str, int], Iterator[str]]:
    """What names the files that a game goes to."""
    from kingme.collection.matching import opening_of
    from kingme.collection.reading import entry_of

    def year(game: Game) -> Iterator[str]:
        from kingme.collection.packing import date_number

        day = date_number(game.tags.get("Date", ""))
        yield str(day // 10000) if day else "unknown"

    def opening(game: Game) -> Iterator[str]:
        entry = entry_of(game, with_text=False)
        number = opening_of(entry) if entry else None
        yield f"ballot-{number:03}" if number else "other"

    def players(game: Game) -> Iterator[str]:
        yield from dict.fromkeys(game.tags.get(name, "") or "unknown" for name in _NAMES)

    kinds: dict[str, Callable[[Game], Iterator[str]]] = {
        "event": lambda game: iter([game.tags.get("Event", "") or "unknown"]),
        "player": players,
        "year": year,
        "opening": opening,
        "variant": lambda game: iter([game.start.variant.name]),
    }
    if games is not None:
        size = games
        return lambda game, name, count: iter([f"games-{count // size + 1:05}"])
    if by not in kinds:
        raise FileError(f"{by!r} is nothing to split by: there are {', '.join(kinds)}")
    kind = kinds[by]
    return lambda game, name, count: kind(game)


class _Folder:
    """The files of a folder, each opened at its first game; few are open at once."""

    def __init__(self, folder: Path, force: bool, stack: contextlib.ExitStack) -> None:
        self._folder = folder
        self._force = force
        self._scratch = Path(
            stack.enter_context(tempfile.TemporaryDirectory(dir=folder, prefix=".split-"))
        )
        stack.push(self._leave)
        self.names: dict[str, tuple[Path, Path]] = {}
        self._used: set[Path] = set()
        self._open: dict[Path, BinaryIO] = {}

    def put(self, name: str, text: str) -> None:
        """Add a game to a file."""
        if name not in self.names:
            target = self._target(name)
            self.names[name] = self._scratch / target.name, target
        scratch, _ = self.names[name]
        stream = self._open.get(scratch)
        if stream is None:
            if len(self._open) >= 100:
                self._shut()
            stream = self._open[scratch] = scratch.open("ab")
        body = text if text.endswith("\n") else f"{text}\n"
        stream.write((f"\n{body}" if stream.tell() else body).encode())

    def _target(self, name: str) -> Path:
        """A file's name for a name: letters, digits and dashes, and no two alike."""
        plain = _fit(name)
        target, count = self._folder / f"{plain}.pdn", 1
        while target in self._used:
            count += 1
            target = self._folder / f"{plain}-{count}.pdn"
        self._used.add(target)
        refuse_existing(target, self._force)
        return target

    def _shut(self) -> None:
        for stream in self._open.values():
            stream.close()
        self._open.clear()

    def _leave(self, kind: object, error: object, trace: object) -> None:
        """Give the finished files their names, unless something went wrong."""
        self._shut()
        if kind is None:
            for scratch, target in self.names.values():
                settle(scratch, target, self._force)


def _fit(name: str) -> str:
    """A name as file systems take it: letters and digits of any script, the rest as dashes."""
    kept, base = "", ""
    for c in unicodedata.normalize("NFKD", name.casefold()):
        if not unicodedata.combining(c):
            base = c
            kept += c if unicodedata.category(c)[0] in "LMN" else "-"
        elif not base.isascii():  # Latin letters go without their accents
            kept += c
    plain = unicodedata.normalize("NFC", "-".join(filter(None, kept.split("-"))))
    plain = plain.encode()[:LONGEST].decode(errors="ignore").strip("-") or "unknown"
    return f"{plain}-" if plain.upper() in _DEVICES else plain
