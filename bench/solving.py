"""How many positions of known value the engine judges right, and how many it proves.

    python bench/solving.py FILE... [--seconds S...] [--after N] [--limit N] [--threads N]
        [--table MIB] [--pieces P] [--preset NAME]

A FILE is a table with tabs, of one of four kinds, told by its columns: positions with their value
(``WIN``, ``LOSS``, ``DRAW`` for the side to move, perhaps with a distance in plies), problems with
the result that was proved, or shots with the line that brings the win. Each position is searched
once, with an empty table, for the longest of ``--seconds`` of the processor, and judged by what the
search had found at each of them.

Right is: a value above a man for a win, below for a loss, in between for a draw; or for a shot, its
first move. Proved is: a forced end within the search, or the endgame database. A problem whose
result nobody has proved is open, and settled where we prove it. ``--pieces`` takes the
databases of that many pieces and fewer, as far as they are kept; 4 by default. ``--preset`` names
the draw rules; with ``agreement`` no rule cuts off a win that the databases know. Prints one JSON
line for each file and time, with the positions that were judged wrong, and those that were settled
with the result and the plies to it.

Ctrl+C ends it with what was judged up to then; ``--after`` that many goes on from there.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track

from kingme.engine.api import WIN, Info, Limits, Score
from kingme.engine.endgames import EndgameError, Tables
from kingme.engine.local import LocalEngine
from kingme.errors import PositionError
from kingme.rules.draws import DrawPreset
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.presets import PRESETS, STANDARD

CLEAR = 100
"""A value from here on, in hundredths of a man, is taken for a win."""

WORDS = {"win": 1, "draw": 0, "loss": -1}
RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}


@dataclass(frozen=True)
class Case:
    """A position with its value (1, 0, -1 for the side to move) or the move to be found.

    With neither it is open.
    """

    name: str
    position: Position
    value: int | None = None
    plies: int | None = None
    move: str = ""

    @property
    def open(self) -> bool:
        """Whether nobody knows the answer."""
        return self.value is None and not self.move


@dataclass
class Tally:
    """What was found within a time."""

    right: int = 0
    proved: int = 0
    proved_wrong: int = 0
    wrong: list[str] = field(default_factory=list)
    open: int = 0
    settled: dict[str, str] = field(default_factory=dict)


def cases(path: Path) -> Iterator[Case]:
    """Read a table of any of the kinds."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line]
    comments = [line for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    if "\t" in rows[0] and not rows[0].startswith(("W:", "B:")):
        names = rows.pop(0).split("\t")
    else:
        names = [name.split(",")[0].strip("# ") for name in comments[-1].split("\t")]
    for row in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
        fields = dict(zip([name.lower() for name in names], row, strict=False))
        try:
            position = Position.from_fen(fields["fen"], strict=False)
        except PositionError as error:
            print(f"left out: {fields.get('id')}: {error}", file=sys.stderr)
            continue
        name = fields.get("id") or fields.get("name") or fields["fen"]
        if "shot_line" in fields:
            if fields["shot_line"]:
                yield Case(name, position, move=fields["shot_line"].split()[0])
        elif "verified" in fields:
            if fields["verified"] in RESULTS:
                black = RESULTS[fields["verified"]]
                value = black if position.turn.code == "B" else -black
                yield Case(name, position, value, _number(fields.get("dtw_plies")))
            else:
                yield Case(name, position)
        else:
            column = next(key for key in fields if key.startswith("value"))
            plies = _number(fields.get("dtw_plies"))
            yield Case(name, position, WORDS[fields[column].lower()], plies)


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def proved(position: Position, info: Info, tables: Tables | None) -> int | None:
    """The value that is certain, or None."""
    if tables is not None:
        with contextlib.suppress(EndgameError):
            return WORDS[tables.value(position).value]
    if info.score.result is not None:
        return 1 if info.score.won else -1
    return None


def judge(case: Case, info: Info, tables: Tables | None, tally: Tally) -> None:
    """Enter what a search found of a position."""
    sure = None if case.move else proved(case.position, info, tables)
    if case.open:
        tally.open += 1
        if sure is not None:
            word = next(word for word, value in WORDS.items() if value == sure)
            tally.settled[case.name] = f"{word} {info.score.plies_to_end or ''}".strip()
        return
    if case.move:
        good = str(info.move) == str(case.position.parse(case.move))
    else:
        tally.proved += sure == case.value
        tally.proved_wrong += sure is not None and sure != case.value
        score = info.score.value
        leaning = sure if sure is not None else (score >= CLEAR) - (score <= -CLEAR)
        good = leaning == case.value
    tally.right += good
    if not good:
        tally.wrong.append(case.name)


def search(
    engine: LocalEngine, position: Position, times: list[float], preset: DrawPreset
) -> list[Info]:
    """Return what a search had found at each of some times, in rising order."""
    if not position.legal_moves:  # lost by rule
        return [Info(0, Score(-WIN), 0, 0.0, ())] * len(times)
    engine.clear()
    infos = list(engine.analyse(History.start(position), Limits(seconds=times[-1]), preset))
    return [
        [info for info in infos if info is infos[0] or info.seconds <= time][-1]
        for time in times[:-1]
    ] + infos[-1:]


def work(path: Path, engine: LocalEngine, tables: Tables, asked: argparse.Namespace) -> bool:
    """Search the positions of a file and print what came of it; False where Ctrl+C ended it."""
    times, preset = sorted(asked.seconds), PRESETS[asked.preset]
    found = list(cases(path))[asked.after : asked.after + asked.limit]
    tallies = [Tally() for _ in times]
    judged = 0
    with contextlib.suppress(KeyboardInterrupt):
        for case in track(found, path.name, console=Console(stderr=True)):
            for tally, info in zip(
                tallies, search(engine, case.position, times, preset), strict=True
            ):
                judge(case, info, tables, tally)
            judged += 1
    for seconds, tally in zip(times, tallies, strict=True):
        known = judged - tally.open
        figures = {
            "bench": "solving",
            "python": platform.python_version(),
            "file": path.name,
            "seconds": seconds,
            "pieces": asked.pieces,
            "preset": asked.preset,
            "after": asked.after,
            "judged": judged,
            "positions": known,
            "share": round(tally.right / known, 3) if known else None,
            **vars(tally),
        }
        print(json.dumps(figures), flush=True)
    return judged == len(found)


def kept(pieces: int) -> Tables:
    """Return the databases that are kept, up to a number of pieces."""
    block = Tables.have()
    every = Tables.all()
    return Tables(
        block.block, block.pieces, [pack for pack in every.packs if pack.pieces <= pieces]
    )


def main() -> None:
    """Judge each file in turn."""
    parser = argparse.ArgumentParser(description="Positions of known value, judged.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0])
    parser.add_argument("--after", type=int, default=0, help="positions to leave out at first")
    parser.add_argument("--limit", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--table", type=int, default=64, help="MiB")
    parser.add_argument("--pieces", type=int, default=4, help="of the databases (4)")
    parser.add_argument("--preset", choices=PRESETS, default=STANDARD.name)
    asked = parser.parse_args()
    tables = kept(asked.pieces)
    engine = LocalEngine(asked.table, threads=asked.threads, clock="cpu", endgames=tables)
    for path in asked.files:
        if not work(path, engine, tables, asked):
            break


if __name__ == "__main__":
    main()
