"""The engine around the kernels: threads, lines, pondering, clocks, and that it stops."""

from __future__ import annotations

import dataclasses
import math
import random
import threading
from typing import Any

import pytest

from kingme import History, Piece, Position, Side
from kingme.engine.api import EngineError, Info, Limits
from kingme.engine.endgames import Tables, Value
from kingme.engine.local import LocalEngine
from kingme.engine.machine import processors
from kingme.engine.signature import POSITIONS, signature
from kingme.rules.outcome import STANDARD
from kingme.rules.variant import VARIANTS

CROWD = "W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:BK21,K22,K23,K24,K25,K26,K27,K28,K29,K30,K31,K32"
CHASE = "W:WK14,K15:BK1,K5"
ONE_MOVE = "B:W14,18:B9"


def at(fen: str) -> History:
    return History.start(Position.from_fen(fen))


def test_threads_search_together():
    engine = LocalEngine(4, threads=3)
    history = History.start()
    for _ in range(3):
        *_, info = engine.analyse(history, Limits(depth=13))
        assert info.depth == 13
        assert info.move in history.position.legal_moves
    assert engine.best_move(history, Limits(nodes=30_000)).nodes <= 30_000
    with pytest.raises(ValueError, match="1 or more"):
        LocalEngine(1, threads=0)


def test_no_more_threads_search_than_there_are_processors():
    engine = LocalEngine(1, threads=200)
    assert 1 <= engine.threads == min(200, processors())
    helpers = [
        sum(thread.name == "kingme-helper" for thread in threading.enumerate())
        for _ in engine.analyse(History.start(), Limits(depth=10))
    ]
    assert len(helpers) == 10
    assert max(helpers) < processors()


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"table_mib": 0}, ValueError, "table_mib is 1 or more, not 0"),
        ({"table_mib": -1}, ValueError, "table_mib is 1 or more, not -1"),
        ({"table_mib": 1 << 30}, EngineError, r"a table has 1 to \d+ MiB on this machine"),
        ({"table_mib": 1 << 90}, EngineError, r"a table has 1 to \d+ MiB on this machine"),
        ({"table_mib": "16"}, TypeError, "table_mib is a whole number, 1 or more, not '16'"),
        ({"table_mib": 1.5}, TypeError, "table_mib is a whole number"),
        ({"threads": 0}, ValueError, "threads is 1 or more, not 0"),
        ({"threads": None}, TypeError, "threads is a whole number"),
        ({"sight": -5}, ValueError, "sight is 0 to 99, not -5"),
        ({"sight": 1 << 70}, ValueError, "sight is 0 to 99"),
        ({"clock": "foo"}, ValueError, "clock is 'wall' or 'cpu', not 'foo'"),
        ({"endgames": "bogus"}, ValueError, "endgames are Tables, 'ready' or 'none', not 'bogus'"),
        ({"endgames": None}, ValueError, "endgames are Tables, 'ready' or 'none', not None"),
        ({"weights": "best"}, TypeError, "weights are Weights or None, not 'best'"),
    ],
)
def test_an_engine_refuses_what_makes_no_sense(given, error, says):
    with pytest.raises(error, match=says):
        LocalEngine(**{"table_mib": 1, **given})


def test_a_search_refuses_what_makes_no_sense():
    engine = LocalEngine(1)
    start = History.start()
    russian = History.start(variant=VARIANTS["russian"])
    searches: list[Any] = [engine.analyse, engine.best_move, engine.judge]
    for search in searches:
        with pytest.raises(EngineError, match=r"not Russian draughts: kingme\.engine\.generic"):
            search(russian, Limits(depth=3))
        with pytest.raises(TypeError, match="history is a History, not 'start'"):
            search("start", Limits(depth=3))
        with pytest.raises(TypeError, match="limits is a Limits, not 3"):
            search(start, 3)
        with pytest.raises(TypeError, match="preset is a DrawPreset, not 'standard'"):
            search(start, Limits(depth=3), "standard")
    with pytest.raises(ValueError, match="workers is 1 or more, not 0"):
        Tables.build(2, workers=0)
    assert engine.best_move(start, Limits(depth=3)).depth == 3


