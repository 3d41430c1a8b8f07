"""``kingme engine`` from the outside: both protocols, command by command."""

import re
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kingme.engine import errands, hosting
from kingme.engine.book import default
from kingme.engine.generic import GenericEngine
from kingme.engine.linehost import LineHost
from kingme.rules.perft import perft
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS

COMMAND = str(Path(sys.executable).with_name("kingme"))
START = Position.start().fen
OPENING = "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


def engine(*said, words=("--lines", "--plain")):
    """What the engine answers to these lines, said at once."""
    done = subprocess.run(
        [COMMAND, "engine", *words],
        input="".join(f"{line}\n" for line in said),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


class Talk:
    """A conversation with a running engine."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [COMMAND, "engine", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        # What is waited for in vain ends the engine, and with it the test.
        self.deadline = threading.Timer(60, self.process.kill)
        self.deadline.start()

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.deadline.cancel()
        self.process.kill()
        self.process.communicate()

    def say(self, *lines):
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")

    def hear(self, beginning):
        """The first line from now on that begins so."""
        return self.until(beginning)[-1]

    def until(self, beginning):
        """The lines from now on, up to the first that begins so."""
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line.rstrip())
            if line.startswith(beginning):
                return said
        raise AssertionError(f"the engine ended before it said {beginning!r}")


def test_each_command_has_its_answer():
    said = engine(
        "name", "ready", "newgame", "position start moves 11-15 22-18", "fen", "legal", "perft 4",
        "position W:WK15,K22:BK4", "go depth 5",
    )  # fmt: skip
    assert said[0].startswith("name kingme ")
    assert said[1:4] == ["readyok", "ok", "ok"]
    after = Position.start().play("11-15").play("22-18")
    assert said[4:6] == [f"fen {after.fen}", "legal 15x22"]
    assert re.fullmatch(r"perft 4 \d+", said[6])
    assert said[7] == "ok"
    infos = [re.fullmatch(r"info depth \d+ score -?\d+ nodes \d+ time [\d.]+ pv .+", line)
             for line in said[8:-1]]  # fmt: skip
    assert infos
    assert all(infos)
    assert "score 29997" in said[-2]
    assert said[-1] == "bestmove 15-11 fen B:WK11,K22:BK4"


def test_a_lost_game_has_no_best_move():
    assert engine("position B:W32:B", "go depth 1") == ["ok", "bestmove none"]
    assert engine("position B:W32:B", "legal") == ["ok", "legal"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("jump", "there is no command 'jump': there are name, ready"),
        ("position", "'position' is followed by 'start' or a FEN"),
        ("position B:W99:B1", ".*99"),
        ("position start moves 11-99", ".*99"),
        ("position start moves 1-5", "1-5 is not legal"),
        ("perft", "perft is followed by a whole number, not ''"),
        ("perft 99", "perft is 0 to 40, not 99"),
        ("perft 1 2", "perft is followed by a whole number, not '1 2'"),
        ("name foo", "nothing follows 'name', but 'foo' did"),
        ("quit now", "nothing follows 'quit', but 'now' did"),
        ("go depth", "depth is followed by a whole number, not ''"),
        ("go depth 3.5", "depth is followed by a whole number, not '3.5'"),
        ("go nodes 1e3", "nodes is followed by a whole number, not '1e3'"),
        ("go depth -1", "depth is 1 or more, not -1"),
        ("go depth 2 depth 3", "depth is given twice"),
        ("go movetime nan", "movetime is a number of seconds above 0, not 'nan'"),
        ("go movetime 0", "movetime is a number of seconds above 0, not '0'"),
        ("go fast", "'fast' is no limit"),
        ("posit\udcffon", "the line is no UTF-8 text: it holds the byte 0xff"),
        ("set", "'set' is followed by a name and a value"),
        ("set hash x", "hash is followed by a whole number"),
        ("set hash 0", r"hash is 1 to \d+, not 0"),
        ("set hash 65537", r"hash is 1 to \d+, not 65537"),
        ("set hash 99999999999999999999999", r"hash is 1 to \d+, not 99999999999999999999999"),
        ("set threads 0", "threads is 1 to 256, not 0"),
        ("set clock sun", "the clock is 'cpu' or 'wall'"),
        ("set book maybe", "the book is 'on' or 'off', not 'maybe'"),
        ("set variant chess", "there is no variant 'chess': there are english"),
        ("set draws never", "there is no draw preset 'never'"),
        (
            "set draws international",
            r"American checkers \(English draughts\) has no draw preset",
        ),
        ("set colour red", "there is no option 'colour': there are hash"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(line, why):
    first, second = engine(line, "fen")
    assert re.match(f"error {why}", first)
    assert second == f"fen {START}"


def test_a_table_that_is_refused_leaves_the_one_before():
    said = engine("set hash 2", "set hash 65537", "go depth 3", words=("--lines",))
    assert said[0] == "ok" and said[1].startswith("error hash is 1 to ")
    assert said[-1].startswith("bestmove ")
    said = engine("set-param name=hash value=65537", OPENING, "level depth=3", "go think", words=())
    assert said[0].startswith("error ") and said[-1].startswith("done move=")


@pytest.mark.parametrize(
    "limit",
    ["movetime 1e10 depth 3", "movetime inf depth 3", f"depth 3 nodes {10**30}"],
)
def test_limits_beyond_all_reason_are_heeded(limit):
    said = engine(f"go {limit}", "set clock cpu", f"go {limit}", words=("--lines",))
    assert sum(line.startswith("bestmove ") for line in said) == 2
    assert sum(line.startswith("info depth 3 ") for line in said) == 2


def test_any_number_of_threads_is_taken():
    said = engine("set threads 256", "go nodes 200000", words=("--lines",))
    assert said[0] == "ok" and said[-1].startswith("bestmove ")


def test_options_and_variants():
    said = engine(
        "set hashsize 2", "set searchthreads 1", "set draws tournament", "set variant russian",
        "fen", "set variant english", "perft 3", "set clock cpu", "go movetime 0.05",
    )  # fmt: skip
    assert said[:4] == ["ok"] * 4
    assert said[4].startswith("fen W:W")
    assert said[5:8] == ["ok", "perft 3 302", "ok"]
    assert said[-1].startswith("bestmove ")


def test_the_book_is_for_games_and_open_when_asked():
    known = {str(one.move) for one in default().moves(Position.start())}
    said = engine("go depth 2", "set book on", "go depth 2", "set book off", "go depth 2")
    assert [line.split()[2] for line in said if line.startswith("info ")] == list("12012")
    assert said[4].startswith("info depth 0 score ")
    assert said[5].split()[1] in known
    said = engine("set book true", "position W:W31,K32:B1,2", "go depth 1", "position start", "go")
    assert [line for line in said if line.startswith("info depth 0")] == []


def test_the_clock_of_the_processor_counts_its_own_seconds():
    began = time.monotonic()
    said = engine("set clock cpu", "go movetime 0.5")
    passed = time.monotonic() - began
    assert passed >= 0.5
    assert said[-1].startswith("bestmove ")
    assert 0 < float(said[-2].split(" time ")[1].split()[0]) <= passed


@pytest.mark.parametrize("words", [("--plain",), ()])
def test_a_count_hears_what_a_search_hears(words):
    with Talk("--lines", *words) as talk:
        talk.say("ready", "perft 40", "ready", "fen")
        assert talk.until("readyok") == ["readyok"]
        assert talk.until("readyok") == ["readyok"]  # while it counts
        talk.say("stop")
        assert talk.hear("") == "error perft 40 was stopped"
        talk.hear("fen ")
        talk.say("perft 40", "perft 3", "stop", "perft 3")
        said = ["error perft 40 was stopped", "error perft 3 was stopped", "perft 3 302"]
        assert [talk.hear("") for _ in said] == said


def test_what_has_no_end_in_sight_ends_soon_after_quit(monkeypatch):
    monkeypatch.setattr(hosting, "GRACE", 0.05)
    said: list[str] = []
    LineHost(said.append, lambda *_: GenericEngine()).serve(["perft 40", "go depth 60", "quit"])
    assert said[0] == "error perft 40 was stopped"
    assert said[-1].startswith("bestmove ")
    said.clear()
    LineHost(said.append, lambda *_: GenericEngine()).serve(["go", "perft 3", "quit", "perft 2"])
    assert said[-1] == "perft 3 302"


def test_what_has_an_end_is_answered_before_quit():
    said = engine("perft 8", "go depth 7", "quit", words=("--lines",))
    assert said[0] == "perft 8 845931"
    assert said[-2].startswith("info depth 7 ")


@pytest.mark.skipif(not hasattr(select, "poll"), reason="nothing here tells of a reader gone")
@pytest.mark.parametrize("asked", ["perft 40", "go depth 99 nodes 999999999999"])
def test_nothing_goes_on_for_a_reader_that_is_gone(asked):
    pipe = subprocess.PIPE
    with subprocess.Popen([COMMAND, "engine", "--lines"], stdin=pipe, stdout=pipe) as process:
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"ready\n{asked}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline() == b"readyok\n"
            process.stdin.close()
            process.stdout.close()
            assert process.wait(60) == 1
        finally:
            process.kill()


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_slices_add_up(variant, monkeypatch):
    monkeypatch.setattr(errands, "PLAIN", (2, 30))
    start = Position.start(variant)
    for depth in range(5):
        assert errands.Count().total(errands.parts(start, depth)) == perft(start, depth)


def test_stop_is_heard_also_before_the_search_begins():
    with Talk("--lines", "--plain") as talk:
        talk.say("ready")
        talk.hear("readyok")
        talk.say("go", "stop")
        began = time.monotonic()
        talk.hear("bestmove ")
        assert time.monotonic() - began < 2
        talk.say("go")
        talk.hear("info")
        talk.say("ready")
        talk.hear("readyok")
        talk.say("stop")
        talk.hear("bestmove ")
        talk.say("stop", "go", "quit")
        assert talk.process.wait(5) == 0


@pytest.mark.parametrize("words", [("--plain",), ()])
def test_a_stop_ends_the_search_that_runs_and_those_that_wait(words):
    with Talk("--lines", *words) as talk:
        talk.say("ready")
        talk.hear("readyok")
        talk.say("go", "go", "go")
        talk.hear("info")
        talk.say("stop", "go depth 2", "fen")
        assert sum(line.startswith("bestmove ") for line in talk.until("fen ")) == 4
    with Talk(*words) as talk:
        talk.say("init")
        talk.hear("ready")
        talk.say(OPENING, "go analyze", "go analyze")
        talk.hear("info")
        talk.say("stop", "level depth=2", "go think", "hub")
        assert sum(line.startswith("done ") for line in talk.until("wait")) == 3


def test_commands_during_a_search_wait_for_its_end():
    said = engine("go depth 4", "position start moves 11-15", "fen")
    best = next(line for line in said if line.startswith("bestmove"))
    assert said.index(best) == len(said) - 3
    assert said[-2] == "ok"


def test_an_endless_search_ends_with_the_input():
    assert engine("go")[-1].startswith("bestmove ")


@pytest.mark.parametrize("last", [["quit"], [], ["quit", "legal"]])
def test_what_came_before_the_end_is_answered(last):
    said = engine("position start", "legal", "go", "go", "perft 2", "nonsense", *last)
    assert said[0] == "ok" and said[1].startswith("legal 9-13 ")
    assert sum(line.startswith("bestmove ") for line in said) == 2
    assert said[-2] == "perft 2 49" and said[-1].startswith("error there is no command 'nonsense'")
    pos = f"pos pos=B{'b' * 12}{'e' * 8}{'w' * 12}"
    said = engine("hub", "init", "ping", pos, "go think", "go think", *last, words=("--plain",))
    assert "ready" in said and "pong" in said
    assert sum(line.startswith("done move=") for line in said) == 2


def test_the_compiled_engine_answers_as_well():
    said = engine("perft 6", "set hash 4", "go depth 6", words=("--lines",))
    assert said[0] == "perft 6 36768"
    assert said[-2].startswith("info depth 6 ")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ["--lines --plain", "--plain"])
def test_answers_that_cannot_be_written_end_the_engine(words):
    process = subprocess.Popen(
        ["sh", "-c", f"exec {COMMAND} engine {words} >/dev/full"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said = process.communicate("name\nhub\nname\nhub\n", timeout=60)[1]
    assert process.returncode == 1
    assert said == "kingme: cannot go on: No space left on device\n"


def test_hub_introduces_itself_and_searches():
    with Talk("--plain") as talk:
        talk.say("hub")
        assert re.fullmatch(
            'id name=kingme version=.* author="The kingme authors"', talk.hear("id")
        )
        assert "values=" in talk.hear("param name=variant value=english type=enum")
        most = int(talk.hear("param name=hash value=16 type=int min=1 max=").rpartition("=")[2])
        assert 16 < most <= 65_536
        talk.hear("wait")
        talk.say("unheard-of thing=1", "set-param name=hash value=2", "init")
        assert talk.hear("") == "ready"
        talk.say("new-game", f"pos pos=W{'e' * 14}WeeeeeeWeeeeeeeeeB", "level depth=3")
        talk.say("go think")
        talk.hear("done move=")
        talk.say('pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="11-15 22-18"', "level depth=2")
        talk.say("go think")
        assert re.match(
            r"info depth=1 score=-?[\d.]+ nodes=\d+ time=[\d.]+ nps=", talk.hear("info")
        )
        assert talk.hear("done").startswith("done move=15x22x18")
        talk.say("ping")
        talk.hear("pong")
        talk.say("quit")
        assert talk.process.wait(5) == 0


def test_hub_has_the_book():
    start = "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
    with Talk("--plain") as talk:
        talk.say("hub")
        assert talk.hear("param name=book") == "param name=book value=false type=bool"
        talk.say("init", start, "level depth=1", "go think")
        assert "depth=1" in talk.hear("info")
        talk.say("set-param name=book value=true", "go think")
        assert "depth=0" in talk.hear("info")
        moves = [str(one.move) for one in default().moves(Position.start())]
        assert talk.hear("done").removeprefix("done move=") in moves
        for command in ("analyze", "ponder"):
            talk.say(f"go {command}")
            assert "depth=1" in talk.hear("info")
            talk.say("stop")
            talk.hear("done")


def test_hub_ponders_until_the_move_is_played():
    with Talk("--plain") as talk:
        talk.say("init")
        talk.hear("ready")
        talk.say("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "level time=10 inc=0.1", "go ponder")
        talk.hear("info")
        talk.say("ping")
        talk.hear("pong")
        began = time.monotonic()
        talk.say("ponder-hit")
        talk.hear("done move=")
        assert 0.1 < time.monotonic() - began < 5
        talk.say("level infinite", "go analyze")
        talk.hear("info")
        talk.say("stop")
        talk.hear("done")
        talk.say("level moves=4 time=0.8", "go think")
        began = time.monotonic()
        talk.hear("done")
        assert time.monotonic() - began < 2


@pytest.mark.parametrize("level", ["move-time=0.5", "time=2", "depth=3", "nodes=2000"])
@pytest.mark.parametrize("words", [("--plain",), ()])
def test_hub_hears_a_ponder_hit_before_the_search_has_begun(words, level):
    with Talk(*words) as talk:
        talk.say("init")
        talk.hear("ready")
        hit = "\n".join([OPENING, f"level {level}", "go ponder", "ponder-hit"])
        talk.say(hit)
        talk.hear("done move=")
        talk.say("go ponder", "stop", "go ponder")
        talk.hear("done move=")
        talk.hear("info")
        talk.say("ponder-hit")
        talk.hear("done move=")


def test_a_hit_with_a_level_of_depth_lets_the_search_reach_it():
    with Talk("--plain") as talk:
        talk.say("init", OPENING, "level depth=5", "go ponder")
        talk.hear("info depth=2")
        talk.say("ponder-hit")
        said = talk.until("done move=")
        assert any(line.startswith("info depth=5") for line in said)


def test_a_hit_without_a_search_to_ponder_is_passed_over():
    with Talk("--plain") as talk:
        talk.say("ponder-hit", OPENING, "level depth=3", "go think", "ponder-hit")
        said = talk.until("done move=")
        assert any(line.startswith("info depth=3") for line in said)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("pos pos=Bb", "a position of english has 33 letters, not 2"),
        ("pos pos=" + "X" * 33, "'X' is no side to move"),
        ("pos pos=B" + "x" * 32, "'x' on square 1 is none of"),
        ("pos pos=B" + "e" * 32, "no piece"),
        ('pos pos="B', "has no partner"),
        ("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=1-2", "1-2 is not legal"),
        ("set-param name=colour value=1", "there is no parameter 'colour'"),
        ("set-param name=hash value=0", "hash is 1 to "),
        ("set-param name=hash value=65537", "hash is 1 to "),
        ("set-param name=hash value=99999999999999999999999", "hash is 1 to "),
        ("set-param name=threads value=257", "threads is 1 to 256"),
        ("level move-time=nan", "move-time is a number of seconds above 0, not 'nan'"),
        ("level moves=nan time=9", "moves is followed by a whole number, not 'nan'"),
        ("level moves=0 time=9", "moves is 1 or more, not 0"),
        ("level", "'level' is followed by one of depth, nodes"),
        ("level foo=3", "'level' takes no 'foo': it takes depth, nodes"),
        ("go foo", "'go' takes no 'foo': it takes think, ponder, analyze"),
        ("go", "'go' is followed by one of think, ponder, analyze"),
        (f"{OPENING} fen=x", "'pos' takes no 'fen': it takes pos, moves"),
        ("hub\udcff", "it holds the byte 0xff"),
        ("level time=x", "time is a number, not 'x'"),
        ("level time=inf", "time is a number, not 'inf'"),
        ("level time=9 inc=nan", "inc is a number, not 'nan'"),
        ("set-param name=variant value=chess", "variant is one of"),
        ("level depth=x", "depth is followed by a whole number, not 'x'"),
        ("level move-time=0", "move-time is a number of seconds above 0, not '0'"),
        ("go think", "there is no position to search"),
    ],
)
def test_hub_says_what_is_wrong_and_goes_on(line, why):
    said = engine(line, "ping", words=("--plain",))
    errors = [answer for answer in said if answer.startswith("error message=")]
    assert len(errors) == 1
    assert why in errors[0]
    assert "pong" in said


@pytest.mark.parametrize("words", ["think", "ponder", "analyze"])
def test_hub_is_done_in_any_case(words):
    said = engine(f"pos pos=B{'e' * 31}W", f"go {words}", words=("--plain",))
    assert said == ["done"]
    said = engine(f"go {words}", words=("--plain",))
    assert said == ['error message="there is no position to search"', "done"]


def test_hub_ends_when_nobody_is_there_any_more():
    said = engine(
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "level infinite", "go analyze",
        words=("--plain",),
    )  # fmt: skip
    assert said[-1].startswith("done move=")
