"""The search for every variant: legal, in time, quick to stop, and after each variant's goal."""

import threading
import time

import pytest

from kingme.engine.api import GameOverError, Limits
from kingme.engine.generic import GenericEngine, best_move
from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side

ALL = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


@ALL
def test_each_variant_is_played_legally_and_in_time(variant):
    history = History.start(Position.start(variant))
    for _ in range(8):
        if not history.position.legal_moves:
            break
        began = time.process_time()
        move = best_move(history, seconds=0.05)
        assert time.process_time() - began < 0.1
        history = history.play(move)
    assert history.moves


@ALL
def test_the_lines_that_it_expects_are_legal(variant):
    position = Position.start(variant)
    for info in GenericEngine().analyse(History.start(position), Limits(seconds=0.2)):
        reached = position
        for move in info.pv:
            reached = reached.play(move)


@ALL
def test_a_stop_is_heard_within_50_ms(variant):
    position = Position.start(variant)
    stop = threading.Event()
    told = []

    def tell():
        stop.set()
        told.append(time.process_time())

    threading.Timer(0.15, tell).start()
    move = best_move(position, seconds=30, stop=stop)
    # The processor's time, since others may want the processor too.
    assert time.process_time() - told[0] < 0.05
    assert move in position.legal_moves


def test_a_stop_set_before_the_search_still_gives_a_move():
    stop = threading.Event()
    stop.set()
    position = Position.start()
    assert best_move(position, seconds=5, stop=stop) in position.legal_moves


def test_stop_of_the_protocol_ends_a_search():
    engine = GenericEngine()
    infos = engine.analyse(History.start(), Limits())
    next(infos)
    engine.stop()
    began = time.process_time()
    list(infos)
    assert time.process_time() - began < 0.05


def test_the_distance_to_the_end_is_right():
    history = History.start("W:WK15,K22:BK4")
    info = GenericEngine().best_move(history, Limits(depth=9))
    assert str(info.score) == "wins in 2 moves"
    assert list(map(str, info.pv)) == ["15-11", "4-8", "11x4"]


def test_losing_is_winning_where_the_goal_is_to_lose_all():
    position = Position.from_fen("W:W28:B17,12", VARIANTS["antidraughts"])
    info = GenericEngine().best_move(History.start(position), Limits(depth=8))
    assert str(info.move) == "28-22"  # 17x28, and White has nothing left
    assert str(info.score) == "wins in 1 move"


def test_the_first_king_wins_where_that_is_the_goal():
    position = Position.from_fen("W:W8,40:B31,25", VARIANTS["breakthrough"])
    history = History.start(position)
    info = GenericEngine().best_move(history, Limits(depth=5))
    assert str(info.score) == "wins in 1 move"
    with pytest.raises(GameOverError):
        best_move(history.play(info.move), seconds=1)


def test_what_nobody_could_list_is_valued_as_it_stands():
    """Kings that capture in more ways than there is work for do not stop a search."""
    variant = VARIANTS["frisian"]
    squares = ",".join(f"K{square}" for square in (12, 13, 14, 18, 22, 23, 24, 29, 32, 33, 34, 39))
    history = History.start(f"W:WK46,50:B1,{squares}", variant)
    began = time.monotonic()
    try:
        move = best_move(history, seconds=0.2)
    except KingmeError as error:
        assert "captures" in str(error)  # noqa: PT017 (either is right: what counts is the time)
    else:
        assert move in history.position.legal_moves
    assert time.monotonic() - began < 10


def test_a_repeated_position_is_a_draw():
    history = History.start("W:WK1,K5:BK32,K28")
    for text in ("1-6", "32-27", "6-1", "27-32", "1-6", "32-27", "6-1", "27-32"):
        history = history.play(text)
    moves, scores, _ = GenericEngine().judge(history, Limits(depth=2))
    known = dict(zip(map(str, moves), scores, strict=True))
    assert known["1-6"].value == 0


def test_a_level_plays_the_same_with_the_same_seed():
    position = Position.start()
    played = {str(best_move(position, seconds=5, level=2, seed=7)) for _ in range(3)}
    assert len(played) == 1
    others = {str(best_move(position, seconds=5, level=1, seed=seed)) for seed in range(12)}
    assert len(others) > 1


def test_a_finished_game_and_bad_limits_are_refused():
    lost = History.start("B:W32,27:B23,24")
    over = Position.from_fen("B:W32:B")
    with pytest.raises(GameOverError, match="the game is over"):
        best_move(over, seconds=1)
    with pytest.raises(ValueError, match="seconds 0"):
        best_move(Position.start(), seconds=0)
    with pytest.raises(ValueError, match="no level 9"):
        best_move(lost, seconds=1, level=9)


def test_it_beats_whoever_plays_the_first_move_of_the_list():
    history = History.start()
    for ply in range(120):
        moves = history.position.legal_moves
        if not moves:
            break
        best = ply % 2 == 0
        move = GenericEngine().best_move(history, Limits(depth=4)).move if best else moves[0]
        history = history.play(move)
    outcome = history.outcome()
    assert outcome is not None
    assert outcome.winner is Side.BLACK
