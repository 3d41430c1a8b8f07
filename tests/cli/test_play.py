"""`kingme play`: the port it takes, what it prints, and how it stops."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
import webbrowser
from pathlib import Path

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


@pytest.mark.parametrize("host", ["", " "])
def test_no_address_at_all_is_refused(host):
    result = CliRunner().invoke(app, ["play", "--no-browser", "--host", host])
    assert result.exit_code == 2
    assert "name an address: 127.0.0.1 for this machine" in result.stderr


def test_a_taken_port_names_a_way_out(taken):
    result = CliRunner().invoke(app, ["play", "--no-browser", "--port", str(taken)])
    assert "--port 0 takes any that is" in result.stderr


class TestAnnouncement:
    """What is said once the server answers; the server itself is left out."""

    @pytest.fixture
    def said(self, monkeypatch):
        served = []

        def serve(application, listener, ready):
            served.append(application)
            listener.close()
            ready()

        monkeypatch.setattr("kingme.web.serve.serve", serve)

        def run(*words):
            result = CliRunner().invoke(app, ["play", "--no-browser", *words])
            assert result.exit_code == 0, result.output
            assert served
            return result.stdout.splitlines()

        return run

    def test_to_this_machine_alone(self, said):
        lines = said("--port", "0")
        assert re.fullmatch(r"kingme is ready:  http://127\.0\.0\.1:\d+/", lines[0])
        assert lines[1:] == ["Stop it with Ctrl+C.", "", "kingme has stopped."]

    def test_to_the_network(self, said):
        lines = said("--host", "0.0.0.0", "--port", "0")
        assert re.fullmatch(r"kingme is ready:  http://127\.0\.0\.1:\d+/", lines[0])
        assert re.fullmatch(r"Others on your network can reach it, at http://\S+:\d+/", lines[1])
        assert "0.0.0.0" not in lines[1]

    def test_from_another_port_than_usual(self, said, monkeypatch, taken):
        monkeypatch.setattr(command, "PORT", taken)
        assert said()[1] == (
            f"Port {taken} is taken. A game kept in the browser belongs to that address."
        )


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and shells are POSIX here")
READY = re.compile(r"kingme is ready:  http://127\.0\.0\.1:(\d+)/\n")


def started(redirect="", **options):
    """The real program, on a free port; `redirect` is the shell's."""
    words = f"{sys.executable} -m kingme play --no-browser --port 0 {redirect}"
    return subprocess.Popen(["sh", "-c", f"exec {words}"], text=True, **options)


@POSIX
def test_serves_until_it_is_interrupted():
    process = started(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert READY.fullmatch(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert rest.endswith("kingme has stopped.\n")


GAME = json.dumps({"protocol": 1, "moves": [], "level": 8})
POST = (
    "POST /api/reply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(GAME)}\r\n\r\n"
)


@POSIX
@pytest.mark.parametrize(
    ("requests", "answer"),
    [
        ([POST + GAME] * 8, rb"HTTP/1.1 (200|503) .*"),
        ([POST + GAME[:5]], rb"HTTP/1.1 503 .*"),
        (["GET / HT"], rb""),
    ],
    ids=["searches", "half a body", "half a line"],
)
def test_stops_without_a_word_while_requests_wait(requests, answer):
    process = started(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    found = READY.fullmatch(process.stdout.readline())
    assert found
    wires = []
    with contextlib.ExitStack() as stack:
        for request in requests:
            wire = stack.enter_context(socket.create_connection(("127.0.0.1", int(found[1]))))
            wire.sendall(request.encode())
            wires.append(wire)
        assert process.stdout.readline() == "Stop it with Ctrl+C.\n"
        # Connections are taken in their order: once this one is answered, the others wait inside.
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/healthz", timeout=60) as health:
            assert health.read() == b"ok\n"
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
        for wire in wires:
            assert re.fullmatch(answer, wire.recv(4096).partition(b"\r\n")[0])
    assert (process.returncode, errors) == (0, "")
    assert rest.endswith("kingme has stopped.\n")


@POSIX
@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full here")
def test_serves_where_its_output_is_full():
    process = started(">/dev/full", stderr=subprocess.PIPE)
    assert process.stderr is not None
    assert READY.fullmatch(process.stderr.readline())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in errors


@POSIX
def test_serves_where_its_output_is_closed():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    process = started(f"--port {port} >&-", stderr=subprocess.PIPE)
    try:
        while True:
            with contextlib.suppress(OSError):
                with socket.create_connection(("127.0.0.1", port)) as wire:
                    wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert wire.recv(4096).startswith(b"HTTP/1.1 200 ")
                break
            assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    # What has nowhere else to go is said where it can be heard, once.
    assert errors == f"kingme is ready:  http://127.0.0.1:{port}/\n"
