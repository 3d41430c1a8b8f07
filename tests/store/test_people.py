"""Guests, accounts, their sessions and ratings."""

from __future__ import annotations

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from tests.store.places import NOW, begin, over, people, started

from kingme.errors import NameTaken, Refusal
from kingme.play.rating import PROVISIONAL, Rating
from kingme.store.schema import ratings

HASH = bytes(range(32))


@pytest.fixture
def store(place):
    return place.open()


def test_a_guest_becomes_an_account_and_keeps_its_id(store):
    guest = store.users.add("Guest-K7P2QX", NOW)
    assert guest.guest and guest.password is None and guest.seen == guest.created == NOW
    account = store.users.promote(guest.id, "Ann", "$argon2id$", "ann@example.org")
    assert (account.id, account.name, account.guest) == (guest.id, "Ann", False)
    assert store.users.user("ANN") == store.users.user(guest.id) == account
    assert store.users.user("Guest-K7P2QX") is None
    with pytest.raises(Refusal, match="have an account"):
        store.users.promote(guest.id, "Other", "$argon2id$", None)


@pytest.mark.parametrize("again", ["Ann", "ann", "ANN", "\N{FULLWIDTH LATIN CAPITAL LETTER A}nn"])
def test_a_name_is_taken_in_any_spelling(store, again):
    store.users.add("Ann", NOW, password="$argon2id$")
    with pytest.raises(NameTaken, match="is taken"):
        store.users.add(again, NOW)
    guest = store.users.add("Guest-1", NOW)
    with pytest.raises(NameTaken):
        store.users.promote(guest.id, again, "$argon2id$", None)
    assert store.users.user(guest.id) == guest


def test_no_message_of_an_error_holds_what_was_given(store):
    with pytest.raises(IntegrityError) as caught:
        store.sessions.start(HASH, 10**9, NOW, NOW + 100)
    assert str(10**9) not in str(caught.value).partition("DETAIL")[0]
    assert "hide_parameters" in str(caught.value)


def test_users_are_found_together(store):
    some = people(store, 3, chips=0)
    wanted = [user.id for user in some[:2]]
    assert store.users.users([*wanted, 10**9]) == {user.id: user for user in some[:2]}
    assert store.users.users([]) == {}
    assert store.users.user(10**9) is None


def test_fields_are_changed_and_others_are_not(store):
    (user,) = people(store, 1)
    changed = store.users.change(user.id, membership="vip", member_until=NOW + 10, email="a@b.c")
    assert changed == store.users.user(user.id)
    assert changed.member(NOW) == "vip"
    assert changed.member(NOW + 10) == "none"
    assert (changed.name, changed.password) == (user.name, user.password)
    with pytest.raises(TypeError, match="points"):
        store.users.change(user.id, points=10**6)
    with pytest.raises(Refusal, match="no such user"):
        store.users.change(10**9, disabled=True)


def test_the_leaders_are_established_and_not_disabled(store):
    some = people(store, 5)
    guest = store.users.add("Guest-1", NOW)
    figures = [(1700, 60), (1900, 80), (2200, PROVISIONAL), (1800, 109.9), (2000, 70)]
    rows = [
        {"user_id": user.id, "value": value, "deviation": deviation}
        for user, (value, deviation) in zip([*some, guest], [*figures, (2500, 50)], strict=True)
    ]
    common = {"speed": "blitz", "volatility": 0.06, "at": NOW, "games": 30}
    query = insert(ratings).values([row | common for row in rows])
    store._database.write(lambda connection: connection.execute(query))
    store.users.change(some[4].id, disabled=True)
    leaders = store.users.leaders("blitz")
    assert [user.id for user, _, _ in leaders] == [some[1].id, some[3].id, some[0].id]
    assert leaders[0] == (some[1], Rating(1900, 80, 0.06, NOW, 30), 30)
    assert store.users.leaders("blitz", limit=1) == leaders[:1]
    assert store.users.leaders("rapid") == []


def test_ratings_are_found_together_or_for_one_speed(store):
    pair = people(store, 2)
    first = started(*pair, rated=True)
    store.games.finish(over(begin(store, first), 1, first))
    asked = [user.id for user in pair]
    found = store.users.ratings(asked)
    assert [found[user]["blitz"].games for user in asked] == [1, 1]
    assert store.users.ratings(asked, "blitz") == found
    assert store.users.ratings(asked, "rapid") == {asked[0]: {}, asked[1]: {}}


def test_a_session_is_open_until_it_expires(store):
    (user,) = people(store, 1)
    store.sessions.start(HASH, user.id, NOW, NOW + 100)
    assert store.sessions.session(HASH, NOW + 99) == user
    assert store.sessions.session(HASH, NOW + 100) is None
    assert store.sessions.session(HASH[::-1], NOW) is None
    store.sessions.extend(HASH, NOW + 200)
    assert store.sessions.session(HASH, NOW + 199) == user
    store.sessions.extend(HASH, NOW + 250, slack=51)
    assert store.sessions.session(HASH, NOW + 200) is None
    store.sessions.extend(HASH, NOW + 250, slack=50)
    assert store.sessions.session(HASH, NOW + 249) == user
    store.users.change(user.id, disabled=True)
    assert store.sessions.session(HASH, NOW) is None


def test_sessions_end(store):
    ann, bob = people(store, 2)
    hashes = [bytes([number]) * 32 for number in range(5)]
    for token in hashes[:3]:
        store.sessions.start(token, ann.id, NOW, NOW + 100)
    for token in hashes[3:]:
        store.sessions.start(token, bob.id, NOW, NOW + 50)
    store.sessions.end(hashes[0])
    store.sessions.end(hashes[0])
    assert store.sessions.session(hashes[0], NOW) is None
    assert store.sessions.end_all(ann.id, but=hashes[1]) == 1
    assert store.sessions.session(hashes[1], NOW) == ann
    assert store.sessions.end_all(ann.id) == 1
    assert store.sessions.purge(NOW + 50) == 2
    assert store.sessions.purge(NOW + 50) == 0
