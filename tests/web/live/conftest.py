"""A house for each test, on a new SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.web.live.house import House

from kingme.store import open_store


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = open_store(f"sqlite:///{tmp_path / 'kingme.db'}")
    store.migrate()
    house = House(store)
    await house.open()
    yield house
    await house.close()
    store.close()
