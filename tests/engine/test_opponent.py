"""The opponent: always a legal move, whatever the engine behind it does."""

from __future__ import annotations

import threading

import pytest

from kingme import PRESETS, History, KingmeError, Position
from kingme.engine.api import GameOverError, Info, Limits, Score
from kingme.engine.book import default
from kingme.engine.levels import LEVELS, level_of
from kingme.engine.local import LocalEngine
from kingme.engine.opponent import Opponent
from kingme.engine.plain import PlainEngine

QUICK = (1, 2, 3, 4, 5, 6)


def at(fen: str) -> History:
    return History.start(Position.from_fen(fen))


@pytest.fixture(scope="module")
def opponent():
    made = Opponent(engines=2)
    made.start_warming()
    assert made.wait(240), made.detail
    yield made
    made.close()


@pytest.fixture
def cold():
    """An opponent without a compiled engine."""
    made = Opponent()
    yield made
    made.close()


def with_engine(load, engines=1):
    made = Opponent(engines=engines, load=load)
    made.start_warming()
    made.wait(60)
    return made


def test_it_warms_in_the_background(opponent):
    assert opponent.ready
    assert opponent.detail == "The engine is ready."
    opponent.start_warming()
    assert opponent.ready


def test_it_says_at_once_that_it_has_begun():
    held = threading.Event()

    def load():
        held.wait()
        raise ValueError("no more")

    made = Opponent(load=load)
    assert made.detail == "The engine has not been started; a simpler one answers."
    made.start_warming()
    assert "has not been started" not in made.detail
    assert made.detail.startswith("The engine is being ")
    held.set()
    made.close()


@pytest.mark.parametrize("level", QUICK)
def test_every_level_plays_legal_moves(opponent, random_positions, level):
    for position in random_positions(25):
        if not position.legal_moves:
            continue
        reply = opponent.reply(History.start(position), level, seed=3)
        assert reply.move in position.legal_moves
        assert reply.asked == reply.level == level
        assert reply.pv[0] == reply.move


@pytest.mark.parametrize("level", [7, 8])
def test_strong_levels_find_a_win(opponent, level):
    reply = opponent.reply(at("W:WK19,K23:BK28"), level)
    assert reply.score.plies_to_end == 15
    assert (reply.level, str(reply.move)) == (level, "23-27")


def test_a_whole_game_is_played_out(opponent):
    history = History.start()
    while history.outcome() is None:
        level = 4 if len(history.moves) % 2 else 2
        history = history.play(opponent.reply(history, level, seed=len(history.moves)).move)
    with pytest.raises(GameOverError, match="the game is over"):
        opponent.reply(history, 3)
    with pytest.raises(GameOverError, match="the game is over"):
        opponent.answer_draw_offer(history, 3, "standard")


def test_seeds_give_the_same_whims(opponent):
    history = History.start()
    for level in QUICK:
        moves = {opponent.reply(history, level, seed=11).move for _ in range(3)}
        assert len(moves) == 1
    assert len({opponent.reply(history, 1, seed=seed).move for seed in range(20)}) > 2


def test_a_beginner_takes_what_is_free_and_gives_nothing_away_at_a_glance(opponent):
    given = at("W:W22,31,32:B13,2,3")  # 22-17 would lose a man for nothing
    taken = at("W:W22,18,31:B15,14,3,5")  # two ways to take, one of them loses nothing
    for seed in range(12):
        assert str(opponent.reply(given, 1, seed=seed).move) != "22-17"
        assert opponent.reply(taken, 1, seed=seed).move.captures


def test_the_only_move_needs_no_thought(opponent, cold):
    history = at("B:W14,18:B9")
    for player in (opponent, cold):
        reply = player.reply(history, 8)
        assert (str(reply.move), reply.nodes, reply.level) == ("9-13", 0, 8)


def test_the_opening_book_is_played_from_at_once(opponent):
    for level, known in ((6, True), (8, True), (5, False)):
        reply = opponent.reply(History.start(), level, seed=1)
        assert (reply.nodes == 0) is known
        assert not known or reply.move in [one.move for one in default().moves(Position.start())]
    moves = {opponent.reply(History.start(), 6, seed=seed).move for seed in range(30)}
    assert len(moves) > 1, "games vary"


def test_analysis_gives_lines_the_best_first(opponent, cold):
    game = History.start(Position.from_fen("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"))
    found = opponent.analyse(game, 0.3, lines=3)
    assert len({info.move for info in found}) == 3
    assert [info.score for info in found] == sorted((i.score for i in found), reverse=True)
    assert all(info.move in game.position.legal_moves and info.depth > 3 for info in found)
    assert cold.analyse(game, 0.3) == ()
    with pytest.raises(GameOverError):
        opponent.analyse(History.start(Position.from_fen("W:W5:B1")), 0.3)


def test_a_finished_game_is_an_error_that_players_can_read(cold):
    for fen in ("W:W5:B1", "B:W5:B"):
        with pytest.raises(KingmeError, match=r"White|Black"):
            cold.reply(at(fen), 1)


def test_unknown_levels_and_presets(cold):
    for level in (0, 9):
        with pytest.raises(ValueError, match="no level"):
            cold.reply(History.start(), level)
    with pytest.raises(ValueError, match="no draw preset"):
        cold.reply(History.start(), 1, preset="chess")


def test_without_a_compiled_engine_a_lower_level_answers(cold, random_positions):
    assert not cold.ready
    assert not cold.wait()
    for position in random_positions(6):
        if len(position.legal_moves) < 2:
            continue
        for asked, answers in ((8, 3), (2, 2)):
            reply = cold.reply(History.start(position), asked, seed=1)
            assert reply.move in position.legal_moves
            assert (reply.asked, reply.level) == (asked, answers)


