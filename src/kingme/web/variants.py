"""What the play page needs to know of a variant: its record, its board, and the list of all."""

from __future__ import annotations

from dataclasses import dataclass

from kingme.rules.outcome import PRESETS, DrawPreset, preset_of
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS, Side, Variant
from kingme.web.wire import RulesRecord, VariantRecord

__all__ = ["Entry", "Shape", "entries", "presets", "shape", "short_title", "variant_record"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A board to draw, as the side that moves first sees it, a square being 10 units wide.

    ``rows`` hold the number and the corner of each square of play, from the top left.
    """

    size: int
    rows: tuple[tuple[tuple[int, int, int], ...], ...]
    all_squares: bool


def shape(variant: Variant = ENGLISH) -> Shape:
    """The board of a variant."""
    geometry, size = variant.geometry, variant.rows
    rows: list[list[tuple[int, int, int]]] = [[] for _ in range(size)]
    for square in range(1, geometry.squares + 1):
        name = geometry.letters(square)
        column, row = ord(name[0]) - ord("a"), size - int(name[1:])
        if variant.first is Side.BLACK:
            column, row = size - 1 - column, size - 1 - row
        rows[row].append((square, 10 * column, 10 * row))
    ordered = tuple(tuple(sorted(cells, key=lambda cell: cell[1])) for cells in rows)
    return Shape(10 * size, ordered, variant.all_squares)


def presets(variant: Variant = ENGLISH) -> list[DrawPreset]:
    """The draw rules that can be chosen for a variant, its own first."""
    if variant == ENGLISH:
        return list(PRESETS.values())
    return [preset_of(name) for name in variant.draws]


def variant_record(variant: Variant = ENGLISH) -> VariantRecord:
    """What the page is told of a variant; the scripts of American checkers know its rules."""
    rules = None if variant == ENGLISH else RulesRecord.of(variant)
    return VariantRecord(variant.name, variant.title, Position.start(variant).fen, rules)


@dataclass(frozen=True, slots=True)
class Entry:
    """A variant in the list of games: where it is played, and its board where that is larger."""

    name: str
    address: str
    title: str
    board: str


def entries() -> list[Entry]:
    """All variants, American checkers first."""
    return [
        Entry(
            name=variant.name,
            address="/" if variant == ENGLISH else f"/variants/{variant.name}",
            title=short_title(variant).removesuffix(" draughts"),
            board="" if variant.rows == ENGLISH.rows else f"{variant.columns} × {variant.rows}",
        )
        for variant in VARIANTS.values()
    ]


def short_title(variant: Variant) -> str:
    """A title without what stands in brackets."""
    return variant.title.partition(" (")[0]
