"""Who may sit down to a game: what rooms, purses and the games that one is in already allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from kingme.errors import NotEnoughChips, Refusal
from kingme.play.clock import TimeControl
from kingme.play.events import Started
from kingme.play.ports import GameRow, GameStore, LedgerStore, User, UserStore
from kingme.play.room import Room, Terms, room_of

__all__ = ["LIVE", "MOST", "MOST_OF_A_GUEST", "Admission", "Store"]

LIVE = ("increment", "per_move")
"""The clocks that need both players at the board at one time."""

MOST, MOST_OF_A_GUEST = 50, 20
"""How many games somebody may be in at once, most of them by days or without a clock."""


class Store(Protocol):
    """What has to be known of people."""

    @property
    def games(self) -> GameStore:
        """Their games."""

    @property
    def users(self) -> UserStore:
        """Who they are."""

    @property
    def ledger(self) -> LedgerStore:
        """Their chips."""


class Admission:
    """Judges people, in a thread."""

    def __init__(self, store: Store, rooms: Mapping[str, Room], now: Callable[[], int]) -> None:
        self._store = store
        self._rooms = rooms
        self._now = now

    def games(self, user: int) -> list[GameRow]:
        """The games in progress that somebody is in, as many as count."""
        return self._store.games.find(player=user, active=True, public=False, limit=MOST)

    def judge(
        self,
        person: User,
        control: TimeControl,
        terms: Terms,
        rated: bool,
        games: Sequence[GameRow],
    ) -> None:
        """Refuse somebody whom a room, the purse, or the games in progress keep from another."""
        if person.disabled:
            raise Refusal("needs_session", "Sign in again first.")
        room = room_of(self._rooms, terms.room)
        room.admit(person.member(self._now()), person.guest, terms.stake, rated, control)
        if terms.stake and self._store.ledger.balance(person.id) < terms.stake:
            raise NotEnoughChips(person.id, "You do not have enough chips for this stake.")
        if control.kind in LIVE and any(row.started.control.kind in LIVE for row in games):
            raise Refusal("playing", "You are in a game with a clock: finish it first.")
        most = MOST_OF_A_GUEST if person.guest else MOST
        if len(games) >= most:
            raise Refusal("too_many_games", f"You are in {most} games already: finish one first.")

    def rematch(self, started: Started, user: int, other: int | None) -> None:
        """Refuse another game like `started` to a user who asks for it, and to the other player.

        `other` is None where only the user has asked yet.
        """
        for who in (user, other):
            if who is None:
                continue
            person = self._store.users.user(who)
            try:
                if person is None:
                    raise Refusal("needs_session", "Sign in again first.")
                games = self.games(who)
                self.judge(person, started.control, started.terms, started.rated, games)
            except Refusal as error:
                if who == user:
                    raise
                message = "Your opponent cannot play another game of this kind now."
                raise Refusal(error.code, message) from error
