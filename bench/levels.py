"""How much stronger each level is than the one below it.

    python bench/levels.py [--games N] [--pairs 2 3 ...] [--full S] [--pdn DIR] [--seed K]

Level n+1 plays level n from eleven-man ballots, which give decisive games, each opening twice
with the colours changed, and neither has the opening book or an endgame database. Clocks count
seconds of the processor, so that a busy machine changes nothing. Levels 1 to 7 are limited by
depth. Level 8 has 2.4 seconds a move on the page; here it gets ``--full`` of them, 0.1 where not
given, so that its lead is bounded from below.

With ``--pdn`` the games of each pair are kept in a file of that folder, and the same command goes
on where they end. Prints one JSON line for each pair: the games of the upper level, its share of
the points and what is required, its lead in Elo with the interval that holds it with 95 %
confidence, and milliseconds of the processor a move of each. The status is 1 where a pair with all
its games falls short.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kingme.engine.api import EngineError, Info, Limits
from kingme.engine.entrants import TABLE_MIB, Entrant
from kingme.engine.ledger import Ledger
from kingme.engine.levels import LEVELS, Level, level_of
from kingme.engine.local import LocalEngine
from kingme.engine.match import play, record, tasks
from kingme.engine.scoring import MatchTally
from kingme.engine.training.openings import eleven_man
from kingme.engine.weights import default
from kingme.rules import pdn
from kingme.rules.history import History
from kingme.rules.outcome import STANDARD, DrawPreset

FULL_SECONDS = 0.1

REQUIRED = {number: 0.7 if number <= 5 else 0.6 for number in range(2, len(LEVELS) + 1)}
"""The share of the points that a level is to take from the one below."""


class Timed:
    """A level in a match, and what its moves cost; a forced one counts for nothing."""

    def __init__(self, level: Level, seed: str) -> None:
        name = f"level {level.number}"
        self.entrant = Entrant(
            name, lambda: LocalEngine(TABLE_MIB, clock="cpu", endgames="none"), level, seed
        )
        self.moves = 0
        self.seconds = 0.0

    def best_move(self, history: History, limits: Limits, preset: DrawPreset) -> Info:
        """Return what it plays."""
        began = time.process_time()
        info = self.entrant.best_move(history, limits, preset)
        if len(history.position.legal_moves) > 1:
            self.moves += 1
            self.seconds += time.process_time() - began
        return info


@dataclass
class Cost:
    """Moves that were chosen and the seconds of the processor that they took."""

    moves: int = 0
    seconds: float = 0.0

    def add(self, moves: int, seconds: float) -> None:
        """Count some more."""
        self.moves += moves
        self.seconds += seconds

    @property
    def milliseconds(self) -> float | None:
        """Milliseconds a move, None where there was none."""
        return round(1000 * self.seconds / self.moves, 1) if self.moves else None


@dataclass
class Pair:
    """A level, the one below it, and the games that they play."""

    upper: Level
    lower: Level
    games: int
    seed: int = 0
    tally: MatchTally = field(default_factory=MatchTally)
    costs: tuple[Cost, Cost] = field(default_factory=lambda: (Cost(), Cost()))
    forfeits: int = 0

    @property
    def terms(self) -> str:
        """Say on what terms they play, so that no other match is taken for its beginning."""
        sides = [
            " ".join(f"{name}={value:g}" for name, value in dataclasses.asdict(level).items()
                     if not isinstance(value, str))
            for level in (self.upper, self.lower)
        ]  # fmt: skip
        start = f"eleven-man ballots, seed {self.seed}"
        return f"levels; {sides[0]}; {sides[1]}; {start}; weights {default().digest}"

    def openings(self) -> list[History]:
        """Return the ballots in the order of the seed."""
        found = [History.start(position) for position in eleven_man()]
        random.Random(self.seed).shuffle(found)  # noqa: S311 (an order, not a secret)
        return found

    def play(self, path: Path | None) -> None:
        """Play what has not been played, and keep it in the file."""
        with contextlib.ExitStack() as stack:
            ledger = stack.enter_context(Ledger(path, self.terms)) if path else None
            if path and ledger and ledger.points:
                self._recall(path, ledger.points)
            sides = [
                Timed(level, f"{self.seed}/{level.number}") for level in (self.upper, self.lower)
            ]
            began, before = time.monotonic(), self.tally.games
            for task in tasks(self.games, self.openings()):
                if task.number < before:
                    continue
                for side in sides:
                    side.entrant.new_game(task.number)
                    side.moves, side.seconds = 0, 0.0
                first, second = sides if task.a_first else sides[::-1]
                done = play(first, second, task.opening, Limits(), STANDARD)
                begins = done.history.position.variant.first
                points = done.points(begins if task.a_first else begins.other)
                self.tally = self.tally.add(points)
                self.forfeits += "forfeits" in done.why
                for cost, side in zip(self.costs, sides, strict=True):
                    cost.add(side.moves, side.seconds)
                if ledger:
                    spent = " ".join(f"{side.moves} {side.seconds:.4f}" for side in sides)
                    tags = {"Processor": spent, "Terms": self.terms}
                    names = (sides[0].entrant.name, sides[1].entrant.name)
                    ledger.append(record(task, done, names, tags), points)
                self._show(began, before)

    def _recall(self, path: Path, points: list[float]) -> None:
        """Count the games that were played before."""
        for value in points:
            self.tally = self.tally.add(value)
        for game in pdn.read(path.read_text(encoding="utf-8")):
            spent = game.tags["Processor"].split()
            self.forfeits += "forfeits" in game.tags["Termination"]
            for cost, at in zip(self.costs, (0, 2), strict=True):
                cost.add(int(spent[at]), float(spent[at + 1]))

    def _show(self, began: float, before: int) -> None:
        rate = (self.tally.games - before) / (time.monotonic() - began)
        left = (self.games - self.tally.games) / rate
        line = (
            f"level {self.upper.number} v {self.lower.number}: {self.tally.games} of {self.games}"
        )
        line += f", {self.tally}, {100 * self.tally.share:.1f} %"
        line += f", {60 * rate:.0f} games/min, {left / 60:.0f} min left"
        ending = "\r" if sys.stderr.isatty() and left else "\n"
        if ending == "\r" or self.tally.games % 20 == 0 or not left:
            print(f"{line:<110}", end=ending, file=sys.stderr, flush=True)

    @property
    def figures(self) -> dict[str, Any]:
        """What came of it."""
        elo, tally = self.tally.elo, self.tally
        leads = (elo.lead, elo.low, elo.high) if elo else (math.nan,) * 3
        lead, low, high = (round(value) if math.isfinite(value) else None for value in leads)
        required = REQUIRED[self.upper.number]
        return {
            "bench": "levels",
            "level": self.upper.number,
            "against": self.lower.number,
            "seconds_of_level_8": self.upper.seconds if self.upper.number == len(LEVELS) else None,
            "games": tally.games,
            "won": tally.won,
            "drawn": tally.drawn,
            "lost": tally.lost,
            "share": round(tally.share, 4),
            "required": required,
            "met": tally.share >= required,
            "elo": lead,
            "elo_low": low,
            "elo_high": high,
            "ms_a_move": [cost.milliseconds for cost in self.costs],
            "forfeits": self.forfeits,
        }


def pairs(numbers: list[int], games: int, full: float, seed: int) -> Iterator[Pair]:
    """Yield the pairs, level 8 with less time than it has."""
    for number in numbers:
        upper = level_of(number)
        if number == len(LEVELS):
            upper = dataclasses.replace(upper, seconds=full)
        yield Pair(upper, level_of(number - 1), games, seed)


def main() -> int:
    """Play each pair in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200, help="for each pair, an even number")
    parser.add_argument(
        "--pairs", type=int, nargs="+", default=list(REQUIRED), choices=list(REQUIRED),
        metavar="UPPER", help="the upper levels of the pairs; all where not given",
    )  # fmt: skip
    parser.add_argument("--full", type=float, default=FULL_SECONDS, help="seconds of level 8")
    parser.add_argument("--pdn", type=Path, help="a folder for the games")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.games < 2 or asked.games % 2:
        parser.error("--games is an even number: each opening is played with both colours")
    if not asked.full > 0:
        parser.error("--full is more than 0 seconds")
    met = True
    try:
        if asked.pdn:
            asked.pdn.mkdir(parents=True, exist_ok=True)
        for pair in pairs(asked.pairs, asked.games, asked.full, asked.seed):
            name = f"level-{pair.upper.number}-{pair.lower.number}.pdn"
            pair.play(asked.pdn and asked.pdn / name)
            met = met and pair.figures["met"]
            print(json.dumps(pair.figures), flush=True)
    except (EngineError, OSError) as error:
        parser.exit(2, f"{error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nstopped; with --pdn the same command goes on from here\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
