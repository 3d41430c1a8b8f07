"""Endgame databases: built, proved, asked, kept; the published figures and a plain twin agree."""

from __future__ import annotations

import functools
import hashlib
import operator
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingme import Board, Piece, Position, Side
from kingme.engine.api import WIN
from kingme.engine.endgames import DamagedError, EndgameError, Tables, Value, build, files
from kingme.engine.endgames.slices import Forces, layout, span
from kingme.engine.endgames.verify import position_at
from kingme.engine.kernels import tables as kernel_tables
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.probe import probe_endgame
from kingme.rules.variant import ENGLISH, VARIANTS

DATA = Path(__file__).parents[1] / "data"
PIECES = 4


def rows(name):
    lines = [line.split("\t") for line in (DATA / name).read_text().splitlines()]
    return [line for line in lines if not line[0].startswith("#")]


PUBLISHED = {
    int(row[0]): [int(cell) for cell in row[2:]] for row in rows("endgame_counts.tsv") if row[3]
}
SAMPLES = rows("endgame_samples.tsv")[1:]
NAMED = rows("endgames_named.tsv")[1:]


def few(fen, pieces=PIECES):
    position = Position.from_fen(fen)
    return (position.black | position.white).bit_count() <= pieces


@functools.cache
def built(pieces=PIECES):
    """A database, built once for all tests of this process."""
    return Tables.build(pieces)


@st.composite
def positions(draw):
    """Any position of 2 to 4 pieces that both sides have a share in."""
    squares = draw(st.lists(st.integers(1, 32), min_size=2, max_size=PIECES, unique=True))
    dark = draw(st.integers(1, len(squares) - 1))
    pieces = {}
    for number, square in enumerate(squares):
        side = Side.BLACK if number < dark else Side.WHITE
        crowned = square > 28 if side is Side.BLACK else square < 5
        pieces[square] = Piece(side, crowned or draw(st.booleans()))
    return Position.of(pieces, draw(st.sampled_from(list(Side))))


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_totals_are_the_published_ones(pieces):
    found = functools.reduce(
        operator.add,
        (total for material, total in built().totals().items() if material.pieces == pieces),
    )
    assert [found.positions, found.wins, found.losses, found.draws, found.longest] == (
        PUBLISHED[pieces]
    )


def test_every_position_is_consistent_with_its_successors():
    steps = []
    assert built().verify(lambda *step: steps.append(step)) is None
    done, total, _ = steps[-1]
    assert done == total == sum(PUBLISHED[pieces][0] for pieces in (2, 3, 4))
    assert steps == sorted(steps, key=operator.itemgetter(0))


@pytest.mark.parametrize("wrong", [0, 2, 3, 77])
def test_one_wrong_code_is_found(wrong):
    whole = built(3)
    block = whole.block.copy()
    chance = random.Random(wrong)
    place = layout(3).places
    material = chance.choice(list(place))
    number = chance.randrange(material.positions)
    block[place[material] + number] = 5 if block[place[material] + number] == wrong else wrong
    found = Tables(block, 3).verify()
    assert found is not None


@pytest.mark.parametrize("row", [row for row in SAMPLES if few(row[0])], ids=lambda row: row[0])
def test_samples(row):
    position = Position.from_fen(row[0])
    assert built().value(position) == row[1]
    assert built().distance(position) == (int(row[2]) if row[2:] and row[2] else None)


@pytest.mark.parametrize("row", [row for row in NAMED if few(row[1])], ids=lambda row: row[0])
def test_named_endings(row):
    position = Position.from_fen(row[1])
    assert built().value(position) == row[3]
    assert built().distance(position) == (int(row[4]) if row[4] else None)
    if row[5]:
        keeping = {position.parse(text) for text in row[5].split(", ")}
        assert set(built().keeping_moves(position)) == keeping
    if row[3] == "draw":
        return
    line = row[6].split()
    assert len(line) == int(row[4])
    for text in line:
        move = position.parse(text)
        assert move in built().best_moves(position)
        position = position.play(move)
    assert position.legal_moves == ()


@given(positions())
@settings(max_examples=400)
def test_the_value_follows_from_the_legal_moves(position):
    tables = built()
    after = [tables.distance(position.play(move)) for move in position.legal_moves]
    best = tables.best_moves(position)
    distance = tables.distance(position)
    losses = [plies for plies in after if plies is not None and plies % 2 == 0]
    if not after:
        assert (tables.value(position), distance, best) == (Value.LOSS, 0, ())
    elif losses:
        assert (tables.value(position), distance) == (Value.WIN, 1 + min(losses))
    elif None in after:
        assert (tables.value(position), distance) == (Value.DRAW, None)
    else:
        assert (tables.value(position), distance) == (Value.LOSS, 1 + max(map(int, after)))
    assert bool(best) == bool(after)
    assert set(best) <= set(tables.keeping_moves(position)) <= set(position.legal_moves)
    assert all(
        after[number] == (None if distance is None else distance - 1)
        for number, move in enumerate(position.legal_moves)
        if move in best
    )


