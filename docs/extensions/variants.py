"""A directive that lists all variants in a table, from their records."""

from __future__ import annotations

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import kingme
from kingme.rules.terms import Choice, Direction, Goal

CHOICES = {
    (): "free",
    (Choice.MOST_PIECES,): "most pieces",
    (Choice.MOST_PIECES, Choice.MOST_KINGS): "most pieces, then most kings",
    (Choice.WITH_KING,): "with a king first",
    (Choice.MOST_VALUE, Choice.WITH_KING): "most value, then with a king",
}
GOALS = {
    Goal.TAKE_OR_BLOCK: "take or block all",
    Goal.LOSE_ALL: "lose all",
    Goal.CROWN_FIRST: "crown first",
}
HEAD = ("name", "board", "begins", "men jump back", "kings fly", "which jump", "goal")


def row(variant: kingme.Variant) -> tuple[str, ...]:
    """What the table says of a variant."""
    back = any(way in variant.man_jumps for way in (Direction.BACKWARD_DIAGONAL,))
    return (
        f"``{variant.name}``",
        f"{variant.columns}x{variant.rows}",
        variant.first.title,
        "yes" if back else "no",
        "yes" if variant.flying_kings else "no",
        CHOICES.get(variant.choice, "as its rules say"),
        GOALS[variant.goal],
    )


class VariantsDirective(SphinxDirective):
    """`variants`: the table."""

    def run(self) -> list[nodes.Node]:
        """Make the rows."""
        lines = [".. list-table::", "   :header-rows: 1", "   :class: variants", ""]
        for cells in (HEAD, *map(row, kingme.VARIANTS.values())):
            lines += [f"   {'* -' if at == 0 else '  -'} {cell}" for at, cell in enumerate(cells)]
        holder = nodes.Element()
        text = ["```{eval-rst}", *lines, "```"]
        self.state.nested_parse(StringList(text, source="variants"), 0, holder)
        return holder.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("variants", VariantsDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
