"""Packing databases into files: who wins, and in how many plies, apart.

A file covers an exact number of pieces. All numbers in it are little-endian, so that it may be
taken to another machine, and every part begins at a multiple of 64 bytes:

1. the head: a mark, the version, the kind, the number of pieces and of slices, the size of the
   file, and a SHA-256 of head (with zeros in its place) and directory;
2. the directory: for each slice its own head, where it begins, how long it is, its SHA-256;
3. the slices in the order of `slices.pairs`, each with a head of its own: the material, how many
   positions there are and how they end, the longest win.

A slice of `VALUES` has the lengths of its prefix codes after that, the index of its blocks and
their bits (`kernels.packed`); nothing at all where every block has the same value. A slice of
`DISTANCES` has the length of each block of `SPAN` positions, and the blocks, each a zlib stream of
a byte a position: half the plies of a lost position (`kernels.packing.halves`). All else follows
from these by the moves. A block without a lost position has no bytes.
"""

from __future__ import annotations

import enum
import hashlib
import itertools
import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from kingme.engine.endgames import huffman
from kingme.engine.endgames.counting import counted
from kingme.engine.endgames.files import PACKED, EndgameError, writing
from kingme.engine.endgames.slices import UNIT, Forces, pairs
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.packed import BLOCK, GROUP, KINDS, PEEK, SYMBOLS
from kingme.engine.kernels.packing import BEGINNING, extra, halves, runs, tally, write

__all__ = [
    "SPAN",
    "Entry",
    "Kind",
    "SliceHead",
    "assemble",
    "order",
    "pack_distances",
    "pack_values",
]

MARK = b"KMpack\r\n"

HEAD = struct.Struct("<8sHBBH2xQ32s8x")
"""Mark, version, kind, pieces, slices, bytes of the file, SHA-256."""

SLICE = struct.Struct("<4B4QHBBIQ12x")
"""Material, positions, wins, losses, draws, longest win, kind, default, blocks, bits."""

ENTRY = struct.Struct(f"<{SLICE.size}sQQ32s16x")
"""The head of a slice, its place, its bytes, their SHA-256."""

SPAN = 1 << 16
"""Positions of a block of distances."""

STEP = 1 << 18
"""Positions that a call of a kernel packs: an interrupt is heard between two calls."""

LEVEL = 9

UNSAID = 0xFFFF
"""The longest win, where no plies were known."""

Codes: TypeAlias = npt.NDArray[np.uint8]
Content: TypeAlias = bytes | bytearray | memoryview | Path
Between: TypeAlias = Callable[[], None]


class Kind(enum.IntEnum):
    """What a file holds of each position."""

    VALUES = 1
    DISTANCES = 2

    @property
    def word(self) -> str:
        """The name that files have it by."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class SliceHead:
    """What a packed slice says of itself; ``longest`` is None where no plies were known.

    ``parts`` is the number of blocks, and ``bits`` how many bits all of them have together.
    """

    material: Forces
    positions: int
    wins: int
    losses: int
    draws: int
    longest: int | None
    kind: Kind
    default: int
    parts: int
    bits: int

    @property
    def fits(self) -> bool:
        """Whether there are as many blocks as positions ask for."""
        span = BLOCK if self.kind is Kind.VALUES else SPAN
        return self.positions == self.material.positions and self.parts == -(
            -self.positions // span
        )

    def packed(self) -> bytes:
        """Return the bytes of the head."""
        return SLICE.pack(
            *self.material.counts,
            self.positions,
            self.wins,
            self.losses,
            self.draws,
            UNSAID if self.longest is None else self.longest,
            self.kind,
            self.default,
            self.parts,
            self.bits,
        )

    @classmethod
    def read(cls, content: bytes | memoryview) -> SliceHead:
        """Read the head of a slice; raises ``ValueError`` or ``struct.error`` for no such one."""
        found = SLICE.unpack(content[: SLICE.size])
        positions, wins, losses, draws, longest, kind, default, parts, bits = found[4:]
        return cls(
            Forces(*found[:4]),
            positions,
            wins,
            losses,
            draws,
            None if longest == UNSAID else longest,
            Kind(kind),
            default,
            parts,
            bits,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A slice in the directory of a file."""

    head: SliceHead
    place: int
    size: int
    digest: bytes


def order(pieces: int) -> list[Forces]:
    """List the slices of an exact number of pieces in the order that a file has them in."""
    every = itertools.chain.from_iterable(pairs(pieces))
    return [material for material in every if material.pieces == pieces]


