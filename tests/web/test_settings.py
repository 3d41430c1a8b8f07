"""Settings from a file and the environment, and what is said of those that are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from kingme.errors import SettingsError
from kingme.play.room import DEFAULT_ROOMS, Room
from kingme.web.settings import LOOPBACK, Chips, Settings, load

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "kingme.toml"


@pytest.fixture
def written(tmp_path):
    """Write a settings file."""

    def write(text):
        path = tmp_path / "kingme.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def wrong(path, environ=None):
    with pytest.raises(SettingsError) as caught:
        load(path, environ or {})
    return [line.partition(": ")[2] for line in str(caught.value).splitlines()]


class TestExample:
    def test_it_holds_the_defaults(self):
        assert load(EXAMPLE, {}) == Settings()

    def test_it_shows_every_setting(self):
        text = EXAMPLE.read_text()
        for name in [
            *Settings.__struct_fields__,
            *Chips.__struct_fields__,
            *Room.__struct_fields__,
        ]:
            if name != "rooms":
                assert re.search(rf"^(# )?{name} = |^\[{name}\]", text, re.M), name

    def test_what_is_commented_out_can_be_used(self, written):
        text = re.sub(r"^# (\w+ = )", r"\1", EXAMPLE.read_text(), flags=re.M)
        text = text.replace('database = "sqlite:////var/lib/kingme/kingme.db"\n', "")
        chosen = load(written(text), {})
        assert chosen.database == "postgresql://kingme:PASSWORD@localhost/kingme"
        assert chosen.redis == "redis://localhost:6379/0"
        assert chosen.rooms["passport"].preset == "standard"


class TestSources:
    def test_without_any_all_is_as_it_was(self):
        assert load(None, {}) == Settings()
        assert Settings().hosts == LOOPBACK
        assert Settings().rooms == DEFAULT_ROOMS

    def test_a_file_by_argument_or_by_name(self, written, tmp_path):
        path = written("queue = 7")
        assert load(path, {"KINGME_CONFIG": str(tmp_path / "none")}).queue == 7
        assert load(None, {"KINGME_CONFIG": str(path)}).queue == 7

    def test_the_environment_wins(self, written):
        path = written('database = "sqlite:///one.db"\nhosts = ["a.example"]')
        chosen = load(
            path,
            {
                "KINGME_DATABASE": "postgresql://db/kingme",
                "KINGME_REDIS": "redis://cache",
                "KINGME_DATA_DIR": "/data",
                "KINGME_HOSTS": " B.example, c.example ,",
                "KINGME_PROXIES": "10.0.0.0/8,::1",
                "KINGME_METRICS": "10.1.2.3",
                "KINGME_LISTEN": "0.0.0.0",
                "KINGME_PORT": "80",
                "KINGME_CACHE_DIR": "elsewhere",
                "HOME": "/nowhere",
            },
        )
        assert chosen.database_url == "postgresql://db/kingme"
        assert chosen.redis == "redis://cache"
        assert chosen.folder == Path("/data")
        assert chosen.hosts == frozenset({"b.example", "c.example"})
        assert chosen.proxies == ("10.0.0.0/8", "::1")
        assert chosen.metrics == ("10.1.2.3",)
        assert (chosen.listen, chosen.port) == ("0.0.0.0", 80)

    def test_blank_names_say_nothing(self, written):
        path = written('database = "sqlite:///one.db"')
        assert load(path, {"KINGME_DATABASE": " "}).database_url == "sqlite:///one.db"

    def test_a_star_is_any_name(self, written):
        assert load(written('hosts = ["*"]'), {}).hosts is None
        assert load(None, {"KINGME_HOSTS": "*"}).hosts is None

    def test_the_database_is_a_file_of_its_own_by_default(self, tmp_path):
        assert load(None, {}).database_url.endswith("kingme.db")
        chosen = load(None, {"KINGME_DATA_DIR": str(tmp_path)})
        assert chosen.database_url == f"sqlite:///{tmp_path}/kingme.db"

    def test_rooms_are_those_of_the_file(self, written):
        path = written('[[room]]\nname = "club"\nstakes = [5]\n[chips]\nwelcome = 9')
        chosen = load(path, {})
        assert list(chosen.rooms) == ["club"]
        assert chosen.rooms["club"].stakes == (5,)
        assert chosen.chips == Chips(welcome=9, daily=50)


class TestWrong:
    def test_every_fault_is_told_at_once(self, written):
        path = written(
            """
            databse = "x"
            queue = -1
            port = "80"
            hosts = "here"
            searches = 1.5
            proxies = ["home", 3]
            metrics = ["10.0.0.1/8"]
            redis = "http://cache"
            database = "mysql://x"
            queue_seconds = 0
            umlaut = "red"
            [chips]
            welcom = 3
            daily = true
            [[room]]
            name = "A"
            """
        )
        assert wrong(path) == [
            "databse is no setting: did you mean database?",
            "queue must be at least 0",
            "port must be a whole number, not text in quotes",
            "hosts must be a list, not text in quotes",
            "searches must be a whole number, not a number",
            "proxies must hold text in quotes, not a whole number",
            "queue_seconds must be more than 0",
            f"umlaut is no setting: there are {', '.join(names())}",
            "chips.welcom is no setting: did you mean welcome?",
            "chips.daily must be a whole number, not true or false",
            "metrics holds '10.0.0.1/8': write addresses or networks, such as 10.0.0.0/8",
            "database must begin with sqlite:/// or postgresql://",
            "redis must begin with redis://, rediss:// or unix://",
            "room number 1, name: 'A' is not a name of lower-case letters a-z and digits",
        ]

    def test_the_environment_is_named(self):
        assert wrong(None, {"KINGME_PORT": "99999"}) == ["KINGME_PORT must be at most 65535"]
        assert wrong(None, {"KINGME_PORT": "x"}) == ["KINGME_PORT must be a whole number, not text"]

    def test_a_file_that_cannot_be_read(self, written, tmp_path):
        (line,) = wrong(tmp_path / "none.toml")
        assert line.startswith("cannot be read: ")
        (line,) = wrong(written("queue = "))
        assert line.startswith("is not TOML: ")
        path = tmp_path / "latin"
        path.write_bytes(b"\xff")
        assert wrong(path) == ["is not a text in UTF-8"]

    def test_one_room_is_not_a_table(self, written):
        assert wrong(written('[room]\nname = "a"')) == ["room: begin each room with [[room]]"]


def names():
    return [name if name != "rooms" else "room" for name in Settings.__struct_fields__]


def test_passwords_are_not_shown():
    shown = repr(Settings(database="postgresql://me:pw1@db/x", redis="redis://:pw2@cache"))
    assert "pw1" not in shown
    assert "pw2" not in shown
    assert "db/x" in shown


def test_settings_cannot_be_changed():
    with pytest.raises(AttributeError):
        Settings().queue = 3
    assert msgspec.structs.replace(Settings(), queue=3).queue == 3
