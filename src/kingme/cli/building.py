"""``kingme endgames build``: a database of any size, in a folder where what is done stays done."""

from __future__ import annotations

import re
import threading
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.output import say
from kingme.cli.progress import Meter, progress

if TYPE_CHECKING:
    from kingme.engine.endgames.work import Plan, Work
    from kingme.jobs.ports import Executor, Packers

__all__ = ["build"]

BLOCK = "block"
"""The kind of the one file of few pieces; those of more have `pack.Kind`."""

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])(?:i?B)?", re.IGNORECASE)

KEEPING = 85
"""Hundredths of the work on a pair when its positions are judged; packing and writing are left."""


class Where(StrEnum):
    """Who does the work."""

    LOCAL = "local"
    RAY = "ray"


def build(
    pieces: Annotated[
        int, typer.Option("--pieces", metavar="N", help="Pieces that it covers, from 2 on.")
    ] = 4,
    distance: Annotated[
        bool, typer.Option("--distance", help="Keep the plies too, not only who wins.")
    ] = False,
    workers: Annotated[
        int, typer.Option(min=1, max=256, help="Threads that build, or tasks at once with Ray.")
    ] = 1,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory to keep within, as 2G; half of all without."),
    ] = None,
    executor: Annotated[
        Where, typer.Option(help="Threads here, or Ray on this machine or many.")
    ] = Where.LOCAL,
    work: Annotated[
        str | None, typer.Option(metavar="DIR", help="A folder for what is not ready yet.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave that folder at the end.")] = False,
) -> None:
    """Build a database and keep it in the user's cache, or in KINGME_CACHE_DIR.

    4 pieces take seconds, 5 a minute, 6 half an hour of one core. Files that are there and sound
    stay as they are, and only what is missing or damaged is built. Ctrl+C breaks off, and the same
    command goes on. The bytes are the same whoever builds them, how often it was broken off, and on
    how many threads.
    """
    from kingme.engine.endgames import memory as memories
    from kingme.engine.endgames.work import Work

    shelf = _shelf(pieces)
    place = shelf / "work" if work is None else _folder(work)
    bound = memories.default() if memory is None else _size(memory)
    lacking = _lacking(pieces, ("values", "distances") if distance else ("values",))
    if not lacking:
        _beside(pieces)
        say(f"nothing to build: all of {pieces} pieces is there, and its checksums are right")
        return
    started = time.perf_counter()
    with Work(place, _plan(lacking), bound) as folder:
        try:
            _solve(folder, executor, workers, bound)
            made = _finish(folder, lacking)
            if not keep:
                folder.remove()
        except KeyboardInterrupt:
            kept = f"{folder.positions_done} of {folder.positions} positions are kept in"
            typer.echo(f"stopped: {kept} {folder.folder}; the same command goes on", err=True)
            raise typer.Exit(130) from None
    _beside(pieces)
    seconds = time.perf_counter() - started
    for path in made:
        say(f"{path}: {path.stat().st_size} bytes")
    say(f"{folder.positions} positions in {seconds:.1f} s")


