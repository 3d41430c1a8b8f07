"""Endings that have names: what the database says of them, and what a short search never denies."""

from __future__ import annotations

import endings
from kingme.engine.api import Limits
from kingme.engine.endgames import Tables
from kingme.engine.local import LocalEngine

NODES = 60_000
ENDINGS = list(endings.endings(endings.FILE))
PROVED = 8
"""How many of those with more pieces so short a search proves at the least."""


def test_the_database_agrees_with_all_that_it_reaches():
    tables = Tables.have()
    few = [one for one in ENDINGS if len(one.position.pieces) <= tables.pieces]
    assert len(few) == 41 and len(ENDINGS) == 102
    assert {one.name: endings.looked_up(one, tables) for one in few} == {
        one.name: "agrees" for one in few
    }


def test_every_line_ends_as_its_value_says():
    tables = Tables.have()
    assert [one.name for one in ENDINGS if not endings.ends_well(one, tables)] == []


def test_no_search_proves_anything_else():
    """An end that is found is no nearer than the database of the source says it can be."""
    engine = LocalEngine(16, endgames=Tables.have())
    proved = 0
    for one in ENDINGS:
        if len(one.position.pieces) <= 4:
            continue
        value, info = endings.searched(one, engine, Limits(nodes=NODES))
        if info.result is None:
            continue
        proved += 1
        assert value in one.values, one.name
        plies = info.score.plies_to_end
        assert plies is None or one.plies is None or plies >= one.plies, one.name
    assert proved >= PROVED
