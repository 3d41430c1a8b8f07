"""Clocks: what is used, forgiven and left, when a flag falls, and texts of time controls."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kingme import Side
from kingme.errors import Refusal
from kingme.play.clock import GRACE, IDLE, LEAST, RETURN, Charge, Clock, TimeControl

BLACK, WHITE = Side.BLACK, Side.WHITE
SECOND, MINUTE, DAY = 1000, 60_000, 86_400_000
BLITZ = TimeControl("increment", 5 * MINUTE, 3 * SECOND)
EACH = TimeControl("per_move", 30 * SECOND)
DAYS = TimeControl("days", 3 * DAY)
NONE = TimeControl()

controls = st.one_of(
    st.builds(
        TimeControl,
        st.just("increment"),
        st.integers(15, 10_800).map(lambda s: s * SECOND),
        st.integers(0, 60).map(lambda s: s * SECOND),
    ),
    st.builds(
        TimeControl, st.just("per_move"), st.integers(5, 600).map(lambda s: s * SECOND), st.just(0)
    ),
    st.builds(TimeControl, st.just("days"), st.integers(1, 14).map(lambda d: d * DAY), st.just(0)),
    st.just(NONE),
)


def running(control=BLITZ, at=0, side=BLACK):
    """A clock after both first moves, the time of `side` running since `at`."""
    return Clock.begin(control, at).moved(Charge(0, 0), at, None).moved(Charge(0, 0), at, side)


# --- time controls ---


@pytest.mark.parametrize(
    ("text", "control", "speed"),
    [
        ("5+3", BLITZ, "blitz"),
        ("1+0", TimeControl("increment", MINUTE), "bullet"),
        ("0:15+0", TimeControl("increment", 15 * SECOND), "bullet"),
        ("2:59+0", TimeControl("increment", 179 * SECOND), "bullet"),
        ("3+0", TimeControl("increment", 3 * MINUTE), "blitz"),
        ("7:59+0", TimeControl("increment", 479 * SECOND), "blitz"),
        ("8+0", TimeControl("increment", 8 * MINUTE), "rapid"),
        ("5+20", TimeControl("increment", 5 * MINUTE, 20 * SECOND), "rapid"),
        ("24:59+0", TimeControl("increment", 1499 * SECOND), "rapid"),
        ("25+0", TimeControl("increment", 25 * MINUTE), "classical"),
        ("180+60", TimeControl("increment", 180 * MINUTE, MINUTE), "classical"),
        ("5 s a move", TimeControl("per_move", 5 * SECOND), "bullet"),
        ("30 s a move", EACH, "rapid"),
        ("90 s a move", TimeControl("per_move", 90 * SECOND), "classical"),
        ("10 min a move", TimeControl("per_move", 10 * MINUTE), "classical"),
        ("1 day a move", TimeControl("days", DAY), "days"),
        ("3 days a move", DAYS, "days"),
        ("no clock", NONE, "classical"),
    ],
)
def test_texts_and_speeds(text, control, speed):
    assert TimeControl.parse(text) == control
    assert control.text == text
    assert control.speed == speed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5+3", "5 minutes each, and 3 seconds more for every move"),
        ("1+1", "1 minute each, and 1 second more for every move"),
        ("0:30+0", "30 seconds each, and no more"),
        ("1:30+2", "1 minute 30 seconds each, and 2 seconds more for every move"),
        ("30 s a move", ""),
        ("no clock", ""),
    ],
)
def test_what_a_text_means(text, words):
    assert TimeControl.parse(text).words == words


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" 5+3 ", "5+3"),
        ("0:60+0", "1+0"),
        ("30 S  A MOVE", "30 s a move"),
        ("120 seconds per move", "2 min a move"),
        ("2 minutes a move", "2 min a move"),
        ("1 minute a move", "60 s a move"),
        ("1 days a move", "1 day a move"),
        ("Unlimited", "no clock"),
    ],
)
def test_texts_are_read_with_forgiveness(text, written):
    assert TimeControl.parse(text).text == written


@given(controls)
def test_every_allowed_control_is_written_and_read(control):
    control.check()
    assert TimeControl.parse(control.text) == control
    assert 350 <= control.gain <= 1000 or control == NONE


@pytest.mark.parametrize(
    "text",
    [
        *("", "5", "5+", "+3", "5+3+1", "5.5+0", "-5+3", "5+x", "30 a move", "30 s"),
        *("many days a move", "9" * 4300 + "+0", "5+3\n5+3", "٥+3", "30 hours a move"),
    ],
)
def test_what_is_no_clock_is_refused(text):
    with pytest.raises(Refusal, match="is no clock: write 5") as refused:
        TimeControl.parse(text)
    assert refused.value.code == "bad_clock"
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("control", "why"),
    [
        (TimeControl("increment", 14 * SECOND), "from 15 seconds to 3 hours"),
        (TimeControl("increment", 181 * MINUTE), "from 15 seconds to 3 hours"),
        (TimeControl("increment", 60_500), "in whole seconds"),
        (TimeControl("increment", -60_000), "from 15 seconds"),
        (TimeControl("increment", MINUTE, 61 * SECOND), "from 0 to 60 seconds"),
        (TimeControl("increment", MINUTE, -SECOND), "from 0 to 60 seconds"),
        (TimeControl("increment", MINUTE, 1_500), "whole seconds"),
        (TimeControl("per_move", 4 * SECOND), "from 5 seconds to 10 minutes"),
        (TimeControl("per_move", 601 * SECOND), "from 5 seconds to 10 minutes"),
        (TimeControl("per_move", 30_001), "whole seconds"),
        (TimeControl("per_move", 30_000, 1000), "has an increment"),
        (TimeControl("days", 0), "from 1 to 14 days"),
        (TimeControl("days", 15 * DAY), "from 1 to 14 days"),
        (TimeControl("days", DAY + SECOND), "whole days"),
        (TimeControl("unlimited", SECOND), "no time to set"),
        (TimeControl("unlimited", 0, SECOND), "has an increment"),
    ],
)
def test_durations_have_bounds(control, why):
    with pytest.raises(Refusal, match=why) as refused:
        control.check()
    assert refused.value.code == "bad_clock"


def test_texts_out_of_bounds_are_refused_too():
    with pytest.raises(Refusal, match="15 seconds to 3 hours"):
        TimeControl.parse("999999999+0")


def test_only_a_game_for_something_needs_a_clock():
    NONE.check()
    BLITZ.check(rated=True, stake=10)
    DAYS.check(rated=True, stake=10)
    with pytest.raises(Refusal, match="A game for a stake needs a clock"):
        NONE.check(stake=10)
    with pytest.raises(Refusal, match="A rated game needs a clock"):
        NONE.check(rated=True)


def test_lag_is_forgiven_by_the_length_of_the_game():
    def gain(seconds):
        return TimeControl("increment", seconds * SECOND).gain

    assert [gain(s) for s in (15, 60, 180, 600)] == [350, 527, 1000, 1000]
    assert gain(16) > gain(15)
    assert (DAYS.gain, NONE.gain) == (1000, 0)


@pytest.mark.parametrize(
    ("control", "limit"),
    [
        (TimeControl("increment", MINUTE), 20 * SECOND),
        (BLITZ, 30 * SECOND),
        (TimeControl("increment", 10 * MINUTE), MINUTE),
        (TimeControl("increment", 60 * MINUTE), MINUTE),
        (TimeControl("per_move", 5 * SECOND), MINUTE),
        (DAYS, 3 * DAY),
        (NONE, None),
    ],
)
def test_how_long_the_first_move_may_take(control, limit):
    assert control.start_limit == limit
    assert Clock.begin(control, 7).deadline() == 7 + (limit or IDLE)


# --- the clock ---


def test_first_moves_cost_no_time_and_earn_none():
    clock = Clock.begin(BLITZ, 0)
    assert clock.charge(29_000, lag=500) == Charge(0, 0)
    clock = clock.moved(Charge(0, 0), 29_000, None)
    assert clock.deadline() == 59_000
    clock = clock.moved(Charge(0, 0), 40_000, BLACK)
    assert clock.left == (300_000, 300_000)
    assert (clock.running, clock.since) == (BLACK, 40_000)


def test_a_move_takes_time_and_earns_the_increment():
    clock = running(at=1_000)
    charge = clock.charge(11_000, lag=0)
    assert charge == Charge(10_000, 0)
    clock = clock.moved(charge, 11_000, WHITE)
    assert clock.left == (293_000, 300_000)
    assert (clock.running, clock.since) == (WHITE, 11_000)
    clock = clock.moved(clock.charge(12_000, 0), 12_000, BLACK)
    assert clock.left == (293_000, 302_000)


def test_lag_is_forgiven_within_the_quota():
    clock = running()
    assert clock.quota == (3_000, 3_000)
    assert clock.charge(10_000, lag=800) == Charge(9_200, 800)
    assert clock.charge(10_000, lag=9_000) == Charge(7_000, 3_000)
    assert clock.charge(500, lag=800) == Charge(0, 500)
    assert clock.charge(500, lag=-800) == Charge(500, 0)
    used_up = clock.moved(Charge(7_000, 3_000), 10_000, WHITE)
    assert used_up.quota == (1_000, 3_000)


def test_the_quota_grows_with_each_move_up_to_its_bound():
    clock = running()
    for at in range(10):
        clock = clock.moved(Charge(0, 0), at, clock.running.other)
    assert clock.quota == (7_000, 7_000)


def test_time_for_each_move_is_whole_again():
    clock = running(EACH)
    clock = clock.moved(clock.charge(20_000, 0), 20_000, WHITE)
    assert clock.left == (30_000, 30_000)
    clock = clock.turned(40_000, BLACK)
    assert clock.left == (30_000, 30_000)


def test_days_are_a_time_for_each_move():
    clock = running(DAYS)
    assert clock.deadline() == 3 * DAY + GRACE + 1
    clock = clock.moved(clock.charge(2 * DAY, 0), 2 * DAY, WHITE)
    assert clock.left == (3 * DAY, 3 * DAY)


def test_without_a_clock_nothing_falls_and_time_is_only_told():
    clock = running(NONE)
    assert clock.deadline() == IDLE == 14 * DAY
    assert clock.charge(10**9, lag=500) == Charge(10**9, 0)
    clock = clock.moved(Charge(10**9, 0), 10**9, WHITE)
    assert (clock.left, clock.quota) == ((0, 0), (0, 0))
    assert clock.stopped(10**10).left == (0, 0)


def test_a_flag_falls_after_the_grace():
    clock = running(at=1_000)
    assert clock.deadline() == 1_000 + 300_000 + GRACE + 1
    poor = clock.moved(Charge(0, 3_000), 1_000, BLACK)
    assert poor.deadline() == 1_000 + 303_000 + 1_000 + 1


def test_a_move_after_its_time_comes_too_late_but_for_its_lag():
    clock = running()
    assert clock.charge(300_000, 0) == Charge(300_000, 0)
    assert clock.charge(300_001, 0) is None
    assert clock.charge(300_400, 400) == Charge(300_000, 400)
    assert clock.charge(303_000, 5_000) == Charge(300_000, 3_000)
    assert clock.charge(303_001, 5_000) is None


def test_time_that_runs_backwards_costs_nothing():
    clock = running(at=5_000)
    assert clock.elapsed(1_000) == 0
    assert clock.charge(1_000, 50) == Charge(0, 0)


def test_a_takeback_gives_no_time_back():
    clock = running().turned(4_000, WHITE)
    assert clock.left == (296_000, 300_000)
    assert (clock.running, clock.since) == (WHITE, 4_000)
    back = clock.turned(5_000, None)
    assert back.left == (296_000, 299_000)
    assert back.turned(9_000, BLACK).left == (296_000, 299_000)


def test_a_takeback_takes_the_increments_back():
    clock = running().moved(Charge(10_000, 0), 10_000, WHITE)
    assert clock.turned(12_000, BLACK, (1, 0)).left == (290_000, 298_000)
    clock = clock.moved(Charge(4_000, 0), 14_000, BLACK)
    assert clock.turned(15_000, BLACK, (1, 1)).left == (289_000, 296_000)


def test_a_takeback_brings_no_clock_to_its_end():
    clock = running().moved(Charge(299_900, 0), 299_900, WHITE)
    assert clock.left == (3_100, 300_000)
    assert clock.turned(299_900, BLACK, (1, 0)).left == (LEAST, 300_000)
    clock = clock.moved(Charge(0, 0), 299_900, BLACK)
    assert clock.turned(302_300, BLACK, (1, 1)).left == (700, 300_000)
    assert clock.turned(303_000, BLACK, (1, 1)).left == (0, 300_000)


def test_only_increments_are_taken_back():
    for control in (EACH, DAYS, NONE):
        assert running(control).turned(5_000, WHITE, (1, 1)).left == (control.initial,) * 2


def test_the_clock_stops_at_the_end():
    clock = running().stopped(4_000)
    assert (clock.left, clock.running, clock.since) == ((296_000, 300_000), None, None)
    assert clock.deadline() is None
    assert clock.elapsed(9_000) == 0
    assert running().stopped(302_001, BLACK).left == (0, 300_000)
    assert Clock.begin(BLITZ, 0).stopped(9_000).left == (300_000, 300_000)


# --- outages ---


def test_an_outage_costs_nobody_time_and_leaves_some_to_come_back():
    clock = running(at=10_000)
    since = clock.shift(12_000, 60_000)
    assert since is not None
    assert since == 60_000 + RETURN - 2_000
    shifted = clock.shifted(since)
    assert shifted.elapsed(60_000 + RETURN) == 2_000
    assert shifted.elapsed(61_000) == 0


def test_an_outage_before_the_turn_does_not_count():
    assert running(at=60_000).shift(12_000, 60_000) is None
    assert running(at=59_999).shift(12_000, 60_000) == 60_000 + RETURN


def test_an_outage_puts_off_the_first_move_too():
    clock = Clock.begin(BLITZ, 10_000)
    since = clock.shift(15_000, 90_000)
    assert since is not None
    assert clock.shifted(since).deadline() == 90_000 + RETURN + 25_000


def test_an_outage_is_nothing_to_a_clock_that_does_not_run():
    assert running().stopped(3).shift(5, 10) is None


# --- laws ---


class ClockMachine(RuleBasedStateMachine):
    """Any moves, takebacks, outages and lag: the time always adds up."""

    @initialize(control=controls)
    def start(self, control):
        self.control, self.now = control, 1_000_000
        self.clock = Clock.begin(control, self.now)
        self.used, self.earned, self.credit = [0, 0], [0, 0], [0, 0]
        self.charged = [0, 0]
        #: what takebacks had to leave of increments, so that the clocks went on
        self.spared = [0, 0]
        self.plies = 0
        self.side = BLACK
        #: of the running turn: how much of it the server was up, and players could be there
        self.up = 0

    def place(self):
        return 0 if self.side is BLACK else 1

    @rule(ms=st.integers(0, 30_000))
    def think(self, ms):
        self.now += ms
        self.up += ms

    @precondition(lambda self: self.clock.since is not None)
    @rule(lag=st.integers(-100, 9_000))
    def move(self, lag):
        before, place = self.clock, self.place()
        charge = before.charge(self.now, lag)
        if charge is None:
            assert self.up - min(max(0, lag), before.quota[place]) > before.left[place]
            return
        assert 0 <= charge.credit <= max(0, lag)
        assert charge.credit <= before.quota[place]
        assert charge.spent + charge.credit <= self.up
        self.plies += 1
        runs = self.side.other if self.plies >= 2 else None
        self.clock = before.moved(charge, self.now, runs)
        if before.running is not None:
            self.used[place] += charge.spent
            self.credit[place] += charge.credit
            self.earned[place] += self.control.increment
            self.charged[place] += 1
        self.side, self.up = self.side.other, 0

    @precondition(lambda self: self.clock.since is not None and self.plies >= 1)
    @rule(plies=st.integers(1, 2))
    def take_back(self, plies):
        plies = min(plies, self.plies)
        place, before = self.place(), self.clock
        self.plies -= plies
        self.side = self.side if plies == 2 else self.side.other
        undone = [0, 0]
        for ply in range(max(2, self.plies), self.plies + plies):
            undone[ply % 2] += 1
        runs = self.side if self.plies >= 2 else None
        self.clock = before.turned(self.now, runs, (undone[0], undone[1]))
        if before.running is not None:
            self.used[place] += min(before.elapsed(self.now), before.left[place])
        self.up = 0
        if self.control.kind != "increment":
            return
        for of in (0, 1):
            earned = undone[of] * self.control.increment
            rest = self.control.initial + self.earned[of] - self.used[of]
            taken = min(earned, max(0, rest - LEAST))
            assert self.clock.left[of] >= min(rest, LEAST)
            self.earned[of] -= taken
            self.spared[of] += earned - taken

    @precondition(lambda self: self.clock.since is not None)
    @rule(down=st.integers(-20_000, 60_000), last=st.integers(0, 10**8))
    def outage(self, down, last):
        """The server is down from some time on, perhaps from before the turn."""
        since, until = self.now + down, self.now + max(0, down) + last
        self.up += max(0, down)
        self.now = until
        shifted = self.clock.shift(since, until)
        if shifted is not None:
            used = max(0, since - self.clock.since)
            assert until + RETURN - shifted == used
            self.clock = self.clock.shifted(shifted)
            assert self.clock.elapsed(until + RETURN) == used
            assert (self.clock.deadline() or 0) - until >= RETURN - used

    @precondition(lambda self: self.clock.since is not None and self.plies >= 2)
    @rule(flag=st.booleans())
    def stop(self, flag):
        place, before = self.place(), self.clock
        spent = before.left[place] if flag else min(before.elapsed(self.now), before.left[place])
        self.clock = before.stopped(self.now, self.side if flag else None)
        self.used[place] += spent

    @invariant()
    def nothing_is_negative(self):
        assert min(self.clock.left) >= 0
        assert min(self.clock.quota) >= 0
        assert max(self.clock.quota) <= 7 * self.control.gain

    @invariant()
    def nobody_is_charged_for_downtime(self):
        assert self.clock.elapsed(self.now) <= self.up

    @invariant()
    def time_adds_up(self):
        for place in (0, 1):
            if self.control.kind == "increment":
                total = self.control.initial + self.earned[place]
                assert self.used[place] + self.clock.left[place] == total
            elif self.clock.since is not None:
                assert self.clock.left[place] == self.control.initial
            assert self.credit[place] <= (3 + self.charged[place]) * self.control.gain

    @invariant()
    def only_moves_that_stand_have_earned(self):
        """But for what was spared: nobody makes time by moving and taking back."""
        for place in (0, 1):
            paid = sum(ply % 2 == place for ply in range(2, self.plies))
            earned = paid * self.control.increment + self.spared[place]
            assert self.earned[place] == earned

    @invariant()
    def a_game_that_goes_on_has_a_deadline(self):
        clock = self.clock
        assert (clock.deadline() is None) is (clock.since is None)
        if self.control.kind == "unlimited" and clock.since is not None:
            assert clock.deadline() == clock.since + IDLE
            assert clock.left == clock.quota == (0, 0)

    @invariant()
    def the_deadline_leaves_all_time_and_some_grace(self):
        deadline, since = self.clock.deadline(), self.clock.since
        if self.control.kind == "unlimited":
            return
        if self.clock.running and deadline is not None and since is not None:
            rest = deadline - since - self.clock.left[self.place()]
            assert 1 <= rest <= GRACE + 1
            assert self.clock.charge(deadline, 0) is None


TestClock = ClockMachine.TestCase
TestClock.settings = settings(max_examples=100, stateful_step_count=40)
