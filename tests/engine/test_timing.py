"""Clocks: what a move may take, what ends it, and how processor time is counted."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme.engine.api import Limits
from kingme.engine.timing import Alarm, Allowance, Patience, ProcessorClock, Stopwatch, allot

SECONDS = st.floats(min_value=0.001, max_value=100_000)


@given(SECONDS, st.floats(min_value=0, max_value=60), st.none() | st.integers(1, 80))
def test_no_move_takes_more_than_is_left(clock, increment, moves):
    allowance = allot(clock, increment, moves)
    assert 0 < allowance.due <= allowance.longest < clock


@given(SECONDS, st.floats(min_value=0, max_value=60))
def test_more_time_is_never_less(clock, increment):
    less, more = allot(clock, increment), allot(clock * 1.5, increment)
    assert more.due >= less.due
    assert more.longest >= less.longest
    assert allot(clock, increment + 1).due >= less.due


def test_a_clock_lasts_for_a_whole_game():
    clock = 60.0
    for _ in range(100):
        clock -= allot(clock).due
        assert clock > 0
    clock = 10.0
    for moves in range(40, 0, -1):
        clock -= allot(clock, moves=moves).due
        assert clock > 0


def test_a_clock_that_has_run_out_is_refused():
    for clock in (0.0, -1.0):
        with pytest.raises(ValueError, match="run out"):
            allot(clock)
    with pytest.raises(ValueError, match="finds nothing"):
        Limits(clock=0.0)
    with pytest.raises(ValueError, match="makes no sense"):
        Limits(clock=1.0, increment=-1.0)


def test_patience_asks_whether_the_choice_is_steady():
    allowance = Allowance(1.0, 4.0)
    steady = Patience(allowance, 5)
    gone = [steady.gone("a", 0, 0.7) for _ in range(6)]
    assert gone == [False] * 4 + [True] * 2
    unsure = Patience(allowance, 5)
    assert not unsure.gone("a", 0, 1.5)
    assert not unsure.gone("b", 0, 1.5)
    assert not unsure.gone("b", -40, 1.5)
    assert unsure.gone("b", -40, 1.5)
    assert Patience(allowance, 1).gone("a", 0, 0.0)
    assert not Patience(None, 1).gone("a", 0, 1e9)


class Hands:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_stopwatch_reads_the_clock_it_is_given():
    hands = Hands()
    watch = Stopwatch(2.0, hands)
    assert (watch.seconds, watch.over) == (0.0, False)
    hands.now = 2.0
    assert (watch.seconds, watch.over) == (2.0, True)
    assert not Stopwatch(None, hands).over


def test_an_alarm_rings_by_its_own_clock_and_only_in_its_context():
    hands, rung = Hands(), threading.Event()
    with Alarm(1.0, rung.set, read=hands):
        assert not rung.wait(0.02)
        hands.now = 1.0
        assert rung.wait(60)
    late = threading.Event()
    with Alarm(1e6, late.set):
        pass
    assert not late.is_set()


def test_an_alarm_that_is_held_counts_from_its_release():
    hands, rung = Hands(), threading.Event()
    with Alarm(1.0, rung.set, read=hands, held=True) as alarm:
        hands.now = 10.0
        alarm.release()
        assert not rung.wait(0.02)
        alarm.release()
        hands.now = 11.0
        assert rung.wait(60)
    with Alarm(None, rung.clear, held=True) as alarm:
        alarm.release()
    assert rung.is_set()


def test_processor_time_is_that_of_the_threads_that_are_counted():
    clock = ProcessorClock()

    def work(*, counted: bool) -> None:
        if not counted:
            spin()
            return
        with clock.counting():
            spin()

    def spin() -> None:
        began = time.thread_time()
        while time.thread_time() - began < 0.02:
            pass

    with clock.counting():
        first = clock()
        for counted in (True, True, False):
            thread = threading.Thread(target=work, kwargs={"counted": counted})
            thread.start()
            thread.join()
    total = clock()
    assert first <= total
    assert total >= 0.04
    assert clock() == total
