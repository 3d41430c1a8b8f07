"""A person at the live server who keeps to the protocol as the page does.

Frames that are not answered are sent again, also on a new connection; a connection that broke off
or fell silent is made anew after a pause with jitter; each game is followed from the last version
that was seen. Everything the server acknowledged is written down, so that it can be looked for in
the log afterwards.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from kingme.play.clock import TimeControl
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side
from live.wire import Refused, Socket, open_socket

__all__ = ["Acked", "Board", "Client", "Heard", "Refusal", "keep"]

PING_SECONDS = 2.5
STALE_SECONDS = 9.0
RESEND_SECONDS = 2.5
RETRY_SECONDS = (0.5, 3.5)

ENDS = frozenset(
    {"resigned", "draw_agreed", "draw_claimed", "flag_fell", "deserted", "aborted", "settled"}
)
LATER = frozenset({"storage", "busy", "too_fast", "stopping"})
"""Refusals that leave the command unanswered: the same frame is sent again."""


class Heard(msgspec.Struct, rename="camel"):
    """What is needed of any event."""

    kind: str
    at: int = 0
    command: str = ""
    side: Side | None = None
    ply: int = 0
    move: str | None = None
    game: str | None = None
    plies: int = 0


class _Person(msgspec.Struct):
    id: int
    name: str = ""


class _View(msgspec.Struct, rename="camel"):
    id: str
    version: int
    moves: list[str]
    status: str
    start: str | None = None
    you: Side | None = None
    settled: msgspec.Raw | None = None
    next: str | None = None


class _Welcome(msgspec.Struct, tag="welcome", tag_field="t"):
    now: int
    version: str
    you: _Person | None = None


class _Pong(msgspec.Struct, tag="pong", tag_field="t"):
    at: int


class _Game(msgspec.Struct, tag="game", tag_field="t"):
    game: _View


class _Events(msgspec.Struct, tag="events", tag_field="t"):
    game: str
    after: int
    events: list[Heard]


class _Ack(msgspec.Struct, tag="ack", tag_field="t"):
    id: str
    version: int | None = None
    game: str | None = None
    seek: str | None = None
    code: str | None = None


class _No(msgspec.Struct, tag="no", tag_field="t"):
    code: str
    message: str
    id: str | None = None
    version: int | None = None


class _Bye(msgspec.Struct, tag="bye", tag_field="t"):
    reason: str
    after: int | None = None


class _Paired(msgspec.Struct, tag="paired", tag_field="t"):
    game: str
    side: Side


class _Lobby(msgspec.Struct, tag="lobby", tag_field="t"):
    people: int


class _Presence(msgspec.Struct, tag="presence", tag_field="t"):
    game: str
    black: bool
    white: bool
    watchers: int
    gone: Side | None = None
    claimable: int | None = None


_Frame = _Welcome | _Pong | _Game | _Events | _Ack | _No | _Bye | _Paired | _Lobby | _Presence
_decoder: msgspec.json.Decoder[_Frame] = msgspec.json.Decoder(_Frame)
_encode = msgspec.json.Encoder().encode


class Refusal(Exception):
    """The server said no."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Acked:
    """A move that the server said was safe."""

    game: str
    version: int
    side: Side
    ply: int
    move: str
    id: str


@dataclass(slots=True)
class Board:
    """A game as this person sees it."""

    id: str
    version: int = 0
    you: Side | None = None
    positions: list[Position] = field(default_factory=lambda: [Position.start()])
    moves: list[str] = field(default_factory=list)
    over: bool = False
    settled: bool = False
    known: bool = False
    next: str | None = None
    waiting: str | None = None  # the id of the move that is on its way
    asked: float | None = None  # when it was asked for, until the answer
    safe: int = 0  # the version that the last answer named, which may come before the events

    @property
    def mine(self) -> bool:
        """Whether this person is to move and has not moved yet."""
        return (
            self.known
            and not self.over
            and self.waiting is None
            and self.version >= self.safe
            and self.positions[-1].turn is self.you
        )

    def load(self, view: _View) -> None:
        """Take the game as the server has it."""
        position = Position.from_fen(view.start) if view.start else Position.start()
        self.positions, self.moves = [position], []
        for text in view.moves:
            self._move(text)
        self.version, self.you = view.version, view.you
        self.over = view.status != "playing"
        self.settled = view.settled is not None
        self.next = view.next
        self.known = True

    def hear(self, event: Heard) -> None:
        """Take one more event."""
        self.version += 1
        if event.kind == "moved" and event.move is not None:
            assert event.ply == len(self.moves), f"ply {event.ply} after {len(self.moves)} moves"
            self._move(event.move)
        elif event.kind == "taken_back":
            del self.moves[event.ply :]
            del self.positions[event.ply + 1 :]
        elif event.kind == "rematched":
            self.next = event.game
        self.over = self.over or event.kind in ENDS
        self.settled = self.settled or event.kind == "settled"

    def _move(self, text: str) -> None:
        position = self.positions[-1]
        found = next((m for m in position.legal_moves if str(m) == text), None)
        self.positions.append(position.play(found or text))
        self.moves.append(text)


