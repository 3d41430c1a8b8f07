"""``kingme db``: a collection of games in one file, filled, searched, and read as a tree."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.asking import asking
from kingme.cli.groups import group
from kingme.cli.output import counted, say
from kingme.cli.pdn_shared import (
    FilesArgument,
    ForceOption,
    JsonOption,
    VariantOption,
    count_notes,
    failing,
    opened,
    show_json,
    standard,
    tell,
    variant_of,
    watching,
    written,
)

if TYPE_CHECKING:
    from kingme.collection import Branch, Found, Loaded, Page, Query, Tree

__all__ = ["db"]

db = group("A collection of games in one file: import, search, opening tree.")

DbOption = Annotated[
    Path | None,
    typer.Option("--db", metavar="PATH", help="The collection; KINGME_COLLECTION names it too."),
]


def _path(chosen: Path | None) -> Path:
    """The collection that a command is about: without a name, the user's own."""
    import platformdirs

    if chosen is not None:
        return chosen
    named = os.environ.get("KINGME_COLLECTION")
    return Path(named or Path(platformdirs.user_data_dir("kingme", appauthor=False)) / "games.db")


@db.command("import")
def import_files(
    files: FilesArgument,
    path: DbOption = None,
    variant: VariantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the games of files; what is there already is not added again.

    An import that was stopped goes on where it was when it is given again.
    """
    from kingme.collection import Collection

    default = variant_of(variant)
    found = opened(files, twice=True)
    chosen = _path(path)
    chosen.parent.mkdir(parents=True, exist_ok=True)
    loaded: list[Loaded] = []
    with Collection(chosen, write=True) as games, watching(found, "importing") as watch:
        for source in found:
            with failing(source.name):
                loaded += games.load([source], watch.teller(), default=default, finish=False)
        games.finish()
        seconds = watch.seconds
    if as_json:
        files_told = [dataclasses.asdict(item) for item in loaded]
        show_json({"db": str(chosen), "seconds": round(seconds, 3), "files": files_told})
        return
    for item in loaded:
        if item.before:
            say(f"{item.name}: imported before, nothing to add")
        else:
            say(
                f"{item.name}: {counted(item.games, 'game')}, {item.added} added, "
                f"{item.known} there before, {item.faulty} with errors"
            )
    notes = (("error", "errors"), ("repair", "repairs"), ("odd", "odd"))
    count_notes({kind: sum(getattr(item, name) for item in loaded) for kind, name in notes})
    added = sum(item.added for item in loaded)
    say(f"{counted(added, 'game')} added to {chosen} in {seconds:.1f} s")


@db.command()
@asking
def search(
    query: Query,
    path: DbOption = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many games.")] = 20,
    after: Annotated[int, typer.Option(min=0, help="Go on after the game of this number.")] = 0,
    count: Annotated[bool, typer.Option("--count", help="Only how many there are.")] = False,
    pdn: Annotated[
        str | None,
        typer.Option("--pdn", callback=standard, metavar="FILE", help="Write all of them as PDN."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the games that meet every condition, in the order in which they were added."""
    from kingme.collection import Collection

    with Collection(_path(path)) as games:
        if count:
            number = games.count(query)
            show_json({"games": number}) if as_json else say(counted(number, "game"))
        elif pdn is not None:
            _write(games.texts(query), pdn, force)
        else:
            _show_page(games.search(query, limit=limit, after=after), as_json)


@db.command()
@asking
def tree(
    query: Query,
    path: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was played in a position: how often, who won, and the mover's score.

    Without a position it is the start. The rest of the conditions says of which games.
    """
    from kingme.collection import Collection
    from kingme.rules.position import Position
    from kingme.rules.variant import ENGLISH, VARIANTS

    if query.position is None:
        start = Position.start(VARIANTS.get(query.variant, ENGLISH))
        query = dataclasses.replace(query, position=start)
    # A position says its variant by itself: only what is left makes the search a narrow one.
    query = dataclasses.replace(query, variant="")
    with Collection(_path(path)) as games:
        found = games.tree(query)
    show_json(_tree(found)) if as_json else _show_tree(found)


@db.command()
def info(path: DbOption = None, as_json: JsonOption = False) -> None:
    """Tell what a collection holds."""
    from kingme.collection import Collection

    chosen = _path(path)
    with Collection(chosen) as games:
        facts = games.facts
    if as_json:
        show_json({"db": str(chosen), **dataclasses.asdict(facts)})
        return
    years = f", {facts.first} to {facts.last}" if facts.first else ""
    say(f"{chosen}: {counted(facts.games, 'game')}{years}, {facts.bytes / 1e6:.1f} MB")
    players, events = counted(facts.players, "player"), counted(facts.events, "event")
    say(f"{counted(facts.plies, 'ply', 'plies')}, {players}, {events}")
    unknown = facts.games - facts.black - facts.white - facts.draws
    say(
        f"Black won {facts.black}, White {facts.white}, {counted(facts.draws, 'draw')}, "
        f"{unknown} without a result"
    )
    variants = ", ".join(f"{name}: {number}" for name, number in facts.variants.items())
    say(f"from {counted(facts.files, 'file')}; {variants}")


def _write(texts: Iterator[str], output: str, force: bool) -> None:
    """Write games as PDN."""
    number = 0
    with written(output, force) as stream:
        for text in texts:
            stream.write((f"\n{text}" if number else text).encode())
            number += 1
    if output != "-":
        say(f"{counted(number, 'game')} written to {output}")


def _show_page(page: Page, as_json: bool) -> None:
    """A page of games, and how to come to the next."""
    if as_json:
        shown = [dataclasses.asdict(game) for game in page.games]
        show_json({"games": shown, "after": page.after})
        return
    for game in page.games:
        tell(_game(game))
    if not page.games:
        say("no games")
    if page.after is not None:
        say(f"... more: --after {page.after}")


def _game(game: Found) -> str:
    """A game on one line."""
    ballot = f", three-move ballot {game.opening}" if game.opening else ""
    place = ""
    if game.ply is not None:
        place = f", at ply {game.ply}{' with colours reversed' if game.reversed else ''}"
    event = f" {game.event}" if game.event not in ("", "?") else ""
    return (
        f"{game.id:>7}  {game.date}  {game.black} - {game.white}  {game.said}  "
        f"{counted(game.plies, 'ply', 'plies')}{ballot}{place} {event}".rstrip()
    )


def _tree(found: Tree) -> dict[str, Any]:
    """A tree as JSON has it."""

    def tally(branch: Branch) -> dict[str, Any]:
        return {
            "move": str(branch.move),
            **dataclasses.asdict(branch.tally),
            "score": branch.score,
        }

    return {
        "fen": found.position.fen,
        **dataclasses.asdict(found.tally),
        "ended": found.ended,
        "moves": [tally(branch) for branch in found.branches],
    }


def _show_tree(found: Tree) -> None:
    """A tree as people read it."""
    from kingme.rules.ballots import ballot_of

    games = counted(found.tally.games, "game")
    say(f"{found.position.fen}: {games}, {found.ended} of them end here")
    ballot = ballot_of(found.position)
    if ballot:
        say(str(ballot))
    if not found.branches:
        return
    width = max(4, *(len(str(branch.move)) for branch in found.branches))
    say(f"{'move':<{width}}  {'games':>7}  {'Black':>7}  {'White':>7}  {'draws':>7}  score")
    for branch in found.branches:
        tally = branch.tally
        score = "    -" if branch.score is None else f"{branch.score:5.1%}"
        say(
            f"{branch.move!s:<{width}}  {tally.games:>7}  {tally.black:>7}  {tally.white:>7}  "
            f"{tally.draws:>7}  {score}"
        )