def test_limits_are_numbers():
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"depth": "3"}, "depth is a whole number or None, not '3'"),
        ({"nodes": 2.5}, "nodes is a whole number or None, not 2.5"),
        ({"seconds": "1"}, "seconds is a number of seconds, not '1'"),
        ({"clock": [1]}, r"clock is a number of seconds, not \[1\]"),
        ({"increment": None}, "increment is a number of seconds, not None"),
    ]
    for given, says in wrong:
        with pytest.raises(TypeError, match=says):
            Limits(**given)
    with pytest.raises(ValueError, match="limited to seconds nan"):
        Limits(seconds=math.nan)


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_limits_beyond_all_reason_are_no_limits(clock):
    engine = LocalEngine(1, clock=clock, threads=2)
    for limits in (
        Limits(depth=5, seconds=1e300),
        Limits(depth=5, seconds=math.inf),
        Limits(depth=5, clock=1e300, increment=1e300),
        Limits(depth=5, nodes=1 << 63),
        Limits(depth=5, nodes=10**40),
    ):
        assert engine.best_move(History.start(), limits).depth == 5
        assert engine.judge(History.start(), limits)[2].depth == 5


def test_threads_prove_what_one_proves():
    info = LocalEngine(1, threads=2).best_move(at("W:WK19,K23:BK28"), Limits(depth=20))
    assert info.score.plies_to_end == 15


def test_several_lines_are_the_best_moves_in_order():
    engine = LocalEngine(2)
    history = at("W:W23,24,28:B14,15,16")
    infos = list(engine.analyse(history, Limits(depth=7), lines=3))
    assert [info.line for info in infos[-3:]] == [1, 2, 3]
    assert {info.depth for info in infos[-3:]} == {7}
    assert str(infos[-3].move) == "24-19"
    assert len({info.move for info in infos[-3:]}) == 3
    scores = [info.score for info in infos[-3:]]
    assert scores == sorted(scores, reverse=True)
    moves = len(history.position.legal_moves)
    all_lines = list(engine.analyse(history, Limits(depth=3), lines=99))
    assert [info.line for info in all_lines[-moves:]] == list(range(1, moves + 1))
    for info in all_lines:
        position = history.position
        for move in info.pv:
            position = position.play(move)
    with pytest.raises(ValueError, match="1 or more"):
        engine.analyse(history, Limits(depth=3), lines=0)


def test_infos_are_told_as_they_come():
    told: list[Info] = []
    infos = list(LocalEngine(1).analyse(History.start(), Limits(depth=6), on_info=told.append))
    assert told == infos
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)
    assert all(info.deepest >= info.depth - 1 for info in infos)
    assert {info.bound for info in infos} == {""}


def test_a_forced_move_takes_no_clock():
    history = at(ONE_MOVE)
    assert len(history.position.legal_moves) == 1
    info = LocalEngine(1).best_move(history, Limits(clock=1e6))
    assert info.depth == 1


def test_a_thread_with_a_search_open_does_not_wait_for_itself():
    engine = LocalEngine(1)
    start = History.start()
    infos = iter(engine.analyse(start, Limits(depth=4)))
    next(infos)
    with pytest.raises(EngineError, match=r"has a search of the engine open: .* close\(\) it"):
        engine.best_move(start, Limits(depth=2))
    with pytest.raises(EngineError, match="search of the engine open"):
        engine.clear()
    with pytest.raises(EngineError, match="search of the engine open"):
        engine.judge(start, Limits(depth=2))
    found = []
    other = threading.Thread(target=lambda: found.append(engine.best_move(start, Limits(depth=2))))
    other.start()
    assert [info.depth for info in infos] == [2, 3, 4]
    other.join()
    assert found[0].depth == 2
    assert engine.best_move(start, Limits(depth=2)).depth == 2


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_limits_of_time(clock):
    engine = LocalEngine(1, threads=2, clock=clock)
    history = History.start()
    for limits in (
        Limits(seconds=0.02),
        Limits(clock=0.5),
        Limits(clock=0.3, increment=0.01),
        Limits(clock=0.1, moves=1),
    ):
        info = engine.best_move(history, limits)
        assert info.move in history.position.legal_moves


