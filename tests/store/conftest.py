"""Stores of every kind to test, each empty at first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.places import Place

import services


@pytest.fixture(scope="session")
def database(postgres: services.Postgres) -> str:
    """One database on the PostgreSQL of the run, for one test at a time."""
    place = Place(postgres.database("test"), postgres)
    place.make()
    place.open()
    place.close()
    return place.url


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A database of each kind, as one process and its store see it."""
    yield from _place(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A database of each kind that many may open."""
    yield from _place(request.param, request, tmp_path)


def _place(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Place]:
    if kind == "postgresql":
        found = Place(request.getfixturevalue("database"), request.getfixturevalue("postgres"))
        found.clear()
    else:
        found = Place("sqlite://" if kind == "memory" else f"sqlite:///{folder}/kingme.db")
    yield found
    found.close()
