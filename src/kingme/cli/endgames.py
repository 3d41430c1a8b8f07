"""``kingme endgames``: exact play with few pieces, built, proved and asked."""

from __future__ import annotations

import json
import operator
import sys
import time
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.building import build
from kingme.cli.output import say
from kingme.engine.api import in_moves

if TYPE_CHECKING:
    from kingme.engine.endgames import Tables
    from kingme.engine.endgames.verify import Totals
    from kingme.rules.position import Position

__all__ = ["endgames", "have"]

endgames = typer.Typer(
    help="Exact play with few pieces: ask, count, prove, build.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PiecesOption = Annotated[
    int, typer.Option("--pieces", metavar="N", help="Pieces that the database covers, from 2 on.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@endgames.command()
def probe(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="A position of few pieces.")],
    pieces: PiecesOption = 4,
    as_json: JsonOption = False,
) -> None:
    """Tell how a position ends with best play, in how many moves, and what each move does.

    The moves are those of the winner, in the quickest win against the longest defence; rules that
    would draw a long game are left aside. JSON counts plies.
    """
    from kingme.rules.notation import spell
    from kingme.rules.position import Position

    position = Position.from_fen(fen)
    tables = have(pieces)
    code = _told(tables, position)
    best = tables.best_moves(position)
    moves = [
        (spell(move, position.variant), move, _told(tables, position.after(move)))
        for move in position.legal_moves
    ]
    if as_json:
        value, plies = code
        shown = [
            {"move": text, "best": move in best, "value": _other(after[0]), "plies": _later(after)}
            for text, move, after in moves
        ]
        say(json.dumps({"fen": position.fen, "value": value, "plies": plies, "moves": shown}))
        return
    say(_sentence(position, code))
    width = max((len(text) for text, _, _ in moves), default=0)
    for text, move, after in moves:
        mark = "*" if move in best else " "
        say(f"{mark} {text:<{width}}  {_other(after[0])}{_in(_later(after))}")


@endgames.command()
def info(pieces: PiecesOption = 4, as_json: JsonOption = False) -> None:
    """List the slices: positions, how they end for the side to move, the longest win."""
    tables = have(pieces)
    found = tables.totals()
    rows = [(str(material), total) for material, total in found.items()]
    sums = [
        (
            f"{count} pieces",
            reduce(operator.add, (t for m, t in found.items() if m.pieces == count)),
        )
        for count in range(2, pieces + 1)
    ]
    if as_json:
        size = tables.block.nbytes
        totals = [_row(name, total) for name, total in sums]
        slices = [_row(name, total) for name, total in rows]
        say(json.dumps({"pieces": pieces, "bytes": size, "totals": totals, "slices": slices}))
        return
    say(f"{'to move':<15}{'positions':>11}{'won':>11}{'lost':>11}{'drawn':>11}  longest win")
    for name, total in (*rows, *sums):
        say(
            f"{name:<15}{total.positions:>11}{total.wins:>11}{total.losses:>11}{total.draws:>11}"
            + (f"  {total.longest} plies" if total.longest else "")
        )
    say(f"{tables.block.nbytes} bytes in memory; {_place(pieces)}")


@endgames.command()
def verify(pieces: PiecesOption = 4) -> None:
    """Prove that every position is one move consistent with its successors."""
    from kingme.engine.endgames import EndgameError

    tables = have(pieces)
    started = time.perf_counter()
    wrong = tables.verify(_reporter("checking"))
    if wrong is not None:
        raise EndgameError(f"{wrong.fen} is not what the moves from it ask for")
    count = sum(total.positions for total in tables.totals().values())
    say(
        f"{count} positions of 2 to {pieces} pieces are consistent with their successors"
        f" ({time.perf_counter() - started:.1f} s)"
    )


endgames.command()(build)


def have(pieces: int) -> Tables:
    """Load the database, or build it, and say why that had to be."""
    from kingme.engine.endgames import DamagedError, EndgameError, Tables

    _require(pieces)
    try:
        return Tables.load(pieces)
    except DamagedError as error:
        typer.echo(f"note: {error}; it is built anew", err=True)
    except EndgameError:
        typer.echo(f"note: the database of {pieces} pieces is built first", err=True)
    return Tables.have(pieces, progress=_reporter("building"))


def _require(pieces: int) -> None:
    from kingme.engine.endgames import EndgameError, files

    if not files.FEWEST <= pieces <= files.MOST:
        raise EndgameError(
            f"a database has from {files.FEWEST} to {files.MOST} pieces, not {pieces}"
        )


def _place(pieces: int) -> str:
    from kingme.engine.endgames import files

    path = files.path_of(pieces)
    return f"kept in {path}" if path is not None and path.exists() else "not kept"


def _reporter(doing: str) -> Callable[[int, int, str], None] | None:
    """Show how far it is, on a terminal that a person looks at."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int, what: str) -> None:
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r{doing} {100 * done // total:3} %  {what:<15}{end}")
        sys.stderr.flush()

    return show


def _told(tables: Tables, position: Position) -> tuple[str, int | None]:
    return str(tables.value(position)), tables.distance(position)


def _other(value: str) -> str:
    return {"win": "loss", "loss": "win"}.get(value, value)


def _later(after: tuple[str, int | None]) -> int | None:
    return None if after[1] is None else after[1] + 1


def _in(plies: int | None) -> str:
    return "" if plies is None else f" {in_moves(plies)}"


def _sentence(position: Position, told: tuple[str, int | None]) -> str:
    side, (value, plies) = position.turn, told
    if value == "draw":
        return f"{side.title} to move: a draw"
    winner = side if value == "win" else side.other
    if plies == 0:
        return f"{winner.title} has won: {side.title} has no move"
    return f"{side.title} to move: {winner.title} wins{_in(plies)}"


def _row(name: str, total: Totals) -> dict[str, int | str]:
    return {
        "name": name,
        "positions": total.positions,
        "wins": total.wins,
        "losses": total.losses,
        "draws": total.draws,
        "longest_win": total.longest,
    }
