"""Tables to play at: the real program in a real browser."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.e2e.live_table import House
from tests.e2e.table import Table

# What is expected comes as soon as the machine has time for it; tests share it with each other.
expect.set_options(timeout=20_000)


@pytest.fixture
def table(page: Page, server_url: str) -> Table:
    """A table on a desktop; `table.open(...)` loads the page."""
    return Table(page, server_url)


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext], server_url: str) -> Table:
    """A table on a phone with a touch screen."""
    context = new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    return Table(context.new_page(), server_url)


@pytest.fixture
def tables(context: BrowserContext, server_url: str) -> Callable[[], Table]:
    """Make tabs of one browser, which share what it stores."""
    return lambda: Table(context.new_page(), server_url)


@pytest.fixture
def house(server_url: str, new_context: Callable[..., BrowserContext]) -> Iterator[House]:
    """The server as a place where people meet, with the means to bring them there."""
    with urllib.request.urlopen(urljoin(server_url, "/lobby")) as answer:
        answer.read()  # now the store is there
    opened = House(server_url, new_context)
    yield opened
    opened.store.close()
