"""A million games in a collection: how quickly they are added, searched, and shown as a tree.

    python bench/collection.py [--games N] [--copies N] [--lines N] [--db PATH]

The games are made: lines of random legal moves that begin as often-played openings do, each cut
somewhere and played by two of some thousand players on some day. So many positions come as often
as in real play at its beginning, and most positions near the end come a few times. Prints one
JSON line: games added a second, the size of the file, and the milliseconds (the median of
several) that each kind of question takes. With --db the file is kept, and used again.

Making a million games takes half an hour of one core. With --copies the games made are written
down so many times under new numbers, which takes minutes: the file is as large, and whatever is
asked of it finds so many times as much.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kingme.collection import Collection, Entry, Query
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side

ROUNDS = 7


def line(chance: random.Random) -> History:
    """A game of random moves; at its beginning some moves are much liked."""
    history = [Position.start()]
    moves: list[Move] = []
    while (legal := history[-1].legal_moves) and len(moves) < 90:
        early = len(moves) < 12
        weights = [1 / (1 + place) ** 2 if early else 1.0 for place in range(len(legal))]
        (move,) = chance.choices(legal, weights)
        moves.append(move)
        history.append(history[-1].after(move))
    return History(tuple(history), tuple(moves))


def games(count: int, lines: int, chance: random.Random) -> Iterator[Entry]:
    """As many games as asked for, out of some lines."""
    names = [f"Player {number:05}, {chance.choice('ABCDEFG')}." for number in range(5000)]
    events = [f"Open {number}" for number in range(2000)]
    several: list[History] = []
    for number in range(count):
        if len(several) < lines:
            several.append(line(chance))
        whole = several[number % lines]
        plies = chance.randint(min(24, len(whole.moves)), len(whole.moves))
        winner = chance.choice((Side.BLACK, Side.WHITE, None, None))
        black, white = chance.sample(names, 2)
        date = f"{chance.randint(1880, 2025)}.{chance.randint(1, 12):02}.{chance.randint(1, 28):02}"
        moves = " ".join(map(str, whole.moves[:plies]))
        said = "1/2-1/2" if winner is None else "1-0" if winner is Side.BLACK else "0-1"
        yield Entry(
            text=f'[Black "{black}"]\n[White "{white}"]\n[Date "{date}"]\n\n{moves} {said}\n',
            history=History(whole.positions[: plies + 1], whole.moves[:plies]),
            winner=winner,
            draw=winner is None,
            black=black,
            white=white,
            event=chance.choice(events),
            date=date,
            said=said,
        )


def multiply(path: Path, copies: int) -> None:
    """Write every game of a collection down so many times."""
    (path.parent / "once.db").unlink(missing_ok=True)
    once = path.replace(path.parent / "once.db")
    Collection(path, write=True).close()
    made_of = sqlite3.connect(path, isolation_level=None)
    put = made_of.execute
    put("PRAGMA synchronous = OFF")
    put("PRAGMA journal_mode = OFF")
    put("PRAGMA cache_size = -262144")
    put("ATTACH ? AS once", (str(once),))
    (step,) = put("SELECT max(id) FROM once.game").fetchone()
    put("BEGIN")
    put("CREATE TEMP TABLE copy (n INTEGER)")
    made_of.executemany("INSERT INTO copy VALUES (?)", [(n * step,) for n in range(copies)])
    for table in ("person", "event"):
        put(f"INSERT INTO {table} SELECT * FROM once.{table}")  # noqa: S608 (two names of ours)
    put(
        "INSERT INTO game SELECT g.id + c.n, g.digest || c.n, variant, black, white, event, site, "
        "round, date, day, result, said, opening, plies, start, moves, text "
        "FROM copy c CROSS JOIN once.game g"
    )
    put("INSERT INTO mass SELECT m.mass, m.game + c.n FROM once.mass m CROSS JOIN copy c")
    put(
        "INSERT INTO place SELECT p.key, p.game + c.n, p.turn, p.fact "
        "FROM once.place p CROSS JOIN copy c"
    )
    put("COMMIT")
    made_of.close()
    once.unlink()
    with Collection(path, write=True) as made:
        made.finish()


def median(work: Callable[[], object]) -> float:
    """Milliseconds of some work: the median of several times."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 2)


def questions(found: Collection) -> dict[str, float]:
    """Ask each kind of question, and return the milliseconds that it takes."""
    start = Position.start()
    last = found.facts.games
    near = start.play("9-13").play("21-17")
    sample = found.history(last // 2).positions
    far = sample[len(sample) * 2 // 3]
    return {
        "tree_start": median(lambda: found.tree(start)),
        "tree_after_2": median(lambda: found.tree(near)),
        "tree_deep": median(lambda: found.tree(far)),
        "tree_of_a_player": median(lambda: found.tree(Query(position=start, player="00042"))),
        "position_start": median(lambda: found.search(Query(position=start))),
        "position_deep": median(lambda: found.search(Query(position=far))),
        "player": median(lambda: found.search(Query(player="player 00042"))),
        "event_and_dates": median(
            lambda: found.search(Query(event="open 77", since="1950", until="1960"))
        ),
        "opening": median(lambda: found.search(Query(opening=5, result="draw"))),
        "material": median(lambda: found.search(Query(material="2k v 1k1m"))),
        "all_together": median(
            lambda: found.search(Query(player="00042", since="1950", result="black", position=near))
        ),
        "last_page": median(lambda: found.search(Query(), after=last - 10)),
    }


def main() -> None:
    """Fill a collection and ask it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--db", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.db or Path(folder) / "games.db"
        figures: dict[str, object] = {"python": platform.python_version()}
        if not path.exists():
            began = time.perf_counter()
            with Collection(path, write=True) as made:
                made.add(games(chosen.games, chosen.lines, random.Random(4)))  # noqa: S311
            seconds = time.perf_counter() - began
            rate = round(chosen.games / seconds, 1)
            figures |= {"seconds": round(seconds, 1), "games_a_second": rate}
        if chosen.copies > 1:
            figures["copies"] = chosen.copies
            multiply(path, chosen.copies)
        with Collection(path) as found:
            facts = found.facts
            figures |= {"games": facts.games, "plies": facts.plies, "megabytes": facts.bytes // 1e6}
            figures["milliseconds"] = questions(found)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
