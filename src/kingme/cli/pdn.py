"""``kingme pdn``: what is done with files of games."""

from __future__ import annotations

from kingme.cli import pdn_check, pdn_convert, pdn_export, pdn_split
from kingme.cli.groups import group

__all__ = ["pdn"]

pdn = group("Files of games: check, convert, sort, picture.")
pdn.command()(pdn_check.check)
pdn.command()(pdn_convert.convert)
pdn.command()(pdn_split.split)
pdn.command()(pdn_convert.merge)
pdn.command()(pdn_convert.dedupe)
pdn.command()(pdn_check.stats)
pdn.command("filter")(pdn_convert.filter_games)
pdn.command()(pdn_export.export)
