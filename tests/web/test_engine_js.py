"""The engine of the page is that of the server: the same moves, scores and nodes, in a browser.

The pages that evaluate here lift the content policy, under which only a worker may compile.
"""

from __future__ import annotations

import base64
import dataclasses
import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from kingme import History, Piece, Position, Side
from kingme.engine.api import Limits
from kingme.engine.book import default
from kingme.engine.endgames import Tables
from kingme.engine.endgames.opened import Pack
from kingme.engine.endgames.pack import Kind, assemble, order, pack_values
from kingme.engine.endgames.slices import layout
from kingme.engine.levels import LEVELS
from kingme.engine.local import LocalEngine
from kingme.engine.thinking import choose
from kingme.rules.ballots import THREE_MOVE, TWO_MOVE
from kingme.rules.outcome import PRESETS
from kingme.web.wire import LevelRecord, PresetRecord

ROOT = Path(__file__).parents[2]
DEPTH = 9

#: Engine and rules by their names, and games played through.
PREPARE = """async () => {
  const R = await import('/static/rules.js');
  const { Engine } = await import('/static/engine/search.js');
  const L = await import('/static/engine/levels.js');
  const B = await import('/static/engine/book.js');
  const load = async name => (await fetch(`/static/engine/${name}`)).arrayBuffer();
  const module = await WebAssembly.compile(await load('kernels.wasm'));
  const weights = (await load('weights.bin')).slice(24);
  globalThis.E = await Engine.make(module, { weights, now: () => 0 });
  const book = B.readBook((await load('book.bin')).slice(24));
  Object.assign(globalThis, { L, B, book });
  globalThis.line = ([start, texts]) => {
    const positions = [R.fromFen(start)];
    const moves = texts.map((text, i) => {
      const move = R.legalMoves(positions[i]).find(legal => legal.text === text);
      positions.push(R.play(positions[i], move));
      return move;
    });
    return { positions, moves };
  };
}"""

SEARCH = """([games, preset, depth]) => games.map(game => {
  E.clear();
  const infos = [...E.analyse(line(game), { depth }, preset)];
  return infos.map(({ depth, score, nodes, pv }) => [depth, score, nodes, pv.map(m => m.text)]);
})"""

JUDGE = """([games, preset, depth]) => games.map(game => {
  E.clear();
  const { moves, scores, info } = E.judge(line(game), { depth }, preset);
  return [moves.map(m => m.text), scores, info.nodes];
})"""

CHOOSE = """([games, preset, level]) => games.map(([start, texts, chances]) => {
  E.clear();
  const random = () => chances.shift();
  const { pv, score } = L.choose(E, line([start, texts]), level, preset, random, book);
  return [pv[0].text, score, chances.length];
})"""


LINES = """async ([games, preset, depth, slice]) => {
  const { Analyst } = await import('/static/engine/lines.js');
  const load = async name => (await fetch(`/static/engine/${name}`)).arrayBuffer();
  const module = await WebAssembly.compile(await load('kernels.wasm'));
  const weights = (await load('weights.bin')).slice(24);
  let nodes = 0; // a clock that every look sets on, so that a slice is so many looks long
  const now = () => slice ? nodes++ : 0;
  const engine = await Analyst.make(module, { weights, now });
  return games.map(game => {
    engine.clear();
    engine.begin(line(game), { lines: 3, depth }, preset);
    let slices = 0, more = slice;
    for (; !engine.over; slices++) more = engine.advance(more || 1) ? slice : 2 * more;
    const { lines, nodes } = engine.info;
    return [lines.map(({ depth, score, pv }) => [depth, score, pv]), nodes, slices];
  });
}"""

WORKERS = """async ([games, preset, nodes]) => {
  const run = async () => {
    const worker = new Worker('/static/engine/analyst.js', { type: 'module' });
    const found = [];
    for (const [start, moves] of games) {
      found.push(await new Promise(done => {
        worker.onmessage = ({ data: { info: { done: last, nodes, depth, lines } } }) =>
          last && done([nodes, depth, lines.map(({ score, pv }) => [score, pv])]);
        worker.postMessage({ id: 1, start, moves, preset, lines: 1, nodes });
      }));
    }
    worker.terminate();
    return found;
  };
  return [await run(), await run()];
}"""

#: Lets an engine look up what it builds of so many pieces, and packed values, and searches.
SOLVED = """async ([games, preset, depth, pieces, packed]) => {
  const { Engine } = await import('/static/engine/search.js');
  const { Tables } = await import('/static/engine/tables.js');
  const load = async name => (await fetch(`/static/engine/${name}`)).arrayBuffer();
  const tables = await Tables.make(await WebAssembly.compile(await load('endgames.wasm')), pieces);
  for (const _ of tables.solve());
  const module = await WebAssembly.compile(await load('kernels.wasm'));
  const weights = (await load('weights.bin')).slice(24);
  const F = await Engine.make(module, { weights, now: () => 0 });
  F.solved(tables.block.slice().buffer);
  if (packed) F.told(Uint8Array.from(atob(packed), letter => letter.charCodeAt(0)).buffer);
  const search = engine => game => {
    engine.clear();
    const infos = [...engine.analyse(line(game), { depth }, preset)];
    return infos.map(({ depth, score, nodes, pv }) => [depth, score, nodes, pv[0].text]);
  };
  const found = games.map(search(F));
  F.looks = false; // as it is for the lower levels
  const [some, plain] = [F, E].map(engine => JSON.stringify(games.slice(0, 9).map(search(engine))));
  return [found, some === plain];
}"""

