"""Guests, registering, signing in and out: by script, by plain form, and against guessing."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher

from kingme.errors import Refusal
from kingme.web.auth import COOKIE
from kingme.web.names import COMMON, RESERVED, check_email, check_name, check_password
from kingme.web.settings import Chips, Settings

from .town import DAY, PASSWORD, town


@pytest.fixture
def place(tmp_path):
    with town(tmp_path) as made:
        yield made


def me(browser):
    return browser.get("/api/session").json()["you"]


def refused(answer, status, code):
    assert answer.status_code == status, answer.text
    problem = answer.json()["error"]
    assert problem["code"] == code, problem
    return problem


class TestGuests:
    def test_a_visitor_is_nobody(self, place):
        browser = place.browser()
        assert browser.get("/api/session").json() == {"you": None}
        assert not browser.cookies

    def test_a_guest_plays_at_once(self, place):
        browser = place.browser()
        answer = browser.post("/api/session")
        assert answer.status_code == 201
        you = answer.json()["you"]
        assert you["guest"]
        assert you["name"].startswith("Guest-")
        assert (you["chips"], you["points"], you["membership"]) == (0, 0, "none")
        assert me(browser) == you

    def test_a_guest_stays_the_same(self, place):
        browser = place.guest()
        before = me(browser)
        answer = browser.post("/api/session")
        assert (answer.status_code, answer.json()["you"]) == (200, before)

    def test_a_guest_who_registers_keeps_id_and_games(self, place):
        browser = place.guest()
        before = me(browser)
        place.account("Bella")
        game = place.game(before["name"], "Bella")
        answer = browser.post("/api/account", json={"name": "Anna", "password": PASSWORD})
        you = answer.json()["you"]
        assert (you["id"], you["name"], you["guest"]) == (before["id"], "Anna", False)
        assert you["chips"] == 150
        games = browser.get("/api/player/anna/games").json()["games"]
        assert [(item["id"], item["black"]["name"]) for item in games] == [(game, "Anna")]
        assert ("renewed", you["id"]) in place.told


class TestRegister:
    def test_a_new_account_has_a_welcome_gift(self, place):
        browser = place.account("Anna", email=" a@example.org ")
        you = me(browser)
        assert (you["name"], you["guest"], you["chips"]) == ("Anna", False, 150)
        assert you["email"] == "a@example.org"
        assert place.store.ledger.check() == []
        (line,) = place.store.ledger.statement(you["id"])
        assert (line.amount, line.reason) == (150, "Welcome gift")

    def test_a_name_is_taken_once_whatever_its_case(self, place):
        place.account("Anna")
        answer = place.browser().post("/api/account", json={"name": "aNNa", "password": PASSWORD})
        refused(answer, 409, "name_taken")

    def test_who_has_an_account_needs_no_other(self, place):
        browser = place.account("Anna")
        answer = browser.post("/api/account", json={"name": "Anna2", "password": PASSWORD})
        refused(answer, 422, "registered")

    def test_the_session_of_the_guest_is_over(self, place):
        browser = place.guest()
        old = browser.cookies[COOKIE]
        browser.post("/api/account", json={"name": "Anna", "password": PASSWORD})
        assert browser.cookies[COOKIE] != old
        thief = place.browser(cookies={COOKIE: old})
        assert me(thief) is None


class TestSignIn:
    def test_in_and_out(self, place):
        place.account("Anna")
        browser = place.browser()
        answer = browser.post("/api/session/login", json={"name": "anna", "password": PASSWORD})
        assert answer.json()["you"]["name"] == "Anna"
        assert me(browser)["name"] == "Anna"
        old = browser.cookies[COOKIE]
        assert browser.delete("/api/session").status_code == 204
        assert COOKIE not in browser.cookies
        assert me(place.browser(cookies={COOKIE: old})) is None
        assert ("changed", place.user("Anna").id) in place.told

    @pytest.mark.parametrize(
        ("name", "password"),
        [("anna", "wrong"), ("nobody-here", PASSWORD), ("", ""), ("a\0b", "x"), ("GUEST", "")],
    )
    def test_a_failure_tells_nothing(self, place, name, password):
        place.account("Anna")
        guest = me(place.guest())["name"]
        browser = place.browser()
        sent = {"name": guest if name == "GUEST" else name, "password": password}
        problem = refused(browser.post("/api/session/login", json=sent), 422, "wrong_password")
        assert problem["message"] == "There is no account with this name and password."
        assert not browser.cookies

    def test_who_is_shut_out_cannot_sign_in(self, place):
        browser = place.account("Anna")
        place.store.users.change(place.user("Anna").id, disabled=True)
        assert me(browser) is None
        sent = {"name": "Anna", "password": PASSWORD}
        refused(place.browser().post("/api/session/login", json=sent), 422, "wrong_password")

    def test_out_everywhere(self, place):
        one, two = place.account("Anna"), place.browser()
        two.post("/api/session/login", json={"name": "Anna", "password": PASSWORD})
        assert two.delete("/api/sessions").status_code == 204
        assert me(one) is None
        assert me(two) is None
        refused(one.delete("/api/sessions"), 401, "signed_out")

    def test_signing_in_ends_the_session_before(self, place):
        browser = place.account("Anna")
        old = browser.cookies[COOKIE]
        browser.post("/api/session/login", json={"name": "Anna", "password": PASSWORD})
        assert me(place.browser(cookies={COOKIE: old})) is None

    def test_a_name_can_be_tried_ten_times(self, place):
        place.account("Anna")
        browser, sent = place.browser(), {"name": "Anna", "password": "guess"}
        for _ in range(10):
            refused(browser.post("/api/session/login", json=sent), 422, "wrong_password")
        answer = browser.post("/api/session/login", json=sent | {"password": PASSWORD})
        refused(answer, 429, "too_many")
        assert 0 < int(answer.headers["retry-after"]) <= 30 * 60

    def test_who_signs_in_has_all_tries_again(self, place):
        place.account("Anna")
        browser = place.browser()
        for _ in range(3):
            for _ in range(9):
                browser.post("/api/session/login", json={"name": "ANNA", "password": "guess"})
            answer = browser.post("/api/session/login", json={"name": "Anna", "password": PASSWORD})
            assert answer.status_code == 200

    def test_an_address_can_guess_eighty_times(self, place):
        browser = place.browser()
        codes = [
            browser.post(
                "/api/session/login", json={"name": f"name-{number}", "password": "x"}
            ).status_code
            for number in range(81)
        ]
        assert codes == [422] * 80 + [429]

    def test_guests_of_one_address_are_limited(self, place):
        codes = [place.browser().post("/api/session").status_code for _ in range(31)]
        assert codes == [201] * 30 + [429]

    def test_a_hash_of_an_older_release_is_renewed(self, place):
        place.account("Anna")
        old = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(PASSWORD)
        user = place.user("Anna").id
        place.store.users.change(user, password=old)
        sent = {"name": "Anna", "password": PASSWORD}
        assert place.browser().post("/api/session/login", json=sent).status_code == 200
        new = place.user("Anna").password
        assert new != old
        assert "m=8,t=1" in new
        assert place.browser().post("/api/session/login", json=sent).status_code == 200


class TestPassword:
    def test_a_change_signs_out_everybody_else(self, place):
        one, two = place.account("Anna"), place.browser()
        two.post("/api/session/login", json={"name": "Anna", "password": PASSWORD})
        sent = {"current": PASSWORD, "password": "another horse"}
        assert two.post("/api/account/password", json=sent).status_code == 200
        assert me(one) is None
        assert me(two)["name"] == "Anna"
        login = {"name": "Anna", "password": PASSWORD}
        refused(place.browser().post("/api/session/login", json=login), 422, "wrong_password")

    def test_it_needs_the_one_before(self, place):
        browser = place.account("Anna")
        sent = {"current": "no", "password": "another horse"}
        refused(browser.post("/api/account/password", json=sent), 422, "wrong_password")
        sent = {"current": PASSWORD, "password": "short"}
        refused(browser.post("/api/account/password", json=sent), 422, "weak_password")

    def test_guests_and_strangers_have_none(self, place):
        sent = {"current": "x", "password": "another horse"}
        refused(place.guest().post("/api/account/password", json=sent), 422, "needs_account")
        refused(place.browser().post("/api/account/password", json=sent), 401, "signed_out")

    def test_letters_may_be_composed_either_way(self, place):
        place.account("Anna", password="caf\u00e9 au lait")
        sent = {"name": "Anna", "password": "cafe\u0301 au lait"}
        assert place.browser().post("/api/session/login", json=sent).status_code == 200


class TestMalformed:
    @pytest.mark.parametrize(
        ("body", "field"),
        [
            (b"", None),
            (b"[]", None),
            (b"\xff", None),
            (b'{"name":1,"password":"x"}', "name"),
            (b'{"name":"x"}', "password"),
            (b'{"name":"x","password":"' + b"x" * 1001 + b'"}', "password"),
            (b"[" * 5000, None),
        ],
    )
    def test_told_as_such(self, place, body, field):
        headers = {"Content-Type": "application/json"}
        answer = place.browser().post("/api/session/login", content=body, headers=headers)
        assert refused(answer, 400, "malformed").get("field") == field


class TestForms:
    """The account page in a browser without scripts."""

    def test_what_a_visitor_sees(self, place):
        page = place.browser().get("/account")
        assert page.status_code == 200
        assert 'action="/account"' in page.text
        assert page.headers["cache-control"] == "private, no-cache"

    def test_register_sign_out_and_in(self, place):
        browser = place.browser()
        form = {"do": "register", "name": "Anna", "password": PASSWORD, "email": "", "next": ""}
        answer = browser.post("/account", data=form)
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        assert "Anna" in browser.get("/account").text
        answer = browser.post("/account", data={"do": "logout"})
        assert answer.status_code == 303
        assert me(browser) is None
        form = {"do": "login", "name": " anna", "password": PASSWORD, "next": "/join/abc?x=1"}
        answer = browser.post("/account", data=form)
        assert answer.headers["location"] == "/join/abc?x=1"
        assert me(browser)["name"] == "Anna"

    @pytest.mark.parametrize(
        "following", ["//evil.example", "/\\evil", "https://evil.example", "javascript:1", "\r\n"]
    )
    def test_a_form_leads_nowhere_else(self, place, following):
        form = {"do": "register", "name": "Anna", "password": PASSWORD, "next": following}
        answer = place.browser().post("/account", data=form)
        assert answer.headers["location"] == "/account"
        assert "evil" not in place.browser().get("/account", params={"next": following}).text

    def test_what_is_wrong_is_said_beside_the_form(self, place):
        form = {"do": "register", "name": "<b>x", "password": PASSWORD}
        answer = place.browser().post("/account", data=form)
        assert answer.status_code == 422
        assert "&lt;b&gt;x" in answer.text
        assert "<b>x" not in answer.text
        assert "A name is made of" in answer.text
        assert PASSWORD not in answer.text

    def test_change_and_sign_out_everywhere(self, place):
        browser = place.account("Anna")
        form = {"do": "password", "current": PASSWORD, "password": "another horse"}
        assert browser.post("/account", data=form).status_code == 303
        assert me(browser)["name"] == "Anna"
        assert browser.post("/account", data={"do": "everywhere"}).status_code == 303
        assert me(browser) is None

    @pytest.mark.parametrize("form", [{}, {"do": "fly"}, {"do": "password"}, {"do": "everywhere"}])
    def test_odd_forms(self, place, form):
        answer = place.browser().post("/account", data=form)
        assert answer.status_code in (400, 401, 415)

    def test_a_flood_of_forms_is_told_when_to_come_back(self, place):
        browser, form = place.browser(), {"do": "login", "name": "Anna", "password": "x"}
        for _ in range(10):
            assert browser.post("/account", data=form).status_code == 422
        answer = browser.post("/account", data=form)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert "Too many tries" in answer.text


class TestDailyChips:
    def test_brought_up_once_a_day(self, place):
        browser = place.account("Anna")
        place.account("Bella")
        for _ in range(3):
            place.game("Bella", "Anna", stake=50)
        assert me(browser)["chips"] == 0
        place.clock.now += DAY
        assert me(browser)["chips"] == 50
        place.game("Bella", "Anna", stake=50)
        place.clock.now += 11 * 60 * 1000
        assert me(browser)["chips"] == 0
        assert place.store.ledger.check() == []

    def test_chips_in_escrow_are_ones_own(self, place):
        browser = place.account("Anna")
        place.account("Bella")
        for over in (True, False, False):
            place.game("Bella", "Anna", stake=50, over=over)
        place.clock.now += DAY
        assert me(browser)["chips"] == 0
        assert place.store.ledger.worth(place.user("Anna").id) == 100
        assert place.store.ledger.check() == []

    def test_who_has_enough_gets_none(self, place):
        browser = place.account("Anna")
        place.clock.now += DAY
        assert me(browser)["chips"] == 150

    def test_guests_get_none(self, place):
        browser = place.guest()
        place.clock.now += DAY
        assert me(browser)["chips"] == 0

    def test_a_welcome_gift_that_was_cut_off_comes_later(self, place):
        hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
        place.store.users.add("Anna", place.clock(), hashed)
        browser = place.browser()
        browser.post("/api/session/login", json={"name": "Anna", "password": PASSWORD})
        assert me(browser)["chips"] == 0
        place.clock.now += DAY
        assert me(browser)["chips"] == 150

    def test_the_operator_sets_the_gifts(self, tmp_path):
        with town(tmp_path, Settings(chips=Chips(welcome=0, daily=7))) as place:
            browser = place.account("Anna")
            assert me(browser)["chips"] == 0
            place.clock.now += DAY
            assert me(browser)["chips"] == 7


class TestNames:
    @pytest.mark.parametrize("name", ["Ann", "a-b_c", "007", "x" * 20])
    def test_fine(self, name):
        assert check_name(name) == name

    @pytest.mark.parametrize(
        "name", ["", "ab", " Anna", "x" * 21, "-ab", "_ab", "a b", "añb", "a\0b", "аnna"]
    )
    def test_no_names(self, name):
        with pytest.raises(Refusal) as caught:
            check_name(name)
        assert caught.value.code == "bad_name"

    @pytest.mark.parametrize(
        "name", ["Guest-K7P2QX", "guest", "KingMe", "Admin", "ad-min", "king_me1"]
    )
    def test_kept_by_the_house(self, name):
        with pytest.raises(Refusal) as caught:
            check_name(name)
        assert caught.value.code == "name_taken"

    def test_the_house_keeps_what_could_be_a_name(self):
        assert {name for name in RESERVED if not name.islower()} == set()

    @pytest.mark.parametrize(
        "password", ["correct horse", "ünïcödé!", "xk9$Lm2q", " " * 3 + "abcdz1"]
    )
    def test_passwords(self, password):
        check_password(password, "Anna")

    @pytest.mark.parametrize(
        "password",
        [
            *("short", "x" * 201, "password", "PassWord1", "iloveyou", "aaaaaaaa", "abababab"),
            *("abcdefgh", "98765432", "Annabell", "annabell1", "xxannabell"),
        ],
    )
    def test_weak_passwords(self, password):
        with pytest.raises(Refusal) as caught:
            check_password(password, "Annabell")
        assert caught.value.code == "weak_password"

    def test_common_passwords_are_long_enough_to_matter(self):
        assert {word for word in COMMON if len(word) < 8 or word != word.lower()} == set()

    @pytest.mark.parametrize("email", ["a@b.c", "a.b+c@d-e.fg", "ä@ö.ü"])
    def test_emails(self, email):
        assert check_email(email) == email

    @pytest.mark.parametrize(
        "email", ["a", "a@b", "@b.c", "a b@c.d", "a@b@c.d", "a@b.c\0", "x" * 255]
    )
    def test_no_emails(self, email):
        with pytest.raises(Refusal) as caught:
            check_email(email)
        assert caught.value.code == "bad_email"

    def test_none_is_fine(self):
        assert check_email(None) is None
        assert check_email(" ") is None
