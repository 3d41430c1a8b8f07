"""Games as PDN: one, or all that a player has finished, sent as they are read."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from kingme.play.clock import TimeControl
from kingme.play.game import replay
from kingme.play.ports import GameRow, GameStore, User
from kingme.play.state import State
from kingme.play.views import outcome_view
from kingme.rules.pdn import game_pdn
from kingme.rules.variant import Side
from kingme.web.auth import Auth
from kingme.web.gallery import LATEST, Archive, Gallery
from kingme.web.guard import RequestError
from kingme.web.limits import EXPORTS, GAMES, Limits, address_of

__all__ = ["no_game", "routes", "visible"]

GAME = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
BATCH = 50


def routes(store: Archive, gallery: Gallery, auth: Auth, limits: Limits) -> list[Route]:
    """The addresses of games as files; they come before those of games as pages."""

    async def one(request: Request) -> Response:
        """A game as PDN; a private one for its players alone."""
        await limits.spend((GAMES, address_of(request.client)))
        viewer = await auth.identify(request.headers)
        game = request.path_params["game"]
        site = str(request.base_url)
        text = await anyio.to_thread.run_sync(_one, store, game, viewer, site)
        return Response(text, media_type="text/plain", headers=_headers(f"{game}.pdn"))

    async def every(request: Request) -> Response:
        """A player's finished games as one PDN file."""
        await limits.spend((EXPORTS, address_of(request.client)))
        viewer = await auth.identify(request.headers)
        user = await anyio.to_thread.run_sync(gallery.find, request.path_params["name"])
        public = viewer is None or viewer.id != user.id
        parts = _every(store, user, public, str(request.base_url))
        return StreamingResponse(
            parts, media_type="text/plain", headers=_headers(f"{user.name}.pdn")
        )

    return [
        Route("/game/{game}.pdn", one),
        Route("/player/{name}/games.pdn", every),
    ]


def visible(games: GameStore, game: str, viewer: User | None) -> State | None:
    """A game as it stands; None where there is none, or a private one of others."""
    state = _state(games, game) if GAME.fullmatch(game) else None
    if state is None or not state.started.private:
        return state
    return None if state.side_of(viewer.id if viewer else None) is None else state


def no_game() -> RequestError:
    """The same words where there is no such game and where it is not for this viewer."""
    return RequestError(404, "not_found", "There is no such game, or it is a private one.")


def _headers(name: str) -> dict[str, str]:
    return {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }


def _one(store: Archive, game: str, viewer: User | None, site: str) -> str:
    state = visible(store.games, game, viewer)
    if state is None:
        raise no_game()
    ids = [state.started.black, state.started.white]
    return _pdn(game, state, store.users.users(ids), site)


def _every(store: Archive, user: User, public: bool, site: str) -> Iterator[bytes]:
    """The games one by one, the newest first, with a blank line between them."""
    before, between = LATEST, ""
    while True:
        rows = store.games.find(
            player=user.id, active=False, public=public, before=before, limit=BATCH
        )
        users = store.users.users({side for row in rows for side in _players(row)})
        for row in rows:
            state = _state(store.games, row.id) if _finished(row) else None
            if state is not None:
                yield f"{between}{_pdn(row.id, state, users, site)}".encode()
                between = "\n"
        if len(rows) < BATCH:
            return
        before = rows[-1].updated


def _players(row: GameRow) -> tuple[int, int]:
    return row.started.black, row.started.white


def _finished(row: GameRow) -> bool:
    return row.result is not None and row.result.termination != "aborted"


def _state(games: GameStore, game: str) -> State | None:
    events = games.events(game)
    return replay(events) if events else None


def _pdn(game: str, state: State, users: dict[int, User], site: str) -> str:
    """One game with its tags."""
    started = state.started
    moment = dt.datetime.fromtimestamp(started.at / 1000, dt.UTC)
    outcome = outcome_view(state)
    rated = "Rated" if started.rated else "Casual"
    tags = {
        "Event": f"{rated} game, {state.speed}",
        "Site": f"{site}game/{game}",
        "Date": f"{moment:%Y.%m.%d}",
        "Round": "-",
        "Black": users[state.player(Side.BLACK)].name,
        "White": users[state.player(Side.WHITE)].name,
        "UTCTime": f"{moment:%H:%M:%S}",
        "TimeControl": _control(started.control),
    }
    if outcome is not None:
        tags["Termination"] = outcome.text
    return game_pdn(tags, state.history, outcome.result if outcome else "*")


def _control(control: TimeControl) -> str:
    """A clock as the tag TimeControl writes it, in seconds: ``300+3``, ``1/30`` a move, ``-``."""
    seconds = control.initial // 1000
    if control.kind == "increment":
        return f"{seconds}+{control.increment // 1000}"
    return "-" if control.kind == "unlimited" else f"1/{seconds}"
