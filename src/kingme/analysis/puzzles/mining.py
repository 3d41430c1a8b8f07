"""How puzzles are found: the moves of a game that gave something away, one game after another."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kingme.analysis.puzzles.glancing import Glance, seen_in
from kingme.analysis.puzzles.proving import (
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
from kingme.rules.history import History
from kingme.rules.pdn import Game
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

__all__ = ["Plan", "Vein", "mined"]

PROMISE = 10_000
"""Positions looked at to see whether there may be a puzzle."""

AHEAD, ENDING, HARD = 100, 8, 300_000
"""From what score on, and with how few pieces, a win is looked for among more positions."""

HOPELESS = -60
"""What a position must be worth with its shot, in hundredths of a man: more than this."""

MISSED = 0.1
"""Points that a move must have given away."""

CHOICES = 2
"""Wrong moves that there must be in all steps of a puzzle together, at least."""

OPENING = 6
"""Plies at the beginning of a game that are passed over: all is known there."""

TAIL = 24
"""Plies at the end of a game that are looked through: most of what is missed decides it."""

APART = 3
"""Plies between two puzzles of one game, at least."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How hard is looked, in positions a search: only these decide what is found."""

    gentle: Effort = GENTLE
    thorough: Effort = THOROUGH


@dataclass(slots=True)
class Vein:
    """What a game brought: positions looked at, those that might have been puzzles, puzzles."""

    plies: int = 0
    candidates: int = 0
    puzzles: list[Puzzle] = field(default_factory=list)


def mined(
    game: Game, glance: Glance, engine: Searcher, tables: Tables, plan: Plan, whole: bool = True
) -> Vein:
    """Return the puzzles of a game, earlier ones first.

    Where a move gave something away, two positions are looked at: the one in which it was made,
    for what it missed, and the one after it, for what it overlooked of the other side. With
    ``whole`` so is every position in which there may be a shot.
    """
    vein = Vein()
    history = game.history
    if game.start.variant is not ENGLISH or len(history.moves) <= OPENING:
        return vein
    first = max(OPENING, len(history.moves) - TAIL)
    vein.plies = len(history.moves) - first
    seen = seen_in(history, glance, first, MISSED)
    plies = {ply + late for ply in seen.lost for late in (0, 1)}
    last = -APART
    for ply in sorted(plies | seen.shots if whole else plies):
        if ply < last + APART:
            continue
        known = ply in plies
        proof = _proved(history, ply, engine, tables, plan, known)
        vein.candidates += 1
        if proof is not None:
            vein.puzzles.append(_puzzle(game, history, ply, proof, engine))
            last = ply
    return vein


def _proved(
    history: History, ply: int, engine: Searcher, tables: Tables, plan: Plan, known: bool
) -> Proof | None:
    """Prove a position, gently first; where nothing is known to be wrong it must be a shot."""
    position = history.positions[ply]
    if len(position.legal_moves) < 2:
        return None
    # In the midst of an exchange a jump back takes no more than what is due.
    exchange = position.must_jump and history.moves[ply - 1].captures
    if not _promising(position, engine, tables, known):
        return None
    proof = None
    for effort in (plan.gentle, plan.thorough):
        proof = proof_of(position, engine, tables, effort)
        if proof is None or (proof.kind is PuzzleKind.SHOT and exchange):
            return None
        if sum(len(step.refuted) for step in proof.steps) < CHOICES:
            return None
        if not known and proof.kind is not PuzzleKind.SHOT:
            return None
    return proof


def _promising(position: Position, engine: Searcher, tables: Tables, known: bool) -> bool:
    """Whether a search of one line finds a shot or, where that is looked for, a sure end."""
    if len(position.pieces) <= tables.pieces:
        return known
    engine.clear()
    (info,) = searched(engine, position, PROMISE if known else PROMISE // 2)
    score = info.score.value
    if score > HOPELESS and shot_in(position, info.pv) is not None:
        return True
    if known and score >= AHEAD and not info.score.won and len(position.pieces) <= ENDING:
        (info,) = searched(engine, position, HARD)
    return known and info.score.won


def _puzzle(game: Game, history: History, ply: int, proof: Proof, engine: Searcher) -> Puzzle:
    tags = game.tags
    year = re.match(r"\d{4}", tags.get("Date", ""))
    played = str(history.moves[ply]) if ply < len(history.moves) else ""
    origin = Origin(
        black=tags.get("Black", "?"),
        white=tags.get("White", "?"),
        event=tags.get("Event", "?"),
        year=int(year.group()) if year else 0,
        ply=ply,
        played=played,
    )
    position = history.positions[ply]
    rating, found = rated(position, proof, engine)
    return Puzzle(
        *(position, proof.steps, proof.kind, proof.given, proof.taken, proof.plies),
        *(rating, found, origin),
    )