BOOK = """([games, spread]) => games.map(([start, texts, chances]) => {
  const positions = line([start, texts]).positions;
  const found = B.fromBook(book, positions[positions.length - 1], spread, () => chances.shift());
  return found ? [found.move.text, found.score, chances.length] : null;
})"""


@pytest.fixture(scope="module")
def page(browser, shared_base):
    """A page in which `E` is the engine, `L` the levels, `B` what reads the `book`, and `line`
    plays a game through."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(f"{shared_base}/healthz")
    page.evaluate(PREPARE)
    yield page
    context.close()


def any_position(chance: random.Random) -> Position:
    """A position with pieces anywhere."""
    squares = chance.sample(range(1, 33), chance.randint(2, 20))
    pieces = {}
    for index, square in enumerate(squares):
        side = Side.BLACK if index % 2 else Side.WHITE
        crowned = square > 28 if side is Side.BLACK else square < 5
        pieces[square] = Piece(side, crowned or chance.random() < 0.4)
    return Position.of(pieces, chance.choice(list(Side)))


def games(count: int, seed: int) -> list[History]:
    """Half of them games of random moves from the start, half positions of all kinds."""
    chance = random.Random(seed)
    found: list[History] = []
    while len(found) < count:
        game = History.start(None if len(found) % 2 else any_position(chance))
        for _ in range(chance.randint(0, 60) if len(found) % 2 else 0):
            if game.outcome() or not game.position.legal_moves:
                break
            game = game.play(chance.choice(game.position.legal_moves))
        if game.position.legal_moves and not game.outcome():
            found.append(game)
    return found


def openings(count: int, seed: int) -> list[History]:
    """Games that go on from ballots by the book to its end, and then often back into it."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        game = chance.choice([TWO_MOVE, THREE_MOVE]).draw(chance).history
        while known := default().choose(game.position, 60, chance):
            game = game.play(known.move)
        found.append(game.back(chance.randint(0, 4) % len(game.moves)))
    return found


def told(game: History) -> list[object]:
    return [game.positions[0].fen, [str(move) for move in game.moves]]


@pytest.mark.parametrize("name", PRESETS)
def test_searches_are_the_same(page, name):
    """All infos of two hundred searches: depth, score, nodes and the line that is expected."""
    preset, engine = PRESETS[name], LocalEngine(endgames="none")
    played = games(200 if name == "standard" else 20, seed=len(name))
    own = []
    for game in played:
        engine.clear()
        found = engine.analyse(game, Limits(depth=DEPTH), preset)
        own.append([[i.depth, i.score.value, i.nodes, list(map(str, i.pv))] for i in found])
    wire = [[told(game) for game in played], msgspec.to_builtins(PresetRecord.of(preset)), DEPTH]
    assert page.evaluate(SEARCH, wire) == own


@pytest.fixture(scope="module")
def solved() -> Tables:
    return Tables.have()


