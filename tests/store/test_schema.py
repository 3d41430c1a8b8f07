"""The tables: made by migrations, described once more in `schema`, and found by their indexes."""

from __future__ import annotations

import itertools

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, text
from tests.store.places import NOW, people

from kingme.errors import Refusal
from kingme.store import games, lists, open_store, users
from kingme.store.database import database_url
from kingme.store.schema import HEAD, metadata


@pytest.fixture
def store(place):
    return place.open()


def test_the_migrations_make_the_tables_that_are_described(store):
    def work(connection):
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, metadata)

    assert store._database.read(work) == []


def test_the_newest_migration_is_named():
    config = Config()
    config.set_main_option("script_location", "kingme.store:migrations")
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_migrating_again_changes_nothing(store):
    (user,) = people(store, 1)
    store.migrate()
    assert store.ledger.balance(user.id) == 150


def test_a_newer_database_is_left_alone(store):
    query = text("UPDATE alembic_version SET version_num = :number")

    def mark(number):
        store._database.write(lambda connection: connection.execute(query, {"number": number}))

    mark("9999")
    with pytest.raises(Refusal, match="newer version"):
        store.migrate()
    mark(HEAD)
    store.migrate()


def test_a_migration_that_fails_leaves_nothing(tmp_path, monkeypatch):
    from kingme.store import sql

    url = f"sqlite:///{tmp_path}/kingme.db"
    store = open_store(url)
    monkeypatch.setattr(sql, "HEAD", "none such")
    before = sql._migrate

    def broken(connection):
        before(connection)
        raise RuntimeError("the power went")

    monkeypatch.setattr(sql, "_migrate", broken)
    with pytest.raises(RuntimeError):
        store.migrate()
    assert store._database.read(sql._revision) is None
    monkeypatch.undo()
    store.migrate()
    assert store.ledger.check() == []
    store.close()


VALUES = {"of": "a", "after": 1, "now": NOW, "most": 50, "ids": ["a", "b"], "but": ["a"]}
VALUES |= {"token": b"t", "before": NOW, "at": NOW}


def statements():
    yield "events", games._EVENTS, VALUES
    yield "due", games._DUE, VALUES
    yield "lock", games._LOCK, VALUES
    yield "count", lists._COUNT, VALUES
    yield "session", users._SESSION, VALUES
    for whose, who in (("all", None), ("one", 1), ("some", [1, 2])):
        for shape in itertools.product([None, True, False], [True], [False, True]):
            query = lists._page(whose, *shape, ties=False)
            yield f"find {whose} {shape}", query, VALUES | {"player": who}


@pytest.mark.parametrize(
    ("name", "query", "values"),
    list(statements()),
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_frequent_statements_walk_no_table(tmp_path, name, query, values):
    store = open_store(f"sqlite:///{tmp_path}/kingme.db")
    store.migrate()

    ran = []

    def note(connection, cursor, statement, parameters, *_):
        ran.append((statement, parameters))

    def work(connection):
        event.listen(connection, "before_cursor_execute", note)
        connection.execute(query, values)
        event.remove(connection, "before_cursor_execute", note)
        ((statement, parameters),) = ran
        return connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()

    plan = [row.detail for row in store._database.read(work)]
    store.close()
    walks = [step for step in plan if step.startswith(("SCAN games", "SCAN events", "SCAN users"))]
    assert all("USING" in step and "INDEX" in step for step in walks), plan
    assert any("INDEX" in step or "PRIMARY KEY" in step for step in plan), plan


@pytest.mark.parametrize(
    "url", ["mysql://x/y", "kingme.db", "", "redis://127.0.0.1", "sqlite+aiosqlite:///x"]
)
def test_a_database_of_another_kind_is_refused(url):
    with pytest.raises(Refusal, match="is named as"):
        open_store(url)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_has_three_names(scheme):
    url = database_url(f"{scheme}://ann:secret@example.org:5433/kingme?connect_timeout=2")
    assert url.drivername == "postgresql+psycopg"
    assert (url.host, url.port, url.database) == ("example.org", 5433, "kingme")