def test_pondering_waits_for_the_move_that_was_expected():
    engine = LocalEngine(1)
    deep, done = threading.Event(), threading.Event()
    last: list[Info] = []

    def work() -> None:
        for info in engine.analyse(History.start(), Limits(seconds=0.001), ponder=True):
            last.append(info)
            if info.depth == 9:
                deep.set()
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert deep.wait(60)
    assert not done.is_set()
    engine.ponderhit()
    assert done.wait(60)
    thread.join()
    assert last[-1].depth >= 9


def test_a_hit_or_a_stop_before_the_search_began_counts():
    engine = LocalEngine(1)
    found = engine.analyse(History.start(), Limits(seconds=0.001), ponder=True)
    engine.ponderhit()
    assert list(found)
    found = engine.analyse(History.start(), Limits())
    engine.stop()
    assert [info.depth for info in found] == [1]
    assert engine.best_move(History.start(), Limits(depth=3)).depth == 3


@pytest.mark.parametrize("threads", [1, 2])
def test_searches_stopped_at_any_moment_answer(threads):
    engine = LocalEngine(1, threads=threads)
    chance = random.Random(threads)
    fens = [CROWD, CHASE, ONE_MOVE, *POSITIONS]
    for number in range(40):
        history = at(fens[number % len(fens)])
        timer = threading.Timer(chance.random() * 0.02, engine.stop)
        found = engine.analyse(history, Limits())
        timer.start()
        for info in found:
            assert info.move in history.position.legal_moves
        timer.cancel()
        timer.join()


def test_the_signature_is_known():
    assert signature() == SIGNATURE


SIGNATURE = 1_124_088
"""Changes with every change of what the search does: note it in the commit that makes it."""


@pytest.fixture(scope="module")
def solved() -> Tables:
    return Tables.build(3)


def test_solved_positions_are_known_with_their_distance(solved):
    engine = LocalEngine(1, endgames=solved)
    chance = random.Random(3)
    seen = set()
    for _ in range(120):
        squares = chance.sample(range(1, 33), 3)
        black = Piece(Side.BLACK, king=True)
        white = Piece(Side.WHITE, king=True)
        man = Piece(Side.BLACK, king=squares[2] > 28)
        pieces = {squares[0]: black, squares[1]: white, squares[2]: man}
        position = Position.of(pieces, chance.choice(list(Side)))
        if not position.legal_moves:
            continue
        score = engine.best_move(History.start(position), Limits(depth=2)).score
        distance = solved.distance(position)
        assert score.plies_to_end == distance, position.fen
        value = solved.value(position)
        assert (score.value > 0, score.value < 0) == (value is Value.WIN, value is Value.LOSS)
        seen.add(value)
    assert seen == set(Value)


def test_a_solved_win_that_the_progress_rule_may_end_is_not_claimed(solved):
    engine = LocalEngine(1, endgames=solved)
    preset = dataclasses.replace(STANDARD, progress_plies=10)
    history = at("W:WK19,K23:BK28")
    assert solved.distance(history.position) == 15
    assert engine.best_move(history, Limits(depth=2)).score.plies_to_end == 15
    score = engine.best_move(history, Limits(depth=2), preset).score
    assert score.plies_to_end is None
    assert score.likely and score.value > 0
    assert str(score) == "winning by the database, but the draw rule may come first"
    assert engine.best_move(history, Limits(depth=12), preset).score == score
