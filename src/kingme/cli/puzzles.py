"""``kingme puzzles``: puzzles mined from games, packed, proved again, shown and solved."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.compiling import compiled_first
from kingme.cli.endgames import have
from kingme.cli.groups import group
from kingme.cli.output import say
from kingme.cli.pdn_shared import FilesArgument, ForceOption, JsonOption, opened, written
from kingme.cli.progress import progress

if TYPE_CHECKING:
    from kingme.analysis.puzzles import Puzzle, Shelf
    from kingme.analysis.puzzles.puzzle import PuzzleStep
    from kingme.engine.endgames import Tables
    from kingme.engine.local import LocalEngine
    from kingme.rules.moves import Move
    from kingme.rules.piece import Piece
    from kingme.rules.position import Position

__all__ = ["puzzles"]

puzzles = group("Puzzles from real games: show, solve, find, prove.")

NameArgument = Annotated[
    str | None, typer.Argument(metavar="NAME", help="The name in its link; today's without.")
]
CollectionOption = Annotated[
    Path | None, typer.Option("--file", help="A collection; the package's where not given.")
]


@puzzles.command()
def show(
    name: NameArgument = None, file: CollectionOption = None, as_json: JsonOption = False
) -> None:
    """Show a puzzle with its solution and the game that it is from."""
    from kingme.analysis.puzzles.telling import found_words, origin_words

    puzzle = _asked(name, _shelf(file))
    if as_json:
        from kingme.analysis.puzzles.written import record_of

        say(json.dumps({"name": puzzle.name, **record_of(puzzle)}))
        return
    _pose(puzzle)
    say(f"solution  {' '.join(map(str, puzzle.line))}")
    others = puzzle.steps[0].accepted[1:]
    if others:
        say(f"          {' or '.join(map(str, others))} will do as well")
    say(f"          {found_words(puzzle)}")
    say(f"from      {origin_words(puzzle)}")


@puzzles.command()
def solve(name: NameArgument = None, file: CollectionOption = None) -> None:
    """Solve a puzzle here: type moves; ? shows the next one."""
    from kingme.analysis.puzzles.telling import found_words, origin_words
    from kingme.errors import KingmeError

    puzzle = _asked(name, _shelf(file))
    _pose(puzzle)
    position, clean = puzzle.position, True
    for step in puzzle.steps:
        while True:
            text = typer.prompt("your move").strip()
            if text == "?":
                clean = False
                say(f"{step.move} is the move.")
                continue
            try:
                move = position.parse(text)
            except KingmeError as error:
                say(f"{error}")
                continue
            if position.after(move) == position.after(step.move):
                break
            if move in step.accepted:
                say(f"{move} is right too. The line goes on with {step.move}.")
                break
            clean = False
            say(_refutation(puzzle, step, move))
        position = position.after(step.move)
        if step.reply is not None:
            say(f"{step.reply} is the reply.")
            position = position.after(step.reply)
    say("Solved." if clean else "Solved, with help.")
    say(f"{found_words(puzzle)} {origin_words(puzzle)}")


@puzzles.command()
def mine(
    files: FilesArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file that grows by what is found.")
    ],
    games: Annotated[
        int | None,
        typer.Option(min=1, help="How many games, those that were won first; all without."),
    ] = None,
    found: Annotated[
        bool, typer.Option("--found", help="Take also what the player of the game found.")
    ] = False,
    pieces: Annotated[
        int, typer.Option(min=4, max=5, help="Pieces of the endgame database to search with.")
    ] = 4,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes that search.")] = 1,
) -> None:
    """Find puzzles in games of English draughts: what a player missed.

    Every game is written to the output at once. Ctrl+C breaks off; the same command goes on. All
    limits are by depth and positions, so the same games give the same puzzles, by any number of
    workers.
    """
    from kingme.analysis.puzzles.digging import dug, order_of, texts_of
    from kingme.analysis.puzzles.log import Log
    from kingme.analysis.puzzles.mining import Plan
    from kingme.engine.endgames import files as databases
    from kingme.engine.signature import signature
    from kingme.engine.weights import default

    data = b"\n".join(_whole(source) for source in opened(files))
    texts = texts_of(data)
    compiled_first()
    have(databases.PIECES)
    have(pieces)
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    terms = {"weights": default().digest, "signature": signature()}
    terms |= {"games": len(texts), "digest": digest, "found too": found, "pieces": pieces}
    plan = Plan(found=found, pieces=pieces)
    wanted = order_of(texts)[:games]
    with Log(output, terms) as log:
        left = [number for number in wanted if number not in log.veins]
        before = len(wanted) - len(left)
        count = sum(len(vein.puzzles) for vein in log.veins.values())
        with progress(len(wanted), before) as told:
            for done, (number, vein) in enumerate(dug(texts, left, plan, workers), before + 1):
                log.put(number, vein)
                count += len(vein.puzzles)
                told(done, f"{count} puzzles")
    say(f"{output}: {count} puzzles in {len(log.veins)} games")


@puzzles.command()
def pack(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG", help="What mining wrote.")],
    output: Annotated[
        str, typer.Option("--output", "-o", help="The collection; its record goes beside it.")
    ],
    most: Annotated[int, typer.Option(min=1, help="How many puzzles at most.")] = 1500,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove each once more; leave out what does not hold.")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Leave out one that verify doubts; may be repeated."),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Make a collection of what was mined, each position once.

    Those that were missed come first, and of several logs those of the first.
    """
    from kingme.analysis.puzzles import Fate
    from kingme.analysis.puzzles.packing import chosen, counted, packed

    passes, mined = [], []
    for log in logs:
        record, puzzles = _mined(log)
        passes.append(record)
        mined += puzzles
    doubted = sorted(without or [])
    kept = [puzzle for puzzle in chosen(mined, most) if puzzle.name not in doubted]
    kept = _proved(kept) if prove else kept
    record = {"passes": passes, "doubted": doubted, "kept": len(kept), **counted(kept)}
    record["missed"] = counted(puzzle for puzzle in kept if puzzle.fate is Fate.MISSED)
    with written(output, force) as stream:
        stream.write(packed(kept).encode())
    if output != "-":
        text = json.dumps(record, indent=2) + "\n"
        Path(output).with_suffix(".json").write_text(text, encoding="utf-8")
        say(f"{output}: {len(kept)} puzzles, {Path(output).stat().st_size} bytes")


