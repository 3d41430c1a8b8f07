"""``kingme explore``, and ``kingme db explorer``, which makes the file behind it."""

from __future__ import annotations

import json

from kingme.collection import Collection, Entry
from kingme.collection.practice import Practice, default
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import Side

from .calling import kingme

__all__ = ["kingme"]

EDINBURGH = ("9-13", "22-18", "6-9")
REPLIES = ("22-18", "24-19", "23-19", "22-18", "24-20", "22-18")


def played(practice):
    """The tree at the start."""
    tree = practice.tree(Position.start())
    assert tree is not None
    return tree


def test_what_was_played(kingme):
    lines = kingme("explore").out.splitlines()
    tree = played(default())
    assert lines[0] == Position.start().fen
    assert lines[1] == f"{tree.tally.games} games; won, drawn and lost are Black's"
    first = lines[3].split()
    assert first[:2] == [str(tree.branches[0].move), str(tree.branches[0].tally.games)]
    assert all(share.endswith("%") for share in first[2:5])
    named = kingme("explore", *EDINBURGH).out
    assert "(three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9)" in named
    assert "won, drawn and lost are White's" in named
    assert kingme("explore", named.split()[0]).out == named
    assert kingme("explore", "1. 9-13 22-18 2. 6-9").out == named
    after = kingme("explore", *EDINBURGH, "25-22").out
    assert kingme("explore", named.split()[0], "25-22").out == after
    assert "no number of one" in kingme.refused("explore", "1. 9-13 22-18 3. 6-9")
    told = kingme("explore", " ".join(EDINBURGH), "--json").json
    assert told["opening"] == "three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9"
    assert all(m["games"] == m["black"] + m["white"] + m["draws"] for m in told["moves"])
    assert told["moves"][0]["booked"] and isinstance(told["moves"][0]["value"], int)


def test_where_nobody_came(kingme):
    assert kingme("explore", "W:WK1:BK32").out.splitlines()[1] == "no games came here"
    said = kingme.refused("explore", "W:W1:BK32")
    assert "crown row" in said


def test_making_the_file(kingme, tmp_path):
    db = tmp_path / "games.db"
    with Collection(db, write=True) as games:
        for number, reply in enumerate(REPLIES):
            history = History.start().play("11-15").play(reply)
            games.add([Entry(f"{number}", history, Side.BLACK if number % 2 else None, True)])
    made = []
    for name in ("a", "b"):
        file = tmp_path / f"{name}.practice"
        words = ("db", "explorer", file, "--db", db, "--games", 3, "--nodes", 50)
        done = kingme(*words, "--source", db)
        assert done.code == 0, done.err
        made.append((file.read_bytes(), file.with_suffix(".json").read_bytes()))
    assert made[0] == made[1]
    record = json.loads(made[0][1])
    found = Practice.load(file)
    assert (record["digest"], record["positions"]) == (found.digest, len(found))
    assert record["command"] == "kingme db explorer --games 3 --nodes 50"
    assert record["sources"][0]["name"] == "games.db"
    assert found.value(Position.start()) is not None
    told = kingme("explore", "--db", db, "--json").json
    tree = played(found)
    assert [m["move"] for m in told["moves"] if m["games"]] == [str(b.move) for b in tree.branches]
    assert "there is no collection" in kingme.refused("explore", "--db", tmp_path / "none.db")
