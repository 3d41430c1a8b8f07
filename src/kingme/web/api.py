"""The interface that the page's script calls: a game comes in, the computer's answer goes out.

The server keeps no game. Each request carries the whole game, which is replayed by the rules, so
a page that is stale or wrong is told so and can do no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.engine.levels import LEVELS
from kingme.errors import FenError, MoveError
from kingme.rules.history import History
from kingme.rules.outcome import PRESETS
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH
from kingme.web.guard import RequestError, answer, read_json
from kingme.web.ports import OpponentPort, Ports
from kingme.web.settings import Settings
from kingme.web.wire import (
    PROTOCOL,
    DrawAnswer,
    EngineState,
    GameSent,
    ProtocolSent,
    ReplyAnswer,
)

__all__ = ["Desk", "decode", "replay", "routes"]

T = TypeVar("T")

STALE = "This page is from another version of kingme. Reload it; your game is kept."
BUSY = "The computer is busy with other games. Try again in a moment."
LEVEL_NUMBERS = frozenset(level.number for level in LEVELS)


class Desk:
    """Where searches queue: so many at once, so many waiting, and no longer than so long."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting = 0
        self._slots = anyio.Semaphore(settings.searches)
        self._threads = anyio.CapacityLimiter(settings.searches)

    async def run(self, work: Callable[[], T], request: Request) -> T:
        """The result of `work`, done in a thread in its turn; refused when the queue is full."""
        if self._waiting >= self._settings.queue + self._slots.value:
            raise RequestError(503, "busy", BUSY)
        self._waiting += 1
        try:
            with anyio.fail_after(self._settings.queue_seconds):
                await self._slots.acquire()
        except TimeoutError:
            raise RequestError(503, "busy", BUSY) from None
        finally:
            self._waiting -= 1
        try:
            if await request.is_disconnected():
                raise RequestError(400, "gone", "Nobody waits for this answer any more.")
            return await anyio.to_thread.run_sync(work, limiter=self._threads)
        finally:
            self._slots.release()


def decode(body: bytes) -> GameSent:
    """The game in a request; a page of another release is refused before anything else."""
    try:
        if msgspec.json.decode(body, type=ProtocolSent).protocol != PROTOCOL:
            raise RequestError(409, "stale_page", STALE, field="protocol")
        sent = msgspec.json.decode(body, type=GameSent)
    except msgspec.DecodeError as error:
        message = f"The server cannot read this request: {error}."
        raise RequestError(400, "malformed", message) from None
    except RecursionError:
        raise RequestError(400, "malformed", "This request is nested too deeply.") from None
    if sent.variant != ENGLISH.name:
        raise RequestError(
            422, "unknown_variant", f"Unknown variant: {sent.variant}.", field="variant"
        )
    if sent.preset not in PRESETS:
        known = ", ".join(PRESETS)
        message = f"Unknown draw rules: {sent.preset}. There are {known}."
        raise RequestError(422, "unknown_preset", message, field="preset")
    if sent.level not in LEVEL_NUMBERS:
        message = f"There is no level {sent.level}: levels are 1 to {max(LEVEL_NUMBERS)}."
        raise RequestError(422, "unknown_level", message, field="level")
    if sent.ply is not None and sent.ply != len(sent.moves):
        message = f"This page counts {sent.ply} moves but sent {len(sent.moves)}. Reload it."
        raise RequestError(409, "stale_page", message, field="ply")
    return sent


def replay(sent: GameSent, settings: Settings) -> History:
    """The history of the game sent, played by the rules, or why it cannot be.

    Takes milliseconds for a long game, so it belongs in a thread.
    """
    if len(sent.moves) > settings.plies:
        message = f"This game is longer than the {settings.plies} moves that the server replays."
        raise RequestError(422, "too_long", message, field="moves")
    try:
        start = None if sent.start is None else Position.from_fen(sent.start)
    except FenError as error:
        message = f"The start of this game cannot be set up: {error}."
        raise RequestError(422, "bad_fen", message, field="start") from None
    history = History.start(start)
    for ply, text in enumerate(sent.moves, start=1):
        try:
            history = history.play(text)
        except MoveError as error:
            message = f"Move {ply} of this game cannot be played: {error}."
            raise RequestError(422, "illegal_move", message, field="moves", ply=ply) from None
    outcome = history.outcome(PRESETS[sent.preset])
    if outcome is not None:
        message = f"This game is over. {outcome}."
        raise RequestError(422, "game_over", message, field="moves", ply=len(sent.moves))
    return history


def routes(ports: Ports, settings: Settings) -> list[Route]:
    """The addresses of the interface."""
    desk = Desk(settings)
    opponent = ports.opponent

    async def reply(request: Request) -> Response:
        sent = decode(await read_json(request, settings))
        return answer(await desk.run(lambda: _reply(sent, settings, opponent), request))

    async def draw(request: Request) -> Response:
        sent = decode(await read_json(request, settings))
        return answer(await desk.run(lambda: _draw(sent, settings, opponent), request))

    async def engine(_: Request) -> Response:
        return answer(EngineState(ready=opponent.ready, detail=opponent.detail))

    return [
        Route("/api/reply", reply, methods=["POST"]),
        Route("/api/draw", draw, methods=["POST"]),
        Route("/api/engine", engine),
    ]


def _reply(sent: GameSent, settings: Settings, opponent: OpponentPort) -> ReplyAnswer:
    history = replay(sent, settings)
    found = opponent.reply(history, sent.level, preset=sent.preset)
    return ReplyAnswer(
        protocol=PROTOCOL,
        ply=len(sent.moves),
        move=str(found.move),
        path=found.move.path,
        captures=found.move.captures,
        level=found.level,
        asked=sent.level,
        depth=found.depth,
        score=found.score.value,
        nodes=found.nodes,
        seconds=round(found.seconds, 3),
    )


def _draw(sent: GameSent, settings: Settings, opponent: OpponentPort) -> DrawAnswer:
    history = replay(sent, settings)
    if not PRESETS[sent.preset].agreement:
        message = "Under these draw rules a draw cannot be agreed."
        raise RequestError(422, "no_agreement", message, field="preset")
    accepted = opponent.answer_draw_offer(history, sent.level, sent.preset)
    return DrawAnswer(protocol=PROTOCOL, ply=len(sent.moves), accepted=accepted)
