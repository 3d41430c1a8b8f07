"""``kingme pdn export``: a position or a game as a picture."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.output import say
from kingme.cli.pdn_shared import (
    FileError,
    ForceOption,
    GameOption,
    VariantOption,
    game_at,
    standard,
    variant_of,
    written,
)

if TYPE_CHECKING:
    from kingme.rules.history import History

__all__ = ["export"]

FORMS = ("svg", "png", "gif")


class Bottom(enum.Enum):
    """Whose side is below."""

    BLACK = "black"
    WHITE = "white"


def export(
    output: Annotated[
        str,
        typer.Option(
            *("--output", "-o"),
            callback=standard,
            metavar="FILE",
            help="Its end says how: .svg .png .gif",
        ),
    ],
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Games; - is the input.")
    ] = None,
    fen: Annotated[str | None, typer.Option(help="A position, instead of a file.")] = None,
    game: GameOption = None,
    ply: Annotated[
        int | None, typer.Option(min=0, help="After so many plies; otherwise at the end.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="svg, png or gif.")
    ] = None,
    size: Annotated[int, typer.Option(min=32, max=4096, help="Width in pixels.")] = 400,
    below: Annotated[Bottom, typer.Option(help="Whose side is below.")] = Bottom.WHITE,
    theme: Annotated[str, typer.Option(help="The look of the board.")] = "wood",
    pause: Annotated[int, typer.Option(min=20, max=60000, help="ms a move, in a GIF.")] = 900,
    plain: Annotated[bool, typer.Option("--plain", help="Without coordinates.")] = False,
    variant: VariantOption = None,
    force: ForceOption = False,
) -> None:
    """Draw a position as SVG or PNG, or a whole game as an animated GIF."""
    chosen = (form or output.rpartition(".")[2]).lower()
    if form is not None and chosen not in FORMS:
        raise FileError(f"{form!r} is no format here: there are svg, png and gif")
    if chosen not in FORMS:
        raise FileError(f"{output} does not say how to draw: end it in .svg, .png or .gif")
    history = _history(files or [], fen, game, variant)
    if ply is not None:
        if ply > len(history.moves):
            raise FileError(f"game {game or 1} has {len(history.moves)} plies, not {ply}")
        history = history.back(len(history.moves) - ply)
    data = _drawn(chosen, history, size, below, theme, pause, not plain)
    with written(output, force) as stream:
        stream.write(data)
    if output != "-":
        say(f"{output}: {len(data)} bytes")


def _history(files: list[str], fen: str | None, number: int | None, variant: str | None) -> History:
    """What is to be drawn: a position, or a game of the files."""
    from kingme.rules.history import History
    from kingme.rules.position import Position
    from kingme.rules.variant import ENGLISH

    chosen = variant_of(variant)
    if (fen is None) == (not files):
        raise FileError("name either files of games or a position by --fen")
    if fen is not None:
        return History.start(Position.from_fen(fen, chosen or ENGLISH))
    return game_at(files, number, chosen).history


def _drawn(
    form: str,
    history: History,
    size: int,
    below: Bottom,
    theme: str,
    pause: int,
    coordinates: bool,
) -> bytes:
    """The picture as bytes."""
    from kingme.rules.variant import Side

    side = Side.BLACK if below is Bottom.BLACK else Side.WHITE
    last = history.moves[-1] if history.moves else None
    try:
        if form == "gif":
            from kingme.prints import gif

            return gif(
                history,
                size=size,
                orientation=side,
                theme=theme,
                pause=pause,
                coordinates=coordinates,
            )
        if form == "png":
            from kingme.prints import png

            return png(
                history.position,
                size=size,
                orientation=side,
                last_move=last,
                theme=theme,
                coordinates=coordinates,
            )
        from kingme.rules.svg import board

        return board(
            history.position,
            size=size,
            orientation=side,
            last_move=last,
            theme=theme,
            coordinates=coordinates,
        ).encode()
    except ValueError as error:
        raise FileError(str(error)) from None
