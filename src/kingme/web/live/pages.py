"""The pages of live play: the lobby, a game, and the way in by a private link.

A page carries what its script needs in one JSON block, a game as it stands included, so that the
board is there before the live connection is, which then brings only what has happened since.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kingme
from kingme.play.clock import TimeControl
from kingme.play.game import State, replay
from kingme.play.phrases import PHRASES
from kingme.play.ports import Seek, User
from kingme.play.room import ENDINGS, MEMBERSHIPS, Line
from kingme.play.views import GameView, game_view
from kingme.rules.outcome import PRESETS
from kingme.web.downloads import no_game
from kingme.web.gallery import Gallery, RoomShown
from kingme.web.guard import RequestError, wants_page
from kingme.web.limits import GAMES, Limits, address_of
from kingme.web.live.frames import Person
from kingme.web.live.hub import Hub
from kingme.web.live.table import person, without
from kingme.web.ports import StorePort
from kingme.web.rendering import embedded
from kingme.web.settings import Settings
from kingme.web.site import Site
from kingme.web.wire import PresetRecord, Record

__all__ = ["GameData", "JoinData", "LobbyData", "routes"]

QUICK = ("3+2", "5+3", "10+5", "30+0", "1 day a move", "no clock")
"""The clocks that one click plays by."""

CLOCKS = (
    *("1+0", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "10+5", "15+10", "30+0", "60+30"),
    *("15 s a move", "30 s a move", "60 s a move"),
    *("1 day a move", "3 days a move", "7 days a move", "no clock"),
)
"""The clocks that a seek offers to choose from; any other may be written."""

SPEEDS = {
    "bullet": "Bullet",
    "blitz": "Blitz",
    "rapid": "Rapid",
    "classical": "Classical",
    "days": "By days",
}


class ClockChoice(Record, frozen=True):
    """A clock to choose."""

    text: str
    speed: str
    control: TimeControl


class LobbyData(Record, frozen=True):
    """What the lobby's script is told; `chips` is what the viewer has, None for a visitor."""

    version: str
    guest: bool
    chips: int | None
    presets: list[PresetRecord]
    rooms: list[RoomShown]
    clocks: list[ClockChoice]


class GameData(Record, frozen=True):
    """What the script of a game is told; `muted`: the viewer has muted the opponent."""

    version: str
    game: GameView
    preset: PresetRecord
    phrases: dict[str, str]
    muted: bool


