"""When play between people starts, what is said until it does, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.web.conftest import FirstMove, serving
from tests.web.live.place import PATIENCE, Place, begin
from websockets.exceptions import InvalidStatus

from kingme.cli.play import listen
from kingme.errors import Refusal, Unavailable
from kingme.web.app import create_app, real_ports
from kingme.web.live import service
from kingme.web.ports import LivePorts, Ports
from kingme.web.serve import Server
from kingme.web.settings import Settings

pytestmark = pytest.mark.anyio

SLOW = ("sqlalchemy", "alembic", "redis", "argon2", "limits", "structlog", "websockets")


class Cellar:
    """Where the store comes from: it may be locked, and opening it may take its time."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings(data_dir=str(folder))
        real = real_ports(self.settings).live
        assert real is not None
        self.real = real
        self.opened = 0
        self.trouble: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.asked = threading.Event()
        self.again = threading.Semaphore(0)

    def open(self) -> Any:
        self.asked.set()
        self.again.release()
        self.gate.wait(PATIENCE)
        if self.trouble is not None:
            raise self.trouble
        self.opened += 1
        return self.real.open_store()

    def app(self, *, production: bool = False) -> Any:
        ports = Ports(FirstMove(), LivePorts(self.open, self.real.open_bus, self.real.now))
        return create_app(self.settings, ports, production=production)


@pytest.fixture
def cellar(tmp_path) -> Cellar:
    return Cellar(tmp_path)


@contextlib.contextmanager
def visited(app: Any) -> Iterator[httpx.Client]:
    with serving(app) as base, httpx.Client(base_url=base, timeout=PATIENCE) as client:
        yield client


