"""What the commands do with files that are none: links, pipes, devices, names of any script."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
import zipfile

import pytest

from kingme.rules.pdn import read

from .calling import kingme
from .test_pdn import COMMAND, FIRST, SECOND, files, games

__all__ = ["files", "kingme"]


class Pipe:
    """A named pipe, and a thread at its other end."""

    def __init__(self, path, given=None):
        os.mkfifo(path)
        self.path = path
        self.read = b""
        self._thread = threading.Thread(target=self._run, args=(given,), daemon=True)
        self._thread.start()

    def _run(self, given):
        if given is None:
            self.read = self.path.read_bytes()
        else:
            self.path.write_bytes(given)

    def end(self):
        self._thread.join(30)
        return self.read


WRITING = [
    ("pdn", "convert", "one.pdn", "-o"),
    ("pdn", "merge", "one.pdn", "-o"),
    ("pdn", "filter", "one.pdn", "-o"),
    ("pdn", "export", "one.pdn", "--game", "1", "--format", "svg", "-o"),
    ("db", "search", "--db", "games.db", "--pdn"),
]


@pytest.fixture
def there(kingme, files, monkeypatch):
    monkeypatch.chdir(files)
    assert kingme("db", "import", "one.pdn", "--db", "games.db").code == 0
    return files


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("words", WRITING)
def test_a_pipe_is_written_to(kingme, there, words, force):
    pipe = Pipe(there / "pipe")
    done = kingme(*words, "pipe", *force)
    assert done.code == 0, done
    assert stat.S_ISFIFO(pipe.path.stat().st_mode)
    plain = kingme(*words, "plain")
    assert plain.code == 0
    assert pipe.end() == (there / "plain").read_bytes() != b""


@pytest.mark.parametrize("words", WRITING)
def test_a_link_is_followed_and_a_mode_is_kept(kingme, there, words):
    target, link = there / "target", there / "link"
    link.symlink_to("target")
    assert kingme(*words, "link").code == 0, "a link to nothing is where a file may be made"
    assert link.is_symlink() and target.stat().st_size > 0
    target.write_text("mine")
    target.chmod(0o640)
    assert "link is there already" in kingme.refused(*words, "link")
    assert target.read_text() == "mine"
    assert kingme(*words, "link", "--force").code == 0
    assert link.is_symlink() and not target.is_symlink()
    assert target.read_text() != "mine"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert not list(there.glob(".*"))


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
@pytest.mark.parametrize("words", WRITING)
def test_the_output_by_its_other_name(kingme, there, words, name):
    done = kingme(*words, name)
    assert done.code == 0
    assert done.out == kingme(*words, "-").out != ""


def test_a_reader_that_goes_away_is_named(kingme, there):
    text = "\n".join([FIRST] * 2000)
    os.mkfifo(there / "pipe")
    reading = threading.Thread(target=lambda: (there / "pipe").open("rb").close(), daemon=True)
    reading.start()
    said = kingme.refused("pdn", "convert", "-", "-o", "pipe", given=text.encode())
    assert said == "pipe cannot be written: Broken pipe"
    reading.join(30)


def test_split_follows_links_and_writes_to_pipes(kingme, there):
    into = there / "parts"
    into.mkdir()
    (into / "club.pdn").symlink_to(there / "target")
    (there / "target").write_text("mine")
    pipe = Pipe(into / "open.pdn")
    words = ("pdn", "split", "one.pdn", "--into", into, "--by", "event")
    assert "club.pdn is there already" in kingme.refused(*words)
    assert kingme(*words, "--force").code == 0
    assert len(games(there / "target")) == 1
    assert (into / "club.pdn").is_symlink()
    assert [game.tags["Event"] for game in read(pipe.end())] == ["Open"]


@pytest.mark.parametrize("words", [("pdn", "check"), ("pdn", "stats"), ("db", "import")])
def test_a_pipe_is_read_once(kingme, files, words):
    more = ("--db", files / "games.db") if words[0] == "db" else ()
    pipe = Pipe(files / "pipe", f"{FIRST}\n{SECOND}".encode())
    done = kingme(*words, pipe.path, *more)
    assert done.code == 0 and "2 games" in done.out
    pipe.end()
    (files / "pipe").unlink()
    pipe = Pipe(files / "pipe", (files / "both.zip").read_bytes())
    done = kingme(*words, pipe.path, *more)
    assert done.code == 0 and ("3 games" in done.out or "two.PDN: 1 game," in done.out)
    pipe.end()


def test_an_archive_on_standard_input(kingme, files):
    done = kingme("pdn", "check", "-", given=(files / "both.zip").read_bytes())
    assert done.code == 0 and "3 games, 12 plies" in done.out
    words = ("db", "import", "-", "--db", files / "games.db")
    done = kingme(*words, given=(files / "both.zip").read_bytes())
    assert "standard input:two.PDN: 1 game, 1 added" in done.out


def test_an_archive_of_nothing(kingme, tmp_path):
    with zipfile.ZipFile(tmp_path / "none.zip", "w"):
        pass
    said = kingme.refused("pdn", "check", tmp_path / "none.zip")
    assert said.endswith("none.zip is an archive of no files")


def test_standard_input_by_its_other_name(files):
    for given in ("/dev/stdin", "-"):
        done = subprocess.run(
            [COMMAND, "pdn", "check", given],
            input=FIRST,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0 and done.stdout.startswith("1 game, 4 plies")


def test_names_that_are_none(kingme, files):
    assert kingme.refused("pdn", "check", "") == "there is no file without a name: '' is given"
    assert "name - once" in kingme.refused("pdn", "check", "-", "/dev/stdin")
    words = ("pdn", "split", files / "one.pdn", "--games", "1", "--into")
    assert "one.pdn is no folder" in kingme.refused(*words, files / "one.pdn")
    assert "cannot be made: Not a directory" in kingme.refused(*words, files / "one.pdn" / "x")
    out = files / "g6.svg"
    said = kingme.refused("pdn", "export", files / "one.pdn", "-o", out, "--format", "bmp")
    assert said == "'bmp' is no format here: there are svg, png and gif"


def test_players_of_every_script_have_their_file(kingme, tmp_path):
    names = {
        "Жуков, Анатолий": "жуков-анатолий",
        "佐藤 健": "佐藤-健",
        "हिन्दी": "हिन्दी",
        "Désirée Ñ.": "desiree-n",
        "../../etc": "etc",
        "Con": "con-",
        "\u0301!": "unknown",
        "о" * 300: "о" * 90,
    }
    text = "\n".join(f'[Black "{name}"]\n[White "x"]\n\n1. 11-15 *\n' for name in names)
    into = tmp_path / "parts"
    words = ("pdn", "split", "-", "--into", into, "--by", "player")
    assert kingme(*words, given=text.encode()).code == 0
    assert {path.stem for path in into.iterdir()} == {*names.values(), "x"}
