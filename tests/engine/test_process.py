"""Engines in processes of their own: ours for real, and programs that behave in every bad way."""

import os
import sys
import textwrap
import threading
import time

import pytest
from tests.processes import ends

from kingme.engine.api import EngineError, GameOverError, Limits
from kingme.engine.hub import HubEngine
from kingme.engine.lines import LineEngine
from kingme.engine.process import LineProcess
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS

PLAIN = [sys.executable, "-m", "kingme", "engine", "--plain"]
KINDS = pytest.mark.parametrize(
    "kind", [HubEngine, lambda command, **more: LineEngine([*command, "--lines"], **more)],
    ids=["hub", "lines"],
)  # fmt: skip


def program(tmp_path, source):
    """A program that a user could have, written to a file."""
    file = tmp_path / "engine.py"
    file.write_text("import os, sys, time\n" + textwrap.dedent(source))
    return [sys.executable, "-u", str(file)]


def gone(pid):
    """Whether a process has ended and was reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


HUB = """
    for line in sys.stdin:
        word = line.split()[0]
        if word == "hub":
            print('id name=Odd author="A B"')
            print('param name=variant value=english type=enum values="english normal"')
            print("param name=size value=4 type=int min=1 max=8")
            print("wait")
        elif word == "init":
            print("ready")
        elif word == "ping":
            print("pong")
        elif word == "quit":
            break
        elif word == "go":
            {}
