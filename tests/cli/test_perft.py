"""``kingme perft`` from the outside: the installed command, run as a user runs it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("kingme"))
LINE = re.compile(r"perft (\d+) +(\d+)  [\d.]+ s  [\d.]+ M leaves/s")


def kingme(*words):
    return subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, timeout=300, check=False
    )


def counts(output):
    return {int(depth): int(leaves) for depth, leaves in LINE.findall(output)}


@pytest.mark.parametrize("words", [(), ("--plain",)])
def test_counts_of_every_depth_with_their_rate(words):
    done = kingme("perft", "6", *words)
    assert done.returncode == 0, done.stderr
    assert counts(done.stdout) == {1: 7, 2: 49, 3: 302, 4: 1469, 5: 7361, 6: 36768}


def test_deep_counts_are_split_and_add_up():
    done = kingme("perft", "9")
    assert counts(done.stdout)[9] == 3963680


def test_divide_lists_each_first_move():
    done = kingme("perft", "4", "--divide", "--fen", "W:W27,32:B15,16,23,24", "--plain")
    assert done.returncode == 0
    first = dict(re.findall(r"^(\S+x\S+) +(\d+)$", done.stdout, re.MULTILINE))
    assert set(first) == {"27x18x11", "27x20x11"}
    assert sum(map(int, first.values())) == counts(done.stdout)[4]


def test_impossible_pieces_are_counted_with_a_note():
    done = kingme("perft", "3", "--plain", "--fen", "B:BK15:W10,11,18,19,2,3,26,27")
    assert counts(done.stdout) == {1: 6, 2: 28, 3: 84}
    assert "White has a man on 2, its crown row" in done.stderr


def test_a_lost_position_has_no_leaves():
    assert counts(kingme("perft", "2", "--fen", "W:W5:B1").stdout) == {1: 0, 2: 0}
    assert counts(kingme("perft", "0", "--plain").stdout) == {0: 1}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["perft", "3", "--fen", "nonsense"], "'nonsense' says no side to move"),
        (["perft", "3", "--fen", "W:W5:B5"], "square 5 is named twice"),
        (["perft", "-1"], "-1"),
        (["perft", "many"], "Invalid value for 'depth'"),
        (["perft"], "Missing argument"),
        (["perft", "0", "--divide"], "--divide needs a depth of 1 or more"),
        (["nothing"], "No such command"),
    ],
)
def test_bad_words_get_one_clear_answer(words, said):
    done = kingme(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_version_and_help():
    assert re.fullmatch(r"kingme \d+\.\d+\.\d+\n", kingme("--version").stdout)
    for command in ("play", "perft", "warm"):
        assert command in kingme("--help").stdout
    assert "--divide" in kingme("perft", "--help").stdout


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "kingme", "perft", "1", "--plain"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert counts(done.stdout) == {1: 7}