@given(positions())
def test_colours_are_alike(position):
    def exchanged(squares):
        return int(f"{squares:035b}"[::-1], 2)

    other = Position(
        exchanged(position.white),
        exchanged(position.black),
        exchanged(position.kings),
        position.turn.other,
    )
    assert built().distance(other) == built().distance(position)


@given(positions())
def test_the_probe_knows_positions_without_a_jump_due(position):
    score = probe_endgame(*scalars(position), built().address)
    if position.must_jump:
        assert score == kernel_tables.INFINITY
        return
    distance = built().distance(position)
    if distance is None:
        assert score == 0
    elif distance % 2:
        assert score == WIN - distance
    else:
        assert score == distance - WIN


def test_the_probe_says_where_it_knows_nothing():
    unknown = kernel_tables.INFINITY
    start = scalars(Position.start())
    few = scalars(Position.from_fen("B:WK19,K23:BK28"))
    assert probe_endgame(*start, built().address) == unknown
    assert probe_endgame(*few, 0) == unknown
    assert probe_endgame(*few, built(2).address) == unknown
    assert probe_endgame(*few, built(3).address) == 16 - WIN
    alone = scalars(Position.from_fen("B:W:BK28"))
    assert probe_endgame(*alone, built().address) == unknown


def plain_distances(pieces):
    """Distances of all positions of so many pieces, by the rules alone, layer by layer."""
    every = [
        position
        for material, _ in layout(pieces).places.items()
        for number in range(material.positions)
        for position in (position_at(material, number),)
    ]
    every += [turned(position) for position in every]
    replies = {
        position: [position.after(move) for move in position.legal_moves] for position in every
    }
    found = {position: 0 for position, after in replies.items() if not after}
    bare = {after for list_ in replies.values() for after in list_} - set(replies)
    found |= dict.fromkeys(bare, 0)  # a side without pieces has lost
    plies = 0
    while any(distance == plies for distance in found.values()):
        plies += 1
        for position, after in replies.items():
            known = [found[later] for later in after if later in found]
            if position in found or not known:
                continue
            if plies % 2:
                if plies - 1 in known:
                    found[position] = plies
            elif len(known) == len(after) and all(distance % 2 for distance in known):
                found[position] = plies
    return {position: found.get(position) for position in every}


def turned(position):
    def round_again(squares):
        return int(f"{squares:035b}"[::-1], 2)

    return Position(
        round_again(position.white),
        round_again(position.black),
        round_again(position.kings),
        position.turn.other,
    )


def test_a_plain_twin_agrees_on_two_pieces():
    plain = plain_distances(2)
    assert len(plain) == 2 * PUBLISHED[2][0]
    tables = built(2)
    assert {position: tables.distance(position) for position in plain} == plain


