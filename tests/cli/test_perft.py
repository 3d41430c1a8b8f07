"""``kingme perft`` from the outside: the installed command, run as a user runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kingme.rules.variant import VARIANTS

from .calling import kingme as called

__all__ = ["called"]

TABLE = Path(__file__).parents[1] / "data" / "perft_variants.tsv"
#: leaves that are counted for one variant
AFFORDABLE = 5_000
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


def published():
    """The rows of the table that are of a variant as it is shipped, under each of its names."""
    for line in TABLE.read_text().splitlines()[1:]:
        title, _, _, *rows = line.split("\t")
        if "RULES" in title or not re.match(r"[a-z/]+ (\d+x\d+|real)", title) or "6x6" in title:
            continue
        numbers = [int(count) for count in rows[0].split() if count != "-"]
        for name in re.split(r"[/ ]", title):
            if name in VARIANTS and not title.startswith("spantsireti"):
                yield pytest.param(name, numbers, "unique" in title, id=f"{title[:40]} {name}")


@pytest.mark.parametrize(("name", "numbers", "unique"), list(published()))
def test_counts_of_variants_are_those_of_the_table(called, name, numbers, unique):
    known = {depth: count for depth, count in enumerate(numbers, 1) if count <= AFFORDABLE}
    assert len(known) >= 3
    words = ["--unique"] if unique else []
    done = called("perft", max(known), "--variant", name, *words)
    assert (done.code, done.err) == (0, "")
    assert counts(done.out) == known


def test_the_table_has_most_of_the_variants():
    names = {param.values[0] for param in published()}
    assert len(names) >= 12, sorted(VARIANTS.keys() - names)


def test_routes_with_one_result_are_one_where_that_is_asked_for(called):
    fen = "B:WK1,7,K8,K15,K16,21,28,29:BK3,11"
    found = {}
    for words in ((), ("--unique",), ("--plain",)):
        said = called("perft", "2", "--fen", fen, "--divide", *words).out.splitlines()
        found[words] = [line.split()[0] for line in said[:-1]]
        assert sum(int(line.split()[1]) for line in said[:-1]) == counts(said[-1])[2]
    assert found[()] == found["--plain",]
    assert len(found[()]) == len(found["--unique",]) + 1


def test_a_position_of_a_variant_and_its_moves_as_players_write_them(called):
    done = called("perft", "3", "--variant", "Russian", "--fen", "W:Wa1,c3:Bb4,Kh8", "--divide")
    assert done.out.splitlines()[0] == "c3:a5  11"
    done = called("perft", "1", "--variant", "russian", "--fen", "W:Wa1,c3,Kh8:Bb4,a1")
    assert "named twice" in done.err
    said = called.refused("perft", "3", "--variant", "chess")
    assert said.startswith("there is no variant 'chess': there are antidraughts, ")


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


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "words",
    [
        "perft 3 --plain", "--help", "--version", "ballots", "endgames probe W:WK1:BK32",
        "solve W:W5:B1", "solve W:WK1:BK32 --depth 2 --json",
    ],
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_line_and_status_1(words):
    done = subprocess.run(
        ["sh", "-c", f"exec {COMMAND} {words} >/dev/full"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    assert lines == ["kingme: cannot go on: No space left on device"]


@pytest.mark.skipif(sys.platform == "win32", reason="the shell is POSIX here")
@pytest.mark.parametrize("words", ["ballots", "endgames info"])
def test_a_reader_that_has_enough_gets_no_more(words):
    reading, writing = os.pipe()
    with subprocess.Popen(
        [COMMAND, *words.split()], stdout=writing, stderr=subprocess.PIPE
    ) as done:
        os.close(writing)
        os.close(reading)
        assert done.stderr is not None
        lines = done.stderr.read().splitlines()
    assert [line for line in lines if not line.startswith(b"note: ")] == []
    assert done.returncode == 1


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