@puzzles.command()
def verify(
    file: CollectionOption = None,
    nodes: Annotated[
        int, typer.Option(min=1, help="Positions that a search of each step looks at.")
    ] = 1_000_000,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Some puzzles; all without.")
    ] = None,
) -> None:
    """Prove puzzles again, by the rules and a deeper search.

    Names those that do not hold; without any, all are well.
    """
    from kingme.analysis.puzzles.checks import doubts, faults
    from kingme.analysis.puzzles.shelf import FILE
    from kingme.engine.api import EngineError

    shelf = _shelf(file)
    wanted = [_asked(name, shelf).name for name in names] if names else list(shelf.lines)
    engine, tables = _tools(64)
    wrong = 0
    with progress(len(wanted), 0) as told:
        for done, name in enumerate(wanted, 1):
            puzzle = shelf.get(name)
            told(done, name)
            for text in (*faults(puzzle), *doubts(puzzle, engine, tables, nodes)):
                wrong += 1
                say(f"{name}  {text}")
    if wrong:
        raise EngineError(f"{wrong} doubts in {len(wanted)} puzzles of {file or FILE.name}")
    say(f"{len(wanted)} puzzles hold, with {nodes} positions a search")


def _mined(path: Path) -> tuple[dict[str, Any], list[Puzzle]]:
    """What a log says of itself, and its puzzles."""
    from kingme.analysis.puzzles.log import Log

    with Log(path) as log:
        veins = list(log.veins.values())
        puzzles = [puzzle for vein in veins for puzzle in vein.puzzles]
        plies = sum(vein.plies for vein in veins)
        counts = {"games mined": len(veins), "positions looked at": plies, "puzzles": len(puzzles)}
        return {**log.terms, **counts}, puzzles


def _proved(found: list[Puzzle]) -> list[Puzzle]:
    """Prove puzzles anew; return those that hold, as they are proved now."""
    from kingme.analysis.puzzles.digging import TABLE_MIB
    from kingme.analysis.puzzles.packing import proved

    engine, tables = _tools(TABLE_MIB)
    sound: list[Puzzle] = []
    with progress(len(found), 0) as told:
        for done, puzzle in enumerate(found, 1):
            sound += proved(puzzle, engine, tables)
            told(done, f"{len(sound)} hold")
    return sound


def _tools(table_mib: int) -> tuple[LocalEngine, Tables]:
    """An engine and the endgame database that it knows."""
    from kingme.engine.endgames import files as databases
    from kingme.engine.local import LocalEngine

    compiled_first()
    tables = have(databases.PIECES)
    return LocalEngine(table_mib, endgames=tables), tables


def _whole(source: Any) -> bytes:
    with source.open() as stream:
        return bytes(stream.read())


def _shelf(file: Path | None) -> Shelf:
    from kingme.analysis.puzzles import shelf
    from kingme.cli.pdn_shared import FileError

    if file is None:
        return shelf.shelf()
    try:
        return shelf.Shelf.read(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{file}: {error}") from None


def _asked(name: str | None, shelf: Shelf) -> Puzzle:
    from kingme.cli.pdn_shared import FileError

    chosen = shelf.of_day(dt.datetime.now(dt.UTC).date()) if name is None else name.lower()
    if chosen not in shelf:
        raise FileError(f"there is no puzzle {name!r}: names are like {next(iter(shelf.lines))}")
    return shelf.get(chosen)


def _pose(puzzle: Puzzle) -> None:
    from kingme.analysis.puzzles.telling import goal_words

    say(f"puzzle {puzzle.name}, rated {puzzle.rating}")
    say(_drawn(puzzle.position))
    say(puzzle.position.fen)
    say(goal_words(puzzle))


def _drawn(position: Position) -> str:
    """The board with its numbers, as moves speak of them, White below: ``.18`` is empty."""
    rows = []
    for first in range(1, 33, 4):
        signs = {n: position.pieces.get(n) for n in range(first, first + 4)}
        cells = [f"{_sign(piece)}{n:<2}" for n, piece in signs.items()]
        rows.append(" " * (4 if first % 8 == 1 else 0) + (" " * 5).join(cells).rstrip())
    return "\n".join(rows)


def _sign(piece: Piece | None) -> str:
    """``b`` and ``w`` for men, capitals for kings, a dot where there is none."""
    if piece is None:
        return "."
    return piece.side.code if piece.king else piece.side.code.lower()


def _refutation(puzzle: Puzzle, step: PuzzleStep, move: Move) -> str:
    from kingme.analysis.puzzles.telling import worse_words

    reply = dict(step.refuted).get(move)
    said = f"{move} is answered by {reply}." if reply else f"{move} does not do it."
    return f"{said} {worse_words(puzzle)} Try again."
