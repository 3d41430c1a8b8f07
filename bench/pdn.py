"""Reading PDN: every ply of a file judged, every game written and read again.

    python bench/pdn.py [FILE] [--rounds N] [--peer-games N]

FILE is PDN, or a zip that holds one; without it, the excerpt that the tests use. Seconds
are of one core's time, so that a busy machine does not count; ``wall`` is by the clock.
pydraughts, where it is installed, reads and replays the games that it can, one by one, in
the same run and beside our own reader on the very same games. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from kingme.rules.pdn import Counter, headers, read, visit, write

EXCERPT = Path(__file__).parents[1] / "tests/data/pdn/archive.pdn"


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a PDN file, or the PDN file in a zip."""
    if path.suffix != ".zip":
        with path.open("rb") as file:
            yield file
        return
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.lower().endswith(".pdn"))
        with archive.open(name) as member:
            yield member


def peak() -> float:
    """Return the most memory that this process has held, in MiB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def reading(path: Path) -> dict[str, object]:
    """Count what a file holds, with the time and the memory that takes."""
    counter = Counter()
    wall, core = time.perf_counter(), time.process_time()
    with opened(path) as file:
        visit(file, counter)
    seconds = time.process_time() - core
    return {
        "games": counter.games,
        "plies": counter.plies,
        "repairs": counter.repairs,
        "errors": counter.errors,
        "odd": counter.odd,
        "seconds": round(seconds, 2),
        "wall": round(time.perf_counter() - wall, 2),
        "plies_a_second": round(counter.plies / seconds),
    }


def trees(path: Path) -> dict[str, object]:
    """Read a file game by game as trees, and write each and read it again."""
    before, early, differ = peak(), 0.0, 0
    core = time.process_time()
    with opened(path) as file:
        for count, _ in enumerate(read(file), 1):
            if count == 1000:
                early = peak()
    tree_seconds = time.process_time() - core
    late = peak()
    with opened(path) as file:
        for game in read(file):
            differ += list(read(write(game))) != [game]
    return {
        "tree_seconds": round(tree_seconds, 2),
        "peak_mib": {"before": before, "after_1000_games": early or late, "at_the_end": late},
        "round_trip_differs": differ,
        "round_trip_equal": not differ,
    }


def scan(path: Path, rounds: int) -> dict[str, object]:
    """Scan for headers in memory: places alone, and with every tag read."""
    with opened(path) as file:
        data = file.read()
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name in ("places", "tags"):
            core = time.process_time()
            for header in headers(data):
                if name == "tags":
                    len(header.tags)
            rate = len(data) / (time.process_time() - core) / 1e6
            best[name] = max(best.get(name, 0), rate)
    return {f"header_{name}_mb_a_second": round(rate, 1) for name, rate in best.items()}


def peer(path: Path, games: int) -> dict[str, object]:
    """Let pydraughts read and replay the first games, and do the same ourselves."""
    try:
        from draughts import Board, Move
        from draughts.PDN import PDNReader
    except ImportError:
        return {"pydraughts": "not installed"}
    texts = []
    with opened(path) as file:
        data = file.read()
    places = [header.offset for header in headers(data)][: games + 1]
    ends = [*places[1:], len(data)]
    for start, end in list(zip(places, ends, strict=True))[:games]:
        texts.append(data[start:end].decode("latin-1"))
    replayed, plies, failed = [], 0, 0
    core = time.process_time()
    for text in texts:
        try:
            board = Board("english", "startpos")
            (found,) = PDNReader(text).games
            for move in found.moves:
                board.push(Move(board, pdn_move=move))
        except Exception:  # noqa: BLE001 - whatever it raises, it could not read the game
            failed += 1
            continue
        replayed.append(text)
        plies += len(found.moves)
    theirs = time.process_time() - core
    counter = Counter()
    core = time.process_time()
    for text in replayed:
        visit(text, counter)
    ours = time.process_time() - core
    return {
        "pydraughts": {
            "games": len(texts),
            "read": len(replayed),
            "failed": failed,
            "plies": plies,
            "seconds": round(theirs, 2),
        },
        "kingme_on_what_it_read": {"plies": counter.plies, "seconds": round(ours, 3)},
        "times_faster": round(theirs / ours, 1) if ours else None,
    }


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=EXCERPT)
    parser.add_argument("--rounds", type=int, default=3, help="of the header scan")
    parser.add_argument("--peer-games", type=int, default=100)
    chosen = parser.parse_args()
    figures: dict[str, object] = {"bench": "pdn", "python": platform.python_version()}
    figures |= reading(chosen.file) | trees(chosen.file)
    figures |= scan(chosen.file, max(1, chosen.rounds)) | peer(chosen.file, chosen.peer_games)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
