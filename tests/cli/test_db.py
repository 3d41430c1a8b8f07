"""``kingme db``: games go into a collection once, are found again, and make up a tree."""

from __future__ import annotations

import re

import pytest

from kingme.collection import Collection, Query, loading, reading
from kingme.rules.pdn import read

from .calling import kingme
from .test_pdn import FIRST, SECOND, WRONG, files

__all__ = ["files", "kingme"]


@pytest.fixture
def games(kingme, files):
    path = files / "games.db"
    assert kingme("db", "import", files / "one.pdn", files / "two.pdn", "--db", path).code == 0
    return path


def test_the_same_file_twice_adds_nothing(kingme, files):
    path = files / "deep" / "games.db"
    done = kingme("db", "import", files / "one.pdn", files / "bad.pdn", "--db", path)
    assert done.code == 0, done
    first, second, last = done.out.splitlines()
    assert first == f"{files / 'one.pdn'}: 2 games, 2 added, 0 there before, 0 with errors"
    assert second == f"{files / 'bad.pdn'}: 2 games, 1 added, 1 there before, 1 with errors"
    assert last.startswith(f"3 games added to {path} in ")
    done = kingme("db", "import", files / "both.zip", files / "one.pdn", "--db", path, "--json")
    told = done.json["files"]
    assert [(item["added"], item["before"]) for item in told] == [
        (0, True),
        (1, False),
        (0, True),
    ]
    done = kingme("db", "import", files / "one.pdn", "--db", path)
    assert "imported before, nothing to add" in done.out


def test_standard_input(kingme, files):
    path = files / "games.db"
    for added in (2, 0):
        text = f"{FIRST}\n{SECOND}".encode()
        done = kingme("db", "import", "-", "--db", path, given=text)
        assert done.out.splitlines()[-1].startswith(f"{added} games added")
    assert "name - once" in kingme.refused("db", "import", "-", "-", "--db", path)


def test_an_import_that_is_stopped_goes_on(kingme, files, monkeypatch):
    texts = [FIRST.replace("Club", f"Club {number}") for number in range(25)]
    many = files / "many.pdn"
    many.write_text("\n".join(texts))
    path = files / "games.db"
    monkeypatch.setattr(reading, "BATCH", 4)
    asked = []
    entry = vars(reading)["_entry"]

    def stop(game, *rest):
        asked.append(game.tags["Event"])
        if len(asked) == 15:
            raise KeyboardInterrupt
        return entry(game, *rest)

    monkeypatch.setattr(reading, "_entry", stop)
    assert kingme("db", "import", many, "--db", path).code == 130
    with Collection(path) as stopped:
        assert stopped.facts.games == 12
        assert stopped.facts.files == 0
    done = kingme("db", "import", many, "--db", path)
    assert "13 games, 13 added, 0 there before" in done.out
    assert asked[15] == "Club 12", "what was there is not read again"
    with Collection(path) as whole:
        events = [game.event for game in whole.search(Query()).games]
        assert events == [f"Club {number}" for number in range(25)]
        assert whole.facts.files == 1


def test_nothing_is_lost(kingme, files, games):
    out = files / "out.pdn"
    assert kingme("db", "search", "--db", games, "--pdn", out).out == f"3 games written to {out}\n"
    wanted = [*read((files / "one.pdn").read_bytes()), *read((files / "two.pdn").read_bytes())]
    assert list(read(out.read_bytes())) == wanted
    assert "is there already" in kingme.refused("db", "search", "--db", games, "--pdn", out)
    assert list(read(kingme("db", "search", "--db", games, "--pdn", "-").out)) == wanted


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ([], [1, 2, 3]),
        (["--player", "ann"], [1, 2, 3]),
        (["--white", "ann"], [2]),
        (["--black", "desiree"], [2]),
        (["--event", "club", "--since", "1900"], [1]),
        (["--until", "1949"], [1]),
        (["--opening", "5"], [1, 3]),
        (["--moves", "9-13 22-18 6-9"], [1, 3]),
        (["--fen", "W:W18,21,23-32:B1-5,7-13"], [1, 3]),
        (["--result", "draw"], [2]),
        (["--material", "11m v 12m"], []),
        (["--material", "12m v *"], [1, 2, 3]),
        (["--material", "* v 11m"], []),
        (["--variant", "russian"], []),
        (["--limit", "2"], [1, 2]),
        (["--after", "1", "--limit", "1"], [2]),
    ],
)
def test_search(kingme, games, words, numbers):
    done = kingme("db", "search", "--db", games, *words)
    assert done.code == 0, done
    assert [int(n) for n in re.findall(r"^ +(\d+)  ", done.out, re.M)] == numbers
    told = kingme("db", "search", "--db", games, *words, "--json").json
    assert [game["id"] for game in told["games"]] == numbers


