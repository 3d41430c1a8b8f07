"""``kingme review``, as a person runs it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from kingme.cli.app import app
from kingme.rules.pdn import read

GAME = """[Event "Club evening"]
[Black "Bea"]
[White "Wim"]
[SetUp "1"]
[FEN "W:W18,26,30:B10,11,19"]
[Result "0-1"]

1. 26-22 19-24 0-1
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "club.pdn"
    path.write_text(GAME)
    return path


def run(*words):
    return CliRunner().invoke(app, ["review", *map(str, words)])


def test_a_game_is_told_move_by_move(file):
    found = run(file, "--nodes", 20000)
    assert found.exit_code == 0, found.output
    assert "Bea - Wim, Club evening  0-1" in found.stdout
    assert "26-22??" in found.stdout
    assert "It misses a shot, three for two." in found.stdout
    assert "White: kept" in found.stdout
    assert "1 blunder" in found.stdout


def test_json(file):
    found = json.loads(run(file, "--nodes", 20000, "--json").stdout)
    first, second = found["moves"]
    assert (first["move"], first["class"], first["missed"]) == ("26-22", "blunder", "three for two")
    assert first["best"]["line"][0] == "18-14"
    assert second["ply"] == 1
    assert len(found["black_points"]) == 3


def test_the_annotated_game_is_a_file_of_its_own(file, tmp_path):
    out = tmp_path / "told.pdn"
    assert run(file, "--nodes", 20000, "-o", out).exit_code == 0
    (told,) = read(out.read_text())
    assert told.line[0].nags == [4]
    assert run(out, "--nodes", 20000, "-o", "-").stdout == out.read_text()
    assert run(file, "--nodes", 20000, "-o", out).exit_code == 1
    assert run(file, "--nodes", 20000, "-o", out, "--force").exit_code == 0
    piped = run(file, "--nodes", 20000, "-o", "-")
    assert next(iter(read(piped.stdout))) == told


def test_without_a_limit_it_is_the_same_each_time(file):
    """A limit of nodes, of which no clock knows anything."""
    first, again = run(file), run(file, "--nodes", 1_000_000)
    assert first.stdout == again.stdout
    assert "3 of 3  positions" in first.stderr


def test_where_the_game_ends_in_a_move_that_is_illegal(tmp_path):
    path = tmp_path / "three.pdn"
    path.write_text("1. 11-15 23-19\n2. 15-24 28x19 3. 1-2 *\n\n1. 9-14 *\n\n1. 11-16 16-20 *\n")
    found = run(path, "--nodes", 500)
    assert found.exit_code == 0
    assert found.stderr.splitlines()[:3] == [
        "kingme: this is game 1 of 3: --game takes another",
        f"kingme: line 2 of {path}: 15-24 is not legal: 24 is occupied. "
        "Legal: 7-11, 8-11, 9-13, 9-14, 10-14, 12-16, 15-18",
        "kingme: the game can be read, and is judged, only to 1... 23-19",
    ]
    assert "23-19" in found.stdout and "15-24" not in found.stdout
    found = run(path, "--nodes", 500, "--game", 2)
    assert (found.exit_code, "kingme" in found.stderr) == (0, False)
    found = run(path, "--nodes", 500, "--game", 3)
    assert "line 6" in found.stderr and "only to 1. 11-16" in found.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--game", "2"], "there is no game 2: "),
        (["--nodes", "0"], "nodes"),
        (["--seconds", "nan"], "nan is not 0.001 to 1,000,000 seconds"),
    ],
)
def test_what_cannot_be_done_is_said(file, words, reason):
    found = run(file, *words)
    assert found.exit_code != 0
    assert reason in str(found.exception or found.output) or reason in found.output


def test_an_empty_file_has_no_game(tmp_path):
    path = tmp_path / "empty.pdn"
    path.touch()
    found = run(path)
    assert found.exit_code == 1
    assert str(found.exception) == f"there is no game in {path}"


def test_another_variant_is_refused(tmp_path):
    path = tmp_path / "r.pdn"
    path.write_text('[GameType "25"]\n\n1. c3-d4 *\n')
    found = run(path)
    assert found.exit_code == 1
    assert "Russian draughts" in str(found.exception)
