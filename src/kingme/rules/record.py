"""The record of a variant: every rule of it is a field, and nobody asks for its name."""

from __future__ import annotations

from dataclasses import dataclass, field

from kingme.errors import VariantError
from kingme.rules.longrange import LongRange
from kingme.rules.moves import Generator
from kingme.rules.squares import Geometry
from kingme.rules.terms import Choice, Crowning, Direction, Goal, Removal, Side

__all__ = ["Variant"]

_FORWARD = frozenset({Direction.FORWARD_DIAGONAL})
_DIAGONAL = frozenset({Direction.FORWARD_DIAGONAL, Direction.BACKWARD_DIAGONAL})


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one variant, every one of them a field.

    ``game_type`` is the number in PDN's ``GameType`` tag (``None`` where it has none);
    ``men`` the pieces of each side at the start, set on the rows nearest to their owner;
    ``draws`` the names of its draw rules, its own first
    (see :func:`~kingme.rules.outcome.preset_of`); ``sources`` name the texts that the record
    follows.

    >>> from kingme import Position
    >>> small = Variant("small", "On a small board", None, rows=6, columns=6, men=6)
    >>> Position.start(small).fen
    'B:W13,14,15,16,17,18:B1,2,3,4,5,6'
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
    #: the side at the low numbers, whose men move toward higher ones
    low: Side = Side.BLACK
    #: numbers run from right to left as White sees them
    leftward: bool = False
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
    #: quiet moves in a row that one king may make while its side has men
    king_limit: int | None = None
    goal: Goal = Goal.TAKE_OR_BLOCK
    jump_mark: str = "x"
    letters_first: bool = False
    draws: tuple[str, ...] = ("standard",)
    sources: tuple[str, ...] = ()
    geometry: Geometry = field(init=False, repr=False, compare=False)
    _generator: list[Generator] = field(init=False, repr=False, compare=False)
    _crown: dict[Side, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay out the board, and refuse a record that cannot be set up on it."""
        geometry = Geometry(
            self.rows,
            self.columns,
            self.mirrored,
            self.all_squares,
            self.low is Side.WHITE,
            self.leftward,
        )
        width = geometry.width
        if self.men % width or 2 * (self.men // width + self.rows_behind) > self.rows:
            raise VariantError(f"{self.name}: {self.men} men do not fill whole rows of the board")
        if self.king_lands_next and not self.flying_kings:
            raise VariantError(f"{self.name}: a king that does not fly always lands next")
        object.__setattr__(self, "geometry", geometry)
        object.__setattr__(self, "_generator", [])
        crown = {self.low: geometry.row(self.rows - 1), self.low.other: geometry.row(0)}
        object.__setattr__(self, "_crown", crown)

    def __hash__(self) -> int:
        """Hash by name alone: positions are hashed often, and equality still compares all."""
        return hash(self.name)

    def start_squares(self, side: Side) -> range:
        """Return the square numbers of a side's men at the start."""
        behind = self.rows_behind * self.geometry.width
        if side is self.low:
            return range(behind + 1, behind + self.men + 1)
        last = self.geometry.squares - behind
        return range(last - self.men + 1, last + 1)

    def crown_row(self, side: Side) -> int:
        """Return the mask of the row where a side's men are crowned."""
        return self._crown[side]

    @property
    def generator(self) -> Generator:
        """The generator that plays this record, made at the first need."""
        if not self._generator:
            made = Generator(self.geometry) if self.short_moves else LongRange(self)
            self._generator.append(made)
        return self._generator[0]

    @property
    def short_moves(self) -> bool:
        """Whether the quick generator of short steps plays this record exactly."""
        return (
            not self.flying_kings
            and any(self.geometry.shifts)
            and not self.choice
            and self.man_moves == self.man_jumps == _FORWARD
            and self.king_moves == self.king_jumps == _DIAGONAL
            and self.men_may_jump_kings
            and self.crowning is Crowning.STOP
            and self.removal is Removal.END
            and self.may_reverse
            and self.goal in (Goal.TAKE_OR_BLOCK, Goal.LOSE_ALL)
        )

    @property
    def game_type_text(self) -> str | None:
        """The value of PDN's ``GameType`` tag, ``"21,B,8,8,N1,0"``, or ``None``.

        Behind number, beginner and size it says whether squares have letters (``A``) or
        numbers (``N``), in which corner they begin as the first player sees it (0 and 1 are
        the near left and right, 2 and 3 the far ones), and whether the board is mirrored.
        Source: PDN 3.0, section GameType.
        """
        if self.game_type is None:
            return None
        corner = (0 if self.low is Side.WHITE else 2) + self.leftward
        if self.first is Side.BLACK:
            corner = 3 - corner
        squares = "A0" if self.letters_first else f"N{corner}"
        size = f"{self.columns},{self.rows}"
        return f"{self.game_type},{self.first.code},{size},{squares},{int(self.mirrored)}"
