"""What a deeper search says of a puzzle's moves: as good as the line's, and accepted, or no puzzle.

A gain must be proved against every defence too (`gains`).

A proof looks at every move of a step with a search of some size. A larger one may find that a
move that was thought worse does as well: then it is right too. Where the move of the line is not,
or the one that was played in the game is no mistake any more, nothing is left of the puzzle.
"""

from __future__ import annotations

from dataclasses import replace

from kingme.analysis.puzzles.checks import LEFT, positions_of
from kingme.analysis.puzzles.gains import secured
from kingme.analysis.puzzles.proving import FEWER, RIGHT, UNWON, Searcher, Tables, searched
from kingme.analysis.puzzles.puzzle import Puzzle, PuzzleKind, PuzzleStep
from kingme.rules.position import Position

__all__ = ["mended"]

AGAIN = 300_000
"""Positions of each search."""

NEAR = LEFT + 10
"""Hundredths of a man by which a move that is accepted may be worse than the best; `LEFT` where
the best is a gain, for then it is proved that the move is none."""


def mended(puzzle: Puzzle, engine: Searcher, tables: Tables) -> list[Puzzle]:
    """Return a puzzle with all moves accepted that do as well, or nothing where it falls."""
    steps: list[PuzzleStep] = []
    for position, step in positions_of(puzzle):
        found = _looked_at(puzzle, position, step, engine, tables) if step.refuted else step
        if found is None:
            return []
        steps.append(found)
    whole = replace(puzzle, steps=tuple(steps))
    if puzzle.kind is PuzzleKind.GAIN:
        forced = secured(puzzle.position, whole.steps, puzzle.taken - puzzle.given)
        if forced is None:
            return []
        taken = puzzle.given + forced.pieces
        whole = replace(puzzle, steps=forced.steps, taken=taken, plies=forced.plies)
    first = whole.steps[0]
    right = {puzzle.position.after(move) for move in first.accepted}
    if not first.refuted or len(right) > RIGHT or whole.fate is not puzzle.fate:
        return []
    return [whole]


def _looked_at(
    puzzle: Puzzle, position: Position, step: PuzzleStep, engine: Searcher, tables: Tables
) -> PuzzleStep | None:
    if len(position.pieces) <= tables.pieces:
        return step if set(tables.keeping_moves(position)) == set(step.accepted) else None
    engine.clear()
    (best,) = searched(engine, position, AGAIN)
    infos = searched(engine, position, AGAIN, len(position.legal_moves))
    scores = {position.after(info.move): info.score for info in infos}
    if puzzle.kind is PuzzleKind.WIN and not best.score.won:
        return None
    if best.score.won:
        good = {after for after, score in scores.items() if score.won}
        many = len(position.pieces) > FEWER
        doubtful = {after for after, score in scores.items() if score.value > UNWON + LEFT}
        if many and doubtful - good:
            return None
    else:
        least = best.score.value - (LEFT if puzzle.kind is PuzzleKind.GAIN else NEAR)
        good = {after for after, score in scores.items() if score.value > least}
    if not {position.after(step.move), position.after(best.move)} <= good:
        return None
    more = tuple(move for move, _ in step.refuted if position.after(move) in good)
    left = tuple(pair for pair in step.refuted if pair[0] not in more)
    return replace(step, accepted=(*step.accepted, *more), refuted=left)
