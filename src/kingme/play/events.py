"""What has happened in a game: the event list is the game, its feed, and what the store keeps.

The first event is `Started`; the n-th has version n. Times are whole milliseconds since the epoch
by the server's clock. How a game ended is derived from its events, never told twice.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from kingme.play.clock import TimeControl
from kingme.play.room import Terms
from kingme.rules.variant import Side

__all__ = [
    "Aborted",
    "ChatSet",
    "ClockShifted",
    "Deserted",
    "DrawAgreed",
    "DrawClaimed",
    "DrawDeclined",
    "DrawOffered",
    "Event",
    "FlagFell",
    "GameEvent",
    "Moved",
    "RematchDeclined",
    "RematchOffered",
    "Rematched",
    "Resigned",
    "Said",
    "Settled",
    "Share",
    "Started",
    "TakebackDeclined",
    "TakebackOffered",
    "TakenBack",
    "decode",
    "encode",
]


class GameEvent(
    msgspec.Struct, frozen=True, omit_defaults=True, rename="camel", tag_field="kind", kw_only=True
):
    """What every event has: its time, and the id of the command that it answers ("" for none)."""

    at: int
    command: str = ""


class Started(GameEvent, frozen=True, tag="started"):
    """The game began between two users by id; `start` is a FEN, None for the usual one."""

    black: int
    white: int
    control: TimeControl
    preset: str = "standard"
    variant: str = "english"
    start: str | None = None
    rated: bool = False
    private: bool = False
    terms: Terms = Terms()
    rematch_of: str | None = None


class Moved(GameEvent, frozen=True, tag="moved"):
    """A whole route was played. `ply` counts from 0: the moves that stood before this one.

    `spent` is what the clock was charged and `credit` the lag forgiven, in milliseconds.
    """

    side: Side
    ply: int
    move: str
    spent: int = 0
    credit: int = 0


class DrawOffered(GameEvent, frozen=True, tag="draw_offered"):
    """A draw was offered; it stands until it is answered or the other player moves."""

    side: Side


class DrawDeclined(GameEvent, frozen=True, tag="draw_declined"):
    """`side` declined the draw."""

    side: Side


class DrawAgreed(GameEvent, frozen=True, tag="draw_agreed"):
    """`side` accepted the draw: the game is over."""

    side: Side


class DrawClaimed(GameEvent, frozen=True, tag="draw_claimed"):
    """`side` claimed a draw that the preset allows: the game is over.

    `termination` is ``repetition`` or ``no_progress``; `move` is the move that would repeat.
    """

    side: Side
    termination: str
    move: str | None = None


class TakebackOffered(GameEvent, frozen=True, tag="takeback_offered"):
    """`side` asks to take back the last `plies` plies."""

    side: Side
    plies: int


class TakebackDeclined(GameEvent, frozen=True, tag="takeback_declined"):
    """`side` declined the takeback."""

    side: Side


class TakenBack(GameEvent, frozen=True, tag="taken_back"):
    """`side` agreed: the game stands again after `ply` plies.

    The clocks keep what was used, and lose the increments of the moves that were taken back.
    """

    side: Side
    ply: int


class Resigned(GameEvent, frozen=True, tag="resigned"):
    """`side` resigned."""

    side: Side


class FlagFell(GameEvent, frozen=True, tag="flag_fell"):
    """The time of `side` was used up."""

    side: Side


class Deserted(GameEvent, frozen=True, tag="deserted"):
    """`side` was gone for too long, and the other player claimed the win or a draw.

    Without a `command` nobody claimed it: in a game without a clock `side`, on the turn, has not
    moved for fourteen days. The other player wins.
    """

    side: Side
    claimed: Literal["win", "draw"] = "win"


class Aborted(GameEvent, frozen=True, tag="aborted"):
    """The game was called off before its second move.

    `side` None: by the server, as the first move was not made in time; without a clock, in
    fourteen days.
    """

    side: Side | None = None


class ClockShifted(GameEvent, frozen=True, tag="clock_shifted"):
    """The server was down: the running turn counts from `since` on, after outage `outage`."""

    outage: int
    since: int


class RematchOffered(GameEvent, frozen=True, tag="rematch_offered"):
    """`side` offers another game with sides changed."""

    side: Side


class RematchDeclined(GameEvent, frozen=True, tag="rematch_declined"):
    """`side` declined the rematch."""

    side: Side


class Rematched(GameEvent, frozen=True, tag="rematched"):
    """`side` accepted: the next game is `game`."""

    side: Side
    game: str


class ChatSet(GameEvent, frozen=True, tag="chat_set"):
    """`side` switched free chat on or off for this game; it is open while both have it on."""

    side: Side
    on: bool


class Said(GameEvent, frozen=True, tag="said"):
    """`side` said a fixed phrase (its name), or in an open chat a text, never for spectators."""

    side: Side
    phrase: str | None = None
    text: str | None = None


class Share(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What a finished game brought one player.

    Chips and points are those won or lost; the rating is the one before and after, both 0 in a
    casual game.
    """

    chips: int = 0
    points: int = 0
    rating: int = 0
    rating_after: int = 0


class Settled(GameEvent, frozen=True, tag="settled"):
    """The store settled the ended game, in the same transaction as its end."""

    black: Share = Share()
    white: Share = Share()


Event = (
    Started
    | Moved
    | DrawOffered
    | DrawDeclined
    | DrawAgreed
    | DrawClaimed
    | TakebackOffered
    | TakebackDeclined
    | TakenBack
    | Resigned
    | FlagFell
    | Deserted
    | Aborted
    | ClockShifted
    | RematchOffered
    | RematchDeclined
    | Rematched
    | ChatSet
    | Said
    | Settled
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode(event: GameEvent) -> bytes:
    """The event as the store keeps it."""
    return _encoder.encode(event)


def decode(data: bytes) -> Event:
    """The event that `encode` wrote; ``msgspec.DecodeError`` where it is none."""
    return _decoder.decode(data)
