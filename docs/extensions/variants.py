"""A directive that lists all variants in a table, from their records."""

from __future__ import annotations

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import kingme
from kingme.rules.terms import Direction, Goal

GOALS = {
    Goal.TAKE_OR_BLOCK: "take or block all",
    Goal.LOSE_ALL: "lose all",
    Goal.CROWN_FIRST: "crown first",
}
HEAD = ("name", "board", "begins", "men jump back", "kings fly", "which jump", "goal")


def row(variant: kingme.Variant) -> tuple[str, ...]:
    """What the table says of a variant."""
    back = Direction.BACKWARD_DIAGONAL in variant.man_jumps
    return (
        f"``{variant.name}``",
        f"{variant.columns}x{variant.rows}",
        variant.first.title,
        "yes" if back else "no",
        "yes" if variant.flying_kings else "no",
        ", then ".join(choice.value for choice in variant.choice) or "free",
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
