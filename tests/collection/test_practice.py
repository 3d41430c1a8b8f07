"""Openings as counts: the same as the collection's tree, kept in a file that is proved whole."""

from __future__ import annotations

import itertools
import json

import pytest

from kingme.collection import Collection, CollectionError, Query
from kingme.collection.counting import counted, met
from kingme.collection.packing import key_of
from kingme.collection.practice import DEFAULT, Practice, default
from kingme.rules.position import Position

from .made import english, entries


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.db"
    with Collection(path, write=True) as made:
        made.add(entry for entry in entries(200) if english(entry))
        yield made


def value(position):
    """A value that depends on the position alone, the same for its mirror image."""
    return key_of(position) % 997 - 400


def tree_of(practice, position):
    """What is kept of a position that is there."""
    tree = practice.tree(position)
    assert tree is not None
    return tree


def seen(branch):
    tally = branch.tally
    return branch.move, tally.black, tally.white, tally.draws


def test_what_was_counted_is_what_the_collection_tells(games, tmp_path):
    told = []
    made = counted(games, value, fewest=2, told=told.append)
    made.save(tmp_path / "x.practice")
    kept = Practice.load(tmp_path / "x.practice")
    trees = list(met(games, fewest=2))
    assert len(trees) == len(kept) == len(made) > 20
    assert told == [*range(1, len(made) + 1)]
    assert (kept.games, kept.digest) == (games.facts.games, made.digest)
    for tree in trees:
        for position in (tree.position, tree.position.mirrored()):
            found, own = tree_of(kept, position), games.tree(Query(position=position))
            assert sorted(map(seen, found.branches)) == sorted(map(seen, own.branches))
            assert found.tally.games == sum(b.tally.games for b in found.branches)
            assert kept.value(position) == value(tree.position)


def test_the_order_of_games_and_runs_changes_no_byte(games, tmp_path):
    for name in ("a", "b"):
        counted(games, value, fewest=3).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_position_that_too_few_reached_is_not_there(games):
    made = counted(games, lambda position: None, fewest=4)
    assert all(tree.tally.games >= 4 for tree in met(games, fewest=4))
    assert made.value(Position.start()) is None
    assert made.tree(Position.from_fen("B:WK3,19:BK15,12,20")) is None
    assert made.value(Position.from_fen("B:WK3,19:BK15,12,20")) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"", "is no file of openings"),
        (lambda data: data[:8] + b"\x07" + data[9:], "is in layout 7; this program knows layout 1"),
        (
            lambda data: data[:-1] + bytes([data[-1] ^ 1]),
            "is damaged: its checksum or its length is wrong",
        ),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(tmp_path, change, said):
    path = tmp_path / "x"
    path.write_bytes(change(DEFAULT.read_bytes()))
    with pytest.raises(CollectionError, match=f"{path} {said}"):
        Practice.load(path)


def test_a_file_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(CollectionError, match="cannot be read: No such file"):
        Practice.load(tmp_path / "x")
    with pytest.raises(CollectionError, match="cannot be written: No such file"):
        default().save(tmp_path / "no" / "x")


def test_what_comes_with_the_package_is_what_its_record_says():
    record = json.loads(DEFAULT.with_suffix(".json").read_text())
    assert DEFAULT.stat().st_size < 1_000_000
    assert record["digest"] == default().digest
    assert (record["positions"], record["games"]) == (len(default()), default().games)
    (source,) = record["sources"]
    assert len(source["sha256"]) == 64
    assert tree_of(default(), Position.start()).tally.games == record["games"]


def test_what_comes_with_the_package_can_be_followed_from_the_start():
    """Every move that is kept is legal; counts fit those of the position before."""
    waiting, known = [Position.start()], 0
    for position in itertools.islice(iter(waiting), 400):
        tree, entry = tree_of(default(), position), default()._entry(position)
        assert entry is not None and len(tree.branches) == len(entry.moves)
        known += default().value(position) is not None
        for branch in tree.branches:
            after = default().tree(position.after(branch.move))
            if after is not None and after.branches and branch.tally.games >= 20:
                waiting.append(after.position)
    assert known == 400
