"""The endgames of the page are those of the server: the same database, and the same answers."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import random
import re
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Route

from kingme import Position
from kingme.engine.endgames import Tables, files
from kingme.engine.endgames.opened import Pack
from kingme.engine.endgames.pack import Kind
from kingme.engine.endgames.roots import Root
from kingme.engine.endgames.shelf import opened
from kingme.engine.endgames.slices import HEAD, layout
from kingme.engine.endgames.verify import position_at
from kingme.rules.history import History
from kingme.rules.outcome import STANDARD
from kingme.web.app import create_app
from kingme.web.endgames import Offers
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import FirstMove, serving

SAMPLES = Path(__file__).parents[1] / "data" / "endgame_samples.tsv"
SOON = dataclasses.replace(STANDARD, progress_plies=16)
"""A draw rule that comes before the end of many a win."""

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


#: What the block of 3 pieces and the packed files of 4 say, with the moves that a level would play.
KNOWN = """async ([fens, left]) => {
  const R = await import('/static/rules.js');
  const { Known } = await import('/static/engine/known.js');
  const { Tables } = await import('/static/engine/tables.js');
  const code = await (await fetch('/static/engine/endgames.wasm')).arrayBuffer();
  const tables = await Tables.make(await WebAssembly.compile(code), 3);
  for (const _ of tables.solve());
  const known = new Known(tables);
  const found = [];
  for (const fen of fens) {
    const position = R.fromFen(fen);
    try {
      const [{ value, plies }, best] = [await known.exact(position), await known.best(position)];
      const move = await known.root(position, left);
      found.push([value, plies, best.map(({ text }) => text), move && [move.text, move.score]]);
    } catch ({ message }) {
      found.push(message);
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables.have()


@pytest.fixture(scope="module")
def packed(tables, tmp_path_factory) -> Iterator[str]:
    """A server with packed files of 4 pieces, as others have them of 5: it takes 3 to be few."""
    folder = tmp_path_factory.mktemp("packs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "folder", lambda: folder)
        patch.setattr(files, "PIECES", 3)
        tables.pack(4)
        with serving(create_app(Settings(endgames=4), Ports(FirstMove()))) as base:
            yield base


def seen(tables: Tables, position: Position) -> list[object]:
    best = [str(move) for move in tables.best_moves(position)]
    return [tables.value(position).value, tables.distance(position), best]


#: What a part of a file fails of, and how often it was asked for when it was wanted twice.
FAILING = """async () => {
  const answers = [
    () => Promise.reject(Error('no line')),
    () => Promise.resolve(new Response('', { status: 503 })),
    () => Promise.resolve({ ok: true, arrayBuffer: () => Promise.reject(Error('broken off')) }),
  ];
  const told = [];
  for (const [i, answer] of answers.entries()) {
    const { Pages } = await import('/static/engine/pages.js?' + i);
    let asked = 0;
    self.fetch = (_, { signal }) => (asked += signal instanceof AbortSignal, answer());
    const file = new Pages({ address: '/', size: 1, page: 1, sums: 'AAAAAA==' });
    const first = await file.read(0, 1).catch(error => error.message);
    const then = await file.read(0, 1).catch(error => error.message);
    told.push([first, then, asked]);
  }
  return told;
}"""


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


def to_play(tables: Tables, position: Position) -> list[object] | None:
    """The move and the score that a level gives, unless a draw rule may save the loser."""
    root = Root.of(History.start(position), tables, SOON)
    assert root is not None
    move, score = root.ranked()[0]
    return [str(move), score] if root.settled or root.won else None


def test_packed_files_are_read_as_they_are_written(browser, packed, tables):
    """Of every slice some positions, over the network: values, distances, best moves, the root."""
    positions = [p for p in chosen() if len(p.pieces) == 4 and p.legal_moves][::4]
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(f"{packed}/healthz")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.headers.get("range", "")))
    told = page.evaluate(KNOWN, [[p.fen for p in positions], SOON.progress_plies])
    context.close()
    assert told == [[*seen(tables, p), to_play(tables, p)] for p in positions]
    assert len(positions) > 500
    ranges = [one for one in asked if one]
    assert 20 < len(ranges) < len(positions) // 2, "what was asked once is there"
    assert all(re.fullmatch(r"bytes=\d+-\d+", one) for one in ranges)


def test_a_damaged_page_of_a_file_is_noticed_and_then_nothing_is_asked(browser, packed):
    """It is asked for again past what the browser keeps, and then left alone."""

    def spoil(route: Route) -> None:
        answer = route.fetch()
        body = answer.body()
        route.fulfill(response=answer, body=bytes([body[0] ^ 1]) + body[1:])

    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(f"{packed}/healthz")
    page.route("**/endgames/*/*", spoil)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition(".")[2]))
    fens = ["B:WK23,K24:BK31,K32", "W:WK23,K24:BK31,K32"]
    told = page.evaluate(KNOWN, [fens, None])
    assert told == ["there are no packed files"] * 2
    assert asked.count("values") == asked.count("distances") == 2
    context.close()


