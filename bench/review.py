"""The review of real games: how long each takes, and what it finds.

    python bench/review.py [FILE] [--games N] [--nodes N]

FILE is PDN; without it, the games that the tests use, of which every so many is taken. Each
position is searched for so many nodes by the engine of the server. The games are taken from the
file as it was written, judged, written as PDN with their reviews, and read again: ``illegal`` are
moves that were called illegal on the way, in the games and in the lines that the reviews show, and
``changed`` games that came back with other moves. In ``decided`` are the games with a winner, and
how many of them were won by the side that kept more of its points a move. Seconds are of one
core's time. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections import Counter
from pathlib import Path

from kingme.analysis import Mark, Review, annotated, review
from kingme.engine.api import Limits
from kingme.engine.endgames import files
from kingme.engine.endgames.tables import Tables
from kingme.engine.local import LocalEngine
from kingme.rules.pdn import Game, read, write
from kingme.rules.variant import Side

EXCERPT = Path(__file__).parents[1] / "tests/data/pdn/archive.pdn"


def chosen(path: Path, count: int) -> list[Game]:
    """Return so many games, from the whole length of a file."""
    games = list(read(path.read_bytes()))
    return games[:: max(1, len(games) // count)][:count]


def illegal(game: Game) -> int:
    """Count the moves that the reader called illegal, in variations too."""
    return sum(note.kind == "error" for note in game.notes)


def better(found: Review) -> Side | None:
    """Return the side that kept more of its points a move; ``None`` where neither did."""
    black, white = (found.accuracy(side) or 0.0 for side in (Side.BLACK, Side.WHITE))
    return None if black == white else Side.BLACK if black > white else Side.WHITE


def run(games: list[Game], nodes: int, engine: LocalEngine, solved: Tables) -> dict[str, object]:
    """Review the games."""
    seconds: list[float] = []
    marks: Counter[str] = Counter()
    plies = missed = allowed = wrong = changed = decided = fitting = 0
    kept: list[float] = []
    for game in games:
        began = time.process_time()
        found = review(game.history, engine, Limits(nodes=nodes), solved)
        seconds.append(time.process_time() - began)
        plies += len(found.judgements)
        marks.update(str(judgement.mark) for judgement in found.judgements)
        missed += sum(bool(judgement.missed) for judgement in found.judgements)
        allowed += sum(bool(judgement.allowed) for judgement in found.judgements)
        kept += [part for side in Side if (part := found.accuracy(side)) is not None]
        (again,) = read(write(annotated(game, found)))
        wrong += illegal(game) + illegal(again)
        changed += again.moves != game.moves
        if game.winner is not None:
            decided += 1
            fitting += better(found) is game.winner
    return {
        "games": len(seconds),
        "plies": plies,
        "seconds": {
            "median": round(statistics.median(seconds), 2),
            "longest": round(max(seconds), 2),
            "each": [round(each, 2) for each in seconds],
        },
        "classes": {str(mark): marks[mark] for mark in Mark},
        "shots": {"missed": missed, "allowed": allowed},
        "kept": round(statistics.mean(kept), 4),
        "decided": {"games": decided, "by_the_better": fitting},
        "illegal": wrong,
        "changed": changed,
    }


def main() -> None:
    """Review and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=EXCERPT)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=100_000, help="for each position")
    asked = parser.parse_args()
    solved = Tables.have(files.PIECES)
    engine = LocalEngine(64, endgames=solved)
    found = run(chosen(asked.file, asked.games), asked.nodes, engine, solved)
    print(
        json.dumps(
            {
                "bench": "review",
                "nodes": asked.nodes,
                "endgames": solved.pieces,
                **found,
                "machine": platform.machine(),
                "python": platform.python_version(),
            }
        )
    )


if __name__ == "__main__":
    main()
