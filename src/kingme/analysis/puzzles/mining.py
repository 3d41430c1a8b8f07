"""How puzzles are found: the moves of a game that gave something away, one game after another."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kingme.analysis.puzzles.glancing import Glance, seen_in
from kingme.analysis.puzzles.proving import (
    GAIN,
    GENTLE,
    THOROUGH,
    Effort,
    Proof,
    Searcher,
    Tables,
    proof_of,
    searched,
)
from kingme.analysis.puzzles.puzzle import Origin, Puzzle, PuzzleKind
from kingme.analysis.puzzles.trying import rated
from kingme.analysis.shots import shot_in
from kingme.engine.endgames.files import PIECES
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.pdn import Game
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

__all__ = ["Plan", "Vein", "mined"]

PROMISE = 30_000
"""Positions looked at to see whether there may be a puzzle."""

HOPELESS = -60
"""What a position must be worth with its shot, in hundredths of a man: more than this."""

MISSED, WORTH = 0.07, 20
"""Points that a move must have given away, and what is missed is worth, in hundredths of a man,
at the quick look."""

CHOICES = 2
"""Wrong moves that there must be in all steps of a puzzle together, at least."""

OPENING = 6
"""Plies at the beginning of a game that are passed over: all is known there."""

APART = 3
"""Plies between two puzzles of one game, at least."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is looked for, and how hard, in positions a search: only this decides what is found.

    With ``found`` also that which the player of the game found. The quick look and the searches
    know the endgame database of so many ``pieces``; what is proved by the database alone has no
    more of them than the engine's own.
    """

    gentle: Effort = GENTLE
    thorough: Effort = THOROUGH
    found: bool = False
    pieces: int = PIECES


@dataclass(slots=True)
class Vein:
    """What a game brought: positions looked at, those that might have been puzzles, puzzles."""

    plies: int = 0
    candidates: int = 0
    puzzles: list[Puzzle] = field(default_factory=list)


def mined(game: Game, glance: Glance, engine: Searcher, tables: Tables, plan: Plan) -> Vein:
    """Return the puzzles of a game, earlier ones first: what a move missed that was made there.

    Where a move seems to have given something away, the position in which it was made is a
    puzzle if what was to be found can be proved, and the move is none of those that find it.
    With ``plan.found`` it may be one, and so may the next, which took what the move gave away.
    """
    vein = Vein()
    history = game.history
    if game.start.variant is not ENGLISH or len(history.moves) <= OPENING:
        return vein
    vein.plies = len(history.moves) - OPENING
    last = -APART
    worth = HOPELESS if plan.found else WORTH
    lost = seen_in(history, glance, OPENING, MISSED, worth)
    for ply in sorted({ply + late for ply in lost for late in range(1 + plan.found)}):
        if ply < last + APART:
            continue
        vein.candidates += 1
        proof = _proved(history, ply, engine, tables, plan)
        if proof is not None:
            vein.puzzles.append(_puzzle(game, history, ply, proof, engine))
            last = ply
    return vein


def _proved(
    history: History, ply: int, engine: Searcher, tables: Tables, plan: Plan
) -> Proof | None:
    """Prove what there was to find, and that the move of the game missed it, gently first."""
    position = history.positions[ply]
    missing = history.moves[ply] if not plan.found else None
    if len(position.legal_moves) < 2:
        return None
    # In the midst of an exchange a jump back takes no more than what is due.
    exchange = position.must_jump and history.moves[ply - 1].captures
    if not _promising(position, missing, engine, tables):
        return None
    proof = None
    for effort in (plan.gentle, plan.thorough):
        proof = proof_of(position, engine, tables, effort, missing)
        if proof is None or (proof.kind in (PuzzleKind.SHOT, PuzzleKind.GAIN) and exchange):
            return None
        if sum(len(step.refuted) for step in proof.steps) < CHOICES:
            return None
    return proof


def _promising(position: Position, missing: Move | None, engine: Searcher, tables: Tables) -> bool:
    """Whether a search of one line finds a move that is a shot, or that is worth a lot.

    It must be another than the one that is said to be ``missing`` something.
    """
    if len(position.pieces) <= tables.pieces:
        return True
    engine.clear()
    (info,) = searched(engine, position, PROMISE)
    score = info.score.value
    if info.move == missing:
        return False
    if score >= GAIN:
        return True
    return score > HOPELESS and shot_in(position, info.pv) is not None


def _puzzle(game: Game, history: History, ply: int, proof: Proof, engine: Searcher) -> Puzzle:
    tags = game.tags
    year = re.match(r"\d{4}", tags.get("Date", ""))
    origin = Origin(
        black=tags.get("Black", "?"),
        white=tags.get("White", "?"),
        event=tags.get("Event", "?"),
        year=int(year.group()) if year else 0,
        ply=ply,
        played=str(history.moves[ply]) if ply < len(history.moves) else "",
    )
    position = history.positions[ply]
    rating, found = rated(position, proof, engine)
    return Puzzle(
        *(position, proof.steps, proof.kind, proof.given, proof.taken, proof.plies),
        *(rating, found, origin),
    )
