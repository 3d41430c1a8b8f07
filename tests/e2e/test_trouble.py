"""When the server fails, is slow or far away, the page says so and loses nothing."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from tests.e2e.table import REPLY

from kingme import Position

UNREACHABLE = "The computer cannot be reached just now. Your game is kept."


def answering(status: int, body: object) -> Callable[[Route], None]:
    text = body if isinstance(body, str) else json.dumps(body)

    def answer(route: Route) -> None:
        route.fulfill(status=status, content_type="application/json", body=text)

    return answer


def error(message: str) -> dict[str, dict[str, str]]:
    return {"error": {"code": "trouble", "message": message}}


TROUBLES: dict[str, tuple[Callable[[Route], None], str]] = {
    "no connection": (lambda route: route.abort(), UNREACHABLE),
    "a failure": (answering(500, "<h1>Internal error</h1>"), UNREACHABLE),
    "an explained failure": (answering(500, error("Something went wrong.")), "Something went"),
    "busy": (answering(503, error("The server is busy.")), "The server is busy."),
    "no JSON": (answering(200, "{"), UNREACHABLE),
}


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_is_told_and_another_try_works(table, name):
    answer, words = TROUBLES[name]
    table.page.route(REPLY, answer)
    table.open(level=1)
    table.click(11, 15)
    expect(table.message).to_contain_text(words)
    expect(table.message).to_be_visible()
    expect(table.alert).to_contain_text(words)
    table.has_played("11-15")
    assert table.stored()["moves"] == ["11-15"]
    table.page.unroute(REPLY)
    table.press("Try again")
    expect(table.moves.get_by_role("button")).to_have_count(2)
    expect(table.message).to_be_empty()
    expect(table.status).to_have_text("Your turn")
    expect(table.button("Try again")).to_be_hidden()


def test_trouble_can_be_undone(table):
    table.page.route(REPLY, answering(500, ""))
    table.open(level=1)
    table.click(11, 15)
    expect(table.button("Try again")).to_be_visible()
    table.press("Undo")
    table.shows(Position.start())
    expect(table.message).to_be_empty()
    expect(table.button("Try again")).to_be_hidden()
    table.page.unroute(REPLY)
    table.click(10, 14)
    expect(table.moves.get_by_role("button")).to_have_count(2)


def test_a_reload_after_trouble_tries_again(table):
    table.page.route(REPLY, answering(500, ""))
    table.open(level=1)
    table.click(11, 15)
    expect(table.button("Try again")).to_be_visible()
    table.page.unroute(REPLY)
    table.reload()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    assert table.played()[0] == "11-15"


def test_offline_and_back(table):
    """The reply comes by itself when the connection is back."""
    table.open(level=1)
    table.page.context.set_offline(True)
    table.click(11, 15)
    expect(table.message).to_have_text(UNREACHABLE)
    table.page.context.set_offline(False)
    expect(table.moves.get_by_role("button")).to_have_count(2)
    expect(table.message).to_be_empty()


def test_two_players_need_no_server(table):
    table.open(mode="two")
    table.page.context.set_offline(True)
    table.click(11, 15)
    table.click(22, 18)
    table.has_played("11-15", "22-18")
    expect(table.message).to_be_empty()


def test_an_answer_that_never_comes(table):
    """The page waits for a while, plays on when told to, and at last says so."""
    table.page.clock.install()
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request(REPLY):
        table.click(11, 15)
    table.page.clock.run_for(10_000)
    expect(table.status).to_have_text("Computer’s turn")
    expect(table.message).to_be_empty()
    table.page.clock.run_for(30_000)
    expect(table.message).to_have_text(UNREACHABLE)
    table.page.unroute(REPLY)
    table.press("Try again")
    table.page.clock.resume()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    assert held


def test_a_late_answer_is_not_played_twice(table):
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request(REPLY):
        table.click(11, 15)
    table.press("Undo")
    with table.page.expect_request(REPLY):
        table.click(11, 15)
    for route in held:
        route.continue_()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    expect(table.status).to_have_text("Your turn")
    assert table.stored()["moves"] == table.played()


def test_a_page_of_another_version_is_told_so(table):
    """A tab that was open while the server was replaced; the answer is the real server's."""

    def age(route: Route) -> None:
        response = route.fetch()
        route.fulfill(
            response=response, body=response.text().replace('"protocol":1,', '"protocol":0,')
        )

    table.page.route(table.url, age)
    table.open()
    table.click(11, 15)
    expect(table.message).to_have_text(
        "This page is from another version of kingme. Reload it; your game is kept."
    )
    table.page.unroute(table.url)
    table.reload()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    assert table.played()[0] == "11-15"


@pytest.mark.parametrize(
    "body", ["{}", "[]", "null", '"22-18"', json.dumps({"move": "1-32"}), json.dumps({"move": 7})]
)
def test_an_answer_that_makes_no_sense(table, body):
    table.page.route(REPLY, answering(200, body))
    table.open(level=1)
    table.click(11, 15)
    expect(table.message).to_have_text(UNREACHABLE)
    table.page.unroute(REPLY)
    table.press("Try again")
    expect(table.moves.get_by_role("button")).to_have_count(2)


@pytest.mark.parametrize("body", ["{}", "[]", "null", "7", '{"accepted": "yes"}'])
def test_an_answer_to_an_offer_that_makes_no_sense(table, body):
    table.page.route("**/api/draw", answering(200, body))
    table.open(level=1)
    table.press("Offer draw")
    expect(table.message).to_have_text(UNREACHABLE)
    assert table.stored()["result"] is None
    assert table.button("Offer draw").get_attribute("aria-disabled") != "true"


def test_trouble_is_still_told_after_a_look_back(table):
    table.page.route(REPLY, answering(500, ""))
    table.open(level=1)
    table.click(11, 15)
    expect(table.message).to_have_text(UNREACHABLE)
    table.press("Previous move")
    expect(table.message).to_be_empty()
    table.press("Latest move")
    expect(table.message).to_have_text(UNREACHABLE)
    expect(table.button("Try again")).to_be_visible()


@pytest.mark.parametrize("answer", [answering(500, ""), lambda route: route.abort()])
def test_an_offer_that_gets_no_answer(table, answer):
    table.page.route("**/api/draw", answer)
    table.open(level=1)
    table.press("Offer draw")
    expect(table.message).to_have_text(UNREACHABLE)
    expect(table.status).to_have_text("Your turn")
    table.click(11, 15)
    expect(table.moves.get_by_role("button")).to_have_count(2)


def test_an_acceptance_that_comes_too_late(table):
    """An offer lapses when the player moves on."""
    held = table.hold_replies("**/api/draw")
    table.open(level=1)
    with table.page.expect_request("**/api/draw"):
        table.press("Offer draw")
    table.click(11, 15)
    expect(table.moves.get_by_role("button")).to_have_count(2)
    with table.page.expect_response("**/api/draw"):
        answering(200, {"protocol": 1, "ply": 0, "accepted": True})(held[0])
    table.click(*first_way(table))
    expect(table.moves.get_by_role("button")).to_have_count(4)
    assert table.stored()["result"] is None


def first_way(table) -> tuple[int, ...]:
    return table.position.legal_moves[0].path


def test_a_lower_level_that_stood_in_is_named(table):
    table.page.route(
        REPLY,
        answering(200, {"protocol": 1, "ply": 1, "move": "22-18", "level": 2, "asked": 8}),
    )
    table.open(level=8)
    table.click(11, 16)
    table.has_played("11-16", "22-18")
    expect(table.note).to_have_text("The engine is still warming up; a lower level answered.")
