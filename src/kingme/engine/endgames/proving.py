"""Proving packed databases: every stored position is one move consistent with its successors.

With distances this proves all, as `verify` says of codes: a slice's codes are put together from
what is stored, and each is checked against those that its moves lead to. Values alone prove less.
A position that claims a win has a move to one that claims a loss, and so on for ever: that the
claims come to an end, only distances show. What values do show is that no position claims more or
less than its moves allow; and the totals are to be compared with those published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kingme.engine.endgames.build import Crew, Progress
from kingme.engine.endgames.counting import counted
from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.opened import Blocks, Directory, Pack
from kingme.engine.endgames.slices import Forces, pairs
from kingme.engine.endgames.verify import position_at
from kingme.engine.kernels import packed
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.consistent import restore, settle, wrong_code, wrong_value
from kingme.engine.kernels.movegen import WIDTH
from kingme.rules.position import Position

__all__ = ["prove"]

Codes = npt.NDArray[np.uint8]


def prove(
    directory: Directory,
    values: Sequence[Pack],
    distances: Mapping[int, Pack],
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Position | None:
    """Check packs of values, and those of distances, by number of pieces, as far as there are any.

    Return the first position that is wrong, or None. Raises `EndgameError` where a slice's totals
    are not those of its positions, and `DamagedError`.
    """
    total = sum(material.positions for pack in values for material in pack.entries)
    with Crew(workers) as crew:
        proof = Proof(directory, distances, crew, progress, total)
        for pack in values:
            for pair in pairs(pack.pieces):
                if pair[0].pieces == pack.pieces:
                    found = proof.pair(pack, pair)
                    if found is not None:
                        return found
    if progress is not None:
        progress(total, total, "")
    return None


class Proof:
    """The state of a proof: whose distances are in memory, and how far it is."""

    def __init__(
        self,
        directory: Directory,
        distances: Mapping[int, Pack],
        crew: Crew,
        progress: Progress | None,
        total: int,
    ) -> None:
        self._directory = directory
        self._distances = distances
        self._crew = crew
        self._progress = progress
        self._total = total
        self._done = 0
        self._plies: dict[Forces, Codes] = {}

    def pair(self, pack: Pack, pair: tuple[Forces, ...]) -> Position | None:
        """Check two slices that lead to each other; return a position that is wrong."""
        exact = pack.pieces in self._distances
        if exact:
            self._fetch(pair)
        codes = {}
        for material in pair:
            codes[material], wrong = self._restored(material, exact)
            if wrong >= 0:
                return position_at(material, wrong)
            _compare(pack, material, codes[material], exact)
        words, before = self._directory.words, self._directory.words.copy()
        try:
            for material in pair:
                place = self._directory.places[material]
                words[place + packed.FORM] = packed.RAW
                words[place + packed.BITS] = address_of(codes[material])
            for material in pair:
                wrong = self._checked(material, codes[material], exact)
                if wrong >= 0:
                    return position_at(material, wrong)
        finally:
            words[:] = before
        return None

    def _restored(self, material: Forces, exact: bool) -> tuple[Codes, int]:
        """Return the codes of a slice, or its values, and a number that is wrong or -1."""
        codes = np.empty(material.positions, np.uint8)
        fill: Callable[..., int] = restore
        if not exact:
            place = self._directory.places[material]
            packed.unpack(self._directory.address, place, 0, len(codes), codes)
            fill = settle

        def call(low: int, high: int) -> int:
            return int(fill(self._directory.address, *material.counts, low, high, codes))

        return codes, self._crew.largest(call, material.positions)

    def _checked(self, material: Forces, codes: Codes, exact: bool) -> int:
        """Return a number whose code or value its moves contradict, or -1."""
        check: Callable[..., int] = wrong_code if exact else wrong_value

        def call(low: int, high: int) -> int:
            if self._progress is not None:
                self._progress(self._done, self._total, str(material))
            memory = np.zeros(WIDTH, np.uint64)
            at = (self._directory.address, *material.counts, low, high)
            wrong = int(check(*at, codes, memory))
            self._done += high - low
            return wrong

        return self._crew.largest(call, material.positions)

    def _fetch(self, pair: tuple[Forces, ...]) -> None:
        """Hold in memory the distances that the checks of a pair may ask for, and no others."""
        pieces = pair[0].pieces
        wanted = set(_crowned(pair))
        for fewer in self._distances:
            if fewer < pieces:
                wanted |= set(self._distances[fewer].entries)
        words = self._directory.words
        for material in [known for known in self._plies if known not in wanted]:
            words[self._directory.places[material] + packed.PLIES] = 0
            del self._plies[material]
        for material in sorted(wanted - set(self._plies), key=str):
            blocks = Blocks(self._distances[material.pieces])
            plies = self._plies[material] = np.frombuffer(blocks.whole(material), np.uint8)
            words[self._directory.places[material] + packed.PLIES] = address_of(plies)


def _crowned(pair: Iterable[Forces]) -> Iterable[Forces]:
    """Yield the slices of a pair, and those after one man of either side or of both is crowned."""
    for material in pair:
        men, kings, others, rulers = material.counts
        for first in range(min(men, 1) + 1):
            for second in range(min(others, 1) + 1):
                found = Forces(men - first, kings + first, others - second, rulers + second)
                yield found
                yield found.exchanged


def _compare(pack: Pack, material: Forces, codes: Codes, exact: bool) -> None:
    """Compare the totals of a slice with its positions."""
    head, found = pack.entries[material].head, counted(codes)
    ends = found.wins, found.losses, found.draws
    if ends != (head.wins, head.losses, head.draws) or (
        exact and head.longest not in (None, found.longest)
    ):
        raise EndgameError(f"{pack.path}: the totals of {material} are not those of its positions")
