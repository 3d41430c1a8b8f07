"""Endings played out: are won positions won within their distance, and drawn ones never lost?

    python bench/playout.py [--pieces N,N] [--games G] [--seed S] [--draws PRESET] [--memory]

Takes G random positions of each number of pieces that the side to move wins, with no jump due, and
lets the engine play them against a defence that always loses as late as can be; and G drawn ones,
against a side that keeps the draw and leaves the engine as few safe replies as it can. Without a
preset the draw rule is agreement alone. The database of the most pieces is the defence and the
judge, and the engine uses it too: the files that are kept, or with ``--memory`` one that is built
in memory, whose distances are read much faster. Prints one JSON line, in which every
position is named that came out otherwise.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import track

from kingme.engine.api import Limits
from kingme.engine.endgames import Tables, Value
from kingme.engine.endgames.slices import layout
from kingme.engine.endgames.verify import position_at
from kingme.engine.local import LocalEngine
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset, preset_of
from kingme.rules.position import Position

ENOUGH = 60
"""Plies after which a drawn game has been held."""

LIMITS = Limits(depth=12, seconds=5.0)


@dataclass
class Score:
    """How games came out."""

    games: int = 0
    right: int = 0
    longest: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, position: Position, distance: int, good: bool) -> None:
        """Count a game."""
        self.games += 1
        self.right += good
        self.longest = max(self.longest, distance)
        if not good:
            self.wrong.append(position.fen)


def positions(
    pieces: int, wanted: Value, tables: Tables, chance: random.Random
) -> Iterator[Position]:
    """Yield random positions of a value, every position as likely, with no jump due."""
    slices = [(one, one.positions) for one in layout(pieces).places if one.pieces == pieces]
    names, counts = zip(*slices, strict=True)
    while True:
        (material,) = chance.choices(names, counts)
        position = position_at(material, chance.randrange(material.positions))
        if not position.legal_moves or position.must_jump:
            continue
        if tables.value(position) is wanted:
            yield position


def played(
    position: Position, engine: LocalEngine, reply: Callable[[Position], Move], most: int,
    preset: DrawPreset,
) -> History:  # fmt: skip
    """Play so many plies at most, the engine to move first."""
    history, mine = History.start(position), position.turn
    while len(history.moves) < most and history.outcome(preset) is None:
        now = history.position
        move = engine.best_move(history, LIMITS, preset).move if now.turn is mine else reply(now)
        history = history.play(move)
    return history


def defence(tables: Tables, chance: random.Random) -> Callable[[Position], Move]:
    """A side that loses as late as can be, or keeps a draw and leaves few safe replies."""

    def safe(position: Position, move: Move) -> int:
        after = position.after(move)
        return len(tables.keeping_moves(after)) if after.legal_moves else 0

    def reply(position: Position) -> Move:
        best = list(tables.best_moves(position))
        chance.shuffle(best)
        if tables.value(position) is Value.DRAW:
            return min(best, key=lambda move: safe(position, move))
        return best[0]

    return reply


def judged(
    pieces: int, games: int, seed: int, tables: Tables, engine: LocalEngine, preset: DrawPreset
) -> dict[str, object]:
    """Play the games of one number of pieces."""
    chance = random.Random(f"{seed} {pieces}")  # noqa: S311 (a sample, no secret)
    reply = defence(tables, chance)
    won, held = Score(), Score()
    console = Console(stderr=True)
    found = positions(pieces, Value.WIN, tables, chance)
    for _ in track(range(games), f"{pieces} pieces, won", console=console):
        position = next(found)
        distance = tables.distance(position) or 0
        end = played(position, engine, reply, distance, preset).outcome(preset)
        won.add(position, distance, end is not None and end.winner is position.turn)
    found = positions(pieces, Value.DRAW, tables, chance)
    for _ in track(range(games), f"{pieces} pieces, drawn", console=console):
        position = next(found)
        end = played(position, engine, reply, ENOUGH, preset).outcome(preset)
        held.add(position, 0, end is None or end.winner is not position.turn.other)
    return {
        "won": won.right,
        "of_won": won.games,
        "longest": won.longest,
        "held": held.right,
        "of_drawn": held.games,
        "wrong": won.wrong + held.wrong,
    }


def main() -> None:
    """Play and print the figures."""
    parser = argparse.ArgumentParser(description="Endings played out against best defence.")
    parser.add_argument("--pieces", default="4,5")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draws", default="agreement")
    parser.add_argument("--memory", action="store_true")
    asked = parser.parse_args()
    numbers = [int(word) for word in asked.pieces.split(",")]
    preset = preset_of(asked.draws)
    tables = (Tables.build if asked.memory else Tables.have)(max(numbers))
    engine = LocalEngine(16, clock="cpu", endgames=tables)
    began = time.process_time()
    figures = {
        str(pieces): judged(pieces, asked.games, asked.seed, tables, engine, preset)
        for pieces in numbers
    }
    told = {
        "bench": "playout",
        "python": platform.python_version(),
        "games": asked.games,
        "seed": asked.seed,
        "draws": preset.name,
        "cpu_s": round(time.process_time() - began, 1),
    }
    print(json.dumps(told | {"pieces": figures}))


if __name__ == "__main__":
    main()
