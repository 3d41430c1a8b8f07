"""The ledger under anything that can happen, in any order and as often as it likes."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from kingme import Side, Termination
from kingme.errors import NotEnoughChips, Refusal, SettingsError
from kingme.play.clock import TimeControl
from kingme.play.events import Started
from kingme.play.room import DEFAULT_ROOMS, ENDINGS, Room, rooms_from
from kingme.play.stakes import (
    BANK,
    Booking,
    Ledger,
    Settlement,
    endings,
    escrow,
    grant,
    open_bookings,
    player,
    settlement,
    topup,
    welcome,
)

USERS = range(1, 5)
NOW = 1_700_000_000_000
DAY = 86_400_000

users = st.sampled_from(USERS)
moments = st.integers(NOW, NOW + 3 * DAY)
ends = st.tuples(
    st.sampled_from([None, *Side]),
    st.sampled_from(["aborted", *(t.value for t in Termination)]),
    st.integers(0, 80),
)
figures = st.fixed_dictionaries({}, optional={e: st.integers(-100, 100) for e in ENDINGS})


def configured(chips: dict[str, int], stakes: list[int]) -> Room | None:
    """A room as an operator may configure it; None where the settings refuse it."""
    try:
        return rooms_from([{"name": "own", "chips": chips, "stakes": stakes}])["own"]
    except SettingsError:
        return None


rooms = st.sampled_from([*DEFAULT_ROOMS.values()]) | st.builds(
    configured, figures, st.lists(st.integers(0, 200), min_size=1, max_size=3)
).filter(bool)


@dataclass(frozen=True)
class Table:
    """A game that was begun, and what it was begun for."""

    id: str
    room: Room
    started: Started

    def end(self, winner: Side | None, termination: str, plies: int) -> Settlement:
        """What the end of this game brings."""
        return settlement(self.id, self.started, winner, termination, plies, "blitz", NOW)


class Ledgers(RuleBasedStateMachine):
    """`ledger` is the model under test; `hands` keeps by hand what each player should have."""

    games = Bundle("games")
    bookings = Bundle("bookings")

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.hands = dict.fromkeys(USERS, 0)
        self.running: dict[str, Table] = {}
        self.points: dict[int, int] = {}
        self.count = 0

    def book(self, *bookings: Booking) -> Refusal | None:
        """Book all, or tell why not: then nothing has changed."""
        ledger = self.ledger
        try:
            for booking in bookings:
                ledger = ledger.book(booking)
        except Refusal as error:
            return error
        self.ledger = ledger
        return None

    @initialize(target=bookings, chips=st.integers(0, 600))
    def arrive(self, chips):
        gifts = [welcome(user, NOW, chips) for user in USERS]
        assert self.book(*gifts) is None
        for user in USERS:
            self.hands[user] += chips
        return multiple(*gifts)

    @rule(target=bookings, user=users, now=moments)
    def top_up(self, user, now):
        gift = topup(user, self.ledger.balance(player(user)), now)
        if gift is None:
            assert self.hands[user] >= 50
            return multiple()
        new = gift.key not in self.ledger.bookings
        assert self.book(gift) is None
        if new:
            self.hands[user] = 50
        return gift

    @rule(target=bookings, user=users, chips=st.integers(-400, 400))
    def operator(self, user, chips):
        self.count += 1
        booking = grant(str(self.count), user, chips, "Because", NOW)
        refused = self.book(booking)
        if self.hands[user] + chips < 0:
            assert isinstance(refused, NotEnoughChips) and refused.user == user
            return multiple()
        assert refused is None
        self.hands[user] += chips
        return booking

    @rule(target=games, data=st.data(), room=rooms, black=users, white=users)
    def start(self, data, room, black, white):
        if black == white:
            return multiple()
        self.count += 1
        terms = room.terms(data.draw(st.sampled_from(room.stakes)))
        begun = Started(at=NOW, black=black, white=white, control=TimeControl(), terms=terms)
        table = Table(f"game{self.count}", room, begun)
        refused = self.book(*open_bookings(table.id, begun, NOW))
        if min(self.hands[black], self.hands[white]) < terms.stake:
            assert isinstance(refused, NotEnoughChips)
            assert self.hands[refused.user] < terms.stake
            return multiple()
        assert refused is None
        self.hands[black] -= terms.stake
        self.hands[white] -= terms.stake
        self.running[table.id] = table
        return table

    @rule(table=games, end=ends)
    def finish(self, table, end):
        """The game ends, perhaps once more and in another way: only the first time counts."""
        before = self.ledger
        winner, termination, plies = end
        brought = table.end(winner, termination, plies)
        self.ledger = before.settle(table.id, brought)
        if self.running.pop(table.id, None) is None:
            assert self.ledger is before
            return
        stake = table.started.terms.stake
        ways = (None, None) if termination == "aborted" else endings(winner, termination)
        shown = {line.ending: line for line in table.room.table(stake)}
        sides = (table.started.black, table.started.white)
        for user, way in zip(sides, ways, strict=True):
            self.hands[user] += stake + (shown[way].chips if way else 0)
            share = dict(brought.chips).get(user, 0)
            assert share == (shown[way].chips if way else 0)
            points = dict(brought.points).get(user, 0)
            assert points in {0, shown[way].points if way else 0}
        kept = self.ledger.balance(BANK) - before.balance(BANK)
        assert kept >= 0, "no game takes chips from the bank"
        if termination == "aborted":
            assert kept == 0
            assert self.ledger.points == before.points

    @rule(booking=bookings)
    def again(self, booking):
        """What was booked is booked once more, and nothing happens."""
        assert self.ledger.book(booking) is self.ledger

    @rule(table=games, end=ends)
    def behind_its_back(self, table, end):
        """The booking of an end arrives alone, after the game was settled."""
        if table.id in self.running:
            return
        for booking in table.end(*end).bookings:
            if booking.key in self.ledger.bookings:
                assert self.ledger.book(booking) is self.ledger
            else:
                refused = self.book(booking)
                assert refused and refused.code == "settled", "a game was settled twice"

    @rule(room=rooms, end=ends)
    def never_begun(self, room, end):
        """A game that was never staked cannot pay anything."""
        stake = room.stakes[-1]
        begun = Started(at=NOW, black=1, white=2, control=TimeControl(), terms=room.terms(stake))
        end = Table("nowhere", room, begun).end(*end)
        refused = self.book(*end.bookings)
        assert (refused.code if refused else None) == ("settled" if stake else None)

    @invariant()
    def all_adds_up(self):
        assert self.ledger.check() == []
        assert sum(self.ledger.balances.values()) == 0

    @invariant()
    def everybody_has_what_they_should(self):
        for user in USERS:
            assert self.ledger.balance(player(user)) == self.hands[user] >= 0

    @invariant()
    def escrow_holds_the_stakes_of_running_games_alone(self):
        held = {a: n for a, n in self.ledger.balances.items() if a.startswith("escrow:") and n}
        assert held == {
            escrow(game): 2 * table.started.terms.stake
            for game, table in self.running.items()
            if table.started.terms.stake
        }

    @invariant()
    def points_never_fall(self):
        points = dict(self.ledger.points)
        assert all(points.get(user, 0) >= had for user, had in self.points.items())
        self.points = points


TestLedgers = Ledgers.TestCase
TestLedgers.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
