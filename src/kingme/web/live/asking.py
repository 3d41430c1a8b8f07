"""What a frame asks of a game, as a command: who asks is known, and what the server knows added."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from kingme.errors import Refusal
from kingme.play import commands
from kingme.play.commands import Command, GameCommand
from kingme.rules.variant import Side
from kingme.web.live.frames import Do
from kingme.web.live.names import fresh

__all__ = ["Arrivals", "ask"]

REMEMBERED = 30_000
"""For so long it counts when a command first came (ms)."""

MOST = 10_000
"""So many commands are remembered at most."""

PLAIN: Mapping[str, type[GameCommand]] = {
    "resign": commands.Resign,
    "offer_draw": commands.OfferDraw,
    "accept_draw": commands.AcceptDraw,
    "decline_draw": commands.DeclineDraw,
    "offer_takeback": commands.OfferTakeback,
    "accept_takeback": commands.AcceptTakeback,
    "decline_takeback": commands.DeclineTakeback,
    "decline_rematch": commands.DeclineRematch,
    "abort": commands.Abort,
}
"""The commands that say all by their name."""


def ask(frame: Do, by: Side, *, lag: int = 0, absent: int = 0, left: bool = False) -> Command:
    """The command that `by` gives with a frame.

    `lag` is the way from the player as it was measured, `absent` for how long the other player is
    gone (ms), and `left` whether on purpose.
    """
    match frame.what:
        case "play":
            if frame.ply is None or frame.move is None:
                raise Refusal("bad_frame", "A move needs its ply and its route.")
            return commands.Play(frame.ply, frame.move, lag, by=by, id=frame.id)
        case "claim_draw":
            return commands.ClaimDraw(frame.move, by=by, id=frame.id)
        case "claim_gone":
            return commands.ClaimGone(frame.claim, absent, left, by=by, id=frame.id)
        case "set_chat":
            return commands.SetChat(frame.on, by=by, id=frame.id)
        case "say":
            return commands.Say(frame.phrase, frame.text, by=by, id=frame.id)
        case "offer_rematch":
            return commands.OfferRematch(fresh(), by=by, id=frame.id)
        case "accept_rematch":
            return commands.AcceptRematch(fresh(), by=by, id=frame.id)
    return PLAIN[frame.what](by=by, id=frame.id)  # type: ignore[return-value]


class Arrivals:
    """When commands first came that could not be stored, and so come again.

    Only the very same frame counts as of then: nobody gains time to think by it.
    """

    def __init__(self) -> None:
        self._first: OrderedDict[tuple[int, Do], int] = OrderedDict()

    def first(self, asked: tuple[int, Do], now: int) -> int:
        """When this user's frame came first, `now` where that was long ago or is not known."""
        if not self._first:
            return now
        at = self._first.pop(asked, now)
        return at if 0 <= now - at <= REMEMBERED else now

    def remember(self, asked: tuple[int, Do], at: int) -> None:
        """It came at `at`, and will come again."""
        self._first[asked] = at
        if len(self._first) > MOST:
            self._first.popitem(last=False)
