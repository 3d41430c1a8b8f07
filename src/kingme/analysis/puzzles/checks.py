"""Whether puzzles are what they say: by the rules alone, and by the engine."""

from __future__ import annotations

from collections.abc import Iterator

from kingme.analysis.puzzles.gains import unsecured
from kingme.analysis.puzzles.proving import FEWER, UNWON, Searcher, Tables, searched
from kingme.analysis.puzzles.puzzle import Puzzle, PuzzleKind, PuzzleStep
from kingme.analysis.shots import exchanged, shot_in
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.position import Position

__all__ = ["LEFT", "doubts", "faults", "positions_of", "unforced"]

LEFT = 30
"""Hundredths of a man by which a wrong move must still be worse, in a search of any size."""


def faults(puzzle: Puzzle) -> Iterator[str]:
    """Yield what is wrong with a puzzle by the rules; nothing where all is well.

    Each step must name every legal move once, as right or wrong; the line must be played to its
    end, and be the shot that it is called.
    """
    for position, step in positions_of(puzzle):
        named = [*step.accepted, *(move for move, _ in step.refuted)]
        results = {position.after(move) for move in named}
        if {position.after(move) for move in position.legal_moves} != results:
            yield f"{position.fen}: the moves named are not the legal ones"
        if len(set(named)) != len(named):
            yield f"{position.fen}: a move is named twice"
        right = {position.after(move) for move in step.accepted}
        if any(position.after(move) in right for move, _ in step.refuted):
            yield f"{position.fen}: a wrong move comes to the same as a right one"
    history = History.start(puzzle.position)
    for move in puzzle.line:
        history = history.play(move)
    shot = shot_in(puzzle.position, puzzle.line)
    told = (puzzle.given, puzzle.taken)
    given, taken = exchanged(puzzle.line)
    gains = given == puzzle.given < puzzle.taken <= taken
    if puzzle.kind is PuzzleKind.SHOT and (shot is None or (shot.given, shot.taken) != told):
        yield f"{puzzle.position.fen}: the line is no shot of {told}"
    if puzzle.kind is PuzzleKind.GAIN and (shot or not gains):
        yield f"{puzzle.position.fen}: the line is no gain of {told}"
    if puzzle.kind in (PuzzleKind.WIN, PuzzleKind.GAIN) and not puzzle.plies:
        yield f"{puzzle.position.fen}: a {puzzle.kind} without the plies to it"
    if not puzzle.steps[0].refuted:
        yield f"{puzzle.position.fen}: every move is right"
    if puzzle.origin.played:
        puzzle.position.parse(puzzle.origin.played)


def doubts(
    puzzle: Puzzle, engine: Searcher, tables: Tables, nodes: int, whole: bool = True
) -> Iterator[str]:
    """Yield where the engine or the endgame database disagrees; nothing where all holds.

    The best move of every step must be accepted, and win for sure where that is what is to be
    found. With ``whole`` all others are looked at too, and must be worse, and a gain is proved
    again. Only the first step is looked at otherwise.
    """
    if whole:
        yield from unforced(puzzle)
    for position, step in positions_of(puzzle):
        if not step.refuted:
            continue
        if len(position.pieces) <= tables.pieces:
            if set(tables.keeping_moves(position)) != set(step.accepted):
                yield f"{position.fen}: the database keeps other moves"
        else:
            yield from _searched_doubts(position, puzzle, step.accepted, engine, nodes, whole)
        if not whole:
            return


def unforced(puzzle: Puzzle) -> Iterator[str]:
    """Yield where a gain is not won whatever is played, or by a move that is called wrong too."""
    if puzzle.kind is PuzzleKind.GAIN:
        count = puzzle.taken - puzzle.given
        yield from unsecured(puzzle.position, puzzle.steps, count, puzzle.plies)


def _searched_doubts(
    position: Position,
    puzzle: Puzzle,
    accepted: tuple[Move, ...],
    engine: Searcher,
    nodes: int,
    whole: bool,
) -> Iterator[str]:
    engine.clear()
    (best,) = searched(engine, position, nodes)
    if best.move not in accepted:
        yield f"{position.fen}: the engine plays {best.move}, {best.score}"
        return
    if puzzle.kind is PuzzleKind.WIN and not best.score.won:
        yield f"{position.fen}: no win is found, {best.score}"
    if not whole:
        return
    for info in searched(engine, position, nodes, len(position.legal_moves)):
        score = info.score.value
        if info.move in accepted:
            continue
        if best.score.won:
            if info.score.won:
                yield f"{position.fen}: {info.move} {info.score} too"
            elif score > UNWON + LEFT and len(position.pieces) > FEWER:
                yield f"{position.fen}: {info.move} is worth {info.score} too"
        elif score > best.score.value - LEFT:
            yield f"{position.fen}: {info.move} is as good, {info.score} to {best.score}"


def positions_of(puzzle: Puzzle) -> Iterator[tuple[Position, PuzzleStep]]:
    """Yield the position of each step with the step."""
    position = puzzle.position
    for step in puzzle.steps:
        yield position, step
        position = position.after(step.move)
        if step.reply is not None:
            position = position.after(step.reply)
