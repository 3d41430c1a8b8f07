"""The data of a server as a whole: backups, the way back, migrations, and whether all adds up."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.admin_shared import OperatorError, named, note, noted, opened, sqlite_file
from kingme.cli.output import announce, counted

if TYPE_CHECKING:
    from kingme.play.ports import GameRow
    from kingme.store import Store

__all__ = ["backup", "check", "migrate", "restore"]

PAGE = 500


def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that is not there yet.")],
) -> None:
    """Copy everything into FILE as it stands at one moment, while the server runs.

    The file holds the hashes of passwords: keep it as safe as the server.
    """
    with opened(ctx) as store:
        if file.exists():
            raise OperatorError(f"{file} is there already: name a new file")
        if not file.parent.is_dir():
            raise OperatorError(f"there is no folder {file.parent}: make it first")
        with noted(ctx, store, "backup", str(file)):
            store.backup(file)
    announce(f"All of {_name(ctx)} is in {file} ({file.stat().st_size / 1e6:.1f} MB).")


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="What kingme admin backup wrote.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Put it in the place of a database with data.")
    ] = False,
) -> None:
    """Put a backup in the place of the database. Stop every server process first."""
    from kingme.errors import Refusal
    from kingme.store import open_store
    from kingme.store import restore as put_back

    if not file.is_file():
        raise OperatorError(f"there is no file {file}")
    url = ctx.obj.settings.database_url
    try:
        put_back(url, file, overwrite=overwrite)
    except Refusal as error:
        if error.code != "not_empty":
            raise
        raise OperatorError(f"{error} To put the backup in its place, add --overwrite.") from None
    store = open_store(url)
    try:
        store.migrate()
        note(ctx, store, "restore", str(file))
    finally:
        store.close()
    announce(
        f"{_name(ctx)} is as {file} has it. Check it by kingme admin check, then start the server."
    )


def migrate(ctx: typer.Context) -> None:
    """Bring the tables up to date, or make them. The server does so itself when it starts."""
    from kingme.store import open_store

    url = ctx.obj.settings.database_url
    file = sqlite_file(url)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(url)
    try:
        store.migrate()
        note(ctx, store, "migrate", store.kind)
    finally:
        store.close()
    announce(f"The tables of {_name(ctx)} are up to date.")


def check(ctx: typer.Context) -> None:
    """See whether the ledger adds up and every game can be replayed; status 1 where not.

    May run beside the server: a game is looked at again where it changed meanwhile.
    """
    with opened(ctx) as store:
        faults = [f"ledger: {fault}" for fault in store.ledger.check()]
        games = 0
        for row in _games(store):
            games += 1
            if sys.stderr.isatty() and games % 100 == 0:
                typer.echo(f"\r{games} games", nl=False, err=True)
            faults += [f"game {row.id}: {fault}" for fault in _game(store, row)]
        if sys.stderr.isatty():
            typer.echo("\r\x1b[K", nl=False, err=True)
    if faults:
        # The lines on standard output are the faults alone.
        typer.echo(f"In {_name(ctx)}:", err=True)
    for fault in faults:
        announce(fault)
    if faults:
        raise typer.Exit(1)
    whole = f"{counted(games, 'game')} {'is' if games == 1 else 'are'} whole"
    announce(f"In {_name(ctx)} the ledger adds up, and {whole}.")


def _name(ctx: typer.Context) -> str:
    return named(ctx.obj.settings.database_url)


def _games(store: Store) -> Iterator[GameRow]:
    """Every game once, newest first; those that change meanwhile are found at their first place."""
    seen: set[str] = set()
    before: int | None = None
    while True:
        page = store.games.find(public=False, before=before, limit=PAGE)
        yield from (row for row in page if row.id not in seen)
        seen.update(row.id for row in page)
        if len(page) < PAGE:
            return
        before = page[-1].updated


def _game(store: Store, row: GameRow) -> list[str]:
    """What is wrong with a game's log, and with what the lists say of it."""
    for _ in range(3):
        version = store.games.versions([row.id]).get(row.id)
        faults = _log(store, row, version)
        if not faults or version == store.games.versions([row.id]).get(row.id):
            return faults
    return faults


def _log(store: Store, row: GameRow, version: int | None) -> list[str]:
    from kingme.errors import KingmeError
    from kingme.play.events import Settled
    from kingme.play.game import replay, result

    events = store.games.events(row.id)
    if version is None or len(events) < version:
        return [f"{len(events)} events of {version}"]
    try:
        state = replay(events)
    except (KingmeError, ValueError, KeyError) as error:
        return [f"its moves cannot be replayed: {error}"]
    faults = []
    if row.version == version == len(events):
        if row.plies != state.plies:
            faults.append(f"the list has {row.plies} moves, the log {state.plies}")
        if row.result != result(state):
            faults.append("the list has another result than the log")
    settled = sum(isinstance(event, Settled) for event in events)
    if settled != (not state.playing):
        over = "being played" if state.playing else "over"
        faults.append(f"it is {over} and was settled {settled} times")
    return faults
