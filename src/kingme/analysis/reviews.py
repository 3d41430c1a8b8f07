"""The review of a game: what each move gave away, and what was there instead.

A move is judged by the points that it gave away: what the side could expect before it, less what
is left after it, as fractions of a won game (`Verdict.expected`). Where both are certain, by proof,
that is a half or a whole point; otherwise it follows from the engine's scores. The positions are
searched from the last to the first, so that what a search finds late in the game is known earlier.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from kingme.analysis.shots import Shot, shot_in
from kingme.analysis.verdicts import Solved, Verdict, verdict
from kingme.engine.api import Engine, Limits
from kingme.rules.ballots import Ballot, opening_of
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.pdn import Game
from kingme.rules.pdn.tree import Node
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["LIMITS", "Judgement", "Mark", "Review", "annotated", "judged", "review"]

SHOWN = 9
"""Plies of a better line that an annotated game shows, unless a shot or a forced end is longer."""

_MOVE = "[0-9]+(?:[-x][0-9]+)+"
_SOON = "(?:in [0-9]+ moves?|by the endgame database)"
_WORTH = (
    rf"(?:[+-]?[0-9]+[.][0-9][0-9]|(?:wins|loses) {_SOON}"
    "|(?:winn|los)ing by the database, but the draw rule may come first)"
)
_SHOT = "[a-z0-9]+ for [a-z0-9]+"

FAULT = (
    rf"^(Inaccuracy|Mistake|Blunder): ({_MOVE}) "
    rf"(?:draws|(?:wins|loses only) {_SOON}|is worth {_WORTH}), "
    rf"this (?:only draws|(?:wins|loses) {_SOON}|{_WORTH})[.]"
    rf"(?: It misses a shot, {_SHOT}[.])?(?: It allows a shot, {_SHOT}: {_MOVE}[.])?$"
)
"""The form of `Judgement.words`, with the class and the better move; a pattern that means the same
in Python and in a browser."""

OPENING = rf"^Opening: [^:]+: {_MOVE}(?: {_MOVE})*[.]$"
"""The form of what `annotated` says of the opening; a pattern of the same kind."""


class Mark(enum.StrEnum):
    """The class of a move."""

    FORCED = "forced"
    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def nag(self) -> int | None:
        """The sign of PDN (and PGN) for it: ?!, ? or ??; ``None`` for a move without fault."""
        return {Mark.INACCURACY: 6, Mark.MISTAKE: 2, Mark.BLUNDER: 4}.get(self)

    @property
    def sign(self) -> str:
        """The same sign as it is written; empty for a move without fault."""
        return {Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}.get(self, "")


LIMITS = ((0.25, Mark.BLUNDER), (0.12, Mark.MISTAKE), (0.05, Mark.INACCURACY))
"""From how many points given away on a move is of a class; a man for nothing in an even position
is a third of a point."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be said of one move, all seen by the side that made it.

    ``best`` is what the position was worth and ``after`` what the move left of it, in points
    ``given``. ``missed`` is a shot that was there instead, ``allowed`` one that the move lets the
    other side make.
    """

    ply: int
    position: Position
    move: Move
    best: Verdict
    after: Verdict
    mark: Mark
    given: float
    missed: Shot | None = None
    allowed: Shot | None = None

    @property
    def better(self) -> Move | None:
        """The move that should have been made; ``None`` where this one was as good."""
        return None if self.mark.nag is None else self.best.line[0]

    @property
    def words(self) -> str:
        """What is wrong with the move, in a sentence or two; empty where nothing is."""
        if self.mark.nag is None:
            return ""
        best, after, move = self.best, self.after, self.best.line[0]
        parts = [f"{self.mark.capitalize()}: {move} {self._was(best)}, this {self._is(after)}."]
        if self.missed:
            parts.append(f"It misses a shot, {self.missed}.")
        if self.allowed:
            parts.append(f"It allows a shot, {self.allowed}: {self.allowed.line[0]}.")
        return " ".join(parts)

    @staticmethod
    def written(comment: str) -> tuple[Mark, str] | None:
        """Return class and better move where a comment is `words` of some review, else ``None``.

        >>> Judgement.written("Mistake: 4-8 is worth +0.16, this -0.21.")
        (<Mark.MISTAKE: 'mistake'>, '4-8')
        >>> Judgement.written("Mistake: 4-8 is worth a try.")
        """
        found = re.match(FAULT, comment)
        return (Mark(found[1].lower()), found[2]) if found else None

    @staticmethod
    def _was(best: Verdict) -> str:
        if best.result == "draw":
            return "draws"
        if best.result is not None:
            return f"{'wins' if best.result == 'win' else 'loses only'} {best.soon}"
        return f"is worth {best}"

    @staticmethod
    def _is(after: Verdict) -> str:
        if after.result == "draw":
            return "only draws"
        if after.result is not None:
            return f"{'wins' if after.result == 'win' else 'loses'} {after.soon}"
        return str(after)


@dataclass(frozen=True, slots=True)
class Review:
    """A game with a judgement for each of its moves, and what the last position is worth."""

    history: History
    judgements: tuple[Judgement, ...]
    last: Verdict
    opening: Ballot | None

    def accuracy(self, side: Side) -> float | None:
        """Return how much a side kept of what it had, a move, from 0 to 1.

        Forced moves do not count; ``None`` where there was no other.
        """
        kept = [
            1.0 - judgement.given
            for judgement in self.judgements
            if judgement.position.turn is side and judgement.mark is not Mark.FORCED
        ]
        return sum(kept) / len(kept) if kept else None

    def count(self, side: Side, mark: Mark) -> int:
        """Return how many moves of a side are of a class."""
        return sum(
            judgement.mark is mark and judgement.position.turn is side
            for judgement in self.judgements
        )

    @property
    def black_scores(self) -> tuple[float, ...]:
        """The graph of the game: the points Black may expect before each ply and at the end."""
        positions = [judgement.position for judgement in self.judgements]
        verdicts = [judgement.best for judgement in self.judgements]
        return tuple(
            found.expected if position.turn.code == "B" else 1.0 - found.expected
            for position, found in zip(
                [*positions, self.history.position], [*verdicts, self.last], strict=True
            )
        )


def review(
    history: History,
    engine: Engine,
    limits: Limits,
    solved: Solved | None = None,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Judge every move of a game.

    ``limits`` hold for each position; ``told`` hears how many positions are done, and of how many.
    """
    last = len(history.moves)
    return judged(
        history,
        lambda ply: verdict(history.back(last - ply), engine, limits, solved),
        told,
    )


