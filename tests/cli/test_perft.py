"""``kingme perft`` from the outside: the installed command, run as a user runs it."""

import os
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
    assert done.stderr == ""
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
        (["perft", "-1"], "Invalid value for DEPTH: -1 is below 0"),
        (["perft", "-x"], "No such option"),
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ["perft 3 --plain", "--help", "--version"])
def test_output_that_cannot_be_written_is_one_line_and_status_1(words):
    done = subprocess.run(
        ["sh", "-c", f"exec {COMMAND} {words} >/dev/full"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "kingme: cannot go on: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the shell is POSIX here")
def test_nothing_is_said_to_a_pipe_that_nobody_reads():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [COMMAND, "perft", "3", "--plain"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def test_help_tells_each_command_whole():
    done = kingme("-h")
    assert done.stdout == kingme("--help").stdout
    assert not re.search(r"\.\.\.$", done.stdout.partition("Commands:")[2], re.MULTILINE)
    assert kingme("perft", "-h").stdout == kingme("perft", "--help").stdout
