"""Backups of a store in use, and what may and may not be put in the place of a database."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from tests.store.places import TERMS, Place, begin, moves, over, people, started

from kingme.errors import Refusal, Unavailable
from kingme.store import open_store, restore


@pytest.fixture(autouse=True)
def with_programs(request, monkeypatch):
    """PostgreSQL's own programs come first, as its archives are read by the same version."""
    if "postgresql" in request.node.name:
        server = request.getfixturevalue("postgres")
        monkeypatch.setenv("PATH", str(server.programs), prepend=":")


@pytest.fixture
def store(shared):
    return shared.open()


def fill(store):
    pair = people(store, 2)
    first = started(*pair, terms=TERMS, rated=True)
    done, going = begin(store, first), begin(store, first)
    store.games.finish(over(done, 1, first))
    store.games.append([moves(going, 0, 5)])
    return pair, going


def test_what_was_backed_up_comes_back(shared, store, tmp_path):
    (black, white), going = fill(store)
    path = tmp_path / "copy"
    events, chips = store.games.events(going), store.ledger.balance(black.id)
    store.backup(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    store.games.append([moves(going, 5)])
    with pytest.raises(Refusal, match="in use"):
        restore(shared.url, path, overwrite=True)
    shared.close()
    with pytest.raises(Refusal, match=r"nothing was changed|not empty"):
        restore(shared.url, path)
    restore(shared.url, path, overwrite=True)
    again = shared.open()
    assert again.games.events(going) == events
    assert again.ledger.balance(black.id) == chips
    assert again.users.user(white.id) == white
    assert again.ledger.check() == []
    assert again.games.append([moves(going, 5)]) == [True]
    assert sorted(part.name for part in tmp_path.glob("*.part*")) == []


def test_a_backup_is_one_moment_whatever_happens_meanwhile(shared, store, tmp_path):
    (black, white), _ = fill(store)
    path, done, busy = tmp_path / "copy", threading.Event(), threading.Event()
    first = started(black, white, terms=TERMS)

    def play() -> int:
        other, games = shared.open(), 0
        while not done.is_set():
            game = begin(other, first)
            assert other.games.finish(over(game, 1, first, None))
            games += 1
            busy.set()
        return games

    with ThreadPoolExecutor() as pool:
        played = pool.submit(play)
        busy.wait()
        store.backup(path)
        done.set()
        assert played.result() > 0
    shared.close()
    restore(shared.url, path, overwrite=True)
    again = shared.open()
    assert again.ledger.check() == []
    at_hand = again.ledger.balance(black.id) + again.ledger.balance(white.id)
    assert at_hand in (259, 219)  # one more game may have been going on


def test_a_backup_is_never_written_over_a_file(store, tmp_path):
    path = tmp_path / "precious"
    path.write_text("mine")
    with pytest.raises(Refusal, match="is there already"):
        store.backup(path)
    assert path.read_text() == "mine"


def test_a_backup_that_cannot_be_written_says_so(store, tmp_path):
    with pytest.raises(Unavailable, match="cannot be written: No such file or directory"):
        store.backup(tmp_path / "no" / "folder")


@pytest.mark.parametrize(
    "content", [b"", b"no database", b"SQLite format 3\0rubbish", b"PGDMPrubbish"]
)
def test_a_file_that_is_no_backup_is_refused(shared, store, tmp_path, content):
    (black, _), _ = fill(store)
    path = tmp_path / "copy"
    path.write_bytes(content)
    with pytest.raises((Refusal, Unavailable)):
        restore(shared.url, path, overwrite=True)
    with pytest.raises(Refusal, match="cannot be read: No such file"):
        restore(shared.url, tmp_path / "nowhere", overwrite=True)
    assert store.ledger.balance(black.id) == 149
    assert store.ledger.check() == []


@pytest.fixture
def file(tmp_path):
    """A store in a file, alone."""
    place = Place(f"sqlite:///{tmp_path}/kingme.db")
    fill(place.open())
    yield place
    place.close()


def test_a_damaged_backup_is_refused(file, tmp_path):
    path = tmp_path / "copy"
    file.open().backup(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Refusal, match="no good backup"):
        restore(f"sqlite:///{tmp_path}/new.db", path)
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE games (id)")
        other.commit()
    with pytest.raises(Refusal, match="no such table: alembic_version"):
        restore(f"sqlite:///{tmp_path}/new.db", tmp_path / "other.db")
    assert not (tmp_path / "new.db").exists()


def test_a_backup_starts_a_new_place(file, tmp_path):
    path = tmp_path / "copy"
    file.open().backup(path)
    url = f"sqlite:///{tmp_path}/deep/down/new.db"
    restore(url, path)
    store = open_store(url)
    store.migrate()
    assert store.ledger.check() == []
    store.close()


def test_what_was_replaced_is_kept(file, tmp_path):
    path = tmp_path / "copy"
    file.open().backup(path)
    file.close()
    before = (tmp_path / "kingme.db").read_bytes()
    restore(file.url, path, overwrite=True)
    assert (tmp_path / "kingme.db.replaced").read_bytes() == before


def test_a_damaged_database_can_be_replaced(file, tmp_path):
    path = tmp_path / "copy"
    file.open().backup(path)
    file.close()
    (tmp_path / "kingme.db").write_bytes(b"rubbish" * 1000)
    restore(file.url, path, overwrite=True)
    assert file.open().ledger.check() == []


def test_memory_has_no_backup(tmp_path):
    store = open_store("sqlite://")
    store.migrate()
    with pytest.raises(Refusal, match="in memory"):
        store.backup(tmp_path / "copy")
    store.close()


def test_without_the_programs_of_postgresql_it_says_so(postgres, database, tmp_path, monkeypatch):
    store = open_store(database)
    store.migrate()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Refusal, match="pg_dump is not installed"):
        store.backup(tmp_path / "copy")
    store.close()
