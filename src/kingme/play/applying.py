"""What each event makes of a game. Whatever `decide` says can be applied; nothing is judged here.

How a game ends on the board is derived as its last move is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kingme.play.clock import Charge, Clock
from kingme.play.events import (
    Aborted,
    ChatSet,
    ClockShifted,
    Deserted,
    DrawAgreed,
    DrawClaimed,
    DrawDeclined,
    DrawOffered,
    Event,
    FlagFell,
    GameEvent,
    Moved,
    RematchDeclined,
    Rematched,
    RematchOffered,
    Resigned,
    Said,
    Settled,
    Started,
    TakebackDeclined,
    TakebackOffered,
    TakenBack,
)
from kingme.play.state import State, index
from kingme.rules.history import History
from kingme.rules.moves import Move, to_move
from kingme.rules.outcome import Outcome, Termination
from kingme.rules.variant import VARIANTS, Side, Variant

__all__ = ["apply", "begin", "replay"]

#: how many command ids of each side are remembered, and how many lines of the talk
SEEN = 64
LINES = 100

Changes = dict[str, Any]


def begin(started: Started) -> State:
    """The game that has just begun."""
    history = History.start(started.start, VARIANTS[started.variant])
    state = State(started, history, Clock.begin(started.control, started.at), at=started.at)
    return replace(state, **_judged(state, history, started))


def apply(state: State, event: Event) -> State:
    """The game after one more event."""
    return _applied(state, event, _CHANGES[type(event)](state, event))


def replay(events: Iterable[Event]) -> State:
    """The game that these events tell; the first must be `Started`.

    The same as to apply them one by one, but quick: moves that others follow were judged when they
    were played, and have not ended the game.
    """
    listed = list(events)
    if not listed or not isinstance(listed[0], Started):
        raise ValueError("a game's events begin with Started")
    state = begin(listed[0])
    last = max((n for n, event in enumerate(listed) if isinstance(event, Moved)), default=0)
    place = 1
    while place < len(listed):
        run = []
        for number in range(place, last):
            event = listed[number]
            if not isinstance(event, Moved):
                break
            run.append(event)
        state = _run(state, run) if run else apply(state, listed[place])
        place += len(run) or 1
    return state


def _run(state: State, events: list[Moved]) -> State:
    """The game after these moves, none of which ends it."""
    variant, clock, offer = state.history.position.variant, state.clock, state.draw_offer
    positions, moves = list(state.history.positions), list(state.history.moves)
    asked, seen = list(state.asked_draw), [list(ids) for ids in state.seen]
    for event in events:
        move = _route(event.move, variant)
        position = positions[-1].after(move)
        positions.append(position)
        moves.append(move)
        runs = position.turn if len(moves) >= 2 else None
        clock = clock.moved(Charge(event.spent, event.credit), event.at, runs)
        offer = offer if offer is event.side else None
        asked[index(event.side)] = False
        if event.command:
            seen[index(event.side)].append(event.command)
    return replace(
        state,
        history=History(tuple(positions), tuple(moves)),
        clock=clock,
        version=state.version + len(events),
        at=max(state.at, *(event.at for event in events)),
        draw_offer=offer,
        takeback_offer=None,
        asked_draw=(asked[0], asked[1]),
        asked_takeback=(False, False),
        seen=(tuple(seen[0][-SEEN:]), tuple(seen[1][-SEEN:])),
    )


def _applied(state: State, event: Event, changes: Changes) -> State:
    if event.command and (actor := _actor(event)):
        place = index(actor)
        ids = (*state.seen[place][1 - SEEN :], event.command)
        changes["seen"] = (ids, state.seen[1]) if place == 0 else (state.seen[0], ids)
    return replace(state, version=state.version + 1, at=max(state.at, event.at), **changes)


def _actor(event: GameEvent) -> Side | None:
    """Whose command an event answers: its side, but for a player who is claimed against."""
    side: Side | None = getattr(event, "side", None)
    return side.other if side and isinstance(event, Deserted) else side


def _moved(state: State, event: Moved) -> Changes:
    changes = _step(state, event)
    return changes | _judged(state, changes["history"], event, changes["clock"])


def _step(state: State, event: Moved) -> Changes:
    """Play a move, without a look at whether it ends the game."""
    before = state.history
    move = _route(event.move, before.position.variant)
    position = before.position.play(move)
    # The copy has not the list of legal moves, which nobody needs of an earlier position.
    positions = (*before.positions[:-1], replace(before.position), position)
    history = History(positions, (*before.moves, move))
    runs = position.turn if len(history.moves) >= 2 else None
    place = index(event.side)
    return {
        "history": history,
        "clock": state.clock.moved(Charge(event.spent, event.credit), event.at, runs),
        "draw_offer": state.draw_offer if state.draw_offer is event.side else None,
        "takeback_offer": None,
        "asked_draw": _set(state.asked_draw, place, False),
        "asked_takeback": (False, False),
    }


def _judged(state: State, history: History, event: Event, clock: Clock | None = None) -> Changes:
    """What follows where the board says that the game is over."""
    outcome = history.outcome(state.preset)
    if outcome is None:
        return {}
    clock = clock or state.clock
    return _ended(replace(state, clock=clock), event, outcome)


@lru_cache(maxsize=4096)
def _route(text: str, variant: Variant) -> Move:
    """The move of a text as `Moved` holds it: its whole route. All games share it."""
    masks = variant.geometry.masks
    path = tuple(masks[int(square)] for square in text.replace("x", "-").split("-"))
    return to_move((path, "x" in text), variant.geometry)


def _ended(
    state: State, event: Event, outcome: Outcome | None, flag: Side | None = None
) -> Changes:
    return {
        "outcome": outcome,
        "end": event,
        "clock": state.clock.stopped(event.at, flag),
        "draw_offer": None,
        "takeback_offer": None,
    }


def _draw_offered(state: State, event: DrawOffered) -> Changes:
    asked = _set(state.asked_draw, index(event.side), True)
    return {"draw_offer": event.side, "asked_draw": asked}


def _draw_declined(state: State, event: DrawDeclined) -> Changes:
    return {"draw_offer": None}


def _draw_agreed(state: State, event: DrawAgreed) -> Changes:
    return _ended(state, event, Outcome(None, Termination.AGREEMENT))


def _draw_claimed(state: State, event: DrawClaimed) -> Changes:
    return _ended(state, event, Outcome(None, Termination(event.termination)))


def _takeback_offered(state: State, event: TakebackOffered) -> Changes:
    asked = _set(state.asked_takeback, index(event.side), True)
    return {"takeback_offer": event.side, "asked_takeback": asked}


def _takeback_declined(state: State, event: TakebackDeclined) -> Changes:
    return {"takeback_offer": None}


def _taken_back(state: State, event: TakenBack) -> Changes:
    history = state.history.back(state.plies - event.ply)
    runs = history.position.turn if event.ply >= 2 else None
    # The first moves, of plies 0 and 1, have earned nothing.
    plies = range(max(2, event.ply), state.plies)
    undone = [state.history.positions[ply].turn for ply in plies]
    earned = (undone.count(Side.BLACK), undone.count(Side.WHITE))
    return {
        "history": history,
        "clock": state.clock.turned(event.at, runs, earned),
        "draw_offer": None,
        "takeback_offer": None,
        "asked_takeback": (False, False),
    }


def _resigned(state: State, event: Resigned) -> Changes:
    return _ended(state, event, Outcome(event.side.other, Termination.RESIGNATION))


def _flag_fell(state: State, event: FlagFell) -> Changes:
    return _ended(state, event, Outcome(event.side.other, Termination.TIMEOUT), event.side)


def _deserted(state: State, event: Deserted) -> Changes:
    winner = event.side.other if event.claimed == "win" else None
    return _ended(state, event, Outcome(winner, Termination.DESERTION))


def _aborted(state: State, event: Aborted) -> Changes:
    return _ended(state, event, None)


def _clock_shifted(state: State, event: ClockShifted) -> Changes:
    outages = (*state.outages, event.outage)
    return {"clock": state.clock.shifted(event.since), "outages": outages}


def _rematch_offered(state: State, event: RematchOffered) -> Changes:
    return {"rematch_offer": event.side, "talk": _more(state.talk, event.side)}


def _rematch_declined(state: State, event: RematchDeclined) -> Changes:
    return {"rematch_offer": None}


def _rematched(state: State, event: Rematched) -> Changes:
    return {"rematch_offer": None, "next_game": event.game}


def _chat_set(state: State, event: ChatSet) -> Changes:
    chat = _set(state.chat, index(event.side), event.on)
    return {"chat": chat, "talk": _more(state.talk, event.side)}


def _said(state: State, event: Said) -> Changes:
    lines = (*state.lines[1 - LINES :], event)
    return {"lines": lines, "talk": _more(state.talk, event.side)}


def _settled(state: State, event: Settled) -> Changes:
    return {"settled": event}


def _set(pair: tuple[bool, bool], place: int, value: bool) -> tuple[bool, bool]:
    return (value, pair[1]) if place == 0 else (pair[0], value)


def _more(pair: tuple[int, int], side: Side) -> tuple[int, int]:
    return (pair[0] + 1, pair[1]) if side is Side.BLACK else (pair[0], pair[1] + 1)


_CHANGES: dict[type[GameEvent], Callable[[State, Any], Changes]] = {
    Moved: _moved,
    DrawOffered: _draw_offered,
    DrawDeclined: _draw_declined,
    DrawAgreed: _draw_agreed,
    DrawClaimed: _draw_claimed,
    TakebackOffered: _takeback_offered,
    TakebackDeclined: _takeback_declined,
    TakenBack: _taken_back,
    Resigned: _resigned,
    FlagFell: _flag_fell,
    Deserted: _deserted,
    Aborted: _aborted,
    ClockShifted: _clock_shifted,
    RematchOffered: _rematch_offered,
    RematchDeclined: _rematch_declined,
    Rematched: _rematched,
    ChatSet: _chat_set,
    Said: _said,
    Settled: _settled,
}
