"""Fitting: it finds the weights that made the results."""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels import evaluate as terms
from kingme.engine.kernels.board import scalars
from kingme.engine.training.features import ROOM, features
from kingme.engine.training.fit import Settings, fit, scale_of
from kingme.engine.training.records import ROW, compact


def positions(random_positions, count):
    found = np.zeros((count, 4), np.int64)
    for row, position in zip(found, random_positions(count), strict=True):
        own, opp, kings, black = scalars(position)
        row[:] = (own, opp, kings, black) if black else (opp, own, kings, black)
    return found


def values_of(boards, pairs):
    """What positions are worth to Black by weights in hundredths."""
    ids, counts = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    found = np.zeros(len(boards))
    for i, (black, white, kings, turn) in enumerate(boards):
        n = features(np.uint64(black), np.uint64(white), np.uint64(kings), int(turn), ids, counts)
        opening, ending = counts[:n] @ pairs[ids[:n]]
        share = min(max((int(black) | int(white)).bit_count() - 4, 0), 16) / 16
        found[i] = opening * share + ending * (1 - share)
    return found


def rows_with(boards, truth, chance):
    """Positions whose results a lottery draws, with the chance that the weights give."""
    rows = np.zeros(len(boards), ROW)
    values = values_of(boards, truth)
    for index, name in enumerate(("black", "white", "kings")):
        rows[name] = compact(boards[:, index])
    turns = boards[:, 3]
    rows["score"] = np.clip(np.where(turns, values, -values), -3000, 3000)
    wins = chance.random(len(boards)) < 1 / (1 + np.exp(-values / 100))
    rows["turn_result"] = turns | 4 * wins
    return rows


def test_known_weights_are_found_again(random_positions):
    chance = np.random.default_rng(3)
    truth = np.zeros((terms.WEIGHTS_SIZE, 2))
    truth[terms.MAN], truth[terms.KING], truth[terms.TURN] = (40, 60), (60, 80), (20, 10)
    truth[terms.STEPS] = (4, 8)
    rows = rows_with(positions(random_positions, 6000), truth, chance)
    games = np.arange(len(rows))
    settings = Settings(epochs=30, batch=512, blend=0.9, pattern_spread=0.5, spread=40, few=1.0)
    told = []
    found = fit(rows, games, np.zeros_like(truth), settings, told.append)
    assert abs(found.scale - 100) < 8
    for index in (terms.MAN, terms.TURN, terms.STEPS):
        assert np.allclose(found.pairs[index], truth[index], rtol=0.2, atol=3)
    # What a king is worth is spread over its squares and moves, so values tell more.
    boards = positions(random_positions, 300)
    assert np.corrcoef(values_of(boards, found.pairs), values_of(boards, truth))[0, 1] > 0.98
    assert len(told) == 30
    assert told[-1].held_out < told[0].held_out
    again = fit(rows, games, np.zeros_like(truth), settings)
    assert (again.pairs == found.pairs).all()


def test_the_scale_of_scores():
    chance = np.random.default_rng(1)
    scores = chance.normal(0, 200, 50_000)
    results = (chance.random(50_000) < 1 / (1 + np.exp(-scores / 130))).astype(float)
    assert abs(scale_of(scores, results, np.ones(50_000)) - 130) < 4
