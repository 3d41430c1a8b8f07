"""What is known of a position: a score, and a result where it is certain."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace
from typing import Protocol

from kingme.engine.api import (
    KNOWN,
    NEAR_WIN,
    WIN,
    Engine,
    Info,
    Limits,
    Proof,
    Result,
    Score,
    in_moves,
)
from kingme.engine.endgames import EndgameError
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.position import Position

__all__ = ["LOST", "Result", "Solved", "Verdict", "solutions", "verdict"]

SCALE = 60.0
"""Hundredths of a man at which the side ahead is expected to make e points to one: what fits the
results of the engine's games against itself (``engine/data/english.json``)."""

LINE = 24
"""Plies of a line by the database, at most."""

OTHER: dict[Result, Result] = {"win": "loss", "loss": "win", "draw": "draw"}


class Solved(Protocol):
    """What a verdict asks of an endgame database."""

    @property
    def pieces(self) -> int:
        """The most pieces of a position that is in it."""

    def value(self, position: Position) -> str:
        """Return ``win``, ``draw`` or ``loss`` for the side to move."""

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end; ``None`` for a draw, and where they are not known."""

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that keep the value and win soonest or lose latest."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a position is worth to the side to move, and the line that shows it.

    ``score`` is in hundredths of a man; ``result`` is set where it is certain, with the ``proof``
    that makes it so, and ``plies`` is how long the game then still is, where that is known.
    """

    score: int
    line: tuple[Move, ...]
    result: Result | None = None
    plies: int | None = None
    proof: Proof | None = None

    @classmethod
    def of(cls, info: Info) -> Verdict:
        """Return what a search says."""
        return cls(info.score.value, info.pv, info.result, info.score.plies_to_end, info.proof)

    @property
    def expected(self) -> float:
        """The points, from 0 to 1, that the side to move may expect."""
        if self.result is not None:
            return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.result]
        return 1.0 / (1.0 + math.exp(-max(-2000, min(2000, self.score)) / SCALE))

    def before(self, move: Move) -> Verdict:
        """Return what the position before is worth by this very move, to the side that makes it.

        A forced end is a ply further away from there, and its score says so.

        >>> Verdict(3 - WIN, (), "loss", 3, "search").before(Move((11, 15))).score == WIN - 4
        True
        """
        score = -self.score
        if abs(score) >= NEAR_WIN:
            score += 1 if score < 0 else -1
        return replace(
            self,
            score=score,
            line=(move, *self.line),
            result=OTHER[self.result] if self.result else None,
            plies=None if self.plies is None else self.plies + 1,
        )

    def __str__(self) -> str:
        """Say the worth: a score in men, or the result and the winner's moves to it."""
        if self.result == "draw":
            return "a draw"
        if self.result is not None:
            return self.result if self.plies == 0 else f"{self.result} {self.soon}"
        return str(Score(self.score))

    @property
    def soon(self) -> str:
        """In how many moves it is won or lost, or what knows that it is, to follow a verb.

        >>> Verdict(WIN - 3, (), "win", 3, "search").soon, Verdict(KNOWN, (), "win").soon
        ('in 2 moves', 'by the endgame database')
        """
        return "by the endgame database" if self.plies is None else in_moves(self.plies)


LOST = Verdict(-WIN, (), "loss", 0, "rules")
"""Of a position where no move is legal."""


def verdict(
    history: History, engine: Engine, limits: Limits, solved: Solved | None = None
) -> Verdict:
    """Search the present position of a game and return what is known of it.

    With few pieces the endgame database ``solved`` decides, where it knows the distance. No engine
    is asked where no move is legal: that game is lost by rule.
    """
    position = history.position
    if not position.legal_moves:
        return LOST
    if solved is not None and len(position.pieces) <= solved.pieces:
        with contextlib.suppress(EndgameError):  # who wins may be all that is known
            return _looked_up(position, solved)
    return Verdict.of(engine.best_move(history, limits))


def solutions(position: Position, solved: Solved) -> tuple[Verdict, ...]:
    """Return what each move of a position is worth by an endgame database, the best first.

    The position must be in the database, and so is all that follows.
    """

    def after(move: Move) -> Verdict:
        reached = position.after(move)
        if not reached.legal_moves:
            return LOST.before(move)
        return _looked_up(reached, solved).before(move)

    return tuple(
        sorted(map(after, position.legal_moves), key=lambda found: found.score, reverse=True)
    )


def _looked_up(position: Position, solved: Solved) -> Verdict:
    result: Result = {"win": "win", "draw": "draw", "loss": "loss"}[str(solved.value(position))]  # type: ignore[assignment]
    plies = solved.distance(position)
    line: list[Move] = []
    now, seen = position, {position}
    while len(line) < LINE and (best := solved.best_moves(now)):
        line.append(best[0])
        now = now.play(best[0])
        if now in seen:
            break
        seen.add(now)
    size = 0 if result == "draw" else KNOWN if plies is None else WIN - plies
    return Verdict(size if result == "win" else -size, tuple(line), result, plies, "database")
