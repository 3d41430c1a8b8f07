"""`kingme serve`: what it wants, what it logs, and how it ends; `kingme play` keeps its games."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from kingme.cli.app import app
from kingme.store import open_store
from kingme.web.live.frames import SUBPROTOCOL

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX here")
SECONDS = 60


def written(folder: Path, **settings: Any) -> Path:
    """A file of settings."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    path = folder / "kingme.toml"
    path.write_text("\n".join(lines))
    return path


def refused(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["serve", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stderr


class Served:
    """The real program, and what it logged."""

    def __init__(self, *words: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kingme", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        self.log: list[dict[str, Any]] = []

    def ready(self, event: str = "ready") -> str:
        """Where it serves, once it does."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(json.loads(line))
            if self.log[-1]["event"].startswith(event):
                return str(self.log[-1]["at"])
        pytest.fail(f"it ended before it served: {self.log}")

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Its exit status after a signal."""
        self.process.send_signal(how)
        _, rest = self.process.communicate(timeout=SECONDS)
        self.log += map(json.loads, rest.splitlines())
        return self.process.returncode


@contextlib.contextmanager
def served(*words: str, **environment: str) -> Iterator[Served]:
    made = Served(*words, **environment)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


def line(base: str) -> Any:
    """A live connection of a visitor."""
    return connect(
        base.replace("http", "ws", 1) + "live",
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        open_timeout=SECONDS,
        proxy=None,
    )


def healthy(base: str) -> bool:
    """Whether it is well in the end; each answer waits for its start for a while."""
    for _ in range(SECONDS):
        with (
            contextlib.suppress(urllib.error.HTTPError),
            urllib.request.urlopen(f"{base}healthz", timeout=SECONDS) as answer,
        ):
            return bool(answer.read() == b"ok\n")
    return False


@POSIX
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_serves_until_a_signal_and_lets_everybody_go(tmp_path, how):
    config = written(tmp_path, port=0, data_dir=str(tmp_path))
    with served("serve", "--config", str(config)) as process:
        base = process.ready()
        assert healthy(base)
        with line(base) as visitor:
            assert json.loads(visitor.recv(SECONDS))["t"] == "welcome"
            process.process.send_signal(how)
            bye = json.loads(visitor.recv(SECONDS))
            assert (bye["t"], bye["reason"]) == ("bye", "restart")
            with pytest.raises(ConnectionClosed) as caught:
                visitor.recv(SECONDS)
            assert caught.value.rcvd is not None and caught.value.rcvd.code == 1012
        process.process.wait(SECONDS)
        assert process.stop(0) == 0
    assert process.log[-1]["event"] == "stopped"
    assert all({"event", "level", "timestamp"} <= entry.keys() for entry in process.log)
    assert not [entry for entry in process.log if entry["level"] in ("error", "critical")]
    assert (tmp_path / "kingme.db").exists()


@POSIX
def test_serves_before_the_database_does(tmp_path):
    """It is brought up to date when it comes; until then /healthz says that it is not ready."""
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    url = f"postgresql://kingme@127.0.0.1:{port}/kingme"
    config = written(tmp_path, port=0, database=url)
    with served("serve", "--config", str(config)) as process:
        base = process.ready("listening, waiting for the database: ")
        assert len(process.log) == 1
        with urllib.request.urlopen(base, timeout=SECONDS) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{base}healthz", timeout=SECONDS)
        assert (caught.value.code, caught.value.read()) == (503, b"starting\n")
        caught.value.close()
        assert process.stop() == 0
    assert "ready" not in [entry["event"] for entry in process.log]


@POSIX
def test_the_environment_is_enough(tmp_path):
    environment = {"KINGME_PORT": "0", "KINGME_DATA_DIR": str(tmp_path)}
    with served("serve", **environment) as process:
        assert process.ready().startswith("http://127.0.0.1:")
        assert process.stop() == 0
    assert (tmp_path / "kingme.db").exists()


@POSIX
def test_the_word_of_a_known_proxy_is_taken(tmp_path):
    config = written(tmp_path, port=0, data_dir=str(tmp_path), proxies=["127.0.0.1"])
    with served("serve", "--config", str(config)) as process:
        request = urllib.request.Request(
            f"{process.ready()}api/session",
            data=b"{}",
            headers={
                "Content-Type": "application/json",
                "X-Forwarded-For": "192.0.2.7",
                "X-Forwarded-Proto": "https",
            },
        )
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            assert "Secure" in answer.headers["set-cookie"]
        assert process.stop() == 0
    (asked,) = [entry for entry in process.log if entry.get("path") == "/api/session"]
    assert asked["address"] == "192.0.2.7"


class TestRefusals:
    def test_settings_that_are_wrong(self, tmp_path):
        with pytest.raises(Exception, match=r"prot is no setting: did you mean port\?"):
            refused("--config", str(written(tmp_path, prot=1)))

    def test_settings_that_are_not_there(self, tmp_path):
        with pytest.raises(Exception, match="cannot be read"):
            refused("--config", str(tmp_path / "nothing.toml"))

    def test_a_port_that_is_taken(self, tmp_path):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            config = written(tmp_path, port=port, data_dir=str(tmp_path))
            code, said = refused("--config", str(config))
        assert code == 1
        assert f"kingme cannot listen on 127.0.0.1:{port}:" in said

    @POSIX
    def test_they_are_a_line_for_the_operator(self, tmp_path):
        command = [sys.executable, "-m", "kingme", "serve", "--config", "nothing.toml"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert done.stderr.startswith("kingme: nothing.toml: cannot be read")

    @POSIX
    def test_a_folder_that_cannot_be_used(self, tmp_path):
        (tmp_path / "file").write_text("")
        config = written(tmp_path, data_dir=str(tmp_path / "file" / "folder"))
        command = [sys.executable, "-m", "kingme", "serve", "--config", str(config)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert f"{tmp_path / 'file' / 'folder'} (data_dir), cannot be used: Not" in done.stderr


@POSIX
def test_play_keeps_games_in_the_folder_that_is_named(tmp_path):
    words = [sys.executable, "-m", "kingme", "play", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "KINGME_DATA_DIR": str(tmp_path)},
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        urllib.request.urlopen(found.group(), timeout=SECONDS).close()
        assert not list(tmp_path.iterdir())
        with line(found.group()) as visitor:
            assert json.loads(visitor.recv(SECONDS))["t"] == "welcome"
            visitor.send('{"t":"watch"}')
            assert json.loads(visitor.recv(SECONDS))["games"] == []
            process.send_signal(signal.SIGTERM)
            assert json.loads(visitor.recv(SECONDS))["reason"] == "restart"
        rest, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert (process.returncode, errors) == (0, "")
    assert rest.endswith("kingme has stopped.\n")
    store = open_store(f"sqlite:///{tmp_path / 'kingme.db'}")
    assert store.games.find() == []
    store.close()