def test_plain_python_builds_the_same():
    code = (
        "import hashlib\n"
        "from kingme.engine.endgames import Tables\n"
        "print(hashlib.sha256(Tables.build(2).block).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == hashlib.sha256(built(2).block).hexdigest()


def test_more_workers_build_the_same():
    steps = []
    both = Tables.build(3, workers=2, progress=lambda *step: steps.append(step))
    assert (both.block == built(3).block).all()
    assert steps[0] == (0, 199520, "1k v 1k")
    assert steps[-1] == (199520, 199520, "")


@pytest.mark.parametrize("pieces", [-1, 0, 1, 7, 24])
def test_sizes_that_cannot_be_built(pieces):
    with pytest.raises(EndgameError, match=f"not {pieces}$"):
        Tables.build(pieces)
    for ask in (Tables.build, Tables.load, Tables.have):
        odd: list[Any] = [float(pieces), str(pieces), None, True]
        for wrong in odd:
            with pytest.raises(TypeError, match=f"^pieces is a whole number, not {wrong!r}$"):
                ask(wrong)
    if pieces != 7:
        with pytest.raises(EndgameError, match=f"from 2 to 7 pieces, not {pieces}$"):
            Tables.load(pieces)


def test_positions_that_are_not_in_it():
    with pytest.raises(EndgameError, match="up to 4 pieces, and this position has 24"):
        built().value(Position.start())
    for ask in (built().value, built().distance, built().best_moves, built().keeping_moves):
        for wrong in ("B:W1:BK32", Board("B:WK1:BK32")):
            with pytest.raises(TypeError, match=r"a Position is needed, not (str|Board): "):
                ask(wrong)
    other = next(variant for variant in VARIANTS.values() if variant != ENGLISH)
    with pytest.raises(EndgameError, match=r"of American checkers .*, not of"):
        built().value(Position.from_fen("W:WK5:B10", other))
    impossible = Position.from_fen("W:W1:BK32", strict=False)
    with pytest.raises(EndgameError, match="no such position: White has a man on 1"):
        built().distance(impossible)


def test_a_side_without_pieces_has_lost():
    gone = Position.from_fen("B:WK5:B")
    assert built().distance(gone) == 0
    assert built().value(gone) is Value.LOSS
    assert built().best_moves(gone) == ()
    nearly = Position.from_fen("W:WK5:B")
    assert built().distance(nearly) == 1
    assert built().best_moves(nearly) == nearly.legal_moves


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of its own for databases."""
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    return tmp_path


def test_a_database_is_kept_and_shared(shelf):
    assert Tables.ready(2) is None
    assert not files.sound(2)
    with pytest.raises(EndgameError, match=r"no database of 2 pieces yet: .*english-2"):
        Tables.load(2)
    made = Tables.have(2)
    assert [path.name for path in shelf.iterdir()] == [f"english-2.v{files.VERSION}.bin"]
    assert files.sound(2)
    loaded = Tables.load(2)
    assert loaded is Tables.load(2) is Tables.have(2)
    assert (loaded.block == made.block).all()
    assert not loaded.block.flags.writeable
    position = Position.from_fen("B:WK32:BK1")
    assert loaded.value(position) is made.value(position) is Value.DRAW


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_file_is_refused_by_name_and_built_anew(shelf, seed):
    Tables.have(2)
    path = shelf / f"english-2.v{files.VERSION}.bin"
    content = bytearray(path.read_bytes())
    chance = random.Random(seed)
    place = chance.randrange(64) if seed % 2 else chance.randrange(64, len(content))
    content[place] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    assert not files.sound(2)
    with pytest.raises(DamagedError) as refused:
        Tables.load(2)
    assert str(refused.value).startswith(f"{path} is damaged: ")
    assert Tables.ready(2) is None
    assert (Tables.have(2).block == built(2).block).all()
    assert files.sound(2)


@pytest.mark.parametrize("size", [0, 1, 64, 20_000])
def test_a_file_cut_short_is_refused(shelf, size):
    Tables.have(2)
    path = shelf / f"english-2.v{files.VERSION}.bin"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedError, match=f"it has {size} bytes, not"):
        Tables.load(2)


def test_a_file_that_cannot_be_written_says_so(tmp_path):
    with pytest.raises(EndgameError, match="cannot be written: "):
        built(2).save(tmp_path / "missing" / "file")
    (tmp_path / "there").mkdir()
    with pytest.raises(EndgameError, match="cannot be written: "):
        built(2).save(tmp_path / "there")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_what_cannot_be_kept_is_used_all_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "folder", lambda: tmp_path / "missing")
    assert Tables.have(2).value(Position.from_fen("B:WK32:BK1")) is Value.DRAW
    assert list(tmp_path.iterdir()) == []


def test_a_win_too_far_for_a_byte_is_refused(monkeypatch):
    monkeypatch.setattr(build, "LARGEST", 40)
    with pytest.raises(EndgameError, match="has a win in more than 39 plies"):
        Tables.build(3)


def test_without_a_folder_it_lives_in_memory(monkeypatch):
    monkeypatch.setattr(files, "folder", lambda: None)
    assert not files.sound(2)
    with pytest.raises(EndgameError, match="no folder"):
        Tables.load(2)
    assert Tables.have(2).value(Position.from_fen("B:WK32:BK1")) is Value.DRAW


def test_databases_lie_beside_the_compiled_code(tmp_path, monkeypatch):
    from kingme.engine.kernels import cachedir

    monkeypatch.setattr(cachedir, "folder", lambda: tmp_path / "kernels" / "digest")
    assert files.folder() == tmp_path / "endgames"
    monkeypatch.setattr(cachedir, "folder", lambda: tmp_path)
    assert files.folder() == tmp_path / "endgames"
    monkeypatch.setattr(cachedir, "folder", lambda: tmp_path / "kernels" / "digest")
    (tmp_path / "endgames").rmdir()
    (tmp_path / "endgames").write_text("")
    assert files.folder() is None
    monkeypatch.setattr(cachedir, "folder", lambda: None)
    assert files.folder() is None


def test_the_address_is_of_the_block():
    assert built().address == address_of(built().block)
    assert built().pieces == PIECES


def test_a_pair_tells_how_far_it_is_all_along():
    tables = Tables.have()
    material = Forces(0, 2, 0, 2)
    codes = np.zeros(span(material), np.uint8)
    steps: list[int] = []
    with build.Crew(1) as crew:
        build.solve((material,), codes, tables.address, crew, steps.append)
    place = layout(4).places[material]
    assert (codes[: material.positions] == tables.block[place : place + material.positions]).all()
    decided = int(np.count_nonzero(codes))
    judged = sum(steps) - material.positions // 2
    assert abs(judged - decided // 2) < decided // 20
    assert len(steps) >= codes.max()
