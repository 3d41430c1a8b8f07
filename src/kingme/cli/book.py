"""``kingme book``: the opening book, built by searches of this engine, and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.asking import WhereArgument, reached
from kingme.cli.compiling import compiled_first
from kingme.cli.groups import group
from kingme.cli.output import counted, say
from kingme.cli.pdn_shared import sensible
from kingme.cli.progress import progress

if TYPE_CHECKING:
    from kingme.engine.book import Book
    from kingme.engine.book.build import Builder, Plan

__all__ = ["book"]

TABLE_MIB = 16

book = group("The opening book: build one by searches, and show what it plays.")


@book.command()
def build(
    file: Annotated[Path, typer.Argument(help="Where the book goes; its record goes beside it.")],
    positions: Annotated[
        int, typer.Option(min=1, help="Positions to open; the decks are the first 231.")
    ] = 3500,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Positions that a search looks at: 500000.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            callback=sensible,
            help="Processor seconds of a search, in place of nodes.",
        ),
    ] = None,
    margin: Annotated[
        int,
        typer.Option(min=1, max=63, help="How much a move may lose, in hundredths of a man."),
    ] = 12,
) -> None:
    """Build an opening book over the decks of two-move and three-move ballots.

    Every search is kept at once in FILE.searches. Ctrl+C breaks off; the same command goes on,
    and limits by nodes come to the same bytes in any case. With more --positions it goes further.
    """
    from kingme.engine.api import EngineError
    from kingme.engine.book.build import Builder, Plan
    from kingme.engine.book.searches import Searches
    from kingme.engine.local import LocalEngine
    from kingme.engine.signature import signature
    from kingme.engine.weights import default

    if file.is_dir():
        raise EngineError(f"{file} is a folder: name a file")
    compiled_first()
    if seconds is None and nodes is None:
        nodes = 500_000
    plan = Plan(positions, nodes, seconds, margin)
    engine = LocalEngine(TABLE_MIB, clock="cpu", endgames="none")
    terms = {"weights": default().digest, "signature": signature()}
    terms |= {"nodes": nodes, "seconds": seconds, "table": TABLE_MIB}
    log = file.with_name(f"{file.name}.searches")
    with Searches(log, terms) as searches, progress(positions, 0) as show:
        before = len(searches)

        def told(opened: int) -> None:
            if len(searches) == before:
                show.rest(opened)
            else:
                show(opened, f"{len(searches)} searches")

        builder = Builder(searches, engine, plan, told)
        made = builder.build()
        made.save(file)
        text = json.dumps(_record(builder, plan, made, terms), indent=2) + "\n"
        file.with_suffix(".json").write_text(text, encoding="utf-8")
    say(f"{file}: {len(made)} positions, {file.stat().st_size} bytes; digest {made.digest}")


@book.command()
def show(
    where: WhereArgument = None,
    file: Annotated[
        Path | None, typer.Option(help="A book; the package's where not given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the moves of a position that are in the book, the best first.

    What a move is worth is in men, for the side that plays it: what minimax makes of the
    positions behind it. A position without moves here is none of the book's.
    """
    from kingme.engine.book import Book, default
    from kingme.rules.ballots import opening_of
    from kingme.rules.notation import spell

    known = default() if file is None else Book.load(file)
    history = reached(where)
    position = history.position
    opening = opening_of(history)
    moves = known.moves(position)
    if as_json:
        found = [
            {"move": spell(one.move, position.variant), "score": one.score.value} for one in moves
        ]
        name = str(opening) if opening else None
        say(json.dumps({"fen": position.fen, "opening": name, "moves": found}))
        return
    say(f"{position.fen}" + (f"  ({opening})" if opening else ""))
    if not moves:
        say(f"not in the book, which has {len(known)} positions")
    for one in moves:
        after = position.after(one.move)
        count = len(known.moves(after))
        more = f"  {counted(count, 'reply', 'replies')}" if count else ""
        say(f"{spell(one.move, position.variant):<8}{one.score}{more}")


def _record(builder: Builder, plan: Plan, made: Book, terms: dict[str, Any]) -> dict[str, Any]:
    """Say how a book was made; nothing that depends on the day or the machine."""
    limits = f"--nodes {plan.nodes}" if plan.nodes else ""
    limits += f" --seconds {plan.seconds:g}" if plan.seconds else ""
    command = f"kingme book build --positions {plan.positions} {limits.strip()}"
    return {
        "command": f"{command} --margin {plan.margin}",
        "digest": made.digest,
        **terms,
        "margin": plan.margin,
        "positions": len(made),
        "opened": len(builder.tree.opened),
        "searched": len(builder.tree.nodes),
        "nodes_searched": builder.nodes,
    }
