"""The search with packed values: who wins is known at its leaves, how soon is not."""

from __future__ import annotations

import dataclasses
import logging
import random
from pathlib import Path

import pytest
from tests.engine.endings import some

from kingme import History, Position
from kingme.engine.api import LIKELY, Limits
from kingme.engine.endgames import Tables, Value, files
from kingme.engine.endgames.opened import Pack
from kingme.engine.endgames.pack import Kind, assemble, order, pack_distances, pack_values
from kingme.engine.endgames.ready import ready
from kingme.engine.endgames.slices import layout
from kingme.engine.local import LocalEngine
from kingme.rules.outcome import PRESETS, STANDARD

OPEN = PRESETS["agreement"]
LONGEST = 200


@pytest.fixture(scope="module")
def solved() -> Tables:
    """All distances of 4 pieces, which the engine here does not have."""
    return Tables.have()


def written(path: Path, solved: Tables, kind: Kind = Kind.VALUES) -> Pack:
    """The packed values, or distances, of exactly 4 pieces."""
    places = layout(4).places
    packer = pack_values if kind is Kind.VALUES else pack_distances
    parts = ((m, packer(m, solved.block[places[m] : places[m] + m.positions])) for m in order(4))
    assemble(path, kind, 4, parts)
    return Pack.open(path, kind, 4)


@pytest.fixture(scope="module")
def mute(solved, tmp_path_factory) -> Tables:
    """Distances of 3 pieces, and of 4 only who wins."""
    block = Tables.build(3)
    return Tables(block.block, 3, [written(tmp_path_factory.mktemp("packs") / "4.values", solved)])


@pytest.fixture(scope="module")
def engine(mute) -> LocalEngine:
    return LocalEngine(4, endgames=mute)


def test_values_without_distances_are_kept_and_wins_make_headway(solved, engine):
    chance = random.Random(5)
    for wanted in (Value.WIN, Value.DRAW):
        for position in some(solved, wanted, 9, 4):
            history, me = History.start(position), position.turn
            for _ in range(LONGEST if wanted is Value.WIN else 24):
                now = history.position
                if not now.legal_moves:
                    break
                if now.turn is me:
                    assert solved.value(now) is wanted, position.fen
                    move = engine.best_move(history, Limits(depth=5), OPEN).move
                else:
                    move = chance.choice(solved.best_moves(now))
                history = history.play(move)
            outcome = history.outcome(OPEN)
            assert (outcome is not None and outcome.winner is me) is (wanted is Value.WIN)


def test_a_win_without_distance_is_known_proved_and_said(solved, engine):
    said = set()
    for wanted in Value:
        for position in some(solved, wanted, 8, 6):
            info = engine.best_move(History.start(position), Limits(depth=4), OPEN)
            assert (info.result, info.proof) == (str(wanted), "database"), position.fen
            assert info.move in solved.keeping_moves(position)
            if info.score.known:
                said.add(str(info.score))
    assert said == {"wins by the endgame database", "loses by the endgame database"}


def test_a_draw_rule_makes_a_win_without_distance_likely(solved, engine):
    likely = 0
    for position in some(solved, Value.WIN, 8, 7):
        info = engine.best_move(History.start(position), Limits(depth=3), STANDARD)
        assert not info.score.known
        assert info.score.likely or info.score.won, position.fen
        likely += info.score.likely
        assert info.result == (None if info.score.likely else "win")
    assert likely


def test_under_a_draw_rule_packed_distances_lead_to_the_soonest_win_and_the_latest_loss(
    solved, mute, tmp_path
):
    distances = written(tmp_path / "4.distances", solved, Kind.DISTANCES)
    engine = LocalEngine(1, endgames=Tables(mute.block, 3, [*mute.packs, distances]))
    preset = dataclasses.replace(STANDARD, progress_plies=12)
    seen = set()
    for wanted in (Value.WIN, Value.LOSS):
        for position in some(solved, wanted, 24, 8):
            plies = solved.distance(position) or 0
            if plies > 20 and not position.must_jump:
                info = engine.best_move(History.start(position), Limits(depth=3), preset)
                assert info.score.likely and info.solved, position.fen
                if wanted is Value.LOSS:
                    assert info.score.value == plies - LIKELY
                    assert info.move in solved.best_moves(position)
                assert info.move in solved.keeping_moves(position)
                seen.add(wanted)
    assert len(seen) == 2


def test_positions_of_more_pieces_are_proved_by_exchanges(engine):
    # A king is given, and four pieces are left.
    history = History.start(Position.from_fen("B:W20:BK1,K2,22,K31"))
    info = engine.best_move(history, Limits(depth=5), OPEN)
    assert not info.solved
    assert info.score.known
    assert (info.result, info.proof, str(info.move)) == ("win", "database", "2-7")


def test_what_is_kept_is_opened_once_and_what_is_damaged_is_told_once(
    solved, tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    assert ready() is None
    path = files.path_of()
    assert path is not None
    solved.save(path)
    found = ready()
    assert found is not None and found.pieces == 4
    assert ready() is found
    assert LocalEngine(1).best_move(History.start(), Limits(depth=2)).depth == 2
    damaged = files.pack_path(5, "values")
    assert damaged is not None
    damaged.write_bytes(b"no database")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            again = ready()
            assert again is not None and again.pieces == 4
    assert again is ready()
    (told,) = [record.getMessage() for record in caplog.records]
    assert str(damaged) in told and told.endswith("the engine plays on without it")
