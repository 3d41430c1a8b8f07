"""The compiled search: what it finds, what it claims, and that it stops."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from kingme import PRESETS, History, Position
from kingme.engine.api import WIN, GameOverError, Limits, Score
from kingme.engine.kernels import evaluate as evaluation
from kingme.engine.kernels.board import scalars
from kingme.engine.local import LocalEngine
from kingme.engine.weights import default

AGREEMENT = PRESETS["agreement"]


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine(4, endgames="none")


def at(fen: str) -> History:
    return History.start(Position.from_fen(fen))


SHOTS = [
    ("W:W23,24,28:B14,15,16", "24-19"),
    ("W:W18,26,30:B10,11,19", "18-14"),
    ("W:W19,24,32:B10,11,18", "19-16"),
    ("W:W10,14,21:B1,3,17", "10-6"),
    ("W:W15,18,21,25,29:B4,5,6,8,13", "21-17"),
    ("W:WK14,24,31:B16,22,K29", "14-17"),
]


@pytest.mark.parametrize(("fen", "best"), SHOTS)
def test_shots_are_found(engine, fen, best):
    assert str(engine.best_move(at(fen), Limits(nodes=400_000)).move) == best


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("W:WK19,K23:BK28", 15),
        ("W:WK32:BK26", None),
        ("W:WK14:B9", 1),
    ],
)
def test_wins_are_found_with_their_length(engine, fen, plies):
    info = engine.best_move(at(fen), Limits(depth=30, nodes=2_000_000))
    found = info.score.plies_to_end
    assert info.score.value > 0
    assert found is not None
    if plies is not None:
        assert found == plies
    assert len(info.pv) <= found


def test_the_line_of_a_win_ends_the_game(engine):
    history = at("W:WK19,K23:BK28")
    for move in engine.best_move(history, Limits(depth=20)).pv:
        history = history.play(move)
    outcome = history.outcome()
    assert outcome is not None
    assert outcome.winner is not None
    assert len(history.moves) == 15


def test_one_king_against_one_with_the_move_is_drawn(engine):
    info = engine.best_move(at("B:WK32:BK26"), Limits(depth=40, nodes=1_000_000))
    assert info.score.plies_to_end is None


def test_a_lost_turn_is_refused(engine):
    for fen in ("W:W5:B1", "W:W:B1"):
        with pytest.raises(GameOverError, match="no move"):
            engine.analyse(at(fen), Limits(depth=1))
        with pytest.raises(GameOverError, match="no move"):
            engine.judge(at(fen), Limits(depth=1))


def test_limits(engine):
    history = History.start()
    depths = [info.depth for info in engine.analyse(history, Limits(depth=6))]
    assert depths == [1, 2, 3, 4, 5, 6]
    for nodes in (1, 2, 100, 5_000):
        info = engine.best_move(history, Limits(nodes=nodes))
        assert info.nodes <= nodes
        assert info.move in history.position.legal_moves
    assert engine.best_move(history, Limits(seconds=1e-6)).pv
    assert engine.best_move(history, Limits(seconds=0.05)).depth > 3
    for bad in ({"depth": 0}, {"nodes": -1}, {"seconds": 0.0}):
        with pytest.raises(ValueError, match="finds nothing"):
            Limits(**bad)


def test_stop_ends_an_endless_search(engine):
    history = at(
        "W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:BK21,K22,K23,K24,K25,K26,K27,K28,K29,K30,K31,K32"
    )
    infos = []

    def work() -> None:
        for info in engine.analyse(history, Limits()):
            infos.append(info)
            if info.depth == 4:
                deep.set()

    deep = threading.Event()
    thread = threading.Thread(target=work)
    thread.start()
    assert deep.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert infos[-1].move in history.position.legal_moves


def test_many_engines_at_once_and_one_engine_from_many_threads(random_positions):
    engines = [LocalEngine(1), LocalEngine(1)]
    positions = [position for position in random_positions(40) if position.legal_moves]
    wrong: list[str] = []

    def work(engine: LocalEngine) -> None:
        for position in positions:
            info = engine.best_move(History.start(position), Limits(depth=5))
            if info.move not in position.legal_moves:
                wrong.append(position.fen)

    threads = [threading.Thread(target=work, args=(engines[i % 2],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong
    assert not any(thread.is_alive() for thread in threads)


def test_random_positions_are_searched(engine, random_positions):
    for position in random_positions(150):
        if not position.legal_moves:
            continue
        for info in engine.analyse(History.start(position), Limits(depth=7, nodes=50_000)):
            after = position
            for move in info.pv:
                after = after.play(move)
            if info.score.plies_to_end is not None:
                assert info.score.plies_to_end <= 60


def test_every_move_is_judged(engine):
    history = at("W:W23,24,28:B14,15,16")
    engine.clear()
    moves, scores, info = engine.judge(history, Limits(depth=6))
    assert set(moves) == set(history.position.legal_moves)
    best = max(range(len(moves)), key=lambda i: scores[i])
    assert str(moves[best]) == "24-19" == str(info.move)
    assert info.score == scores[best] > sorted(scores)[-2]
    engine.clear()
    assert engine.judge(history, Limits(depth=6))[1] == scores


def test_the_same_search_twice_is_the_same():
    counts = set()
    for _ in range(2):
        info = LocalEngine(1).best_move(History.start(), Limits(depth=10))
        counts.add((info.nodes, info.score, info.pv))
    assert len(counts) == 1


def shuffle(times: int) -> History:
    """White is a king up and both sides have gone to and fro."""
    history = at("W:WK14,K15,K18:BK1,12")
    for _ in range(times):
        for text in ("15-19", "1-5", "19-15", "5-1"):
            history = history.play(text)
    return history


def test_repetition_with_the_game_before_is_seen(engine):
    # Two kings up, White would only throw that away by a position's third occurrence.
    history = shuffle(1).play("15-19").play("1-5")
    back = "19-15"
    moves, scores, _ = engine.judge(at(history.position.fen), Limits(depth=1))
    assert scores[[str(move) for move in moves].index(back)].value > 150
    history = history.play(back)
    assert history.repetitions() == 2
    moves, scores, _ = engine.judge(history, Limits(depth=2))
    assert scores[[str(move) for move in moves].index("5-1")] == Score(0)


def test_the_no_progress_rule_is_seen(engine):
    history = quiet_game(79)
    assert history.quiet_plies() == 79
    assert history.outcome() is None
    assert engine.best_move(history, Limits(depth=8)).score == Score(0)
    assert abs(engine.best_move(history, Limits(depth=8), AGREEMENT).score.value) > 50


def quiet_game(plies: int) -> History:
    """Two kings against one, moved about without a capture and without a repetition."""
    history = at("W:WK18,K19:BK1")
    while len(history.moves) < plies:
        history = history.play(next(quiet_moves(history)))
    return history


def quiet_moves(history: History) -> Iterator[str]:
    def seen(position: Position) -> int:
        return history.positions.count(position)

    safe = [
        move
        for move in history.position.legal_moves
        if not history.position.play(move).must_jump
        and not any(
            history.position.play(move).play(reply).must_jump
            for reply in history.position.play(move).legal_moves
        )
    ]
    moves = sorted(
        safe or history.position.legal_moves, key=lambda move: seen(history.position.play(move))
    )
    return (str(move) for move in moves)


def test_evaluation_is_the_same_for_both_sides(random_positions):
    for position in random_positions(400):
        mirrored = position.mirrored()
        value = evaluation.evaluate(*scalars(position), default().address)
        assert value == evaluation.evaluate(*scalars(mirrored), default().address), position.fen
        assert abs(value) <= evaluation.LIMIT


def test_scores_in_words():
    assert str(Score(-37)) == "-0.37"
    assert Score(WIN - 3).plies_to_end == 3
    assert Score(250).plies_to_end is None


PLAIN = """
import json, warnings
warnings.simplefilter("error")
from kingme import History, Position
from kingme.engine.api import Limits
from kingme.engine.kernels.jit import COMPILED
from kingme.engine.kernels.perft import perft
from kingme.engine.local import LocalEngine
from kingme.engine.weights import default
engine = LocalEngine(1)
found = [perft(Position.start(), 5)]
for fen in {fens}:
    info = engine.best_move(History.start(Position.from_fen(fen)), Limits(depth=6))
    found.append([info.nodes, info.score.value, [str(move) for move in info.pv]])
print(json.dumps([COMPILED, found]))
"""


def test_the_kernels_as_plain_python_find_the_same():
    fens = [Position.start().fen, *(fen for fen, _ in SHOTS), "W:WK22:B9,10,11,17,18,19,25,26,27"]
    answers = []
    for plain in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", PLAIN.format(fens=fens)],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(json.loads(done.stdout))
    assert [compiled for compiled, _ in answers] == [True, False]
    assert answers[0][1] == answers[1][1]
