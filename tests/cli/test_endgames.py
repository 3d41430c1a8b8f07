"""``kingme endgames`` from the outside."""

from __future__ import annotations

import signal
import sys
import threading

import pytest

from kingme import Position
from kingme.cli.progress import Meter
from kingme.engine.endgames import Tables, files
from kingme.engine.kernels import cachedir

from .calling import kingme

__all__ = ["kingme"]


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of its own for databases."""
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    return tmp_path


def test_a_position_is_told_with_what_each_move_does(kingme):
    done = kingme("endgames", "probe", "W:WK6,K9:BK15")
    assert done.code == 0
    assert done.out.splitlines() == [
        "White to move: White wins in 14 moves",
        "  6-1   win in 16 moves",
        "  6-2   win in 18 moves",
        "  6-10  loss in 1 move",
        "  9-5   win in 16 moves",
        "  9-13  win in 16 moves",
        "* 9-14  win in 14 moves",
    ]


@pytest.mark.parametrize(
    ("fen", "first"),
    [
        ("B:WK23:BK32", "Black to move: a draw"),
        ("W:W5:B1", "Black has won: White has no move"),
        ("W:W21,K26,K32:B25", "White to move: White wins in 3 moves"),
        ("B:WK19,K23:BK28", "Black to move: White wins in 8 moves"),
        ("W:WK23:BK27", "White to move: White wins in 1 move"),
        ("B:W:BK1", "Black to move: Black wins in 1 move"),
        ("B:WK1:B", "White has won: Black has no move"),
    ],
)
def test_how_it_ends(kingme, fen, first):
    done = kingme("endgames", "probe", fen)
    assert done.out.splitlines()[0] == first


def test_a_position_in_json(kingme):
    done = kingme("endgames", "probe", "W:W21,K26,K32:B25", "--json").json
    assert (done["value"], done["plies"], len(done["moves"])) == ("win", 5, 7)
    assert [move["move"] for move in done["moves"] if move["best"]] == [
        "21-17",
        "26-22",
        "26-30",
        "32-27",
        "32-28",
    ]
    assert {"move": "26-31", "best": False, "value": "win", "plies": 9} in done["moves"]


def test_what_is_no_position_of_few_pieces(kingme):
    said = kingme.refused("endgames", "probe", Position.start().fen, "--pieces", "4")
    assert said == "the database has up to 4 pieces, and this position has 24"
    assert "man on 1" in kingme.refused("endgames", "probe", "W:W1:B9")
    assert "no square: they run from 1 to 32" in kingme.refused("endgames", "probe", "W:W50:B1")
    assert "no piece on the board" in kingme.refused("endgames", "probe", "W:W:B")
    said = kingme.refused("endgames", "info", "--pieces", "9")
    assert said == "a database has from 2 to 7 pieces, not 9"


def test_slices_are_listed_with_totals(kingme, shelf):
    done = kingme("endgames", "info", "--pieces", "3")
    assert done.err == "note: the database of 3 pieces is built first\n"
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0][:2] == ["to", "move"]
    assert lines[-3] == ["2", "pieces", "3488", "716", "402", "2370", "13", "plies"]
    assert lines[-2] == ["3", "pieces", "196032", "100250", "87305", "8477", "61", "plies"]
    assert ["1m", "v", "1m", "760"] in [line[:4] for line in lines]
    assert done.out.splitlines()[-1].endswith(f"kept in {shelf / 'english-3.v1.bin'}")
    again = kingme("endgames", "info", "--pieces", "3", "--json")
    assert again.err == ""
    assert again.json["totals"][1]["longest_win"] == 61
    assert again.json["bytes"] == (shelf / "english-3.v1.bin").stat().st_size
    assert len(again.json["slices"]) == 16
    assert [file["path"] for file in again.json["files"]] == [str(shelf / "english-3.v1.bin")]


def test_it_is_proved(kingme, shelf):
    done = kingme("endgames", "verify", "--pieces", "2")
    assert done.out.startswith(
        "3488 positions of 2 to 2 pieces are consistent with their successors ("
    )


def test_a_wrong_one_is_found(kingme, shelf, monkeypatch):
    tables = Tables.build(2)
    tables.block[-64] ^= 2
    monkeypatch.setattr(Tables, "load", lambda pieces: tables)
    said = kingme.refused("endgames", "verify", "--pieces", "2")
    assert said.endswith("is not what the moves from it ask for")


@pytest.fixture
def packed(shelf, monkeypatch):
    """A block of 2 pieces and packed files of 3, which are all that there can be."""
    monkeypatch.setattr(files, "PIECES", 2)
    monkeypatch.setattr(files, "MOST", 3)
    Tables.have(3)
    return shelf


def test_packed_files_are_listed_with_what_they_cost(kingme, packed):
    done = kingme("endgames", "info")
    lines = done.out.splitlines()
    assert lines[-4].split() == ["3", "pieces", "196032", "100250", "87305", "8477", "61", "plies"]
    size = (packed / "english-3.v1.values").stat().st_size
    assert lines[-3].startswith(
        f"values of 3 pieces: {size} bytes, {196032 / size:.2f} positions a "
    )
    assert lines[-2].endswith(f"kept in {packed / 'english-3.v1.distances'}")
    told = kingme("endgames", "info", "--json").json
    assert (told["pieces"], told["distances"], len(told["slices"])) == (3, 3, 16)
    assert [(file["kind"], file["pieces"]) for file in told["files"]] == [
        ("block", 2),
        ("values", 3),
        ("distances", 3),
    ]


def test_packed_files_are_proved_and_asked(kingme, packed):
    done = kingme("endgames", "verify", "--workers", "2")
    first, last = done.out.splitlines()
    assert first.startswith("199520 positions of 2 to 3 pieces are consistent with their")
    assert last == "wins, losses and draws are as many as others have published"
    fen = "B:WK19,K23:BK28"
    assert kingme("endgames", "probe", fen).out.startswith("Black to move: White wins in 8 moves\n")
    (packed / "english-3.v1.distances").unlink()
    done = kingme("endgames", "probe", fen)
    more = "kingme endgames build --pieces 3 --distance"
    assert done.err == f"note: only who wins is kept; {more} keeps the plies too\n"
    assert (
        f"distances of 3 pieces: not used; {more} builds them\n" in kingme("endgames", "info").out
    )
    lines = done.out.splitlines()
    assert lines[0] == "Black to move: White wins"
    assert all(line.startswith("* ") and line.endswith("  loss") for line in lines[1:])
    told = kingme("endgames", "probe", "W:WK19,K23:BK28", "--json").json
    assert (told["value"], told["plies"]) == ("win", None)
    assert {move["best"] for move in told["moves"] if move["value"] == "win"} == {True}
    done = kingme("endgames", "verify")
    assert done.out.splitlines()[1] == (
        "from 3 pieces on only who wins is kept, which this alone does not prove"
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_a_proof_may_be_broken_off(kingme, packed, monkeypatch, workers):
    real = Meter.__call__
    main = threading.main_thread().ident
    assert main is not None
    before = threading.active_count()

    def broken(meter, done, text):
        real(meter, done, text)
        if done > 10_000:  # packed files are looked at
            signal.pthread_kill(main, signal.SIGINT)

    monkeypatch.setattr(Meter, "__call__", broken)
    done = kingme("endgames", "verify", "--workers", str(workers))
    assert (done.code, done.out) == (130, "")
    said = done.err.splitlines()[-1]
    assert said.startswith("stopped: ")
    assert said.endswith(" of 199520 positions were looked at, and nothing wrong found")
    assert 0 < int(said.split()[1]) < 199520
    assert threading.active_count() == before


def test_packing_may_be_broken_off(kingme, packed, monkeypatch):
    main = threading.main_thread().ident
    assert main is not None
    before = threading.active_count()
    (packed / "english-3.v1.distances").unlink()

    def endless(material, codes, between):
        signal.pthread_kill(main, signal.SIGINT)
        while True:
            between()

    monkeypatch.setattr("kingme.engine.endgames.pack.pack_distances", endless)
    done = kingme("endgames", "build", "--pieces", "3", "--distance")
    assert done.code == 130
    assert "Traceback" not in done.err
    assert done.err.splitlines()[-1].startswith("stopped: ")
    assert threading.active_count() == before


def test_a_damaged_packed_file_is_a_note(kingme, packed):
    path = packed / "english-3.v1.values"
    path.write_bytes(path.read_bytes()[:-64])
    again = "kingme endgames build --pieces 3 builds it anew"
    for words in (["info"], ["verify"], ["probe", "B:WK19,K23:BK28"]):
        said = kingme.refused("endgames", *words, "--pieces", "3")
        assert said.startswith(f"{path} is damaged: ")
        assert said.endswith(f"; {again}")
    done = kingme("endgames", "verify")
    assert (done.code, done.out.startswith("3488 positions of 2 to 2")) == (2, True)
    assert f"kingme: not all was proved: {path} is damaged: " in done.err
    done = kingme("endgames", "probe", "B:WK23:BK32")
    assert done.out.startswith("Black to move: a draw\n")
    assert f"note: {path} is damaged: " in done.err
    done = kingme("endgames", "probe", "B:WK19,K23:BK28")
    assert done.code == 2
    said = "kingme: the database has up to 2 pieces, and this position has 3"
    hint = "kingme endgames build --pieces 3 makes one that has it"
    assert f"{said}; {hint}" in done.err.splitlines()
    said = kingme.refused("endgames", "info", "--pieces", "4")
    assert said == "a database has from 2 to 3 pieces, not 4"


def test_a_damaged_one_is_named_and_built_anew(kingme, shelf):
    kingme("endgames", "build", "--pieces", "2", "--workers", "2")
    path = shelf / "english-2.v1.bin"
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)
    said = kingme.refused("endgames", "verify", "--pieces", "2")
    again = "kingme endgames build --pieces 2 builds it anew"
    assert said == f"{path} is damaged: its checksum is wrong; {again}"
    done = kingme("endgames", "probe", "B:WK23:BK32", "--pieces", "2")
    assert done.err == f"note: {path} is damaged: its checksum is wrong; it is built anew\n"
    assert done.out.startswith("Black to move: a draw\n")
    assert kingme("endgames", "probe", "B:WK23:BK32", "--pieces", "2").err == ""


def test_a_broken_off_build_goes_on(kingme, shelf, monkeypatch):
    from kingme.engine.endgames.work import Work

    real = Work.keep
    kept = iter(range(5))

    def broken(*args):
        if next(kept, None) is None:
            raise KeyboardInterrupt
        real(*args)

    monkeypatch.setattr(Work, "keep", broken)
    done = kingme("endgames", "build", "--pieces", "3")
    assert done.code == 130
    assert done.err.splitlines()[-1].startswith("stopped: ")
    place = f"positions are kept in {shelf / 'work'}; the same command goes on"
    assert done.err.splitlines()[-1].endswith(f" of 199520 {place}")
    monkeypatch.setattr(Work, "keep", real)
    done = kingme("endgames", "build", "--pieces", "3", "--keep")
    assert " of 199520 positions are there; it goes on\n" in done.err
    path = shelf / "english-3.v1.bin"
    assert done.out.splitlines()[0] == f"{path}: 216512 bytes"
    assert done.out.splitlines()[1].startswith("199520 positions in ")
    assert path.read_bytes() == Tables.build(3).block.tobytes()
    assert (shelf / "work" / "block.bin").exists()
    path.write_bytes(b"")
    done = kingme("endgames", "build", "--pieces", "3", "--work", str(shelf / "work"))
    damage = "is damaged: it has 0 bytes, not 216512; it is built anew"
    assert f"note: {path} {damage}\n" in done.err
    assert [found.name for found in shelf.iterdir()] == [path.name]
    done = kingme("endgames", "build", "--pieces", "3")
    assert (done.code, done.err) == (0, "")
    told = "nothing to build: all of 3 pieces is there, and its checksums are right"
    assert done.out.splitlines() == [f"{path}: 216512 bytes, sound", told]


def test_only_what_is_missing_or_damaged_is_built(kingme, packed):
    build = ("endgames", "build", "--pieces", "3", "--distance")
    done = kingme(*build)
    assert done.out.splitlines()[-1].startswith("nothing to build: all of 3 pieces is there")
    values, distances = (packed / f"english-3.v1.{kind}" for kind in ("values", "distances"))
    whole, stamp = distances.read_bytes(), values.stat().st_mtime_ns
    distances.unlink()
    done = kingme(*build)
    assert done.out.splitlines()[0] == f"{values}: {values.stat().st_size} bytes, sound"
    assert done.out.splitlines()[1] == f"{distances}: {len(whole)} bytes"
    assert (distances.read_bytes(), values.stat().st_mtime_ns) == (whole, stamp)
    distances.write_bytes(whole[:-1] + b"\1")
    values.unlink()
    values.symlink_to(packed / "gone")
    assert "is a link that leads to no file" in kingme("endgames", "info").err
    (packed / "english-2.v1.bin").unlink()
    done = kingme(*build)
    assert f"note: {distances} is damaged: what follows " in done.err
    assert distances.read_bytes() == whole
    assert kingme("endgames", "verify").code == 0


def test_what_a_build_cannot_do_is_refused_before(kingme, shelf, monkeypatch):
    said = kingme.refused("endgames", "build", "--pieces", "6", "--memory", "700M")
    assert said == "700 MiB of memory is too little: the slices of 2m1k v 1m2k need 944 MiB"
    assert list(shelf.iterdir()) == []
    assert (
        "'700' is no size: write it as 700M" in kingme("endgames", "build", "--memory", "700").err
    )
    assert "an empty name is no folder" in kingme("endgames", "build", "--work", "").err
    assert "from 2 to 7 pieces, not 8" in kingme.refused("endgames", "build", "--pieces", "8")
    monkeypatch.setattr(files, "PIECES", 2)
    kingme("endgames", "info")
    for count in (3, 7):
        said = kingme.refused("endgames", "info", "--pieces", str(count), "--json")
        assert "there is no database of 3 pieces yet" in said
        assert said.endswith(f"kingme endgames build --pieces {count}")
    with monkeypatch.context() as patch:
        patch.setattr(cachedir, "passed_over", lambda: "/elsewhere")
        said = kingme.refused("endgames", "build", "--pieces", "2")
        assert said.startswith("KINGME_CACHE_DIR cannot be used: /elsewhere takes no files; ")
        told = "note: KINGME_CACHE_DIR cannot be used: /elsewhere takes no files; "
        assert kingme("endgames", "info", "--pieces", "2").err.startswith(told)
    monkeypatch.setitem(sys.modules, "ray", None)
    said = kingme.refused("endgames", "build", "--pieces", "3", "--executor", "ray")
    assert said == "ray is not installed: python -m pip install 'kingme[ray]'"


def test_building_needs_a_place(kingme, monkeypatch):
    monkeypatch.setattr(files, "folder", lambda: None)
    assert kingme.refused("endgames", "build") == ("no folder can be written to keep a database in")
    done = kingme("endgames", "info", "--pieces", "2")
    assert done.out.splitlines()[-1].endswith("not kept")
    monkeypatch.setattr(files, "PIECES", 2)
    done = kingme("endgames", "probe", "B:WK23:BK32")
    assert done.err == "note: the database of 2 pieces is built first\n"
    assert done.out.startswith("Black to move: a draw\n")


def test_databases_are_read_from_a_place_that_takes_no_files(kingme, tmp_path, monkeypatch):
    solved = Tables.have()
    named, other = tmp_path / "named", tmp_path / "other"
    (named / "endgames").mkdir(parents=True)
    other.mkdir()
    monkeypatch.setenv("KINGME_CACHE_DIR", str(named))
    monkeypatch.setattr(cachedir, "folder", lambda: other)
    assert files.folder() == other / "endgames"  # there is nothing to be read there
    solved.save(named / "endgames" / "english-4.v1.bin")
    done = kingme("endgames", "probe", "B:WK23:BK32")
    assert done.out.startswith("Black to move: a draw\n")
    assert done.err == (
        f"note: KINGME_CACHE_DIR cannot be used: {named} takes no files; {other} does;"
        " its databases are read all the same\n"
    )
    assert files.folder() == named / "endgames"


def test_the_block_beside_packed_files_is_built_where_it_is_missing(kingme, packed):
    (block,) = packed.glob(f"english-{files.PIECES}.*.bin")
    block.unlink()
    done = kingme("endgames", "info", "--pieces", str(files.PIECES + 1), "--json")
    assert done.err == f"note: the database of {files.PIECES} pieces is built first\n"
    assert done.json["pieces"] == files.PIECES + 1
