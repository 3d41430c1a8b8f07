"""Perft of every variant against counts that other programs have published or confirmed."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from kingme import VARIANTS, Position, Side, perft
from kingme.rules.variant import Crowning, Direction, Removal, Variant

DATA = Path(__file__).parents[1] / "data"
#: leaves that may be counted for one row of a table, to keep the suite quick
AFFORDABLE = 30_000

ENGLISH, RUSSIAN, THAI = (VARIANTS[name] for name in ("english", "russian", "thai"))
INTERNATIONAL, TURKISH = VARIANTS["international"], VARIANTS["turkish"]
WIDE: dict[str, Any] = {"rows": 8, "columns": 10, "men": 15}
ORTHOGONAL = frozenset({Direction.FORWARD, Direction.SIDEWAYS})
#: Variants that are not shipped, as records alone: the generator must play them all the same.
OTHERS: dict[str, Variant] = {
    "english 6x6": dataclasses.replace(ENGLISH, name="e6", rows=6, columns=6, men=6),
    "international 6x6": dataclasses.replace(INTERNATIONAL, name="i6", rows=6, columns=6, men=6),
    "thai RULES": dataclasses.replace(THAI, name="thai 12", men=12),
    "thai real": THAI,
    "armenian": dataclasses.replace(
        TURKISH,
        name="armenian",
        man_moves=ORTHOGONAL | {Direction.FORWARD_DIAGONAL},
        king_moves=frozenset(Direction),
        crowning=Crowning.BECOME,
        removal=Removal.END,
    ),
    "spantsireti 10 files": dataclasses.replace(INTERNATIONAL, name="s i", **WIDE),
    "spantsireti 10x8": dataclasses.replace(RUSSIAN, name="s r", **WIDE),
}
#: A king of killer draughts must stop behind its last capture at times: no field says so.
NOT_PLAYED = ("killer",)


def lines(name):
    for line in (DATA / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def records(text):
    """The records that a row of the table is about."""
    for start, record in OTHERS.items():
        if text.startswith(start):
            return [record]
    return [VARIANTS[name] for name in re.split(r"[/ ]", text) if name in VARIANTS]


def starts():
    for text, _, _, counts in lines("perft_variants.tsv"):
        if text.startswith(NOT_PLAYED):
            continue
        found = records(text)
        assert found, text
        for record in found:
            yield pytest.param(record, counts.split(), "unique" in text, id=f"{text} {record.name}")


@pytest.mark.parametrize(("record", "counts", "unique"), list(starts()))
def test_counts_from_the_start_equal_the_published_ones(record, counts, unique):
    position = Position.start(record)
    compared = 0
    for depth, count in enumerate(counts, 1):
        if count != "-" and int(count) <= AFFORDABLE:
            assert perft(position, depth, unique=unique) == int(count), depth
            compared += 1
    # The only count known of Russian rules on 10 x 8 is of depth 7: the moves are counted here.
    assert compared >= 3 or len(position.legal_moves) == 9


def placed():
    for variant, fen, counts, source in lines("perft_variant_positions.tsv"):
        if variant != "variant" and not variant.startswith(NOT_PLAYED):
            yield pytest.param(VARIANTS[variant], fen, counts.split(), source, id=source)


@pytest.mark.parametrize(("variant", "fen", "counts", "source"), list(placed()))
def test_counts_of_positions_equal_the_published_ones(variant, fen, counts, source):
    if "all kings" in fen:
        fen = "W:WK31-K50:BK1-K20"
    position = Position.from_fen(fen, variant)
    depths = [depth for depth, count in enumerate(counts, 1) if int(count) <= AFFORDABLE / 3]
    assert len(depths) >= 4
    unique = "unique" in source
    found = [perft(position, depth, unique=unique) for depth in depths]
    assert found == [int(counts[depth - 1]) for depth in depths]


def test_routes_with_one_result_are_told_apart_or_not():
    # Two orders of the same two captures: "keep dup" counts both (Frisian, depth 4: 3880, 3874).
    loop = Position.from_fen("B:WK1,7,K8,K15,K16,21,28,29:BK3,11")
    assert perft(loop, 0) == perft(loop, 0, unique=True) == 1
    assert perft(loop, 1) - perft(loop, 1, unique=True) == 1
    assert perft(Position.start(), 5, unique=True) == 7361


def test_every_variant_counts_the_same_from_either_side():
    for variant in VARIANTS.values():
        position = Position.start(variant)
        turned = position.mirrored()
        assert turned.turn is not position.turn
        assert perft(turned, 3) == perft(position, 3), variant.name
        assert Position.from_fen(position.fen, variant) == position
    assert {variant.first for variant in VARIANTS.values()} == set(Side)
