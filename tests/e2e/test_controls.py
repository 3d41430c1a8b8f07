"""Undo and redo, new games, sides, levels, looking back, and how squares are written."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kingme import History, Position

START = Position.start()


def after(*texts: str) -> Position:
    history = History.start()
    for text in texts:
        history = history.play(text)
    return history.position


def enabled(table, name: str) -> bool:
    return table.button(name).get_attribute("aria-disabled") != "true"


# Undo and redo


def test_undo_against_the_computer_takes_the_reply_back_too(table):
    table.open(level=1)
    assert not enabled(table, "Undo")
    table.play("11-15")
    table.settled()
    first = table.played()
    between = table.position
    assert len(first) == 2
    table.play(str(between.legal_moves[0]))
    table.settled()
    second = table.played()
    assert len(second) == 4
    table.press("Undo")
    table.shows(between)
    table.has_played(*first)
    expect(table.status).to_have_text("Your turn")
    expect(table.said).to_have_text("Taken back. Your turn.")
    table.press("Undo")
    table.shows(START)
    assert not enabled(table, "Undo")
    table.press("Redo")
    table.has_played(*first)
    table.press("Redo")
    table.has_played(*second)
    assert not enabled(table, "Redo")
    table.settled()
    table.press("Undo")
    table.play(str(between.legal_moves[-1]))  # another move instead: nothing is left to redo
    table.settled()
    assert not enabled(table, "Redo")
    assert table.played()[:2] == first


def test_undo_while_the_computer_thinks(table):
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request("**/api/reply"):
        table.click(11, 15)
    expect(table.status).to_have_text("Computer’s turn")
    table.press("Undo")
    table.shows(START)
    expect(table.status).to_have_text("Your turn")
    table.page.unroute("**/api/reply")
    with table.page.expect_response("**/api/reply"):  # only the next move gets an answer
        table.click(10, 14)
    table.settled()
    assert table.played()[0] == "10-14"
    assert len(table.played()) == 2
    assert len(held) == 1


def test_undo_as_light_goes_back_to_the_own_turn(table):
    table.open(level=1, side="white")
    table.settled()
    first = table.played()
    assert len(first) == 1
    assert not enabled(table, "Undo")  # the computer's opening is no turn of the player
    before = table.position
    table.play(str(before.legal_moves[0]))
    table.settled()
    table.press("Undo")
    table.shows(before)
    table.has_played(*first)


def test_undo_takes_back_a_computers_winning_move(table):
    """Also when the game is over, and its result with it."""
    table.open("B:W11,20:B7", level=1)
    table.click(7, 16)  # the only move, a jump into a jump
    table.settled()
    expect(table.message).to_have_text("White wins. Black has no piece left.")
    table.press("Undo")
    table.shows("B:W11,20:B7")
    expect(table.message).to_be_empty()
    expect(table.status).to_have_text("Your turn")


def test_undo_with_two_players_takes_back_one_whole_turn(table):
    table.open("B:W11,19,27,29:B1,7", mode="two")
    table.click(7, 32)
    table.play("29-25")
    table.press("Undo")
    table.has_played("7x16x23x32")
    expect(table.said).to_have_text("Taken back. White to move.")
    table.press("Undo")
    table.shows("B:W11,19,27,29:B1,7")
    table.press("Redo")
    table.has_played("7x16x23x32")
    table.press("Redo")
    table.has_played("7x16x23x32", "29-25")


# New games


def test_a_new_game_is_asked_for_when_one_is_under_way(table):
    table.open(mode="two")
    table.type_all(["11-15", "22-18"])
    dialog = table.page.get_by_role("dialog", name="Start a new game?")
    table.press("New game")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep playing").click()
    expect(dialog).to_be_hidden()
    table.has_played("11-15", "22-18")
    table.press("New game")
    table.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    table.has_played("11-15", "22-18")
    table.press("New game")
    dialog.get_by_role("button", name="Start new game").click()
    table.shows(START)
    expect(table.moves.get_by_role("button")).to_have_count(0)
    expect(table.said).to_have_text("New game. Black to move.")
    assert not enabled(table, "Undo")
    table.press("New game")  # nothing to lose: only the kinds of game to choose from
    expect(dialog.get_by_role("link").first).to_be_visible()
    expect(dialog.get_by_text("The game in progress will be lost.")).to_be_hidden()


def test_rematch(table):
    table.open("W:W5:B1", mode="two")
    table.press("Rematch")
    table.shows(START)
    expect(table.status).to_have_text("Black to move")
    expect(table.button("Rematch")).to_be_hidden()


def test_a_change_of_mode_begins_a_new_game(table):
    table.open(mode="two")
    table.type_all(["11-15"])
    opponent = table.page.get_by_label("Opponent")
    dialog = table.page.get_by_role("dialog", name="Start a new game?")
    opponent.select_option("Computer")
    dialog.get_by_role("button", name="Keep playing").click()
    expect(opponent).to_have_value("two")
    table.has_played("11-15")
    opponent.select_option("Computer")
    dialog.get_by_role("button", name="Start new game").click()
    table.shows(START)
    expect(opponent).to_have_value("computer")
    expect(table.page.get_by_label("Level")).to_be_visible()
    opponent.select_option("Two players on this device")
    expect(table.page.get_by_label("Level")).to_be_hidden()
    expect(table.status).to_have_text("Black to move")


def test_a_change_of_side_lets_the_computer_begin(table):
    table.open(level=1)
    table.page.get_by_label("You play").select_option("Light (White)")
    expect(table.board).to_have_attribute("data-fen", re.compile("^W:"))
    table.settled()
    assert len(table.played()) == 1
    expect(table.board).to_have_attribute("data-orientation", "W")


def test_a_change_of_level_keeps_the_game(table):
    table.open(level=1)
    table.play("11-15")
    table.settled()
    table.page.get_by_label("Level").select_option(label="2 · Learner")
    assert len(table.played()) == 2
    with table.page.expect_request("**/api/reply") as asked:
        table.play(str(table.position.legal_moves[0]))
    assert asked.value.post_data_json["level"] == 2
    table.settled()
    assert len(table.played()) == 4


def test_a_change_of_level_while_the_computer_thinks(table):
    """The new level is asked, and the old one's answer is not waited for."""
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request("**/api/reply"):
        table.play("11-15")
    with table.page.expect_request("**/api/reply") as asked:
        table.page.get_by_label("Level").select_option(label="2 · Learner")
    assert asked.value.post_data_json["level"] == 2
    for route in held:
        route.continue_()
    table.settled()
    assert len(table.played()) == 2


