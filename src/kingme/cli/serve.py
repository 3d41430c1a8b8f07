"""``kingme serve``: the server for many, behind a proxy, as an operator runs it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.admin_shared import named
from kingme.cli.play import address, listen, refusal
from kingme.errors import Unavailable

if TYPE_CHECKING:
    from kingme.web.settings import Settings

__all__ = ["serve"]

log = logging.getLogger(__name__)


def serve(
    config: Annotated[
        Path | None,
        typer.Option(
            help="The settings, as docs/kingme.toml shows them. By default KINGME_CONFIG names "
            "the file; without one the environment alone decides.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve play between people, until SIGTERM.

    The database is brought up to date first. Logs are JSON, one object a line, on standard error.
    At SIGTERM or Ctrl+C /healthz turns to 503, everybody is told to come back, and what was begun
    is finished: that takes a few seconds.
    """
    from kingme.engine.kernels import cachedir
    from kingme.web.app import create_app, real_ports
    from kingme.web.logs import set_up
    from kingme.web.serve import serve as run
    from kingme.web.settings import load

    settings = load(config)
    set_up()
    if (unkept := cachedir.unkept()) is not None:
        log.warning(unkept)
    ports = real_ports(settings)
    assert ports.live is not None
    away: Unavailable | None = None
    try:
        ports.live.open_store().close()
    except Unavailable as error:
        # It may come up later than this server: until then /healthz says so.
        away = error
    except OSError as error:
        typer.echo(f"kingme: {_place(settings)}: {error.strerror or error}", err=True)
        raise typer.Exit(1) from None
    try:
        listener = listen(settings.listen, settings.port)
    except (OSError, UnicodeError) as error:
        typer.echo(refusal(settings.listen, settings.port, error), err=True)
        raise typer.Exit(1) from None
    where = address(settings.listen, listener.getsockname()[1])

    made = create_app(settings, ports, production=True)
    run(made, listener, lambda: made.state.live.listening(where, away), settings.proxies)
    log.info("stopped")


def _place(settings: Settings) -> str:
    """What the operator has to see to where the file of the database cannot be made."""
    if settings.database is None:
        return f"the folder of the server's files, {settings.folder} (data_dir), cannot be used"
    return f"the database {named(settings.database_url)} cannot be used"
