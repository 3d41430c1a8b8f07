"""Endings by chance, for tests of the engine."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from kingme.engine.endgames import Tables, Value
from kingme.engine.endgames.build import Crew, solve
from kingme.engine.endgames.files import PACKED
from kingme.engine.endgames.opened import Pack
from kingme.engine.endgames.pack import (
    SPAN,
    Kind,
    SliceHead,
    assemble,
    order,
    pack_distances,
    pack_values,
)
from kingme.engine.endgames.slices import Forces, layout, span, starts
from kingme.engine.endgames.verify import position_at
from kingme.engine.kernels.packed import BLOCK
from kingme.rules.position import Position


def some(solved: Tables, wanted: Value, count: int, seed: int) -> list[Position]:
    """Random positions of four pieces with a value for the side to move, a choice in each."""
    chance = random.Random(seed)
    places = [one for one in layout(4).places if one.pieces == 4]
    found: list[Position] = []
    while len(found) < count:
        material = chance.choice(places)
        position = position_at(material, chance.randrange(material.positions))
        if len(position.legal_moves) > 1 and solved.value(position) is wanted:
            found.append(position)
    return found


KINGS = Forces(0, 3, 0, 2)
"""Three kings against two: with five pieces, all that follows is among these or has four."""


def three_kings(folder: Path, solved: Tables) -> Tables:
    """Write packed files of 5 pieces of which only three kings against two are true.

    All other slices claim draws, and none of them is to be asked. Returns what reads them.
    """
    pair = (KINGS, KINGS.exchanged)
    codes = np.zeros(sum(map(span, pair)), np.uint8)
    with Crew(1) as crew:
        solve(pair, codes, solved.address, crew)
    found = {m: codes[at : at + m.positions] for m, at in starts(pair).items()}
    packs = []
    for kind, packer, size in (
        (Kind.VALUES, pack_values, BLOCK),
        (Kind.DISTANCES, pack_distances, SPAN),
    ):
        path = folder / f"english-5.v{PACKED}.{kind.word}"
        parts = (
            (m, packer(m, found[m]) if m in found else _drawn(m, kind, size)) for m in order(5)
        )
        assemble(path, kind, 5, parts)
        packs.append(Pack.open(path, kind, 5))
    return Tables(solved.block, 4, packs)


def _drawn(material: Forces, kind: Kind, size: int) -> bytes:
    """A packed slice of nothing but draws."""
    count = material.positions
    return SliceHead(material, count, 0, 0, count, 0, kind, 0, -(-count // size), 0).packed()
