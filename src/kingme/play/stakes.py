"""Chips by double entry: every booking sums to zero and has a reason.

Stakes go into the game's escrow when it starts (``stake:GAME``). They leave it once: settled by
how the game ended (``settle:GAME``), or returned where it was called off (``return:GAME``). No
account but the bank's ever falls below zero, so that a game cannot be settled and returned both,
nor settled before it was staked. Gifts come from the bank, which is what is in play taken negative.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec

from kingme.errors import NotEnoughChips, Refusal
from kingme.play.clock import Speed
from kingme.play.events import Started
from kingme.play.room import Ending
from kingme.rules.outcome import Termination
from kingme.rules.variant import Side

__all__ = [
    "BANK",
    "Booking",
    "Entry",
    "Ledger",
    "Settlement",
    "abort_booking",
    "endings",
    "escrow",
    "grant",
    "open_bookings",
    "player",
    "settlement",
    "topup",
    "welcome",
]

BANK = "bank"

FEWEST_PLIES = 10
"""A game that was not played to its end on the board brings points from this length on."""

_ON_BOARD = frozenset(
    {
        Termination.NO_PIECES,
        Termination.NO_MOVES,
        Termination.REPETITION,
        Termination.NO_PROGRESS,
        Termination.PLY_CAP,
    }
)


class Entry(msgspec.Struct, frozen=True):
    """An amount in chips onto an account: ``player:ID``, ``escrow:GAME`` or ``bank``."""

    account: str
    amount: int


class Booking(msgspec.Struct, frozen=True):
    """Entries that sum to zero; `key` is unique, so that nothing is booked twice."""

    key: str
    at: int
    reason: str
    entries: tuple[Entry, ...]
    game: str | None = None

    def __post_init__(self) -> None:
        """Refuse entries that make or lose chips."""
        total = sum(entry.amount for entry in self.entries)
        if total:
            raise ValueError(f"booking {self.key}: its entries sum to {total}, not to zero")


class Settlement(msgspec.Struct, frozen=True):
    """All that the end of a game brings: bookings, points by user, and a result to rate.

    `chips` and `points` are what each user won or lost, by user id; who has none is not named.
    `score` is Black's, 1, 0.5 or 0; None where the game is not rated.
    """

    at: int
    black: int
    white: int
    bookings: tuple[Booking, ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    speed: Speed | None = None
    score: float | None = None
    chips: tuple[tuple[int, int], ...] = ()


def player(user: int) -> str:
    """The account of a user."""
    return f"player:{user}"


def escrow(game: str) -> str:
    """The account that holds the stakes of a game while it is played."""
    return f"escrow:{game}"


def open_bookings(game: str, started: Started, now: int) -> tuple[Booking, ...]:
    """What is booked as a game starts: both stakes into escrow; nothing without a stake."""
    stake = started.terms.stake
    if not stake:
        return ()
    entries = (
        Entry(player(started.black), -stake),
        Entry(player(started.white), -stake),
        Entry(escrow(game), 2 * stake),
    )
    return (Booking(f"stake:{game}", now, "Stake", entries, game),)


def abort_booking(game: str, started: Started, now: int) -> Booking | None:
    """What is booked as a game is called off: both stakes back; None without a stake."""
    stake = started.terms.stake
    if not stake:
        return None
    entries = (
        Entry(escrow(game), -2 * stake),
        Entry(player(started.black), stake),
        Entry(player(started.white), stake),
    )
    return Booking(f"return:{game}", now, "Stake returned: the game was called off", entries, game)


def endings(winner: Side | None, termination: str) -> tuple[Ending, Ending]:
    """How a game ended for Black and for White; `termination` is a ``Termination`` value.

    >>> endings(Side.BLACK, "timeout"), endings(Side.WHITE, "resignation")
    (('win', 'loss'), ('resignation', 'win'))
    """
    why = Termination(termination)
    if winner is None:
        return "draw", "draw"
    lost: Ending = "loss"
    if why is Termination.RESIGNATION:
        lost = "resignation"
    elif why is Termination.DESERTION:
        lost = "desertion"
    return ("win", lost) if winner is Side.BLACK else (lost, "win")


def settlement(
    game: str,
    started: Started,
    winner: Side | None,
    termination: str,
    plies: int,
    speed: Speed,
    now: int,
    guests: Collection[int] = (),
) -> Settlement:
    """What the end of a game brings both players by the terms that it began with.

    `winner` and `termination` are those of ``ports.Result``; ``"aborted"`` gives the stakes back
    and nothing else. `plies` is how many moves stood at the end: points need ten, or an end on the
    board. `guests` are those of the two who have no account: no points for them.
    """
    black, white, terms = started.black, started.white, started.terms
    if termination == "aborted":
        back = abort_booking(game, started, now)
        return Settlement(now, black, white, (back,) if back else ())
    by_side = dict(zip((black, white), endings(winner, termination), strict=True))
    brought = {user: terms.brings(ending) for user, ending in by_side.items()}
    chips = {user: won for user, (won, _) in brought.items() if won}
    points: dict[int, int] = {}
    if plies >= FEWEST_PLIES or Termination(termination) in _ON_BOARD:
        points = {user: won for user, (_, won) in brought.items() if won and user not in guests}
    score = {Side.BLACK: 1.0, None: 0.5, Side.WHITE: 0.0}[winner] if started.rated else None
    return Settlement(
        at=now,
        black=black,
        white=white,
        bookings=_settle(game, started, winner, chips, now),
        points=tuple(points.items()),
        speed=speed if started.rated else None,
        score=score,
        chips=tuple(chips.items()),
    )


def _settle(
    game: str, started: Started, winner: Side | None, chips: Mapping[int, int], now: int
) -> tuple[Booking, ...]:
    stake = started.terms.stake
    if not stake:
        return ()
    amounts = {player(u): stake + chips.get(u, 0) for u in (started.black, started.white)}
    amounts[BANK] = 2 * stake - sum(amounts.values())
    entries = [Entry(account, amount) for account, amount in amounts.items() if amount]
    reason = f"Settled: {winner.title} won" if winner else "Settled: a draw"
    return (
        Booking(f"settle:{game}", now, reason, (Entry(escrow(game), -2 * stake), *entries), game),
    )


def welcome(user: int, now: int, chips: int = 150) -> Booking:
    """The gift to a new account, once in its life."""
    return _gift(f"welcome:{user}", user, chips, "Welcome gift", now)


def topup(user: int, worth: int, now: int, least: int = 50) -> Booking | None:
    """What lifts a player to `least`, once a day (UTC); None where there is as much.

    `worth` counts what is in escrow, or else a stake that comes back would be a gift.
    """
    if worth >= least:
        return None
    day = datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
    return _gift(f"topup:{user}:{day}", user, least - worth, "Daily top-up", now)


def grant(name: str, user: int, chips: int, reason: str, now: int) -> Booking:
    """What the operator gives, or takes where `chips` is below zero; `name` is used once."""
    return _gift(f"grant:{name}", user, chips, reason, now)


def _gift(key: str, user: int, chips: int, reason: str, now: int) -> Booking:
    return Booking(key, now, reason, (Entry(player(user), chips), Entry(BANK, -chips)))


@dataclass(frozen=True, slots=True)
class Ledger:
    """All accounts as one value: what a store has to do, without the store.

    Every operation returns the next ledger, or the same one where it was done before.
    """

    balances: Mapping[str, int] = field(default_factory=dict)
    bookings: Mapping[str, Booking] = field(default_factory=dict)
    points: Mapping[int, int] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()

    def balance(self, account: str) -> int:
        """The chips on an account."""
        return self.balances.get(account, 0)

    def book(self, booking: Booking) -> Ledger:
        """Book once by key; ``NotEnoughChips`` where a player's account would fall below zero.

        Refuses ``settled`` where an escrow would: the stakes have left it, or never came.
        """
        if booking.key in self.bookings:
            return self
        balances = dict(self.balances)
        for entry in booking.entries:
            balances[entry.account] = balances.get(entry.account, 0) + entry.amount
        for account, amount in balances.items():
            kind, _, name = account.partition(":")
            if amount < 0 and kind == "player":
                raise NotEnoughChips(int(name))
            if amount < 0 and kind == "escrow":
                raise Refusal("settled", "The stakes of this game are not in escrow.")
        return Ledger(balances, {**self.bookings, booking.key: booking}, self.points, self.settled)

    def settle(self, game: str, end: Settlement) -> Ledger:
        """Do all that a game's end brings, once, whatever end comes first."""
        if game in self.settled:
            return self
        after = self
        for booking in end.bookings:
            after = after.book(booking)
        points = dict(self.points)
        for user, won in end.points:
            points[user] = points.get(user, 0) + won
        return Ledger(after.balances, after.bookings, points, self.settled | {game})

    def check(self) -> list[str]:
        """What is wrong with the ledger in sentences: an empty list when all adds up."""
        wrong = []
        total = sum(self.balances.values())
        if total:
            wrong.append(f"all balances sum to {total}, not to zero")
        wrong += [
            f"{account} is at {amount}"
            for account, amount in self.balances.items()
            if amount < 0 and account != BANK
        ]
        return wrong
