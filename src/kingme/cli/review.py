"""``kingme review``: what each move of a game gave away, and what was there instead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.output import counted, say
from kingme.cli.pdn_shared import (
    FileError,
    FilesArgument,
    ForceOption,
    JsonOption,
    game_at,
    refuse_existing,
    sensible,
    show_json,
    standard,
    tell,
    written,
)
from kingme.cli.progress import progress
from kingme.engine.api import Limits
from kingme.rules.variant import ENGLISH

if TYPE_CHECKING:
    from kingme.analysis import Judgement, Review
    from kingme.rules.pdn import Game
    from kingme.rules.variant import Side

__all__ = ["review"]

SECONDS = 0.3
BARS = "▁▂▃▄▅▆▇█"
"""What Black may expect, from nothing to a whole point."""


def review(
    files: FilesArgument,
    game: Annotated[int, typer.Option(min=1, help="Which game of the files.")] = 1,
    seconds: Annotated[
        float | None,
        typer.Option(
            callback=sensible,
            help="Time for a position; 0.3 without another limit.",
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=99, help="Plies.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Positions looked at.")] = None,
    output: Annotated[
        str | None,
        typer.Option(
            *("--output", "-o"),
            callback=standard,
            metavar="FILE",
            help="Write the game with signs, words and better lines, as PDN.",
        ),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Review a game of English draughts.

    Prints every move with what it was worth, and for an inaccuracy (?!), a mistake (?) or a
    blunder (??) the better move, the shot that was missed and the one that was allowed.
    """
    found = game_at(files, game)
    if found.start.variant is not ENGLISH:
        title = found.start.variant.title
        raise FileError(f"game {game} is one of {title}: a review is of {ENGLISH.title}")
    if output is not None and output != "-":
        refuse_existing(Path(output), force)
    if seconds is None and depth is None and nodes is None:
        seconds = SECONDS
    judged = _judged(found, Limits(depth=depth, nodes=nodes, seconds=seconds))
    if output is not None:
        from kingme.analysis import annotated
        from kingme.rules.pdn import write

        with written(output, force) as stream:
            stream.write(write(annotated(found, judged)).encode())
        if output == "-":
            return
    if as_json:
        show_json(record(found, judged))
    else:
        _print(found, judged)


def _judged(game: Game, limits: Limits) -> Review:
    """Search the game's positions, and show how far that is."""
    from kingme.analysis import review as judge
    from kingme.cli.compiling import compiled_first
    from kingme.cli.endgames import have
    from kingme.engine.endgames import files
    from kingme.engine.endgames.ready import ready
    from kingme.engine.local import LocalEngine

    compiled_first()
    solved = have(files.PIECES)
    engine = LocalEngine(64, endgames=ready() or solved)
    with progress(len(game.history.positions), 0) as show:
        return judge(
            game.history, engine, limits, solved, lambda done, total: show(done, "positions")
        )


def _number(judgement: Judgement, late: bool) -> str:
    number, second = divmod(judgement.ply + late, 2)
    return f"{number + 1}.{'..' if second else '  '}"


def _print(game: Game, found: Review) -> None:
    """The review for a person."""
    title = " - ".join(game.tags.get(side, "?") for side in ("Black", "White"))
    event = game.tags.get("Event", "")
    tell(f"{title}{', ' if event else ''}{event}  {game.result or '*'}")
    if found.opening is not None:
        say(f"Opening: {found.opening}")
    say("")
    late = game.start.turn is not ENGLISH.first
    for judgement, points in zip(found.judgements, found.black_scores[1:], strict=True):
        bar = BARS[min(int(points * len(BARS)), len(BARS) - 1)]
        head = f"{_number(judgement, late):>6} {str(judgement.move) + judgement.mark.sign:<16}"
        say(f"{head} {bar} {judgement.after!s:>16}  {judgement.words}".rstrip())
    say("")
    for side in (ENGLISH.first, ENGLISH.first.other):
        say(_summary(found, side))


def _summary(found: Review, side: Side) -> str:
    from kingme.analysis import Mark

    kept = found.accuracy(side)
    if kept is None:
        return f"{side.title}: no choice in any move"
    counts = ((mark, found.count(side, mark)) for mark in Mark if mark.nag is not None)
    faults = [counted(count, mark, _many(mark)) for mark, count in counts if count]
    return f"{side.title}: kept {100 * kept:.1f} % a move; {', '.join(faults) or 'no fault found'}"


def _many(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def record(game: Game, found: Review) -> dict[str, Any]:
    """The review for a program; scores are hundredths of a man for the side that moved."""
    return {
        "tags": dict(game.tags.items()),
        "opening": None if found.opening is None else str(found.opening),
        "accuracy": {
            side.title.lower(): found.accuracy(side)
            for side in (ENGLISH.first, ENGLISH.first.other)
        },
        "black_points": [round(points, 4) for points in found.black_scores],
        "moves": [_entry(judgement) for judgement in found.judgements],
    }


def _entry(judgement: Judgement) -> dict[str, Any]:
    best, after = judgement.best, judgement.after
    return {
        "ply": judgement.ply,
        "fen": judgement.position.fen,
        "move": str(judgement.move),
        "class": str(judgement.mark),
        "given": round(judgement.given, 4),
        "score": after.score,
        "result": after.result,
        "plies": after.plies,
        "proof": after.proof,
        "best": {
            "line": [str(move) for move in best.line],
            "score": best.score,
            "result": best.result,
            "plies": best.plies,
            "proof": best.proof,
        },
        "missed": None if judgement.missed is None else str(judgement.missed),
        "allowed": None if judgement.allowed is None else str(judgement.allowed),
        "words": judgement.words,
    }