class Stuck:
    """An engine that never comes back until it is let go, whatever it is told."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.told = threading.Event()

    def analyse(self, history, limits, preset):
        self.release.wait(120)
        yield Info(1, Score(0), 1, 0.0, (history.position.legal_moves[0],))

    def judge(self, history, limits, preset):
        self.release.wait(120)
        raise RuntimeError("too late")

    def stop(self):
        self.told.set()


def test_an_engine_that_hangs_costs_no_game():
    stuck = Stuck()
    player = with_engine(lambda: stuck)
    try:
        reply = player.reply(History.start(), 1, seed=1)
        assert reply.move in Position.start().legal_moves
        assert stuck.told.is_set()
        assert player.answer_draw_offer(History.start(), 1) in (True, False)
    finally:
        stuck.release.set()
        player.close()


class Broken(Stuck):
    """An engine whose searches fail."""

    def analyse(self, history, limits, preset):
        raise RuntimeError("broken")

    def judge(self, history, limits, preset):
        raise RuntimeError("broken")


class Cheat(Stuck):
    """An engine whose move is not legal."""

    def judge(self, history, limits, preset):
        move = Position.from_fen("W:W14:B1").legal_moves[0]
        return (move,), (Score(0),), Info(1, Score(0), 1, 0.0, (move,))


@pytest.mark.parametrize("kind", [Broken, Cheat])
def test_an_engine_that_fails_costs_no_game(kind):
    player = with_engine(kind)
    for level in (1, 5):
        reply = player.reply(History.start(), level, seed=1)
        assert reply.move in Position.start().legal_moves
        assert reply.level <= 3
    assert isinstance(player.answer_draw_offer(History.start(), 1), bool) or kind is Cheat
    player.close()


def test_an_engine_that_cannot_be_loaded_is_explained():
    def load():
        raise MemoryError("no room")

    player = with_engine(load)
    assert not player.ready
    assert player.detail.endswith("MemoryError: no room")
    assert player.reply(History.start(), 5, seed=1).level == 3
    player.close()


def test_more_players_than_engines():
    player = with_engine(lambda: LocalEngine(1), engines=1)
    replies = []

    def ask(level: int) -> None:
        replies.append(player.reply(History.start(), level, seed=level))

    threads = [threading.Thread(target=ask, args=(level,)) for level in (4, 4, 5, 5, 6, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(replies) == 6
    assert all(reply.move in Position.start().legal_moves for reply in replies)
    player.close()


def test_closing_ends_a_search():
    player = with_engine(lambda: LocalEngine(1))
    deep = at("W:WK14,K15,K18,K10:BK1,K5,K32,K28")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(player.reply(deep, 8)))
    thread.start()
    player.close()
    thread.join(60)
    assert answers[0].move in deep.position.legal_moves
    assert not player.ready
    player.start_warming()
    assert not player.ready


@pytest.mark.parametrize(
    ("fen", "accepted"),
    [
        # the side to move offers; the computer has the other one
        ("W:WK1,K32:BK14", True),
        ("W:WK14:BK1,K2,K32", False),
        ("B:WK32:BK26", True),
        ("W:W24,26,27,31:B9,10,12,3", True),
        ("B:W24,26,27,31:B3", False),
    ],
)
def test_draw_offers(opponent, cold, fen, accepted):
    for player in (opponent, cold):
        assert player.answer_draw_offer(at(fen), 5, "standard") is accepted


def test_an_even_game_is_not_drawn_while_it_is_young(opponent, cold):
    for player in (opponent, cold):
        assert not player.answer_draw_offer(History.start(), 5, "standard")


def test_no_draw_is_agreed_where_the_rules_have_none(opponent):
    import dataclasses

    rules = dataclasses.replace(PRESETS["standard"], agreement=False)
    assert not opponent.answer_draw_offer(at("W:WK1,K32:BK14"), 5, rules)


def test_levels_are_in_order():
    assert [level.number for level in LEVELS] == list(range(1, 9))
    assert [level.depth for level in LEVELS] == sorted(level.depth for level in LEVELS)
    assert all(level.seconds <= 2.5 for level in LEVELS)
    assert len({level.name for level in LEVELS}) == 8
    assert level_of(1) is LEVELS[0]


def test_the_plain_engine_by_itself():
    engine = PlainEngine()
    history = at("W:W23,24,28:B14,15,16")
    infos = list(engine.analyse(history, Limits(depth=5)))
    assert [info.depth for info in infos] == [1, 2, 3, 4, 5]
    assert str(infos[-1].move) == "24-19"
    assert engine.best_move(at("W:WK14:B9"), Limits(depth=9)).score.plies_to_end == 1
    assert engine.best_move(History.start(), Limits(nodes=1)).pv
    moves, scores, info = engine.judge(history, Limits(depth=4))
    assert info.score == max(scores)
    assert len(moves) == len(scores)
    with pytest.raises(GameOverError):
        engine.judge(at("W:W5:B1"), Limits(depth=1))


def test_the_plain_engine_stops():
    engine = PlainEngine()
    for info in engine.analyse(at("W:WK14,K15,K18,K10:BK1,K5,K32,K28"), Limits()):
        if info.depth == 3:
            engine.stop()
    assert info.pv


def test_the_plain_engine_sees_a_third_occurrence():
    history = at("W:WK14,K15,K18:BK1,12")
    for text in ("15-19", "1-5", "19-15", "5-1") * 2:
        history = history.play(text)
    history = history.back(1)
    moves, scores, _ = PlainEngine().judge(history, Limits(depth=1))
    assert scores[[str(move) for move in moves].index("5-1")] == Score(0)
