"""``kingme puzzles``, as a person runs it."""

from __future__ import annotations

import json
import re

import pytest
from tests.analysis.test_puzzles import GAMES
from typer.testing import CliRunner

from kingme.analysis.puzzles.shelf import FILE, shelf
from kingme.analysis.puzzles.telling import worse_words
from kingme.cli.app import app


def run(*words, typed=None):
    return CliRunner().invoke(app, ["puzzles", *map(str, words)], input=typed)


@pytest.fixture(scope="module")
def puzzle():
    puzzles = (shelf().get(name) for name in shelf().daily)
    return next(one for one in puzzles if one.steps[0].refuted[0][1])


def test_a_puzzle_is_shown(puzzle):
    done = run("show", puzzle.name.upper())
    assert done.exit_code == 0, done.output
    assert puzzle.position.fen in done.stdout
    board = "\n".join(done.stdout.splitlines()[1:9])
    drawn = re.findall(r"([bBwW.])(\d+)\b", board)
    assert [int(number) for _, number in drawn] == list(range(1, 33))
    for sign, number in drawn:
        piece = puzzle.position.pieces.get(int(number))
        code = piece.side.code if piece else "."
        assert sign == (code if piece and piece.king else code.lower())
    assert " ".join(map(str, puzzle.line)) in done.stdout
    assert puzzle.origin.event in done.stdout
    told = json.loads(run("show", puzzle.name, "--json").stdout)
    assert (told["name"], told["rating"]) == (puzzle.name, puzzle.rating)
    assert run("show").exit_code == 0


def test_what_is_not_there_is_refused(tmp_path):
    assert "there is no puzzle 'nobody'" in str(run("show", "nobody").exception)
    assert "cannot be read" in str(run("show", "--file", tmp_path / "none").exception)
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text("not puzzles\n")
    assert "no collection of puzzles" in str(run("show", "--file", wrong).exception)


def test_a_puzzle_is_solved_move_by_move(puzzle):
    wrong, reply = puzzle.steps[0].refuted[0]
    moves = [str(step.move) for step in puzzle.steps]
    done = run("solve", puzzle.name, typed="\n".join(["1-1", str(wrong), "?", *moves, ""]))
    assert done.exit_code == 0, done.output
    assert f"{wrong} is answered by {reply}. {worse_words(puzzle)} Try again." in done.stdout
    assert f"{puzzle.steps[0].move} is the move." in done.stdout
    assert "Solved, with help." in done.stdout
    assert "Solved.\n" in run("solve", puzzle.name, typed="\n".join([*moves, ""])).stdout


def test_mined_packed_and_verified(tmp_path):
    games, log, out = tmp_path / "games.pdn", tmp_path / "mined.log", tmp_path / "puzzles.tsv"
    games.write_text(GAMES)
    assert run("mine", games, "-o", log, "--games", 1).exit_code == 0
    done = run("mine", games, "-o", log)
    assert done.exit_code == 0, done.output
    assert f"{log}: 1 puzzles in 2 games" in done.stdout
    assert run("pack", log, "-o", out, "--prove").exit_code == 0
    assert isinstance(run("pack", log, "-o", out).exception, Exception)
    record = json.loads(out.with_suffix(".json").read_text())
    assert (record["kept"], record["passes"][0]["games mined"]) == (1, 2)
    assert "1 puzzles hold" in run("verify", "--file", out, "--nodes", 50_000).stdout
    line = out.read_text()
    out.write_text(line.replace("\t2:3\t", "\t1:2\t"))
    doubted = run("verify", "--file", out, "--nodes", 1000)
    assert doubted.exit_code == 1
    assert "the line is no shot" in doubted.stdout


def test_the_collection_is_the_packages():
    assert FILE.is_file()
    assert len(shelf()) >= 500
