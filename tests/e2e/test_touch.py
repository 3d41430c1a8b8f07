"""Fingers on a phone: a piece is dragged without the page, the page is scrolled without a piece."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.e2e.table import Finger, Table

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
SCROLLED = """() => new Promise(done => {
    const look = () => scrollY > 30 ? done() : requestAnimationFrame(look);
    look();
})"""


def scrolled(table: Table) -> float:
    return table.page.evaluate("scrollY")


@pytest.fixture
def finger(phone) -> Finger:
    return Finger(phone.page)


def test_dragging_a_piece_does_not_scroll(phone, finger):
    phone.open(mode="two")
    x, y = phone.centre(11)
    finger.touch("touchStart", (x, y))
    for step in range(1, 11):  # far up the board, which would scroll the page
        finger.touch("touchMove", (x, y - 20 * step))
    finger.touch("touchMove", phone.centre(15))
    finger.touch("touchEnd")
    phone.page.evaluate("() => new Promise(requestAnimationFrame)")
    phone.has_played("11-15")
    assert scrolled(phone) == 0


def test_a_drop_nowhere_puts_the_piece_back(phone, finger):
    phone.open(mode="two")
    finger.swipe(phone.centre(11), phone.centre(32))
    phone.has_played()
    phone.shows(START)
    finger.swipe(phone.centre(11), (phone.centre(11)[0] + 12, phone.centre(11)[1]))
    assert "chosen" not in phone.named(11)
    phone.tap(11, 15)
    phone.has_played("11-15")


@pytest.mark.parametrize("square", [18, 1, 30])
def test_a_swipe_from_elsewhere_on_the_board_scrolls(phone, finger, square):
    """An empty square, an own piece that cannot move, a piece of the other side."""
    phone.open(mode="two")
    x, y = phone.centre(square)
    finger.swipe((x, y), (x, y - 60 if y < 300 else y - 200))
    phone.page.evaluate(SCROLLED)
    phone.has_played()
    assert "chosen" not in phone.named(square)


def test_own_pieces_scroll_while_the_computer_thinks(phone, finger):
    phone.page.route("**/api/reply", lambda route: None)
    phone.open()
    phone.tap(11, 15)
    expect(phone.status).to_have_text("Computer’s turn")
    x, y = phone.centre(9)
    finger.swipe((x, y), (x, y - 200))
    phone.page.evaluate(SCROLLED)


def test_a_swipe_beside_the_board_scrolls(phone, finger):
    phone.open(mode="two")
    finger.swipe((195, 700), (195, 300))
    phone.page.evaluate(SCROLLED)


def test_a_touch_that_is_taken_away_drops_nothing(phone, finger):
    phone.open(mode="two")
    finger.touch("touchStart", phone.centre(11))
    finger.touch("touchMove", phone.centre(15))
    finger.touch("touchCancel")
    phone.has_played()
    phone.tap(10, 14)
    phone.has_played("10-14")


def test_a_second_finger_changes_nothing(phone, finger):
    phone.open(mode="two")
    first, second = phone.centre(11), phone.centre(9)
    finger.touch("touchStart", first)
    finger.touch("touchStart", first, second)
    finger.touch("touchMove", phone.centre(15), second)
    finger.touch("touchEnd")
    assert phone.played() in ([], ["11-15"])
    phone.shows(phone.position)
    assert phone.stored()["moves"] == phone.played()
