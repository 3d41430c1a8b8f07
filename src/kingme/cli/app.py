"""The command line as one typer application; a command's own imports wait until it runs."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kingme import __version__
from kingme.cli.admin import admin
from kingme.cli.ballots import ballots
from kingme.cli.bench import bench
from kingme.cli.book import book
from kingme.cli.db import db
from kingme.cli.endgames import endgames
from kingme.cli.engine import engine
from kingme.cli.explore import explore, make
from kingme.cli.groups import Group
from kingme.cli.match import match
from kingme.cli.pdn import pdn
from kingme.cli.perft import CountCommand, perft
from kingme.cli.play import play
from kingme.cli.printing import printing
from kingme.cli.puzzles import puzzles
from kingme.cli.review import review
from kingme.cli.serve import serve
from kingme.cli.solve import solve
from kingme.cli.train import train
from kingme.cli.warm import warm

__all__ = ["app"]


class Commands(Group):
    """All commands; what is wrong in a call is said in the words of no library."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a refused value loses what pydantic puts before the sentence."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    cls=Commands,
    help="American checkers: play it, serve it, solve it, review it, print it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(play)
app.command()(serve)
app.command(cls=CountCommand)(perft)
app.command()(warm)
app.command()(solve)
app.command()(review)
app.command()(engine)
app.command()(match)
app.command()(bench)
app.command()(ballots)
app.command()(explore)
db.command("explorer")(make)
app.add_typer(train, name="train")
app.add_typer(book, name="book")
app.add_typer(pdn, name="pdn")
app.add_typer(db, name="db")
app.add_typer(printing, name="print")
app.add_typer(puzzles, name="puzzles")
app.add_typer(endgames, name="endgames")
app.add_typer(admin, name="admin")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kingme {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """American checkers: play it, serve it, solve it, review it, print it."""
