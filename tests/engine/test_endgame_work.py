"""Long builds: what is done stays done through kills and damage, and memory and disk are known."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import zlib

import pytest

from kingme.engine.endgames import EndgameError, build, memory
from kingme.engine.endgames.slices import Forces, layout, needs, pairs, span, starts
from kingme.engine.endgames.verify import position_at
from kingme.engine.endgames.work import Plan, Work
from kingme.jobs.endgames import lead
from kingme.jobs.local import LocalExecutor

GIB = 1 << 30
PLAN = Plan(3, ("values", "distances"), 3)

SCRIPT = """
import os, signal, sys, zlib
from pathlib import Path
from kingme.engine.endgames.work import Plan, Work
from kingme.jobs.endgames import lead
from kingme.jobs.local import LocalExecutor

def packed(material, codes, between):
    return zlib.compress(codes.tobytes(), 1)

def built(folder, pieces, workers=1, show=None):
    with Work(Path(folder), Plan(pieces, ("values", "distances"), 3)) as work:
        work.check()
        print("there", work.positions_done, *work.notes, flush=True)
        packers = {"values": packed, "distances": packed}
        hands = LocalExecutor(work.mapped, packers, workers, 1 << 30)
        try:
            lead(work, hands, show)
        finally:
            hands.close()
        work.mapped.finish()
"""


def packed(material, codes, between):
    assert len(codes) == material.positions
    return zlib.compress(codes.tobytes(), 1)


PACKERS = {"values": packed, "distances": packed}


def built(folder, plan=PLAN, workers=1, bound=GIB):
    """Go on with a build; return the block, the packed files, and what was said."""
    with Work(folder, plan, bound) as work:
        work.check()
        there = len(work.done)
        hands = LocalExecutor(work.mapped, PACKERS, workers, bound)
        try:
            lead(work, hands)
        finally:
            hands.close()
        assert not work.left
        work.mapped.finish()
        files = {
            path.name: path.read_bytes()
            for kind in plan.kinds
            for pieces in range(plan.packed_from, plan.pieces + 1)
            for _, path in work.packed(pieces, kind)
        }
        return work.mapped.block.tobytes(), files, there, work.notes


def script(code):
    return [sys.executable, "-W", "error", "-c", SCRIPT + code]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_bytes_as_in_memory(tmp_path, workers):
    block, files, _, notes = built(tmp_path / "work", Plan(4, ("values",), 4), workers)
    assert hashlib.sha256(block).digest() == hashlib.sha256(build.build(4).data).digest()
    assert notes == []
    place = layout(4).places
    assert len(files) == len([material for material in place if material.pieces == 4])
    for material in place:
        if material.pieces == 4:
            name = "-".join(map(str, material.counts))
            codes = block[place[material] : place[material] + material.positions]
            assert zlib.decompress(files[f"{name}.values"]) == codes


def test_killed_at_any_step_it_goes_on_with_the_same_bytes(tmp_path):
    # A child is killed when it is about to see something on the disk for the n-th time; a pair
    # does so five or seven times, so that these fall on each of its steps.
    points = [*range(1, 10)]
    code = f"""
real = os.fsync
def doomed(number, left=[0]):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    real(number)
for point in {points}:
    child = os.fork()
    if child == 0:
        doomed.__defaults__[0][0] = point
        os.fsync = doomed
        built({str(tmp_path / "work")!r}, 3)
        os._exit(0)
    print("ended", os.waitpid(child, 0)[1], flush=True)
"""
    done = subprocess.run(script(code), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ends = [line for line in done.stdout.splitlines() if line.startswith("ended")]
    assert ends == [f"ended {signal.SIGKILL:d}"] * len(points)
    assert "damaged" not in done.stdout
    block, files, _, notes = built(tmp_path / "work")
    assert notes == []
    assert block == build.build(3).tobytes()
    assert files == built(tmp_path / "other")[1]


def test_killed_from_outside_it_goes_on_with_the_same_bytes(tmp_path):
    code = f"built({str(tmp_path / 'work')!r}, 4, 2, lambda done, _: print(done, flush=True))"
    chance = random.Random(11)
    last = -1
    for _ in range(2):
        with subprocess.Popen(script(code), stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            there = int(child.stdout.readline().split()[1])
            assert there > last
            last = there
            for _ in range(chance.randrange(2, 8)):
                child.stdout.readline()
            child.kill()
        assert child.returncode == -signal.SIGKILL
    plan = Plan(4, ("values", "distances"), 3)
    block, _, there, notes = built(tmp_path / "work", plan)
    assert there >= 4
    assert notes == []
    assert hashlib.sha256(block).digest() == hashlib.sha256(build.build(4).data).digest()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished folder of 3 pieces and what it holds."""
    folder = tmp_path_factory.mktemp("whole") / "work"
    return folder, built(folder)[:2]


def flipped(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 16
    path.write_bytes(content)


def test_damage_is_told_and_mended(whole):
    folder, expected = whole
    plan = layout(3)
    pair = pairs(3)[5]
    flipped(folder / "block.bin", plan.places[pair[0]] + 7)
    flipped(folder / "packed" / "2-0-0-1.distances", 20)
    (folder / "packed" / "0-1-2-0.values").unlink()
    *found, there, notes = built(folder)
    assert tuple(found) == expected
    assert there == len(pairs(3)) - 2
    assert sorted(notes) == sorted(
        [
            f"the slices of {pair[0]} are damaged and are built again",
            "the distances of 2m v 1k are damaged and are packed again",
            "the values of 2m v 1k are damaged and are packed again",
        ]
    )
    assert built(folder)[2:] == (len(pairs(3)), [])


def test_a_damaged_journal_costs_what_it_cannot_tell(whole):
    folder, expected = whole
    journal = folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join((lines[0], b"nonsense\n", b"[1]\n", *lines[3:])) + b'{"pair": "1')
    *found, there, notes = built(folder)
    assert tuple(found) == expected
    assert there >= len(pairs(3)) - 2
    assert notes == ["a line of the journal is damaged"] * 2
    journal.write_bytes(b"another" + journal.read_bytes())
    *found, there, notes = built(folder)
    assert (tuple(found), there) == (expected, 0)
    assert notes == ["the journal is damaged or of another version; all is built anew"]
    records = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    assert len(records) == len(pairs(3))


