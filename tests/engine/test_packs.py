"""Packed databases: what is read is what was written, and what is damaged is refused by name."""

from __future__ import annotations

import functools
import operator
import re
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingme import Position, Side
from kingme.engine.endgames import DamagedError, EndgameError, Tables, Value, files, huffman, verify
from kingme.engine.endgames.build import build
from kingme.engine.endgames.counting import Totals
from kingme.engine.endgames.opened import Blocks, Directory, Pack
from kingme.engine.endgames.pack import (
    SPAN,
    Entry,
    Kind,
    SliceHead,
    assemble,
    order,
    pack_distances,
    pack_values,
)
from kingme.engine.endgames.slices import Forces, layout
from kingme.engine.kernels.bits import ZERO, address_of
from kingme.engine.kernels.index import next_position, position_of
from kingme.engine.kernels.packed import BLOCK, UNKNOWN, followed, stored, unpack, value_of
from kingme.engine.kernels.packing import halves, jump_due

DATA = Path(__file__).parents[1] / "data"
MOST = 4
PUBLISHED = {
    int(row[0]): [int(cell) for cell in row[2:]]
    for row in (line.split("\t") for line in (DATA / "endgame_counts.tsv").read_text().splitlines())
    if not row[0].startswith("#") and row[3]
}
PACKERS = {Kind.VALUES: pack_values, Kind.DISTANCES: pack_distances}


@functools.cache
def codes_of(material):
    """The codes of a slice, from the database in memory."""
    place = layout(MOST).places[material]
    return raw()[place : place + material.positions]


@functools.cache
def raw():
    """The block of 4 pieces, built once."""
    return build(MOST)


@numba.njit
def differing(codes, a, b, c, d, directory, unpacked):
    """Compare a slice with what is unpacked, and every seventh position with what is looked up."""
    own, opp, kings = position_of(0, a, b, c, d)
    wrong = 0
    for number in range(codes.shape[0]):
        value = 2 - (codes[number] & 1) if codes[number] else 0
        if not jump_due(own, opp, kings) and unpacked[number] != value:
            wrong += 1
        if number % 7 == 0:
            found = followed(own, opp, kings, ZERO, ZERO, ZERO, directory)
            wrong += found != value
        own, opp, kings = next_position(own, opp, kings)
    return wrong


def packed(path, kind, pieces):
    assemble(path, kind, pieces, ((m, PACKERS[kind](m, codes_of(m))) for m in order(pieces)))
    return Pack.open(path, kind, pieces)


@pytest.fixture(scope="module")
def packs(tmp_path_factory):
    """Files of both kinds of 2, 3 and 4 pieces."""
    place = tmp_path_factory.mktemp("packs")
    return {
        (kind, pieces): packed(place / f"{pieces}.{kind.word}", kind, pieces)
        for kind in Kind
        for pieces in (2, 3, 4)
    }


@pytest.fixture(scope="module")
def directory(packs):
    """The values of all of them, for kernels."""
    return Directory(None, 0, [packs[Kind.VALUES, pieces] for pieces in (2, 3, 4)])


@pytest.fixture
def small(tmp_path):
    """Both files of 2 pieces, to be damaged."""
    return {kind: packed(tmp_path / f"2.{kind.word}", kind, 2) for kind in Kind}


def test_every_value_is_read_as_it_was_written(directory):
    for material, place in directory.places.items():
        out = np.empty(material.positions, np.uint8)
        unpack(directory.address, place, 0, len(out), out)
        codes = codes_of(material)
        assert differing(codes, *material.counts, directory.address, out) == 0, material


