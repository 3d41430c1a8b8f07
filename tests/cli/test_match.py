"""``kingme match`` from the outside: real engines in processes, stopped and resumed."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.processes import ends

from kingme.rules import pdn

COMMAND = str(Path(sys.executable).with_name("kingme"))
LINES = f"lines:{sys.executable} -m kingme engine --lines --plain"
HUB = f"hub:{sys.executable} -m kingme engine --plain"


def kingme(*words, **more):
    return subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, timeout=240, check=False, **more
    )


def games(file):
    read = list(pdn.read(Path(file).read_bytes()))
    assert not [note for game in read for note in game.notes if note.kind == "error"]
    return read


def test_three_kinds_of_engines_play_and_the_file_holds_every_game(tmp_path):
    file = tmp_path / "match.pdn"
    done = kingme("match", LINES, "generic", "--depth", "1", "--games", "3", "--pdn", file)
    assert done.returncode == 0, done.stderr
    assert "score of A in 4 games" in done.stdout
    assert "lead of A" in done.stdout
    assert len(games(file)) == 4
    assert f"A: {LINES}\nB: generic\n" in done.stdout
    assert "4 games are played, and not 3: each opening with both colours\n" in done.stderr
    done = kingme("match", HUB, "generic", "--depth", "1", "--games", "2", "--json")
    figures = json.loads(done.stdout)
    assert figures["games"] == figures["won"] + figures["drawn"] + figures["lost"] == 2
    assert figures["forfeits"] == 0 and done.stderr == ""
    assert (figures["a"], figures["b"]) == (HUB, "generic")


def test_a_command_without_a_protocol_and_options_by_name():
    command = f"{sys.executable} -m kingme engine --lines --plain"
    more = ("--games", "2", "--nodes", "30", "--set-a", "hashsize=1", "--set-a", "clock=cpu")
    done = kingme("match", command, "generic", *more)
    assert done.returncode == 0, done.stderr
    done = kingme("match", HUB, "generic", "--games", "2", "--set-a", "colour=red")
    assert done.returncode == 2
    assert "no option 'colour': its options are variant, hash" in done.stderr


def test_a_match_in_two_parts_is_the_match_in_one(tmp_path):
    one, two = tmp_path / "one.pdn", tmp_path / "two.pdn"
    terms = ("match", "generic", "generic", "--depth", "1", "--seed", "3")
    kingme(*terms, "--games", "6", "--pdn", one)
    kingme(*terms, "--games", "2", "--pdn", two)
    assert len(games(two)) == 2
    with two.open("a") as file:
        file.write('[Event "Engine match"]\n[Site "?"]\n[Da')
    done = kingme(*terms, "--games", "6", "--pdn", two)
    assert "2 games were played before" in done.stdout
    assert "bytes of an unfinished game were cut off" in done.stderr
    assert two.read_text() == one.read_text()
    again = kingme(*terms, "--games", "6", "--pdn", two)
    assert "score of A in 6 games" in again.stdout
    other = kingme(*terms[:-1], "4", "--games", "6", "--pdn", two)
    assert other.returncode == 2
    assert "holds another match" in other.stderr
    assert two.read_text() == one.read_text()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_match_leaves_a_sound_file(tmp_path, how):
    file = tmp_path / "match.pdn"
    words = [COMMAND, "match", LINES, LINES, "--nodes", "20", "--games", "400", "--pdn", str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) == 2
        process.send_signal(how)
        said = process.stdout.read()
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "score of A in" in said
        assert "Traceback" not in said
    for child in children:
        assert ends(int(child))
    played = len(games(file))
    assert played >= 2
    done = kingme(*words[1:-3], str(played + 1), "--pdn", file)
    assert done.returncode == 0, done.stderr
    assert f"{played} games were played before" in done.stdout


DIES = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        sys.exit("out of cheese")
    print({"name": "name Mortal", "ready": "readyok"}.get(word, "ok"), flush=True)
"""


def test_an_engine_that_dies_loses_its_games_and_is_started_again(tmp_path):
    (tmp_path / "engine.py").write_text(DIES)
    mortal = f"lines:{sys.executable} {tmp_path / 'engine.py'}"
    done = kingme("match", mortal, "generic", "--games", "4", "--depth", "1")
    assert done.returncode == 0, done.stderr
    assert "0 won, 0 drawn, 4 lost" in done.stdout
    assert "4 games were forfeited" in done.stdout
    assert done.stdout.count("out of cheese") == 4


NAIVE = """
import sys
from kingme import History
history = History.start()
for line in sys.stdin:
    words = line.split()
    if words[0] == "position":
        history = History.start(words[1])
        for move in words[3:]:
            history = history.play(move)
    answer = {"name": "name Naive", "ready": "readyok"}.get(words[0], "ok")
    if words[0] == "go":
        answer = f"bestmove {history.position.legal_moves[0]}"
    print(answer, flush=True)
"""


def test_the_test_ends_a_match_as_soon_as_it_is_decided(tmp_path):
    (tmp_path / "engine.py").write_text(NAIVE)
    naive = f"lines:{sys.executable} {tmp_path / 'engine.py'}"
    words = ("generic", naive, "--depth", "2", "--games", "400", "--sprt", "0,200", "--json")
    figures = json.loads(kingme("match", *words).stdout)
    assert figures["sprt"]["passed"] is True
    assert figures["games"] < 100
    assert figures["games"] % 2 == 0


def test_openings_and_variants(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("B:W18,22,30:B1,2,7\n")
    words = ("match", "generic", "generic", "--depth", "1", "--games", "2", "--pdn")
    done = kingme(*words, tmp_path / "a.pdn", "--openings", file)
    assert done.returncode == 0, done.stderr
    assert {game.start.fen for game in games(tmp_path / "a.pdn")} == {"B:W18,22,30:B1,2,7"}
    done = kingme(*words, tmp_path / "b.pdn", "--variant", "russian")
    assert done.returncode == 0, done.stderr
    assert {game.start.variant.name for game in games(tmp_path / "b.pdn")} == {"russian"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("generic", "12"), "kingme: there is no level '12': they run from 1 to 8"),
        (("generic", "/no/such"), "cannot be started"),
        (("generic", "2", "--variant", "chess"), "there is no 'chess'"),
        (("generic", "2", "--draws", "never"), "there is no draw preset 'never'"),
        (("generic", "2", "--sprt", "5"), "two leads in Elo points"),
        (("generic", "2", "--set-a", "x"), "is not NAME=VALUE"),
        (("generic", "2", "--openings", "/no/such"), "cannot be read: No such file"),
    ],
)
def test_mistakes_are_explained_in_a_line(words, message):
    done = kingme("match", *words, "--games", "2")
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


def test_on_a_terminal_a_bar_shows_score_rate_and_time_left():
    controller, terminal = pty.openpty()
    words = [COMMAND, "match", "generic", "generic", "--depth", "1", "--games", "6"]
    environment = {**os.environ, "COLUMNS": "160", "TERM": "xterm"}
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=terminal, env=environment) as it:
        os.close(terminal)
        shown = b""
        while True:
            try:
                data = os.read(controller, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
    os.close(controller)
    assert it.returncode == 0
    text = shown.decode()
    assert "6/6" in text
    assert "games/min" in text
    assert "drawn" in text
