"""How many of the endings that have names are judged right, and how many of them by proof.

    python bench/endings.py [FILE] [--pieces N] [--seconds S] [--table MIB] [--preset NAME]

The FILE is ``tests/data/endgames_named.tsv`` where not given: positions with their value for the
side to move (``win``, ``draw``, ``loss``; ``<=draw`` and ``>=draw`` where only a bound is known;
``unknown``), with the plies to the end, the moves that keep the value, and a best line, where these
are known.

Up to N pieces the endgame database answers, and all of these must agree; it is built if need be.
With more pieces a search of S seconds of the processor does, with an empty table, and that database
within it. A forced end, or one by that database, proves a value; a value within a man leans to a
draw, and one beyond to a win or loss. Lines of a file are played through, and where one ends within
the database, that must agree too. ``--preset`` names the draw rules; ``agreement`` where not given,
for the values in books and databases know no rule that cuts off a win. Prints one JSON line, in
which everything that is not proved is named.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from kingme.engine.api import Info, Limits
from kingme.engine.endgames import Tables, Value
from kingme.engine.local import LocalEngine
from kingme.rules.draws import DrawPreset
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.presets import PRESETS

FILE = Path(__file__).parents[1] / "tests" / "data" / "endgames_named.tsv"
AGREEMENT = PRESETS["agreement"]
MAN = 100
"""A value from here on, in hundredths of a man, leans to a win."""

VALUES = {
    "win": {Value.WIN},
    "draw": {Value.DRAW},
    "loss": {Value.LOSS},
    "<=draw": {Value.DRAW, Value.LOSS},
    ">=draw": {Value.DRAW, Value.WIN},
    "unknown": set(Value),
}


@dataclass(frozen=True)
class Ending:
    """A row of the file: what the value may be, and what else is known."""

    name: str
    position: Position
    values: set[Value]
    plies: int | None
    keeping: set[str]
    line: list[str]


def endings(path: Path) -> Iterator[Ending]:
    """Read a file."""
    rows = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
        keeping = row["drawing_or_winning_moves"]
        yield Ending(
            row["name"],
            Position.from_fen(row["fen"]),
            VALUES[row["value_for_side_to_move"]],
            int(row["dtw_plies"]) if row["dtw_plies"] else None,
            set(keeping.split(", ")) if keeping else set(),
            row["optimal_line"].split(),
        )


def looked_up(ending: Ending, tables: Tables) -> str:
    """Compare with the database: ``agrees``, or what does not."""
    position = ending.position
    if tables.value(position) not in ending.values:
        return f"the value is {tables.value(position)}"
    if ending.plies is not None and tables.distance(position) != ending.plies:
        return f"the end is {tables.distance(position)} plies away"
    if ending.keeping:
        known = {position.parse(text) for text in ending.keeping}
        if known != set(tables.keeping_moves(position)):
            return "other moves keep the value"
    if ending.plies is not None:
        for text in ending.line:
            move = position.parse(text)
            if move not in tables.best_moves(position):
                return f"{text} is not the best move of {position.fen}"
            position = position.play(move)
    return "agrees"


def ends_well(ending: Ending, tables: Tables) -> bool:
    """Play the line; tell whether its end agrees, where the database reaches it."""
    position = ending.position
    for text in ending.line:
        position = position.play(text)
    if not position.legal_moves:
        value = Value.LOSS
    elif len(position.pieces) > tables.pieces:
        return True
    else:
        value = tables.value(position)
    return (value if position.turn is ending.position.turn else value.against) in ending.values


def searched(
    ending: Ending, engine: LocalEngine, limits: Limits, preset: DrawPreset = AGREEMENT
) -> tuple[Value, Info]:
    """Return what a search makes of a position, and how it comes to that."""
    engine.clear()
    info = engine.best_move(History.start(ending.position), limits, preset)
    score = info.score
    if info.result is not None:
        value = Value(info.result)
    elif abs(score.value) >= MAN:
        value = Value.WIN if score.value > 0 else Value.LOSS
    else:
        value = Value.DRAW
    return value, info


def judged(
    found: list[Ending],
    tables: Tables,
    engine: LocalEngine,
    limits: Limits,
    preset: DrawPreset = AGREEMENT,
) -> dict[str, object]:
    """Judge every ending; see the docstring of this file."""
    agrees = proved = 0
    wrong: dict[str, str] = {}
    leaning: dict[str, str] = {}
    undecided: dict[str, str] = {}
    opened: dict[str, str] = {}
    for ending in track(found, "endings", console=Console(stderr=True)):
        if len(ending.position.pieces) <= tables.pieces:
            said = looked_up(ending, tables)
            if said == "agrees":
                agrees += 1
            else:
                wrong[ending.name] = said
            continue
        value, info = searched(ending, engine, limits, preset)
        proof, words = info.result is not None, f"{value} ({info.score})"
        if not ends_well(ending, tables):
            wrong[ending.name] = "the end of the line"
        elif ending.values == VALUES["unknown"]:
            opened[ending.name] = words
        elif value not in ending.values:
            (wrong if proof else undecided)[ending.name] = words
        elif proof:
            proved += 1
        else:
            leaning[ending.name] = words
    return {
        "endings": len(found),
        "by_database": agrees,
        "by_search": proved,
        "leaning": leaning,
        "undecided": undecided,
        "wrong": wrong,
        "open": opened,
    }


def main() -> None:
    """Judge a file and print the figures."""
    parser = argparse.ArgumentParser(description="Named endings, judged.")
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--table", type=int, default=64, help="MiB")
    parser.add_argument("--preset", choices=PRESETS, default=AGREEMENT.name)
    asked = parser.parse_args()
    tables = Tables.have(asked.pieces)
    engine = LocalEngine(asked.table, clock="cpu", endgames=tables)
    figures = {
        "bench": "endings",
        "python": platform.python_version(),
        "file": asked.file.name,
        "pieces": asked.pieces,
        "seconds": asked.seconds,
        "preset": asked.preset,
    }
    found, limits = list(endings(asked.file)), Limits(seconds=asked.seconds)
    print(json.dumps(figures | judged(found, tables, engine, limits, PRESETS[asked.preset])))


if __name__ == "__main__":
    main()
