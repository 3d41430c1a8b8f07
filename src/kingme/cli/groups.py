"""Commands that have commands of their own: ``kingme db``, ``kingme pdn`` and the others."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["Group", "group"]

WHOLE = 1000
"""Characters of a first sentence: all of it, on as many lines as it takes."""


class Group(TyperGroup):
    """Commands of which each is listed with the whole first sentence that tells of it."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list; the library's own cuts sentences off where the line ends."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, command.get_short_help_str(WHOLE))
            for name, command in found
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def group(about: str) -> typer.Typer:
    """Return a command for others; alone it shows its help."""
    return typer.Typer(cls=Group, help=about, no_args_is_help=True, rich_markup_mode=None)
