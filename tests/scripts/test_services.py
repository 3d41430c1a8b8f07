"""Finding or installing PostgreSQL and Redis, and the private servers made of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

import debian
import services


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine with neither, where installing brings what `packages` names."""

    class Machine:
        def __init__(self) -> None:
            self.programs = {"apt-get"}
            self.ran: list[str] = []

    made = Machine()

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        made.ran.append(" ".join(command))
        if "install" in command:
            made.programs.add("redis-server")
        return subprocess.CompletedProcess(command, 0, "done")

    def which(name: str) -> str | None:
        return f"/usr/bin/{name}" if name in made.programs else None

    monkeypatch.setenv("KINGME_POSTGRES", str(tmp_path))
    monkeypatch.delenv("KINGME_REDIS_SERVER", raising=False)
    monkeypatch.setattr(shutil, "which", which)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(debian, "run", run)
    monkeypatch.setattr(sys, "argv", ["services.py"])
    return made


def test_what_is_there_is_enough(machine, tmp_path, capsys):
    (tmp_path / "initdb").touch()
    machine.programs.add("valkey-server")
    assert services.find_postgres() == tmp_path
    assert services.find_redis() == "/usr/bin/valkey-server"
    assert services.main() == 0
    assert machine.ran == []
    assert capsys.readouterr().out == ""


def test_what_a_person_named_is_not_replaced(machine, capsys):
    assert services.main() == 0
    assert machine.ran == []
    said = capsys.readouterr().out
    assert "cannot run: no PostgreSQL, no Redis." in said
    assert "To run them: sudo apt-get install postgresql redis-server" in said


@pytest.mark.parametrize("required", [True, False])
def test_what_could_not_be_installed_is_said(machine, monkeypatch, capsys, required):
    monkeypatch.delenv("KINGME_POSTGRES")
    monkeypatch.setattr(services, "find_postgres", lambda: None)
    monkeypatch.setattr(sys, "argv", ["services.py", *["--require"][: int(required)]])
    machine.programs.discard("apt-get")
    assert services.main() == int(required)
    assert "no Redis; this is not a Debian system" in capsys.readouterr().out


def test_what_is_missing_is_installed(machine, monkeypatch, capsys):
    monkeypatch.delenv("KINGME_POSTGRES")
    monkeypatch.setattr(
        services, "find_postgres", lambda: machine.programs.intersection({"redis-server"}) or None
    )
    machine.programs.add("sudo")
    assert services.main() == 0
    assert any(line.endswith("install postgresql redis-server") for line in machine.ran)
    assert "They will be skipped" not in capsys.readouterr().out


def test_a_redis_that_was_killed_comes_back_and_leaves_nothing(own_redis):
    assert own_redis.ready()
    own_redis.kill()
    assert not own_redis.ready()
    own_redis.start()
    assert own_redis.ready()
    own_redis.stop()
    assert not own_redis.ready()
    assert not own_redis.folder.exists()


def test_a_server_that_does_not_start_says_why(monkeypatch, redis):
    class Broken(services.Redis):
        def command(self):
            return (self.program, "--port", "none")

    monkeypatch.setattr(services, "START_SECONDS", 0)
    with pytest.raises(RuntimeError, match="redis does not start"), Broken():
        pass
