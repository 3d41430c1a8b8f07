"""``kingme print``: boards, pieces and sheets as PDF, true to size."""

from __future__ import annotations

import datetime as dt
import enum
import os
from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.groups import group
from kingme.cli.output import say
from kingme.cli.pdn_shared import (
    FileError,
    ForceOption,
    GameOption,
    OutputOption,
    game_at,
    variant_of,
    written,
)

if TYPE_CHECKING:
    from kingme.prints.sheets import Asked
    from kingme.rules.variant import Variant

__all__ = ["printing"]

printing = group("Print boards, pieces and sheets: PDF, true to size.")


class PaperName(enum.Enum):
    """What is printed on."""

    A4 = "a4"
    LETTER = "letter"


PaperOption = Annotated[PaperName, typer.Option(help="What is printed on.")]
ThemeOption = Annotated[str, typer.Option(help="The colours: wood, green or contrast.")]
MonoOption = Annotated[bool, typer.Option("--mono", help="Black and white, sparing with ink.")]
SquareOption = Annotated[
    str, typer.Option(metavar="LENGTH", help="Width of a square, from 10mm to 80mm; or 2.25in.")
]
WhoseOption = Annotated[str, typer.Option("--variant", metavar="NAME", help="Whose board it is.")]


@printing.command()
def board(
    output: OutputOption = "board.pdf",
    square: SquareOption = "40mm",
    paper: PaperOption = PaperName.A4,
    theme: ThemeOption = "wood",
    mono: MonoOption = False,
    plain: Annotated[bool, typer.Option("--plain", help="Without numbers.")] = False,
    variant: WhoseOption = "english",
    force: ForceOption = False,
) -> None:
    """Print a board to play on.

    A board larger than the paper goes over several sheets, whose marks say how to join them.
    """
    from kingme.prints import sheets
    from kingme.prints.paper import length

    asked = asked_for(paper, theme, mono)
    data = sheets.board(asked, square=length(square), numbers=not plain, variant=whose(variant))
    save(output, data, force)


@printing.command()
def pieces(
    output: OutputOption = "pieces.pdf",
    square: SquareOption = "40mm",
    paper: PaperOption = PaperName.A4,
    theme: ThemeOption = "wood",
    mono: MonoOption = False,
    variant: WhoseOption = "english",
    force: ForceOption = False,
) -> None:
    """Print pieces to be cut out: men in front, crowns on the back.

    Print on both sides, turned over the long edge. A king is a man turned over.
    """
    from kingme.prints import sheets
    from kingme.prints.paper import length

    asked = asked_for(paper, theme, mono)
    data = sheets.pieces(asked, square=length(square), variant=whose(variant))
    save(output, data, force)


@printing.command()
def rules(
    output: OutputOption = "rules.pdf",
    paper: PaperOption = PaperName.A4,
    theme: ThemeOption = "wood",
    mono: MonoOption = False,
    force: ForceOption = False,
) -> None:
    """Print the rules of American checkers on one page."""
    from kingme.prints import sheets

    save(output, sheets.rules(asked_for(paper, theme, mono)), force)


@printing.command()
def score(
    output: OutputOption = "score.pdf",
    paper: PaperOption = PaperName.A4,
    mono: MonoOption = False,
    force: ForceOption = False,
) -> None:
    """Print a score sheet: players, event, and room for 60 moves of each side."""
    from kingme.prints import sheets

    save(output, sheets.score(asked_for(paper, "wood", mono)), force)


@printing.command()
def diagram(
    output: OutputOption = "diagram.pdf",
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A game as PDN; - is the input.")
    ] = None,
    fen: Annotated[
        list[str] | None, typer.Option(help="A position, instead of a game; may be repeated.")
    ] = None,
    number: GameOption = None,
    every: Annotated[int, typer.Option(min=1, help="A diagram every so many plies.")] = 10,
    ply: Annotated[
        list[int] | None, typer.Option(min=0, help="A diagram after this ply; may be repeated.")
    ] = None,
    columns: Annotated[int | None, typer.Option(min=1, max=4, help="Diagrams in a row.")] = None,
    black_below: Annotated[bool, typer.Option("--black", help="Black's side is below.")] = False,
    title: Annotated[str, typer.Option(help="A heading above positions.")] = "",
    paper: PaperOption = PaperName.A4,
    theme: ThemeOption = "wood",
    mono: MonoOption = False,
    variant: WhoseOption = "english",
    force: ForceOption = False,
) -> None:
    """Print positions as diagrams, or a game: its moves, and diagrams every few plies."""
    from kingme.prints import sheets
    from kingme.rules.position import Position

    if (file is None) == (not fen):
        raise FileError("name either a file with a game or positions by --fen")
    asked = asked_for(paper, theme, mono)
    if file is None:
        shown = [Position.from_fen(text, whose(variant)) for text in fen or []]
        data = sheets.positions(shown, asked, title=title, columns=columns, turned=black_below)
    else:
        found = game_at([file], number, whose(variant))
        data = sheets.game(
            found.history,
            asked,
            tags=dict(found.tags.items()),
            result=found.result,
            every=every,
            plies=ply,
            columns=columns,
            turned=black_below,
        )
    save(output, data, force)


def asked_for(paper: PaperName, theme: str, mono: bool) -> Asked:
    """What every sheet is asked for; its date is that of SOURCE_DATE_EPOCH, where there is one."""
    from kingme.prints.sheets import Asked

    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return Asked(paper.value, theme, mono)
    try:
        made = dt.datetime.fromtimestamp(int(epoch), dt.UTC)
    except (ValueError, OverflowError, OSError):
        raise FileError(f"SOURCE_DATE_EPOCH is no time in seconds: {epoch[:20]!r}") from None
    return Asked(paper.value, theme, mono, made)


def whose(name: str) -> Variant:
    """The variant of a name."""
    found = variant_of(name)
    assert found is not None
    return found


def save(output: str, data: bytes, force: bool) -> None:
    """Write a sheet, and say where it is."""
    with written(output, force) as stream:
        stream.write(data)
    if output != "-":
        say(f"{output}: {len(data)} bytes")