@given(st.data())
@settings(max_examples=100)
def test_any_part_can_be_unpacked(directory, data):
    material = data.draw(st.sampled_from(order(4)))
    first = data.draw(st.integers(0, (material.positions - 1) // BLOCK)) * BLOCK
    last = data.draw(st.integers(first, material.positions))
    whole, part = (np.empty(n, np.uint8) for n in (material.positions, last - first))
    unpack(directory.address, directory.places[material], 0, len(whole), whole)
    unpack(directory.address, directory.places[material], first, last, part)
    assert (part == whole[first:last]).all()


def test_every_distance_is_read_as_it_was_written(packs):
    for pieces in (2, 3, 4):
        blocks = Blocks(packs[Kind.DISTANCES, pieces])
        for material in order(pieces):
            codes = codes_of(material)
            starts = range(0, len(codes), SPAN)
            found = np.frombuffer(
                b"".join(blocks.block(material, i) for i in range(len(starts))), np.uint8
            )
            wanted = np.empty(SPAN, np.uint8)
            for low in starts:
                high = min(low + SPAN, len(codes))
                halves(address_of(codes), *material.counts, low, high, wanted)
                assert (found[low:high] == wanted[: high - low]).all()
            lost = np.flatnonzero((found << 1) + 1 == codes)
            for number in lost[:: max(1, len(lost) // 3)]:
                if not jump_due(*position_of(number, *material.counts)):
                    assert blocks.plies(material, int(number)) == codes[number] - 1


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_codes_come_back(data):
    """Long runs and short ones, in blocks that are full or not, of a slice of 9,660 positions."""
    material = Forces(1, 1, 0, 1)
    drawn = st.tuples(st.integers(0, 254), st.integers(1, 5000) | st.integers(1, 3))
    row = data.draw(st.lists(drawn, min_size=1, max_size=200))
    codes = np.resize(np.repeat(*np.array(row, np.int64).T).astype(np.uint8), material.positions)
    content = np.frombuffer(pack_values(material, codes), np.uint8)
    pack = Loose(material, content)
    directory = Directory(None, 0, [pack])
    out = np.empty(material.positions, np.uint8)
    unpack(directory.address, directory.places[material], 0, len(out), out)
    for number in range(0, len(codes), 97):
        if not jump_due(*position_of(number, *material.counts)):
            code = int(codes[number])
            assert out[number] == (2 - code % 2 if code else 0)
            assert stored(directory.address, directory.places[material], number) == out[number]
    head = pack.entries[material].head
    assert head.wins + head.losses + head.draws == material.positions == len(codes)


class Loose(Pack):
    """A pack of one slice that no file holds."""

    def __init__(self, material, content):
        self.pieces = material.pieces
        self.entries = {material: Entry(SliceHead.read(content.data), 0, len(content), b"")}
        self.content = content

    def part(self, material):
        return self.content


def test_what_is_the_same_everywhere_costs_nothing():
    material = Forces(0, 2, 0, 2)
    head = 64
    for code in (0, 1, 2):
        assert len(pack_values(material, np.full(material.positions, code, np.uint8))) == head
    assert len(pack_distances(material, np.full(material.positions, 8, np.uint8))) == head


def test_totals_are_in_the_head(packs):
    for pieces, published in PUBLISHED.items():
        for kind in Kind if pieces <= MOST else ():
            heads = [entry.head for entry in packs[kind, pieces].entries.values()]
            sums = [sum(getattr(h, f) for h in heads) for f in ("positions", "wins", "losses")]
            assert [*sums, sum(h.draws for h in heads)] == published[:4]
            assert max(head.longest for head in heads) == published[4]
    plain = pack_values(Forces(0, 1, 0, 1), codes_of(Forces(0, 1, 0, 1)), exact=False)
    assert SliceHead.read(plain).longest is None


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=69), st.integers(7, 11))
def test_codes_are_as_short_as_can_be(counts, limit):
    sizes = huffman.lengths(counts, limit)
    used = [size for size in sizes if size]
    assert [bool(size) for size in sizes] == [bool(count) for count in counts]
    assert all(size <= limit for size in used)
    codes = huffman.codes(sizes)
    ends = {f"{code:0{size}b}"[::-1] for code, size in zip(codes, sizes, strict=True) if size}
    assert len(ends) == len(used)
    assert not any(a != b and b.startswith(a) for a in ends for b in ends)
    if len(used) > 1:
        assert sum(2.0**-size for size in used) == 1


@given(st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_flipped_bit_anywhere_is_refused_by_name(small, tmp_path, data):
    kind = data.draw(st.sampled_from(list(Kind)))
    content = bytearray(small[kind].path.read_bytes())
    ends = [entry.place + entry.size for entry in small[kind].entries.values()]
    places = [entry.place for entry in small[kind].entries.values()]
    place = data.draw(st.integers(0, len(content) - 1))
    padding = place >= min(places) and not any(
        a <= place < b for a, b in zip(places, ends, strict=True)
    )
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path = tmp_path / "damaged"
    path.write_bytes(content)
    if padding:
        return
    with pytest.raises(DamagedError) as refused:
        Pack.open(path, kind, 2).prove()
    assert str(refused.value).startswith(str(path))


@given(st.data())
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_short_or_too_long_is_refused_by_name(small, tmp_path, data):
    kind = data.draw(st.sampled_from(list(Kind)))
    content = small[kind].path.read_bytes()
    size = data.draw(st.integers(0, len(content) + 9).filter(lambda n: n != len(content)))
    path = tmp_path / "cut"
    path.write_bytes((content + bytes(9))[:size])
    with pytest.raises(DamagedError, match="^" + re.escape(f"{path} is damaged: ")):
        Pack.open(path, kind, 2)


def test_what_is_no_whole_set_of_slices_is_not_written(tmp_path):
    made = [(m, pack_values(m, codes_of(m))) for m in order(2)]
    path = tmp_path / "2.values"
    for slices, said in (
        (made[:-1], "the slice None of 2 pieces comes where"),
        (made[::-1], "of 2 pieces comes where"),
        ([(made[0][0], b"few")], "what is given for .* is no packed slice"),
        ([(m, pack_distances(m, codes_of(m))) for m in order(2)], "is distances of"),
    ):
        with pytest.raises(EndgameError, match=said):
            assemble(path, Kind.VALUES, 2, slices)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(EndgameError, match="cannot be written: "):
        assemble(tmp_path / "missing" / "file", Kind.VALUES, 2, made)
    files = []
    for material, content in made:
        files.append((material, tmp_path / f"{len(files)}.slice"))
        files[-1][1].write_bytes(content)
    assemble(path, Kind.VALUES, 2, files)
    assemble(tmp_path / "again", Kind.VALUES, 2, made)
    assert path.read_bytes() == (tmp_path / "again").read_bytes()
    Pack.open(path, Kind.VALUES, 2).prove()
    with pytest.raises(DamagedError, match="says otherwise"):
        Pack.open(path, Kind.DISTANCES, 2)


def test_nothing_is_known_of_what_is_not_there(packs):
    three = Directory(None, 0, [packs[Kind.VALUES, 3]])
    position = position_of(0, 0, 1, 0, 1)
    assert value_of(*position, 1, three.address) == UNKNOWN
    assert value_of(*position, 1, 0) == UNKNOWN
    assert value_of(*position_of(0, 2, 0, 2, 0), 1, three.address) == UNKNOWN


def test_the_raw_block_is_read_the_same_way():
    whole = Directory(raw(), MOST)
    for material in order(3):
        for number in range(0, material.positions, 501):
            position = position_of(number, *material.counts)
            code = int(codes_of(material)[number])
            assert value_of(*position, 1, whole.address) == (2 - code % 2 if code else 0)
            own, opp, kings = (int(f"{int(squares):035b}"[::-1], 2) for squares in position)
            white = np.uint64(own), np.uint64(opp), np.uint64(kings)
            assert value_of(*white, 0, whole.address) == (2 - code % 2 if code else 0)


def position_at(number, material, side):
    """A position of a slice, with either side to move."""
    own, opp, kings = (int(squares) for squares in position_of(number, *material.counts))
    if side is Side.BLACK:
        return Position(own, opp, kings, side)
    own, opp, kings = (int(f"{squares:035b}"[::-1], 2) for squares in (own, opp, kings))
    return Position(opp, own, kings, side)


@pytest.fixture(scope="module")
def both(packs):
    """The block of 4 pieces, and one of 3 with packs of 4."""
    small = Tables.build(3).block
    beside = [packs[kind, 4] for kind in Kind]
    return Tables(raw(), MOST), Tables(small, 3, beside), Tables(small, 3, beside[:1])


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_packs_answer_as_the_block_does(both, data):
    whole, parts, values = both
    assert (parts.pieces, parts.distances, values.distances) == (4, 4, 3)
    material = data.draw(st.sampled_from(order(4)))
    number = data.draw(st.integers(0, material.positions - 1))
    position = position_at(number, material, data.draw(st.sampled_from(list(Side))))
    assert parts.value(position) is values.value(position) is whole.value(position)
    assert parts.distance(position) == whole.distance(position)
    assert parts.best_moves(position) == whole.best_moves(position)
    assert parts.keeping_moves(position) == values.keeping_moves(position)
    if whole.distance(position) is None:
        assert values.distance(position) is None
        assert values.best_moves(position) == whole.best_moves(position)
    else:
        for ask in (values.distance, values.best_moves):
            with pytest.raises(EndgameError, match="database of 4 pieces has no distances"):
                ask(position)


def test_totals_are_those_of_the_block(both):
    whole, parts, _ = both
    assert parts.totals() == whole.totals()
    for pieces in (2, 3, 4):
        found = (t for m, t in parts.totals().items() if m.pieces == pieces)
        assert functools.reduce(operator.add, found) == verify.PUBLISHED[pieces]
    for pieces, published in PUBLISHED.items():
        assert verify.PUBLISHED[pieces] == Totals(*published)


def test_what_a_pack_stands_on_must_be_there(packs):
    block = build(2)
    tables = Tables(block, 2, [packs[Kind.VALUES, 4], packs[Kind.DISTANCES, 3]])
    assert tables.pieces == tables.distances == 2
    assert len(tables.notes) == 2
    assert all("is not used: what it stands on is missing" in note for note in tables.notes)


def proof_of(codes, tmp_path, exact):
    """Prove packs of 3 pieces that are made of such codes."""
    packs = []
    for kind in list(Kind) if exact else [Kind.VALUES]:
        path = tmp_path / kind.word
        assemble(path, kind, 3, ((m, PACKERS[kind](m, codes[m])) for m in order(3)))
        packs.append(Pack.open(path, kind, 3))
    steps = []
    tables = Tables(build(2), 2, packs)
    wrong = tables.verify(lambda *step: steps.append(step), workers=2)
    return wrong, steps


@pytest.mark.parametrize("exact", [False, True])
def test_packs_are_proved(tmp_path, exact):
    wrong, steps = proof_of({m: codes_of(m) for m in order(3)}, tmp_path, exact)
    assert wrong is None
    assert steps[-1] == (199520, 199520, "")


@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_position_is_found(tmp_path, seed):
    chance = np.random.default_rng(seed)
    codes = {m: codes_of(m).copy() for m in order(3)}
    material = order(3)[chance.integers(len(codes))]
    while True:
        number = int(chance.integers(material.positions))
        if not jump_due(*position_of(number, *material.counts)):
            break
    old = int(codes[material][number])
    new = (3 if old == 0 else old + 2) if seed % 2 and old % 2 else 4 if old % 2 else 1
    codes[material][number] = new
    wrong, _ = proof_of(codes, tmp_path, True)
    assert wrong is not None
    if (old == 0 or old % 2 != new % 2) and old != new:
        assert proof_of(codes, tmp_path, False)[0] is not None


def test_wrong_totals_are_found(tmp_path):
    codes = {m: codes_of(m).copy() for m in order(3)}
    material = Forces(0, 2, 0, 1)
    due = next(i for i in range(material.positions) if jump_due(*position_of(i, *material.counts)))
    codes[material][due] ^= 1
    with pytest.raises(EndgameError, match="the totals of 2k v 1k are not those"):
        proof_of(codes, tmp_path, True)


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of its own, where a block of 2 pieces is the engine's own."""
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    monkeypatch.setattr(files, "PIECES", 2)
    monkeypatch.setattr(files, "MOST", 4)
    return tmp_path


def test_packed_files_are_made_found_and_shared(shelf):
    with pytest.raises(EndgameError, match="no database of 2 pieces yet"):
        Tables.all()
    made = Tables.have(3)
    assert sorted(path.name for path in shelf.iterdir()) == [
        "english-2.v1.bin",
        "english-3.v1.distances",
        "english-3.v1.values",
    ]
    assert (made.pieces, made.distances, made.block_pieces) == (3, 3, 2)
    again = Tables.all()
    assert again.packs == made.packs == Tables.load(3).packs
    assert again.notes == []
    with pytest.raises(EndgameError, match=r"no database of 4 pieces yet: .*--pieces 4$"):
        Tables.have(4)
    (shelf / "english-3.v1.distances").unlink()
    assert Tables.load(3).distances == 2
    (shelf / "english-3.v1.values").unlink()
    both = r"of 3 pieces yet, on which one of 4 stands: .*; build both with .* --pieces 4$"
    with pytest.raises(EndgameError, match=both):
        Tables.load(4)
    block = shelf / "english-2.v1.bin"
    block.write_bytes(b"")
    for load in (Tables.all, lambda: Tables.load(3)):
        with pytest.raises(DamagedError, match=r"0 bytes, not .*; Tables\.have\(2\) builds it"):
            load()


def test_packed_files_answer_as_the_block_does(packs):
    block = Tables(raw(), MOST)
    tables = Tables(build(3), 3, [packs[kind, MOST] for kind in Kind])
    chance = np.random.default_rng(4)
    materials = order(MOST)
    for _ in range(120):
        material = materials[chance.integers(len(materials))]
        position = verify.position_at(material, int(chance.integers(material.positions)))
        assert tables.value(position) is block.value(position), position.fen
        assert tables.distance(position) == block.distance(position), position.fen
        assert tables.best_moves(position) == block.best_moves(position), position.fen
        assert tables.keeping_moves(position) == block.keeping_moves(position), position.fen


def test_a_damaged_pack_is_told_and_all_else_used(shelf):
    Tables.have(3)
    path = shelf / "english-3.v1.values"
    whole = path.read_bytes()
    path.write_bytes(whole[:-70] + bytes([whole[-70] ^ 1]) + whole[-69:])
    with pytest.raises(DamagedError, match="^" + re.escape(f"{path} is damaged: ")):
        Tables.load(3)
    tables = Tables.all()
    assert tables.pieces == 2
    assert tables.notes[0].startswith(f"{path} is damaged: ")
    assert Tables.have(3).pieces == 3
    path = shelf / "english-3.v1.distances"
    content = bytearray(path.read_bytes())
    for entry in Pack.open(path, Kind.DISTANCES, 3).entries.values():
        for place in range(entry.place, entry.place + entry.size):
            content[place] ^= 1
    path.write_bytes(content)
    tables = Tables.all()
    assert (tables.distances, tables.notes) == (3, [])
    lost = Position.from_fen("B:WK19,K23:BK28")
    with pytest.raises(EndgameError, match=r"is damaged: .*; it is not used"):
        tables.distance(lost)
    assert tables.value(lost) is Value.LOSS
    with pytest.raises(EndgameError, match="has no distances"):
        tables.distance(lost)
    assert tables.notes[0].startswith(f"{path} is damaged: ")
