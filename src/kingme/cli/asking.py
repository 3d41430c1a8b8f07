"""Which games or which position is meant: in the same words for every command that asks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from kingme.cli.pdn_shared import line_of, variant_of

if TYPE_CHECKING:
    from kingme.collection import Query
    from kingme.rules.history import History

__all__ = ["WhereArgument", "asking", "reached"]

Text = str | None
WhereArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FEN|MOVES", help="A position, and moves from it; the start where not given."
    ),
]


class Options:
    """What a command asks games for; each name is that of an option and of a query's field."""

    player: Annotated[Text, typer.Option(help="Words of either player's name.")] = None
    black: Annotated[Text, typer.Option(help="Words of Black's name.")] = None
    white: Annotated[Text, typer.Option(help="Words of White's name.")] = None
    event: Annotated[Text, typer.Option(help="Words of the event.")] = None
    since: Annotated[Text, typer.Option(metavar="DATE", help="From 1904, or 1904.12.03, on.")] = (
        None
    )
    until: Annotated[Text, typer.Option(metavar="DATE", help="Up to and with a date.")] = None
    opening: Annotated[
        int | None, typer.Option(min=1, max=174, help="Number of a 3-move ballot.")
    ] = None
    fen: Annotated[Text, typer.Option(help="A position, reached by any order of moves.")] = None
    moves: Annotated[Text, typer.Option(help="The same, by moves, as in '1. 11-15 22-17'.")] = None
    colours: Annotated[
        bool, typer.Option("--colours/--no-colours", help="The position reversed too, or not.")
    ] = True
    material: Annotated[Text, typer.Option(help="Such as '1m2k v 3m', or '1m2k v *'.")] = None
    result: Annotated[Text, typer.Option(help="black, white, draw or none.")] = None
    variant: Annotated[Text, typer.Option(metavar="NAME", help="A variant's name.")] = None


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options, behind its own first ones; it takes them as one ``query``."""
    options = {
        name: Parameter(
            name, Parameter.KEYWORD_ONLY, default=getattr(Options, name), annotation=hint
        )
        for name, hint in get_type_hints(Options, include_extras=True).items()
    }
    hints = get_type_hints(command, localns={"Query": Any}, include_extras=True)
    own = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])
        for parameter in inspect.signature(command).parameters.values()
    ]
    at = [parameter.name for parameter in own].index("query")
    parameters = [*own[:at], *options.values(), *own[at + 1 :]]

    @functools.wraps(command)
    def asked(**given: Any) -> None:
        said = {name: given.pop(name) for name in options}
        command(query=query_of(**said), **given)

    asked.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    asked.__annotations__ = {one.name: one.annotation for one in parameters}
    return asked


def query_of(
    *,
    fen: str | None = None,
    moves: str | None = None,
    variant: str | None = None,
    **rest: Any,
) -> Query:
    """The query of a command's options: a position is a FEN, or moves from the start."""
    from kingme.collection import Query
    from kingme.rules.history import History
    from kingme.rules.position import Position
    from kingme.rules.variant import ENGLISH

    chosen = variant_of(variant)
    rules = chosen or ENGLISH
    position = None
    if fen is not None:
        position = Position.from_fen(fen, rules)
    if moves is not None:
        position = line_of(History.start(position, rules), moves).position
    given = {name: value for name, value in rest.items() if value is not None}
    return Query(position=position, variant=chosen.name if chosen else "", **given)


def reached(where: list[str] | None) -> History:
    """The game that words of a command name: a FEN, moves with or without numbers, or both."""
    from kingme.rules.history import History

    words = where or []
    fen = words[0] if words and ":" in words[0] else None
    return line_of(History.start(fen), " ".join(words[fen is not None :]))
