"""Glicko-2: Glickman's worked example, and what must hold for any ratings."""

from __future__ import annotations

import itertools
import math

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kingme.play.rating import (
    LEAST_RATING,
    PERIODS_PER_DAY,
    PROVISIONAL,
    Rating,
    current,
    expected,
    rate,
    update,
)

DAY = 86_400_000
NOW = 1_700_000_000_000

ratings = st.builds(
    Rating,
    value=st.floats(600, 3000),
    deviation=st.floats(50, 350),
    volatility=st.floats(0.03, 0.12),
    at=st.integers(1, NOW),
    games=st.integers(1, 500),
)
scores = st.sampled_from([0.0, 0.5, 1.0])


def known(value: float, deviation: float, at: int = NOW) -> Rating:
    return Rating(value, deviation, at=at, games=20)


class TestGlickmansExample:
    """Mark Glickman, "Example of the Glicko-2 system": one player, three games, tau 0.5."""

    player = Rating(1500, 200, 0.06)
    results = (
        (Rating(1400, 30), 1.0),
        (Rating(1550, 100), 0.0),
        (Rating(1700, 300), 0.0),
    )

    def test_the_example(self):
        after = update(self.player, self.results, tau=0.5)
        assert after.value == pytest.approx(1464.06, abs=0.01)
        assert after.deviation == pytest.approx(151.52, abs=0.01)
        assert after.volatility == pytest.approx(0.05999, abs=0.00001)

    def test_its_expected_scores(self):
        found = [expected(self.player, opponent) for opponent, _ in self.results]
        assert found == pytest.approx([0.639, 0.432, 0.303], abs=0.001)

    def test_the_order_of_results_is_nothing(self):
        afters = {
            (round(r.value, 6), round(r.deviation, 6), round(r.volatility, 9))
            for order in itertools.permutations(self.results)
            for r in [update(self.player, order, tau=0.5)]
        }
        assert len(afters) == 1

    def test_a_period_without_games_adds_the_volatility_alone(self):
        after = update(self.player, [])
        assert after.deviation == pytest.approx(200.2714, abs=0.0001)
        assert msgspec.structs.replace(after, deviation=200) == self.player

    @pytest.mark.parametrize("tau", [0.3, 0.5, 1.2, 4.0])
    def test_the_volatility_solves_the_papers_equation(self, tau):
        for volatility in (0.03, 0.06, 30.0):
            player = msgspec.structs.replace(self.player, volatility=volatility)
            for results in (self.results, [(Rating(3000, 30), 1.0)], [(Rating(1500, 30), 0.5)]):
                x = 2 * math.log(update(player, results, tau).volatility)
                assert self.slope(player, results, tau, x) == pytest.approx(0, abs=1e-4)

    @staticmethod
    def slope(player, results, tau, x):
        """The function of step 5, written from the paper alone."""
        phi = player.deviation / 173.7178
        games = []
        for opponent, score in results:
            g = 1 / math.sqrt(1 + 3 * (opponent.deviation / 173.7178) ** 2 / math.pi**2)
            e = 1 / (1 + math.exp(-g * (player.value - opponent.value) / 173.7178))
            games.append((g, e, score))
        v = 1 / sum(g**2 * e * (1 - e) for g, e, _ in games)
        delta = v * sum(g * (score - e) for g, e, score in games)
        own = (math.exp(x) * (delta**2 - phi**2 - v - math.exp(x))) / (
            2 * (phi**2 + v + math.exp(x)) ** 2
        )
        return own - (x - math.log(player.volatility**2)) / tau**2


