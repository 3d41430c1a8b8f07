"""``kingme endgames``: exact play with few pieces, built, proved and asked."""

from __future__ import annotations

import contextlib
import json
import operator
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.building import build
from kingme.cli.compiling import tell_unkept
from kingme.cli.groups import group
from kingme.cli.output import say
from kingme.engine.api import in_moves

if TYPE_CHECKING:
    from kingme.engine.endgames import Tables
    from kingme.engine.endgames.counting import Totals
    from kingme.engine.endgames.opened import Pack
    from kingme.rules.moves import Move
    from kingme.rules.position import Position

__all__ = ["endgames", "have"]

endgames = group("Exact play with few pieces: ask, count, prove, build.")

PiecesOption = Annotated[
    int | None,
    typer.Option(
        "--pieces", metavar="N", help="Pieces that the database covers; all that is there without."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@endgames.command()
def probe(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="A position of few pieces.")],
    pieces: PiecesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell how a position ends with best play, in how many moves, and what each move does.

    The moves are those of the winner, in the quickest win against the longest defence; rules that
    would draw a long game are left aside. JSON counts plies. Where only who wins is kept, no number
    is told, and every move that keeps it is marked. The database of 4 pieces is built where it is
    missing; larger ones are yours to build.
    """
    from kingme.engine.endgames import EndgameError, files
    from kingme.engine.endgames.shelf import remedy
    from kingme.rules.notation import spell
    from kingme.rules.position import Position

    position = Position.from_fen(fen)
    tell_unkept()
    tables = have(pieces)
    count = len(position.pieces)
    if pieces is None and tables.pieces < count <= files.MOST:
        raise EndgameError(
            f"the database has up to {tables.pieces} pieces, and this position has {count};"
            f" {remedy(count)} makes one that has it"
        )
    code = _told(tables, position)
    if code[0] != "draw" and code[1] is None:
        more = remedy(len(position.pieces), "distances")
        typer.echo(f"note: only who wins is kept; {more} keeps the plies too", err=True)
    best = _best(tables, position)
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
def info(pieces: PiecesOption = None, as_json: JsonOption = False) -> None:
    """List the slices: positions, how they end for the side to move, the longest win; the files.

    The database of 4 pieces is built where it is missing; larger ones are yours to build.
    """
    from kingme.engine.endgames.shelf import remedy

    tell_unkept()
    tables = have(pieces)
    found = tables.totals()
    rows = [(str(material), total) for material, total in found.items()]
    sums = [(f"{count} pieces", total) for count, total in _sums(tables).items()]
    if as_json:
        told = {
            "pieces": tables.pieces,
            "distances": tables.distances,
            "bytes": tables.block.nbytes,
            "totals": [_row(name, total) for name, total in sums],
            "slices": [_row(name, total) for name, total in rows],
            "files": [*_blocks(tables), *(_file(pack) for pack in tables.packs)],
        }
        say(json.dumps(told))
        return
    say(f"{'to move':<15}{'positions':>11}{'won':>11}{'lost':>11}{'drawn':>11}  longest win")
    for name, total in (*rows, *sums):
        say(
            f"{name:<15}{total.positions:>11}{total.wins:>11}{total.losses:>11}{total.draws:>11}"
            + (f"  {total.longest} plies" if total.longest else "")
        )
    for pack in tables.packs:
        file = _file(pack)
        say(
            f"{pack.kind.word} of {pack.pieces} pieces: {pack.size} bytes,"
            f" {file['positions_a_byte']:.2f} positions a byte; kept in {pack.path}"
        )
    for count in range(tables.distances + 1, tables.pieces + 1):
        say(f"distances of {count} pieces: not used; {remedy(count, 'distances')} builds them")
    say(f"{tables.block.nbytes} bytes in memory; {_place(tables.block_pieces)}")


@endgames.command()
def verify(
    pieces: PiecesOption = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Threads that check.")] = 1,
) -> None:
    """Prove that every position is one move consistent with its successors.

    With distances that proves everything. Where only who wins is kept, it does not show that what
    is called a win comes to an end: for that, the totals are compared with the published ones.
    What is damaged is named and not proved, with status 2, and never built anew. The database
    of 4 pieces is built where there is none.
    """
    from kingme.cli.progress import progress
    from kingme.engine.endgames import EndgameError
    from kingme.engine.endgames.verify import PUBLISHED

    tell_unkept()
    tables = have(pieces, mend=False)
    started = time.perf_counter()
    sums = _sums(tables)
    count = sum(total.positions for total in sums.values())
    looked_at = 0

    def show(done: int, _: int, what: str) -> None:
        nonlocal looked_at
        looked_at = max(looked_at, done)
        meter(done, what)

    try:
        with progress(count, 0) as meter:
            wrong = tables.verify(show, workers=workers)
    except KeyboardInterrupt:
        told = f"stopped: {looked_at} of {count} positions were looked at, and nothing wrong found"
        typer.echo(told, err=True)
        raise typer.Exit(130) from None
    if wrong is not None:
        raise EndgameError(f"{wrong.fen} is not what the moves from it ask for")
    say(
        f"{count} positions of 2 to {tables.pieces} pieces are consistent with their successors"
        f" ({time.perf_counter() - started:.1f} s)"
    )
    if tables.distances < tables.pieces:
        first = tables.distances + 1
        say(f"from {first} pieces on only who wins is kept, which this alone does not prove")
    for number, total in sums.items():
        if number not in PUBLISHED:
            say(f"nobody has published the totals of {number} pieces")
            continue
        published = PUBLISHED[number]
        if replace(total, longest=published.longest) != published or (
            total.longest not in (None, published.longest)
        ):
            raise EndgameError(f"the totals of {number} pieces are not the published ones")
    say("wins, losses and draws are as many as others have published")
    if tables.notes:
        raise EndgameError(f"not all was proved: {'; '.join(tables.notes)}")


endgames.command()(build)


def have(pieces: int | None = None, *, mend: bool = True) -> Tables:
    """Load the database; without a number, all of it.

    The block of few pieces is built where it is missing, and said so; where it is damaged, too,
    unless it is not to be mended. More pieces are only ever built by ``build``.
    """
    from kingme.engine.endgames import DamagedError, EndgameError, Tables, files
    from kingme.engine.endgames.shelf import remedy

    if pieces is not None:
        files.require(pieces)
    least = files.PIECES if pieces is None else min(pieces, files.PIECES)
    try:
        tables = Tables.load(least)
    except EndgameError as error:
        damaged = isinstance(error, DamagedError)
        if damaged and not mend:
            raise DamagedError(f"{error}; {remedy(least)} builds it anew") from None
        first = f"the database of {least} pieces is built first"
        typer.echo(f"note: {f'{error}; it is built anew' if damaged else first}", err=True)
        tables = Tables.have(least, progress=_reporter("building"))
    if pieces is None:
        with contextlib.suppress(EndgameError):  # it can be built but not kept
            tables = Tables.all()
    elif pieces > least:
        tables = Tables.load(pieces)
    for note in tables.notes:
        typer.echo(f"note: {note}", err=True)
    return tables


def _sums(tables: Tables) -> dict[int, Totals]:
    """Add up the slices of each number of pieces."""
    found = tables.totals()
    return {
        count: reduce(operator.add, (t for m, t in found.items() if m.pieces == count))
        for count in range(2, tables.pieces + 1)
    }


def _blocks(tables: Tables) -> list[dict[str, Any]]:
    """Return the file of the block, where it is kept."""
    from kingme.engine.endgames import files
    from kingme.engine.endgames.slices import layout

    path = files.path_of(tables.block_pieces)
    if path is None or not path.exists():
        return []
    positions = sum(material.positions for material in layout(tables.block_pieces).places)
    return [
        {
            "path": str(path),
            "kind": "block",
            "pieces": tables.block_pieces,
            "bytes": tables.block.nbytes,
            "positions_a_byte": round(positions / tables.block.nbytes, 2),
        }
    ]


def _file(pack: Pack) -> dict[str, Any]:
    positions = sum(material.positions for material in pack.entries)
    return {
        "path": str(pack.path),
        "kind": pack.kind.word,
        "pieces": pack.pieces,
        "bytes": pack.size,
        "positions_a_byte": round(positions / pack.size, 2),
    }


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
    """Return who wins, and in how many plies where that is known."""
    from kingme.engine.endgames import EndgameError

    value = str(tables.value(position))
    try:
        return value, tables.distance(position)
    except EndgameError:
        return value, None


def _best(tables: Tables, position: Position) -> tuple[Move, ...]:
    """Return the best moves, or those that keep the value where no more is known."""
    from kingme.engine.endgames import EndgameError

    try:
        return tables.best_moves(position)
    except EndgameError:
        return tables.keeping_moves(position)


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


def _row(name: str, total: Totals) -> dict[str, int | str | None]:
    return {
        "name": name,
        "positions": total.positions,
        "wins": total.wins,
        "losses": total.losses,
        "draws": total.draws,
        "longest_win": total.longest,
    }
