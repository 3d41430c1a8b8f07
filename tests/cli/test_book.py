"""``kingme book``: building one, going on with it, and showing what it plays."""

from __future__ import annotations

import json

from kingme import Position
from kingme.engine.book import Book, default
from kingme.engine.weights import default as weights

from .calling import kingme

__all__ = ["kingme"]


def test_building_goes_on_and_comes_to_the_same_bytes(kingme, tmp_path):
    whole, file = tmp_path / "whole.book", tmp_path / "x.book"
    done = kingme("book", "build", whole, "--positions", 14, "--nodes", 60)
    assert done.code == 0, done.err
    assert done.err.splitlines()[-1].startswith("14 of 14 ")
    assert "0.0 min left" in done.err
    kingme("book", "build", file, "--positions", 5, "--nodes", 60)
    log = tmp_path / "x.book.searches"
    log.write_bytes(log.read_bytes()[:-3])
    done = kingme("book", "build", file, "--positions", 14, "--nodes", 60)
    assert done.code == 0, done.err
    assert file.read_bytes() == whole.read_bytes()
    record = json.loads(file.with_suffix(".json").read_text())
    assert record == json.loads(whole.with_suffix(".json").read_text())
    book = Book.load(file)
    assert record["digest"] == book.digest and record["weights"] == weights().digest
    assert (record["opened"], record["positions"]) == (14, len(book))
    assert record["command"] == "kingme book build --positions 14 --nodes 60 --margin 12"
    told = kingme("book", "show", "--file", file, "--json").json
    assert [(one["move"], one["score"]) for one in told["moves"]] == [
        (str(one.move), one.score.value) for one in book.moves(Position.start())
    ]


def test_searches_on_other_terms_are_refused(kingme, tmp_path):
    file = tmp_path / "x.book"
    assert kingme("book", "build", file, "--positions", 1, "--seconds", 0.001).code == 0
    said = kingme.refused("book", "build", file, "--positions", 1, "--nodes", 70)
    assert "x.book.searches holds searches on other terms: nodes none, not 70; " in said
    said = kingme.refused("book", "build", tmp_path / "no" / "x.book")
    assert "cannot be written: No such file" in said


def test_what_is_shown(kingme):
    lines = kingme("book", "show").out.splitlines()
    assert lines[0] == Position.start().fen
    first = default().moves(Position.start())
    assert len(lines) == 1 + len(first)
    assert lines[1].split()[:2] == [str(first[0].move), str(first[0].score)]
    assert lines[1].endswith(" replies") or lines[1].endswith(" reply")
    by_moves = kingme("book", "show", "9-13", "22-18", "6-9").out
    assert by_moves == kingme("book", "show", "9-13 22-18 6-9").out
    assert "(three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9)" in by_moves
    fen = by_moves.split()[0]
    assert kingme("book", "show", fen).out == by_moves
    assert kingme("book", "show", "1.", "9-13", "22-18", "2.", "6-9").out == by_moves
    assert kingme("book", "show", fen, "21-17").out != by_moves
    told = kingme("book", "show", "9-13", "--json").json
    assert told["opening"].endswith("Edinburgh: 9-13")


def test_what_is_not_in_the_book(kingme, tmp_path):
    said = kingme("book", "show", "W:WK1:BK32").out.splitlines()[1]
    assert said == f"not in the book, which has {len(default())} positions"
    assert kingme("book", "show", "W:WK1:BK32", "--json").json["moves"] == []
    assert "is not legal" in kingme.refused("book", "show", "9-14", "9-14")
    assert "cannot be read" in kingme.refused("book", "show", "--file", tmp_path / "none")
    (tmp_path / "bad").write_bytes(b"rubbish")
    assert "is no opening book" in kingme.refused("book", "show", "--file", tmp_path / "bad")
