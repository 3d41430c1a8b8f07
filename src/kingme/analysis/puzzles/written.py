"""Puzzles as text: records of a log in JSON, and the lines of the collection that is shipped.

A line of the collection has the columns of `COLUMNS`, with a tab between two. Its steps are
``right=also right wrong:reply wrong:reply >answer``, with ``;`` between two: the moves that are
accepted, those that are not with what refutes them, and the answer of the defence.
"""

from __future__ import annotations

from typing import Any

from kingme.analysis.puzzles.puzzle import Origin, Puzzle, PuzzleKind, PuzzleStep
from kingme.rules.moves import Move
from kingme.rules.position import Position

__all__ = ["COLUMNS", "line_of", "puzzle_from", "puzzle_of", "record_of"]

COLUMNS = (
    *("name", "rating", "kind", "shot", "plies", "found", "fen", "steps"),
    *("black", "white", "event", "year", "ply", "played"),
)


def line_of(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the collection."""
    origin = puzzle.origin
    words = (
        *(puzzle.name, puzzle.rating, puzzle.kind, f"{puzzle.given}:{puzzle.taken}", puzzle.plies),
        *("".join(map(str, puzzle.found)), puzzle.position.fen),
        ";".join(map(_step, puzzle.steps)),
        *(origin.black, origin.white, origin.event, origin.year, origin.ply, origin.played),
    )
    return "\t".join(" ".join(str(word).split()) for word in words)


def puzzle_of(line: str) -> Puzzle:
    """Return the puzzle of a line; every move is judged by the rules.

    Raises :class:`~kingme.errors.KingmeError` for a move that is not legal, and ``ValueError``
    for what is no line of a collection.
    """
    _, rating, kind, shot, plies, found, fen, steps, *origin = line.split("\t")
    black, white, event, year, ply, played = origin
    given, taken = map(int, shot.split(":"))
    start = position = Position.from_fen(fen)
    made = []
    for text in steps.split(";"):
        accepted, *words = text.split(" ")
        answers = [word[1:] for word in words if word.startswith(">")]
        refuted = [word.split(":") for word in words if not word.startswith(">")]
        step = _read(position, accepted.split("="), refuted, answers[0] if answers else "")
        made.append(step)
        position = _after(position, step)
    return Puzzle(
        *(start, tuple(made), PuzzleKind(kind), given, taken, int(plies), int(rating)),
        tuple(map(int, found)),
        Origin(black, white, event, int(year), int(ply), played),
    )


def record_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as what JSON can hold; moves are whole routes."""
    origin = puzzle.origin
    return {
        "fen": puzzle.position.fen,
        "kind": str(puzzle.kind),
        "shot": [puzzle.given, puzzle.taken],
        "plies": puzzle.plies,
        "rating": puzzle.rating,
        "found": list(puzzle.found),
        "steps": [
            [
                [str(move) for move in step.accepted],
                [[str(move), str(reply or "")] for move, reply in step.refuted],
                str(step.reply or ""),
            ]
            for step in puzzle.steps
        ],
        "origin": [getattr(origin, name) for name in Origin.__slots__],
    }


def puzzle_from(record: dict[str, Any]) -> Puzzle:
    """Return the puzzle of a record; raises as `puzzle_of` does, and ``KeyError``."""
    start = position = Position.from_fen(record["fen"])
    steps = []
    for accepted, refuted, reply in record["steps"]:
        step = _read(position, accepted, refuted, reply)
        steps.append(step)
        position = _after(position, step)
    given, taken = record["shot"]
    return Puzzle(
        *(start, tuple(steps), PuzzleKind(record["kind"]), given, taken),
        *(record["plies"], record["rating"], tuple(record["found"]), Origin(*record["origin"])),
    )


def _step(step: PuzzleStep) -> str:
    right = "=".join(map(str, step.accepted))
    wrong = [f"{move}:{reply or ''}" for move, reply in step.refuted]
    return " ".join([right, *wrong, *([f">{step.reply}"] if step.reply else [])])


def _read(
    position: Position, accepted: list[str], refuted: list[list[str]], reply: str
) -> PuzzleStep:
    right = tuple(position.parse(text) for text in accepted)
    wrong: list[tuple[Move, Move | None]] = []
    for text, answer in refuted:
        move = position.parse(text)
        wrong.append((move, position.after(move).parse(answer) if answer else None))
    after = position.after(right[0])
    return PuzzleStep(right, tuple(wrong), after.parse(reply) if reply else None)


def _after(position: Position, step: PuzzleStep) -> Position:
    """The position of the next step; after the last one, that which the line ends with."""
    after = position.after(step.move)
    return after if step.reply is None else after.after(step.reply)
