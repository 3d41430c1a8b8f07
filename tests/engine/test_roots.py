"""Roots that the endgame database has: answered at once, won in time, never lost."""

from __future__ import annotations

import dataclasses
import random

import pytest
from tests.engine.endings import some

from kingme import History, Position
from kingme.engine.api import KNOWN, WIN, Info, Limits, Score
from kingme.engine.endgames import EndgameError, Tables, Value
from kingme.engine.endgames.roots import Root
from kingme.engine.local import LocalEngine
from kingme.rules.moves import Move
from kingme.rules.outcome import PRESETS, STANDARD, Termination

OPEN = PRESETS["agreement"]
CHASE = "W:WK19,K23:BK28"


@pytest.fixture(scope="module")
def solved() -> Tables:
    return Tables.have()


@pytest.fixture(scope="module")
def engine(solved) -> LocalEngine:
    return LocalEngine(1, endgames=solved)


def at(fen: str) -> History:
    return History.start(Position.from_fen(fen))


def test_won_endings_are_won_within_their_distance_and_drawn_ones_are_not_lost(solved, engine):
    chance = random.Random(7)
    for wanted in (Value.WIN, Value.DRAW):
        for position in some(solved, wanted, 12, 1):
            distance = solved.distance(position)
            history, me = History.start(position), position.turn
            for _ in range(distance or 40):
                if not history.position.legal_moves:
                    break
                if history.position.turn is me:
                    move = engine.best_move(history, Limits(depth=9), OPEN).move
                else:
                    move = chance.choice(solved.best_moves(history.position))
                history = history.play(move)
            outcome = history.outcome(OPEN)
            if wanted is Value.WIN:
                assert outcome is not None and outcome.winner is me, position.fen
            else:
                assert outcome is None or outcome.winner is not me.other, position.fen


def test_an_answer_of_the_database_is_exact_sorted_and_searches_nothing(solved, engine):
    for wanted in Value:
        for position in some(solved, wanted, 6, 2):
            infos = list(engine.analyse(History.start(position), Limits(), OPEN, lines=99))
            assert [info.line for info in infos] == list(range(1, len(infos) + 1))
            assert {(info.depth, info.solved, info.proof) for info in infos} == {
                (1, True, "database")
            }
            assert infos[0].result == wanted
            assert infos[0].score.plies_to_end == solved.distance(position)
            assert infos[0].move in solved.best_moves(position)
            scores = [info.score for info in infos]
            assert scores == sorted(scores, reverse=True)
            for info in infos:
                if info.score.plies_to_end is not None:
                    assert len(info.pv) == info.score.plies_to_end
            moves, judged, best = engine.judge(History.start(position), Limits(depth=1), OPEN)
            assert dict(zip(moves, judged, strict=True)) == {i.move: i.score for i in infos}
            assert best.score == infos[0].score


def test_of_draws_that_one_is_played_which_leaves_the_fewest_safe_replies(solved, engine):
    for position in some(solved, Value.DRAW, 6, 3):
        root = Root.of(History.start(position), solved, OPEN)
        assert root is not None

        def safe(move, position=position):
            after = position.after(move)
            return len(solved.keeping_moves(after)) / len(after.legal_moves)

        move = engine.best_move(History.start(position), Limits(), OPEN).move
        assert safe(move) == min(map(safe, root.keeping()))


def test_a_win_that_a_draw_rule_may_end_is_played_on_and_a_loss_is_saved_by_it(solved, engine):
    preset = dataclasses.replace(STANDARD, progress_plies=10)
    root = Root.of(at(CHASE), solved, preset)
    assert root is not None and not root.settled
    # No search talks the engine out of the shortest win: the other side may err, or claim nothing.
    for depth in (4, 12):
        info = engine.best_move(at(CHASE), Limits(depth=depth), preset)
        assert info.score.likely and info.depth == depth
        assert (info.result, info.proof, len(info.pv)) == (None, None, 15)
        assert info.move in solved.best_moves(at(CHASE).position)
    lost = at(CHASE).play(info.move)
    assert engine.best_move(lost, Limits(depth=4), preset).score.likely
    info = engine.best_move(lost, Limits(depth=12), preset)
    assert (info.score.value, info.result, info.proof) == (0, None, None)