@pytest.mark.parametrize("mute", [False, True], ids=["distances", "values"])
def test_searches_with_endgames_are_the_same(page, solved, tmp_path, mute):
    """With all of 4 pieces; and with all of 3, where packed values say who wins with 4."""
    tables, packed = solved, ""
    if mute:
        places = layout(4).places
        parts = (
            (m, pack_values(m, solved.block[places[m] : places[m] + m.positions])) for m in order(4)
        )
        path = tmp_path / "values"
        assemble(path, Kind.VALUES, 4, parts)
        packed = base64.b64encode(path.read_bytes()).decode()
        tables = Tables(Tables.build(3).block, 3, [Pack.open(path, Kind.VALUES, 4)])
    preset, engine = PRESETS["standard"], LocalEngine(endgames=tables)
    played = [g for g in games(200, seed=8) if 5 <= len(g.position.pieces) <= 9]
    own: list[list[list[object]]] = []
    met: set[int] = set()
    for game in played:
        engine.clear()
        found = list(engine.analyse(game, Limits(depth=DEPTH), preset))
        own.append([[i.depth, i.score.value, i.nodes, str(i.move)] for i in found])
        met |= {abs(i.score.value) // 1000 for i in found}
    record = msgspec.to_builtins(PresetRecord.of(preset))
    wire = [list(map(told, played)), record, DEPTH, tables.block_pieces, packed]
    assert page.evaluate(SOLVED, wire) == [own, True]
    assert len(played) > 30 and met >= ({0, 24, 29} if mute else {0, 29})


def test_judgements_are_the_same(page):
    preset, engine = PRESETS["standard"], LocalEngine(endgames="none")
    played = games(30, seed=1)
    own = []
    for game in played:
        engine.clear()
        moves, scores, info = engine.judge(game, Limits(depth=5), preset)
        own.append([list(map(str, moves)), [score.value for score in scores], info.nodes])
    wire = [[told(game) for game in played], msgspec.to_builtins(PresetRecord.of(preset)), 5]
    assert page.evaluate(JUDGE, wire) == own


def lines(
    game: History, engine: LocalEngine, depth: int
) -> tuple[list[tuple[int, int, list[str]]], int]:
    """The last lines that the server's engine gives of a game's position, and its nodes."""
    engine.clear()
    infos = list(engine.analyse(game, Limits(depth=depth), lines=3))
    last = [info for info in infos if info.depth == infos[-1].depth]
    ordered = sorted(last, key=lambda info: -info.score.value)
    return [(i.depth, i.score.value, list(map(str, i.pv))) for i in ordered], infos[-1].nodes


def test_analysis_finds_the_same_lines(page):
    """Three lines each, in one go; in slices the nodes differ, for what is known is asked anew."""
    preset, engine = PRESETS["standard"], LocalEngine(endgames="none")
    played = games(30, seed=9)
    own = [lines(game, engine, DEPTH) for game in played]
    wire = [[told(game) for game in played], msgspec.to_builtins(PresetRecord.of(preset)), DEPTH]
    whole = page.evaluate(LINES, [*wire, 0])
    certain = [all(abs(score) >= 29_000 for _, score, _ in found) for found, _ in own]
    for (found, nodes, _), one, over in zip(whole, own, certain, strict=True):
        assert over or (list(map(tuple, found)), nodes) == one
    sliced = page.evaluate(LINES, [*wire, 3])
    assert max(slices for _, _, slices in sliced) > 3
    for (found, _, _), (expected, _), over in zip(sliced, own, certain, strict=True):
        assert over or [line[0] for line in found] == [line[0] for line in expected]


def test_a_search_by_nodes_comes_to_the_same_every_time(page):
    """As a review has it: position after position in one worker, however quick the machine is."""
    preset = msgspec.to_builtins(PresetRecord.of(PRESETS["standard"]))
    one, two = page.evaluate(WORKERS, [[told(game) for game in games(6, seed=4)], preset, 150_000])
    assert one == two
    assert max(nodes for nodes, _, _ in one) >= 150_000


class Script(random.Random):
    """Chance that follows a list, as the page's does in this test."""

    def __init__(self, numbers: list[float]) -> None:
        super().__init__()
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


@pytest.mark.parametrize("number", [level.number for level in LEVELS])
def test_levels_choose_the_same(page, number):
    """Whims, oversights, variety and the book, with the same chances; depth alone ends a search."""
    preset, engine = PRESETS["standard"], LocalEngine(endgames="none")
    level = LEVELS[number - 1]
    level = dataclasses.replace(level, depth=min(level.depth, 7), seconds=600.0)
    chance = random.Random(number)
    opening = [History.start(), History.start().play("11-15"), History.start().play("9-14")]
    wire, own = [], []
    for game in [*opening, *openings(12, seed=number), *games(20, seed=number)]:
        if len(game.position.legal_moves) < 2:
            continue
        numbers = [chance.random() for _ in range(120)]
        script = Script(numbers)
        engine.clear()
        info = choose(engine, game, level, script, preset, level.seconds, default())
        own.append([str(info.move), info.score.value, len(script.numbers)])
        wire.append([*told(game), numbers])
    record = [
        msgspec.to_builtins(value) for value in (PresetRecord.of(preset), LevelRecord.of(level))
    ]
    assert page.evaluate(CHOOSE, [wire, *record]) == own


@pytest.mark.parametrize("spread", [0, 3, 60])
def test_the_book_is_the_same(page, spread):
    """Whatever is in it or not: ballots, moves of the book from there, any other position."""
    chance = random.Random(spread)
    wire, own = [], []
    for game in [*openings(60, seed=spread), *games(20, seed=spread)]:
        numbers = [chance.random() for _ in range(3)]
        script = Script(numbers)
        found = default().choose(game.position, spread, script)
        own.append(found and [str(found.move), found.score.value, len(script.numbers)])
        wire.append([*told(game), numbers])
    assert page.evaluate(BOOK, [wire, spread]) == own
    assert sum(found is not None for found in own) > 30


def test_what_is_shipped_is_what_the_kernels_make(tmp_path):
    """The module is built again from the source; run scripts/wasm.py after a change of a kernel."""
    script = ROOT / "scripts" / "wasm.py"
    environment = {**os.environ, "KINGME_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, str(script), "--check"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
