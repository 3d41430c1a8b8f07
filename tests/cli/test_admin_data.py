"""Backups, the way back, and whether all adds up, by ``kingme admin``."""

from __future__ import annotations

import io
import sqlite3
import sys
from contextlib import closing

import pytest

from kingme import Side
from kingme.cli import main
from kingme.play.clock import TimeControl
from kingme.play.events import Moved, Resigned, Started
from kingme.play.game import apply, begin, result
from kingme.play.ports import Append, NewGame
from kingme.play.room import Terms
from kingme.play.stakes import settlement, welcome
from kingme.store import open_store

NOW = 1_800_000_000_000
GAME = "23456789AB"
CONTROL = TimeControl("increment", 300_000, 3_000)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "kingme.db"


@pytest.fixture
def store(file):
    made = open_store(f"sqlite:///{file}")
    made.migrate()
    yield made
    made.close()


@pytest.fixture
def players(store):
    users = [store.users.add(name, NOW, "x") for name in ("Anna", "Boris")]
    for user in users:
        store.ledger.book(welcome(user.id, NOW))
    return users


@pytest.fixture
def game(store, players):
    """A staked game in which two moves stand."""
    terms = Terms(stake=50, chips={"win": 100, "resignation": -100})
    started = Started(
        at=NOW, black=players[0].id, white=players[1].id, control=CONTROL, terms=terms
    )
    store.games.create(NewGame(GAME, started, None))
    state = begin(started)
    for side, ply, move in ((Side.BLACK, 0, "11-15"), (Side.WHITE, 1, "22-17")):
        event = Moved(at=NOW, side=side, ply=ply, move=move)
        store.games.append([Append(GAME, state.version, (event,), ply + 1, None)])
        state = apply(state, event)
    return state


@pytest.fixture
def ended(store, game):
    """The same, resigned by Black and settled."""
    event = Resigned(at=NOW, side=Side.BLACK)
    state = apply(game, event)
    how = result(state)
    assert how is not None
    end = settlement(GAME, state.started, how.winner, how.termination, 2, state.speed, NOW)
    item = Append(GAME, game.version, (event,), 2, None, result=how, settlement=end)
    assert store.games.finish(item) is not None
    return state


@pytest.fixture
def admin(file, monkeypatch, capsys):
    """Give a command; returns its status and what it said."""

    def run(*words, database=file):
        url = f"sqlite:///{database}"
        monkeypatch.setattr(sys, "argv", ["kingme", "admin", "--database", url, *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        capsys.readouterr()
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return status, said.out + said.err

    return run


@pytest.mark.usefixtures("ended")
class TestBackups:
    def test_bring_everything_back(self, admin, file, tmp_path, players):
        copy = tmp_path / "copy.backup"
        status, said = admin("backup", str(copy))
        assert status == 0
        assert said.startswith(f"All of {file} is in {copy} (")
        other = tmp_path / "other" / "kingme.db"
        status, said = admin("restore", str(copy), database=other)
        assert status == 0
        assert "Check it by kingme admin check" in said
        assert f"{other} is as {copy} has it." in said
        said = f"In {other} the ledger adds up, and 1 game is whole.\n"
        assert admin("check", database=other) == (0, said)
        restored = open_store(f"sqlite:///{other}")
        assert [restored.ledger.balance(user.id) for user in players] == [100, 200]
        trail = [(row["action"], row["subject"]) for row in restored.service.trail()]
        restored.close()
        assert trail == [("restore", str(copy)), ("backup", str(copy))]

    def test_go_into_a_folder_that_is_there(self, admin, tmp_path, store):
        status, said = admin("backup", str(tmp_path / "no" / "copy.backup"))
        assert status == 2
        assert f"there is no folder {tmp_path / 'no'}: make it first" in said
        assert store.service.trail() == []

    def test_are_read_by_their_owner_alone(self, admin, tmp_path):
        copy = tmp_path / "copy.backup"
        admin("backup", str(copy))
        assert copy.stat().st_mode & 0o077 == 0

    def test_replace_nothing_that_is_there(self, admin, tmp_path, store):
        copy = tmp_path / "copy.backup"
        copy.write_text("mine")
        status, said = admin("backup", str(copy))
        assert (status, copy.read_text()) == (2, "mine")
        assert "is there already" in said
        assert store.service.trail() == []

    def test_go_over_a_database_only_when_told_to(self, admin, tmp_path, store, file):
        copy = tmp_path / "copy.backup"
        admin("backup", str(copy))
        store.users.add("Later", NOW)
        status, said = admin("restore", str(copy))
        assert status == 2
        assert "already" in said
        assert "add --overwrite" in said
        assert store.users.user("Later") is not None
        store.close()
        assert admin("restore", str(copy), "--overwrite")[0] == 0
        again = open_store(f"sqlite:///{file}")
        assert again.users.user("Later") is None
        again.close()

    @pytest.mark.parametrize("content", [None, b"", b"something else", b"SQLite format 3\0 torn"])
    def test_that_are_none(self, admin, tmp_path, content):
        copy = tmp_path / "copy.backup"
        if content is not None:
            copy.write_bytes(content)
        status, said = admin("restore", str(copy), database=tmp_path / "other.db")
        assert status == 2
        assert said.count("\n") == 1
        assert not (tmp_path / "other.db").exists()


class TestChecking:
    @pytest.mark.usefixtures("game")
    def test_a_game_being_played(self, admin, file):
        assert admin("check") == (0, f"In {file} the ledger adds up, and 1 game is whole.\n")

    @pytest.mark.usefixtures("ended")
    @pytest.mark.parametrize(
        ("damage", "fault"),
        [
            ("UPDATE balances SET amount = amount + 1 WHERE account = 'player:1'", "ledger: "),
            ("DELETE FROM events WHERE version = 2", f"game {GAME}: 4 events of 5"),
            (
                "UPDATE events SET data = replace(data, '22-17', '22-18x') WHERE version = 3",
                f"game {GAME}: its moves cannot be replayed",
            ),
            ("UPDATE games SET plies = 7", f"game {GAME}: the list has 7 moves, the log 2"),
            ("UPDATE games SET winner = 'B'", f"game {GAME}: the list has another result"),
            (
                "DELETE FROM events WHERE version = 5; UPDATE games SET version = 4",
                f"game {GAME}: it is over and was settled 0 times",
            ),
        ],
    )
    def test_names_what_is_wrong(self, admin, file, store, damage, fault):
        store.close()
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(damage)
        status, said = admin("check")
        assert status == 1
        assert fault in said
        assert f"In {file}:\n" in said

    @pytest.mark.usefixtures("store")
    def test_nothing_at_all(self, admin, file):
        assert admin("check") == (0, f"In {file} the ledger adds up, and 0 games are whole.\n")
