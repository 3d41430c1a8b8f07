"""The draw rules of one place, every one of them a field."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from kingme.rules.record import Variant

__all__ = ["DrawPreset", "Ending", "Progress"]

Count = tuple[int, int]
"""The least and the most of something."""


class Progress(enum.Enum):
    """An event that shows that a game still moves on.

    >>> from kingme import History
    >>> History.start().play("11-15").events(0)
    frozenset({<Progress.MAN_MOVE: 'man_move'>})
    """

    CAPTURE = "capture"
    MAN_MOVE = "man_move"
    PROMOTION = "promotion"


class Placed(Protocol):
    """What is looked at of a position: its pieces as masks."""

    @property
    def black(self) -> int:
        """Black's pieces."""

    @property
    def white(self) -> int:
        """White's pieces."""

    @property
    def kings(self) -> int:
        """The kings of both."""

    @property
    def variant(self) -> Variant:
        """The rules, and with them the board."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A balance of few pieces that is a draw once it has lasted for ``plies`` of both sides.

    It is given as how many pieces and kings the weaker and the stronger side have, least
    and most, and how many pieces there are in all. With ``on_long_diagonal`` the weaker
    side's piece holds the long diagonal (and no piece of the stronger side stands there).
    The count begins again after an event in ``restarts``, and where the balance ends.

    >>> three_kings = Ending(32, weaker=(1, 1), weaker_kings=(1, 1), stronger=(3, 3))
    >>> three_kings.plies
    32
    """

    plies: int
    weaker: Count = (1, 99)
    weaker_kings: Count = (1, 99)
    stronger: Count = (1, 99)
    stronger_kings: Count = (1, 99)
    total: Count = (2, 99)
    on_long_diagonal: bool = False
    restarts: frozenset[Progress] = frozenset()

    def holds(self, position: Placed) -> bool:
        """Whether the pieces of a position are in this balance."""
        both = position.black, position.white
        if not _within(sum(mask.bit_count() for mask in both), self.total):
            return False
        return any(self._fits(weak, strong, position) for weak, strong in (both, both[::-1]))

    def _fits(self, weak: int, strong: int, position: Placed) -> bool:
        if not (
            _within(weak.bit_count(), self.weaker)
            and _within(strong.bit_count(), self.stronger)
            and _within((weak & position.kings).bit_count(), self.weaker_kings)
            and _within((strong & position.kings).bit_count(), self.stronger_kings)
        ):
            return False
        if not self.on_long_diagonal:
            return True
        diagonal = position.variant.geometry.long_diagonal
        return bool(weak & diagonal) and not strong & diagonal


def _within(count: int, limits: Count) -> bool:
    return limits[0] <= count <= limits[1]


@dataclass(frozen=True, slots=True)
class DrawPreset:
    """The draw rules of one place, every one of them a field.

    ``repetition`` counts occurrences of the same pieces with the same side to move;
    ``progress_plies`` counts plies of both sides in a row without any event in ``progress``;
    ``ply_cap`` counts the plies of a whole game. ``None`` means that there is no such
    rule. ``claimed``: a draw does not come by itself; the player on the turn claims it,
    and a repetition is claimed *before* the move that would make it. ``endings`` are
    balances of few pieces that must be won within a number of moves.

    >>> preset = DrawPreset("short", "Short games", "A game of 100 plies is a draw.", ply_cap=100)
    >>> preset.claimed, preset.repetition
    (False, None)
    """

    name: str
    title: str
    summary: str
    repetition: int | None = None
    #: events after which earlier occurrences no longer count
    repetition_reset: frozenset[Progress] = frozenset()
    progress_plies: int | None = None
    progress: frozenset[Progress] = frozenset({Progress.CAPTURE, Progress.MAN_MOVE})
    claimed: bool = False
    ply_cap: int | None = None
    agreement: bool = True
    endings: tuple[Ending, ...] = ()
