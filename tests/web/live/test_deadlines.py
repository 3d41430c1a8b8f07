"""One heap and one timer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.web.live.house import NOW, Day

from kingme.web.live.deadlines import LONGEST, Deadlines


def table():
    day, due = Day(), []
    return day, due, Deadlines(day.now, day.later, lambda key: due.append((day.now() - NOW, key)))


def test_keys_are_due_at_their_times_by_one_timer():
    day, due, deadlines = table()
    for key, at in [("b", 2000), ("a", 1000), ("c", 3000)]:
        deadlines.set(key, NOW + at)
        assert len(day.waiting) == 1
    assert day.waiting == [1000]
    day.move(999)
    assert due == []
    day.move(1)
    assert due == [(1000, "a")]
    day.move(5000)
    assert due == [(1000, "a"), (2000, "b"), (3000, "c")]
    assert day.waiting == []


def test_a_key_has_one_time():
    day, due, deadlines = table()
    deadlines.set("a", NOW + 1000)
    deadlines.set("a", NOW + 3000)
    deadlines.set("b", NOW + 2000)
    deadlines.set("b", None)
    deadlines.set("gone", None)
    assert ("a" in deadlines, "b" in deadlines, len(deadlines)) == (True, False, 1)
    day.move(10_000)
    assert due == [(3000, "a")]


def test_what_is_over_already_is_due_at_once():
    day, due, deadlines = table()
    deadlines.set("a", NOW - 5000)
    day.move(0)
    assert due == [(0, "a")]


def test_a_clock_that_is_set_back_is_noticed():
    day, due, deadlines = table()
    deadlines.set("a", NOW + 10 * LONGEST)
    assert day.waiting == [LONGEST]
    deadlines.set("b", NOW + 1000)
    day.time -= 500  # the timer's own time goes on
    calls, day._calls = day._calls, []
    for _, _, put_off in calls:
        if put_off.call:
            put_off.call()
    assert due == []
    assert day.waiting == [1500]


def test_a_key_may_be_set_anew_while_it_is_due():
    day, due = Day(), []

    def again(key):
        due.append(day.now() - NOW)
        if len(due) < 3:
            deadlines.set(key, day.now() + 10)

    deadlines = Deadlines(day.now, day.later, again)
    deadlines.set("a", NOW + 10)
    day.move(100)
    assert due == [10, 20, 30]


def test_the_heap_does_not_grow_with_changes():
    _, _, deadlines = table()
    for at in range(10_000):
        deadlines.set("a", NOW + 100_000 + at)
    assert len(deadlines._heap) < 100


def test_stopping_forgets_all():
    day, due, deadlines = table()
    deadlines.set("a", NOW + 10)
    deadlines.stop()
    day.move(100)
    assert due == []


CHANGES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.none() | st.integers(0, 500), st.integers(0, 100))
)


@given(CHANGES)
def test_every_key_is_due_once_at_its_last_time(changes):
    day, due, deadlines = table()
    wanted, told = {}, []
    for key, ahead, wait in changes:
        deadlines.set(key, None if ahead is None else day.now() + ahead)
        wanted.pop(key, None)
        if ahead is not None:
            wanted[key] = day.now() + ahead
        end = day.now() + wait
        day.move(wait)
        over = sorted((at, name) for name, at in wanted.items() if at <= end)
        told += [(at - NOW, name) for at, name in over]
        for _, name in over:
            del wanted[name]
        assert sorted(due) == sorted(told)
        assert len(day.waiting) <= 1
