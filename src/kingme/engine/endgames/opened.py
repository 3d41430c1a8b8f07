"""Reading packed files: proved sound, mapped into memory, and laid out for kernels.

Opening a file checks its size, its head and its directory. A slice is checked by its SHA-256
before its first use; one of values before any kernel may see it, since a kernel checks nothing.
"""

from __future__ import annotations

import hashlib
import itertools
import mmap
import struct
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kingme.engine.endgames import huffman
from kingme.engine.endgames.files import PACKED, DamagedError
from kingme.engine.endgames.pack import ENTRY, HEAD, SPAN, Entry, Kind, SliceHead, order, sealed
from kingme.engine.endgames.slices import UNIT, Forces, layout
from kingme.engine.kernels import packed
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.packed import BLOCK, EXACT, GROUP, KINDS, PEEK, SYMBOLS
from kingme.engine.kernels.packing import BEGINNING, extra

__all__ = ["Blocks", "Directory", "Pack"]

KEPT = 64
"""Blocks of distances, unpacked, that are kept: 4 MiB."""


class Pack:
    """A packed file, open for reading; it is closed when nothing of it is used any more."""

    def __init__(
        self,
        path: Path,
        kind: Kind,
        pieces: int,
        content: mmap.mmap,
        entries: Mapping[Forces, Entry],
    ) -> None:
        self.path = path
        self.kind = kind
        self.pieces = pieces
        self.entries = entries
        """What the directory says of each slice."""
        self.size = len(content)
        self._content = np.frombuffer(content, np.uint8)
        self._proved: set[Forces] = set()

    @classmethod
    def open(cls, path: Path, kind: Kind, pieces: int) -> Pack:
        """Map a file and check its size, head and directory.

        Raises `DamagedError`, which names it, and ``OSError`` where it is not there or not to be
        read.
        """
        size = path.stat().st_size
        if size < HEAD.size:
            raise DamagedError(f"{path} is damaged: it has {size} bytes, fewer than its head")
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            entries = _entries(path, kind, pieces, content)
        except DamagedError:
            content.close()
            raise
        return cls(path, kind, pieces, content, entries)

    def part(self, material: Forces) -> npt.NDArray[np.uint8]:
        """Return the bytes of a slice, proved to be what was written; raises `DamagedError`."""
        entry = self.entries[material]
        found = self._content[entry.place : entry.place + entry.size]
        if material not in self._proved:
            if hashlib.sha256(found.data).digest() != entry.digest:
                raise DamagedError(f"{self.path} is damaged: the checksum of {material} is wrong")
            if SliceHead.read(found.data) != entry.head:
                raise DamagedError(f"{self.path} is damaged: {material} is not as listed")
            self._proved.add(material)
        return found

    def prove(self) -> None:
        """Check all slices; raises `DamagedError`."""
        for material in self.entries:
            self.part(material)