def judged(
    history: History,
    verdict_at: Callable[[int], Verdict],
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Judge every move of a game by what is known of its positions, wherever that comes from.

    ``verdict_at`` is asked for the position after so many plies, from the last to the first.
    """
    total = len(history.positions)
    judgements: list[Judgement] = []
    last = after = verdict_at(total - 1)
    told(1, total)
    for ply in range(total - 2, -1, -1):
        move = history.moves[ply]
        best = verdict_at(ply)
        played = after.before(move)
        if played.expected >= best.expected or move == best.line[0]:
            # What came of the move is the better evidence of what it was worth.
            best = played
        judgements.append(_judged(ply, history.positions[ply], move, best, played))
        after = best
        told(total - ply, total)
    return Review(history, tuple(reversed(judgements)), last, opening_of(history))


def _judged(ply: int, position: Position, move: Move, best: Verdict, after: Verdict) -> Judgement:
    given = max(0.0, best.expected - after.expected)
    if len(position.legal_moves) == 1:
        mark, given = Mark.FORCED, 0.0
    elif best is after:
        mark = Mark.BEST
    else:
        mark = next((mark for least, mark in LIMITS if given >= least), Mark.GOOD)
    if mark.nag is None:
        return Judgement(ply, position, move, best, after, mark, given)
    missed = shot_in(position, best.line)
    allowed = shot_in(position.play(move), after.line[1:])
    return Judgement(ply, position, move, best, after, mark, given, missed, allowed)


def annotated(game: Game, found: Review) -> Game:
    """Return a game with its review: signs, words, and the better line as a variation.

    What an earlier review wrote there gives way: its words, known by their form, the sign that
    belongs to them, and the variation without a word that begins with the move that they name.
    What else was written in the game stays. The same review once more changes nothing.
    """
    told = deepcopy(game)
    told.comments = [said for said in told.comments if not re.match(OPENING, said)]
    if found.opening is not None:
        told.comments.append(f"Opening: {found.opening}.")
    for judgement in found.judgements:
        node, nag = told.line[judgement.ply], judgement.mark.nag
        _clear(node, nag)
        if nag is None:
            continue
        if nag not in node.nags:
            node.nags.append(nag)
        node.comments.append(judgement.words)
        node.variations.append(_variation(judgement))
    return told


def _clear(node: Node, right: int | None) -> None:
    """Take away what earlier reviews wrote at a move, but for the sign that is right still.

    That one keeps its place among others, so that nothing changes where nothing is new.
    """
    for mark, move in filter(None, map(Judgement.written, node.comments)):
        node.nags = [nag for nag in node.nags if nag == right or nag != mark.nag]
        for at, line in reversed([*enumerate(node.variations)]):
            if str(line[0].move) == move and all(map(_bare, line)):
                del node.variations[at]
                break
    node.comments = [said for said in node.comments if not Judgement.written(said)]


def _bare(node: Node) -> bool:
    """Whether nothing is said of a move."""
    said = (node.nags, node.strength, node.comments, node.before, node.variations)
    return not any(said)


def _variation(judgement: Judgement) -> list[Node]:
    line = judgement.best.line
    least = len(judgement.missed.line) if judgement.missed else 0
    if judgement.best.plies is not None:
        least = max(least, min(judgement.best.plies, 2 * SHOWN))
    nodes: list[Node] = []
    position = judgement.position
    for move in line[: max(SHOWN, least)]:
        position = position.play(move)
        nodes.append(Node(move, str(move), after=position))
    return nodes
