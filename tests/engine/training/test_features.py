"""What the evaluation counts: the same for both sides, and the same as fitting sees it."""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels import evaluate as terms
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.patterns import PATTERNS, REGIONS, STATES
from kingme.engine.training.beginning import beginning
from kingme.engine.training.features import ROOM, features, pattern_ids
from kingme.engine.training.parameters import pack, region_bits, spread, tied, unpack
from kingme.engine.weights import Weights


def any_weights(seed: int = 1) -> Weights:
    chance = np.random.default_rng(seed)
    return Weights(pack(chance.normal(0, 20, (terms.WEIGHTS_SIZE, 2))))


def emitted(position):
    ids, counts = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    own, opp, kings, black = scalars(position)
    dark, light = (own, opp) if black else (opp, own)
    n = features(dark, light, kings, black, ids, counts)
    return ids[:n], counts[:n]


def test_the_numbers_of_patterns_are_in_base_three(random_positions):
    ids = np.zeros(REGIONS, np.int64)
    for position in random_positions(200):
        own, opp, kings, black = (int(word) for word in scalars(position))
        dark, light = (own, opp) if black else (opp, own)
        pattern_ids(np.uint64(dark & ~kings), np.uint64(light & ~kings), ids)
        for region in range(REGIONS):
            number = 0
            for bit in region_bits(region):
                state = 1 if dark & ~kings & 1 << bit else 2 if light & ~kings & 1 << bit else 0
                number = 3 * number + state
            assert ids[region] == region * STATES + number


def test_every_square_is_covered_alike_on_both_sides():
    covered = np.zeros(36, int)
    for region in range(REGIONS):
        bits = region_bits(region)
        assert len(set(bits)) == 8
        covered[list(bits)] += 1
    assert set(covered[[8, 17, 26, 35]]) == {0}
    assert (covered[:35] == covered[34::-1]).all()


def test_the_value_is_what_the_counts_are_worth(random_positions):
    weights = any_weights()
    pairs = unpack(weights.words)
    for position in random_positions(500):
        ids, counts = emitted(position)
        opening, ending = counts @ pairs[ids]
        pieces = (position.black | position.white).bit_count()
        share = min(max(pieces - 4, 0), 16) / 16
        value = opening * share + ending * (1 - share)
        own, opp, kings, black = scalars(position)
        found = terms.evaluate(own, opp, kings, black, weights.address)
        assert found == int(np.clip(value if black else -value, -terms.LIMIT, terms.LIMIT))


def test_the_value_is_the_same_on_the_board_turned_round(random_positions):
    weights = any_weights(2)
    for position in random_positions(500):
        value = terms.evaluate(*scalars(position), weights.address)
        assert value == terms.evaluate(*scalars(position.mirrored()), weights.address)


def test_weights_that_are_one_and_the_same():
    index, sign = tied()
    assert (index[index] == index).all()
    assert set(np.unique(sign)) == {-1.0, 0.0, 1.0}
    alone = index[:PATTERNS] == np.arange(PATTERNS)
    shared = np.bincount(index[:PATTERNS], minlength=PATTERNS)
    assert (sign[:PATTERNS][alone & (shared == 1)] == 0).all()
    assert (sign[index] >= 0).all()


def test_generation_0_is_a_fair_beginning(random_positions):
    pairs = beginning()
    assert np.allclose(spread(pairs), pairs)
    weights = Weights(pack(pairs))
    assert terms.evaluate(*scalars(next(random_positions(1)).start()), weights.address) == 0