@dataclass(slots=True)
class _Pending:
    frame: bytes
    sent: float
    move: tuple[str, int, str] | None = None  # the game, ply and text, for a move
    answer: asyncio.Future[_Ack] | None = None


class Client:
    """One person with one connection at a time; `bases` are the servers to choose from.

    `heard` is called for each new event of a followed game, after the board has it.
    """

    def __init__(
        self,
        bases: list[str],
        token: str | None,
        *,
        user: int = 0,
        chance: random.Random | None = None,
        heard: Callable[[Client, Board, Heard], None] | None = None,
        patience: tuple[float, float] = RETRY_SECONDS,
    ) -> None:
        self.bases = bases
        self.token = token
        self.user = user
        self.chance = chance or random.Random()  # noqa: S311 (chance, not secrets)
        self.heard = heard
        self.patience = patience
        self.boards: dict[str, Board] = {}
        self.acked: list[Acked] = []
        self.paired: asyncio.Queue[tuple[str, Side]] = asyncio.Queue()
        self.refused: Counter[str] = Counter()
        self.closed: Counter[int] = Counter()
        self.resumed = 0  # how many connections were made after the first
        self.resent = 0
        self.trips: list[float] | None = None  # where the round trips of pings go, in ms
        self.broken = ""  # what this client could not make sense of
        self._socket: Socket | None = None
        self._ids = itertools.count(1)
        self._name = "".join(self.chance.choices("abcdefghjkmnpqrstuvwxyz23456789", k=8))
        self._pending: dict[str, _Pending] = {}
        self._changed = asyncio.Event()
        self._retry: asyncio.Task[None] | None = None
        self._ended = False
        self._bye: _Bye | None = None
        self._ping_due = 0.0
        self._pinged = 0.0
        self._last_heard = 0.0
        self._pong: tuple[int, float] = (0, 0.0)

    # --- the connection ---

    @property
    def online(self) -> bool:
        """Whether there is a connection."""
        return self._socket is not None and self._socket.open

    @property
    def idle(self) -> bool:
        """Whether everything sent has been answered, and every game is known up to now."""
        boards = self.boards.values()
        return (
            self.online and not self._pending and all(b.known and b.asked is None for b in boards)
        )

    async def connect(self) -> None:
        """Connect, then follow what was followed and send what was not answered."""
        base = self.chance.choice(self.bases)
        self._socket = await open_socket(base, self.token, self._hear, self._gone)
        now = time.monotonic()
        self._last_heard = now
        self._ping_due = now + self.chance.random() * PING_SECONDS
        self._pong = (0, 0.0)
        for board in self.boards.values():
            if not (board.over and board.settled):
                self._follow(board)
        for pending in self._pending.values():
            self._send(pending.frame)
            pending.sent = now
            self.resent += 1

    def end(self) -> None:
        """Go away for good."""
        self._ended = True
        if self._retry is not None:
            self._retry.cancel()
        if self._socket is not None:
            self._socket.close()

    async def leave(self) -> None:
        """Go away for good, and wait until the connection is gone."""
        socket = self._socket
        self.end()
        if socket is not None:
            await socket.lost.wait()

    def cut(self) -> None:
        """Lose the connection."""
        if self._socket is not None:
            self._socket.cut()

    def tend(self, now: float) -> None:
        """Ping, send again, or give the connection up, whichever is due (`time.monotonic`)."""
        if not self.online:
            return
        if now - self._last_heard > STALE_SECONDS:
            self.cut()
            return
        if now >= self._ping_due:
            self._ping_due = now + PING_SECONDS
            self._pinged = time.monotonic()
            at, came = self._pong
            held = int((now - came) * 1000) if at else 0
            self._send(b'{"t":"ping","echo":%d,"held":%d}' % (at, held))
        for pending in self._pending.values():
            if now - pending.sent > RESEND_SECONDS:
                pending.sent = now
                self.resent += 1
                self._send(pending.frame)
        for board in self.boards.values():
            if board.asked is not None and now - board.asked > RESEND_SECONDS:
                self._follow(board)

    def _send(self, frame: bytes) -> None:
        if self._socket is not None:
            self._socket.send(frame)

    def _gone(self, code: int) -> None:
        self.closed[code] += 1
        self._socket = None
        bye, self._bye = self._bye, None
        if bye is not None and bye.after is None:
            self._ended = True  # told not to come back
        if not self._ended:
            self._retry = asyncio.get_running_loop().create_task(self._return(bye))

    async def _return(self, bye: _Bye | None) -> None:
        least, most = self.patience
        if bye is not None and bye.after is not None:
            await asyncio.sleep(bye.after / 1000)
        while not self._ended:
            await asyncio.sleep(self.chance.uniform(least, most))
            try:
                await self.connect()
            except (OSError, Refused, TimeoutError):
                continue
            self.resumed += 1
            return

    # --- what is asked ---

    def follow(self, game: str) -> Board:
        """Follow a game from now on."""
        board = self.boards.get(game)
        if board is None:
            board = self.boards[game] = Board(game)
            self._follow(board)
        return board

    def unfollow(self, game: str, leaving: bool = False) -> None:
        """Follow it no more."""
        if self.boards.pop(game, None) is not None:
            self._send(_encode({"t": "unfollow", "game": game, "leaving": leaving}))

    def _follow(self, board: Board) -> None:
        version = board.version if board.known else 0
        board.asked = time.monotonic()
        self._send(_encode({"t": "follow", "game": board.id, "version": version}))

    def play(self, board: Board, move: Move | None = None) -> int:
        """Send a random legal move, or this one; returns the ply that it answers."""
        chosen = move or self.chance.choice(board.positions[-1].legal_moves)
        ply, text = len(board.moves), str(chosen)
        sent = {"t": "do", "game": board.id, "what": "play", "ply": ply, "move": text}
        board.waiting = self._ask(sent, move=(board.id, ply, text))
        return ply

    async def do(self, game: str, what: str, **fields: object) -> _Ack:
        """Ask something of a game; raises `Refusal`."""
        return await self.ask({"t": "do", "game": game, "what": what, **fields})

    async def seek(self, control: TimeControl, **fields: object) -> _Ack:
        """Open a seek; the ack has its id, and the code of a private one."""
        return await self.ask({"t": "seek", "control": control, **fields})

    async def join(self, seek: str) -> _Ack:
        """Accept a seek; the ack names the game."""
        return await self.ask({"t": "join", "seek": seek})

    async def ask(self, frame: dict[str, object]) -> _Ack:
        """Send a frame until it is answered."""
        answer: asyncio.Future[_Ack] = asyncio.get_running_loop().create_future()
        self._ask(frame, answer=answer)
        return await answer

    async def until(self, happened: Callable[[], bool], seconds: float = 60) -> None:
        """Wait until something has happened to this person."""
        async with asyncio.timeout(seconds):
            while not happened():
                self._changed.clear()
                await self._changed.wait()

    def _ask(
        self,
        frame: dict[str, object],
        move: tuple[str, int, str] | None = None,
        answer: asyncio.Future[_Ack] | None = None,
    ) -> str:
        name = f"{self._name}{next(self._ids)}"
        data = _encode({**frame, "id": name})
        self._pending[name] = _Pending(data, time.monotonic(), move, answer)
        self._send(data)
        return name

    # --- what is heard ---

    def _hear(self, message: bytes) -> None:
        self._last_heard = time.monotonic()
        try:
            frame = _decoder.decode(message)
            if isinstance(frame, _Pong):
                self._pong = (frame.at, self._last_heard)
                if self.trips is not None:
                    self.trips.append((self._last_heard - self._pinged) * 1000)
                return
            self._take(frame)
        except (msgspec.DecodeError, AssertionError, ValueError) as error:
            self.broken = f"{error}: {message[:300]!r}"
        self._changed.set()

    def _take(self, frame: _Frame) -> None:
        match frame:
            case _Events():
                self._events(frame)
            case _Ack():
                self._acked(frame)
            case _No():
                self._refused(frame)
            case _Game(game=view):
                board = self.boards.get(view.id)
                if board is not None:
                    board.asked = None
                    board.load(view)
                    if self.heard is not None:
                        self.heard(self, board, Heard("game"))
            case _Bye():
                self._bye = frame
            case _Paired():
                self.paired.put_nowait((frame.game, frame.side))
            case _Welcome() if frame.you is not None:
                self.user = frame.you.id

    def _events(self, frame: _Events) -> None:
        board = self.boards.get(frame.game)
        if board is None:
            return
        board.asked = None
        if frame.after > board.version:  # something is missing: ask for all since what is known
            self._follow(board)
            return
        for event in frame.events[board.version - frame.after :]:
            board.hear(event)
            if self.heard is not None:
                self.heard(self, board, event)

    def _acked(self, frame: _Ack) -> None:
        pending = self._pending.pop(frame.id, None)
        if pending is None:
            return
        if pending.move is not None:
            game, ply, text = pending.move
            board = self.boards[game]
            assert board.you is not None and frame.version is not None
            self.acked.append(Acked(game, frame.version, board.you, ply, text, frame.id))
            board.safe = max(board.safe, frame.version)
            if board.waiting == frame.id:
                board.waiting = None
        if pending.answer is not None and not pending.answer.done():
            pending.answer.set_result(frame)

    def _refused(self, frame: _No) -> None:
        self.refused[frame.code] += 1
        if frame.id is None or frame.code in LATER:
            return
        pending = self._pending.pop(frame.id, None)
        if pending is None:
            return
        if pending.move is not None:
            board = self.boards.get(pending.move[0])
            if board is not None:
                board.waiting = None
                self._follow(board)
        if pending.answer is not None and not pending.answer.done():
            pending.answer.set_exception(Refusal(frame.code, frame.message))


async def keep(clients: Iterable[Client], every: float = 0.25) -> None:
    """Tend many clients until cancelled."""
    everyone = list(clients)
    while True:
        now = time.monotonic()
        for client in everyone:
            client.tend(now)
        await asyncio.sleep(every)
