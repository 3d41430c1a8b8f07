"""Output that was closed: what a command was asked for cannot be told, and it says so."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from kingme.cli import main

GAME = '[Event "One"]\n\n1. 11-15 22-18 *\n'

COMMANDS = [
    "--version",
    "--help",
    "solve --help",
    "ballots 5",
    "ballots 5 --json",
    "perft 2 --plain",
    "pdn check GAME",
    "pdn convert GAME",
    "solve B:W32:B",
    "book show",
    "engine --lines --plain",
    "match plain plain --games 2 --depth 1",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_that_cannot_be_heard_fails(words, tmp_path, monkeypatch, capsys):
    game = tmp_path / "game.pdn"
    game.write_text(GAME)
    named = [str(game) if word == "GAME" else word for word in words.split()]
    monkeypatch.setattr(sys, "argv", ["kingme", *named])
    monkeypatch.setattr(sys, "stdin", io.StringIO("name\nname\n"))
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        with pytest.raises(SystemExit) as end:
            main()
        sys.stdout.close()
    assert end.value.code == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "kingme: cannot go on: standard output is closed"
    )


def test_so_it_does_when_a_shell_has_closed_it():
    command = Path(sys.executable).with_name("kingme")
    done = subprocess.run(
        ["sh", "-c", f"exec {command} ballots 5 >&-"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "kingme: cannot go on: standard output is closed\n"
