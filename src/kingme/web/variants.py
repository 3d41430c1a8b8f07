"""What the play page needs to know of a variant: its record, its board, and the list of all."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kingme.rules.notation import spell
from kingme.rules.outcome import PRESETS, DrawPreset, preset_of
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS, Side, Variant
from kingme.web.wire import RulesRecord, VariantRecord

__all__ = [
    "Entry",
    "Shape",
    "WrittenRules",
    "entries",
    "presets",
    "shape",
    "short_title",
    "variant_record",
]


@dataclass(frozen=True, slots=True)
class Shape:
    """A board to draw, as the side that moves first sees it, a square being 10 units wide.

    ``rows`` hold the number and the corner of each square of play, from the top left, and the
    name that players of the variant give it.
    """

    size: int
    rows: tuple[tuple[tuple[int, int, int, str], ...], ...]
    all_squares: bool


def shape(variant: Variant = ENGLISH) -> Shape:
    """The board of a variant."""
    geometry, size = variant.geometry, variant.rows
    rows: list[list[tuple[int, int, int, str]]] = [[] for _ in range(size)]
    for square in range(1, geometry.squares + 1):
        name = geometry.letters(square)
        column, row = ord(name[0]) - ord("a"), size - int(name[1:])
        if variant.first is Side.BLACK:
            column, row = size - 1 - column, size - 1 - row
        label = name if variant.letters_first else str(square)
        rows[row].append((square, 10 * column, 10 * row, label))
    ordered = tuple(tuple(sorted(cells, key=lambda cell: cell[1])) for cells in rows)
    return Shape(10 * size, ordered, variant.all_squares)


def presets(variant: Variant = ENGLISH) -> list[DrawPreset]:
    """The draw rules that can be chosen for a variant, its own first."""
    if variant == ENGLISH:
        return list(PRESETS.values())
    return [preset_of(name) for name in variant.draws]


class WrittenRules(RulesRecord, frozen=True):
    """The rules of a variant, and how its players write moves.

    `example` is a first move in their own way, and with the other names of the squares.
    """

    letters_first: bool
    jump_mark: str
    example: str


def variant_record(variant: Variant = ENGLISH) -> VariantRecord:
    """What the page is told of a variant; the scripts of American checkers know its rules."""
    start = Position.start(variant)
    rules = None
    if variant != ENGLISH:
        move = start.legal_moves[0]
        own, numbers, letters = spell(move, variant), str(move), move.letters(variant.geometry)
        rules = WrittenRules(
            **msgspec.structs.asdict(RulesRecord.of(variant)),
            letters_first=variant.letters_first,
            jump_mark=variant.jump_mark,
            example=f"{own} or {numbers if own == letters else letters}",
        )
    return VariantRecord(variant.name, variant.title, start.fen, rules)


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
