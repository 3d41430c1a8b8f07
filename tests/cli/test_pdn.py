"""``kingme pdn``: files of games are checked, converted, divided, put together and drawn."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kingme.rules.pdn import read

from .calling import kingme

__all__ = ["kingme"]

COMMAND = str(Path(sys.executable).with_name("kingme"))

FIRST = """[Event "Club"]
[Date "1904.05.01"]
[Black "Ann Lee"]
[White "Bob"]
[Result "1-0"]

1. 9-13 {a start} 22-18 2. 6-9 $1 (2. 12-16 24-20) 25-22 1-0
"""
SECOND = """[Event "Open"]
[Date "1950.??.??"]
[Black "Désirée"]
[White "Ann Lee"]
[Result "1/2-1/2"]

1. 11-15 23-19 2. 8-11 22-17 1/2-1/2
"""
AGAIN = """[Event "club "]
[Black "LEE, ann".]
[White "bob"]
[Result "1-0"]

1. 9-13 22-18 2. 6-9 25-22 1-0
""".replace('".]', '"]').replace("LEE, ann", "lee  ANN")
WRONG = """[Event "Bad"]
[Result "*"]

1. 11-15 23-17 {no} *
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "one.pdn").write_text(f"{FIRST}\n{SECOND}", encoding="utf-8")
    (tmp_path / "two.pdn").write_text(AGAIN, encoding="utf-8")
    (tmp_path / "bad.pdn").write_text(f"{FIRST}\n{WRONG}", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        archive.write(tmp_path / "one.pdn", "folder/one.pdn")
        archive.write(tmp_path / "two.pdn", "two.PDN")
        archive.writestr("readme", "no games")
    return tmp_path


def games(path):
    return list(read(Path(path).read_bytes()))


class TestCheck:
    def test_the_last_line_counts(self, kingme, files):
        done = kingme("pdn", "check", files / "one.pdn", files / "two.pdn")
        assert done.code == 0
        assert done.out.splitlines()[-1].startswith("3 games, 12 plies, 0 repairs, 0 errors, ")

    def test_an_archive_and_standard_input(self, kingme, files):
        assert "3 games, 12 plies" in kingme("pdn", "check", files / "both.zip").out
        done = kingme("pdn", "check", "-", given=FIRST.encode())
        assert "1 game, 4 plies" in done.out

    def test_an_error_has_its_place_and_status_1(self, kingme, files):
        done = kingme("pdn", "check", files / "bad.pdn")
        assert done.code == 1
        *notes, last = done.out.splitlines()
        assert "2 games, 5 plies, 0 repairs, 1 error," in last
        (note,) = notes
        assert note.startswith(f"{files / 'bad.pdn'}:12:10: error in game 2: ")
        quiet = kingme("pdn", "check", "-q", files / "bad.pdn")
        assert quiet.code == 1 and quiet.out.splitlines() == [quiet.out.strip()]

    def test_json(self, kingme, files):
        done = kingme("pdn", "check", "--json", files / "bad.pdn", files / "two.pdn")
        assert done.code == 1
        told = done.json
        assert (told["games"], told["plies"], told["errors"]) == (3, 9, 1)
        assert [item["games"] for item in told["files"]] == [2, 1]
        assert (told["notes"][0]["line"], told["notes"][0]["game"]) == (12, 2)

    def test_no_more_notes_than_asked_for(self, kingme, tmp_path):
        (tmp_path / "many.pdn").write_text("\n".join([WRONG] * 5))
        done = kingme("pdn", "check", "--limit", "2", tmp_path / "many.pdn")
        assert len(done.out.splitlines()) == 4
        assert "... and 3 more: --limit 0 lists all" in done.out
        assert (
            len(kingme("pdn", "check", "--limit", "0", tmp_path / "many.pdn").out.splitlines()) == 6
        )

    def test_files_that_cannot_be_read(self, kingme, files):
        assert "nothing.pdn cannot be read: No such file" in kingme.refused(
            "pdn", "check", files / "nothing.pdn"
        )
        assert "is a folder: name the files in it" in kingme.refused("pdn", "check", files)
        broken = files / "broken.zip"
        broken.write_bytes((files / "both.zip").read_bytes()[:150])
        assert "is no archive that can be read" in kingme.refused("pdn", "check", broken)

    def test_words_of_a_file_do_not_steer_the_terminal(self, kingme):
        text = FIRST.replace('"Ann Lee"', '"\x1b[2JAnn"')
        done = kingme("pdn", "stats", "-", given=text.encode())
        assert "\x1b" not in done.out and "[2JAnn" in done.out

    def test_a_variant_that_there_is_not(self, kingme, files):
        said = kingme.refused("pdn", "check", "--variant", "chess", files / "one.pdn")
        assert said.startswith("there is no variant 'chess': there are ")

    def test_an_empty_file(self, kingme, tmp_path):
        (tmp_path / "empty.pdn").write_text("")
        done = kingme("pdn", "check", tmp_path / "empty.pdn")
        assert done.code == 0 and done.out.startswith("0 games, 0 plies")


class TestConvert:
    def test_nothing_is_lost(self, kingme, files):
        out = files / "out.pdn"
        assert kingme("pdn", "convert", files / "one.pdn", "-o", out).code == 0
        assert games(out) == games(files / "one.pdn")

    def test_letters_and_back(self, kingme, files):
        done = kingme("pdn", "convert", "--letters", files / "one.pdn")
        assert "a5" in done.out and "9-13" not in done.out
        back = kingme("pdn", "convert", "-", given=done.out.encode())
        assert list(read(back.out)) == games(files / "one.pdn")

    def test_encodings_and_line_ends(self, kingme, files):
        out = files / "out.pdn"
        words = ("pdn", "convert", files / "one.pdn", "--force", "-o", out)
        kingme(*words, "--encoding", "latin-1", "--ends", "crlf")
        data = out.read_bytes()
        assert b"D\xe9sir\xe9e" in data
        assert data.count(b"\r\n") == data.count(b"\n")
        assert games(out) == games(files / "one.pdn")
        kingme(*words, "--encoding", "utf-8-sig")
        data = out.read_bytes()
        assert data.startswith(b"\xef\xbb\xbf") and data.count(b"\xef\xbb\xbf") == 1
        assert games(out) == games(files / "one.pdn")

    def test_a_letter_that_latin_1_has_not(self, kingme, files):
        text = SECOND.replace("Désirée", "Łukasz")
        out = files / "out.pdn"
        words = ("pdn", "convert", "-", "--encoding", "latin-1", "-o", out)
        said = kingme.refused(*words, given=text.encode())
        assert said == ("standard input: game 1 holds 'Ł', which latin-1 cannot write: use utf-8")
        assert not out.exists()

    def test_what_is_there_stays(self, kingme, files):
        out = files / "out.pdn"
        out.write_text("mine")
        said = kingme.refused("pdn", "convert", files / "one.pdn", "-o", out)
        assert said == f"{out} is there already: --force overwrites it"
        assert out.read_text() == "mine"
        assert kingme("pdn", "convert", files / "one.pdn", "-o", out, "--force").code == 0
        assert len(games(out)) == 2
        assert sorted(path.name for path in files.iterdir()) == sorted(
            ["one.pdn", "two.pdn", "bad.pdn", "both.zip", "out.pdn"]
        )

    def test_a_file_that_fails_leaves_nothing_behind(self, kingme, files):
        out = files / "out.pdn"
        said = kingme.refused("pdn", "convert", files / "one.pdn", files / "no.pdn", "-o", out)
        assert "no.pdn cannot be read" in said
        assert not out.exists()
        said = kingme.refused("pdn", "convert", files / "one.pdn", "-o", files / "no" / "x.pdn")
        assert "cannot be written: No such file or directory" in said
        assert "is a folder" in kingme.refused("pdn", "convert", files / "one.pdn", "-o", files)


class TestMerge:
    def test_in_the_order_of_files_or_sorted(self, kingme, files):
        done = kingme("pdn", "merge", files / "two.pdn", files / "one.pdn")
        assert [game.tags["Event"] for game in read(done.out)] == ["club ", "Club", "Open"]
        done = kingme("pdn", "merge", files / "both.zip", "--order", "event")
        assert [game.tags["Event"] for game in read(done.out)] == ["club ", "Club", "Open"]
        done = kingme("pdn", "merge", files / "one.pdn", "--order", "date")
        assert [game.tags["Date"] for game in read(done.out)] == ["1904.05.01", "1950.??.??"]


class TestDedupe:
    def test_the_same_game_by_the_same_players(self, kingme, files):
        done = kingme("pdn", "dedupe", files / "both.zip", files / "one.pdn")
        assert len(list(read(done.out))) == 2
        assert "2 games written, 3 left out" in done.err
        done = kingme("pdn", "dedupe", "--same", "all", files / "both.zip", files / "one.pdn")
        assert len(list(read(done.out))) == 3

    def test_the_same_moves(self, kingme, files):
        other = FIRST.replace("Bob", "Carl")
        done = kingme("pdn", "dedupe", "-", given=f"{FIRST}\n{other}".encode())
        assert len(list(read(done.out))) == 2
        done = kingme("pdn", "dedupe", "-", "--same", "moves", given=f"{FIRST}\n{other}".encode())
        assert len(list(read(done.out))) == 1


class TestSplit:
    def test_so_many_a_file(self, kingme, files):
        into = files / "parts"
        done = kingme("pdn", "split", files / "both.zip", "--into", into, "--games", "2")
        assert done.out == f"3 games written to 2 files in {into}\n"
        assert [len(games(path)) for path in sorted(into.iterdir())] == [2, 1]
        said = kingme.refused("pdn", "split", files / "both.zip", "--into", into, "--games", "2")
        assert "games-00001.pdn is there already" in said

    @pytest.mark.parametrize(
        ("by", "names"),
        [
            ("event", {"club": 1, "club-2": 1, "open": 1}),
            ("player", {"ann-lee": 2, "bob": 1, "desiree": 1, "lee-ann": 1, "bob-2": 1}),
            ("year", {"1904": 1, "1950": 1, "unknown": 1}),
            ("opening", {"ballot-005": 2, "ballot-126": 1}),
            ("variant", {"english": 3}),
        ],
    )
    def test_by_what_they_have_in_common(self, kingme, files, by, names):
        into = files / "parts"
        assert kingme("pdn", "split", files / "both.zip", "--into", into, "--by", by).code == 0
        assert {path.stem: len(games(path)) for path in into.iterdir()} == names

    def test_what_cannot_be(self, kingme, files):
        words = ("pdn", "split", files / "one.pdn", "--into", files / "x")
        assert "split either by" in kingme.refused(*words)
        assert "'colour' is nothing to split by" in kingme.refused(*words, "--by", "colour")


class TestStats:
    def test_counts(self, kingme, files):
        done = kingme("pdn", "stats", "--json", files / "both.zip")
        told = done.json
        assert (told["games"], told["plies"], told["average"]) == (3, 12, 4.0)
        assert told["results"] == {"Black": 2, "draw": 1}
        assert told["players"]["Ann Lee"] == 2
        assert told["openings"] == {
            "three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9": 2,
            "three-move ballot 126: 11-15 23-19 8-11": 1,
        }
        assert list(told["years"]) == ["1904", "1950", "unknown"]
        said = kingme("pdn", "stats", files / "both.zip").out
        assert "3 games, 12 plies, 4.0 a game" in said
        assert "      2  three-move ballot 5, Dreaded Edinburgh" in said


class TestFilter:
    def test_games_that_do_not_say_their_variant(self, kingme, files):
        path, db = files / "moscow.pdn", files / "games.db"
        path.write_text('[Event "Moscow"]\n\n1. c3-d4 f6-g5 *\n')
        words = ("pdn", "filter", path, "--variant", "russian")
        assert "0 of 1 game written" in kingme(*words).err
        done = kingme(*words, "--default", "russian", "--clean")
        assert '[GameType "25"]' in done.out and "1. 22-18 11-16 *" in done.out
        assert "there is no variant 'x'" in kingme.refused(*words, "--default", "x")
        # So they can be imported; read as another variant's they are other games.
        for default, more in (("english", "1 with errors"), ("russian", "0 with errors")):
            done = kingme("db", "import", path, "--variant", default, "--db", db)
            assert "1 game, 1 added" in done.out and more in done.out
        done = kingme("db", "import", path, "--variant", "russian", "--db", db)
        assert "nothing to add" in done.out

    @pytest.mark.parametrize(
        ("words", "events"),
        [
            (["--player", "lee ann"], ["Club", "Open", "club "]),
            (["--black", "desiree"], ["Open"]),
            (["--since", "1905"], ["Open"]),
            (["--until", "1904"], ["Club"]),
            (["--opening", "5"], ["Club", "club "]),
            (["--moves", "1. 9-13 22-18 6-9"], ["Club", "club "]),
            (["--moves", "9-13 22-18", "--invert"], ["Open"]),
            (["--result", "draw"], ["Open"]),
            (["--event", "CLUB", "--until", "2000"], ["Club"]),
            (["--plies", "5"], []),
            (["--material", "12m v 12m", "--clean"], ["Club", "Open", "club "]),
            (["--variant", "russian"], []),
        ],
    )
    def test_conditions(self, kingme, files, words, events):
        done = kingme("pdn", "filter", files / "both.zip", *words)
        assert done.code == 0
        assert [game.tags["Event"] for game in read(done.out)] == events
        assert f"{len(events)} of 3 games written" in done.err

    def test_what_cannot_be_asked(self, kingme, files):
        words = ("pdn", "filter", files / "one.pdn")
        assert "no result" in kingme.refused(*words, "--result", "1-0")
        assert "nonsense" in kingme.refused(*words, "--fen", "nonsense")
        assert "not legal" in kingme.refused(*words, "--moves", "9-13 9-13")

    def test_games_without_errors(self, kingme, files):
        done = kingme("pdn", "filter", "--clean", files / "bad.pdn")
        assert [game.tags["Event"] for game in read(done.out)] == ["Club"]


class TestExport:
    @pytest.mark.parametrize(
        ("name", "begin"),
        [("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.gif", b"GIF89a")],
    )
    def test_forms(self, kingme, files, name, begin):
        out = files / name
        done = kingme(
            *("pdn", "export", files / "one.pdn", "--game", "2", "-o", out, "--size", "100")
        )
        assert done.code == 0, done.err
        assert out.read_bytes().startswith(begin)
        assert done.out == f"{out}: {out.stat().st_size} bytes\n"

    def test_a_position(self, kingme, files):
        done = kingme(
            *("pdn", "export", "--fen", "W:W31:BK3", "--format", "svg", "-o", "-"),
            *("--below", "black", "--plain"),
        )
        assert done.out.startswith("<svg")

    def test_a_ply(self, kingme, files):
        pictures = []
        for ply in (0, 1):
            done = kingme(
                *("pdn", "export", files / "one.pdn", "--ply", ply, "-o", "-", "--format", "svg")
            )
            pictures.append(done.out)
        assert pictures[0] != pictures[1]

    def test_what_cannot_be_drawn(self, kingme, files):
        one = (files / "one.pdn", "--game", "1")
        assert "does not say how to draw" in kingme.refused("pdn", "export", *one, "-o", "a.bmp")
        out = files / "a.svg"
        assert "no game 3" in kingme.refused("pdn", "export", *one, "--game", "3", "-o", out)
        assert "has 4 plies, not 9" in kingme.refused(
            "pdn", "export", *one, "--ply", "9", "-o", out
        )
        assert "name either files" in kingme.refused("pdn", "export", "-o", out)
        assert "theme" in kingme.refused("pdn", "export", *one, "--theme", "no", "-o", out)
        assert not out.exists()


def test_the_installed_command(files):
    done = subprocess.run(
        [COMMAND, "pdn", "check", "--json", files / "one.pdn"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2
    assert done.stderr == ""
