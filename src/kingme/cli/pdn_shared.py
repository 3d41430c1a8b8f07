"""What the commands that read and write games share: progress, output files, and lists."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, cast

import typer

from kingme.cli.output import counted, say
from kingme.errors import KingmeError

if TYPE_CHECKING:
    import io

    from kingme.collection import Source
    from kingme.rules.history import History
    from kingme.rules.pdn import Game
    from kingme.rules.variant import Variant

__all__ = [
    "FileError",
    "FilesArgument",
    "ForceOption",
    "GameOption",
    "JsonOption",
    "OutputOption",
    "VariantOption",
    "Watch",
    "count_notes",
    "each_game",
    "failing",
    "game_at",
    "line_of",
    "opened",
    "refuse_existing",
    "sensible",
    "settle",
    "show_json",
    "standard",
    "tell",
    "variant_of",
    "warn",
    "watching",
    "written",
]

LEAST, MOST = 0.001, 1e6
"""Seconds that a search may be given."""

MANY = 1000
"""Games that are counted where one was wanted and nobody said which."""

FilesArgument = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="PDN files, or zip archives of them; - is the input."),
]


def standard(name: str | None) -> str | None:
    """The name of an output, ``-`` also where it is called by the name of its device."""
    return "-" if name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1") else name


OutputOption = Annotated[
    str,
    typer.Option(
        *("--output", "-o"),
        callback=standard,
        metavar="FILE",
        help="Where to write; - is the output.",
    ),
]
GameOption = Annotated[
    int | None, typer.Option("--game", min=1, help="Which game of the files; else the first.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
VariantOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="The variant of games that do not say theirs.")
]


class FileError(KingmeError):
    """A file that cannot be read or written, with the reason."""


def variant_of(name: str | None) -> Variant | None:
    """The variant of a name."""
    from kingme.rules.variant import VARIANTS

    if name is None:
        return None
    if name.lower() not in VARIANTS:
        raise FileError(f"there is no variant {name!r}: there are {', '.join(sorted(VARIANTS))}")
    return VARIANTS[name.lower()]


@dataclass(slots=True)
class Watch:
    """How far the reading of files is: a bar where somebody looks, and the seconds that it took."""

    total: int
    _advance: Callable[[int, int], object] | None = None
    bytes: int = 0
    games: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """How long it took up to now."""
        return time.perf_counter() - self.began

    def read(self, size: int) -> None:
        """Note that some more bytes were read."""
        self.bytes += size
        self._tell()

    def game(self) -> None:
        """Note one game more."""
        self.games += 1
        if not self.games & 63:
            self._tell()

    def teller(self) -> Callable[[int, int], None]:
        """What is called with all bytes and games of one text up to now."""
        size, games = self.bytes, self.games

        def told(bytes_read: int, count: int) -> None:
            self.bytes, self.games = size + bytes_read, games + count
            self._tell()

        return told

    def _tell(self) -> None:
        if self._advance is not None:
            self._advance(self.bytes, self.games)


@contextlib.contextmanager
def watching(found: list[Source], what: str) -> Iterator[Watch]:
    """Show a bar with the rate and the time left, unless standard error is no terminal."""
    sized = all(source.sized for source in found)
    watch = Watch(sum(source.size for source in found) if sized else 0)
    if not sys.stderr.isatty():
        yield watch
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[games]:,} games, {task.fields[rate]:,.0f} a second"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=watch.total or None, games=0, rate=0.0)
        watch._advance = lambda size, games: bar.update(  # noqa: SLF001 (it is made here)
            task, completed=size, games=games, rate=games / (watch.seconds or 1)
        )
        yield watch


def opened(files: list[str], *, twice: bool = False) -> list[Source]:
    """The texts of files and archives; refused where one cannot be read."""
    from kingme.collection import sources

    if sum(name in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0") for name in files) > 1:
        raise FileError("standard input can be read once: name - once")
    return list(sources(files, twice=twice))


def each_game(
    found: list[Source], watch: Watch, default: Variant | None = None
) -> Iterator[tuple[Source, Game]]:
    """Yield every game of some texts, one at a time; what has no tag and no move is none.

    The default is the variant of those that do not say theirs.
    """
    from kingme.collection.sources import Metered
    from kingme.rules.pdn import read

    for source in found:
        with failing(source.name), source.open() as stream:
            for game in read(Metered(stream, watch.read), default=default):
                watch.notes.update(note.kind for note in game.notes)
                if game.line or len(game.tags):
                    watch.game()
                    yield source, game


def game_at(files: list[str], number: int | None, default: Variant | None = None) -> Game:
    """Return a game of some files, counted from 1, and tell what is odd in it.

    Without a number it is the first, and it is told where that is not the only one.
    """
    found = opened(files)
    chosen = None
    with watching(found, "reading") as watch:
        for source, game in each_game(found, watch, default):
            if watch.games == (number or 1):
                chosen = source.name, game
            if chosen and (number or watch.games > MANY):
                break
    if chosen is None and watch.games:
        count = counted(watch.games, "game")
        raise FileError(f"there is no game {number}: {', '.join(files)} has {count}")
    if chosen is None:
        raise FileError(f"there is no game in {', '.join(files)}")
    if watch.games > 1 and not number:
        count = f"more than {MANY:,}" if watch.games > MANY else f"{watch.games}"
        warn(f"this is game 1 of {count}: --game takes another")
    _tell_notes(*chosen)
    return chosen[1]


def _tell_notes(name: str, game: Game) -> None:
    """Say on standard error what the first error of a game is, and how much else there is."""
    counts: Counter[str] = Counter(note.kind for note in game.notes)
    first = next((note for note in game.notes if note.kind == "error"), None)
    if first:
        counts[first.kind] -= 1
        warn(f"line {first.line} of {name}: {first.message}")
    count_notes(counts, more=first is not None)


def count_notes(notes: Mapping[str, int], *, more: bool = False) -> None:
    """Say on standard error how much was odd, repaired or wrong in what was read, if anything.

    ``more``: beside what was told.
    """
    parts = [
        counted(number, one, many) for kind, one, many in _KINDS if (number := notes.get(kind, 0))
    ]
    if parts:
        odd = " --odd" if notes.get("odd") else ""
        told = f"{', '.join(parts)}{' more' if more else ''} in what was read"
        warn(f"{told}: kingme pdn check{odd} lists them")


_KINDS = (
    ("error", "error", "errors"),
    ("repair", "repair", "repairs"),
    ("odd", "oddity", "oddities"),
)


@contextlib.contextmanager
def failing(name: str) -> Iterator[None]:
    """Tell that a file cannot be read to its end."""
    import zipfile
    import zlib

    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise FileError(f"{name} cannot be read to its end: {error}") from None


@contextlib.contextmanager
def written(name: str, force: bool) -> Iterator[BinaryIO]:
    """Open a file to be written whole or not at all; ``-`` is standard output.

    One that is there stays as it is unless ``force`` is said. A link is followed; what is no
    file on a disk, such as a pipe, is written to as it is.
    """
    if standard(name) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    refuse_existing(path, force)
    if _passes(path):
        with _through(path) as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))
    try:
        number, made = tempfile.mkstemp(dir=path.parent, prefix=".kingme-")
    except OSError as error:
        raise FileError(f"{name} cannot be written: {error.strerror}") from None
    scratch = Path(made)
    try:
        with os.fdopen(number, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        scratch.chmod(0o666 & ~_umask())
        settle(scratch, path, force)
    finally:
        scratch.unlink(missing_ok=True)


def refuse_existing(path: Path, force: bool) -> None:
    """Raise where a file is there and may not be overwritten."""
    if path.is_dir():
        raise FileError(f"{path} is a folder: name a file")
    if path.exists() and not force and not _passes(path):
        raise FileError(f"{path} is there already: --force overwrites it")


def _passes(path: Path) -> bool:
    """Whether a path names something that is no file on a disk: a pipe, a device."""
    try:
        kind = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)


@contextlib.contextmanager
def _through(path: Path) -> Iterator[BinaryIO]:
    """Open what is no file on a disk, and write to it at once."""
    try:
        stream = path.open("wb", buffering=0)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from None
    with stream:
        yield cast(BinaryIO, _Through(path, stream))


class _Through:
    """A stream to what is no file on a disk, which names it where it takes nothing more."""

    def __init__(self, path: Path, stream: io.FileIO) -> None:
        self._path = path
        self._stream = stream

    def write(self, data: bytes) -> int:
        """Write all of some bytes."""
        left = memoryview(data)
        try:
            while left:
                left = left[self._stream.write(left) or 0 :]
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error.strerror}") from None
        return len(data)


def settle(scratch: Path, path: Path, force: bool) -> None:
    """Give a finished file its name, which may have come into being meanwhile.

    A link is followed, a file that is replaced hands on its mode, and what is no file on a disk
    is written to.
    """
    if _passes(path):
        with scratch.open("rb") as finished, _through(path) as stream:
            shutil.copyfileobj(finished, stream)
        return
    path = Path(os.path.realpath(path))
    if not force:
        try:
            os.link(scratch, path)
        except FileExistsError:
            raise FileError(f"{path} is there already: --force overwrites it") from None
        except OSError:  # no such links on this disk
            refuse_existing(path, force)
        else:
            return
    with contextlib.suppress(FileNotFoundError):
        scratch.chmod(stat.S_IMODE(path.stat().st_mode))
    scratch.replace(path)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def tell(text: str) -> None:
    """Print a line that holds words of a file, which may not steer the terminal."""
    say(_harmless(text))


def warn(text: str) -> None:
    """Say the same way, on standard error, what a person should know of what was read."""
    with contextlib.suppress(OSError):
        typer.echo(f"kingme: {_harmless(text)}", err=True)


def _harmless(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    import msgspec

    say(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def sensible(seconds: float | None) -> float | None:
    """Take the seconds of an option; a bound of its own would not tell what is wrong with nan."""
    if seconds is not None and not LEAST <= seconds <= MOST:
        raise typer.BadParameter(f"{seconds:g} is not {LEAST:g} to {MOST:,.0f} seconds")
    return seconds


def line_of(history: History, moves: str) -> History:
    """Play the moves of a text on; numbers of moves are passed over where they are right.

    From a position of its own they may be any.
    """
    from kingme.rules.position import Position

    start, left = history.positions[0], ""
    usual = start == Position.start(start.variant)
    for word in moves.replace(",", " ").split():
        number = word.rstrip(".")
        if not (number.isascii() and number.isdigit()):
            history, left = history.play(word), ""
            continue
        wrong = usual and int(number) != len(history.moves) // 2 + 1
        if left or number == word or wrong:
            raise FileError(f"{word!r} is no move, and no number of one in {moves!r}")
        left = word
    if left:
        raise FileError(f"{left!r} is a number that no move follows, in {moves!r}")
    return history
