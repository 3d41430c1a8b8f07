"""Stakes: what is booked as a game starts, ends or is called off, and the gifts of the bank."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import Side, Termination
from kingme.errors import NotEnoughChips, Refusal
from kingme.play.clock import TimeControl
from kingme.play.events import Started
from kingme.play.room import DEFAULT_ROOMS, ENDINGS, Terms
from kingme.play.stakes import (
    BANK,
    Booking,
    Entry,
    Ledger,
    Settlement,
    abort_booking,
    endings,
    grant,
    open_bookings,
    settlement,
    topup,
    welcome,
)

NOW = 1_700_000_000_000
ANN, BOB = 1, 2


def started(terms: Terms | None = None, **fields) -> Started:
    terms = DEFAULT_ROOMS["tourist"].terms(100) if terms is None else terms
    control = TimeControl("increment", 300_000, 3_000)
    return Started(at=NOW, black=ANN, white=BOB, control=control, terms=terms, **fields)


def ended(
    winner: Side | None = Side.BLACK,
    termination: str = "no_moves",
    plies: int = 40,
    game: Started | None = None,
    **named,
) -> Settlement:
    return settlement("g", game or started(), winner, termination, plies, "blitz", NOW, **named)


def amounts(*bookings: Booking) -> dict[str, int]:
    found: dict[str, int] = {}
    for booking in bookings:
        for entry in booking.entries:
            found[entry.account] = found.get(entry.account, 0) + entry.amount
    return {account: amount for account, amount in found.items() if amount}


def rich(*users: int, chips: int = 1_000) -> Ledger:
    ledger = Ledger()
    for user in users:
        ledger = ledger.book(welcome(user, NOW, chips))
    return ledger


class TestBookings:
    def test_a_booking_that_makes_chips_cannot_be_made(self):
        with pytest.raises(ValueError, match="booking k: its entries sum to 5, not to zero"):
            Booking("k", NOW, "why", (Entry(BANK, -5), Entry("player:1", 10)))
        wire = b'{"key":"k","at":1,"reason":"","entries":[{"account":"bank","amount":1}]}'
        with pytest.raises(msgspec.ValidationError, match="sum to 1"):
            msgspec.json.decode(wire, type=Booking)

    def test_both_stakes_go_into_escrow(self):
        (booking,) = open_bookings("g", started(), NOW)
        assert booking.key == "stake:g"
        assert booking.game == "g"
        assert amounts(booking) == {"player:1": -100, "player:2": -100, "escrow:g": 200}

    def test_without_a_stake_nothing_is_booked(self):
        free = started(DEFAULT_ROOMS["passport"].terms(0))
        assert open_bookings("g", free, NOW) == ()
        assert abort_booking("g", free, NOW) is None
        assert ended(game=free).bookings == ended(None, "aborted", 1, free).bookings == ()
        assert ended(game=free).chips == ()
        assert ended(game=free).points == ((ANN, 10), (BOB, 2))

    def test_a_game_called_off_gives_all_back(self):
        booking = abort_booking("g", started(), NOW)
        assert booking is not None
        assert booking.key == "return:g"
        assert amounts(*open_bookings("g", started(), NOW), booking) == {}
        assert ended(None, "aborted", 1) == Settlement(NOW, ANN, BOB, (booking,))
        assert ended(None, "aborted", 1, started(rated=True)).score is None


class TestSettlement:
    def test_the_winner_takes_the_stake_and_the_bank_its_part(self):
        end = ended()
        (booking,) = end.bookings
        assert (booking.key, booking.reason) == ("settle:g", "Settled: Black won")
        assert amounts(booking) == {"escrow:g": -200, "player:1": 195, BANK: 5}
        assert end.chips == ((ANN, 95), (BOB, -100))
        assert end.points == ((ANN, 15), (BOB, 3))

    def test_a_draw_gives_both_their_stakes(self):
        end = ended(None, "agreement")
        (booking,) = end.bookings
        assert booking.reason == "Settled: a draw"
        assert amounts(booking) == {"escrow:g": -200, "player:1": 100, "player:2": 100}
        assert end.chips == ()
        assert end.points == ((ANN, 7), (BOB, 7))

    def test_only_rated_games_are_rated(self):
        assert (ended().speed, ended().score) == (None, None)
        for winner, score in ((Side.BLACK, 1.0), (None, 0.5), (Side.WHITE, 0.0)):
            end = ended(winner, "desertion", game=started(rated=True))
            assert (end.speed, end.score) == ("blitz", score)

    @pytest.mark.parametrize(
        ("termination", "lost"),
        [
            ("no_moves", "loss"),
            ("no_pieces", "loss"),
            ("timeout", "loss"),
            ("resignation", "resignation"),
            ("desertion", "desertion"),
        ],
    )
    def test_each_way_to_lose_is_told_apart(self, termination, lost):
        assert endings(Side.BLACK, termination) == ("win", lost)
        assert endings(Side.WHITE, termination) == (lost, "win")
        assert endings(None, termination) == ("draw", "draw")

    def test_a_game_settles_by_what_was_shown(self):
        terms = Terms("old", 10, {"win": 50, "loss": -70}, {"win": 4})
        end = ended(game=started(terms))
        assert end.chips == ((ANN, 5), (BOB, -7))
        assert end.points == ((ANN, 4),)
        assert amounts(*end.bookings) == {"escrow:g": -20, "player:1": 15, "player:2": 3, BANK: 2}

    @pytest.mark.parametrize("termination", [t.value for t in Termination])
    def test_short_games_bring_points_only_where_the_board_ended_them(self, termination):
        on_board = termination in {
            "no_pieces",
            "no_moves",
            "repetition",
            "no_progress",
            "ply_cap",
        }
        winner = None if termination in {"repetition", "no_progress", "ply_cap"} else Side.WHITE
        assert bool(ended(winner, termination, 9).points) == on_board
        assert ended(winner, termination, 10).points
        assert ended(winner, termination, 9).chips == ended(winner, termination, 10).chips

    def test_guests_get_no_points(self):
        free = started(DEFAULT_ROOMS["passport"].terms(0))
        assert ended(game=free, guests={BOB}).points == ((ANN, 10),)
        assert ended(game=free, guests={ANN, BOB}).points == ()

    def test_a_termination_that_is_none(self):
        with pytest.raises(ValueError, match="boredom"):
            ended(termination="boredom")

    @given(
        st.integers(1, 1_000_000),
        st.fixed_dictionaries({ending: st.integers(-100, 100) for ending in ENDINGS}),
        st.sampled_from([None, *Side]),
        st.sampled_from([t.value for t in Termination]),
    )
    def test_rounding_never_creates_chips(self, stake, chips, winner, termination):
        percents = [chips[ending] for ending in endings(winner, termination)]
        end = ended(winner, termination, game=started(Terms(stake=stake, chips=chips)))
        (booking,) = end.bookings
        paid = amounts(booking)
        assert paid["escrow:g"] == -2 * stake
        assert paid.get("player:1", 0) >= 0
        assert paid.get("player:2", 0) >= 0
        exact = -sum(percents) * stake
        assert 0 <= paid.get(BANK, 0) * 100 - exact < 200
        assert sum(percents) > 0 or paid.get(BANK, 0) >= 0
        assert sum(won for _, won in end.chips) == -paid.get(BANK, 0)


class TestGifts:
    def test_the_welcome_gift_comes_once(self):
        gift = welcome(7, NOW)
        assert gift.key == "welcome:7"
        assert amounts(gift) == {"player:7": 150, BANK: -150}

    def test_a_top_up_lifts_to_the_least_once_a_day(self):
        gift = topup(7, 12, NOW)
        assert gift is not None
        assert gift.key == "topup:7:2023-11-14"
        assert amounts(gift) == {"player:7": 38, BANK: -38}
        assert topup(7, 50, NOW) is None
        assert topup(7, 9_999, NOW) is None
        assert topup(7, 50, NOW, least=60) is not None

    def test_days_are_those_of_utc(self):
        midnight = 1_700_006_400_000
        keys = [gift.key for ms in (-1, 0) if (gift := topup(7, 0, midnight + ms))]
        assert keys == ["topup:7:2023-11-14", "topup:7:2023-11-15"]

    def test_an_operator_gives_and_takes(self):
        given_, taken = grant("a", 7, 500, "A prize", NOW), grant("b", 7, -200, "A mistake", NOW)
        assert (given_.key, given_.reason) == ("grant:a", "A prize")
        assert amounts(given_, taken) == {"player:7": 300, BANK: -300}


class TestLedger:
    def test_a_booking_is_booked_once(self):
        ledger = rich(ANN)
        assert ledger.book(welcome(ANN, NOW, 1_000)) is ledger
        assert ledger.balance("player:1") == 1_000
        assert ledger.balance(BANK) == -1_000

    def test_nobody_goes_below_zero(self):
        ledger = rich(ANN).book(welcome(BOB, NOW, 99))
        (stakes,) = open_bookings("g", started(), NOW)
        with pytest.raises(NotEnoughChips) as caught:
            ledger.book(stakes)
        assert caught.value.user == BOB
        assert ledger.book(welcome(3, NOW)).balance("player:2") == 99

    def test_a_game_ends_once_whatever_comes_first(self):
        ledger = rich(ANN, BOB).book(*open_bookings("g", started(), NOW))
        ends = [ended(), ended(None, "aborted"), ended(Side.WHITE, "timeout")]
        for first in ends:
            settled = ledger.settle("g", first)
            assert settled.balance("escrow:g") == 0
            assert all(settled.settle("g", again) is settled for again in ends)
            for booking in (b for end in ends for b in end.bookings if b not in first.bookings):
                if booking.key in settled.bookings:
                    assert settled.book(booking) is settled
                    continue
                with pytest.raises(Refusal) as caught:
                    settled.book(booking)
                assert caught.value.code == "settled"

    def test_a_game_that_was_not_staked_pays_nothing(self):
        ledger = rich(ANN, BOB)
        with pytest.raises(Refusal, match="not in escrow"):
            ledger.settle("g", ended())

    def test_what_is_wrong_is_said(self):
        assert rich(ANN).check() == []
        broken = Ledger({BANK: -5, "player:1": 8, "escrow:g": -4})
        assert broken.check() == [
            "all balances sum to -1, not to zero",
            "escrow:g is at -4",
        ]
