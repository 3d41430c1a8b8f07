"""`kingme play`: the port it takes, what it prints, and how it stops."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import webbrowser

import pytest
from typer.testing import CliRunner

from kingme.cli import play as command
from kingme.cli.app import app


@pytest.fixture
def taken():
    """A port of this machine that somebody else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_takes_the_usual_port_or_any_that_is_free(monkeypatch, taken):
    monkeypatch.setattr(command, "PORT", taken)
    with command.listen("127.0.0.1", None) as listener:
        assert listener.getsockname()[1] not in (0, taken)
    with command.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
    monkeypatch.setattr(command, "PORT", port)
    with command.listen("127.0.0.1", None) as listener:
        assert listener.getsockname()[1] == port


def test_answers_are_sent_at_once():
    with command.listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_that_was_asked_for_and_is_taken(taken):
    result = CliRunner().invoke(app, ["play", "--no-browser", "--port", str(taken)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"kingme cannot listen on 127.0.0.1:{taken}:")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("host", ["no.such.host.invalid", "256.0.0.1", "192.0.2.1"])
def test_an_address_that_is_not_of_this_machine(host):
    result = CliRunner().invoke(app, ["play", "--no-browser", "--host", host])
    assert result.exit_code == 1
    assert result.stderr.startswith("kingme cannot listen on")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8642/"),
        ("localhost", "http://localhost:8642/"),
        ("0.0.0.0", "http://127.0.0.1:8642/"),
        ("::1", "http://[::1]:8642/"),
        ("::", "http://[::1]:8642/"),
    ],
)
def test_prints_an_address_that_a_browser_can_open(host, address):
    assert command.address(host, 8642) == address


class TestBrowser:
    @pytest.fixture
    def opened(self, monkeypatch):
        addresses: list[str] = []
        monkeypatch.setattr(webbrowser, "open", addresses.append)
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.delenv("DISPLAY", raising=False)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        return addresses

    def test_none_without_a_desktop(self, opened):
        command.open_browser("http://localhost/")
        assert not opened

    @pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
    def test_one_on_a_desktop(self, opened, monkeypatch, name):
        monkeypatch.setenv(name, ":0")
        command.open_browser("http://localhost/")
        assert opened == ["http://localhost/"]

    def test_none_that_works(self, opened, monkeypatch, capsys):
        def fail(url):
            raise webbrowser.Error("could not locate runnable browser")

        monkeypatch.setenv("DISPLAY", ":0")
        monkeypatch.setattr(webbrowser, "open", fail)
        command.open_browser("http://localhost/")
        assert "open the address yourself" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_serves_until_it_is_interrupted():
    process = subprocess.Popen(
        [sys.executable, "-m", "kingme", "play", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert re.fullmatch(r"kingme is ready:  http://127\.0\.0\.1:\d+/\n", first)
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert rest.endswith("kingme has stopped.\n")
