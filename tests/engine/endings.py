"""Endings by chance, for tests of the engine."""

from __future__ import annotations

import random

from kingme.engine.endgames import Tables, Value
from kingme.engine.endgames.slices import layout
from kingme.engine.endgames.verify import position_at
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
