"""The game that the browser keeps: reloads, closed tabs, damage, and two tabs at once."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect
from tests.e2e.table import KEY

from kingme import Position

START = Position.start().fen
DEAF = """
const add = window.addEventListener;
const deaf = function (type, ...rest) { if (type !== "storage") add.call(this, type, ...rest); };
window.addEventListener = deaf;
document.addEventListener = function (type, ...rest) {
  if (type !== "visibilitychange") add.call(this, type, ...rest);
};
"""


def test_a_reload_in_mid_game(table):
    table.open(mode="two", preset="tournament")
    table.type_all(["11-15", "22-18", "15x22"])
    table.press("Flip board")
    table.press("Undo")
    fen = table.fen
    table.reload()
    table.shows(fen)
    table.has_played("11-15", "22-18")
    expect(table.board).to_have_attribute("data-orientation", "W")
    expect(table.page.get_by_label("Opponent")).to_have_value("two")
    expect(table.page.get_by_label("Draw rules")).to_have_value("tournament")
    table.press("Redo")
    table.has_played("11-15", "22-18", "15x22")


def test_a_reload_keeps_a_game_from_a_position_and_its_end(table):
    table.open("B:W20,11:B7", mode="two")
    table.click(7, 16)
    table.click(20, 11)
    table.reload()
    table.has_played("7x16", "20x11")
    expect(table.message).to_have_text("White wins. Black has no piece left.")
    table.press("Start of the game")
    table.shows("B:W11,20:B7")


def test_a_reload_keeps_a_resignation(table):
    table.open(mode="two")
    table.press("Resign")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    table.reload()
    expect(table.message).to_have_text("White wins. Black resigned.")


def test_a_reload_while_the_computer_thinks(table):
    """The reply that was lost is asked for again."""
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request("**/api/reply"):
        table.play("11-15")
    table.page.unroute("**/api/reply")
    table.reload()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    assert table.played()[0] == "11-15"
    assert len(held) == 1


def test_a_closed_tab(tables):
    table = tables().open(mode="two")
    table.type_all(["11-15", "22-18"])
    table.page.close()
    table = tables().open()
    table.has_played("11-15", "22-18")
    table.play("15x22")


DAMAGE: dict[str, Any] = {
    "no JSON": "{",
    "no object": "[1, 2, 3]",
    "null": "null",
    "empty": "{}",
    "an illegal move": {"moves": ["11-15", "11-15"]},
    "moves that are none": {"moves": "11-15"},
    "a move that is no text": {"moves": [7]},
    "another version": {"v": 99},
    "an unknown preset": {"preset": "chess"},
    "an unknown mode": {"mode": "three"},
    "a bad position": {"start": "W:W33:B1"},
    "a level too high": {"level": 9},
    "no side": {"side": "G"},
    "a result without a reason": {"result": {}},
    "an illegal move to redo": {"undone": ["1-32"]},
}


def test_a_damaged_game_does_not_break_the_page(table):
    table.open(mode="two")
    table.type_all(["11-15"])
    sound = table.stored()
    for name, damage in DAMAGE.items():
        text = damage if isinstance(damage, str) else json.dumps({**sound, **damage})
        table.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])
        table.reload()
        assert table.fen == START, name
    table.click(10, 14)
    assert table.played()[0] == "10-14"
    table.reload()
    assert table.played()[0] == "10-14"


def test_a_damaged_look_does_not_break_the_page(table):
    table.open(mode="two")
    for text in ("{", "7", '{"notation": "runes", "board": "<b>", "theme": null}'):
        table.page.evaluate("text => localStorage.setItem('kingme.look', text)", text)
        table.reload()
        table.shows(START)
        table.click(11)
        assert "chosen" in table.named(11)
        table.page.keyboard.press("Escape")


def test_a_browser_that_stores_nothing(table):
    table.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw Error('no storage'); }})"
    )
    table.open(mode="two")
    table.type_all(["11-15", "22-18"])
    table.press("Undo")
    table.has_played("11-15")


def test_two_tabs_show_one_game(tables):
    first = tables().open(mode="two")
    second = tables().open()
    first.click(11, 15)
    second.has_played("11-15")
    second.play("22-18")
    first.has_played("11-15", "22-18")
    first.press("Undo")
    second.has_played("11-15")
    second.press("Flip board")
    expect(first.board).to_have_attribute("data-orientation", "W")
    assert first.stored()["moves"] == ["11-15"]


def test_a_stale_tab_never_overwrites_the_game(tables):
    """A tab that slept through the other one's moves gives way as soon as it is used."""
    stale = tables()
    stale.page.add_init_script(DEAF)
    stale.open(mode="two")
    other = tables().open()
    other.type_all(["11-15", "22-18"])
    stale.has_played()
    stale.click(9, 14)
    stale.has_played("11-15", "22-18")
    expect(stale.message).to_have_text("This game went on in another tab. Here it is.")
    assert other.stored()["moves"] == ["11-15", "22-18"]
    stale.click(15, 22)
    stale.has_played("11-15", "22-18", "15x22")
    other.has_played("11-15", "22-18", "15x22")


def test_a_reply_to_a_stale_tab_never_overwrites_the_game(tables):
    stale = tables()
    stale.page.add_init_script(DEAF)
    held = stale.hold_replies()
    stale.open(level=1)
    with stale.page.expect_request("**/api/reply"):
        stale.play("11-15")
    other = tables().open()
    other.settled()
    other.press("Undo")
    other.play("10-14")
    other.settled()
    moves = other.played()
    assert moves[0] == "10-14"
    with stale.page.expect_response("**/api/reply"):
        held[0].continue_()
    stale.has_played(*moves)
    assert other.stored()["moves"] == moves
