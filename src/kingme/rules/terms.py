"""The words that a variant's record is made of: sides, directions, and the kinds of rules."""

from __future__ import annotations

import enum

__all__ = ["Choice", "Crowning", "Direction", "Goal", "Removal", "Side"]


class Side(enum.Enum):
    """The two players. Black has the dark pieces, White the light ones.

    >>> Side.BLACK.other, Side("W").title
    (<Side.WHITE: 'W'>, 'White')
    """

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
    """Where a piece may go, seen by its owner.

    Straight ahead, back and sideways lead to the next square of play: on a board played on
    its dark squares that is two squares away.
    """

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
