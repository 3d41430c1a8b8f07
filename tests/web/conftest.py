"""A real server on a free port, with an opponent that the test controls."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

import httpx2 as httpx
import pytest

from kingme.cli.play import listen
from kingme.engine.api import Info, Score
from kingme.web.app import create_app
from kingme.web.ports import Ports
from kingme.web.serve import Server
from kingme.web.settings import Settings


@dataclass
class FirstMove:
    """An opponent that plays the first legal move, once `gate` is open."""

    ready: bool = True
    detail: str = "The engine is ready."
    gate: threading.Event = field(default_factory=threading.Event)
    thinking: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    closed: bool = False
    failure: Exception | None = None
    asked: list[tuple[str, int, str]] = field(default_factory=list)

    def __post_init__(self):
        self.gate.set()

    def start_warming(self):
        self.ready = True

    def reply(self, history, level, *, preset="standard"):
        self.thinking.release()
        self.gate.wait()
        if self.failure:
            raise self.failure
        self.asked.append((history.position.fen, level, preset))
        return SimpleNamespace(
            move=history.position.legal_moves[0],
            level=level,
            asked=level,
            depth=3,
            score=SimpleNamespace(value=12, plies_to_end=None),
            nodes=99,
            seconds=0.0123456,
            pv=(),
        )

    def answer_draw_offer(self, history, level, preset):
        return history.position.kings != 0

    def analyse(self, history, seconds, lines=1, preset="standard"):
        self.asked.append((history.position.fen, lines, preset))
        moves = history.position.legal_moves[:lines] if self.ready else ()
        return tuple(Info(7, Score(12 - i), 99, seconds, (m,), i + 1) for i, m in enumerate(moves))

    def close(self):
        self.closed = True


@contextlib.contextmanager
def serving(app) -> Iterator[str]:
    """The base address of `app`, served over real sockets while the block runs."""
    listener = listen("127.0.0.1", 0)
    up = threading.Event()
    server = Server(app, up.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        assert up.wait(60), "the server did not start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture
def opponent() -> FirstMove:
    return FirstMove()


@pytest.fixture
def settings() -> Settings:
    return Settings(searches=1, queue=1, queue_seconds=30)


@pytest.fixture
def base(opponent, settings) -> Iterator[str]:
    """A server of this test's own opponent and settings."""
    with serving(create_app(settings, Ports(opponent))) as address:
        yield address


@pytest.fixture
def client(base) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, timeout=60) as made:
        yield made


@pytest.fixture(scope="session")
def shared_base() -> Iterator[str]:
    """One server for tests that only read or fuzz."""
    with serving(create_app(Settings(), Ports(FirstMove()))) as address:
        yield address


@pytest.fixture(scope="session")
def shared_client(shared_base) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_base, timeout=60) as made:
        yield made


@contextlib.contextmanager
def scripts(browser, base, **names):
    """A function that evaluates an expression in a page where each name has some scripts' exports.

    `scripts(browser, base, R="rules notation")`: their names below `/static/`, without their end.
    """
    page = browser.new_page()
    page.goto(f"{base}/healthz")
    page.evaluate(
        "async names => { for (const name in names) globalThis[name] = Object.assign({},"
        " ...await Promise.all(names[name].split(' ').map(one => import(`/static/${one}.js`)))); }",
        names,
    )
    yield page.evaluate
    page.close()
