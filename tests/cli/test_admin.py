"""What an operator does by ``kingme admin``: on a real database, and always with a trace."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass

import anyio
import pytest

from kingme.cli import main
from kingme.cli.admin_shared import actor, named
from kingme.play.stakes import welcome
from kingme.store import open_store
from kingme.web.auth import Passwords

NOW = 1_800_000_000_000


@dataclass
class Said:
    status: int
    out: str
    err: str

    @property
    def value(self):
        return json.loads(self.out)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'kingme.db'}"


@pytest.fixture
def store(url):
    made = open_store(url)
    made.migrate()
    yield made
    made.close()


@pytest.fixture
def anna(store):
    user = store.users.add("Anna", NOW, "old")
    store.ledger.book(welcome(user.id, NOW))
    return user


@pytest.fixture
def guest(store):
    return store.users.add("Guest-K7P2QX", NOW)


@pytest.fixture
def admin(url, monkeypatch, capsys):
    """Give a command as a person would."""

    def run(*words, stdin="", database=url):
        monkeypatch.setattr(sys, "argv", ["kingme", "admin", "--database", database, *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Said(status, said.out, said.err)

    return run


def refused(said, text):
    """One line on standard error, and status 2."""
    assert said.status == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert text in said.err


class TestTheDatabase:
    def test_a_file_that_is_not_there_is_not_made(self, admin, tmp_path):
        said = admin("audit", database=f"sqlite:///{tmp_path / 'no.db'}")
        refused(said, f"there is no database {tmp_path / 'no.db'}: name the server's by")
        assert not (tmp_path / "no.db").exists()

    def test_but_by_migrate(self, admin, tmp_path):
        url = f"sqlite:///{tmp_path / 'new' / 'kingme.db'}"
        made = admin("migrate", database=url)
        assert made.out == f"The tables of {tmp_path / 'new' / 'kingme.db'} are up to date.\n"
        assert admin("users", "list", database=url).out == "There is nobody of that name.\n"

    @pytest.mark.parametrize(
        ("url", "name"),
        [
            ("postgresql://me:secret@db.example.org:5433/kingme", "kingme at db.example.org:5433"),
            ("postgresql://me@/kingme?host=/run/postgresql", "kingme at /run/postgresql"),
            ("postgresql:///kingme", "kingme at this machine"),
            ("sqlite:////var/lib/kingme.db", "/var/lib/kingme.db"),
        ],
    )
    def test_is_named_without_a_password(self, url, name):
        assert named(url) == name

    def test_an_address_that_is_none(self, admin):
        said = admin("audit", database="nowhere")
        assert said.status == 2
        assert "database" in said.err

    @pytest.mark.parametrize("url", ["postgresql://x@127.0.0.1:1/x", "sqlite:////dev/null/x.db"])
    def test_one_that_cannot_be_reached(self, admin, url):
        said = admin("audit", database=url)
        assert (said.status, said.out) == (2, "")
        assert said.err.startswith("kingme: ")
        assert said.err.count("\n") == 1

    def test_a_setting_that_is_wrong(self, admin, tmp_path, monkeypatch):
        config = tmp_path / "kingme.toml"
        config.write_text("prot = 1\n")
        monkeypatch.setenv("KINGME_CONFIG", str(config))
        refused(admin("audit"), "did you mean port?")


class TestPeople:
    def test_are_listed(self, admin, anna, guest):
        lines = admin("users", "list").out.splitlines()
        assert lines[0].split()[:3] == ["id", "name", "guest"]
        assert lines[1].split()[:3] == [str(anna.id), "Anna", "no"]
        assert lines[2].split()[:3] == [str(guest.id), "Guest-K7P2QX", "yes"]

    @pytest.mark.parametrize(
        ("text", "names"),
        [("ann", ["Anna"]), ("K7p2", ["Guest-K7P2QX"]), ("%", []), ("_", []), ("", 2)],
    )
    @pytest.mark.usefixtures("anna", "guest")
    def test_are_found_by_a_part_of_the_name(self, admin, text, names):
        found = [row["name"] for row in admin("users", "list", text, "--json").value]
        assert found == names or len(found) == names

    @pytest.mark.usefixtures("anna", "guest")
    def test_come_in_pages(self, admin, anna):
        said = admin("users", "list", "--limit", "1")
        assert said.out.endswith(f"There may be more: --after {anna.id}\n")
        rest = admin("users", "list", "--after", str(anna.id), "--json").value
        assert [row["name"] for row in rest] == ["Guest-K7P2QX"]

    @pytest.mark.usefixtures("anna")
    def test_are_shown(self, admin):
        row = admin("users", "show", "anna", "--json").value[0]
        assert (row["name"], row["chips"], row["points"]) == ("Anna", 150, 0)
        assert "password" not in row
        assert "chips           150\n" in admin("users", "show", "ANNA").out

    @pytest.mark.parametrize(
        "words",
        [
            ("users", "show"),
            ("users", "password"),
            ("users", "disable"),
            ("users", "enable"),
        ],
    )
    @pytest.mark.usefixtures("store")
    def test_nobody(self, admin, words):
        refused(admin(*words, "nobody"), "there is no player 'nobody'")


class TestPasswords:
    def fits(self, store, password):
        stored = store.users.user("Anna").password
        return anyio.run(Passwords().fits, stored, password)

    @pytest.mark.usefixtures("anna")
    def test_from_standard_input(self, admin, store):
        said = admin("users", "password", "anna", stdin="a river in spring\n")
        assert said.out == "Anna has a new password and is signed out everywhere.\n"
        assert self.fits(store, "a river in spring")

    @pytest.mark.usefixtures("anna")
    def test_made_and_told_once(self, admin, store):
        made = admin("users", "password", "anna", "--generate").out.splitlines()[0]
        assert len(made) == 23
        assert self.fits(store, made)
        assert made not in str(store.service.trail())

    def test_end_every_session(self, admin, store, anna):
        store.sessions.start(b"token", anna.id, NOW, NOW + 1000)
        admin("users", "password", "anna", "--generate")
        assert store.sessions.session(b"token", NOW) is None

    @pytest.mark.usefixtures("anna")
    def test_that_are_weak_are_refused(self, admin, store):
        refused(admin("users", "password", "anna", stdin="password\n"), "among the first")
        assert store.users.user("Anna").password == "old"
        assert store.service.trail() == []

    @pytest.mark.usefixtures("guest")
    def test_of_a_guest(self, admin):
        refused(admin("users", "password", "guest-k7p2qx", "--generate"), "is a guest")


class TestDisabling:
    def test_shuts_a_player_out_and_lets_in_again(self, admin, store, anna):
        store.sessions.start(b"token", anna.id, NOW, NOW + 1000)
        assert admin("users", "disable", "Anna", "--reason", "Rude").out == "Anna is disabled.\n"
        assert store.users.user("Anna").disabled
        assert store.sessions.session(b"token", NOW) is None
        assert admin("users", "disable", "Anna").out == "Anna is disabled already.\n"
        assert admin("users", "enable", "Anna").out == "Anna is enabled.\n"
        assert not store.users.user("Anna").disabled
        trail = [(row["action"], row["detail"]) for row in store.service.trail()]
        assert trail == [("enable", ""), ("disable", "Rude")]


class TestMemberships:
    @pytest.mark.usefixtures("anna")
    def test_last_through_their_day(self, admin, store):
        said = admin("member", "anna", "vip", "--until", "2100-02-28")
        assert said.out == "Anna is a vip member until 2100-02-28.\n"
        user = store.users.user("Anna")
        end = 4_107_542_400_000  # 1 March 2100
        assert user.member(end - 1) == "vip"
        assert user.member(end) == "none"

    @pytest.mark.usefixtures("anna")
    def test_without_an_end(self, admin, store):
        assert admin("member", "anna", "premium").out == "Anna is a premium member.\n"
        assert store.users.user("Anna").member(10**15) == "premium"

    @pytest.mark.usefixtures("anna")
    def test_are_taken(self, admin, store):
        admin("member", "anna", "vip", "--until", "2100-01-01")
        assert admin("member", "anna", "none").out == "Anna has no membership.\n"
        assert store.users.user("Anna").member_until is None

    @pytest.mark.parametrize(
        ("words", "text"),
        [
            (("vip", "--until", "tomorrow"), "'tomorrow' is no date: write it as 2030-12-31"),
            (("vip", "--until", "2020-01-01"), "2020-01-01 is over already"),
            (("vip", "--until", "9999-12-31"), "9999-12-31 is too far away: the last is 2999"),
            (("none", "--until", "2100-01-01"), "LEVEL none takes the membership at once"),
        ],
    )
    @pytest.mark.usefixtures("anna")
    def test_that_cannot_be(self, admin, store, words, text):
        refused(admin("member", "anna", *words), text)
        assert store.service.trail() == []

    @pytest.mark.usefixtures("anna")
    def test_of_another_kind(self, admin):
        said = admin("member", "anna", "gold")
        assert said.status == 2
        assert "'vip', 'premium', 'none'" in said.err

    @pytest.mark.usefixtures("guest")
    def test_of_a_guest(self, admin):
        refused(admin("member", "guest-k7p2qx", "vip"), "memberships need an account")

    @pytest.mark.usefixtures("anna")
    def test_leave_a_trace(self, admin):
        admin("member", "anna", "vip", "--until", "2100-01-01")
        (row,) = admin("audit", "--json").value
        assert row["actor"] == actor()
        assert (row["action"], row["subject"]) == ("member", "Anna")
        assert row["detail"] == "vip until 2100-01-01"


class TestChips:
    def test_come_from_the_bank(self, admin, store, anna):
        assert admin("chips", "grant", "anna", "200").out == "Anna has 350 chips now.\n"
        assert admin("chips", "take", "anna", "50").out == "Anna has 300 chips now.\n"
        assert [line.amount for line in store.ledger.statement(anna.id)] == [-50, 200, 150]
        assert store.ledger.check() == []

    def test_twice_the_same_is_twice(self, admin, store, anna):
        for _ in range(2):
            admin("chips", "grant", "anna", "10", "--reason", "Prize")
        assert store.ledger.balance(anna.id) == 170

    def test_that_are_not_there_cannot_be_taken(self, admin, store, anna):
        said = admin("chips", "take", "anna", "151", "--reason", "Cheating")
        refused(said, "Anna has 150 chips at hand, so 151 cannot be taken")
        assert store.ledger.balance(anna.id) == 150
        (row,) = store.service.trail()
        assert (row["action"], row["detail"]) == ("chips refused", "-151: Cheating (of 150)")

    @pytest.mark.parametrize("amount", ["0", "-5", "x", "1.5"])
    @pytest.mark.usefixtures("anna")
    def test_are_whole_and_some(self, admin, amount):
        assert admin("chips", "grant", "anna", amount).status == 2

    @pytest.mark.usefixtures("guest")
    def test_of_a_guest(self, admin):
        refused(admin("chips", "grant", "guest-k7p2qx", "5"), "chips need an account")


class TestRooms:
    def test_are_printed_as_players_see_them(self, admin):
        said = admin("rooms").out
        assert "Tourist (tourist), open to VIP members." in said
        assert "800     +760  +0    -800  -800         -800\n" in said
        assert [row["name"] for row in admin("rooms", "--json").value] == [
            "passport",
            "tourist",
            "priority",
        ]

    def test_that_are_wrong_are_named(self, admin, tmp_path, monkeypatch):
        config = tmp_path / "kingme.toml"
        config.write_text('[[room]]\nname = "den"\nstakes = [-1]\n')
        monkeypatch.setenv("KINGME_CONFIG", str(config))
        refused(admin("rooms"), "room 'den', stakes: -1 is not")


def test_reports(admin, store, anna, guest):
    assert admin("reports").out == "There are no reports.\n"
    store.service.report(NOW, guest.id, anna.id, None, "rude\nin the chat")
    line = admin("reports").out.splitlines()[1]
    assert "Guest-K7P2QX  Anna" in line
    assert line.endswith("rude in the chat")
    (row,) = admin("reports", "--json").value
    assert (row["text"], row["by"], row["about"]) == ("rude\nin the chat", guest.id, anna.id)


def test_the_actor_under_sudo(monkeypatch):
    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.setenv("LOGNAME", "kingme")
    assert actor() == "kingme"
    monkeypatch.setenv("SUDO_USER", "mary")
    assert actor() == "mary as kingme"
