"""What was acknowledged is there, whoever is killed: the process, or the database under it."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.store.places import NOW, TERMS, Place, begin, moves, over, people, started

from kingme.errors import Unavailable
from kingme.play import stakes
from kingme.play.events import Moved, Settled
from kingme.store import Store

ROOT = Path(__file__).resolve().parents[2]
KILLS = 6


def worker(url: str, seed: int) -> subprocess.Popen[str]:
    path = os.pathsep.join(map(str, (ROOT, ROOT / "src", ROOT / "scripts")))
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.worker", url, str(seed)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )


def check(store: Store, said: Iterable[str]) -> None:
    """Every acknowledged event is there, no ply stands twice, and the chips add up."""
    versions: dict[str, int] = {}
    settled = set()
    for line in said:
        match line.split():
            case ["version", game, version]:
                versions[game] = max(versions.get(game, 0), int(version))
            case ["settled", game]:
                settled.add(game)
    assert versions
    for game, newest in versions.items():
        events = store.games.events(game)
        assert len(events) >= newest
        plies = [event.ply for event in events if isinstance(event, Moved)]
        assert plies == list(range(len(plies)))
        # Once at most; it may have happened and nobody been told any more.
        ends = sum(isinstance(event, Settled) for event in events)
        assert ends == 1 if game in settled else ends <= 1
    assert store.ledger.check() == []


def test_a_process_that_is_killed_takes_nothing_with_it(shared):
    store = shared.open()
    for name in ("Ann", "Bob"):
        user = store.users.add(name, NOW, password="$argon2id$")
        store.ledger.book(stakes.welcome(user.id, NOW, 10**6))
    chance = random.Random(7)
    for seed in range(KILLS):
        process = worker(shared.url, seed)
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(chance.randint(2, 80))]
        process.kill()
        said += process.stdout.readlines()
        process.stdout.close()
        process.wait()
        # The last line may have been cut off.
        check(store, [line for line in said if line.endswith("\n")])


def test_a_database_that_is_killed_keeps_what_it_acknowledged(own_postgres):
    place = Place(own_postgres.database("crash"), own_postgres)
    place.make()
    store = place.open()
    pair = people(store, 2, chips=10**6)
    first = started(*pair, terms=TERMS, rated=True)
    said: list[str] = []
    outages, news, done = [0], threading.Condition(), threading.Event()

    def note(line: str) -> None:
        with news:
            said.append(line)
            news.notify_all()

    def play() -> None:
        while not done.is_set():
            try:
                game = begin(store, first)
                for ply in range(6):
                    if store.games.append([moves(game, ply)]) == [True]:
                        note(f"version {game} {ply + 2}")
                if store.games.finish(over(game, 7, first, None)):
                    note(f"settled {game}")
            except Unavailable:
                with news:
                    outages[0] += 1
                    news.notify_all()

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            with news:
                before = len(said), outages[0]
                news.wait_for(lambda before=before: len(said) > before[0] + 25)
            own_postgres.kill()
            with news:
                news.wait_for(lambda before=before: outages[0] > before[1])
            own_postgres.start()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    check(store, said)
    place.close()


def test_a_store_waits_for_nobody_and_comes_back(own_postgres):
    place = Place(own_postgres.database("back"), own_postgres)
    place.make()
    store, idle = place.open(), place.open()
    pair = people(store, 2)
    game = begin(store, started(*pair))
    assert idle.games.versions([game]) == {game: 1}
    own_postgres.kill()
    with pytest.raises(Unavailable, match="does not answer"):
        store.games.append([moves(game, 0)])
    with pytest.raises(Unavailable):
        store.games.events(game)
    own_postgres.start()
    assert store.games.append([moves(game, 0)]) == [True]
    # Its pooled connections died too, while nobody looked.
    assert idle.games.append([moves(game, 1)]) == [True]
    assert len(idle.games.events(game)) == 3
    place.close()


def test_a_store_on_nothing_says_so(tmp_path):
    nowhere = Place(f"postgresql://kingme@/x?host={tmp_path}")
    with pytest.raises(Unavailable, match="does not answer"):
        nowhere.open()
    folder = Place(f"sqlite:///{tmp_path}")
    with pytest.raises(Unavailable, match="unable to open"):
        folder.open()
    (tmp_path / "text.db").write_text("this is no database, whatever it is called" * 99)
    text = Place(f"sqlite:///{tmp_path}/text.db")
    with pytest.raises(Unavailable, match="not a database"):
        text.open()


def test_a_file_is_for_its_owner_alone(tmp_path):
    place = Place(f"sqlite:///{tmp_path}/new/kingme.db")
    people(place.open(), 1)
    files = list((tmp_path / "new").iterdir())
    assert {path.name for path in files} >= {"kingme.db", "kingme.db-wal"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    place.close()


def test_a_writer_that_holds_the_file_is_waited_for_and_then_given_up(tmp_path, monkeypatch):
    from kingme.store import database

    monkeypatch.setattr(database, "BUSY_MS", 50)
    place = Place(f"sqlite:///{tmp_path}/kingme.db")
    store, other = place.open(), place.open()
    game = begin(store, started(*people(store, 2)))
    with other._database._writes.begin():
        with pytest.raises(Unavailable, match="locked"):
            store.games.append([moves(game, 0)])
        assert len(store.games.events(game)) == 1
    assert store.games.append([moves(game, 0)]) == [True]
    place.close()
