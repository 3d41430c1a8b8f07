"""Finding or installing a Chromium: what is run, and what is said when there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

import chromium
import debian


class Machine:
    """A machine of given programs; commands are noted, and succeed unless they are refused."""

    def __init__(self) -> None:
        self.programs = {"apt-get", "sudo"}
        self.refused: set[str] = set()
        self.user = 1000
        self.ran: list[str] = []

    def which(self, name: str) -> str | None:
        return f"/usr/bin/{name}" if name in self.programs else None

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        line = " ".join(command)
        self.ran.append(line)
        failed = any(words in line for words in self.refused)
        if " install " in line and not failed:
            self.programs.add(command[-len(chromium.PACKAGES)])
        return subprocess.CompletedProcess(command, int(failed), "Reading...\nE: no answer\n")


@pytest.fixture
def machine(monkeypatch) -> Machine:
    made = Machine()
    monkeypatch.delenv("KINGME_CHROMIUM", raising=False)
    monkeypatch.setattr(shutil, "which", made.which)
    monkeypatch.setattr(os, "geteuid", lambda: made.user)
    monkeypatch.setattr(debian, "run", made.run)
    monkeypatch.setattr(sys, "argv", ["chromium.py"])
    return made


def test_one_that_is_there_is_enough(machine, capsys):
    machine.programs.add("google-chrome")
    assert chromium.main() == 0
    assert chromium.find_chromium() == "/usr/bin/google-chrome"
    assert not any("apt-get" in line for line in machine.ran)
    assert capsys.readouterr().out == ""


def test_root_installs(machine):
    machine.user = 0
    assert chromium.main() == 0
    update, install = [line for line in machine.ran if "apt-get" in line]
    assert update.endswith(" update")
    assert install.endswith(" install chromium-headless-shell libatomic1 fonts-liberation")
    assert chromium.find_chromium() == "/usr/bin/chromium-headless-shell"
    assert not any("sudo" in line for line in machine.ran)


def test_a_system_that_does_not_know_the_shell_gets_the_whole_browser(machine):
    machine.refused.add("install chromium-headless-shell")
    assert chromium.main() == 0
    assert chromium.find_chromium() == "/usr/bin/chromium"


def test_the_shell_is_put_beside_another_only_where_all_tests_must_run(machine, monkeypatch):
    machine.programs.add("chromium")
    assert chromium.main() == 0
    assert chromium.find_chromium() == "/usr/bin/chromium"
    monkeypatch.setattr(sys, "argv", ["chromium.py", "--require"])
    assert chromium.main() == 0
    assert chromium.find_chromium() == "/usr/bin/chromium-headless-shell"
    before = len(machine.ran)
    assert chromium.main() == 0
    assert not any("apt-get" in line for line in machine.ran[before:])


def test_the_whole_browser_will_do_where_the_shell_cannot_be_had(machine, monkeypatch, capsys):
    machine.programs.add("chromium")
    machine.refused.add("sudo -n true")
    monkeypatch.setattr(sys, "argv", ["chromium.py", "--require"])
    assert chromium.main() == 0
    said = capsys.readouterr().out
    assert "The tests take the whole browser, which is slower: installing needs root." in said


def test_passwordless_sudo_installs(machine):
    assert chromium.main() == 0
    assert all(line.startswith("sudo -n") for line in machine.ran if "apt-get" in line)


@pytest.mark.parametrize(
    ("refused", "gone", "reason"),
    [
        ("sudo -n true", "", "no Chromium; installing needs root"),
        ("", "sudo", "no Chromium; installing needs root"),
        ("", "apt-get", "no Chromium; this is not a Debian system"),
        ("update", "", "no Chromium; 'apt-get update' failed: E: no answer"),
        ("install chromium", "", "no Chromium; 'apt-get install' failed: E: no answer"),
    ],
)
def test_the_reason_is_said(machine, capsys, refused, gone, reason):
    machine.refused.update({refused} - {""})
    machine.programs.discard(gone)
    assert chromium.main() == 0
    said = capsys.readouterr().out
    assert f"The tests of the page cannot run: {reason}." in said
    assert "sudo apt-get install chromium" in said


def test_a_driver_that_does_not_start_is_said(machine, capsys):
    machine.programs.add("chromium")
    machine.refused.update({"playwright", "sudo -n true"})
    assert chromium.main() == 0
    assert "driver does not start (E: no answer)" in capsys.readouterr().out


def test_a_named_browser_is_not_replaced(machine, monkeypatch, capsys):
    monkeypatch.setenv("KINGME_CHROMIUM", "mine")
    machine.programs.add("chromium")
    assert chromium.main() == 0
    assert "KINGME_CHROMIUM names mine, which is no program" in capsys.readouterr().out
    assert machine.ran == []


def test_a_required_browser_that_is_missing_is_a_failure(machine, monkeypatch):
    machine.programs.clear()
    monkeypatch.setattr(sys, "argv", ["chromium.py", "--require"])
    assert chromium.main() == 1
