"""What a screen reader meets: names, one tab stop, one sentence a turn, and keys that read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kingme import Position
from kingme.rules.squares import EIGHT

TRIPLE = "B:W11,19,27,29:B1,7"
HEAR = """id => {
    window.heard = [];
    const region = document.getElementById(id);
    const note = () => region.textContent && heard.push(region.textContent);
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(region, all);
}"""


def hear(table, *regions: str) -> None:
    """From now on collect what live regions say, in `window.heard`."""
    for region in regions or ("say",):
        table.page.evaluate(HEAR, region)


def heard(table) -> list[str]:
    """What was said since the last time, with plain spaces."""
    said = table.page.evaluate("heard.splice(0)")
    return [text.replace("\u00a0", " ").strip() for text in said]


def test_the_grid(table):
    table.open(mode="two")
    grid = table.page.get_by_role("grid", name="Checkers board, Black at the bottom")
    expect(grid).to_have_count(1)
    expect(grid.get_by_role("row")).to_have_count(8)
    expect(grid.get_by_role("row").nth(0).get_by_role("gridcell")).to_have_count(4)
    expect(grid.get_by_role("gridcell")).to_have_count(32)


def test_every_square_has_its_name(table):
    table.open("B:W21,K22,32:B1,K14,27", mode="two")
    things = {21: "light man", 22: "light king", 32: "light man", 1: "dark man"}
    things |= {14: "dark king", 27: "dark man"}
    moves = {1: "can move", 14: "can move", 27: "can move"}
    for number in range(1, 33):
        parts = [EIGHT.letters(number), f"square {number}", things.get(number, "empty")]
        parts += [moves[number]] if number in moves else []
        assert table.named(number) == ", ".join(parts)
    table.click(27)
    assert table.named(27) == "f2, square 27, dark man, chosen"
    assert table.named(31) == "e1, square 31, empty, can land here"


def test_the_grid_is_one_tab_stop(table):
    table.open(mode="two")
    page = table.page
    stops = page.locator("[role=gridcell][tabindex='0']")
    expect(stops).to_have_count(1)
    table.square(11).focus()
    page.keyboard.press("Tab")
    assert table.focused() == 0
    page.keyboard.press("Shift+Tab")
    assert table.focused() == 11  # back where one was
    page.keyboard.press("ArrowUp")
    assert table.focused() == 15
    expect(stops).to_have_count(1)
    table.press("Flip board")
    expect(stops).to_have_count(1)
    assert stops.get_attribute("data-square") == "15"


def test_keys_go_everywhere_and_never_out(table):
    table.open(mode="two")
    table.square(32).focus()
    press = table.page.keyboard.press
    for key, square in [
        *[("ArrowUp", 32), ("ArrowLeft", 32), ("ArrowRight", 31), ("End", 29), ("ArrowRight", 29)],
        *[("ArrowDown", 25), ("Home", 28), ("Control+End", 1), ("ArrowDown", 1), ("ArrowRight", 1)],
        *[("Home", 4), ("Control+Home", 32), ("4", 20), ("Shift+A", 20), ("8", 4), ("1", 32)],
    ]:
        press(key)
        assert table.focused() == square, key
    press("Shift+Digit1")  # to the file of a1
    assert EIGHT.letters(table.focused())[0] == "a"


def test_one_sentence_for_a_whole_jump(table):
    table.open(TRIPLE, mode="two")
    hear(table)
    table.click(7, 16)
    assert heard(table) == ["Jump goes on from 16, to 23."]
    assert table.square(16).get_attribute("aria-selected") == "true"
    expect(table.page.locator("[aria-selected]")).to_have_count(1)
    table.click(23)
    assert heard(table) == ["Jump goes on from 23, to 32."]
    table.click(32)
    expect(table.page.locator("[aria-selected]")).to_have_count(0)
    sentence = "Black jumps from 7 over 11, 19 and 27 to 32 and is crowned. White to move."
    assert heard(table) == [sentence]
    table.click(29, 25)
    assert heard(table) == ["White moves from 29 to 25. Black to move."]


def test_the_same_sentence_twice_is_said_twice(table):
    table.open("B:WK32:BK1", mode="two", preset="agreement")
    hear(table)
    table.type_all(["1-6", "32-27", "6-1", "27-32", "1-6"])
    said = heard(table)
    assert said[0] == said[4] == "Black moves from 1 to 6. White to move."
    assert len(said) == 5


def test_a_jump_of_a_king_is_heard_in_its_order(table):
    table.open("W:WK22,32:B1,11,18", mode="two")
    table.click(22, 8)
    expect(table.said).to_have_text("White jumps from 22 over 18 and 11 to 8. Black to move.")


def test_the_reply_and_whose_turn_it_is(table):
    table.open(level=1)
    hear(table)
    table.play("11-15")
    table.settled()
    own, reply = heard(table)
    assert own == "Black moves from 11 to 15."
    assert reply.startswith("White moves from ")
    assert reply.removesuffix(" A jump is compulsory.").endswith(" Your turn.")


def test_results_are_said_at_once_and_once(table):
    table.open("B:W11,20:B7", mode="two")
    table.click(7, 16)
    hear(table, "alert")
    table.click(20, 11)
    assert heard(table) == [
        "White jumps from 20 over 16 to 11. White wins. Black has no piece left."
    ]


def test_letters_are_heard_as_they_are_chosen(table):
    table.page.add_init_script(
        "localStorage.setItem('kingme.look', JSON.stringify({notation: 'letters'}))"
    )
    table.open(TRIPLE, mode="two")
    table.click(7, 32)
    expect(table.said).to_have_text(
        "Black jumps from e7 over f6, f4 and f2 to g1 and is crowned. White to move."
    )


def test_a_jump_that_forks_names_its_ways(table):
    table.open("B:W18,26,27:B1,14", mode="two")
    table.click(14, 23)
    expect(table.said).to_have_text("Jump goes on from 23, to 30 or 32.")
    expect(table.message).to_be_empty()


def test_a_compulsory_jump_is_said(table):
    table.open("B:W18:B10,1", mode="two")
    table.play("10-15")
    expect(table.said).to_have_text(
        "Black moves from 10 to 15. White to move. A jump is compulsory."
    )


def test_caps_lock_changes_no_key(table):
    table.open("B:W17,18,32:B1,2,13,14", mode="two")
    table.square(1).focus()
    for key, shift, words in [
        ("O", False, "b8, square 1, dark man"),
        ("L", False, "No move yet."),
        ("T", False, "There are no clocks. Black to move."),
        ("M", False, "13x22, 14x21, 14x23"),
        ("m", True, "13x22, 14x21, 14x23"),
    ]:
        table.page.evaluate(
            """([key, shiftKey]) => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }))""",
            [key, shift],
        )
        expect(table.said).to_have_text(words)


def test_the_title_of_the_page_says_whose_turn_it_is(table):
    table.open(level=1)
    expect(table.page).to_have_title("Your turn – kingme")
    table.press("Resign")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(table.page).to_have_title("You lose – kingme")


def on_the_board(table) -> bool:
    return table.focused() > 0


def test_a_button_that_goes_away_gives_the_focus_to_the_board(table):
    table.open("W:W5:B1", mode="two")
    table.button("Rematch").press("Enter")
    assert on_the_board(table)
    table.play("11-15")
    table.press("Previous move")
    table.button("Back to the game").press("Enter")
    assert on_the_board(table)


def test_try_again_gives_the_focus_to_the_board(table):
    table.page.route("**/api/reply", lambda route: route.abort())
    table.open(level=1)
    table.click(11, 15)
    expect(table.button("Try again")).to_be_visible()
    table.page.unroute("**/api/reply")
    table.button("Try again").press("Enter")
    expect(table.moves.get_by_role("button")).to_have_count(2)
    assert on_the_board(table)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("o", "c5, square 14, dark man, can jump"),
        ("l", "No move yet."),
        ("t", "There are no clocks. Black to move."),
        ("m", "14x21, 14x23"),
        ("Shift+M", "14x21, 14x23"),
    ],
)
def test_keys_that_read(table, key, words):
    table.open("B:W17,18,32:B1,2,13,14", mode="two")
    table.square(14).focus()
    table.page.keyboard.press(key)
    expect(table.said).to_have_text(words)
    expect(table.message).to_be_empty()
    assert table.focused() == 14


def test_keys_that_read_moves(table):
    table.open(mode="two")
    table.square(18).focus()
    table.page.keyboard.press("m")
    expect(table.said).to_have_text("9-13, 9-14, 10-14, 10-15, 11-15, 11-16, 12-16")
    table.page.keyboard.press("Shift+M")
    expect(table.said).to_have_text("There is no jump.")
    table.type_all(["11-15"])
    table.square(18).focus()
    table.page.keyboard.press("l")
    expect(table.said).to_have_text("Black moves from 11 to 15.")


def test_browser_shortcuts_stay_the_browsers(table):
    table.open(mode="two")
    table.square(11).focus()
    for key in ("Control+m", "Alt+o", "Control+l"):
        kept = table.page.evaluate(
            """([key, ctrlKey, altKey]) => document.activeElement.dispatchEvent(new KeyboardEvent(
                "keydown", { key, ctrlKey, altKey, bubbles: true, cancelable: true }))""",
            [key[-1], "Control" in key, "Alt" in key],
        )
        assert kept, key


def test_a_click_without_a_pointer(table):
    """Assistive technology clicks an element, with no place on the screen."""
    table.open(mode="two")
    for number in (11, 15):
        table.square(number).dispatch_event("click")
    table.shows(Position.start().play(Position.start().parse("11-15")))
