"""What a match proves: known values, and error rates that are as promised."""

import math
import random

import pytest

from kingme.engine.scoring import Elo, MatchTally, Sprt, expected


def tally_of(*points):
    tally = MatchTally()
    for each in points:
        tally = tally.add(each)
    return tally


def test_games_are_counted_one_by_one_and_in_pairs():
    tally = tally_of(1, 1, 1, 0, 0.5, 0, 0.5)
    assert (tally.won, tally.drawn, tally.lost) == (3, 2, 2)
    assert tally.pairs == (0, 1, 1, 0, 1)
    assert tally.half == 0.5
    assert tally.share == 4 / 7


def test_elo_is_the_logistic_one_with_an_interval_by_pairs():
    tally = MatchTally(pairs=(10, 20, 40, 20, 10))
    assert tally.elo is not None
    assert tally.elo.lead == 0
    # By hand: a variance of 0.075 in 100 pairs, 1.96 of its errors are 0.0539 of the points.
    assert tally.elo.high == pytest.approx(-400 * math.log10(1 / 0.5540 - 1), abs=0.5)
    assert tally.elo.low == pytest.approx(-tally.elo.high)
    assert expected(tally.elo.high) == pytest.approx(0.5540, abs=0.001)


def test_no_interval_before_two_pairs_and_none_that_is_empty():
    assert tally_of(1, 0, 1).elo is None
    drawn = tally_of(*[0.5] * 40).elo
    assert drawn.low < 0 == drawn.lead < drawn.high
    lost = tally_of(*[0] * 40).elo
    assert lost.lead == -math.inf
    assert -600 < lost.high < -100
    assert str(Elo(0.0, -math.inf, 5.0)) == "+0.0 Elo (95 %: -inf to +5.0)"


@pytest.mark.parametrize("truth", [0, 30])
def test_the_test_errs_as_seldom_as_it_promises(truth):
    """200 simulated matches of drawish pairs, with a lead of exactly one of the two."""
    test = Sprt(0, 30)
    chance = random.Random(truth)
    share = expected(truth)
    wrong = 0
    for _ in range(200):
        tally = MatchTally()
        while test.verdict(tally) is None:
            draw = 0.4 if chance.random() < 0.5 else 0.6
            for rate in (draw, 1 - draw):
                win = share - rate / 2
                roll = chance.random()
                tally = tally.add(1 if roll < win else 0.5 if roll < win + rate else 0)
        wrong += test.verdict(tally) is not (truth == 30)
    assert wrong <= 20


def test_a_test_that_tests_nothing_is_refused():
    with pytest.raises(ValueError, match="less than the second"):
        Sprt(5, 5)
    with pytest.raises(ValueError, match=r"between 0 and 0\.5"):
        Sprt(0, 5, alpha=0)
    assert Sprt(0, 5).ratio(MatchTally()) == 0