class JoinData(Record, frozen=True):
    """What the script of a private link is told; `seek` names it to its owner alone."""

    version: str
    code: str
    seek: str | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A game as it was read for one viewer."""

    view: GameView
    lines: list[Line]
    muted: bool


@dataclass(frozen=True, slots=True)
class Invitation:
    """A private seek as it was read for one viewer."""

    seek: Seek
    owner: Person
    room: RoomShown


class Pages:
    """Reads what the pages show, and renders them."""

    def __init__(
        self,
        store: StorePort,
        hub: Hub,
        site: Site,
        limits: Limits,
        settings: Settings,
        now: Callable[[], int],
        away: Callable[[Seek], bool],
    ) -> None:
        self._store = store
        self._hub = hub
        self._site = site
        self._limits = limits
        self._settings = settings
        self._now = now
        self._away = away
        self._gallery = Gallery(store, settings, now)

    async def lobby(self, request: Request) -> Response:
        """Where people find each other."""
        you = await self._site.auth.identify(request.headers)
        data, active = await anyio.to_thread.run_sync(self._lobby, you)
        return await self._site.page(
            request,
            "lobby.html",
            here="lobby",
            you=you,
            data=data,
            data_json=embedded(data),
            active=active,
            quick=[_choice(text) for text in QUICK],
            speeds=SPEEDS,
            memberships=MEMBERSHIPS,
        )

    async def game(self, request: Request) -> Response:
        """A game that is played, or was; a private one for its players alone."""
        await self._limits.spend((GAMES, address_of(request.client)))
        you = await self._site.auth.identify(request.headers)
        game = request.path_params["game"]
        shown = await anyio.to_thread.run_sync(self._game, game, you)
        view = shown.view
        preset = PRESETS[view.preset]
        data = GameData(
            version=kingme.__version__,
            game=view,
            preset=PresetRecord.of(preset),
            phrases=PHRASES,
            muted=shown.muted,
        )
        return await self._site.page(
            request,
            "game.html",
            you=you,
            game=msgspec.to_builtins(view),
            clock=view.control.words,
            preset=preset,
            room=self._settings.rooms.get(view.room),
            lines=shown.lines,
            data_json=embedded(data),
        )

    async def join(self, request: Request) -> Response:
        """A private link: who invites to what, or that it is no longer open."""
        you = await self._site.auth.identify(request.headers)
        code = request.path_params["code"]
        found = await anyio.to_thread.run_sync(self._invitation, code, you)
        if found is None:
            if not wants_page(request):
                raise RequestError(404, "not_found", "This invitation is no longer open.")
            return await self._site.page(request, "gone.html", you=you, status=404)
        seek = found.seek
        yours = you is not None and you.id == seek.owner
        data = JoinData(kingme.__version__, code, seek.id if yours else None)
        return await self._site.page(
            request,
            "join.html",
            you=you,
            seek=seek,
            owner=found.owner,
            yours=yours,
            away=not yours and self._away(seek),
            link=str(request.url.replace(query="")),
            preset=PRESETS[seek.preset],
            room=found.room,
            table=next((t for t in found.room.tables if t.stake == seek.terms.stake), None),
            speeds=SPEEDS,
            data_json=embedded(data),
        )

    # --- what is read, in a thread ---

    def _lobby(self, you: User | None) -> tuple[LobbyData, int]:
        active = 0
        if you is not None:
            rows = self._store.games.find(player=you.id, active=True, public=False, limit=20)
            active = len(rows)
        data = LobbyData(
            version=kingme.__version__,
            guest=you is None or you.guest,
            chips=None if you is None else self._store.ledger.balance(you.id),
            presets=[PresetRecord.of(preset) for preset in PRESETS.values()],
            rooms=self._gallery.rooms(you).rooms,
            clocks=[_choice(text) for text in CLOCKS],
        )
        return data, active

    def _game(self, game: str, you: User | None) -> Shown:
        state = self._hub.peek(game) or self._replayed(game)
        viewer = None if you is None else state.side_of(you.id)
        if viewer is None and state.started.private:
            raise no_game()
        people = self._people(state)
        view = game_view(state, game, viewer, people)
        muted = False
        if you is not None and viewer is not None:
            muted = state.player(viewer.other) in self._store.service.muted(you.id)
        lines = [
            Line(ending, title, *state.terms.brings(ending)) for ending, title in ENDINGS.items()
        ]
        return Shown(without(view, viewer.other) if muted and viewer else view, lines, muted)

    def _replayed(self, game: str) -> State:
        events = self._store.games.events(game)
        if not events:
            raise no_game()
        return replay(events)

    def _people(self, state: State) -> dict[int, dict[str, Any]]:
        ids = (state.started.black, state.started.white)
        users = self._store.users.users(ids)
        ratings = self._store.users.ratings(ids, state.speed)
        now = self._now()
        return {
            user: msgspec.to_builtins(person(found, ratings.get(user, {}).get(state.speed), now))
            for user, found in users.items()
        }

    def _invitation(self, code: str, you: User | None) -> Invitation | None:
        seeks = self._store.seeks.seeks(self._now())
        seek = next((seek for seek in seeks if seek.code == code), None)
        owner = self._store.users.user(seek.owner) if seek else None
        if seek is None or owner is None:
            return None
        rooms = {room.name: room for room in self._gallery.rooms(you).rooms}
        if seek.terms.room not in rooms:
            return None
        speed = seek.control.speed
        rating = self._store.users.ratings((owner.id,), speed).get(owner.id, {}).get(speed)
        return Invitation(seek, person(owner, rating, self._now()), rooms[seek.terms.room])


def routes(
    store: StorePort,
    hub: Hub,
    site: Site,
    limits: Limits,
    settings: Settings,
    now: Callable[[], int],
    away: Callable[[Seek], bool],
) -> list[Route]:
    """The addresses of live play that a browser opens; they come after those of files."""
    pages = Pages(store, hub, site, limits, settings, now, away)
    return [
        Route("/lobby", pages.lobby),
        Route("/game/{game}", pages.game),
        Route("/join/{code}", pages.join),
    ]


def _choice(text: str) -> ClockChoice:
    control = TimeControl.parse(text)
    return ClockChoice(control.text, control.speed, control)