class Shown:
    """Adds up what is done and what is in hand, for a meter."""

    def __init__(self, meter: Meter, done: int) -> None:
        self._meter = meter
        self._done = done
        self._begun = 0
        self._text = ""
        self._changing = threading.Lock()

    def begun(self, count: int) -> None:
        """Count positions that are judged, as far as is known; what is left is to keep them."""
        with self._changing:
            self._begun += count
            self._show()

    def done(self, count: int, text: str) -> None:
        """Take so many positions for done."""
        with self._changing:
            self._begun = max(0, self._begun - (count - self._done))
            self._done = count
            self._text = text
            self._show()

    def _show(self) -> None:
        self._meter(self._done + self._begun * KEEPING // 100, self._text)


def _solve(work: Work, where: Where, workers: int, bound: int) -> None:
    """Do all that is left, with a bar; refuse first what cannot be done."""
    from kingme.engine.endgames import EndgameError
    from kingme.engine.endgames import memory as memories
    from kingme.engine.endgames.pack import pack_distances, pack_values
    from kingme.jobs.endgames import lead

    with progress(work.positions, 0) as meter:
        work.check(lambda done, _total, what: meter(done, f"checking {what}"))
    for note in work.notes:
        typer.echo(f"note: {note}", err=True)
    if work.done:
        told = f"{work.positions_done} of {work.positions} positions are there"
        typer.echo(f"note: {told}; it goes on", err=True)
    try:
        memories.require(work.left, bound if where is Where.LOCAL else bound // workers)
        work.require_room()
    except EndgameError:
        if not work.solved:
            work.remove()
        raise
    packers = {"values": pack_values, "distances": pack_distances}
    with progress(work.positions, work.positions_done) as meter:
        shown = Shown(meter, work.positions_done)
        hands = _executor(work, where, workers, bound, packers, shown)
        try:
            lead(work, hands, shown.done)
        finally:
            hands.close()


def _executor(
    work: Work, where: Where, workers: int, bound: int, packers: Packers, shown: Shown
) -> Executor:
    if where is Where.LOCAL:
        from kingme.jobs.local import LocalExecutor

        return LocalExecutor(work.mapped, packers, workers, bound, shown.begun)
    from kingme.jobs.ray import RayExecutor

    def note(text: str) -> None:
        typer.echo(f"note: {text}", err=True)

    return RayExecutor(work.mapped, packers, workers, bound, note)


def _lacking(pieces: int, kinds: tuple[str, ...]) -> list[tuple[int, str]]:
    """List the files to be built, by pieces and kind; prove those that are there, and say so.

    Of few pieces there is one file, a block.
    """
    from kingme.engine.endgames import files, shelf

    if pieces <= files.PIECES:
        wanted = [(pieces, BLOCK)]
    else:
        wanted = [(count, kind) for count in range(files.PIECES + 1, pieces + 1) for kind in kinds]
    found = []
    for count, kind in wanted:
        path = _path(count, kind)
        try:
            if kind == BLOCK:
                files.checked(path, count).close()
            else:
                shelf.proved(count, kind)
        except (OSError, ValueError, files.EndgameError) as error:
            found.append((count, kind))
            if isinstance(error, files.EndgameError):
                typer.echo(f"note: {error}; it is built anew", err=True)
            elif shelf.there(path):
                typer.echo(f"note: {path} cannot be read: {error}; it is built anew", err=True)
        else:
            say(f"{path}: {path.stat().st_size} bytes, sound")
    return found


def _plan(lacking: list[tuple[int, str]]) -> Plan:
    """Plan the build of such files; all that they stand on is solved again."""
    from kingme.engine.endgames.work import Plan

    counts = [count for count, _ in lacking]
    kinds = tuple(dict.fromkeys(kind for _, kind in lacking if kind != BLOCK))
    return Plan(max(counts), kinds, min(counts))


def _finish(work: Work, lacking: list[tuple[int, str]]) -> list[Path]:
    """Write the files of a build that is done; return them."""
    from kingme.engine.endgames import files
    from kingme.engine.endgames.pack import Kind, assemble

    made = []
    for count, kind in lacking:
        path = _path(count, kind)
        if kind == BLOCK:
            work.mapped.finish()
            files.write(path, work.mapped.block.data)
        else:
            assemble(path, Kind[kind.upper()], count, work.packed(count, kind))
        made.append(path)
    return made


def _beside(pieces: int) -> None:
    """See that the block is there on which files of more pieces stand."""
    from kingme.engine.endgames import Tables, files

    if pieces > files.PIECES and not files.sound():
        Tables.have(files.PIECES)


def _path(pieces: int, kind: str) -> Path:
    from kingme.engine.endgames import files

    return _kept(files.path_of(pieces) if kind == BLOCK else files.pack_path(pieces, kind))


def _shelf(pieces: int) -> Path:
    """Return the folder of databases; refuse another one than was asked for, and odd sizes."""
    from kingme.engine.endgames import EndgameError, files
    from kingme.engine.kernels import cachedir

    files.require(pieces)
    if cachedir.passed_over() is not None:
        raise EndgameError(f"{cachedir.unkept()}, but a database is kept where you want it")
    return _kept(files.folder())


def _kept(path: Path | None) -> Path:
    from kingme.engine.endgames import EndgameError

    if path is None:
        raise EndgameError("no folder can be written to keep a database in")
    return path


def _folder(text: str) -> Path:
    """Read the name of a folder; none at all would be the one where the command was given."""
    if not text.strip():
        raise typer.BadParameter("an empty name is no folder", param_hint="--work")
    return Path(text)


def _size(text: str) -> int:
    """Read a size in bytes; a bare number would be of no unit that everyone means."""
    found = SIZE.fullmatch(text.strip())
    if found is None:
        raise typer.BadParameter(
            f"{text!r} is no size: write it as 700M or 2G", param_hint="--memory"
        )
    return int(float(found[1]) * 1024 ** (1 + "KMGT".index(found[2].upper())))
