"""Games to fill collections with: random ones, and a few that are known."""

from __future__ import annotations

import random

from kingme.collection import Entry
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS, Side

NAMES = ["Tinsley, Marion", "Désiré Ranjatoelina", "Long, Asa", "Case, 100%", "O'Connor_A", "?"]
DATES = ["1841.??.??", "1904.12.03", "1950.06.??", "17.3.1989", "?", "2004"]


def played(start: Position, chance: random.Random, plies: int) -> History:
    """A random game; its first moves are the first ones that there are more often than not."""
    positions, moves = [start], []
    while len(moves) < plies and (legal := positions[-1].legal_moves):
        liked = len(moves) < 4 and chance.random() < 0.7
        moves.append(legal[0] if liked else chance.choice(legal))
        positions.append(positions[-1].after(moves[-1]))
    return History(tuple(positions), tuple(moves))


def entries(count: int = 60, seed: int = 1) -> list[Entry]:
    """So many games, some of other variants and from other positions."""
    chance = random.Random(seed)
    turned = Position.start().play("9-13").mirrored()
    late = Position.from_fen("B:WK3,19:BK15,12,20")
    starts = [Position.start()] * 5 + [turned, late, Position.start(VARIANTS["russian"])]
    found = []
    for number in range(count):
        start = starts[number % len(starts)]
        history = played(start, chance, chance.randint(0, 70))
        winner = chance.choice([Side.BLACK, Side.WHITE, None])
        draw = winner is None and chance.random() < 0.7
        black, white = chance.choice(NAMES), chance.choice(NAMES)
        found.append(
            Entry(
                text=f"game {number} of {seed}",
                history=history,
                winner=winner,
                draw=draw,
                black=black,
                white=white,
                event=chance.choice(["World Title Match", "Club", "?"]),
                date=chance.choice(DATES),
                said="*",
            )
        )
    return found


def english(entry: Entry) -> bool:
    return entry.history.positions[0].variant == ENGLISH
