"""A game between two people: commands in, events out, and what the events make of it.

    decide(state, command, now) -> events      what happens, or a Refusal
    apply(state, event) -> state               what it makes of the game
    replay(events) -> state                    the whole game from its log

All of it is pure: time comes in as an argument, and a game is its event list.
"""

from __future__ import annotations

from msgspec.structs import replace

from kingme.play.applying import apply, begin, replay
from kingme.play.deciding import decide
from kingme.play.events import Started
from kingme.play.ports import Result
from kingme.play.state import State, Status

__all__ = ["State", "Status", "apply", "begin", "decide", "rematch", "replay", "result"]


def result(state: State) -> Result | None:
    """How the game ended, for lists; None while it is played."""
    if state.outcome is not None:
        return Result(state.outcome.winner, state.outcome.termination.value)
    return None if state.playing else Result(None, "aborted")


def rematch(state: State, game: str, now: int) -> Started:
    """The first event of the game that follows this one, whose id is `game`: sides are changed."""
    first = state.started
    return replace(first, at=now, command="", black=first.white, white=first.black, rematch_of=game)