def test_the_computers_page_needs_none_of_it():
    script = (
        "import sys; from kingme.web.app import create_app; from kingme.web.serve import Server;"
        "Server(create_app()).config.load(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not set(SLOW) & set(done.stdout.split())


def test_the_store_is_opened_at_the_first_need_and_once(cellar):
    with visited(cellar.app()) as client:
        assert client.get("/").status_code == 200
        assert client.get("/healthz").text == "ok\n"
        assert client.post("/healthz").status_code == 405
        assert not cellar.opened
        assert client.post("/api/session", json={}).status_code == 201
        assert client.get("/api/session").json()["you"]["guest"]
        assert client.get("/healthz").text == "ok\n"
        assert client.get("/no/such/page").status_code == 404
    assert cellar.opened == 1


def test_many_who_come_first_wait_for_one_start(cellar):
    cellar.gate.clear()
    with visited(cellar.app()) as client:
        answers: list[Any] = []

        def ask() -> None:
            answers.append(client.get("/api/session"))

        threads = [threading.Thread(target=ask) for _ in range(5)]
        for thread in threads:
            thread.start()
        assert cellar.asked.wait(PATIENCE)
        cellar.gate.set()
        for thread in threads:
            thread.join()
        assert [answer.status_code for answer in answers] == [200] * 5
    assert cellar.opened == 1


@pytest.mark.parametrize(
    "trouble",
    [
        Unavailable("the database does not answer"),
        Refusal("newer_database", "A newer version of kingme has changed this database."),
        PermissionError(13, "Permission denied"),
        ValueError("this is wrong with the program"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_without_a_store_the_computer_still_plays(cellar, monkeypatch, trouble, caplog):
    monkeypatch.setattr(service, "AGAIN_SECONDS", 0)
    cellar.trouble = trouble
    with visited(cellar.app()) as client:
        for _ in range(2):
            answer = client.get("/api/session")
            assert answer.status_code == 503
            assert answer.json()["error"]["code"] == "storage"
            assert answer.headers["retry-after"]
            assert "Traceback" not in answer.text
        game = {"protocol": 1, "moves": [], "level": 1}
        assert client.post("/api/reply", json=game).status_code == 200
        cellar.trouble = None
        assert client.get("/api/session").status_code == 200
    told = [record for record in caplog.records if record.exc_info]
    assert bool(told) is isinstance(trouble, ValueError)


async def test_a_connection_before_there_is_a_store(tmp_path, cellar):
    cellar.trouble = Unavailable("the database does not answer")
    with visited(cellar.app()) as client:
        place = Place.__new__(Place)
        place.base, place.port = str(client.base_url).rstrip("/"), client.base_url.port or 0
        with pytest.raises(InvalidStatus) as caught:
            async with place.knock():
                pass
        assert caught.value.response.status_code == 503


def test_in_production_it_starts_at_once_and_says_until_then(cellar, monkeypatch, capfd):
    monkeypatch.setattr(service, "AGAIN_SECONDS", 0)
    monkeypatch.setattr(service, "START_SECONDS", 0)
    cellar.trouble = Unavailable("the database does not answer")
    with visited(cellar.app(production=True)) as client:
        assert cellar.again.acquire(timeout=PATIENCE)
        answer = client.get("/healthz")
        assert (answer.status_code, answer.text) == (503, "starting\n")
        assert client.get("/").status_code == 200
        cellar.trouble = None
        monkeypatch.setattr(service, "START_SECONDS", PATIENCE)
        # The first may still wait for a try that had begun before.
        assert "ok\n" in (client.get("/healthz").text for _ in range(2))
        assert b"kingme_sockets 0.0" in client.get("/metrics").content
        assert client.get("/").headers["x-request-id"]
    assert cellar.opened == 1


async def test_ready_is_logged_when_it_is(cellar, monkeypatch, caplog):
    """A start that waits says so less and less often."""
    monkeypatch.setattr(service, "AGAIN_SECONDS", 0)
    caplog.set_level("INFO", service.__name__)
    cellar.trouble = Unavailable("it is away")
    live = cellar.app(production=True).state.live
    live.listening("here", cellar.trouble)
    live.begin()
    while not caplog.text.count("not ready yet: it is away"):
        await asyncio.sleep(0)
    assert "listening, waiting for the database: it is away" in caplog.text
    assert "ready" not in caplog.messages
    cellar.trouble = None
    await live._keeping
    assert caplog.messages[-1] == "ready"
    assert caplog.records[-1].at == "here"
    await live.stop()


def test_stopping_waits_for_a_start_that_was_begun(cellar):
    cellar.gate.clear()
    app = cellar.app(production=True)
    with serving(app):
        assert cellar.asked.wait(PATIENCE)
        threading.Timer(0, cellar.gate.set).start()
    assert app.state.live._parts is None
    assert cellar.opened == 1


async def test_games_go_on_after_a_restart(tmp_path):
    first = Place(tmp_path).start()
    dora, wim = first.people(2)
    try:
        async with first.visit(dora) as one, first.visit(wim) as two:
            game = await begin(one, two)
            await one.do(game, "play", ply=0, move="11-15")
            frame = {"t": "do", "id": "the-move", "game": game, "what": "play", "ply": 1}
            frame["move"] = "22-18"
            await two.send(frame)
            assert (await two.hear("ack"))["version"] == 3
            first.ask_to_stop()
            assert (await one.end())[0] == (await two.end())[0] == 1012
    finally:
        first.stop()
    second = Place(tmp_path).start()
    try:
        async with second.visit(dora) as one, second.visit(wim) as two:
            await one.send({"t": "follow", "game": game, "version": 2})
            missed = await one.hear("events", game=game)
            assert missed["events"][0]["move"] == "22-18"
            await two.send(frame)  # whose answer may have been lost
            assert (await two.hear("ack"))["version"] == missed["after"] + len(missed["events"])
    finally:
        second.stop()


def test_a_signal_is_not_raised_again():
    """The server stops because of it, and the program goes on to its end."""
    app = create_app(Settings(), Ports(FirstMove()))
    listener = listen("127.0.0.1", 0)
    server = Server(app, lambda: signal.raise_signal(signal.SIGTERM))
    server.run(sockets=[listener])
    assert server.should_exit
    listener.close()


async def test_those_who_come_while_it_drains_are_sent_on(tmp_path):
    """One whose handshake was under way is told as the others were."""
    place = Place(tmp_path).start()
    try:
        async with place.visit() as line:
            await line.alive()
            (socket,) = place.call(lambda: tuple(place.parts.sockets))

            def late() -> None:
                place.parts.sockets.draining = True
                place.parts.sockets.add(socket, 0)

            place.call(late)
            code, said = await line.end()
            assert (code, said[-1]["reason"]) == (1012, "restart")
    finally:
        place.stop()
