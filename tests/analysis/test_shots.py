"""Shots in lines, against the names that collections of shots give them."""

from __future__ import annotations

import pytest

from kingme.analysis import shot_in
from kingme.rules.position import Position


def played(fen, texts):
    position = Position.from_fen(fen, strict=False)
    line = []
    for text in texts.split():
        line.append(position.parse(text))
        position = position.play(line[-1])
    return Position.from_fen(fen, strict=False), line


@pytest.mark.parametrize(
    ("fen", "line", "name"),
    [
        ("W:W23,24,28:B14,15,16", "24-19 15x24 28x12", "two for one"),
        ("W:W18,26,30:B10,11,19", "18-14 10x17 26-22 17x26 30x7", "three for two"),
        # A man that is taken for nothing, and one given for one taken, are no shots.
        ("W:W18:B14,15,23", "18x9", None),
        ("W:W22,26,31:B15,2", "22-18 15x22 26x17", None),
        # Whoever need not jump is not forced: what comes later is no part of the shot.
        ("W:W19,27,31:B5,12,17", "19-16 12x19 27-23 19x26 31x13 5-9 13x6", None),
    ],
)
def test_names(fen, line, name):
    found = shot_in(*played(fen, line))
    assert (found and str(found)) == name


def test_the_line_ends_where_it_brings_most():
    fen = "W:W18,26,30:B4,10,11,19"
    position, line = played(fen, "18-14 10x17 26-22 17x26 30x7 4-8 7-3")
    found = shot_in(position, line)
    assert found is not None
    assert [str(move) for move in found.line] == ["18-14", "10x17", "26-22", "17x26", "30x23x16x7"]
    assert (found.given, found.taken) == (2, 3)


def test_no_line_no_shot():
    assert shot_in(Position.start(), []) is None