"""


@KINDS
def test_our_engine_is_spoken_to(kind):
    with kind(PLAIN) as engine:
        infos = list(engine.analyse(History.start(), Limits(depth=4)))
        assert [info.depth for info in infos] == [1, 2, 3, 4]
        assert infos[-1].nodes > 20
        assert infos[-1].move in Position.start().legal_moves
        pid = engine.pid
    assert gone(pid)
    with pytest.raises(EngineError, match="has been closed"):
        engine.best_move(History.start(), Limits(depth=1))


@KINDS
def test_the_score_of_a_forced_end_arrives(kind):
    with kind(PLAIN) as engine:
        info = engine.best_move(History.start("W:WK15,K22:BK4"), Limits(depth=9))
    assert str(info.score) == "wins in 2 moves"
    assert list(map(str, info.pv)) == ["15-11", "4-8", "11x4"]


@KINDS
def test_every_variant_is_understood_by_both_sides(kind):
    with kind(PLAIN) as engine:
        for variant in VARIANTS.values():
            history = History.start(Position.start(variant))
            for _ in range(3):
                info = engine.best_move(history, Limits(depth=1))
                history = history.play(info.move)
        pid = engine.pid
    assert gone(pid)


@KINDS
def test_a_stop_from_another_thread_ends_an_endless_search(kind):
    with kind(PLAIN) as engine:
        threading.Timer(0.4, engine.stop).start()
        began = time.monotonic()
        infos = list(engine.analyse(History.start(), Limits()))
        assert 0.3 < time.monotonic() - began < 3
        assert infos
        engine.stop()  # nothing runs: nothing happens
        assert engine.best_move(History.start(), Limits(depth=2)).depth == 2


@KINDS
def test_a_search_that_is_left_early_leaves_the_engine_usable(kind):
    with kind(PLAIN) as engine:
        infos = engine.analyse(History.start(), Limits())
        next(infos)
        infos.close()
        assert engine.best_move(History.start(), Limits(seconds=0.2)).depth >= 1
        engine.new_game()
        assert engine.best_move(History.start(), Limits(nodes=50)).nodes <= 60


@KINDS
def test_repetitions_before_the_present_are_told(kind):
    history = History.start("W:WK1,K5:BK32,K28")
    for text in ("1-6", "32-27", "6-1", "27-32", "1-6", "32-27", "6-1", "27-32"):
        history = history.play(text)
    with kind(PLAIN) as engine:
        assert engine.best_move(history, Limits(depth=2)).move in history.position.legal_moves


@KINDS
def test_a_finished_game_is_refused(kind):
    with kind(PLAIN) as engine, pytest.raises(GameOverError):
        engine.analyse(History.start("B:W32:B"), Limits(depth=1))


@KINDS
def test_the_death_of_the_engine_while_it_thinks_is_an_error(kind):
    with kind(PLAIN) as engine:
        threading.Timer(0.4, os.kill, (engine.pid, 9)).start()
        began = time.monotonic()
        with pytest.raises(EngineError, match="was ended by SIGKILL after it was told 'go"):
            engine.best_move(History.start(), Limits(seconds=60))
        assert time.monotonic() - began < 5
        assert not engine.running
        with pytest.raises(EngineError):
            engine.best_move(History.start(), Limits(seconds=1))
        pid = engine.pid
    assert gone(pid)


def test_options_by_name():
    with HubEngine(PLAIN, options={"hash": 4}) as engine:
        assert engine.id["name"] == "kingme"
        assert engine.params["hash"].kind == "int"
    with pytest.raises(EngineError, match="no option 'colour': its options are variant, hash"):
        HubEngine(PLAIN, options={"colour": 1})
    with pytest.raises(EngineError, match=r"hash is 1 to \d+, not 0"):
        HubEngine(PLAIN, options={"hash": 0})
    with LineEngine([*PLAIN, "--lines"], options={"hashsize": 4, "clock": "cpu"}) as engine:
        assert engine.title.startswith("kingme ")
        assert engine.best_move(History.start(), Limits(seconds=0.2)).depth >= 1
        with pytest.raises(EngineError, match="refuses 'set hash x': hash is followed by"):
            engine.set("hash", "x")
        with pytest.raises(EngineError, match="no option 'colour'"):
            engine.set("colour", 1)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["/no/such/program"], "cannot be started: No such file"),
        ("", "is empty"),
        ("'", "cannot be read"),
        ([sys.executable, "-c", "import sys; sys.exit('sorry')"], "status 1.*sorry"),
    ],
)
@pytest.mark.parametrize("kind", [HubEngine, LineEngine])
def test_what_cannot_start_is_explained(kind, command, message):
    with pytest.raises(EngineError, match=message):
        kind(command)


@pytest.mark.parametrize("kind", [HubEngine, LineEngine])
def test_silence_at_the_handshake_is_an_error_and_leaves_no_process(kind, tmp_path):
    command = program(tmp_path, "print('hello', os.getpid())\ntime.sleep(100)")
    began = time.monotonic()
    with pytest.raises(EngineError, match=r"within 1.5 s: it said 'hello \d+'") as caught:
        kind(command, handshake=1.5)
    assert time.monotonic() - began < 4
    assert gone(int(str(caught.value).split("hello ")[1].split("'")[0]))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("print('done move=1-2')", "'done move=1-2', which makes no sense: .*Legal: 9-13"),
        ("print('done move=nonsense')", "'nonsense' is no move"),
        ("print('done')", "'' is no move"),
        ("print('info depth=x pv=\"11-15\"')", "info depth=x .*makes no sense"),
        ("print('info pv=\"11-15')", "has no partner"),
        ("print('error message=\"no memory\"')", "no memory"),
        ("sys.exit(3)", "ended with status 3 after it was told 'go think'"),
        ("os.close(1); time.sleep(30)", "closed its output"),
        ("sys.stderr.write('out of memory'); sys.stderr.flush(); os.abort()", "of memory"),
        ("print('x' * 300000)", "more than 65536 bytes"),
        ("time.sleep(100)", "has not answered after 1.* and was ended"),
        ("\n            ".join(["while True:", "    print('info depth=1')"]), "not answered"),
    ],
)
def test_bad_answers_are_errors_that_name_the_line(tmp_path, answer, message):
    command = program(tmp_path, HUB.format(answer))
    began = time.monotonic()
    with HubEngine(command, grace=1) as engine:
        with pytest.raises(EngineError, match=message):
            engine.best_move(History.start(), Limits(seconds=0.5))
        pid = engine.pid
    assert time.monotonic() - began < 6
    assert gone(pid)


def test_an_engine_that_ignores_stop_and_quit_is_ended(tmp_path):
    command = program(
        tmp_path,
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        + textwrap.dedent(HUB.format("print('info depth=1 pv=11-15'); forever()"))
        .replace("for line", "def forever():\n    while True: time.sleep(1)\nfor line"),
    )  # fmt: skip
    engine = HubEngine(command, grace=0.5)
    infos = engine.analyse(History.start(), Limits())
    assert str(next(infos).move) == "11-15"
    engine.stop()
    with pytest.raises(EngineError, match="has not answered"):
        list(infos)
    assert gone(engine.pid)
    engine.close()


def test_an_engine_that_does_not_read_is_not_waited_for(tmp_path):
    with LineProcess(program(tmp_path, "time.sleep(100)")) as process:
        began = time.monotonic()
        with pytest.raises(EngineError, match="does not read its input"):
            process.send("x" * 6_000_000)
        assert time.monotonic() - began < 5
    assert gone(process.pid)


def test_what_an_engine_started_ends_with_it(tmp_path):
    command = program(
        tmp_path,
        """
        import subprocess
        child = subprocess.Popen(["sleep", "100"])
        print(child.pid, flush=True)
        """,
    )
    with LineProcess(command) as process:
        child = int(process.read(time.monotonic() + 10) or 0)
    assert ends(child)


def test_variants_that_an_engine_does_not_play(tmp_path):
    command = program(tmp_path, HUB.format("print('done move=11-15')"))
    with HubEngine(command) as engine:
        assert str(engine.best_move(History.start(), Limits(depth=1)).move) == "11-15"
        with pytest.raises(EngineError, match=r"does not play .*: it plays english, normal"):
            engine.best_move(
                History.start(Position.start(VARIANTS["italian"])), Limits(depth=1)
            )  # fmt: skip


def test_moves_told_at_the_end_alone_are_taken(tmp_path):
    command = program(tmp_path, HUB.format("print('Thinking.'); print('done move=11-15')"))
    with HubEngine(command) as engine:
        infos = list(engine.analyse(History.start(), Limits(depth=3)))
    assert [(info.depth, str(info.move)) for info in infos] == [(0, "11-15")]


LINES = """
    for line in sys.stdin:
        word = line.split()[0]
        known = {{"name": "name Odd", "ready": "readyok", "position": "ok", "go": {!r}}}
        print(known.get(word, "?"))
"""


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("bestmove", "no move follows"),
        ("bestmove none", "there are moves in B:W21"),
        ("bestmove 1-2", "1-2 is not legal"),
        ("bestmove 11-15 fen B:W18:B1", "after 11-15 the position is W:W21"),
        ("info depth 1 score much pv 11-15", "'much'"),
        ("error too tired", "too tired"),
    ],
)
def test_bad_lines_are_errors_that_name_them(tmp_path, answer, message):
    with LineEngine(program(tmp_path, LINES.format(answer))) as engine:
        with pytest.raises(EngineError, match=f"says '{answer}'.*{message}"):
            engine.best_move(History.start(), Limits(seconds=1))
        assert not engine.running
