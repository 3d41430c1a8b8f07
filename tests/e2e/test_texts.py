"""Moves as text, in and out: the field for them, the errors, and what is copied."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from playwright.sync_api import expect

from kingme import Position

START = Position.start().fen
DOUBLE = "B:W18,27,29:B1,14"  # 14x23x32
FORK = "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"
JUMPERS = "B:W17,18,32:B1,2,13,14"


SPELLINGS = {
    START: {
        "11-15": "11-15",
        "  11 - 15  ": "11-15",
        "11 15": "11-15",
        "11–15": "11-15",
        "11x15": "11-15",
        "1. 11-15!": "11-15",
        "f6-g5": "11-16",
        "F6G5": "11-16",
    },
    JUMPERS: {"14x21": "14x21", "14-21": "14x21", "14×23": "14x23", "c5:e3": "14x23"},
    DOUBLE: dict.fromkeys(["14x23x32", "14x32", "c5:e3:g1", "c5:g1", "14 23 32"], "14x23x32"),
}


@pytest.mark.parametrize("fen", SPELLINGS)
def test_every_spelling_is_taken(table, fen):
    table.open(fen, mode="two")
    for text, played in SPELLINGS[fen].items():
        table.field.fill(text)
        table.press("Play")
        table.has_played(played)
        expect(table.field).to_have_value("")
        expect(table.message).to_be_empty()
        table.press("Undo")
        table.has_played()


def test_bad_texts_are_explained(table):
    table.open(mode="two")
    for text, reason in [
        ("hello", "'hello' is no square: a move looks like 11-15 or c3-d4"),
        ("11", "A move names at least two squares"),
        ("11-33", "'33' is no square of play: they run from 1 to 32"),
        ("11-20", "11-20 is not legal: the piece on 11 cannot go there. Legal: 9-13, 9-14"),
        ("13-17", "13-17 is not legal: there is no piece on 13"),
        ("22-18", "22-18 is not legal: 22 is not Black's piece"),
        ("11-15-", "Nothing follows '-'"),
        ("1" * 300, "This is 300 characters long"),
    ]:
        table.type(text)
        expect(table.message).to_contain_text(reason)
        expect(table.message).to_be_visible()
        expect(table.alert).to_contain_text(reason)
        expect(table.field).to_have_value(text)  # to be mended
    table.shows(START)
    table.has_played()
    table.play("11-15")
    expect(table.message).to_be_empty()


def test_texts_that_forget_a_jump(table):
    table.open(JUMPERS, mode="two")
    table.type("1-6")
    expect(table.message).to_contain_text(
        "1-6 is not legal: a jump is compulsory, with the piece on 13 or 14."
        " Legal: 13x22, 14x21, 14x23"
    )
    table.press("New game")
    table.press("Start new game")
    table.open(DOUBLE, mode="two")
    table.type("14x23")
    expect(table.message).to_contain_text("14x23 is not the whole jump: it goes on")
    table.has_played()


def test_a_text_that_names_two_routes(table):
    table.open(FORK, mode="two")
    table.type("10x26")
    expect(table.message).to_contain_text("10x26 can mean 10x17x26 or 10x19x26")
    table.has_played()
    table.play("10x19x26")
    table.has_played("10x19x26")


def test_a_long_list_of_legal_moves_is_cut_short(table):
    table.open("W:WK22:B9,10,11,17,18,19,25,26,27", mode="two")
    table.type("22-1")
    for region in (table.message, table.alert):
        expect(region).to_contain_text(" and 8 more.")
    assert table.message.inner_text().count(", 22x") == 7
    expect(table.message).to_have_attribute("tabindex", "0")  # it scrolls, also by keyboard
    table.click(22)
    expect(table.message).not_to_have_attribute("tabindex", "0")


@pytest.mark.parametrize("way", ["typed", "copied"])
def test_texts_when_the_server_has_gone(table, way):
    """The script that reads texts came with the page."""
    with table.page.expect_response("**/notation.js"):
        table.open(mode="two")
    table.page.wait_for_load_state("networkidle")
    table.page.context.set_offline(True)
    if way == "typed":
        table.play("11-15")
        table.has_played("11-15")
    else:
        table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        table.press("Copy PDN")
        expect(table.message).to_have_text("PDN copied.")


def test_a_part_that_cannot_be_loaded_is_told(table):
    table.page.route("**/notation.js*", lambda route: route.abort())
    table.open(mode="two")
    missing = "A part of the page cannot be loaded just now. Your game is kept."
    table.type("11-15")
    expect(table.message).to_have_text(missing)
    table.press("Copy FEN")
    expect(table.message).not_to_have_text(missing)
    table.press("Copy PDN")
    expect(table.message).to_have_text(missing)
    table.page.unroute("**/notation.js*")
    table.play("11-15")


def test_no_text_moves_for_the_computer(table):
    table.hold_replies()
    table.open(level=1)
    table.play("11-15")
    table.type("22-18")
    expect(table.message).to_have_text("Computer’s turn.")
    table.has_played("11-15")


@pytest.fixture
def clipped(table) -> object:
    """A function that presses a button and gives the clipboard's text."""
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def press(name: str) -> str:
        table.press(f"Copy {name}")
        expect(table.message).to_have_text(f"{name} copied.")
        return table.page.evaluate("navigator.clipboard.readText()")

    return press


def tags(pdn: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]$', pdn, re.M))


def test_copying_a_position(table, clipped):
    table.open(mode="two")
    assert clipped("FEN") == START
    table.type_all(["11-15", "22-18", "15x22"])
    assert clipped("FEN") == table.fen
    table.press("Previous move")  # the position that is looked at
    shown = table.fen
    assert clipped("FEN") == shown
    assert shown.startswith("B:")


def test_copying_a_game(table, clipped):
    table.open(mode="two")
    table.type_all(["11-15", "22-18", "15x22", "25x18"])
    pdn = clipped("PDN")
    found = tags(pdn)
    year, month, day = map(int, found.pop("Date").split("."))
    assert abs(dt.date(year, month, day) - dt.datetime.now().date()).days <= 1  # noqa: DTZ005
    assert found == {
        "Event": "kingme",
        "Site": "?",
        "Round": "?",
        "Black": "?",
        "White": "?",
        "Result": "*",
        "GameType": "21,B,8,8,N1,0",
        "DrawRules": "Standard",
    }
    roster = re.findall(r"^\[(\w+)", pdn, re.MULTILINE)[:7]
    assert roster == ["Event", "Site", "Date", "Round", "Black", "White", "Result"]
    assert pdn.endswith("\n\n1. 11-15 22-18 2. 15x22 25x18 *\n")


def test_copying_a_finished_game_from_a_position(table, clipped):
    table.open("W:W32:B1,23", level=1, preset="agreement")
    table.page.get_by_role("button", name="Resign").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    found = tags(clipped("PDN"))
    assert found["Result"] == "1-0"  # Black won
    assert found["SetUp"] == "1"
    assert found["FEN"] == "W:W32:B1,23"
    assert (found["Black"], found["White"]) == ("kingme level 1", "Player")


def test_copying_from_a_white_start(table, clipped):
    table.open("W:W20,32:B1,16", mode="two")
    table.type_all(["20x11", "1-5", "32-27"])
    assert clipped("PDN").endswith("\n\n1... 20x11 2. 1-5 32-27 *\n")


def test_a_browser_that_refuses_to_copy_shows_the_text(table):
    table.page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(Error('refused'))"
    )
    table.open(mode="two")
    table.press("Copy FEN")
    dialog = table.page.get_by_role("dialog", name="Copy this text")
    expect(dialog).to_contain_text(START)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
