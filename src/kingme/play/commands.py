"""What a player, or the server itself, may ask of a game.

Who asks (`by`) comes from the session and never from the wire. `id` is made by the client: a
command that comes twice does nothing twice. Durations are whole milliseconds.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from kingme.rules.variant import Side

__all__ = [
    "Abort",
    "AcceptDraw",
    "AcceptRematch",
    "AcceptTakeback",
    "ClaimDraw",
    "ClaimGone",
    "Command",
    "DeclineDraw",
    "DeclineRematch",
    "DeclineTakeback",
    "GameCommand",
    "OfferDraw",
    "OfferRematch",
    "OfferTakeback",
    "Play",
    "Resign",
    "Say",
    "SetChat",
    "ShiftClock",
    "Wake",
]


class GameCommand(msgspec.Struct, frozen=True, kw_only=True):
    """What every command has; `by` is None where the server itself acts."""

    by: Side | None
    id: str = ""


class Play(GameCommand, frozen=True):
    """Play `move`, a whole route in any spelling that names one, as the answer to ply `ply`.

    `ply` is the number of moves that the player sees on the board. `lag` is the network's delay
    as the server measured it.
    """

    ply: int
    move: str
    lag: int = 0


class Resign(GameCommand, frozen=True):
    """Give the game up."""


class OfferDraw(GameCommand, frozen=True):
    """Offer a draw."""


class AcceptDraw(GameCommand, frozen=True):
    """Take the draw that the other player offers."""


class DeclineDraw(GameCommand, frozen=True):
    """Decline the draw that the other player offers."""


class ClaimDraw(GameCommand, frozen=True):
    """Claim a draw that the preset allows: for lack of progress, or with the move that repeats."""

    move: str | None = None


class OfferTakeback(GameCommand, frozen=True):
    """Ask to take back one's last move (and the answer to it, if there was one)."""


class AcceptTakeback(GameCommand, frozen=True):
    """Let the other player take back."""


class DeclineTakeback(GameCommand, frozen=True):
    """Let the moves stand."""


class OfferRematch(GameCommand, frozen=True):
    """Offer another game with sides changed, after the end of this one.

    `game` is an id made by the server for it, in case that the other player offers one already.
    """

    game: str = ""


class AcceptRematch(GameCommand, frozen=True):
    """Accept it; `game` is the id of the new game, made by the server."""

    game: str


class DeclineRematch(GameCommand, frozen=True):
    """Decline it."""


class Abort(GameCommand, frozen=True):
    """Call the game off before its second move."""


class ClaimGone(GameCommand, frozen=True):
    """Claim the win, or a draw, since the other player is gone.

    `absent` is for how long, and `left` whether the player left on purpose, both as the server
    saw it.
    """

    claim: Literal["win", "draw"] = "win"
    absent: int = 0
    left: bool = False


class SetChat(GameCommand, frozen=True):
    """Switch free chat on or off for oneself."""

    on: bool


class Say(GameCommand, frozen=True):
    """Say a fixed phrase by its name, or a text in an open chat."""

    phrase: str | None = None
    text: str | None = None


class Wake(GameCommand, frozen=True):
    """The deadline of the game has come: see whether a flag fell or nobody plays on."""


class ShiftClock(GameCommand, frozen=True):
    """The server was down from `since` to `until` (outage `outage`): charge nobody for it."""

    outage: int
    since: int
    until: int


Command = (
    Play
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | ClaimDraw
    | OfferTakeback
    | AcceptTakeback
    | DeclineTakeback
    | OfferRematch
    | AcceptRematch
    | DeclineRematch
    | Abort
    | ClaimGone
    | SetChat
    | Say
    | Wake
    | ShiftClock
)