def test_settings_that_an_address_names(table):
    table.open(mode="two", preset="tournament", side="light")
    expect(table.page.get_by_label("Opponent")).to_have_value("two")
    expect(table.page.get_by_label("Draw rules")).to_have_value("tournament")
    expect(table.board).to_have_attribute("data-orientation", "W")


def test_a_bad_address_is_explained(table):
    for query, reason in [
        ({"fen": "B:W21:B32"}, "Black has a man on 32, its crown row"),
        ({"fen": "hello"}, "'hello' says no side to move"),
        ({"fen": "W:W33:B1"}, "'33' is no square"),
        ({"mode": "three"}, "mode cannot be 'three': it is one of computer, two"),
        ({"level": "9"}, "level cannot be '9': it is one of 1, 2, 3, 4, 5, 6, 7, 8"),
        ({"side": "green"}, "side cannot be 'green'"),
        ({"preset": "chess"}, "preset cannot be 'chess'"),
    ]:
        table.open(**query)
        expect(table.message).to_contain_text("This link cannot be opened")
        expect(table.message).to_contain_text(reason)
        table.shows(START)
    table.click(11, 15)
    assert table.played()[0] == "11-15"


def test_an_address_does_not_throw_a_game_away(table):
    table.open(mode="two")
    table.type_all(["11-15"])
    table.page.goto(f"{table.url}?fen=W:W5:B1")
    dialog = table.page.get_by_role("dialog", name="Open the game of this link?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep playing").click()
    table.has_played("11-15")
    expect(table.page).to_have_url(table.url)
    table.page.goto(f"{table.url}?fen=W:W5:B1")
    dialog.get_by_role("button", name="Open the link").click()
    table.shows("W:W5:B1")


def test_an_address_does_not_throw_a_position_away(table):
    """A position that was set up is a game under way, also before its first move."""
    table.open("B:W21,30:B1,2", mode="two")
    table.open("B:W21,30:B1,2", mode="two")  # the same again loses nothing
    table.page.goto(f"{table.url}?fen=B:W22:B1")
    dialog = table.page.get_by_role("dialog", name="Open the game of this link?")
    dialog.get_by_role("button", name="Keep playing").click()
    table.shows("B:W21,30:B1,2")
    table.press("New game")
    expect(table.page.get_by_role("dialog", name="Start a new game?")).to_be_visible()


# Looking


