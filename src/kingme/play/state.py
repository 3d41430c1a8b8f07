"""A game between two people as it stands: all that its events say, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from kingme.play.clock import Clock, Speed
from kingme.play.events import Aborted, Event, Said, Settled, Started
from kingme.play.room import Terms
from kingme.rules.history import History
from kingme.rules.outcome import PRESETS, DrawPreset, Outcome
from kingme.rules.variant import Side

__all__ = ["LONGEST", "State", "Status", "index"]

Status = Literal["playing", "over", "aborted"]

#: No game goes on for more plies than this, whatever its preset says: it is a draw then. Without
#: it two players could fill the store with one game.
LONGEST = 1000

_PRESETS: dict[str, DrawPreset] = {
    name: replace(preset, ply_cap=preset.ply_cap or LONGEST) for name, preset in PRESETS.items()
}

#: After how many ms of absence the opponent may claim the game, by speed; None for never.
_PATIENCE: dict[Speed, int | None] = {
    "bullet": 120_000,
    "blitz": 120_000,
    "rapid": 240_000,
    "classical": 360_000,
    "days": None,
}
#: The same after leaving on purpose.
_LEFT = 12_000


@dataclass(frozen=True, slots=True)
class State:
    """A game as it stands after `version` events; `at` is the time of the last.

    Pairs are Black's and White's. Of two offers each is by a side, or None. `asked_draw` and
    `asked_takeback` tell who may not ask again yet. `end` is the event that ended the game, and
    `outcome` None for an aborted one. `talk` counts what each player has said, and `seen` holds the
    ids of each player's last commands, newest last.
    """

    started: Started
    history: History
    clock: Clock
    version: int = 1
    at: int = 0
    outcome: Outcome | None = None
    end: Event | None = None
    draw_offer: Side | None = None
    takeback_offer: Side | None = None
    asked_draw: tuple[bool, bool] = (False, False)
    asked_takeback: tuple[bool, bool] = (False, False)
    rematch_offer: Side | None = None
    next_game: str | None = None
    chat: tuple[bool, bool] = (False, False)
    lines: tuple[Said, ...] = ()
    talk: tuple[int, int] = (0, 0)
    settled: Settled | None = None
    outages: tuple[int, ...] = ()
    seen: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def status(self) -> Status:
        """Whether the game is played, over, or was called off."""
        if self.end is None:
            return "playing"
        return "aborted" if isinstance(self.end, Aborted) else "over"

    @property
    def playing(self) -> bool:
        """Whether the game goes on."""
        return self.end is None

    @property
    def plies(self) -> int:
        """How many moves stand."""
        return len(self.history.moves)

    @property
    def turn(self) -> Side:
        """Who is to move, or would be."""
        return self.history.position.turn

    @property
    def preset(self) -> DrawPreset:
        """The draw rules, with a last move where the preset has none."""
        return _PRESETS[self.started.preset]

    @property
    def terms(self) -> Terms:
        """What the game is played for."""
        return self.started.terms

    @property
    def speed(self) -> Speed:
        """The time class."""
        return self.started.control.speed

    def player(self, side: Side) -> int:
        """The id of the user who plays a side."""
        return self.started.black if side is Side.BLACK else self.started.white

    def side_of(self, user: int | None) -> Side | None:
        """The side that a user plays; None for everybody else."""
        if user == self.started.black:
            return Side.BLACK
        return Side.WHITE if user == self.started.white else None

    def deadline(self) -> int | None:
        """When the server must send `Wake` if nothing happens before; None after the end."""
        return self.clock.deadline()

    def patience(self, left: bool = False) -> int | None:
        """For how long a player must be absent before the other may claim, in ms; None: for ever.

        `left`: the player went away on purpose. Nothing can be claimed before the second move.
        """
        patience = _PATIENCE[self.speed]
        return _LEFT if left and patience is not None else patience

    def takeback(self, side: Side) -> int:
        """How many plies a takeback by `side` takes back: up to its own last move."""
        return 2 if side is self.turn else 1


def index(side: Side) -> int:
    """Where a side is in a pair."""
    return 0 if side is Side.BLACK else 1