def test_after_a_failure_the_network_is_left_alone(page, shared_base):
    """Be it that there is no answer, or none to use, or that it breaks off."""
    page.goto(f"{shared_base}/healthz")
    after = ["there is no network", 1]
    told = page.evaluate(FAILING)
    assert told == [[why, *after] for why in ("no line", "the server has trouble", "broken off")]


def test_the_server_offers_what_is_sound_and_nothing_else(packed, tmp_path, monkeypatch):
    with httpx.Client(base_url=packed) as client:
        answer = client.get("/api/endgames")
        packs = answer.json()["packs"]
        assert [(pack["pieces"], pack["kind"]) for pack in packs] == [
            (4, kind.word) for kind in Kind
        ]
        for pack in packs:
            whole = client.get(pack["address"], headers={"accept-encoding": "identity"})
            assert (whole.status_code, len(whole.content)) == (200, pack["size"])
            assert "immutable" in whole.headers["cache-control"] and whole.headers["etag"]
            sums = np.frombuffer(base64.b64decode(pack["sums"]), "<u4")
            size = pack["page"]
            pages = [whole.content[at : at + size] for at in range(0, pack["size"], size)]
            assert [zlib.crc32(page) for page in pages] == sums.tolist()
            last = f"bytes={size * (len(pages) - 1)}-{pack['size'] - 1}"
            part = client.get(pack["address"], headers={"range": last, "accept-encoding": "gzip"})
            assert (part.status_code, part.content) == (206, pages[-1])
            beyond = {"range": f"bytes={pack['size']}-"}
            assert client.get(pack["address"], headers=beyond).status_code == 416
        digest = packs[0]["address"].split("/")[2]
        for name in ("english-4.v1.bin", "english-5.v1.values", "..%2fenglish-4.v1.values", ""):
            assert client.get(f"/endgames/{digest}/{name}").status_code == 404
        assert client.get(packs[0]["address"].replace(digest, "0" * 32)).status_code == 404
    assert Offers(3).all() == [] and len(Offers(6).all()) == 2
    folder = files.folder()
    assert folder is not None
    sound = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in folder.iterdir():
        content = bytearray(sound[path.name])
        content[-1] ^= "values" in path.name
        (tmp_path / path.name).write_bytes(content)
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    opens: list[Kind] = []

    def counted(pieces: int, kind: Kind) -> Pack:
        opens.append(kind)
        return opened(pieces, kind)

    monkeypatch.setattr("kingme.web.endgames.opened", counted)
    offers = Offers(4)
    with ThreadPoolExecutor(4) as crew:
        told = list(crew.map(lambda _: offers.all(), range(8)))
    for found in told:
        assert [offer.shown.kind for offer in found] == ["distances"], "a damaged one is not"
    assert sorted(opens) == sorted(Kind), "a file is read once, be it sound or not"
    (tmp_path / "english-4.v1.values").write_bytes(sound["english-4.v1.values"])
    assert [offer.shown.kind for offer in offers.all()] == ["values", "distances"]


def test_without_webassembly_nothing_is_known(page, shared_base):
    """The page goes on without what it cannot have."""
    page.route("**/endgames.wasm", lambda route: route.fulfill(body="damaged"))
    page.goto(f"{shared_base}/healthz")
    assert page.evaluate(PROBE, ["B:WK23:BK32", "B:WK23:BK32"]) == [None, None]
