"""The themes on paper: those of the page without shine and shadow, and one that saves ink."""

from __future__ import annotations

from dataclasses import replace

from kingme.rules.theme import Theme, theme_of

__all__ = ["MONO", "look"]

MONO = Theme(
    "mono",
    pale="#ffffff", square="#cdcdcd", frame="#ffffff", label="#000000",
    dark_face="#2a2a2a", dark_edge="#000000", dark_line="#ffffff", dark_crown="#ffffff",
    dark_rim="#000000", light_face="#ffffff", light_edge="#ffffff",
    light_line="#000000", light_crown="#000000", light_rim="#000000",
    mark="#000000", tint="#ffffff", halo="#000000",
    depth=0, gloss=0, ridge=0.28,
)  # fmt: skip
"""Black, white and one light grey."""


def look(theme: str, *, mono: bool = False) -> Theme:
    """Return a theme as it is printed; ``ValueError`` where there is none of that name."""
    chosen = theme_of(theme)
    return MONO if mono else replace(chosen, depth=0, gloss=0)
