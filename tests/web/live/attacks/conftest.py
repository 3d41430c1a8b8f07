"""One real server for all attacks, which has to live through them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from tests.web.live.attacks.attacker import Attacker

from kingme.store import Store, open_store
from live.people import Person, enrol
from live.service import Service


@pytest.fixture(scope="package")
def service(tmp_path_factory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("attacked"))
    try:
        made.start()
        yield made
        assert made.get("/healthz")
        log = made.log.read_text()
        assert "Traceback" not in log, log[log.index("Traceback") - 500 :][:5000]
    finally:
        made.stop()


@pytest.fixture(scope="package")
def store(service) -> Iterator[Store]:
    made = open_store(service.database)
    yield made
    made.close()


@pytest.fixture
def people(store) -> list[Person]:
    return list(enrol(store, 3, chips=1000))


@pytest.fixture
async def arrive(service) -> AsyncIterator[Any]:
    """Open connections that close when the test ends."""
    opened: list[Attacker] = []

    async def one(person: Person | None = None, **more: Any) -> Attacker:
        attacker = await Attacker().open(service.base, person.token if person else None, **more)
        opened.append(attacker)
        return attacker

    yield one
    for attacker in opened:
        await attacker.socket.leave()
