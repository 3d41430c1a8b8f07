"""The lobby as it is shown: open seeks, games to watch, who is online, and one's own games.

All who look get the same bytes, except those who have seeks or games of their own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import msgspec

from kingme.play.clock import Speed
from kingme.play.game import State, apply, replay
from kingme.play.ports import GameStore, Seek, SeekStore, User, UserStore
from kingme.play.rating import Rating
from kingme.web.live.frames import Frame, GameShown, Person, SeekShown
from kingme.web.live.table import person

__all__ = ["GAMES", "Listing", "Look", "Store"]

GAMES = 24
"""How many games are offered to watch."""

LIVELY = 60_000
"""A game stays on offer while it is played; after so long without a move a livelier one may take
its place (ms)."""

OWN, ALL_OWN = 50, 1_000
"""How many games of one's own are shown, and of all who look together."""

SEEKS = 200
"""How many public seeks are shown, the latest."""

KNOWN = 20_000
"""How long what was read about a person is taken for true (ms)."""

BOARDS, PEOPLE = 1_200, 5_000
"""How many boards and people are kept in memory."""

raw = msgspec.json.Encoder().encode


class Store(Protocol):
    """What the lobby reads of the store."""

    @property
    def games(self) -> GameStore:
        """The logs."""

    @property
    def seeks(self) -> SeekStore:
        """The open seeks."""

    @property
    def users(self) -> UserStore:
        """The people."""


class Sent(Frame, frozen=True, tag="lobby"):
    """A `kingme.web.live.frames.Lobby` whose parts are encoded already."""

    seeks: Sequence[msgspec.Raw | SeekShown]
    games: Sequence[msgspec.Raw]
    online: msgspec.Raw
    mine: Sequence[msgspec.Raw]
    people: int
    playing: int


@dataclass(frozen=True, slots=True)
class Look:
    """The lobby at one moment: `whole` is the frame for everybody.

    `seeks` are the public ones as shown and as encoded, `private` those of each owner, and `mine`
    the games of each viewer.
    """

    frame: Sent
    whole: bytes
    seeks: tuple[tuple[SeekShown, msgspec.Raw], ...]
    private: Mapping[int, tuple[SeekShown, ...]]
    mine: Mapping[int, tuple[msgspec.Raw, ...]]

    def of(self, user: int | None) -> bytes:
        """What one person sees."""
        if user is None:
            return self.whole
        mine, private = self.mine.get(user, ()), self.private.get(user, ())
        if not mine and not private and all(seek.owner.id != user for seek, _ in self.seeks):
            return self.whole
        seeks = [
            msgspec.structs.replace(seek, yours=True) if seek.owner.id == user else data
            for seek, data in self.seeks
        ]
        return raw(msgspec.structs.replace(self.frame, seeks=[*seeks, *private], mine=mine))


class Known(NamedTuple):
    """What was read about a person, and when."""

    user: User
    ratings: Mapping[Speed, Rating]
    at: int


