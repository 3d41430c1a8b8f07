"""Numbers of positions: one for each, without gaps, in every slice of up to 4 pieces."""

from __future__ import annotations

import os
import subprocess
import sys
from math import comb
from pathlib import Path

import numpy as np
import pytest

from kingme import Position
from kingme.engine.endgames.slices import Forces, layout, materials, pairs
from kingme.engine.kernels import bits, index
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.jit import kernel
from kingme.rules.squares import EIGHT

DATA = Path(__file__).parents[1] / "data"
SLICES = [material for pieces in (2, 3, 4) for material in materials(pieces)]
COUNTS = [
    line.split("\t")
    for line in (DATA / "endgame_counts.tsv").read_text().splitlines()
    if not line.startswith("#")
]


@kernel("int64(int64, int64, int64, int64, int64)")
def unfaithful(count: int, a: int, b: int, c: int, d: int) -> int:
    """The first number that is not the number of its position, or not after the last one's."""
    own, opp, kings = index.position_of(0, a, b, c, d)
    for number in range(count):
        if number:
            own, opp, kings = index.next_position(own, opp, kings)
        one, two, three = index.position_of(number, a, b, c, d)
        if one != own or two != opp or three != kings or index.index_of(own, opp, kings) != number:
            return number
    return -1


@kernel("int64(int64, int64, int64, int64, int64)")
def misplaced(count: int, a: int, b: int, c: int, d: int) -> int:
    """The first number whose position lacks a piece, or has a man where there can be none."""
    for number in range(count):
        own, opp, kings = index.position_of(number, a, b, c, d)
        men = own & ~kings
        others = opp & ~kings
        if (
            own & opp
            or (own | opp) & ~bits.BOARD
            or men & bits.BOTTOM
            or others & bits.TOP
            or bits.popcount(men) != a
            or bits.popcount(own & kings) != b
            or bits.popcount(others) != c
            or bits.popcount(opp & kings) != d
            or kings & ~(own | opp)
        ):
            return number
    return -1


@kernel("uint64(uint64)")
def round_again(squares: bits.Word) -> bits.Word:
    """Turn the board."""
    return bits.turned(squares)


@pytest.mark.parametrize("material", SLICES, ids=str)
def test_every_number_of_a_slice_is_one_position(material):
    assert unfaithful(material.positions, *material.counts) == -1
    assert misplaced(material.positions, *material.counts) == -1


@pytest.mark.parametrize("row", COUNTS, ids=lambda row: row[0])
def test_as_many_positions_as_published(row):
    pieces = int(row[0])
    both = sum(material.positions for material in materials(pieces))
    assert both == int(row[2])
    bare = sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))
    assert both + 2 * bare == int(row[1])


def test_the_first_and_the_last_number_of_large_slices():
    for pieces in (5, 6, 7):
        for material in materials(pieces):
            for number in (0, 1, material.positions // 2, material.positions - 1):
                found = index.position_of(number, *material.counts)
                assert index.index_of(*found) == number, material


def test_a_board_turned_round():
    for square in range(1, 33):
        assert round_again(np.uint64(EIGHT.masks[square])) == EIGHT.masks[33 - square]
    black, white, _, _ = scalars(Position.start())
    assert round_again(black) == white


def test_sets_in_order():
    field = np.uint64(0b1011_0110)
    part = index.lowest_of(field, 2)
    found = [part]
    while part := index.following(part, field):
        found.append(part)
    assert len(found) == comb(5, 2)
    assert sorted(found) == found
    assert [index.rank(part, field) for part in found] == list(range(10))
    assert [index.unrank(number, 2, field) for number in range(10)] == found
    assert index.following(np.uint64(0), field) == 0


def test_a_slice_is_built_after_all_that_it_leads_to():
    order = pairs(5)
    place = {material: number for number, pair in enumerate(order) for material in pair}
    assert len(place) == sum(1 for pieces in (2, 3, 4, 5) for _ in materials(pieces))
    for material, number in place.items():
        men, kings, others, rulers = material.counts
        after = [
            Forces(men - 1, kings + 1, others, rulers),
            Forces(men, kings, others - 1, rulers),
            Forces(men, kings, others, rulers - 1),
        ]
        for later in after:
            if min(later.counts) >= 0 and later in place:
                assert place[later] < number


def test_slices_lie_apart_and_fit_in_a_small_block():
    plan = layout(4)
    ends = 0
    for material, start in sorted(plan.places.items(), key=lambda item: item[1]):
        assert start >= ends and start % 64 == 0
        ends = start + material.positions
    assert ends <= plan.size < 10_000_000
    assert plan.working < 2_000_000


def test_the_numbers_are_the_same_in_plain_python():
    code = (
        "from kingme.engine.kernels import index, jit\n"
        "from kingme.engine.endgames.slices import materials\n"
        "assert not jit.COMPILED\n"
        "for material in materials(2):\n"
        "    position = index.position_of(0, *material.counts)\n"
        "    for number in range(material.positions):\n"
        "        assert index.index_of(*position) == number\n"
        "        assert index.position_of(number, *material.counts) == position\n"
        "        position = index.next_position(*position)\n"
        "for material in (*materials(3), *materials(4)):\n"
        "    for number in range(0, material.positions, material.positions // 40):\n"
        "        position = index.position_of(number, *material.counts)\n"
        "        assert index.index_of(*position) == number\n"
        "        print(*material.counts, number, *position)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(lines) > 1500
    for *counts, number, own, opp, kings in lines:
        assert tuple(map(int, index.position_of(number, *counts))) == (own, opp, kings)
