"""What an engine takes and gives: limits, scores, infos, and the protocol of engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, Protocol, TypeAlias

from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.moves import Move

__all__ = [
    "WIN",
    "Bound",
    "Engine",
    "EngineError",
    "GameOverError",
    "Info",
    "Limits",
    "Proof",
    "Result",
    "Score",
    "in_moves",
]

WIN = 30_000
"""The score of a game won now; a win in ``n`` plies scores ``WIN - n``."""

NEAR_WIN = WIN - 1_000

LIKELY = 25_000
"""The score of a win by the endgame database, less the plies to it, where the rule that ends a
game without progress might come before it."""

NEAR_LIKELY = LIKELY - 1_000

KNOWN = 28_000
"""The score of a win by an endgame database that tells no distance, less the plies to where it is
known; where the root is such a win already, some hundreds less still."""

NEAR_KNOWN = KNOWN - 1_000

Bound: TypeAlias = Literal["", "lower", "upper"]
Result: TypeAlias = Literal["win", "draw", "loss"]
Proof: TypeAlias = Literal["search", "database", "rules"]


class EngineError(KingmeError):
    """An engine that cannot do what was asked; the message says why."""


class GameOverError(EngineError):
    """A reply was asked for in a game that has ended."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, whichever comes first; without any it runs until it is stopped.

    ``depth`` in plies, ``nodes`` in positions, ``seconds`` for this move. Or ``clock``: seconds
    left on the clock, of which the engine takes its share, with ``increment`` seconds added
    after each move and ``moves`` left to the next time control. Raises ``ValueError`` for a
    limit that allows nothing and ``TypeError`` for one that is no number. A limit beyond all
    reason is none: ``seconds`` may be infinite, and a search deeper than its engine can follow (100
    plies, the one in plain Python fewer) ends there.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: float | None = None
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        """Refuse limits that leave no search."""
        for name in ("depth", "nodes", "moves"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, Integral):
                raise TypeError(f"{name} is a whole number or None, not {value!r}")
        for name in ("seconds", "clock", "increment"):
            value = getattr(self, name)
            if not isinstance(value, Real) and (value is not None or name == "increment"):
                raise TypeError(f"{name} is a number of seconds, not {value!r}")
        for name in ("depth", "nodes", "seconds", "clock", "moves"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"a search limited to {name} {value} finds nothing")
        if not self.increment >= 0:
            raise ValueError(f"an increment of {self.increment} seconds makes no sense")


def in_moves(plies: int) -> str:
    """Say how long a forced win takes, as players count it: in moves of the winner.

    >>> in_moves(1), in_moves(2), in_moves(15)
    ('in 1 move', 'in 1 move', 'in 8 moves')
    """
    count = (plies + 1) // 2
    return f"in {count} {'move' if count == 1 else 'moves'}"


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """What a position is worth to the side to move, in hundredths of a man.

    >>> str(Score(125)), str(Score(0)), str(Score(WIN - 15)), str(Score(-WIN + 4))
    ('+1.25', '0.00', 'wins in 8 moves', 'loses in 2 moves')
    >>> str(Score(KNOWN - 3)), Score(KNOWN - 3).result, Score(KNOWN - 3).proof
    ('wins by the endgame database', 'win', 'database')
    >>> str(Score(-24854))
    'losing by the database, but the draw rule may come first'
    """

    value: int

    @property
    def plies_to_end(self) -> int | None:
        """Plies to the end of a game that is won or lost by force; None where it is neither."""
        if abs(self.value) < NEAR_WIN:
            return None
        return WIN - abs(self.value)

    @property
    def known(self) -> bool:
        """Whether it is won or lost by the endgame database, and in how many plies is not known."""
        return NEAR_KNOWN <= abs(self.value) <= KNOWN

    @property
    def likely(self) -> bool:
        """Whether the endgame database decides it, unless the no-progress rule comes before."""
        return NEAR_LIKELY <= abs(self.value) <= LIKELY

    @property
    def result(self) -> Literal["win", "loss"] | None:
        """What is proved for the side to move; a draw no score proves (see `Info.result`)."""
        if self.known or self.plies_to_end is not None:
            return "win" if self.value > 0 else "loss"
        return None

    @property
    def won(self) -> bool:
        """Whether a win is proved."""
        return self.result == "win"

    @property
    def proof(self) -> Literal["search", "database"] | None:
        """What proves the result: a line to the end, or the endgame database without one."""
        if self.result is None:
            return None
        return "database" if self.known else "search"

    def __str__(self) -> str:
        """Return the score in men, or in words where a game is decided."""
        plies = self.plies_to_end
        if plies is not None:
            return f"{'wins' if self.value > 0 else 'loses'} {in_moves(plies)}"
        if self.known:
            return f"{'wins' if self.value > 0 else 'loses'} by the endgame database"
        if self.likely:
            side = "winning" if self.value > 0 else "losing"
            return f"{side} by the database, but the draw rule may come first"
        return f"{self.value / 100:+.2f}" if self.value else "0.00"


@dataclass(frozen=True, slots=True)
class Info:
    """What a search knows after an iteration; ``pv`` is the line it expects, best move first.

    ``line`` is 1 for the best line, 2 for the next best, where several were asked for.
    ``bound`` says that the true score is perhaps higher (``lower``) or lower (``upper``), and is
    empty where the score is that of the depth. ``deepest`` is how many plies ahead some line
    was followed. ``solved`` says that the endgame database has the position itself.
    """

    depth: int
    score: Score
    nodes: int
    seconds: float
    pv: tuple[Move, ...]
    line: int = 1
    bound: Bound = ""
    deepest: int = 0
    solved: bool = False

    @property
    def move(self) -> Move:
        """The best move."""
        return self.pv[0]

    @property
    def result(self) -> Result | None:
        """What the line is worth to the side to move where that is certain.

        Whatever reports a result asks here or at `Score.result`, so that the same counts as
        proved everywhere.
        """
        if self.solved and self.score.value == 0:
            return "draw"
        return self.score.result

    @property
    def proof(self) -> Proof | None:
        """What makes the result certain."""
        if self.result is None:
            return None
        return "database" if self.solved else self.score.proof


class Engine(Protocol):
    """An engine that searches the present position of a game."""

    def analyse(self, history: History, limits: Limits) -> Iterator[Info]:
        """Yield an info after each iteration; raise `GameOverError` where no move is legal."""

    def best_move(self, history: History, limits: Limits) -> Info:
        """Return the last info of a search."""

    def stop(self) -> None:
        """End the search that another thread runs; it still yields what it has."""
