"""Open seeks, and which of them becomes a game."""

from __future__ import annotations

import msgspec
import pytest
from tests.store.places import DAYS, NOW, TERMS, people, seek, started

from kingme.errors import NotEnoughChips
from kingme.play.clock import TimeControl
from kingme.play.ports import NewGame
from kingme.rules.variant import Side


@pytest.fixture
def store(place):
    return place.open()


@pytest.fixture
def three(store):
    return people(store, 3)


def open_seek(store, owner, **fields):
    made = seek(owner, **fields)
    store.seeks.open(made)
    return made


def ids(store, now=NOW):
    return [found.id for found in store.seeks.seeks(now)]


def test_a_seek_comes_back_as_it_went(store, three):
    private = seek(
        three[0],
        control=TimeControl("per_move", 30_000),
        preset="agreement",
        rated=True,
        terms=TERMS,
        side=Side.WHITE,
        code="K7P2QXK7P2QXK7P2",
        quick=True,
        rating=1623.5,
    )
    store.seeks.open(private)
    store.seeks.open(private)
    assert store.seeks.seeks(NOW) == [private]


def test_the_oldest_seek_is_first_and_what_expired_is_not_there(store, three):
    second = open_seek(store, three[0], created=NOW + 1)
    first = open_seek(store, three[1], expires=NOW + 10)
    assert ids(store) == [first.id, second.id]
    assert ids(store, NOW + 10) == [second.id]
    assert store.seeks.purge(NOW + 10) == 1
    assert store.seeks.purge(NOW + 10) == 0
    assert ids(store) == [second.id]


def test_private_seeks_of_others_may_be_left_out(store, three):
    ann, bob, _ = three
    public = open_seek(store, ann)
    hers, his = (open_seek(store, user, code=f"code{user.id}") for user in (ann, bob))
    assert set(ids(store)) == {public.id, hers.id, his.id}

    def seen(*owners):
        return {found.id for found in store.seeks.seeks(NOW, private=[user.id for user in owners])}

    assert seen() == {public.id}
    assert seen(ann) == {public.id, hers.id}
    assert seen(ann, bob) == {public.id, hers.id, his.id}


def test_only_the_owner_closes_a_seek(store, three):
    ann, bob, _ = three
    made = open_seek(store, ann)
    assert not store.seeks.close(made.id, bob.id)
    assert store.seeks.close(made.id, ann.id)
    assert not store.seeks.close(made.id, ann.id)
    assert ids(store) == []


def test_seeks_are_prolonged_and_never_shortened(store, three):
    ann, bob, cid = three
    short, long = open_seek(store, ann), open_seek(store, ann, expires=NOW + 90_000)
    other = open_seek(store, bob)
    store.seeks.prolong([ann.id, cid.id], NOW + 60_000)
    store.seeks.prolong([], NOW + 90_000)
    expires = {found.id: found.expires for found in store.seeks.seeks(NOW)}
    assert expires == {short.id: NOW + 60_000, long.id: NOW + 90_000, other.id: NOW + 30_000}


def test_a_seek_is_taken_once(store, three):
    ann, bob, cid = three
    made = open_seek(store, ann, terms=TERMS)
    new = NewGame("first", started(ann, bob, terms=TERMS), NOW)
    assert store.seeks.take(made.id, new)
    assert store.seeks.take(made.id, new), "the answer to the same call is the same"
    assert not store.seeks.take(made.id, NewGame("second", started(ann, cid), NOW))
    assert store.games.versions(["first", "second"]) == {"first": 1}
    assert [store.ledger.balance(user.id) for user in three] == [130, 130, 150]
    assert ids(store) == []


def test_a_seek_that_expired_is_gone(store, three):
    made = open_seek(store, three[0])
    late = started(three[0], three[1], at=made.expires)
    assert not store.seeks.take(made.id, NewGame("late", late, None))
    assert store.games.events("late") == []


def test_other_live_seeks_of_both_close_too(store, three):
    ann, bob, cid = three
    taken = open_seek(store, ann)
    open_seek(store, ann)
    open_seek(store, bob, code="K7P2QXK7P2QXK7P2")
    days = open_seek(store, bob, control=DAYS)
    others = open_seek(store, cid)
    assert store.seeks.take(taken.id, NewGame("game", started(ann, bob), NOW))
    assert set(ids(store)) == {days.id, others.id}


def test_a_game_of_days_closes_no_other_seek(store, three):
    ann, bob, _ = three
    taken, live = open_seek(store, ann, control=DAYS), open_seek(store, ann)
    days = open_seek(store, bob, control=DAYS)
    assert store.seeks.take(taken.id, NewGame("game", started(ann, bob, control=DAYS), NOW))
    assert set(ids(store)) == {live.id, days.id}


def test_two_seeks_are_paired_only_where_both_are_open(store, three):
    ann, bob, cid = three
    first, second, third = (open_seek(store, user) for user in three)
    assert store.seeks.take(first.id, NewGame("one", started(ann, bob), NOW), also=[second.id])
    new = NewGame("two", started(bob, cid), NOW)
    assert not store.seeks.take(third.id, new, also=[second.id])
    assert ids(store) == [third.id]


def test_a_seek_that_cannot_be_staked_stays_open(store, three):
    made = open_seek(store, three[0])
    terms = msgspec.structs.replace(TERMS, stake=151)
    with pytest.raises(NotEnoughChips):
        store.seeks.take(made.id, NewGame("dear", started(*three[:2], terms=terms), NOW))
    assert ids(store) == [made.id]
    assert store.ledger.check() == []
