"""The folder of a long build: what is done stays done, whatever happens to the machine.

It holds ``block.bin`` (`mapped`), a folder ``packed`` with the packed form of each slice, where one
is wanted, ``journal.jsonl``, and ``lock``. The journal has a line for each pair of slices that is
done, with the SHA-256 of its codes and of its packed forms. A line is written after all that it
tells of is on the disk, so that a build that was killed, or whose machine was, loses no more than
the pairs in work. Whoever goes on checks everything first; what is damaged is built again, with the
same bytes. The block of fewer pieces is the beginning of the one of more, so that a folder may be
gone on with for more pieces too.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from kingme.engine.endgames import memory
from kingme.engine.endgames.build import Block, Progress
from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.mapped import Mapped, unwritable
from kingme.engine.endgames.slices import Forces, Pair, layout, pairs, span

__all__ = ["Packed", "Plan", "Work", "positions"]

FORMAT = "kingme endgames 1"
"""The first line of a journal; another one is of a kingme whose codes may differ."""

JOURNAL = "journal.jsonl"
FILES = ("block.bin", JOURNAL, "lock")
PACKED = re.compile(r"\d+-\d+-\d+-\d+\.(values|distances)(\.part)?")
"""The names that a build gives: in its folder, and in the folder ``packed`` within."""

CHUNK = 1 << 20

Packed = Mapping[str, Sequence[bytes]]
"""For each kind of file, the packed slices of a pair."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a build is for: up to so many ``pieces``, and which ``kinds`` of files.

    Files are of slices from ``packed_from`` pieces on.
    """

    pieces: int
    kinds: tuple[str, ...] = ()
    packed_from: int = 5

    def kinds_of(self, pair: Pair) -> tuple[str, ...]:
        """Return the kinds that a pair is packed in."""
        return self.kinds if pair[0].pieces >= self.packed_from else ()


def positions(pair: Pair) -> int:
    """Return how many positions a pair has."""
    return sum(material.positions for material in pair)


class Work:
    """The work folder, locked for one build; a context manager.

    ``solved`` are the pairs whose codes are there, ``done`` those whose packed forms are too.
    ``notes`` say what was damaged. Raises `EndgameError` where the folder cannot be had, or has a
    file of somebody else's under a name that the build would use.
    """

    def __init__(self, folder: Path, plan: Plan, bound: int | None = None) -> None:
        self.folder = folder
        self.plan = plan
        self.order = pairs(plan.pieces)
        self.solved: set[Pair] = set()
        self.done: set[Pair] = set()
        self.notes: list[str] = []
        with contextlib.ExitStack() as stack:
            try:
                _require_own(folder)
                (folder / "packed").mkdir(parents=True, exist_ok=True)
                stack.callback(self._lock())
                journal = folder / JOURNAL
                self._journal = stack.enter_context(journal.open("a+b", buffering=0))
            except OSError as error:
                raise unwritable(folder, error) from error
            self.mapped = Mapped(folder / "block.bin", layout(plan.pieces), bound)
            stack.callback(self.mapped.close)
            self._stack = stack.pop_all()

    def __enter__(self) -> Work:
        return self

    def __exit__(self, *reason: object) -> None:
        self._stack.close()

    @property
    def left(self) -> list[Pair]:
        """The pairs that are not done."""
        return [pair for pair in self.order if pair not in self.done]

    @property
    def positions(self) -> int:
        """How many positions there are in all."""
        return sum(map(positions, self.order))

    @property
    def positions_done(self) -> int:
        """How many of them are done."""
        return sum(map(positions, self.done))

    def check(self, progress: Progress | None = None) -> None:
        """Read the journal, and prove what it tells of."""
        found = self._lines()
        total = sum(positions(pair) for pair in found)
        checked = 0
        with (self.folder / "block.bin").open("rb", buffering=0) as block:
            for pair, record in found.items():
                if progress is not None:
                    progress(checked, total, str(pair[0]))
                self._judge(pair, record, block)
                checked += positions(pair)
        if progress is not None:
            progress(total, total, "")

    def require_room(self) -> None:
        """Refuse to begin where the disk has no room for the codes that are to come."""
        wanted = sum(sum(map(span, pair)) for pair in self.order if pair not in self.solved)
        free = shutil.disk_usage(self.folder).free
        if wanted > free:
            raise EndgameError(
                f"{self.folder} needs {memory.said(wanted)} of disk, and {memory.said(free)} are"
                " free: name another folder with --work"
            )

    def keep(self, pair: Pair, codes: Block | None, packed: Packed) -> None:
        """Write a pair that is done, and then the journal.

        ``codes`` is None where they are there. Raises `EndgameError` where the disk takes no more;
        what was there before stays.
        """
        path = self.folder
        try:
            record: dict[str, object] = {"pair": str(pair[0])}
            if codes is not None:
                path = self.mapped.path
                self.mapped.write_at(self.mapped.plan.places[pair[0]], codes.data)
                self.mapped.sync()
                record["codes"] = hashlib.sha256(codes.data).hexdigest()
                self.solved.add(pair)
            for kind, parts in packed.items():
                record[kind] = [hashlib.sha256(part).hexdigest() for part in parts]
                for material, part in zip(pair, parts, strict=True):
                    path = self.path_of(material, kind)
                    _write(path, part)
            if packed:
                _sync_folder(self.folder / "packed")
            path = self.folder / JOURNAL
            self._append(record)
        except OSError as error:
            raise unwritable(path, error) from error
        self.done.add(pair)

    def path_of(self, material: Forces, kind: str) -> Path:
        """Return where the packed form of a slice is kept."""
        name = "-".join(map(str, material.counts))
        return self.folder / "packed" / f"{name}.{kind}"

    def packed(self, pieces: int, kind: str) -> Iterator[tuple[Forces, Path]]:
        """Yield the packed slices of exactly so many pieces, in the order of the block."""
        for material in itertools.chain.from_iterable(self.order):
            if material.pieces == pieces:
                yield material, self.path_of(material, kind)

    def remove(self) -> None:
        """Remove what a build has put into the folder, and the folder if nothing else is in it."""
        packed = [
            path for path in (self.folder / "packed").iterdir() if PACKED.fullmatch(path.name)
        ]
        for path in [*packed, *(self.folder / name for name in FILES)]:
            with contextlib.suppress(OSError):
                path.unlink()
        for folder in (self.folder / "packed", self.folder):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _lock(self) -> Callable[[], None]:
        """Hold the folder as long as this process lives; return how to let it go."""
        file = (self.folder / "lock").open("ab")
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                raise EndgameError(f"another build is at work in {self.folder}") from None
        return file.close

    def _lines(self) -> dict[Pair, dict[str, object]]:
        """Read the journal: for each pair, what its lines tell, the last one first."""
        self._journal.seek(0)
        lines = self._journal.read().split(b"\n")
        if lines[0].decode("utf-8", "replace") != FORMAT:
            if len(lines) > 1 or lines[0]:
                self.notes.append("the journal is damaged or of another version; all is built anew")
            self._journal.truncate(0)
            self._put(FORMAT)
            return {}
        if lines[-1]:  # what a machine that stopped left half written
            self._journal.truncate(self._journal.seek(0, os.SEEK_END) - len(lines[-1]))
        names = {str(pair[0]): pair for pair in self.order}
        found: dict[Pair, dict[str, object]] = {}
        for line in lines[1:-1]:
            try:
                record = json.loads(line)
                pair = names.get(record.pop("pair"))
            except (ValueError, KeyError, AttributeError, TypeError):
                self.notes.append("a line of the journal is damaged")
                continue
            if pair is not None:
                found[pair] = found.get(pair, {}) | record
        return found

    def _judge(self, pair: Pair, record: dict[str, object], block: BinaryIO) -> None:
        """Take a pair for solved, and for done, if its bytes are what the journal says."""
        block.seek(self.mapped.plan.places[pair[0]])
        if _digest(block, sum(map(span, pair))) != record.get("codes"):
            self.notes.append(f"the slices of {pair[0]} are damaged and are built again")
            return
        self.solved.add(pair)
        sound = True
        for kind in self.plan.kinds_of(pair):
            wanted = record.get(kind)
            found = [_digest_of(self.path_of(material, kind)) for material in pair]
            if found != wanted:
                sound = False
                if wanted is not None:
                    told = f"the {kind} of {pair[0]} are damaged and are packed again"
                    self.notes.append(told)
        if sound:
            self.done.add(pair)

    def _append(self, record: dict[str, object]) -> None:
        self._put(json.dumps(record))

    def _put(self, line: str) -> None:
        """Write a line of the journal, whole or not at all."""
        size = self._journal.seek(0, os.SEEK_END)
        try:
            data = line.encode() + b"\n"
            if self._journal.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._journal.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._journal.fileno(), size)
            raise


def _require_own(folder: Path) -> None:
    """Refuse a folder whose files, by the names that a build gives, are not of a build.

    A build makes its journal before its block, and leaves its lock empty.
    """
    journal, lock = folder / JOURNAL, folder / "lock"
    foreign = None
    if journal.is_file():
        told = journal.read_bytes()
        if told and FORMAT.split(maxsplit=1)[0].encode() not in told and b'"pair"' not in told:
            foreign = journal
    elif (folder / "block.bin").exists():
        foreign = folder / "block.bin"
    if lock.exists() and lock.stat().st_size:
        foreign = lock
    if foreign is not None:
        raise EndgameError(
            f"{foreign} is not of a build of databases, and would be lost: move it away, or name"
            " another folder with --work"
        )


def _write(path: Path, data: bytes) -> None:
    """Write a file all at once, and see it on the disk."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _sync_folder(folder: Path) -> None:
    """See on the disk which files a folder has; systems without that do so themselves."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _digest(file: BinaryIO, size: int) -> str:
    """Return the SHA-256 of the next bytes of a file."""
    found = hashlib.sha256()
    while size > 0:
        data = file.read(min(CHUNK, size))
        if not data:
            break
        found.update(data)
        size -= len(data)
    return found.hexdigest()


def _digest_of(path: Path) -> str | None:
    """Return the SHA-256 of a file; None where there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
