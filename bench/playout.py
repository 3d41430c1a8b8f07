"""Endings played out: are won positions won within their distance, and drawn ones never lost?

    python bench/playout.py [--pieces N,N] [--games G] [--drawn D] [--seed S] [--draws PRESET]
                            [--judge same|memory|rules] [--reply] [--values] [--plies P]

Takes G random positions of each number of pieces that the side to move wins, with no jump due, and
lets the engine play them against a defence that always loses as late as can be; and D drawn ones,
as many where not given, against a side that keeps the draw and leaves the engine as few safe
replies as it can. Without a preset the draw rule is agreement alone.

The engine has the files that are kept, as whoever plays with kingme; with ``--reply`` it is the
opponent of ``kingme play`` at its highest level; with ``--values`` it has the block of 4 pieces and
the files that say who wins, but no distances of more, and P plies instead of the distance.

The ``--judge`` is also what the defence goes by: the ``same`` files; a database of up to 5 pieces
built in ``memory``, which shares nothing with them but the kernels that build; or the same files by
the ``rules``, where each position of each game must be what the legal moves from it ask for.
Prints one JSON line, in which every position is named that came out otherwise.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from rich.console import Console
from rich.progress import track

from kingme.engine.api import Limits
from kingme.engine.endgames import Tables, Value
from kingme.engine.endgames.pack import Kind
from kingme.engine.endgames.slices import layout
from kingme.engine.endgames.verify import position_at
from kingme.engine.levels import LEVELS
from kingme.engine.local import LocalEngine
from kingme.engine.opponent import Opponent
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset, preset_of
from kingme.rules.position import Position

ENOUGH = 60
"""Plies after which a drawn game has been held."""

LIMITS = Limits(depth=12, seconds=5.0)

Player = Callable[[History], Move]
"""Chooses the move of a game."""


@dataclass
class Score:
    """How games came out; ``plies`` is how long they took, and ``distance`` what was foretold."""

    games: int = 0
    right: int = 0
    longest: int = 0
    plies: int = 0
    distance: int = 0
    slowest: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, history: History, distance: int, good: bool) -> None:
        """Count a game."""
        plies = len(history.moves)
        self.games += 1
        self.right += good
        self.longest = max(self.longest, distance)
        self.plies += plies
        self.slowest = max(self.slowest, plies)
        self.distance += distance
        if not good:
            self.wrong.append(history.positions[0].fen)


@dataclass
class Witness:
    """Holds what a database says of a position against what it says of those after its moves."""

    tables: Tables
    asked: bool
    positions: int = 0

    def look(self, position: Position) -> None:
        """Raise ``ValueError`` where the two do not fit, or where the rules know better."""
        if not self.asked:
            return
        self.positions += 1
        told = self.tables.value(position), self.tables.distance(position)
        if told != self._asked_for(position):
            raise ValueError(f"{position.fen} is not what the moves from it ask for: {told}")

    def _asked_for(self, position: Position) -> tuple[Value, int | None]:
        reached = [position.after(move) for move in position.legal_moves]
        if not reached:
            return Value.LOSS, 0
        after = [
            (self.tables.value(one), self.tables.distance(one) or 0)
            if one.legal_moves
            else (Value.LOSS, 0)
            for one in reached
        ]
        lost = [plies for value, plies in after if value is Value.LOSS]
        if lost:
            return Value.WIN, min(lost) + 1
        if any(value is Value.DRAW for value, _ in after):
            return Value.DRAW, None
        return Value.LOSS, max(plies for _, plies in after) + 1


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
    position: Position, player: Player, reply: Callable[[Position], Move], most: int,
    preset: DrawPreset, witness: Witness,
) -> History:  # fmt: skip
    """Play so many plies at most, the player to move first."""
    history, mine = History.start(position), position.turn
    witness.look(position)
    while len(history.moves) < most and history.outcome(preset) is None:
        now = history.position
        history = history.play(player(history) if now.turn is mine else reply(now))
        witness.look(history.position)
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


@dataclass(frozen=True)
class Asked:
    """What is to be played, and by which rules; ``plies`` is 0 where the distance is the limit."""

    games: int
    drawn: int
    seed: int
    preset: DrawPreset
    plies: int


def judged(pieces: int, asked: Asked, witness: Witness, player: Player) -> dict[str, object]:
    """Play the games of one number of pieces."""
    tables, preset = witness.tables, asked.preset
    chance = random.Random(f"{asked.seed} {pieces}")  # noqa: S311 (a sample, no secret)
    reply = defence(tables, chance)
    won, held = Score(), Score()
    console = Console(stderr=True)
    found = positions(pieces, Value.WIN, tables, chance)
    for _ in track(range(asked.games), f"{pieces} pieces, won", console=console):
        position = next(found)
        distance = tables.distance(position) or 0
        history = played(position, player, reply, asked.plies or distance, preset, witness)
        end = history.outcome(preset)
        won.add(history, distance, end is not None and end.winner is position.turn)
    found = positions(pieces, Value.DRAW, tables, chance)
    for _ in track(range(asked.drawn), f"{pieces} pieces, drawn", console=console):
        position = next(found)
        history = played(position, player, reply, ENOUGH, preset, witness)
        end = history.outcome(preset)
        held.add(history, 0, end is None or end.winner is not position.turn.other)
    return {
        "won": won.right,
        "of_won": won.games,
        "longest": won.longest,
        "plies": won.plies,
        "distances": won.distance,
        "slowest": won.slowest,
        "held": held.right,
        "of_drawn": held.games,
        "witnessed": witness.positions,
        "wrong": won.wrong + held.wrong,
    }


def player_of(reply: bool, values: bool, preset: DrawPreset) -> Player:
    """Return the engine that plays, with the files that are kept."""
    if reply:
        opponent = Opponent(engines=1)
        opponent.start_warming()
        opponent.wait()
        return lambda history: opponent.reply(history, LEVELS[-1].number, preset=preset).move
    kept = Tables.all()
    if values:
        packs = [pack for pack in kept.packs if pack.kind is Kind.VALUES]
        kept = Tables(kept.block, kept.block_pieces, packs)
    engine = LocalEngine(16, clock="cpu", endgames=kept)
    return lambda history: engine.best_move(history, LIMITS, preset).move


def judge_of(name: Literal["same", "memory", "rules"], pieces: int) -> Witness:
    """Return what judges and defends: see the module."""
    tables = Tables.build(min(pieces, 5)) if name == "memory" else Tables.have(pieces)
    return Witness(tables, name == "rules")


def main() -> None:
    """Play and print the figures."""
    parser = argparse.ArgumentParser(description="Endings played out against best defence.")
    parser.add_argument("--pieces", default="4,5")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--drawn", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draws", default="agreement")
    parser.add_argument("--judge", choices=("same", "memory", "rules"), default="same")
    parser.add_argument("--reply", action="store_true")
    parser.add_argument("--values", action="store_true")
    parser.add_argument("--plies", type=int, default=0)
    given = parser.parse_args()
    numbers = [int(word) for word in given.pieces.split(",")]
    preset = preset_of(given.draws)
    drawn = given.games if given.drawn is None else given.drawn
    asked = Asked(given.games, drawn, given.seed, preset, given.plies)
    witness = judge_of(given.judge, max(numbers))
    player = player_of(given.reply, given.values, preset)
    began = time.process_time()
    figures = {str(pieces): judged(pieces, asked, witness, player) for pieces in numbers}
    told = {
        "bench": "playout",
        "python": platform.python_version(),
        "judge": given.judge,
        "engine": "reply" if given.reply else "values" if given.values else "kept",
        "games": asked.games,
        "seed": asked.seed,
        "draws": preset.name,
        "cpu_s": round(time.process_time() - began, 1),
    }
    print(json.dumps(told | {"pieces": figures}))


if __name__ == "__main__":
    main()
