"""The game that the browser keeps: reloads, closed tabs, damage, and two tabs at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.e2e.table import KEY, REPLY

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
    while not held:  # the request was seen before its route was
        table.page.evaluate("0")
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


UNREADABLE = "The saved game could not be read, so a new one begins."
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
    "moves that are an empty text": {"moves": ""},
    "a winner that is none": {"result": {"winner": "X", "termination": "resignation"}},
    "an end that is none": {"result": {"winner": None, "termination": "boredom"}},
    "a draw that was resigned": {"result": {"winner": None, "termination": "resignation"}},
    "a result that is a text": {"result": "agreement"},
    "a level that is a text": {"level": "5"},
    "a level in a list": {"level": [5]},
    "a side in a list": {"side": ["B"]},
    "a mode in a list": {"mode": ["two"]},
    "a flip that is a text": {"flip": "no"},
    "a count that is none": {"rev": "many"},
    "a start that is empty": {"start": ""},
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
        expect(table.message).to_have_text(UNREADABLE)
    table.click(10, 14)
    assert table.played()[0] == "10-14"
    table.reload()
    assert table.played()[0] == "10-14"


def test_a_damaged_look_does_not_break_the_page(table):
    table.open(mode="two")
    for text in (
        "{",
        "7",
        '{"notation": "runes", "board": "<b>", "theme": null}',
        json.dumps({"board": '"]\n', "notation": {}, "now": "busy", "a-b": 1}),
        "null",
    ):
        table.page.evaluate("text => localStorage.setItem('kingme.look', text)", text)
        table.reload()
        table.shows(START)
        table.click(11)
        assert "chosen" in table.named(11)
        expect(table.page.locator("html")).to_have_attribute("data-board", "club")
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


def test_two_tabs_show_one_reply(tables):
    """Both tabs are in sight and both ask the computer; one answer counts in both."""
    pair = [tables().open(level=1), tables().open()]
    held = [table.hold_replies() for table in pair]
    with pair[1].page.expect_request(REPLY):
        pair[0].play("11-15")
    for routes, move in zip(held, ("21-17", "22-18"), strict=True):
        routes[0].fulfill(json={"protocol": 1, "ply": 1, "move": move, "level": 1, "asked": 1})
    for table in pair:
        table.settled()
    for table in pair:
        table.has_played(*pair[0].stored()["moves"])


def test_equal_counts_with_other_moves_meet(tables):
    """Two tabs that saved at the same moment: what is stored counts in both."""
    first, second = tables().open(mode="two"), tables().open()
    first.play("11-15")
    second.has_played("11-15")
    other = {**second.stored(), "moves": ["10-14"]}
    second.page.evaluate("text => localStorage.setItem('kingme.game', text)", json.dumps(other))
    first.has_played("10-14")


@pytest.mark.parametrize("name", ["Resign", "New game"])
def test_a_question_closes_when_the_game_goes_on_in_another_tab(tables, name):
    first, second = tables().open(mode="two"), tables().open()
    first.play("11-15")
    second.has_played("11-15")
    first.press(name)
    expect(first.page.get_by_role("dialog")).to_be_visible()
    second.play("22-18")
    expect(first.page.get_by_role("dialog")).to_be_hidden()
    first.has_played("11-15", "22-18")
    assert first.stored()["result"] is None


def test_a_question_closes_when_the_reply_comes(table):
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request(REPLY):
        table.play("11-15")
    table.press("Resign")
    dialog = table.page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Play on")).to_be_focused()
    held[0].continue_()
    expect(dialog).to_be_hidden()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    assert table.stored()["result"] is None
    table.press("New game")
    expect(table.button("Keep playing")).to_be_focused()


def test_resigning_never_overwrites_a_result(tables):
    """A tab that slept through the end of the game gives way to it."""
    stale = tables()
    stale.page.add_init_script(DEAF)
    stale.open(mode="two")
    other = tables().open()
    other.press("Offer draw")
    other.press("Accept draw")
    expect(other.message).to_contain_text("Both players agreed.")
    stale.press("Resign")
    stale.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(stale.status).to_have_text("Game over")
    assert other.stored()["result"] == {"winner": None, "termination": "agreement"}
