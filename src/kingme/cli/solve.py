"""``kingme solve``: the best move of a position, what it is worth, and whether that is proved."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.endgames import have
from kingme.cli.match import preset_asked
from kingme.cli.output import say
from kingme.engine.api import GameOverError, Info, Limits
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.notation import spell
from kingme.rules.position import Position

if TYPE_CHECKING:
    from kingme.engine.endgames import Tables

__all__ = ["solve"]

SECONDS = 5.0
FEW = 4
"""Pieces up to which a position is looked up in the endgame database, which is built if need be."""

LINE = 60
"""Plies of a line by the database that are shown, at most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of a position, whose last search is ``info``.

    ``result`` is "win", "draw" or "loss" for the side to move, or "unknown", and ``plies`` how
    long the game still is, where that is known. ``proof`` is "database" or "search" where the
    result is certain, with best play of both and no rule that ends a long game.
    """

    info: Info
    line: tuple[Move, ...]
    result: str = "unknown"
    plies: int | None = None
    proof: str | None = None


def solve(
    fen: Annotated[str, typer.Argument(metavar="FEN|start", help="The position.")],
    moves: Annotated[str, typer.Option(help="Moves played from there, as in '11-15 22-17'.")] = "",
    seconds: Annotated[
        float | None, typer.Option(min=0.001, max=1e6, help="Time; 5 without any other limit.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=99, help="Plies.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Positions looked at.")] = None,
    table: Annotated[
        int, typer.Option("--table", min=1, max=65_536, help="MiB for what was found before.")
    ] = 64,
    draws: Annotated[
        str, typer.Option(help="The draw rules within the search, by the name of a preset.")
    ] = "standard",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the best move of a position.

    Prints the best move, what the position is worth, the line that is expected, and how much was
    looked at. A forced win or loss is proved by the search, and with few pieces every value is
    proved by the endgame database. Ctrl+C ends the search early, with what it has.
    """
    preset = preset_asked(draws)
    history = History.start(Position.start() if fen.strip() == "start" else Position.from_fen(fen))
    for text in moves.split():
        history = history.play(text)
    if seconds is None and depth is None and nodes is None:
        seconds = SECONDS
    if sys.stderr.isatty():
        typer.echo("compiling the kernels where they are not cached ...", err=True)
    from kingme.engine.local import LocalEngine

    if not history.position.legal_moves:
        raise GameOverError(f"{history.position.turn.title} has no move: the game is over")
    engine = LocalEngine(table)
    found: Info | None = None
    limits = Limits(depth=depth, nodes=nodes, seconds=seconds)
    try:
        for info in engine.analyse(history, limits, preset):
            found = info
    except KeyboardInterrupt:
        engine.stop()
        if found is None:
            raise
    assert found is not None
    finding = judged(history.position, found)
    if as_json:
        say(json.dumps(record(history.position, finding)))
    else:
        tell(history.position, finding)


def judged(position: Position, info: Info) -> Finding:
    """Say what the search and the endgame database know together."""
    if len(position.pieces) <= FEW:
        tables = have(FEW)
        result, plies = tables.value(position), tables.distance(position)
        return Finding(info, line_of(position, info, tables), result.value, plies, "database")
    plies = info.score.plies_to_end
    if plies is not None:
        return Finding(info, info.pv, "win" if info.score.value > 0 else "loss", plies, "search")
    return Finding(info, info.pv)


def line_of(position: Position, info: Info, tables: Tables) -> tuple[Move, ...]:
    """Return best play by the database, beginning with the move of the search if that is best."""
    line: list[Move] = []
    while (best := tables.best_moves(position)) and len(line) < LINE:
        move = info.move if not line and info.move in best else best[0]
        line.append(move)
        position = position.after(move)
    return tuple(line)


def texts(position: Position, line: tuple[Move, ...]) -> list[str]:
    """The moves of a line as players write them."""
    return [spell(move, position.variant) for move in line]


def in_words(position: Position, finding: Finding) -> str:
    """What a position is worth, as a sentence without its full stop."""
    side = position.turn
    how = f", proved by the {finding.proof}" if finding.proof == "search" else ""
    how = ", proved by the endgame database" if finding.proof == "database" else how
    if finding.result == "draw":
        return f"a draw{how}"
    if finding.result == "unknown":
        return f"{finding.info.score} for {side.title}, in men"
    winner = side if finding.result == "win" else side.other
    return f"{winner.title} wins in {finding.plies} plies{how}"


def record(position: Position, finding: Finding) -> dict[str, Any]:
    """The finding for a program: scores in hundredths of a man for the side to move."""
    info = finding.info
    line = texts(position, finding.line)
    return {
        "fen": position.fen,
        "move": line[0],
        "result": finding.result,
        "proof": finding.proof,
        "plies": finding.plies,
        "score": info.score.value,
        "words": in_words(position, finding),
        "line": line,
        "depth": info.depth,
        "nodes": info.nodes,
        "seconds": round(info.seconds, 3),
    }


def tell(position: Position, finding: Finding) -> None:
    """The finding for a person."""
    info = finding.info
    rate = info.nodes / info.seconds / 1e6 if info.seconds else 0.0
    line = texts(position, finding.line)
    say(f"best   {line[0]}")
    say(f"score  {in_words(position, finding)}")
    say(f"line   {' '.join(line)}")
    say(f"depth  {info.depth}, {info.nodes:,} nodes, {info.seconds:.2f} s, {rate:.2f} M nodes/s")
