"""The interface that the page's script calls: a game comes in, the computer's answer goes out.

The server keeps no game. Each request carries the whole game, which is replayed by the rules, so
a page that is stale or wrong is told so and can do no harm.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.engine.levels import LEVELS
from kingme.errors import CaptureLimitError, FenError, MoveError
from kingme.rules.history import History
from kingme.rules.outcome import DrawPreset, preset_of
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS
from kingme.web.guard import RequestError, answer, read_json
from kingme.web.ports import OpponentPort, Ports
from kingme.web.settings import Settings
from kingme.web.variants import presets
from kingme.web.wire import (
    PROTOCOL,
    DrawAnswer,
    EngineState,
    GameSent,
    ProtocolSent,
    ReplyAnswer,
    read,
)

__all__ = ["Desk", "decode", "replay", "routes"]

T = TypeVar("T")

STALE = "This page is from another version of kingme. Reload it; your game is kept."
BUSY = "The computer is busy with other games. Try again in a moment."
KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number with a fraction",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "text",
}
LONGEST_REASON = 400
LEVEL_NUMBERS = frozenset(level.number for level in LEVELS)


class Desk:
    """Where searches queue: so many at once, so many waiting, and no longer than so long."""

    def __init__(self, settings: Settings, busy: str = BUSY) -> None:
        self._settings = settings
        self._busy = busy
        self._waiting = 0
        self._slots = anyio.Semaphore(settings.searches)
        self._threads = anyio.CapacityLimiter(settings.searches)

    async def run(self, work: Callable[[], T], request: Request) -> T:
        """The result of `work`, done in a thread in its turn; refused when the queue is full."""
        if self._waiting >= self._settings.queue + self._slots.value:
            raise RequestError(503, "busy", self._busy)
        self._waiting += 1
        try:
            with anyio.fail_after(self._settings.queue_seconds):
                await self._slots.acquire()
        except TimeoutError:
            raise RequestError(503, "busy", self._busy) from None
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
        if read(body, ProtocolSent).protocol != PROTOCOL:
            raise RequestError(409, "stale_page", STALE, field="protocol")
        sent = read(body, GameSent)
    except msgspec.ValidationError as error:
        message, field = in_words(str(error))
        raise RequestError(400, "malformed", message, field=field) from None
    except msgspec.DecodeError:
        message = "The server cannot read this request: it is not JSON."
        raise RequestError(400, "malformed", message) from None
    except RecursionError:
        raise RequestError(400, "malformed", "This request is nested too deeply.") from None
    if sent.variant not in VARIANTS:
        raise RequestError(
            422, "unknown_variant", f"Unknown variant: {sent.variant}.", field="variant"
        )
    names = [preset.name for preset in presets(VARIANTS[sent.variant])]
    if sent.preset not in names:
        known = ", ".join(names)
        message = f"Unknown draw rules: {sent.preset}. There are {known}."
        raise RequestError(422, "unknown_preset", message, field="preset")
    if sent.level not in LEVEL_NUMBERS:
        message = f"There is no level {sent.level}: levels are 1 to {max(LEVEL_NUMBERS)}."
        raise RequestError(422, "unknown_level", message, field="level")
    if sent.ply is not None and sent.ply != len(sent.moves):
        message = f"This page counts {sent.ply} moves but sent {len(sent.moves)}. Reload it."
        raise RequestError(409, "stale_page", message, field="ply")
    return sent


def in_words(problem: str) -> tuple[str, str | None]:
    """What msgspec found wrong, as a sentence for a person, and the field that it is about."""
    missing = re.search(r"missing required field `(\w+)`", problem)
    if missing:
        return f"This request lacks the field {missing[1]}.", missing[1]
    path = re.search(r" - at `\$\.(\w+)(\[)?", problem)
    if path is None:
        return "The server cannot read this request: it is not an object.", None
    field, where = path[1], f"An item of {path[1]}" if path[2] else f"The field {path[1]}"
    if " of length <= " in problem:
        return f"{where} is too long.", field
    kinds = re.match(r"Expected `([\w |]+)`, got `(\w+)`", problem)
    if kinds is None:
        return f"{where} is out of range.", field
    wanted = " or ".join(KINDS.get(kind, kind) for kind in kinds[1].split(" | "))
    return f"{where} must be {wanted}, not {KINDS.get(kinds[2], kinds[2])}.", field


def replay(sent: GameSent, settings: Settings) -> History:
    """The history of the game sent, played by the rules, or why it cannot be.

    Takes milliseconds for a long game, so it belongs in a thread.
    """
    if len(sent.moves) > settings.plies:
        message = f"This game is longer than the {settings.plies} moves that the server replays."
        raise RequestError(422, "too_long", message, field="moves")
    variant, preset = VARIANTS[sent.variant], preset_of(sent.preset)
    try:
        start = None if sent.start is None else Position.from_fen(sent.start, variant)
    except FenError as error:
        message = f"The start of this game cannot be set up: {_short(str(error))}."
        raise RequestError(422, "bad_fen", message, field="start") from None
    watch = Watch(History.start(start, variant), preset)
    for ply, text in enumerate(sent.moves, start=1):
        try:
            watch.play(text)
        except MoveError as error:
            watch.refuse_what_is_over(ply - 1, len(sent.moves))
            message = f"Move {ply} of this game cannot be played: {error}."
            raise RequestError(422, "illegal_move", message, field="moves", ply=ply) from None
        if watch.may_be_over:
            watch.refuse_what_is_over(ply, len(sent.moves))
    watch.refuse_what_is_over(len(sent.moves), len(sent.moves))
    return watch.history


class Watch:
    """A game as it is replayed, and whether it may have come to its end.

    Asking a long history for its outcome after every move would take seconds, so that is asked
    only where a position has come often enough, or enough moves have gone by, for a draw.
    """

    def __init__(self, history: History, preset: DrawPreset) -> None:
        self.history = history
        self._preset = preset
        self._seen = Counter([history.position])
        self._quiet = 0

    def play(self, text: str) -> None:
        """Play the next move; raises `MoveError`."""
        self.history = self.history.play(text)
        self._seen[self.history.position] += 1
        progress = self.history.events(len(self.history.moves) - 1) & self._preset.progress
        self._quiet = 0 if progress else self._quiet + 1

    @property
    def may_be_over(self) -> bool:
        """Whether a draw is possible now: never false where there is one."""
        reached = (
            (self._preset.repetition, self._seen[self.history.position]),
            (self._preset.progress_plies, self._quiet),
            (self._preset.ply_cap, len(self.history.moves)),
        )
        if any(limit and count >= limit for limit, count in reached):
            return True
        return any(ending.holds(self.history.position) for ending in self._preset.endings)

    def refuse_what_is_over(self, ply: int, last: int) -> None:
        """Raise `RequestError` where the game ended with move number `ply`, of `last` sent."""
        outcome = self.history.outcome(self._preset)
        if outcome is None:
            return
        message = f"This game is over. {outcome}."
        if ply < last:
            message = f"This game was over after move {ply}. {outcome}."
        raise RequestError(422, "game_over", message, field="moves", ply=ply or None)


def routes(ports: Ports, settings: Settings) -> list[Route]:
    """The addresses of the interface."""
    desk = Desk(settings)
    opponent = ports.opponent

    async def reply(request: Request) -> Response:
        sent = decode(await read_json(request, settings))
        return answer(await desk.run(bounded(lambda: _reply(sent, settings, opponent)), request))

    async def draw(request: Request) -> Response:
        sent = decode(await read_json(request, settings))
        return answer(await desk.run(bounded(lambda: _draw(sent, settings, opponent)), request))

    async def engine(_: Request) -> Response:
        return answer(EngineState(ready=opponent.ready, detail=opponent.detail))

    return [
        Route("/api/reply", reply, methods=["POST"]),
        Route("/api/draw", draw, methods=["POST"]),
        Route("/api/engine", engine),
    ]


def bounded(work: Callable[[], T]) -> Callable[[], T]:
    """The same work, refused in a sentence where it meets more captures than can be listed."""

    def done() -> T:
        try:
            return work()
        except CaptureLimitError:
            message = "A position of this game has too many captures to list."
            raise RequestError(422, "too_many_captures", message, field="start") from None

    return done


def _short(reason: str) -> str:
    """A reason without most of what was sent, where it quotes very much of that."""
    return reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}…"


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
    if not preset_of(sent.preset).agreement:
        message = "Under these draw rules a draw cannot be agreed."
        raise RequestError(422, "no_agreement", message, field="preset")
    accepted = opponent.answer_draw_offer(history, sent.level, sent.preset)
    return DrawAnswer(protocol=PROTOCOL, ply=len(sent.moves), accepted=accepted)