def test_more_pieces_or_kinds_go_on_in_the_same_folder(tmp_path):
    built(tmp_path, Plan(2))
    block, files, there, _ = built(tmp_path, Plan(3, ("values",), 3))
    assert there == len(pairs(2))
    assert block == build.build(3).tobytes()
    with Work(tmp_path, PLAN) as work:
        work.check()
        assert work.solved == set(pairs(3))
        assert {pair[0].pieces for pair in work.left} == {3}
    again, more, _, notes = built(tmp_path)
    assert (again, notes) == (block, [])
    assert files.items() <= more.items()
    assert len(more) == 2 * len(files)


def test_a_second_build_is_refused(tmp_path):
    with Work(tmp_path, PLAN), pytest.raises(EndgameError) as refused:
        Work(tmp_path, PLAN)
    assert str(refused.value) == f"another build is at work in {tmp_path}"
    with Work(tmp_path, PLAN):
        pass


def test_a_folder_is_left_as_it_was(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "packed").mkdir()
    mine = [folder / "mine.txt", folder / "packed" / "mine.values"]
    for path in mine:
        path.write_text("here before")
    built(folder)
    with Work(folder, PLAN) as work:
        work.remove()
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == mine
    assert {path.read_text() for path in mine} == {"here before"}


@pytest.mark.parametrize("name", ["block.bin", "journal.jsonl", "lock"])
def test_a_file_of_somebody_else_is_not_written_over(tmp_path, name):
    mine = tmp_path / name
    mine.write_text("here before\n")
    with pytest.raises(EndgameError) as refused:
        Work(tmp_path, PLAN)
    assert str(refused.value) == (
        f"{mine} is not of a build of databases, and would be lost: move it away, or name another"
        " folder with --work"
    )
    assert mine.read_text() == "here before\n"
    assert list(tmp_path.iterdir()) == [mine]


def test_a_place_that_takes_no_files_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EndgameError, match=r"file cannot be written: "):
        Work(tmp_path / "file", PLAN)


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    real = os.fsync
    left = iter(range(12))

    def full(number):
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(number)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EndgameError, match="cannot be written: No space left on device"):
        built(tmp_path)
    monkeypatch.setattr(os, "fsync", real)
    block, _, there, notes = built(tmp_path)
    assert there >= 3
    assert notes == []
    assert block == build.build(3).tobytes()


def test_a_disk_without_room_is_refused_before(tmp_path, monkeypatch):
    class Usage:
        free = 100 * memory.MIB

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)
    with Work(tmp_path, Plan(3)) as work:
        work.require_room()
        monkeypatch.setattr(Usage, "free", memory.MIB // 16)
        with pytest.raises(EndgameError, match="needs 1 MiB of disk, and 1 MiB are free"):
            work.require_room()


def test_too_little_memory_is_refused_before():
    memory.require([], 0)
    memory.require(pairs(4), GIB)
    with pytest.raises(EndgameError) as refused:
        memory.require(pairs(6), 700 * memory.MIB)
    assert str(refused.value) == (
        "700 MiB of memory is too little: the slices of 2m1k v 1m2k need 944 MiB"
    )


def test_pages_are_given_back(tmp_path):
    built(tmp_path, Plan(4), bound=memory.MIB)  # below what Python has, so it does so all the time
    with Work(tmp_path, Plan(4), memory.MIB) as work:
        work.check()
        assert not work.left
        mapped = work.mapped
        mapped.forget()
        before = memory.resident()
        if before is None:
            pytest.skip("this system does not tell of a process's memory")
        assert int(mapped.block.sum()) > 0
        full = memory.resident() or 0
        mapped.relieve()
        after = memory.resident() or 0
        assert full - before > 4 * memory.MIB
        assert full - after > 4 * memory.MIB


def test_half_of_what_there_is(monkeypatch, tmp_path):
    assert memory.default() > 0
    limit = tmp_path / "memory.max"
    limit.write_text("1048576\n")
    monkeypatch.setattr(memory, "LIMITS", (limit, tmp_path / "none"))
    assert memory.default() == 524288


def test_what_a_pair_needs_is_what_its_moves_lead_to():
    done = set()
    for pair in pairs(4):
        assert needs(pair) <= done
        done |= set(pair)
    pair = (Forces(2, 0, 1, 1), Forces(1, 1, 2, 0))
    assert starts(pair) == {pair[0]: 0, pair[1]: span(pair[0])}
    chance = random.Random(3)
    found = set()
    for material in pair:
        for _ in range(4000):
            position = position_at(material, chance.randrange(material.positions))
            for move in position.legal_moves:
                after = position.after(move)
                own, other = after.white, after.black
                if own:
                    found.add(forces(after.kings, own, other))
    assert found - set(pair) <= needs(pair)
    assert len(found - set(pair)) >= len(needs(pair)) - 2


def forces(kings, own, other):
    crowned, rulers = (own & kings).bit_count(), (other & kings).bit_count()
    return Forces(own.bit_count() - crowned, crowned, other.bit_count() - rulers, rulers)
