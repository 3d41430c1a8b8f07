"""What the commands say of what was wrong in files, and of files that hold no games."""

from __future__ import annotations

import pytest

from kingme.collection import Collection, Query, reading
from kingme.rules.pdn import read

from .calling import kingme
from .test_pdn import FIRST, SECOND, WRONG, files, games

__all__ = ["files", "kingme"]

ODD = FIRST.replace("22-18", "22x18")
RUSSIAN = "1. c3-d4 b6-a5 *\n"


@pytest.mark.parametrize("data", [b"\0" * 99, b"\x89PNG\r\n\x1a\n\0\0", b"no games here", b"1-0"])
def test_rubbish_is_an_error_and_no_game(kingme, tmp_path, data):
    path = tmp_path / "rubbish.pdn"
    path.write_bytes(data)
    done = kingme("pdn", "check", path)
    assert done.code == 1
    assert f"{path}:1:1: error: there is no game here: neither a tag nor a move" in done.out
    assert done.out.splitlines()[-1].startswith("0 games, 0 plies")
    done = kingme("pdn", "stats", path)
    assert done.out.startswith("0 games") and "error" in done.err
    done = kingme("pdn", "convert", path)
    assert done.out == "" and "error" in done.err
    done = kingme("db", "import", path, "--db", tmp_path / "games.db")
    assert ": 0 games, 0 added" in done.out and "error" in done.err


def test_check_and_stats_count_the_same_games(kingme):
    text = f"{FIRST}1-0\n\n{{aside}} 1/2-1/2\n\n{SECOND}\n\n{WRONG}".encode()
    told = kingme("pdn", "check", "-", "--json", given=text).json
    assert told["games"] == kingme("pdn", "stats", "-", "--json", given=text).json["games"] == 3
    assert told["notes"][-1]["game"] == 3
    done = kingme("pdn", "filter", "-", "--invert", "--event", "zz", given=text)
    assert "3 of 3 games written" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("pdn", "convert", "-"),
        ("pdn", "merge", "-"),
        ("pdn", "dedupe", "-"),
        ("pdn", "filter", "-"),
        ("pdn", "stats", "-"),
        ("pdn", "split", "-", "--games", "1", "--into", "parts"),
        ("db", "import", "-", "--db", "games.db"),
    ],
)
def test_what_was_wrong_is_said_in_one_line(kingme, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    text = f"{ODD}\n{WRONG}"
    done = kingme(*words, given=text.encode())
    assert done.code == 0
    (line,) = [line for line in done.err.splitlines() if line.startswith("kingme: ")]
    wanted = "kingme: 1 error, 1 oddity in what was read: kingme pdn check --odd lists them"
    assert line == wanted


def test_of_a_game_the_first_error_is_said_and_of_a_file_how_many_games_it_has(kingme):
    words = ("pdn", "export", "-", "--format", "svg", "-o", "-")
    text = f"{ODD}\n{WRONG} {{unclosed".encode()
    wrong = [
        "kingme: line 12 of standard input: 23-17 is not legal: the piece on 23 cannot go there. "
        "Legal: 21-17, 22-17, 22-18, 23-18, 23-19, 24-19, 24-20",
        "kingme: 1 error more in what was read: kingme pdn check lists them",
    ]
    assert kingme(*words, "--game", "2", given=text).err.splitlines() == wrong
    assert kingme(*words, given=text).err.splitlines() == [
        "kingme: this is game 1 of 2: --game takes another",
        "kingme: 1 oddity in what was read: kingme pdn check --odd lists them",
    ]
    many = (ODD * 1002).encode()
    assert "game 1 of more than 1,000: " in kingme(*words, given=many).err


def test_nothing_is_said_where_nothing_is_wrong(kingme, files):
    assert kingme("pdn", "convert", files / "one.pdn").err == ""
    assert kingme("db", "import", files / "one.pdn", "--db", files / "games.db").err == ""


def test_the_variant_of_games_that_do_not_say_theirs(kingme, tmp_path):
    text = f'{RUSSIAN}\n[GameType "21"]\n{FIRST}'.encode()
    words = ("-", "--variant", "russian")
    done = kingme("pdn", "check", *words, given=text)
    assert done.code == 0 and "2 games, 6 plies" in done.out
    told = kingme("pdn", "stats", *words, "--json", given=text).json
    assert told["variants"] == {"russian": 1, "english": 1}
    written = kingme("pdn", "convert", *words, given=text)
    assert written.err == ""
    assert [game.start.variant.name for game in read(written.out)] == ["russian", "english"]
    assert "1 error in what was read" in kingme("pdn", "convert", "-", given=RUSSIAN.encode()).err


def test_utf_16(kingme, tmp_path):
    path = tmp_path / "wide.pdn"
    path.write_bytes(f"{FIRST}\n{SECOND}".encode("utf-16"))
    done = kingme("pdn", "check", "--odd", path)
    assert done.code == 0
    assert f"{path}:1:1: odd in game 1: the text is UTF-16, not UTF-8" in done.out
    out = tmp_path / "out.pdn"
    assert kingme("pdn", "convert", path, "-o", out).code == 0
    assert games(out) == list(read(f"{FIRST}\n{SECOND}"))


def test_an_import_of_utf_16_that_is_stopped_begins_again(kingme, tmp_path, monkeypatch):
    texts = [FIRST.replace("Club", f"Clüb {number}") for number in range(10)]
    path, collection = tmp_path / "wide.pdn", tmp_path / "games.db"
    path.write_bytes("\n".join(texts).encode("utf-16"))
    monkeypatch.setattr(reading, "BATCH", 4)
    write, asked = vars(reading)["write"], []

    def stop(game):
        asked.append(game)
        if len(asked) == 7:
            raise KeyboardInterrupt
        return write(game)

    monkeypatch.setattr(reading, "write", stop)
    assert kingme("db", "import", path, "--db", collection).code == 130
    done = kingme("db", "import", path, "--db", collection)
    assert "10 games, 6 added, 4 there before" in done.out
    with Collection(collection) as whole:
        events = [game.event for game in whole.search(Query()).games]
        assert events == [f"Clüb {number}" for number in range(10)]


@pytest.mark.parametrize(
    ("moves", "word"),
    [
        ("11-15 99", "'99' is no move"),
        ("11-15 99.", "'99.' is no move"),
        ("11-15 2. 22-17", "'2.' is no move"),
        ("1. 2. 11-15", "'2.' is no move"),
        ("11-15 22-17 2.", "'2.' is a number that no move follows"),
        ("11-15 rubbish", "rubbish"),
        ("11-15 ²", "²"),
    ],
)
def test_words_that_are_no_moves_are_named(kingme, files, moves, word):
    kingme("db", "import", files / "one.pdn", "--db", files / "games.db")
    for words in (
        ("db", "search", "--db", files / "games.db"),
        ("db", "tree", "--db", files / "games.db"),
        ("pdn", "filter", files / "one.pdn"),
    ):
        assert word in kingme.refused(*words, "--moves", moves)


@pytest.mark.parametrize(
    "moves", ["1. 11-15 23-19 2. 8-11", "11-15,23-19,8-11", "1. 11-15 1... 23-19 2. 8-11"]
)
def test_moves_with_and_without_numbers(kingme, files, moves):
    done = kingme("pdn", "filter", files / "one.pdn", "--moves", moves)
    assert "1 of 2 games written" in done.err
