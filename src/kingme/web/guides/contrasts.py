"""The boards of the pages on variants: the same positions under other rules."""

from __future__ import annotations

from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Variant
from kingme.web.guides.diagram import Diagram

__all__ = ["CONTRASTS", "boards_of", "thumbnails"]

_ALL = (
    Diagram(
        "backward",
        "W:W15,31:B5,19",
        "Russian draughts: the man on e5 captures backward, over f4 to g3. In American checkers it "
        "could not.",
        "15x24",
        variant=VARIANTS["russian"],
        foreign=True,
    ),
    Diagram(
        "flying",
        "W:WK29:B5,18,26",
        "Russian draughts: the king captures from afar, over d4, and may come down on any empty "
        "square behind it: e5, f6, g7 or h8.",
        "29x8",
        variant=VARIANTS["russian"],
        foreign=True,
    ),
    Diagram(
        "most",
        "W:W27,31:B4,15,23,24",
        "Brazilian draughts: two pieces must be taken, over e3 and e5. The jump over g3 that "
        "takes one alone is not legal, as it would be in American checkers.",
        "27x18x11",
        variant=VARIANTS["brazilian"],
        foreign=True,
    ),
    Diagram(
        "becoming",
        "W:W11,31:B7,9",
        "Russian draughts: the man reaches the far row on d8, becomes a king at once, and goes on "
        "over b6 to a5 in the same turn. Elsewhere its turn would be over.",
        "11x2x13",
        variant=VARIANTS["russian"],
        foreign=True,
    ),
)

#: Every one of them, by name.
CONTRASTS: dict[str, Diagram] = {diagram.name: diagram for diagram in _ALL}


def boards_of(variant: Variant) -> dict[str, Diagram]:
    """The boards of the page with a variant's rules: its start, and what is shown of it above."""
    start = Diagram(
        "start",
        Position.start(variant).fen,
        "The position at the start. Try the moves of both sides.",
        variant=variant,
    )
    shown = [
        Diagram(one.name, one.fen, one.caption, one.line, variant=variant)
        for one in _ALL
        if one.variant == variant
    ]
    return {diagram.name: diagram for diagram in (start, *shown)}


def thumbnails() -> dict[str, Diagram]:
    """The position at the start of each variant, to look at."""
    return {
        name: Diagram(f"start-{name}", Position.start(variant).fen, "", variant=variant)
        for name, variant in VARIANTS.items()
    }