class TestOneGame:
    @given(ratings, ratings)
    def test_winning_never_lowers_and_losing_never_raises(self, one, other):
        win, draw, loss = (rate(one, other, score, NOW).value for score in (1, 0.5, 0))
        assert loss <= one.value <= win
        assert loss <= draw <= win
        if loss > LEAST_RATING:
            assert loss < draw < win

    @given(ratings, ratings)
    def test_a_draw_draws_ratings_together(self, one, other):
        after = rate(one, other, 0.5, NOW)
        if other.value > one.value:
            assert after.value >= one.value
        else:
            assert after.value <= one.value

    @given(ratings, ratings, ratings)
    def test_beating_a_stronger_opponent_brings_more(self, one, weak, strong):
        low, high = sorted((weak.value, strong.value))
        opponents = [msgspec.structs.replace(weak, value=value) for value in (low, high)]
        easy, hard = (update(one, [(other, 1.0)], periods=0).value for other in opponents)
        assert easy <= hard

    @given(ratings, ratings, scores)
    def test_a_game_at_once_never_makes_less_certain(self, one, other, score):
        fresh = msgspec.structs.replace(one, at=NOW, volatility=0.06)
        after = rate(fresh, other, score, NOW)
        assert after.deviation <= max(50, fresh.deviation) + 1e-6

    @given(ratings, ratings, scores)
    def test_limits_hold_and_the_game_is_counted(self, one, other, score):
        after = rate(one, other, score, NOW)
        assert after.value >= LEAST_RATING
        assert 50 <= after.deviation <= 350
        assert 0 < after.volatility < 0.3
        assert (after.games, after.at) == (one.games + 1, NOW)

    @given(ratings, ratings, scores)
    def test_who_is_who_is_nothing(self, one, other, score):
        mirrored = rate(
            msgspec.structs.replace(one, value=3600 - one.value),
            msgspec.structs.replace(other, value=3600 - other.value),
            1 - score,
            NOW,
        )
        after = rate(one, other, score, NOW)
        if after.value > LEAST_RATING and mirrored.value > LEAST_RATING:
            assert 3600 - mirrored.value == pytest.approx(after.value, abs=1e-6)

    def test_the_less_certain_of_two_moves_more(self):
        newcomer, regular = Rating(), known(1500, 60)
        up, down = rate(newcomer, regular, 1, NOW), rate(regular, newcomer, 0, NOW)
        assert up.value - 1500 > 150
        assert 1500 - down.value < 10

    def test_nobody_falls_below_the_floor(self):
        low = known(605, 350)
        assert rate(low, known(600, 50), 0, NOW).value == LEAST_RATING

    def test_certainty_has_a_floor(self):
        sure = known(1500, 50)
        for _ in range(20):
            sure = rate(sure, known(1500, 50), 0.5, NOW)
        assert sure.deviation == 50

    def test_a_newcomer_becomes_established(self):
        rating, opponent = Rating(), known(1500, 60)
        played = 0
        while rating.provisional:
            rating = rate(rating, opponent, played % 2, NOW)
            played += 1
        assert 5 <= played <= 20
        assert rating.deviation < PROVISIONAL

    def test_great_upsets_are_rated_and_more_volatile(self):
        after = rate(known(3000, 50), known(600, 50), 0, NOW)
        assert after.volatility > 0.06
        assert 2700 < after.value < 3000

    def test_a_clock_that_went_back_is_no_time(self):
        ahead, opponent = (known(1500, 100, at=NOW + DAY) for _ in range(2))
        after = rate(ahead, opponent, 1, NOW)
        assert after.at == NOW + DAY
        assert after == rate(ahead, opponent, 1, NOW + DAY)


class TestFading:
    def test_who_never_played_is_as_uncertain_as_can_be(self):
        assert current(Rating(), NOW) == Rating()

    def test_a_day_is_a_part_of_a_period(self):
        one = known(1500, 100, at=NOW - DAY)
        grown = math.hypot(100, 0.06 * 173.7178 * math.sqrt(PERIODS_PER_DAY))
        faded = current(one, NOW)
        assert faded.deviation == pytest.approx(grown)
        assert (faded.value, faded.games, faded.at) == (1500, 20, NOW)

    def test_a_year_away_makes_provisional_again(self):
        one = known(1500, 60, at=NOW - 365 * DAY)
        assert not one.provisional
        assert current(one, NOW).provisional

    @given(ratings, st.integers(0, 3000 * DAY), st.integers(0, 3000 * DAY))
    @example(known(1500, 350), DAY, DAY)
    def test_it_is_the_same_at_once_or_in_parts(self, one, first, second):
        whole = current(one, one.at + first + second)
        parts = current(current(one, one.at + first), one.at + first + second)
        assert parts.deviation == pytest.approx(whole.deviation)
        assert one.deviation - 1e-9 <= whole.deviation <= 350
        assert parts.at == whole.at

    @given(ratings, st.integers(0, 1000 * DAY))
    def test_time_before_the_last_game_is_no_time(self, one, before):
        assert current(one, one.at - before) == msgspec.structs.replace(
            one, deviation=pytest.approx(one.deviation)
        )

    @given(ratings, ratings, scores)
    def test_a_game_after_a_pause_counts_for_more(self, one, other, score):
        rested = msgspec.structs.replace(one, at=NOW - 400 * DAY)
        fresh = msgspec.structs.replace(one, at=NOW)
        moved = [
            abs(update(r, [(other, score)], periods=p).value - r.value)
            for r, p in ((fresh, 0.0), (rested, 400 * PERIODS_PER_DAY))
        ]
        assert moved[1] >= moved[0]
