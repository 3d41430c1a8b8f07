"""``kingme explore``: what people played in an opening, and what the engine holds of it.

The file behind it is made by ``kingme db explorer``, which is here too.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.asking import WhereArgument, reached
from kingme.cli.compiling import compiled_first
from kingme.cli.output import counted, say
from kingme.cli.progress import progress

if TYPE_CHECKING:
    from kingme.analysis.openings import Explored, Option
    from kingme.collection import Collection, Tree
    from kingme.rules.position import Position

__all__ = ["explore", "make"]

TABLE_MIB = 4
NODES = 10_000


def explore(
    where: WhereArgument = None,
    path: Annotated[
        Path | None,
        typer.Option("--db", metavar="PATH", help="A collection, in place of the games that come."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what was played in an opening, and how it went.

    Games are those of the Open Checkers Archive, 1841 to 2004, where at least five of them came to
    the position. Won, drawn and lost are those of the side that makes the move. The last column is
    the engine's value of the move in men, with a star where it is the opening book's.
    """
    from kingme.analysis.openings import explored
    from kingme.collection.practice import default
    from kingme.engine.book import default as book

    position = reached(where).position
    practice = default()
    tree = practice.tree(position) if path is None else _tree(path, position)
    found = explored(position, tree, practice, book())
    if as_json:
        say(json.dumps(_told(found)))
    else:
        _show(found)


def make(
    file: Annotated[Path, typer.Argument(help="Where it goes; its record goes beside it.")],
    path: Annotated[
        Path, typer.Option("--db", metavar="PATH", help="The collection that it is made of.")
    ],
    source: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What the games were imported from, for the record."),
    ] = None,
    fewest: Annotated[
        int, typer.Option("--games", min=1, help="Games that must have reached a position.")
    ] = 5,
    nodes: Annotated[
        int, typer.Option(min=1, help="Positions that the search of each one looks at.")
    ] = NODES,
) -> None:
    """Make a file of openings of a collection: counts and values alone, no game and no name.

    The same games and the same engine give the same bytes.
    """
    from kingme.collection import Collection
    from kingme.collection.counting import counted
    from kingme.engine.signature import signature
    from kingme.engine.weights import default as weights

    compiled_first()
    terms = {"weights": weights().digest, "signature": signature(), "nodes": nodes}
    with Collection(path) as games, progress(_reckoned(games, fewest), 0) as show:
        made = counted(games, _judge(nodes), fewest, lambda done: show(done, "positions"))
        facts = games.facts
    made.save(file)
    record = {
        "command": f"kingme db explorer --games {fewest} --nodes {nodes}",
        "digest": made.digest,
        "sources": [
            {"name": one.name, "sha256": hashlib.sha256(one.read_bytes()).hexdigest()}
            for one in source or []
        ],
        "games": facts.games,
        "years": [facts.first, facts.last],
        "plies": facts.plies,
        "positions": len(made),
        **terms,
        "table": TABLE_MIB,
    }
    file.with_suffix(".json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    say(f"{file}: {len(made)} positions, {file.stat().st_size} bytes; digest {made.digest}")


def _judge(nodes: int) -> Any:
    """What searches a position alone, whatever came before."""
    from kingme.engine.api import Limits
    from kingme.engine.local import LocalEngine
    from kingme.rules.history import History

    engine = LocalEngine(TABLE_MIB, endgames="none")
    limits = Limits(nodes=nodes)

    def judge(position: Position) -> int | None:
        if not position.legal_moves:
            return None
        engine.clear()
        return int(engine.best_move(History.start(position), limits).score.value)

    return judge


def _reckoned(games: Collection, fewest: int) -> int:
    """About how many positions there will be, for the meter."""
    return max(1, games.facts.plies // (11 * fewest))


def _tree(path: Path, position: Position) -> Tree:
    from kingme.collection import Collection, Query

    with Collection(path) as games:
        return games.tree(Query(position=position))


def _counts(found: Explored, option: Option) -> tuple[int, int, int]:
    """Games that the side to move won, drew and lost by a move."""
    tally = option.tally
    if found.position.turn.code == "B":
        return tally.black, tally.draws, tally.white
    return tally.white, tally.draws, tally.black


def _told(found: Explored) -> dict[str, Any]:
    """What is known for a program, with the names that ``kingme db tree --json`` has."""
    from kingme.rules.notation import spell

    return {
        "fen": found.position.fen,
        "opening": str(found.opening) if found.opening else None,
        **dataclasses.asdict(found.tally),
        "moves": [
            {
                "move": spell(option.move, found.position.variant),
                **dataclasses.asdict(option.tally),
                "score": option.score,
                "value": option.value,
                "booked": option.booked,
            }
            for option in found.options
        ],
    }


def _show(found: Explored) -> None:
    from kingme.engine.api import Score
    from kingme.rules.notation import spell

    side = found.position.turn.title
    say(found.position.fen + (f"  ({found.opening})" if found.opening else ""))
    if not found.options:
        say("no games came here")
        return
    say(f"{counted(found.tally.games, 'game')}; won, drawn and lost are {side}'s")
    say("move        games     won   drawn    lost   value")
    for option in found.options:
        shares = [
            f"{count / option.tally.games:>7.0%}" if option.tally.games else "      -"
            for count in _counts(found, option)
        ]
        value = "" if option.value is None else f"{Score(option.value)!s:>7}"
        star = " *" if option.booked else ""
        move = spell(option.move, found.position.variant)
        say(f"{move:<9}{option.tally.games:>8} {' '.join(shares)} {value}{star}".rstrip())
