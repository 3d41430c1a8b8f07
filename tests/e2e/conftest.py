"""Tables to play at: the real program in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page
from tests.e2e.table import Table


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