class Listing:
    """Reads the lobby. It blocks, and remembers: for one thread at a time.

    `peek` gives a game that is in memory anyway, if it is. Seeks whose owner is `away` are left
    out; to their owner who looks they are there, since that is somebody who is here.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        peek: Callable[[str], State | None],
        away: Callable[[Seek], bool] = lambda _: False,
    ) -> None:
        self._store = store
        self._now = now
        self._peek = peek
        self._away = away
        self._offered: list[str] = []
        self._people: OrderedDict[int, Known] = OrderedDict()
        self._boards: OrderedDict[str, State] = OrderedDict()

    def look(self, people: int, online: Collection[int], viewers: Collection[int]) -> Look:
        """The lobby now; `viewers` are those whose own games are wanted.

        Raises ``Unavailable`` where the store cannot be reached.
        """
        now = self._now()
        seeks = self._store.seeks.seeks(now, private=viewers)
        open_to_all = [seek for seek in seeks if not (seek.code or self._away(seek))][-SEEKS:]
        seeks = [*open_to_all, *(seek for seek in seeks if seek.code)]
        offered = self._offer(now)
        own = self._own(viewers)
        games = {game for some in (offered, *own.values()) for game in some}
        players = {user for game in games for user in _players(self._boards[game])}
        self._learn({*online, *(seek.owner for seek in seeks), *players}, now)
        shown = {game: msgspec.Raw(raw(self._game(game, now))) for game in games}
        private: dict[int, tuple[SeekShown, ...]] = {}
        public = []
        for seek in seeks:
            one = self._seek(seek, now)
            if seek.code:
                mine = msgspec.structs.replace(one, yours=True, code=seek.code)
                private[seek.owner] = (*private.get(seek.owner, ()), mine)
            else:
                public.append((one, msgspec.Raw(raw(one))))
        frame = Sent(
            seeks=[data for _, data in public],
            games=[shown[game] for game in offered],
            online=msgspec.Raw(raw(self._online(online, now))),
            mine=(),
            people=people,
            playing=self._store.games.count(),
        )
        mine_of = {user: tuple(shown[game] for game in some) for user, some in own.items()}
        self._trim()
        return Look(frame, raw(frame), tuple(public), private, mine_of)

    def forget(self, user: int) -> None:
        """Read about a person anew."""
        self._people.pop(user, None)

    # --- reading ---

    def _offer(self, now: int) -> list[str]:
        """The games to watch: those that were, while they are lively, and then the liveliest."""
        versions = self._store.games.versions(self._offered)
        for game in self._offered:
            self._catch_up(game, versions.get(game, 0))
        states = {game: self._boards[game] for game in self._offered}
        offered = [
            game for game, state in states.items() if state.playing and now - state.at < LIVELY
        ]
        if len(offered) < GAMES:
            for row in self._store.games.find(active=True, limit=GAMES):
                if row.id not in offered and len(offered) < GAMES:
                    self._catch_up(row.id, row.version)
                    offered.append(row.id)
        self._offered = offered
        return offered

    def _own(self, viewers: Collection[int]) -> dict[int, list[str]]:
        """The games in progress of each of those who look."""
        own: dict[int, list[str]] = {user: [] for user in viewers}
        if viewers:
            most = min(OWN * len(viewers), ALL_OWN)
            rows = self._store.games.find(player=viewers, active=True, public=False, limit=most)
            for row in rows[:most]:
                self._catch_up(row.id, row.version)
                for user in (row.started.black, row.started.white):
                    if user in own and len(own[user]) < OWN:
                        own[user].append(row.id)
        return own

    def _catch_up(self, game: str, version: int) -> None:
        """Bring a board up to a version at least."""
        state = self._boards.get(game)
        if state is None or state.version < version:
            held = self._peek(game)
            if held is not None and held.version >= version:
                state = held
            elif state is None:
                state = replay(self._store.games.events(game))
            else:
                for event in self._store.games.events(game, state.version):
                    state = apply(state, event)
            self._boards[game] = state
        self._boards.move_to_end(game)

    def _trim(self) -> None:
        while len(self._boards) > BOARDS:
            self._boards.popitem(last=False)
        while len(self._people) > PEOPLE:
            self._people.popitem(last=False)

    def _learn(self, users: Collection[int], now: int) -> None:
        """Read about those who are not known, or were read about long ago."""
        wanted = [
            user
            for user in users
            if user not in self._people or not 0 <= now - self._people[user].at < KNOWN
        ]
        if wanted:
            found = self._store.users.users(wanted)
            ratings = self._store.users.ratings(wanted)
            for user, record in found.items():
                self._people[user] = Known(record, ratings.get(user, {}), now)
        for user in users:
            if user in self._people:
                self._people.move_to_end(user)

    # --- showing ---

    def _person(self, user: int, now: int, speed: Speed | None = None) -> Person:
        known = self._people.get(user)
        if known is None:
            return Person(user, "?")
        return person(known.user, known.ratings.get(speed) if speed else None, now)

    def _online(self, users: Iterable[int], now: int) -> list[Person]:
        """Accounts by name, then guests."""
        people = [self._person(user, now) for user in users if user in self._people]
        return sorted(people, key=lambda one: (one.guest, one.name.casefold()))

    def _seek(self, seek: Seek, now: int) -> SeekShown:
        speed = seek.control.speed
        return SeekShown(
            id=seek.id,
            owner=self._person(seek.owner, now, speed),
            control=seek.control,
            text=seek.control.text,
            speed=speed,
            preset=seek.preset,
            rated=seek.rated,
            room=seek.terms.room,
            stake=seek.terms.stake,
            side=seek.side,
        )

    def _game(self, game: str, now: int) -> GameShown:
        state = self._boards[game]
        started, moves = state.started, state.history.moves
        return GameShown(
            id=game,
            black=self._person(started.black, now, state.speed),
            white=self._person(started.white, now, state.speed),
            text=started.control.text,
            speed=state.speed,
            plies=len(moves),
            rated=started.rated,
            room=started.terms.room,
            stake=started.terms.stake,
            fen=state.history.position.fen,
            last=str(moves[-1]) if moves else None,
        )


def _players(state: State) -> tuple[int, int]:
    return state.started.black, state.started.white
