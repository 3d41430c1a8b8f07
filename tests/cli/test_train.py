"""``kingme train``: from games to weights, and weights against weights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("kingme"))


def kingme(*words, **more):
    return subprocess.run(
        [COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        **more,
    )


def test_from_games_to_weights(tmp_path):
    games, out = tmp_path / "games", tmp_path / "new.weights"
    terms = ("train", "selfplay", games, "--nodes", 30, "--weights", "beginning")
    done = kingme(*terms, "--games", 64)
    assert done.returncode == 0, done.stderr
    assert "64 games" in done.stdout
    done = kingme(*terms, "--games", 128)
    assert "128 games" in done.stdout
    assert "min left" in done.stderr
    done = kingme("train", "fit", games, "--out", out, "--epochs", 2)
    assert done.returncode == 0, done.stderr
    assert "held out" in done.stdout
    record = json.loads(out.with_suffix(".json").read_text())
    assert record["files"][0]["games"] == 128
    assert record["settings"]["epochs"] == 2
    done = kingme("train", "duel", out, "beginning", "--games", 4, "--nodes", 50)
    assert done.returncode == 0, done.stderr
    assert "lead of A" in done.stdout
    done = kingme(
        "match", "compiled", "generic", "--depth", 1, "--games", 2, "--set-a", f"weights={out}"
    )
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_done_is_said_in_a_line(tmp_path):
    (tmp_path / "bad").write_bytes(b"nothing")
    for words, why in (
        (("fit", tmp_path / "bad", "--out", tmp_path / "w"), "is no file of self-play"),
        (("duel", tmp_path / "bad", "beginning"), "is no file of weights"),
        (("selfplay", tmp_path / "bad", "--games", 1), "something else"),
    ):
        done = kingme("train", *words)
        assert done.returncode == 1
        assert why in done.stderr
        lines = done.stderr.splitlines()
        assert len([line for line in lines if not line.startswith("note: ")]) == 1


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--rate", "nan"), "nan is not above 0"),
        (("--rate", "0"), "0 is not above 0"),
        (("--spread", "0"), "0 is not above 0"),
        (("--pattern-spread", "inf"), "inf is not above 0"),
        (("--blend", "nan"), "--blend"),
        (("--out", "nope/w"), "nope/w cannot be written: No such file or directory"),
        (("--out", "."), ". is a folder: name a file"),
        (("--out", "w.json"), "w.json is where the record of the weights goes"),
    ],
)
def test_a_fit_that_could_not_end_well_does_not_begin(tmp_path, option, says):
    words = ["train", "fit", tmp_path / "none", *option]
    done = kingme(*words, *([] if "--out" in option else ["--out", "w"]), cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert says in " ".join(done.stderr.replace("│", " ").split())
    assert not list(tmp_path.iterdir())


def test_how_many_games_are_played_is_said(tmp_path):
    done = kingme("train", "selfplay", tmp_path / "games", "--nodes", 20, "--games", 10)
    assert done.returncode == 0, done.stderr
    assert "note: 64 games are played, and not 10: 64 at a time\n" in done.stderr
    assert "64 games" in done.stdout
    done = kingme("train", "duel", "beginning", "beginning", "--games", 3, "--nodes", 20)
    assert "note: 4 games are played, and not 3: each ballot with both colours\n" in done.stderr
