"""Quick pairing: laws for any seeks, and who plays which side."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import Side
from kingme.play.clock import TimeControl
from kingme.play.pairing import choose, compatible, reach, seats
from kingme.play.ports import Seek
from kingme.play.room import DEFAULT_ROOMS, Terms

NOW = 1_700_000_000_000
BLITZ = TimeControl("increment", 300_000, 3_000)
TEN = DEFAULT_ROOMS["passport"].terms(10)

seeks = st.builds(
    Seek,
    id=st.text("abcdef", min_size=4, max_size=4),
    owner=st.integers(1, 4),
    control=st.sampled_from([BLITZ, TimeControl()]),
    created=st.integers(NOW - 40_000, NOW),
    expires=st.sampled_from([NOW, NOW + 1, NOW + 30_000]),
    preset=st.sampled_from(["standard", "tournament"]),
    rated=st.booleans(),
    terms=st.sampled_from([Terms(), TEN]),
    side=st.sampled_from([None, *Side]),
    code=st.sampled_from([None, None, None, "secret"]),
    quick=st.booleans(),
    rating=st.floats(600, 2600),
)


def seek(owner: int = 1, /, **fields) -> Seek:
    quick = Seek(
        id=f"seek{owner}",
        owner=owner,
        control=BLITZ,
        created=NOW,
        expires=NOW + 30_000,
        quick=True,
    )
    return msgspec.structs.replace(quick, **fields)


def test_reach_grows_with_waiting_up_to_its_end():
    waited = [reach(seek(created=NOW - ms), NOW) for ms in (0, 500, 1_000, 10_000, 20_000, 90_000)]
    assert waited == [100, 110, 120, 300, 500, 500]
    assert reach(seek(created=NOW + 5_000), NOW) == 100


@pytest.mark.parametrize(
    ("difference", "fields"),
    [
        ("another clock", {"control": TimeControl()}),
        ("other draw rules", {"preset": "tournament"}),
        ("rated or not", {"rated": True}),
        ("another stake", {"terms": TEN}),
        ("another room", {"terms": Terms(room="tourist")}),
        ("oneself", {"owner": 1}),
        ("a private link", {"code": "secret"}),
        ("over", {"expires": NOW}),
        ("too far away", {"rating": 1601.0}),
    ],
)
def test_what_stands_between_two_seeks(difference, fields):
    assert compatible(seek(1), seek(2), NOW)
    assert not compatible(seek(1), seek(2, **fields), NOW), difference


def test_one_of_the_two_must_have_asked_to_be_paired():
    assert compatible(seek(1), seek(2, quick=False), NOW)
    assert compatible(seek(1, quick=False), seek(2), NOW)
    assert not compatible(seek(1, quick=False), seek(2, quick=False), NOW)


def test_sides_that_are_wished_for():
    black, white = seek(1, side=Side.BLACK), seek(2, side=Side.WHITE)
    assert compatible(black, white, NOW)
    assert compatible(black, seek(2), NOW)
    assert not compatible(black, seek(2, side=Side.BLACK), NOW)


def test_whoever_waited_longer_decides_how_near_is_near():
    patient = seek(1, created=NOW - 10_000)
    assert compatible(patient, seek(2, rating=1800.0), NOW)
    assert compatible(seek(2, rating=1800.0), patient, NOW)
    assert not compatible(patient, seek(2, rating=1801.0), NOW)


def test_the_nearest_first_then_who_came_first():
    near, nearer, late = (
        seek(2, rating=1570.0),
        seek(3, rating=1450.0),
        seek(4, rating=1550.0, created=NOW + 5),
    )
    assert choose(seek(1), [near, late, nearer], NOW) is nearer
    assert choose(seek(1), [near, late], NOW) is late
    assert choose(seek(1), [], NOW) is None
    assert choose(seek(1), [seek(1)], NOW) is None


@given(seeks, seeks)
def test_suiting_is_mutual(one, other):
    assert compatible(one, other, NOW) == compatible(other, one, NOW)


@given(seeks, st.lists(seeks, max_size=12), st.randoms())
def test_the_choice_suits_is_nearest_and_does_not_hang_on_order(one, others, random):
    chosen = choose(one, others, NOW)
    suitable = [other for other in others if compatible(one, other, NOW)]
    if chosen is None:
        assert not suitable
        return
    assert chosen in suitable
    assert abs(chosen.rating - one.rating) <= 500
    assert all(abs(chosen.rating - one.rating) <= abs(o.rating - one.rating) for o in suitable)
    random.shuffle(others)
    again = choose(one, others, NOW)
    assert again is not None
    assert (again.id, again.rating, again.created) == (chosen.id, chosen.rating, chosen.created)


@given(seeks, seeks, st.integers(0, 60_000))
def test_waiting_never_makes_two_unsuitable_while_both_are_open(one, other, later):
    if compatible(one, other, NOW):
        one, other = (msgspec.structs.replace(s, expires=NOW + 90_000) for s in (one, other))
        assert compatible(one, other, NOW + later)


def test_seats():
    assert seats(1, 2, Side.BLACK, heads=False) == (1, 2)
    assert seats(1, 2, Side.WHITE, heads=True) == (2, 1)
    assert {seats(1, 2, None, heads=heads) for heads in (True, False)} == {(1, 2), (2, 1)}
