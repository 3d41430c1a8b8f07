"""A variant of draughts is one record of data; the rules read it and never ask its name."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from kingme.errors import VariantError
from kingme.rules.moves import Generator
from kingme.rules.squares import Geometry

__all__ = [
    "ENGLISH",
    "VARIANTS",
    "Choice",
    "Crowning",
    "Direction",
    "Goal",
    "Removal",
    "Side",
    "Variant",
]


class Side(enum.Enum):
    """The two players. Black has the dark pieces, and the low numbers are at Black's side."""

    BLACK = "B"
    WHITE = "W"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.WHITE if self is Side.BLACK else Side.BLACK

    @property
    def code(self) -> str:
        """``"B"`` or ``"W"``, as FEN writes it."""
        return self.value

    @property
    def title(self) -> str:
        """``"Black"`` or ``"White"``, as people say it."""
        return "Black" if self is Side.BLACK else "White"


class Direction(enum.Enum):
    """Where a piece may go, seen by its owner."""

    FORWARD = "forward"
    BACKWARD = "backward"
    SIDEWAYS = "sideways"
    FORWARD_DIAGONAL = "forward diagonal"
    BACKWARD_DIAGONAL = "backward diagonal"


class Choice(enum.Enum):
    """A rule that ranks captures; a variant applies its rules in the order it lists them."""

    MOST_PIECES = "most pieces"
    MOST_VALUE = "most value"
    WITH_KING = "with a king"
    MOST_KINGS = "most kings"
    ANY_KING = "a king before a man"
    KING_EARLIEST = "a king as early as possible"


class Crowning(enum.Enum):
    """What happens to a man that reaches the crown row in the middle of a capture."""

    STOP = "is crowned, and its turn ends"
    PASS = "goes on as a man, crowned only where it ends there"
    BECOME = "goes on as a king"


class Removal(enum.Enum):
    """When captured pieces leave the board."""

    END = "together, when the route is complete"
    NOW = "each at once"


class Goal(enum.Enum):
    """What wins."""

    TAKE_OR_BLOCK = "the opponent has no piece or no move"
    LOSE_ALL = "having no piece or no move oneself"
    CROWN_FIRST = "the first king"


_FORWARD = frozenset({Direction.FORWARD_DIAGONAL})
_DIAGONAL = frozenset({Direction.FORWARD_DIAGONAL, Direction.BACKWARD_DIAGONAL})


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one variant, every one of them a field.

    ``game_type`` is the number in PDN's ``GameType`` tag (``None`` where it has none);
    ``men`` the pieces of each side at the start, set on the rows nearest to their owner;
    ``sources`` name the texts that the record follows.
    """

    name: str
    title: str
    game_type: int | None
    rows: int = 8
    columns: int = 8
    #: dark corner at the near right instead of the near left
    mirrored: bool = False
    men: int = 12
    #: empty rows between a player's men and the edge
    rows_behind: int = 0
    #: played on all squares, not on the dark ones alone
    all_squares: bool = False
    first: Side = Side.BLACK
    man_moves: frozenset[Direction] = _FORWARD
    man_jumps: frozenset[Direction] = _FORWARD
    king_moves: frozenset[Direction] = _DIAGONAL
    king_jumps: frozenset[Direction] = _DIAGONAL
    flying_kings: bool = False
    #: a flying king that jumps must stop on the next square behind the piece
    king_lands_next: bool = False
    men_may_jump_kings: bool = True
    choice: tuple[Choice, ...] = ()
    crowning: Crowning = Crowning.STOP
    removal: Removal = Removal.END
    #: a jumping piece may turn back on the line it came from
    may_reverse: bool = True
    goal: Goal = Goal.TAKE_OR_BLOCK
    jump_mark: str = "x"
    letters_first: bool = False
    sources: tuple[str, ...] = ()
    geometry: Geometry = field(init=False, repr=False, compare=False)
    _generator: Generator | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay out the board, and refuse a record that cannot be set up on it."""
        geometry = Geometry(self.rows, self.columns, self.mirrored)
        width = self.columns // 2
        if self.men % width or 2 * (self.men // width + self.rows_behind) > self.rows:
            raise VariantError(f"{self.name}: {self.men} men do not fill whole rows of the board")
        object.__setattr__(self, "geometry", geometry)
        object.__setattr__(self, "_generator", Generator(geometry) if self.short_moves else None)

    def __hash__(self) -> int:
        """Hash by name alone: positions are hashed often, and equality still compares all."""
        return hash(self.name)

    def start_squares(self, side: Side) -> range:
        """Return the square numbers of a side's men at the start."""
        behind = self.rows_behind * self.columns // 2
        if side is Side.BLACK:
            return range(behind + 1, behind + self.men + 1)
        last = self.geometry.squares - behind
        return range(last - self.men + 1, last + 1)

    def crown_row(self, side: Side) -> int:
        """Return the mask of the row where a side's men are crowned."""
        return self.geometry.row(self.rows - 1 if side is Side.BLACK else 0)

    @property
    def generator(self) -> Generator:
        """The generator that plays this record; ``VariantError`` where there is none yet."""
        if self._generator is None:
            raise VariantError(f"{self.title} cannot be played yet by this version of kingme")
        return self._generator

    @property
    def short_moves(self) -> bool:
        """Whether the short-range generator plays this record exactly."""
        return (
            not self.flying_kings
            and not self.all_squares
            and not self.choice
            and self.man_moves == self.man_jumps == _FORWARD
            and self.king_moves == self.king_jumps == _DIAGONAL
            and self.men_may_jump_kings
            and self.crowning is Crowning.STOP
            and self.removal is Removal.END
            and self.may_reverse
            and self.goal is Goal.TAKE_OR_BLOCK
        )


#: American checkers, the game of this project.
ENGLISH = Variant(
    name="english",
    title="American checkers (English draughts)",
    game_type=21,
    sources=("WCDF, Rules of Draughts (Checkers), sections 1.13 to 1.32",),
)

#: Every variant that can be played, by name.
VARIANTS: dict[str, Variant] = {ENGLISH.name: ENGLISH}