def pack_values(
    material: Forces, codes: Codes, between: Between | None = None, *, exact: bool = True
) -> bytes:
    """Pack who wins: the bytes of a slice, always the same for the same codes.

    ``between`` is called now and then; what it raises ends the work.

    A code is 0 for a draw, odd for a loss and even for a win of the side to move; with ``exact``,
    it is ``n + 1`` where the game ends in ``n`` plies. Codes of positions where a jump is due are
    read for the totals alone.
    """
    tokens, counts = _runs(material, codes, between)
    default, uses = _tallied(tokens, counts)
    sizes = np.array([huffman.lengths(row.tolist(), PEEK) for row in uses], np.int64)
    longer = np.array([extra(symbol % KINDS) for symbol in range(SYMBOLS)], np.int64)
    bits = int((uses * (sizes + longer)).sum())
    head = _head(material, codes, Kind.VALUES, exact, default, len(counts), bits)
    if not bits:
        return head.packed()
    groups = np.zeros(-(-len(counts) // GROUP), np.uint32)
    lengths = np.zeros(len(counts), np.uint16)
    out = np.zeros(-(-bits // 8) + 8, np.uint8)
    prefixes = np.array([huffman.codes(row.tolist()) for row in sizes], np.int64)
    write(tokens, counts, default, prefixes, sizes, groups, lengths, out)
    parts = (sizes.astype(np.uint8), groups.astype("<u4"), lengths.astype("<u2"), out)
    return b"".join((head.packed(), *(_padded(part.tobytes()) for part in parts)))


def pack_distances(material: Forces, codes: Codes, between: Between | None = None) -> bytes:
    """Pack the plies of lost positions; all as for `pack_values`, and codes with plies."""
    blocks = []
    out = np.empty(SPAN, np.uint8)
    for low in range(0, material.positions, SPAN):
        if between is not None:
            between()
        high = min(low + SPAN, material.positions)
        found = halves(address_of(codes), *material.counts, low, high, out)
        block = zlib.compress(out[: high - low].tobytes(), LEVEL) if found else b""
        blocks.append(block)
    head = _head(material, codes, Kind.DISTANCES, True, 0, len(blocks), 8 * sum(map(len, blocks)))
    if not head.bits:
        return head.packed()
    lengths = np.array([len(block) for block in blocks], "<u4")
    return b"".join((head.packed(), _padded(lengths.tobytes()), *blocks))


def assemble(path: Path, kind: Kind, pieces: int, slices: Iterable[tuple[Forces, Content]]) -> None:
    """Write a file of packed slices, all at once for whoever opens it (`files.pack_path`).

    ``slices`` are all of so many pieces, in the `order` of a file, as bytes or as files that hold
    them; one is in memory at a time. Raises `EndgameError` where one is missing, is none, or the
    file cannot be written.
    """
    with writing(path) as file:
        _write(file, kind, pieces, slices)


def sealed(kind: Kind, pieces: int, size: int, directory: bytes) -> bytes:
    """Return the head of a file, given its size and its directory."""
    slices = len(directory) // ENTRY.size
    fields = (MARK, PACKED, kind, pieces, slices, size)
    bare = HEAD.pack(*fields, bytes(32))
    return HEAD.pack(*fields, hashlib.sha256(bare + directory).digest())


def _write(
    file: BinaryIO, kind: Kind, pieces: int, slices: Iterable[tuple[Forces, Content]]
) -> None:
    expected = order(pieces)
    place = HEAD.size + ENTRY.size * len(expected)
    file.write(bytes(place))
    entries = []
    given = iter(slices)
    for material in expected:
        found, content = next(given, (None, b""))
        if found != material:
            raise EndgameError(
                f"the slice {found} of {pieces} pieces comes where {material} should"
            )
        whole = content.read_bytes() if isinstance(content, Path) else content
        head = _of(whole, material, kind)
        digest = hashlib.sha256(whole).digest()
        entries.append(ENTRY.pack(head.packed(), place, len(whole), digest))
        padding = -len(whole) % UNIT
        file.write(whole)
        file.write(bytes(padding))
        place += len(whole) + padding
    directory = b"".join(entries)
    file.seek(0)
    file.write(sealed(kind, pieces, place, directory))
    file.write(directory)


def _of(content: bytes | bytearray | memoryview, material: Forces, kind: Kind) -> SliceHead:
    """Read the head of a slice that is to be of this material and kind."""
    try:
        head = SliceHead.read(memoryview(content))
    except (ValueError, struct.error):
        raise EndgameError(f"what is given for {material} is no packed slice") from None
    if not head.fits:
        raise EndgameError(f"what is given for {material} is of another form")
    if (head.material, head.kind) != (material, kind):
        raise EndgameError(
            f"what is given for {kind.word} of {material} is {head.kind.word} of {head.material}"
        )
    return head


def _runs(
    material: Forces, codes: Codes, between: Between | None
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """Return the tokens of a slice and how many each block has."""
    counts = np.zeros(-(-material.positions // BLOCK), np.uint16)
    found = []
    out = np.empty(STEP, np.uint32)
    for low in range(0, material.positions, STEP):
        if between is not None:
            between()
        high = min(low + STEP, material.positions)
        part = counts[low // BLOCK : -(-high // BLOCK)]
        n = runs(address_of(codes), *material.counts, low, high, out, part)
        found.append(out[:n].copy())
    return np.concatenate(found), counts


def _tallied(
    tokens: npt.NDArray[np.uint32], counts: npt.NDArray[np.uint16]
) -> tuple[int, npt.NDArray[np.int64]]:
    """Return the value that most blocks have alone, and the uses of symbols in all others."""
    alone = np.zeros(3, np.int64)
    tally(tokens, counts, -1, np.zeros((BEGINNING + 1, SYMBOLS), np.int64), alone)
    default = int(alone.argmax())
    uses = np.zeros((BEGINNING + 1, SYMBOLS), np.int64)
    tally(tokens, counts, default, uses, alone)
    return default, uses


def _head(
    material: Forces, codes: Codes, kind: Kind, exact: bool, default: int, parts: int, bits: int
) -> SliceHead:
    """Count how the positions of a slice end."""
    if codes.shape != (material.positions,):
        raise ValueError(f"{material} has {material.positions} codes, not {codes.shape}")
    found = counted(codes)
    longest = found.longest if exact else None
    ends = found.wins, found.losses, found.draws
    return SliceHead(material, len(codes), *ends, longest, kind, default, parts, bits)


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % 8)


assert HEAD.size == SLICE.size == UNIT and ENTRY.size == 2 * UNIT