def test_flip_turns_the_board_and_not_the_game(table):
    table.open(mode="two")
    table.type_all(["11-15"])
    x, y = table.centre(32)
    table.press("Flip board")
    expect(table.board).to_have_attribute("data-orientation", "W")
    table.shows(after("11-15"))
    assert table.centre(1) == pytest.approx((x, y), abs=0.5)
    expect(table.page.get_by_role("grid")).to_have_accessible_name(
        "Checkers board, White at the bottom"
    )
    table.click(22, 18)
    table.shows(after("11-15", "22-18"))
    order = table.page.evaluate(
        "() => [...document.querySelectorAll('[data-square]')].map(cell => +cell.dataset.square)"
    )
    assert order == list(range(1, 33))
    table.press("Flip board")
    expect(table.board).to_have_attribute("data-orientation", "B")


def test_looking_back_and_forth(table):
    texts = ["11-15", "22-18", "15x22", "25x18", "8-11"]
    table.open(mode="two")
    table.type_all(texts)
    table.has_played(*texts)
    table.press("Previous move")
    table.shows(after(*texts[:4]))
    expect(table.note).to_have_text("Viewing move 2, 25x18.")
    table.press("Previous move")
    table.shows(after(*texts[:3]))
    expect(table.said).to_have_text("Black jumps from 15 over 18 to 22.")
    table.press("Start of the game")
    table.shows(START)
    expect(table.note).to_have_text("Viewing the start.")
    assert not enabled(table, "Previous move")
    table.press("Next move")
    table.shows(after("11-15"))
    table.moves.get_by_role("button", name="15x22").click()
    table.shows(after(*texts[:3]))
    expect(table.moves.locator("[aria-current=true]")).to_have_text("15x22")
    table.click(26, 17)  # nothing moves in the past
    table.shows(after(*texts[:3]))
    expect(table.message).to_have_text("This is an earlier position. Go back to the game to move.")
    table.type("26x17")
    expect(table.message).to_have_text("Go back to the game to move.")
    table.press("Back to the game")
    table.shows(after(*texts))
    table.press("Previous move")
    table.press("Latest move")
    table.shows(after(*texts))
    table.play("23-19")
    table.has_played(*texts, "23-19")


def test_the_move_list_by_keyboard(table):
    texts = ["11-15", "22-18", "15x22", "25x18"]
    table.open(mode="two")
    table.type_all(texts)
    expect(table.moves.locator("[tabindex='0']")).to_have_count(1)
    table.moves.get_by_role("button", name="25x18").focus()
    for key, ply in (("ArrowLeft", 3), ("ArrowUp", 1), ("ArrowRight", 2), ("End", 4), ("Home", 1)):
        table.page.keyboard.press(key)
        table.shows(after(*texts[:ply]))
        expect(table.moves.locator(":focus")).to_have_text(texts[ply - 1])
    table.page.keyboard.press("ArrowDown")
    table.page.keyboard.press("ArrowDown")
    table.shows(after(*texts))


def test_a_reply_that_comes_while_looking_back(table):
    held = table.hold_replies()
    table.open(level=1)
    with table.page.expect_request("**/api/reply"):
        table.type("11-15")
    table.press("Start of the game")
    table.shows(START)
    held[0].continue_()
    expect(table.moves.get_by_role("button")).to_have_count(2)
    expect(table.status).to_have_text("Your turn")
    table.shows(START)  # the place that was looked at stays
    expect(table.note).to_have_text("Viewing the start.")
    expect(table.message).to_contain_text("The computer has moved. White moves from")
    expect(table.said).to_contain_text("Your turn.")
    table.press("Back to the game")
    table.shows(after(*table.played()))


def test_letters_and_numbers(table):
    table.open("B:W17,18,32:B1,2,13,14", mode="two")
    table.press("Settings")
    table.page.get_by_role("radio", name="Letters").check(force=True)
    table.page.keyboard.press("Escape")
    table.click(2)
    expect(table.message).to_have_text("Black must jump, with the piece on a5 or c5.")
    table.click(14, 21)
    table.has_played("c5:a3")
    expect(table.said).to_have_text("Black jumps from c5 over b4 to a3. White to move.")
    expect(table.square(22).locator("text")).to_have_text("c3")
    table.play("g1-f2")
    table.has_played("c5:a3", "g1-f2")
    table.reload()  # the choice stays
    expect(table.moves.get_by_role("button").first).to_have_text("c5:a3")
    table.press("Settings")
    table.page.get_by_role("radio", name="Numbers").check(force=True)
    table.has_played("14x21", "32-27")
    expect(table.square(22).locator("text")).to_have_text("22")
