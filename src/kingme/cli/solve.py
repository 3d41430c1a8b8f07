"""``kingme solve``: the best move of a position, what it is worth, and whether that is proved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.analysis.verdicts import LOST, Verdict
from kingme.cli.compiling import compiled_first
from kingme.cli.endgames import have
from kingme.cli.match import preset_asked
from kingme.cli.output import say
from kingme.cli.pdn_shared import line_of as played
from kingme.cli.pdn_shared import sensible
from kingme.engine.api import Info, Limits, Score, in_moves
from kingme.engine.endgames import EndgameError
from kingme.engine.machine import MOST_MIB, MOST_THREADS, require_table
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.notation import spell
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

if TYPE_CHECKING:
    from kingme.engine.endgames import Tables
    from kingme.rules.outcome import DrawPreset

__all__ = ["solve"]

SECONDS = 5.0
FEW = 4
"""Pieces up to which a position is looked up in the endgame database, which is built if need be."""

LINE = 60
"""Plies of a line by the database that are shown, at most."""


def solve(
    fen: Annotated[str, typer.Argument(metavar="FEN|start", help="The position.")],
    moves: Annotated[
        str, typer.Option(help="Moves played from there, as in '1. 11-15 22-17'.")
    ] = "",
    seconds: Annotated[
        float | None,
        typer.Option(callback=sensible, help="Time; 5 without any other limit."),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=99, help="Plies.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Positions looked at.")] = None,
    table: Annotated[
        int, typer.Option("--table", min=1, max=MOST_MIB, help="MiB for what was found before.")
    ] = 64,
    draws: Annotated[
        str, typer.Option(help="The draw rules within the search, by the name of a preset.")
    ] = "standard",
    threads: Annotated[
        int,
        typer.Option(min=1, max=MOST_THREADS, help="Threads that search; no more than processors."),
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the best move of a position.

    Prints the best move, what the position is worth, the line that is expected, and how much was
    looked at. A forced win or loss is proved by the search, and with few pieces every value is
    proved by the endgame database. Ctrl+C ends the search early, with what it has.
    """
    preset = preset_asked(draws, ENGLISH)
    history = History.start(Position.start() if fen.strip() == "start" else Position.from_fen(fen))
    history = played(history, moves)
    if seconds is None and depth is None and nodes is None:
        seconds = SECONDS
    limits = Limits(depth=depth, nodes=nodes, seconds=seconds)
    require_table(table)
    position = history.position
    info = search(history, limits, preset, table, threads) if position.legal_moves else None
    found = judged(position, info)
    if as_json:
        say(json.dumps(record(position, info, found)))
    else:
        tell(position, info, found)


def search(history: History, limits: Limits, preset: DrawPreset, table: int, threads: int) -> Info:
    """Search until a limit or Ctrl+C ends it; return the last info."""
    compiled_first()
    from kingme.engine.local import LocalEngine

    engine = LocalEngine(table, threads=threads)
    if engine.threads < threads:
        typer.echo(f"note: {engine.threads} threads search, one a processor", err=True)
    found: Info | None = None
    try:
        for info in engine.analyse(history, limits, preset):
            found = info
    except KeyboardInterrupt:
        engine.stop()
        if found is None:
            raise
    assert found is not None
    return found


def judged(position: Position, info: Info | None) -> Verdict:
    """Say what the search and the endgame database know together; no search where no move is."""
    if info is None:
        return LOST
    found, tables = Verdict.of(info), known(position)
    if tables is None:
        return found
    value = tables.value(position)
    if found.score == 0 and value != "draw":  # the draw rules of the search come first
        return found
    try:
        plies, line = tables.distance(position), line_of(position, info, tables)
    except EndgameError:  # who wins may be all that is known
        return found
    if info.score.likely:  # the draw rules of the search may come first
        return Verdict(info.score.value, line, plies=plies)
    return Verdict(info.score.value, line, value.value, plies, "database")


def known(position: Position) -> Tables | None:
    """Return an endgame database that has a position; the one of few pieces is built if need be."""
    from kingme.engine.endgames.ready import ready

    tables = have(FEW) if len(position.pieces) <= FEW else ready()
    return tables if tables is not None and len(position.pieces) <= tables.pieces else None


def best_of(position: Position, found: Verdict) -> tuple[Move, ...]:
    """Return the first move of a line, and all others that the endgame database knows as good."""
    tables, first = known(position), found.line[:1]
    if tables is None:
        return first
    try:
        best = tables.best_moves(position)
    except EndgameError:  # who wins may be all that is known
        return first
    if first and first[0] not in best:
        return first
    return first + tuple(move for move in best if move not in first)


def line_of(position: Position, info: Info, tables: Tables) -> tuple[Move, ...]:
    """Return best play by the database, beginning with the move of the search if that is best.

    A line that would come round again ends before it does: the rest of a draw tells nothing.
    """
    line: list[Move] = []
    seen = {position}
    while (best := tables.best_moves(position)) and len(line) < LINE:
        move = info.move if not line and info.move in best else best[0]
        position = position.after(move)
        if line and position in seen:
            break
        seen.add(position)
        line.append(move)
    return tuple(line)


def texts(position: Position, moves: tuple[Move, ...]) -> list[str]:
    """Moves as players write them."""
    return [spell(move, position.variant) for move in moves]


def in_words(position: Position, found: Verdict) -> str:
    """What a position is worth, as a sentence without its full stop."""
    side = position.turn
    how = f", proved by the {found.proof}" if found.proof == "search" else ""
    how = ", proved by the endgame database" if found.proof == "database" else how
    if found.result == "draw":
        return f"a draw{how}"
    if found.result is None:
        score = Score(found.score)
        if score.likely:
            soon = "" if found.plies is None else f" {in_moves(found.plies)}"
            return f"{side.title} is {score}".replace(", but", f"{soon}, but")
        return f"{score} for {side.title}, in men" if found.score else "even"
    winner = side if found.result == "win" else side.other
    if found.plies is None:
        return f"{winner.title} wins, by the endgame database"
    if found.plies == 0:
        return f"{winner.title} has won: {side.title} has no move"
    return f"{winner.title} wins {in_moves(found.plies)}{how}"


def record(position: Position, info: Info | None, found: Verdict) -> dict[str, Any]:
    """The same for a program: scores in hundredths of a man for the side to move."""
    line = texts(position, found.line)
    return {
        "fen": position.fen,
        "move": line[0] if line else None,
        "result": found.result or "unknown",
        "proof": found.proof,
        "plies": found.plies,
        "score": found.score,
        "words": in_words(position, found),
        "best": texts(position, best_of(position, found)),
        "line": line,
        "depth": info.depth if info else 0,
        "nodes": info.nodes if info else 0,
        "seconds": round(info.seconds, 3) if info else 0.0,
    }


def tell(position: Position, info: Info | None, found: Verdict) -> None:
    """The same for a person."""
    if info is None:
        say(f"score  {in_words(position, found)}")
        return
    rate = info.nodes / info.seconds / 1e6 if info.seconds else 0.0
    line = texts(position, found.line)
    say(f"best   {', '.join(texts(position, best_of(position, found)))}")
    say(f"score  {in_words(position, found)}")
    say(f"line   {' '.join(line)}")
    say(f"depth  {info.depth}, {info.nodes:,} nodes, {info.seconds:.2f} s, {rate:.2f} M nodes/s")