def test_what_a_list_says(kingme, games):
    done = kingme("db", "search", "--db", games, "--limit", "1", "--moves", "9-13")
    line, more = done.out.splitlines()
    assert " ".join(line.split()) == (
        "1 1904.05.01 Ann Lee - Bob 1-0 4 plies, three-move ballot 5, at ply 1 Club"
    )
    assert more == "... more: --after 1"
    assert kingme("db", "search", "--db", games, "--count").out == "3 games\n"
    assert kingme("db", "search", "--db", games, "--count", "--json").json == {"games": 3}
    assert kingme("db", "search", "--db", games, "--player", "zz").out == "no games\n"


def test_tree(kingme, games):
    told = kingme("db", "tree", "--db", games, "--json").json
    assert (told["games"], told["ended"]) == (3, 0)
    first, second = told["moves"]
    assert first == {"move": "9-13", "games": 2, "black": 2, "white": 0, "draws": 0, "score": 1.0}
    assert (second["move"], second["score"]) == ("11-15", 0.5)
    said = kingme("db", "tree", "--db", games, "--moves", "9-13 22-18 6-9").out.splitlines()
    assert said[0].endswith(": 2 games, 0 of them end here")
    assert said[1] == "three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9"
    assert said[3].split() == ["25-22", "2", "2", "0", "0", "0.0%"]
    told = kingme("db", "tree", "--db", games, "--result", "draw", "--json").json
    assert [move["move"] for move in told["moves"]] == ["11-15"]
    told = kingme("db", "tree", "--db", games, "--material", "11m v *", "--json").json
    assert told["moves"] == []
    told = kingme("db", "tree", "--db", games, "--material", "12m v *", "--json").json
    assert (told["games"], len(told["moves"])) == (3, 2)
    told = kingme("db", "tree", "--db", games, "--variant", "russian", "--json").json
    assert told["moves"] == []


def test_info(kingme, games):
    told = kingme("db", "info", "--db", games, "--json").json
    assert (told["games"], told["plies"], told["files"]) == (3, 12, 2)
    assert (told["first"], told["last"], told["variants"]) == (1904, 1950, {"english": 3})
    assert (told["black"], told["white"], told["draws"]) == (2, 0, 1)
    said = kingme("db", "info", "--db", games).out
    assert "3 games, 1904 to 1950, " in said
    assert "Black won 2, White 0, 1 draw, 0 without a result" in said


def test_the_collection_that_the_environment_names(kingme, games, monkeypatch):
    monkeypatch.setenv("KINGME_COLLECTION", str(games))
    assert kingme("db", "search", "--count").out == "3 games\n"


def test_files_that_are_no_collection(kingme, files, tmp_path):
    missing = tmp_path / "none.db"
    said = kingme.refused("db", "info", "--db", missing)
    assert said == f"there is no collection {missing}: kingme db import makes one"
    assert not missing.exists()
    text = files / "one.pdn"
    assert "cannot be used: file is not a database" in kingme.refused("db", "info", "--db", text)
    said = kingme.refused("db", "import", text, "--db", files / "bad.pdn")
    assert "cannot be used: file is not a database" in said
    assert "Bad" in (files / "bad.pdn").read_text()


def test_a_database_of_others_and_of_other_versions(kingme, files, games):
    import sqlite3

    other = files / "other.db"
    with sqlite3.connect(other) as made:
        made.execute("CREATE TABLE t (x)")
    made.close()
    for words in (("info",), ("import", files / "one.pdn")):
        said = kingme.refused("db", *words, "--db", other)
        assert said == f"{other} is a database, but no collection of games"
    with sqlite3.connect(games) as made:
        made.execute("PRAGMA user_version = 99")
    made.close()
    assert "of another version of kingme (99, not 2)" in kingme.refused("db", "info", "--db", games)


def test_a_collection_that_somebody_else_fills(kingme, games):
    with Collection(games, write=True) as one:
        loader = loading.Loader(one._connection)
        loader.begin()
        assert kingme("db", "search", "--db", games, "--count").out == "3 games\n"
        loader.drop()


def test_games_with_errors_are_kept_as_far_as_they_are_understood(kingme, files):
    path = files / "games.db"
    kingme("db", "import", "-", "--db", path, given=WRONG.encode())
    with Collection(path) as games:
        assert games.search(Query()).games[0].plies == 1
        assert "23-17" in games.text(1)


def test_commands_that_ask_for_games_have_the_same_options(kingme):
    words = [("db", "search"), ("db", "tree"), ("pdn", "filter")]
    found = [set(re.findall(r"--[a-z-]+", kingme(*command, "--help").out)) for command in words]
    shared = {
        "--player",
        "--since",
        "--opening",
        "--fen",
        "--no-colours",
        "--material",
        "--variant",
    }
    assert all(shared <= options for options in found)
