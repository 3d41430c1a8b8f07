"""The rules of each variant in plain words, one text beside this file for each.

A text has sections under a line that begins with ``#``, and paragraphs between empty lines.
It says what is disputed, and which way the records of
:mod:`kingme.rules.variant` have decided.
"""

from __future__ import annotations

from typing import NamedTuple

from kingme.errors import VariantError
from kingme.rules.record import Variant

__all__ = ["Section", "rules_text", "sections"]


class Section(NamedTuple):
    """A part of a rules text: its heading and its paragraphs, each one line."""

    heading: str
    paragraphs: tuple[str, ...]


def rules_text(variant: Variant) -> str:
    """Return the rules of a variant in plain words.

    Raises ``VariantError`` for a record of one's own, which has no text.

    >>> from kingme.rules.variant import VARIANTS
    >>> print(rules_text(VARIANTS["turkish"]).splitlines()[2])
    The board has 8 × 8 squares, and play is on all 64 of them. Each side has 16 men on the second
    """
    import pkgutil  # it costs time at import that few need

    try:
        data = pkgutil.get_data(__name__, f"{variant.name}.txt")
    except (OSError, ValueError):
        data = None
    if data is None:
        raise VariantError(f"there is no rules text of {variant.title}")
    return data.decode().replace("\r\n", "\n")


def sections(variant: Variant) -> tuple[Section, ...]:
    """Return the rules of a variant section by section.

    >>> from kingme.rules.variant import VARIANTS
    >>> [section.heading for section in sections(VARIANTS["breakthrough"])][:3]
    ['Board and men', 'Aim', 'Moves']
    """
    found: list[tuple[str, list[str]]] = []
    for block in rules_text(variant).split("\n\n"):
        if block.startswith("#"):
            found.append((block.removeprefix("#").strip(), []))
        else:
            found[-1][1].append(" ".join(block.split()))
    return tuple(Section(heading, tuple(paragraphs)) for heading, paragraphs in found)
