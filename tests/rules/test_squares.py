"""Square numbers, letters and the padded layout."""

import pytest

from kingme.rules.squares import EIGHT, Geometry, bits

# PDN 3.0: the numbers of the English board in letters, row by row from Black's side.
ROWS = """
    b8 d8 f8 h8
    a7 c7 e7 g7
    b6 d6 f6 h6
    a5 c5 e5 g5
    b4 d4 f4 h4
    a3 c3 e3 g3
    b2 d2 f2 h2
    a1 c1 e1 g1
"""
NAMES = ROWS.split()


@pytest.mark.parametrize(("number", "name"), list(enumerate(NAMES, 1)))
def test_every_square_has_its_number_and_letters(number, name):
    assert EIGHT.letters(number) == name
    assert EIGHT.number(name) == number
    assert EIGHT.number(f" {name.upper()} ") == number


@pytest.mark.parametrize("name", ["a8", "b1", "i1", "a9", "", "c", "33"])
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match="not a playable square"):
        EIGHT.number(name)


@pytest.mark.parametrize("number", [0, -1, 33])
def test_other_numbers_are_refused(number):
    with pytest.raises(ValueError, match="run from 1 to 32"):
        EIGHT.letters(number)


def neighbours(geometry, square):
    """The diagonal neighbours by letters alone, the slow and sure way."""
    name = geometry.letters(square)
    file, rank = ord(name[0]), int(name[1:])
    found = set()
    for df in (-1, 1):
        for dr in (-1, 1):
            try:
                found.add(geometry.number(f"{chr(file + df)}{rank + dr}"))
            except ValueError:
                continue
    return found


@pytest.mark.parametrize(
    "geometry",
    [
        EIGHT,
        Geometry(8, 8, mirrored=True, leftward=True),
        Geometry(8, 8, from_white=True, leftward=True),
        Geometry(10, 10),
        Geometry(12, 12),
        Geometry(8, 10),
    ],
)
def test_a_step_is_one_shift_and_never_crosses_an_edge(geometry):
    for square in range(1, geometry.squares + 1):
        mask = geometry.masks[square]
        near, far = geometry.shifts
        steps = (mask << near, mask << far, mask >> near, mask >> far)
        reached = {geometry.numbers[step] for step in steps if step & geometry.board}
        assert reached == neighbours(geometry, square)


def test_masks_and_bits_agree():
    assert [EIGHT.numbers[bit] for bit in bits(EIGHT.board)] == list(range(1, 33))
    assert EIGHT.row(0) | EIGHT.row(7) == sum(EIGHT.masks[n] for n in (1, 2, 3, 4, 29, 30, 31, 32))


@pytest.mark.parametrize("size", [(7, 8), (8, 7), (2, 8), (8, 2), (8, 28)])
def test_boards_without_such_a_layout_are_refused(size):
    with pytest.raises(ValueError, match="no such layout"):
        Geometry(*size)
