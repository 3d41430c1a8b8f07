"""The levels: that they err as people do, and less and less, and how that is measured."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest

import levels as bench
from kingme import History, Position, Side
from kingme.engine.api import Info, Limits
from kingme.engine.entrants import Entrant
from kingme.engine.generic import GenericEngine
from kingme.engine.levels import LEVELS, level_of
from kingme.engine.local import LocalEngine
from kingme.engine.match import play, tasks
from kingme.engine.plain import PlainEngine
from kingme.engine.thinking import choose
from kingme.engine.training.openings import eleven_man
from kingme.rules.outcome import STANDARD
from kingme.rules.variant import VARIANTS

LONG = 600.0
WHIMSICAL = [level for level in LEVELS if level.whim]


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine(1, endgames="none")


def chosen(engine: LocalEngine, history: History, number: int, seed: int) -> Info:
    engine.clear()
    chance = random.Random(seed)
    return choose(engine, history, level_of(number), chance, STANDARD, LONG)


def first_sight(position: Position) -> dict[str, int]:
    """What stands after each move, the jump that answers it, and the one back, in 0.01 man."""
    side = position.turn

    def standing(now: Position) -> int:
        pieces = now.pieces.values()
        return sum((130 if p.king else 100) * (1 if p.side is side else -1) for p in pieces)

    def after(now: Position, jumps: int) -> int:
        if not jumps or not now.legal_moves or not now.legal_moves[0].captures:
            return standing(now)
        each = [after(now.play(move), jumps - 1) for move in now.legal_moves]
        return max(each) if now.turn is side else min(each)

    return {str(move): after(position.play(move), 2) for move in position.legal_moves}


class FirstPlan:
    """A child's first plan: you go, I go, count the men, and run for a king."""

    def best_move(self, history: History, limits: Limits, preset: object) -> Info:
        return PlainEngine().best_move(history, Limits(depth=2))


def test_a_beginner_loses_to_a_childs_first_plan():
    beginner = Entrant("level 1", lambda: LocalEngine(1, endgames="none"), level_of(1))
    openings = [History.start(position) for position in eleven_man()[::240]]
    points = 0.0
    for task in tasks(20, openings):
        beginner.new_game(task.number)
        sides = (beginner, FirstPlan()) if task.a_first else (FirstPlan(), beginner)
        done = play(*sides, task.opening, Limits(), STANDARD)
        points += done.points(Side.BLACK if task.a_first else Side.WHITE)
    assert points <= 8


@pytest.mark.parametrize("level", WHIMSICAL, ids=lambda level: level.name)
def test_nothing_is_given_away_that_first_sight_would_tell(engine, random_positions, level):
    """A move that costs a man at first sight is played only where the proper look prefers it."""
    tempted = 0
    for position in random_positions(60):
        history = History.start(position)
        if len(position.legal_moves) < 2:
            continue
        sight = first_sight(position)
        engine.clear()
        if level.glance:
            moves, scores, _ = engine.judge(history, Limits(depth=level.glance))
            sight = {str(move): score.value for move, score in zip(moves, scores, strict=True)}
        moves, scores, _ = engine.judge(history, Limits(depth=level.depth))
        worth = {str(move): score.value for move, score in zip(moves, scores, strict=True)}
        most = max(sight[move] for move in worth)
        safe = max(worth[move] for move in worth if sight[move] == most)
        for seed in range(6):
            move = str(chosen(engine, history, level.number, seed).move)
            assert sight[move] > most - 60 or worth[move] >= min(safe, 29_000), position.fen
        tempted += min(sight.values()) <= most - 60
    assert tempted > 10


def test_nobody_steps_into_a_jump_for_nothing(engine):
    given = History.start("W:W22,31,32:B13,2,3")  # 22-17 loses a man
    free = History.start("W:W22,18,31:B15,14,3,5")
    for level in WHIMSICAL:
        for seed in range(20):
            assert str(chosen(engine, given, level.number, seed).move) != "22-17"
            assert chosen(engine, free, level.number, seed).move.captures


def test_levels_err_less_and_less(engine):
    """What their moves cost by a deeper look, in hundredths of a man, in the midst of games."""
    chance = random.Random(5)
    costs = dict.fromkeys(range(1, 7), 0.0)
    for start in eleven_man()[::40]:
        history = History.start(start)
        for _ in range(chance.randint(4, 16)):
            history = history.play(chosen(engine, history, 4, chance.randrange(99)).move)
        engine.clear()
        moves, scores, _ = engine.judge(history, Limits(depth=9))
        worth = {
            move: max(-300, min(300, score.value))
            for move, score in zip(moves, scores, strict=True)
        }
        for number in costs:
            for seed in range(4):
                move = chosen(engine, history, number, seed).move
                costs[number] += max(worth.values()) - worth[move]
    assert all(costs[number] > costs[number + 2] for number in range(1, 5)), costs
    assert costs[1] > 3 * costs[5] > 6 * costs[6], costs


def test_where_all_is_to_be_lost_a_man_is_given_away():
    history = History.start("W:W22,31,32:B13,2,3", VARIANTS["antidraughts"])
    for seed in range(5):
        chance = random.Random(seed)
        info = choose(GenericEngine(), history, level_of(1), chance, STANDARD, LONG)
        assert history.play(info.move).position.legal_moves[0].captures


def test_a_forced_move_is_played_without_a_look():
    class Blind:
        """An engine that must not be asked."""

    history = History.start("B:W14,18:B9")
    for level in LEVELS:
        info = choose(Blind(), history, level, random.Random(0), STANDARD, level.seconds)  # type: ignore[arg-type]
        assert (info.move, info.nodes) == (history.position.legal_moves[0], 0)


def test_a_pair_is_measured_and_taken_up_again(tmp_path, monkeypatch, capsys):
    run = ["levels", "--pairs", "2", "--pdn", str(tmp_path / "games")]
    monkeypatch.setattr("sys.argv", [*run, "--games", "2"])
    bench.main()
    first = json.loads(capsys.readouterr().out)
    monkeypatch.setattr("sys.argv", [*run, "--games", "4"])
    bench.main()
    out, err = capsys.readouterr()
    second = json.loads(out)
    assert (first["games"], second["games"]) == (2, 4)
    assert second["won"] >= first["won"]
    assert second["won"] + second["drawn"] + second["lost"] == 4
    assert all(cost > 0 for cost in second["ms_a_move"])
    assert (second["level"], second["against"], second["required"]) == (2, 1, 0.7)
    assert "level 2 v 1: 4 of 4" in err
    monkeypatch.setattr("sys.argv", [*run, "--games", "4", "--seed", "1"])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == 2
    assert "holds another match" in capsys.readouterr().err


def test_level_8_is_measured_with_less_time():
    (pair,) = bench.pairs([8], 2, 0.05, 0)
    assert pair.upper == dataclasses.replace(level_of(8), seconds=0.05)
    assert pair.lower == level_of(7)
    assert pair.figures["seconds_of_level_8"] == 0.05
