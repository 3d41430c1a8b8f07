"""What each viewer may see of a game: the players all of it, spectators nothing of their talk.

Views are records for the wire, in camel case. A viewer is the side that a person plays, or None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kingme.play.clock import Speed, TimeControl
from kingme.play.events import Aborted, ChatSet, Event, Said, Settled, Share
from kingme.play.room import Terms
from kingme.play.state import State, Status
from kingme.rules.variant import Side

__all__ = [
    "HIDDEN",
    "ChatView",
    "ClockView",
    "GameView",
    "LineView",
    "OutcomeView",
    "SettledView",
    "clock_view",
    "event_view",
    "game_view",
    "outcome_view",
]

#: What stands for an event that a viewer may not see, so that versions have no gap.
HIDDEN: dict[str, Any] = {"kind": "hidden"}


class View(msgspec.Struct, frozen=True, rename="camel"):
    """A value that is only shown."""


class ClockView(View, frozen=True):
    """The clock: `left` is Black's and White's time in ms as of `since`, both 0 without a clock.

    From `since` on the time of `running` runs; that may lie ahead. Nobody's time runs before the
    first moves and after the end.
    """

    left: tuple[int, int]
    running: Side | None
    since: int | None


class OutcomeView(View, frozen=True):
    """How the game ended: a PDN result (``*`` for a game that was called off) and a sentence."""

    winner: Side | None
    termination: str
    result: str
    text: str


class LineView(View, frozen=True, omit_defaults=True):
    """What a player said: the name of a phrase, or a text."""

    side: Side
    at: int
    phrase: str | None = None
    text: str | None = None


class ChatView(View, frozen=True):
    """The talk of the two players; texts can be sent while both have the chat on."""

    black: bool
    white: bool
    lines: list[LineView]


class SettledView(View, frozen=True):
    """What the game brought each player."""

    at: int
    black: Share
    white: Share


class GameView(View, frozen=True):
    """A whole game as one viewer may see it.

    `text` is the clock in words and `start` a FEN, None for the usual start. `draw`, `takeback`
    and `rematch` are the sides that offer these, `next` is the rematch's game. `chat` is None for
    spectators. `start_deadline` is by when the player on the turn must make the first move, None
    from the second move on and without a clock.
    """

    id: str
    version: int
    variant: str
    preset: str
    start: str | None
    moves: list[str]
    control: TimeControl
    text: str
    speed: Speed
    clock: ClockView
    status: Status
    outcome: OutcomeView | None
    black: dict[str, Any]
    white: dict[str, Any]
    rated: bool
    private: bool
    room: str
    stake: int
    terms: Terms
    you: Side | None
    draw: Side | None
    takeback: Side | None
    rematch: Side | None
    chat: ChatView | None
    next: str | None
    rematch_of: str | None
    started_at: int
    ended_at: int | None
    settled: SettledView | None
    start_deadline: int | None


def game_view(
    state: State, game: str, viewer: Side | None, people: Mapping[int, dict[str, Any]]
) -> GameView:
    """The game with the id `game` as `viewer` may see it; `people` are the users by id."""
    started = state.started
    return GameView(
        id=game,
        version=state.version,
        variant=started.variant,
        preset=started.preset,
        start=started.start,
        moves=[str(move) for move in state.history.moves],
        control=started.control,
        text=started.control.text,
        speed=state.speed,
        clock=clock_view(state),
        status=state.status,
        outcome=outcome_view(state),
        black=_person(started.black, people),
        white=_person(started.white, people),
        rated=started.rated,
        private=started.private,
        room=started.terms.room,
        stake=started.terms.stake,
        terms=started.terms,
        you=viewer,
        draw=state.draw_offer,
        takeback=state.takeback_offer,
        rematch=state.rematch_offer,
        chat=None if viewer is None else _chat_view(state),
        next=state.next_game,
        rematch_of=started.rematch_of,
        started_at=started.at,
        ended_at=None if state.end is None else state.end.at,
        settled=_settled_view(state.settled),
        start_deadline=_start_deadline(state),
    )


def _start_deadline(state: State) -> int | None:
    """By when the first move is due; that a game without a clock ends one day is not shown."""
    begun = state.clock.running is not None or state.started.control.start_limit is None
    return None if begun else state.clock.deadline()


def event_view(event: Event, viewer: Side | None, state: State | None = None) -> dict[str, Any]:
    """An event as `viewer` may see it: with its `kind`, without the id of its command.

    Given the state after it, the event that ends the game has the `outcome` too.
    """
    if viewer is None and isinstance(event, Said | ChatSet):
        return HIDDEN
    view: dict[str, Any] = msgspec.to_builtins(event)
    view.pop("command", None)
    if state is not None and state.end == event:
        view["outcome"] = msgspec.to_builtins(outcome_view(state))
    return view


def clock_view(state: State) -> ClockView:
    """The clock as everybody sees it."""
    clock = state.clock
    return ClockView(clock.left, clock.running, clock.since)


def outcome_view(state: State) -> OutcomeView | None:
    """How the game ended; None while it is played."""
    outcome = state.outcome
    if outcome is not None:
        return OutcomeView(outcome.winner, outcome.termination.value, outcome.result, f"{outcome}.")
    if not isinstance(state.end, Aborted):
        return None
    side = state.end.side
    text = f"{side.title} called the game off." if side else _late(state)
    return OutcomeView(None, "aborted", "*", text)


def _late(state: State) -> str:
    return f"The game was called off: {state.turn.title} did not begin in time."


def _person(user: int, people: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    return people.get(user) or {"id": user}


def _chat_view(state: State) -> ChatView:
    black, white = state.chat
    lines = [LineView(said.side, said.at, said.phrase, said.text) for said in state.lines]
    return ChatView(black, white, lines)


def _settled_view(settled: Settled | None) -> SettledView | None:
    return None if settled is None else SettledView(settled.at, settled.black, settled.white)
