"""Chips by double entry: every store does what `kingme.play.stakes.Ledger` does."""

from __future__ import annotations

from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError
from tests.store.places import NOW, TERMS, begin, over, people, started

from kingme.errors import NotEnoughChips, Refusal
from kingme.play import stakes
from kingme.play.stakes import Booking, Entry
from kingme.store import open_store
from kingme.store.schema import balances, bookings, entries


@pytest.fixture
def store(place):
    return place.open()


def test_a_booking_is_booked_once(store):
    (user,) = people(store, 1, chips=0)
    gift = stakes.welcome(user.id, NOW, 150)
    assert store.ledger.book(gift)
    assert not store.ledger.book(gift)
    assert store.ledger.balance(user.id) == 150
    assert store.ledger.check() == []


def test_nobody_goes_below_zero(store):
    (user,) = people(store, 1, chips=10)
    store.ledger.book(stakes.grant("a", user.id, -10, "Fee", NOW))
    with pytest.raises(NotEnoughChips) as refused:
        store.ledger.book(stakes.grant("b", user.id, -1, "Fee", NOW))
    assert refused.value.user == user.id
    assert store.ledger.balance(user.id) == 0
    assert store.ledger.book(stakes.grant("b", user.id, 1, "Gift", NOW)), "nothing was booked"
    assert store.ledger.balance(10**9) == 0


def test_an_escrow_holds_what_was_put_into_it(store):
    first = started(*people(store, 2), terms=TERMS)
    game = begin(store, first)
    assert store.ledger.book(stakes.abort_booking(game, first, NOW))
    with pytest.raises(Refusal, match="not in escrow"):
        store.games.finish(over(game, 1, first))
    assert store.games.versions([game]) == {game: 1}
    # Such a thing happens only by hand, and the check finds it.
    assert store.ledger.check() == [f"the escrow of game {game} holds 0, not 40"]


def test_a_statement_has_pages(store):
    (user,) = people(store, 1)
    for number in range(5):
        store.ledger.book(stakes.grant(f"g{number}", user.id, number + 1, f"Gift {number}", NOW))
    lines = store.ledger.statement(user.id)
    assert [line.amount for line in lines] == [5, 4, 3, 2, 1, 150]
    assert [line.balance for line in lines] == [165, 160, 156, 153, 151, 150]
    assert (lines[0].reason, lines[0].game, lines[0].at) == ("Gift 4", None, NOW)
    page = store.ledger.statement(user.id, limit=2)
    assert page == lines[:2]
    assert store.ledger.statement(user.id, before=page[-1].id, limit=2) == lines[2:4]


def test_a_stake_shows_in_the_statement_with_its_game(store):
    pair = people(store, 2)
    game = begin(store, started(*pair, terms=TERMS))
    line = store.ledger.statement(pair[1].id, limit=1)[0]
    assert (line.amount, line.balance, line.reason, line.game) == (-20, 130, "Stake", game)


def test_what_is_in_escrow_is_a_players_own_until_the_game_is_over(store):
    pair = people(store, 2)
    first, second = started(*pair, terms=TERMS), started(*reversed(pair), terms=TERMS)
    game, other = begin(store, first), begin(store, second)
    begin(store, started(*pair))
    for user in pair:
        assert (store.ledger.balance(user.id), store.ledger.worth(user.id)) == (110, 150)
    store.games.finish(over(game, 1, first))
    at_hand = [store.ledger.balance(user.id) for user in pair]
    assert at_hand[0] > at_hand[1] == 110
    assert [store.ledger.worth(user.id) for user in pair] == [amount + 20 for amount in at_hand]
    assert store.games.finish(over(other, 1, second)) is not None
    for user in pair:
        assert store.ledger.worth(user.id) == store.ledger.balance(user.id)
    assert store.ledger.worth(10**9) == 0


def test_the_database_itself_refuses_a_debt(store):
    (user,) = people(store, 1)
    query = update(balances).where(balances.c.account == f"player:{user.id}").values(amount=-1)
    with pytest.raises(IntegrityError):
        store._database.write(lambda connection: connection.execute(query))


def test_the_check_finds_what_somebody_did_by_hand(store):
    pair = people(store, 2)
    account = f"player:{pair[0].id}"

    def spoil(connection):
        connection.execute(update(balances).where(balances.c.account == account).values(amount=151))
        number = connection.execute(
            insert(bookings).values(key="k", at=NOW, reason="?").returning(bookings.c.id)
        ).scalar()
        row = {"account": "bank", "booking": number, "amount": 7, "balance": 0}
        connection.execute(insert(entries).values(row))
        return number

    number = store._database.write(spoil)
    assert store.ledger.check() == [
        "all balances sum to 1, not to zero",
        f"booking {number} sums to 7, not to zero",
        "bank is at -300, but its entries sum to -293",
        f"{account} is at 151, but its entries sum to 150",
    ]


ACCOUNTS = st.sampled_from(["player:1", "player:2", "escrow:a", "bank"])
BOOKINGS = st.builds(
    lambda key, to, amount, source: Booking(
        f"k{key}", NOW, "?", (Entry(to, amount), Entry(source, -amount))
    ),
    st.integers(0, 6),
    ACCOUNTS,
    st.integers(-60, 60),
    ACCOUNTS,
)


@settings(max_examples=40)
@given(st.lists(BOOKINGS, max_size=12))
def test_the_store_agrees_with_the_model(wanted):
    model = stakes.Ledger()
    with closing(open_store("sqlite://")) as store:
        store.migrate()
        for booking in wanted:
            refused: type[Exception] | None = None
            after = model
            try:
                after = model.book(booking)
            except Refusal as error:
                refused = type(error)
            if refused:
                with pytest.raises(refused):
                    store.ledger.book(booking)
            else:
                assert store.ledger.book(booking) is (after is not model)
            model = after
        for user in (1, 2):
            assert store.ledger.balance(user) == model.balance(f"player:{user}")
        assert store.ledger.check() == []
