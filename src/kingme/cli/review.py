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
    GameOption,
    JsonOption,
    game_at,
    refuse_existing,
    sensible,
    show_json,
    standard,
    tell,
    warn,
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

NODES = 1_000_000
"""Positions looked at for each of a game: some tenths of a second, and however busy
the machine is, the same review comes of it."""

BARS = "▁▂▃▄▅▆▇█"
"""What Black may expect, from nothing to a whole point."""


def review(
    files: FilesArgument,
    game: GameOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            callback=sensible,
            help="Time for a position; what is found depends on the machine then.",
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=99, help="Plies.")] = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, help="Positions looked at for each; 1,000,000 without another limit."),
    ] = None,
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
    blunder (??) the better move, the shot that was missed and the one that was allowed. Without
    --seconds the same game gives the same review each time.
    """
    found = game_at(files, game)
    if found.start.variant is not ENGLISH:
        title = found.start.variant.title
        raise FileError(f"game {game or 1} is one of {title}: a review is of {ENGLISH.title}")
    _tell_end(found, game or 1)
    if output is not None and output != "-":
        refuse_existing(Path(output), force)
    if seconds is None and depth is None and nodes is None:
        nodes = NODES
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


def _tell_end(game: Game, which: int) -> None:
    """Say where a game can be read no further; refuse one without a move."""
    moves = game.moves
    if not moves:
        raise FileError(f"game {which} has no move that can be reviewed")
    if len(moves) < len(game.line):
        number = _place(len(moves) - 1 + (game.start.turn is not ENGLISH.first))
        warn(f"the game can be read, and is judged, only to {number} {moves[-1]}")


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


def _place(half: int) -> str:
    """The number before a move that so many half-moves come before."""
    number, second = divmod(half, 2)
    return f"{number + 1}.{'..' * second}"


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
        place = _place(judgement.ply + late)
        place = f"{place.ljust(place.index('.') + 3):>6}"
        head = f"{place} {str(judgement.move) + judgement.mark.sign:<16}"
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
