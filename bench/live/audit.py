"""Whether a store holds what was promised: every acknowledged move, once, and clocks that are fair.

The clocks are reckoned again from the log alone, with the times at which the server is known to
have been down, by other code than the server's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kingme.play.events import Event, FlagFell, Moved, Settled, Started, TakenBack
from kingme.play.game import replay
from kingme.rules.variant import Side
from live.client import Acked, Board

__all__ = ["Examined", "examine"]

Downtime = tuple[int, int]
"""From when to when the server could not serve, ms since the epoch."""


@dataclass(slots=True)
class Examined:
    """What was looked at, and what is wrong, in sentences."""

    faults: list[str] = field(default_factory=list)
    moves: int = 0
    acked: int = 0
    games: int = 0
    ended: int = 0
    flags: int = 0
    worst_charge: int = -(10**9)  # ms charged beyond the time in which the server was up


def examine(
    store: Any,
    acked: Iterable[Acked],
    boards: Iterable[Board],
    downtimes: Sequence[Downtime],
    allowance: int,
) -> Examined:
    """Look at every game on these boards; nobody may be charged more than `allowance` (ms)."""
    found = Examined()
    promised: dict[str, list[Acked]] = {}
    for move in acked:
        promised.setdefault(move.game, []).append(move)
        found.acked += 1
    seen: dict[str, list[Board]] = {}
    for board in boards:
        seen.setdefault(board.id, []).append(board)
    games = {*promised, *seen} - {""}
    for game in sorted(games):
        version, events = _read(store, game)
        wrong = [
            *_log(events, version),
            *_promises(events, promised.get(game, ())),
            *_boards(events, seen.get(game, ())),
            *_fair(events, downtimes, allowance, found),
            *_settled(events),
        ]
        found.faults += [f"game {game}: {fault}" for fault in wrong]
        found.games += 1
    found.faults += [f"ledger: {fault}" for fault in store.ledger.check()]
    return found


def _read(store: Any, game: str) -> tuple[int | None, Sequence[Event]]:
    """The version of a game and its events as of one moment; flags go on falling meanwhile."""
    for _ in range(5):
        version = store.games.versions([game]).get(game)
        events = store.games.events(game)
        if version == store.games.versions([game]).get(game):
            break
    return version, events


def _log(events: Sequence[Event], version: int | None) -> Iterable[str]:
    """The log as such: whole, playable, and every ply where it belongs."""
    if not events or not isinstance(events[0], Started):
        yield "it is not in the store"
        return
    if version != len(events):
        yield f"the store says version {version}, but there are {len(events)} events"
    plies = 0
    for number, event in enumerate(events, 1):
        if isinstance(event, Moved):
            if event.ply != plies:
                yield f"event {number} is ply {event.ply}, where ply {plies} is due"
            plies += 1
        elif isinstance(event, TakenBack):
            plies = event.ply
    commands = Counter(event.command for event in events if isinstance(event, Moved))
    for command, times in commands.items():
        if command and times > 1:
            yield f"the command {command} was carried out {times} times"
    try:
        replay(events)
    except (ValueError, KeyError) as error:
        yield f"it cannot be replayed: {error}"


def _promises(events: Sequence[Event], promised: Sequence[Acked]) -> Iterable[str]:
    """Every acknowledged move is there, as it was sent."""
    moves = {event.command: event for event in events if isinstance(event, Moved)}
    for ack in promised:
        event = moves.get(ack.id)
        if event is None:
            yield f"the acknowledged ply {ack.ply} ({ack.move}) is lost"
        elif (event.ply, event.move, event.side) != (ack.ply, ack.move, ack.side):
            yield f"ply {ack.ply} ({ack.move}) was acknowledged, but {event.move} is there"


def _boards(events: Sequence[Event], boards: Sequence[Board]) -> Iterable[str]:
    """Nobody has seen what did not happen."""
    moves: list[str] = []
    for event in events:
        if isinstance(event, Moved):
            moves.append(event.move)
        elif isinstance(event, TakenBack):
            del moves[event.ply :]
    for board in boards:
        if board.known and board.moves != moves[: len(board.moves)]:
            yield f"a player saw {board.moves}, but the log has {moves}"
        if board.version > len(events):
            yield f"a player saw version {board.version} of {len(events)}"


def _settled(events: Sequence[Event]) -> Iterable[str]:
    count = sum(isinstance(event, Settled) for event in events)
    over = bool(events) and not replay(events).playing
    if count != int(over):
        yield f"it was settled {count} times, and is {'over' if over else 'being played'}"


def _fair(
    events: Sequence[Event], downtimes: Sequence[Downtime], allowance: int, found: Examined
) -> Iterable[str]:
    """Reckon the clocks again: a player pays for the time in which the server was there."""
    if not events or not isinstance(events[0], Started):
        return
    control = events[0].control
    left = {Side.BLACK: control.initial, Side.WHITE: control.initial}
    since: int | None = None  # a clock runs once both have moved
    for number, event in enumerate(events, 1):
        thought = _up(since, event.at, downtimes) if since is not None else 0
        if isinstance(event, Moved):
            found.moves += 1
            charge = event.spent - thought
            found.worst_charge = max(found.worst_charge, charge)
            if charge > allowance:
                yield f"event {number} was charged {charge} ms in which the server was down"
            left[event.side] += control.increment - thought
            since = event.at if event.ply >= 1 else None
        elif isinstance(event, FlagFell):
            found.flags += 1
            rest = left[event.side] - thought
            if control.kind == "increment" and rest > allowance:
                yield f"a flag fell with {rest} ms to go"
    found.ended += any(isinstance(event, Settled) for event in events)


def _up(since: int, until: int, downtimes: Sequence[Downtime]) -> int:
    """How long the server was there in this time, ms."""
    down = sum(max(0, min(until, end) - max(since, begin)) for begin, end in downtimes)
    return until - since - down
