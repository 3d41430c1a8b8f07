"""What tests share: an isolated home, a real Chromium, the real program, and real services."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

import chromium
import services

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_OPTIONS = [
    *("--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--disable-quic", "--no-first-run"),
]
CONTEXT_OPTIONS = {"service_workers": "block", "permissions": ["clipboard-write"]}
MEASURED = ("rules", "play")
"""Tests of what coverage is asked for."""

AT_LENGTH = {
    *("test_oracle.py", "test_pydraughts.py", "test_perft_variants.py"),
    *("test_game_machine.py", "test_ledger_machine.py"),
}
"""Those of them that go through thousands of games, and come to no line that others leave out."""

NO_BROWSER = "the page cannot be tested here"
NO_SERVICE = "store and bus cannot be tested with real services here"
PROVOKED = ("Failed to load resource", "WebSocket connection to")
ELSEWHERE = re.compile(r"^(?!https?://(127\.0\.0\.1|localhost)[:/]|data:|blob:|about:)")
START_SECONDS = 120

S = TypeVar("S", bound=services.Service)
HOME = pytest.StashKey[tempfile.TemporaryDirectory]()


# How long an example takes says more about the machine than about the code.
settings.register_profile("kingme", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kingme")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests out of the person's home, and compiled kernels between runs."""
    home = config.stash[HOME] = tempfile.TemporaryDirectory(prefix="kingme-home-")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "KINGME_CACHE_DIR"):
        os.environ.pop(name, None)
    os.environ["HOME"] = home.name
    os.environ["XDG_CACHE_HOME"] = str(ROOT / ".cache")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the home that the tests had."""
    if HOME in config.stash:
        config.stash[HOME].cleanup()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that needs a browser, for which it is enough that it asks for one.

    They run last: from its first test to its last one, Playwright keeps an event loop of its own
    in the main thread, and no test that is a coroutine can run there meanwhile. So do the others
    of their files, since workers take files whole. Of these files those with the most such tests go
    first, so that no long one is left over to a single worker at the end.

    Python that is measured for coverage takes twice as long. So only the tests of rules and of play
    are measured, which must cover them by themselves.
    """
    for item in items:
        kind = item.path.relative_to(ROOT / "tests").parts[0]
        if kind not in MEASURED or item.path.name in AT_LENGTH:
            item.add_marker("no_cover")
        if "chromium_path" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    sizes = Counter(item.path for item in items if item.get_closest_marker("browser"))
    items.sort(key=lambda item: (item.path in sizes, -sizes[item.path]))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say in plain words, and once, which tests did not run for lack of a program."""
    skipped = Counter(
        reason
        for report in terminalreporter.getreports("skipped")
        for reason in (NO_BROWSER, NO_SERVICE)
        if reason in str(report.longrepr)
    )
    if skipped[NO_BROWSER]:
        terminalreporter.write_line(
            f"{skipped[NO_BROWSER]} tests of the page were skipped: {chromium.missing()}."
            f" To run them: {chromium.BY_HAND} (or name a browser in KINGME_CHROMIUM).",
            yellow=True,
        )
    if skipped[NO_SERVICE]:
        terminalreporter.write_line(
            f"{skipped[NO_SERVICE]} tests of store and bus were skipped: {services.missing()}."
            f" To run them: {services.BY_HAND}",
            yellow=True,
        )


@pytest.fixture(scope="session")
def postgres() -> Iterator[services.Postgres]:
    """A PostgreSQL for the run; a test that asks for it is skipped where there is none."""
    with private(services.Postgres, services.find_postgres()) as started:
        yield started


@pytest.fixture(scope="session")
def redis() -> Iterator[services.Redis]:
    """A Redis for the run; a test that asks for it is skipped where there is none."""
    with private(services.Redis, services.find_redis()) as started:
        yield started


@pytest.fixture
def own_postgres() -> Iterator[services.Postgres]:
    """A PostgreSQL for one test, which may kill it."""
    with private(services.Postgres, services.find_postgres()) as started:
        yield started


@pytest.fixture
def own_redis() -> Iterator[services.Redis]:
    """A Redis for one test, which may kill it."""
    with private(services.Redis, services.find_redis()) as started:
        yield started


def private(kind: type[S], found: object) -> S:
    """A server that is not started yet, or a skipped test."""
    if not found:
        pytest.skip(f"{NO_SERVICE}: {services.missing()}")
    return kind()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser to test with; a test that asks for it is skipped where there is none."""
    path, lacking = chromium.find_chromium(), chromium.missing()
    if path is None or lacking:
        pytest.skip(f"{NO_BROWSER}: {lacking}")
    return path


@pytest.fixture(scope="session")
def playwright_instance(chromium_path: str) -> Iterator[Playwright]:
    """Playwright's driver; tests that need it need a browser too."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright_instance: Playwright, chromium_path: str) -> Iterator[Browser]:
    """One headless Chromium for the run, without its sandbox: it opens this project's pages."""
    opened = playwright_instance.chromium.launch(
        executable_path=chromium_path, args=CHROMIUM_OPTIONS, chromium_sandbox=False
    )
    yield opened
    opened.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make browser contexts (`new_context(has_touch=True)`) that stay on this machine.

    A test fails when a page of its contexts asks another machine for anything, throws, or logs an
    error. Service workers are kept out, unless they are asked for: routes do not see what they
    fetch. Pages may write to the clipboard, as a browser with a window lets them after a click.
    """
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def note_console(message: ConsoleMessage) -> None:
        # A status of 4xx or a cut connection that a test provokes is logged too: the page's part.
        if message.type == "error" and not message.text.startswith(PROVOKED):
            troubles.append(f"console: {message.text}")

    def refuse(route: Any) -> None:
        troubles.append(f"asked another machine: {route.request.url}")
        route.abort()

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{**CONTEXT_OPTIONS, **options})
        context.route(ELSEWHERE, refuse)
        context.on("weberror", lambda error: troubles.append(f"threw: {error.error}"))
        context.on("console", note_console)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert not troubles, "\n".join(troubles)


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """A context as of a desktop browser."""
    return new_context(viewport={"width": 1280, "height": 900})


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page of that context."""
    return context.new_page()


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The address of the real program, started as a person starts it."""
    command = [sys.executable, "-m", "kingme", "play", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    deadline = threading.Timer(START_SECONDS, process.kill)
    deadline.start()
    said: list[str] = []
    try:
        address = read_address(process, said)
        deadline.cancel()
        yield address
    finally:
        deadline.cancel()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate()
    assert process.returncode == 0, "".join([*said, rest])


def read_address(process: subprocess.Popen[str], said: list[str]) -> str:
    """Read what the program prints until it says where it serves."""
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://[\w.]+:\d+/", line):
            return found.group()
    pytest.fail("kingme play ended before it served:\n" + "".join(said))
