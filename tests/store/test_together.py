"""Several stores on one database at the same time: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import TypeVar

import pytest
from tests.store.places import NOW, TERMS, Place, begin, moves, over, people, seek, started

from kingme.errors import NameTaken, NotEnoughChips
from kingme.play import stakes
from kingme.play.events import Moved, Settled
from kingme.play.ports import NewGame
from kingme.store import Store
from kingme.store.database import _prepare_sqlite

T = TypeVar("T")
WORKERS = 4


@pytest.fixture
def stores(shared):
    """Two stores, as two processes have them. All take their locks in one order: no deadlock."""
    yield [shared.open(), shared.open()]
    if shared.server is not None:
        assert "deadlock" not in (shared.server.folder / "log").read_text()


def at_once(stores: list[Store], work: Callable[[Store, random.Random], T]) -> list[T]:
    """Do it in several threads, which begin together and share the stores."""
    gate = threading.Barrier(WORKERS)

    def one(number: int) -> T:
        gate.wait()
        return work(stores[number % 2], random.Random(number))

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(one, range(WORKERS)))


def test_moves_of_all_are_there_once_and_in_order(stores):
    pair = people(stores[0], 2)
    games = [begin(stores[0], started(*pair)) for _ in range(6)]
    length = 15

    def play(store: Store, chance: random.Random) -> set[tuple[str, int]]:
        mine = set()
        while True:
            versions = store.games.versions(games)
            open_games = [game for game in games if versions[game] <= length]
            if not open_games:
                return mine
            some = chance.sample(open_games, chance.randint(1, len(open_games)))
            batch = [moves(game, versions[game] - 1) for game in some]
            for item, fits in zip(batch, store.games.append(batch), strict=True):
                if fits:
                    mine.add((item.game, item.expected))

    done = at_once(stores, play)
    assert sum(map(len, done)) == len(set().union(*done)) == len(games) * length
    for game in games:
        plies = [event.ply for event in stores[1].games.events(game) if isinstance(event, Moved)]
        assert plies == list(range(length))


def test_every_game_is_settled_once(stores):
    some = people(stores[0], 4, chips=400)
    games = []
    for number in range(12):
        black, white = some[number % 4], some[(number + 1 + number // 4) % 4]
        first = started(black, white, terms=TERMS, rated=True)
        games.append((begin(stores[0], first), first))

    def finish(store: Store, chance: random.Random) -> int:
        mine = 0
        for game, first in chance.sample(games, len(games)):
            if store.games.finish(over(game, 1, first)) is not None:
                mine += 1
        return mine

    assert sum(at_once(stores, finish)) == len(games)
    store = stores[0]
    for game, _ in games:
        assert sum(isinstance(event, Settled) for event in store.games.events(game)) == 1
    found = store.users.ratings([user.id for user in some], "blitz")
    assert sum(rating["blitz"].games for rating in found.values()) == 2 * len(games)
    assert sum(store.ledger.points([user.id for user in some]).values()) == 11 * len(games)
    assert store.ledger.check() == []


def test_a_seek_becomes_one_game(stores):
    owner, *others = people(stores[0], 1 + WORKERS)
    made = [seek(owner, terms=TERMS, code=f"code{number}") for number in range(6)]
    for one in made:
        stores[0].seeks.open(one)

    def take(store: Store, chance: random.Random) -> list[str]:
        user, mine = others[chance.randrange(WORKERS)], []
        for one in made:
            new = NewGame(f"{one.id}{chance.random()}", started(owner, user, terms=TERMS), NOW)
            if store.seeks.take(one.id, new):
                mine.append(new.id)
        return mine

    taken = [game for games in at_once(stores, take) for game in games]
    # The first that was taken closed the others, as they have live clocks.
    assert len(taken) == 1
    assert stores[0].ledger.balance(owner.id) == 130
    assert stores[0].ledger.check() == []


def test_two_seeks_that_are_paired_both_ways_make_one_game(stores):
    ann, bob = people(stores[0], 2)
    for _ in range(8):
        first, second = seek(ann), seek(bob)
        stores[0].seeks.open(first)
        stores[0].seeks.open(second)

        def pair(store: Store, chance: random.Random, first=first, second=second) -> bool:
            one, other = (first, second) if chance.random() < 0.5 else (second, first)
            new = NewGame(f"{one.id}{chance.random()}", started(ann, bob), NOW)
            return store.seeks.take(one.id, new, also=[other.id])

        assert sum(at_once(stores, pair)) == 1


def test_nobody_spends_the_same_chips_twice(stores):
    owner, *others = people(stores[0], 5)  # 150 chips: seven stakes of 20

    def begin_many(store: Store, chance: random.Random) -> int:
        mine = 0
        for _ in range(4):
            pair = [owner, others[chance.randrange(4)]]
            chance.shuffle(pair)
            with suppress(NotEnoughChips):
                first = started(*pair, terms=TERMS)
                store.games.create(NewGame(f"g{chance.random()}", first, None))
                mine += 1
        return mine

    assert sum(at_once(stores, begin_many)) == 7
    assert stores[0].ledger.balance(owner.id) == 10
    assert stores[0].ledger.check() == []


def test_a_gift_comes_once(stores):
    (user,) = people(stores[0], 1, chips=0)

    def give(store: Store, chance: random.Random) -> int:
        return sum(
            store.ledger.book(stakes.grant(f"{n}", user.id, 5, "Gift", NOW)) for n in range(9)
        )

    assert sum(at_once(stores, give)) == 9
    assert stores[0].ledger.balance(user.id) == 45
    lines = stores[0].ledger.statement(user.id)
    assert [line.balance for line in lines] == list(range(45, 0, -5))


def test_an_outage_is_noted_once(stores):
    stores[0].service.beat("old", NOW, 4_000)

    def beat(store: Store, chance: random.Random) -> None:
        for step in range(5):
            store.service.beat(str(chance.random()), NOW + 60_000 + step, 4_000)

    at_once(stores, beat)
    assert len(stores[1].service.beat("late", NOW + 60_005, 4_000)) == 1


def test_a_name_is_given_once(stores):
    def add(store: Store, chance: random.Random) -> int:
        mine = 0
        for number in range(8):
            name = f"Name{number}"
            with suppress(NameTaken):
                store.users.add(name.swapcase() if chance.random() < 0.5 else name, NOW)
                mine += 1
        return mine

    assert sum(at_once(stores, add)) == 8


def test_tables_are_made_once_when_all_start_together(postgres, tmp_path):
    places = [Place(f"sqlite:///{tmp_path}/new.db"), Place(postgres.database("young"), postgres)]
    places[1].make()
    for place in places:
        gate = threading.Barrier(WORKERS)

        def start(_: int, place=place, gate=gate) -> list[str]:
            gate.wait()
            return place.open().ledger.check()

        with ThreadPoolExecutor(WORKERS) as pool:
            assert list(pool.map(start, range(WORKERS))) == [[]] * WORKERS
        place.close()


def test_who_meets_another_at_a_new_file_waits_for_it(tmp_path):
    """SQLite refuses the second of two that make it a WAL file, without any waiting."""
    path = tmp_path / "new.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as first:
        first.execute("BEGIN IMMEDIATE")
        waited = []

        def at_last(statement: str) -> None:
            if statement == "BEGIN IMMEDIATE" and not waited:
                waited.append(statement)
                first.execute("COMMIT")

        with closing(sqlite3.connect(path)) as second:
            second.set_trace_callback(at_last)
            _prepare_sqlite(second, None)
            assert second.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert waited