def test_a_win_that_is_there_before_the_draw_rule_is_found_beyond_the_database(solved, engine):
    # A man's move on the way begins the count anew.
    preset = dataclasses.replace(STANDARD, progress_plies=12)
    found = 0
    for position in some(solved, Value.WIN, 60, 11):
        distance = solved.distance(position) or 0
        if 12 < distance < 20 and not position.must_jump:
            info = engine.best_move(History.start(position), Limits(depth=9), preset)
            assert info.score.likely or info.score.won, position.fen
            assert info.move in solved.keeping_moves(position)
            found += info.score.won
    assert found


def test_what_the_database_lacks_is_no_root(solved):
    assert Root.of(History.start(), solved, OPEN) is None
    assert Root.of(at(CHASE), None, OPEN) is None


class Mute:
    """A database that tells who wins, and of positions with ``told`` pieces in how many plies."""

    def __init__(self, tables: Tables, told: int) -> None:
        self.pieces, self.told = tables.pieces, told
        self.value, self.keeping_moves = tables.value, tables.keeping_moves
        self._distance = tables.distance

    def distance(self, position: Position) -> int | None:
        if len(position.pieces) > self.told and self.value(position) is not Value.DRAW:
            raise EndgameError("no distances of so many pieces are kept")
        return self._distance(position)


def test_without_distances_the_moves_that_keep_the_value_are_known(solved):
    mute: object = Mute(solved, 3)
    history = at("W:WK1,K2,K3:BK31")
    root = Root.of(history, mute, OPEN)  # type: ignore[arg-type]
    assert root is not None and not root.settled
    assert set(root.keeping()) == set(solved.keeping_moves(history.position))
    assert root.best.score == KNOWN - 1
    kept = root.keeping()[0]
    assert root.agrees(kept, 300) and not root.agrees(kept, 0)
    round_again = Root.of(circle(history, root.keeping()), mute, OPEN)  # type: ignore[arg-type]
    assert round_again is not None
    assert set(round_again.keeping()) == set(root.keeping()) - {kept}


def circle(history: History, keeping: list[Move]) -> History:
    """Both sides go there and back, the one to move first by the first of these moves."""
    move = keeping[0]
    back = Move((move.end, move.start))
    there = history.play(move)
    for reply in there.position.legal_moves:
        now = there.play(reply)
        if back in now.position.legal_moves:
            now = now.play(back)
            home = Move((reply.end, reply.start))
            if home in now.position.legal_moves:
                return now.play(home)
    raise AssertionError("no circle")


def test_one_rule_says_what_is_proved():
    line = Position.start().legal_moves[:1]
    drawn, even = Info(1, Score(0), 1, 0.0, line, solved=True), Info(9, Score(0), 1, 0.0, line)
    assert (drawn.result, drawn.proof) == ("draw", "database")
    assert (even.result, even.proof) == (None, None)
    for value, result, proof, words in (
        (WIN - 3, "win", "search", "wins in 2 moves"),
        (2 - WIN, "loss", "search", "loses in 1 move"),
        (KNOWN - 9, "win", "database", "wins by the endgame database"),
        (9 - KNOWN, "loss", "database", "loses by the endgame database"),
        (24_900, None, None, "winning by the database, but the draw rule may come first"),
        (250, None, None, "+2.50"),
    ):
        score = Score(value)
        assert (score.result, score.proof, str(score)) == (result, proof, words)
        assert score.won is (result == "win")
        info = Info(9, score, 1, 0.0, line)
        assert (info.result, info.proof) == (result, proof)
        if result:
            assert dataclasses.replace(info, solved=True).proof == "database"


def test_under_a_hard_rule_headway_is_made_in_time_and_nothing_repeats(solved, engine):
    preset = dataclasses.replace(STANDARD, progress_plies=12)
    chance = random.Random(2)
    won = []
    for position in some(solved, Value.WIN, 70, 21):
        if (solved.distance(position) or 0) < 24 or position.must_jump:
            continue
        history, me = History.start(position), position.turn
        while history.outcome(preset) is None:
            if history.position.turn is me:
                move = engine.best_move(history, Limits(depth=2), preset).move
            else:
                move = chance.choice(solved.best_moves(history.position))
            history = history.play(move)
        outcome = history.outcome(preset)
        assert outcome is not None
        assert outcome.termination is not Termination.REPETITION, position.fen
        won.append(outcome.winner is me)
    assert len(won) >= 3
    assert sum(won) >= 3
