"""``kingme admin``: what the operator of a server does, beside it or while it is stopped."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from kingme.cli import admin_data, admin_people, admin_records
from kingme.cli.admin_shared import Operator, actor
from kingme.cli.groups import group

__all__ = ["admin"]

admin = group("Look after a server: people, rooms, the ledger, backups.")


@admin.callback()
def options(
    ctx: typer.Context,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The server's settings; KINGME_CONFIG names them too."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The database, instead of the one in the settings."),
    ] = None,
) -> None:
    """Look after a server: people, rooms, the ledger, backups."""
    from kingme.web.settings import load

    environ = dict(os.environ)
    if database is not None:
        environ["KINGME_DATABASE"] = database
    ctx.obj = Operator(load(config, environ), actor())


admin.add_typer(admin_people.users, name="users")
admin.command()(admin_people.member)
admin.add_typer(admin_people.chips, name="chips")
admin.command()(admin_records.rooms)
admin.command()(admin_records.reports)
admin.command()(admin_records.audit)
admin.command()(admin_data.backup)
admin.command()(admin_data.restore)
admin.command()(admin_data.check)
admin.command()(admin_data.migrate)
