"""The endgames of the page are those of the server: the same database, and the same answers."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from kingme import Position
from kingme.engine.endgames import Tables
from kingme.engine.endgames.slices import HEAD, layout
from kingme.engine.endgames.verify import position_at

SAMPLES = Path(__file__).parents[1] / "data" / "endgame_samples.tsv"
EACH = 60
"""Positions of each slice, for either side to move."""

PROBE = """async fens => {
  const E = await import('/static/endgames.js'), R = await import('/static/rules.js');
  return Promise.all(fens.map(async fen => {
    const position = R.fromFen(fen);
    const [exact, best] = [await E.probe(position), await E.best(position)];
    return exact && [exact.value, exact.plies, best.map(move => move.text)];
  }));
}"""

#: The database built in the page itself, as SHA-256 of all behind its head.
BUILD = """async head => {
  const { Tables } = await import('/static/engine/tables.js');
  const code = await (await fetch('/static/engine/endgames.wasm')).arrayBuffer();
  const tables = await Tables.make(await WebAssembly.compile(code));
  const steps = [...tables.solve()].length;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', tables.block.slice(head)));
  return [steps, [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')];
}"""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables.have()


def seen(tables: Tables, position: Position) -> list[object]:
    best = [str(move) for move in tables.best_moves(position)]
    return [tables.value(position).value, tables.distance(position), best]


def chosen() -> list[Position]:
    """Positions of every slice by lot, for both sides, and those that others have solved."""
    chance = random.Random(4)
    found = []
    for material in layout(4).places:
        for _ in range(EACH):
            position = position_at(material, chance.randrange(material.positions))
            found += [position, position.mirrored()]
    for line in SAMPLES.read_text().splitlines()[2:]:
        position = Position.from_fen(line.split("\t")[0])
        if (position.black | position.white).bit_count() <= 4:
            found.append(position)
    return found


def test_the_page_answers_as_the_database_does(page, shared_base, tables):
    """By its worker, under the policy of the real pages."""
    page.goto(f"{shared_base}/healthz")
    positions = chosen()
    assert len(positions) > 5000
    told = page.evaluate(PROBE, [position.fen for position in positions])
    assert told == [seen(tables, position) for position in positions]
    other = ["W:WK1,K2,K3:BK10,K11", "B:W29:B", "B:W3:BK30", "B:WK3:B30"]
    assert page.evaluate(PROBE, other) == [None] * len(other)


def test_the_whole_database_is_the_same(browser, shared_base, tables):
    """Byte for byte; here the policy is lifted, under which only a worker may compile."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(f"{shared_base}/healthz")
    steps, digest = page.evaluate(BUILD, HEAD)
    context.close()
    assert digest == hashlib.sha256(tables.block[HEAD:]).hexdigest()
    assert steps == len({frozenset((m, m.exchanged)) for m in layout(4).places})


def test_without_webassembly_nothing_is_known(page, shared_base):
    """The page goes on without what it cannot have."""
    page.route("**/endgames.wasm", lambda route: route.fulfill(body="damaged"))
    page.goto(f"{shared_base}/healthz")
    assert page.evaluate(PROBE, ["B:WK23:BK32", "B:WK23:BK32"]) == [None, None]