class Blocks:
    """Distances of lost positions, read block by block; from any thread."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._places: dict[Forces, npt.NDArray[np.int64]] = {}
        self._blocks: OrderedDict[tuple[Forces, int], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def plies(self, material: Forces, number: int) -> int:
        """Return the plies of a lost position without a jump due; raises `DamagedError`."""
        key = material, number // SPAN
        with self._lock:
            block = self._blocks.get(key)
            if block is None:
                block = self._blocks[key] = self.block(*key)
                if len(self._blocks) > KEPT:
                    self._blocks.popitem(last=False)
            else:
                self._blocks.move_to_end(key)
        return 2 * block[number % SPAN]

    def whole(self, material: Forces) -> bytes:
        """Unpack all blocks of a slice; raises `DamagedError`."""
        count = self.pack.entries[material].head.parts
        return b"".join(self.block(material, which) for which in range(count))

    def block(self, material: Forces, which: int) -> bytes:
        """Unpack a block; raises `DamagedError`."""
        head = self.pack.entries[material].head
        size = min(SPAN, head.positions - which * SPAN)
        part = self.pack.part(material)
        if not head.bits:
            return bytes(size)
        places = self._places.get(material)
        if places is None:
            begin = HEAD.size + -(-head.parts // 2) * 8
            lengths = part[HEAD.size : HEAD.size + 4 * head.parts].view("<u4")
            places = begin + np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
            self._places[material] = places
        stream = part[places[which] : places[which + 1]].tobytes()
        if not stream:
            return bytes(size)
        try:
            block = zlib.decompress(stream)
        except zlib.error as error:
            block = b""
            raise DamagedError(
                f"{self.pack.path} is damaged: block {which} of {material}: {error}"
            ) from None
        return block


class Directory:
    """The array of words by which kernels find open slices (`kernels.packed`).

    ``block`` is a raw database of up to ``pieces`` pieces, and each of ``packs``, of values, is of
    another number. Raises `DamagedError` for a pack that is not sound.
    """

    def __init__(
        self, block: npt.NDArray[np.uint8] | None, pieces: int, packs: Iterable[Pack] = ()
    ) -> None:
        self._kept: list[npt.NDArray[Any]] = []
        records: dict[Forces, list[int]] = {}
        if block is not None:
            for material, place in layout(pieces).places.items():
                raw = block[place : place + material.positions]
                records[material] = [packed.RAW, 0, 0, 0, self.keep(raw), 0, 0, 0]
        for pack in packs:
            pieces = max(pieces, pack.pieces)
            for material in pack.entries:
                records[material] = self._packed(pack, material)
        self.words = np.zeros(packed.RECORDS + packed.STRIDE * len(records), np.int64)
        self.words[packed.PIECES] = pieces
        self.places: dict[Forces, int] = {}
        """Where the record of each slice begins."""
        for place, (material, record) in zip(
            range(packed.RECORDS, len(self.words), packed.STRIDE), records.items(), strict=True
        ):
            self.words[packed.SLICES + material.entry] = place
            self.words[place : place + packed.STRIDE] = record
            self.places[material] = place
        self.address = address_of(self.words)
        """Where the array lies, for kernels; good while this object is kept."""

    def keep(self, array: npt.NDArray[Any]) -> int:
        """Return the address of an array, and keep the array as long as this object."""
        self._kept.append(array)
        return address_of(array)

    def _packed(self, pack: Pack, material: Forces) -> list[int]:
        """Return the record of a packed slice."""
        part = pack.part(material)
        head = pack.entries[material].head
        if not head.bits:
            return [packed.PACKED, head.default, 0, 0, 0, 0, 0, 0]
        lengths = HEAD.size
        groups = lengths + _even((BEGINNING + 1) * SYMBOLS)
        sizes = groups + _even(-(-head.parts // GROUP) * 4)
        bits = sizes + _even(head.parts * 2)
        table = decoding(part[lengths : lengths + (BEGINNING + 1) * SYMBOLS])
        places = [self.keep(part[a:b]) for a, b in itertools.pairwise((groups, sizes, bits, None))]
        return [packed.PACKED, head.default, *places, self.keep(table), 0, 0]


def decoding(lengths: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Return the words by which symbols are read, given the lengths of their codes."""
    table = np.full((BEGINNING + 1, 1 << PEEK), BLOCK << 10, np.int32)
    for row, sizes in zip(table, lengths.reshape(BEGINNING + 1, SYMBOLS).tolist(), strict=True):
        for symbol, (code, size) in enumerate(zip(huffman.codes(sizes), sizes, strict=True)):
            if size:
                row[code :: 1 << size] = entry(symbol, size)
    return table


def entry(symbol: int, size: int) -> int:
    """Put together what a kernel needs of a symbol whose code has so many bits.

    From the lowest bit: the value, the bits of the code, those that follow it, the shortest run.
    """
    value, kind = divmod(symbol, KINDS)
    more = extra(kind)
    run = BLOCK if kind == packed.ENDING else kind + 1 if kind < EXACT else 1 << more
    return value | size << 2 | more << 6 | run << 10


def _entries(path: Path, kind: Kind, pieces: int, content: mmap.mmap) -> dict[Forces, Entry]:
    """Read the directory of a file, with all that can be told at once."""
    size = len(content)
    mark, version, *stated = HEAD.unpack(content[: HEAD.size])[:6]
    expected = order(pieces)
    begin = HEAD.size + ENTRY.size * len(expected)
    directory = content[HEAD.size : begin]
    if mark != sealed(kind, pieces, 0, b"")[:8]:
        raise DamagedError(f"{path} is damaged: it does not begin as a packed database")
    if version != PACKED:
        raise DamagedError(f"{path} is damaged: it has version {version}, not {PACKED}")
    if stated != [kind, pieces, len(expected), size]:
        raise DamagedError(
            f"{path} is damaged: it is to hold {kind.word} of {pieces} pieces in {size} bytes, and"
            " says otherwise"
        )
    if content[: HEAD.size] != sealed(kind, pieces, size, directory):
        raise DamagedError(f"{path} is damaged: the checksum of its directory is wrong")
    found = {}
    reached = begin
    for material, at in zip(expected, range(0, len(directory), ENTRY.size), strict=True):
        head, place, length, digest = ENTRY.unpack(directory[at : at + ENTRY.size])
        try:
            known = SliceHead.read(head)
        except (ValueError, struct.error):
            raise DamagedError(f"{path} is damaged: its directory makes no sense") from None
        ended = place + length
        inside = place == reached and ended <= size
        if (known.material, known.kind) != (material, kind) or not known.fits or not inside:
            raise DamagedError(f"{path} is damaged: its directory makes no sense")
        reached = ended + -ended % UNIT
        if any(content[ended:reached]):
            raise DamagedError(f"{path} is damaged: what follows {material} is not empty")
        found[material] = Entry(known, place, length, digest)
    if reached != size:
        raise DamagedError(f"{path} is damaged: its directory makes no sense")
    return found


def _even(size: int) -> int:
    return -(-size // 8) * 8
