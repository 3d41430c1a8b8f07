"""Entering a move: long jumps, a question about the route, and what must jump."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kingme import Position

TRIPLE = "B:W11,19,27,29:B1,7"  # 7x16x23x32
BRANCHES = "B:W18,26,27:B1,14"  # 14x23x30 and 14x23x32
FORK = "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"  # 10x17x26 and 10x19x26
JUMPERS = "B:W17,18,32:B1,2,13,14"  # 13x22, 14x21 and 14x23
LOOPS = "W:WK22:B9,10,11,17,18,19,25,26,27"  # 16 routes, some through the start square


def after(fen: str, text: str) -> Position:
    position = Position.from_fen(fen)
    return position.play(position.parse(text))


def marked(table) -> set[int]:
    """The squares whose pieces are marked as jumped, to the eye and by name alike."""
    crossed = table.page.evaluate(
        """() => [...document.querySelectorAll("[data-at]:has([href='#cross'])")]
            .map(piece => +piece.dataset.at)"""
    )
    seen = set(crossed) - {0}  # those at 0 are fading away
    read = table.saying("jumped")
    assert seen == read
    return read


def press_keys(table, *squares: int) -> None:
    """Choose squares with Enter, having brought the focus to each."""
    for number in squares:
        table.square(number).focus()
        table.page.keyboard.press("Enter")


def test_a_long_jump_landing_by_landing(table):
    table.open(TRIPLE, mode="two")
    table.click(7)
    assert "chosen" in table.named(7)
    assert table.saying("can land here") == {16, 32}
    table.click(16)
    assert marked(table) == {11}
    assert table.named(16) == "g5, square 16, dark man, chosen"
    assert table.named(7) == "e7, square 7, empty"
    assert table.named(11) == "f6, square 11, light man, jumped"
    table.click(23)
    assert marked(table) == {11, 19}
    table.shows(TRIPLE)  # nothing is played before the route is complete
    table.has_played()
    table.click(32)
    table.shows(after(TRIPLE, "7x16x23x32"))
    assert marked(table) == set()
    table.has_played("7x16x23x32")
    expect(table.said).to_have_text(
        "Black jumps from 7 over 11, 19 and 27 to 32 and is crowned. White to move."
    )


@pytest.mark.parametrize("way", ["click", "drag", "keys"])
def test_a_long_jump_straight_to_its_last_square(table, way):
    table.open(TRIPLE, mode="two")
    {"click": table.click, "drag": table.drag, "keys": lambda *n: press_keys(table, *n)}[way](7, 32)
    table.shows(after(TRIPLE, "7x32"))
    table.has_played("7x16x23x32")


def test_part_of_the_way_and_then_straight(table):
    table.open(TRIPLE, mode="two")
    table.click(7, 16, 32)
    table.has_played("7x16x23x32")


def test_escape_takes_back_the_landings(table):
    table.open(TRIPLE, mode="two")
    table.click(7, 16, 23)
    table.page.keyboard.press("Escape")
    assert marked(table) == set()
    assert table.named(7) == "e7, square 7, dark man, can jump"
    assert table.named(23) == "e3, square 23, empty"
    table.shows(TRIPLE)
    table.click(7, 16, 23, 32)
    table.shows(after(TRIPLE, "7x32"))


def test_undo_takes_back_the_landings_first(table):
    table.open("W:W11,19,27,29:B1,2,7", mode="two")
    table.click(29, 25, 7, 16)
    assert marked(table) == {11}
    table.press("Undo")
    assert marked(table) == set()
    table.has_played("29-25")
    table.press("Undo")
    table.has_played()


def test_undo_takes_back_landings_of_the_first_move(table):
    table.open(TRIPLE, mode="two")
    assert table.button("Undo").get_attribute("aria-disabled") == "true"
    table.click(7, 16)
    assert marked(table) == {11}
    assert table.button("Undo").get_attribute("aria-disabled") != "true"
    table.press("Undo")
    assert marked(table) == set()
    assert table.button("Undo").get_attribute("aria-disabled") == "true"


def test_a_change_of_looks_keeps_the_landings(table):
    table.open(FORK, mode="two")
    table.click(10, 26)
    question = table.message.inner_text()
    table.press("Flip board")
    expect(table.message).to_have_text(question)
    assert table.saying("can land here") == {17, 19}
    table.click(17)
    table.shows(after(FORK, "10x17x26"))
    table.press("New game")
    table.press("Start new game")
    table.open(TRIPLE, mode="two")
    table.click(7, 16)
    table.press("Flip board")
    assert marked(table) == {11}
    table.press("Settings")
    for name in ("Letters", "Wood", "Dark"):
        table.page.get_by_role("radio", name=name).check(force=True)
    table.page.keyboard.press("Escape")
    assert marked(table) == {11}
    table.click(23, 32)
    table.shows(after(TRIPLE, "7x32"))


def test_a_chosen_piece_can_be_let_go(table):
    table.open(mode="two")
    table.click(11)
    assert "chosen" in table.named(11)
    table.click(11)
    assert "chosen" not in table.named(11)
    table.click(11, 10)  # or another one chosen
    assert "chosen" not in table.named(11)
    assert "chosen" in table.named(10)
    table.drag(9, 9)  # a drop where it was
    assert "chosen" not in table.named(10)
    table.click(10, 14)
    table.has_played("10-14")


def test_once_begun_no_other_piece_may_move(table):
    table.open(BRANCHES, mode="two")
    table.click(14, 23)
    table.click(1, 6)
    expect(table.message).to_have_text("From 23 the way is to 30 or 32.")
    expect(table.alert).to_have_text("From 23 the way is to 30 or 32.")
    assert marked(table) == {18}
    table.click(30)
    expect(table.message).to_be_empty()
    table.shows(after(BRANCHES, "14x23x30"))


@pytest.mark.parametrize(("landing", "text"), [(17, "10x17x26"), (19, "10x19x26")])
@pytest.mark.parametrize("way", ["click", "drag", "keys"])
def test_the_page_asks_for_the_route(table, way, landing, text):
    table.open(FORK, mode="two")
    choose = {"click": table.click, "drag": table.click, "keys": lambda *n: press_keys(table, *n)}[
        way
    ]
    table.drag(10, 26) if way == "drag" else choose(10, 26)
    question = "Several routes lead to 26. Choose the next landing: 17 or 19."
    expect(table.message).to_have_text(question)
    expect(table.alert).to_have_text(question)
    table.shows(FORK)
    assert table.saying("can land here") == {17, 19}
    choose(landing)
    table.shows(after(FORK, text))
    table.has_played(text)
    expect(table.message).to_be_empty()


def test_the_question_can_be_left(table):
    table.open(FORK, mode="two")
    table.click(10, 26)
    table.page.keyboard.press("Escape")
    table.shows(FORK)
    expect(table.message).to_be_empty()
    table.click(10, 17, 26)  # landing by landing nothing is asked
    table.shows(after(FORK, "10x17x26"))


def test_every_route_through_the_start_square(table):
    """All sixteen routes can be entered landing by landing, and give their own results."""
    table.open(LOOPS, mode="two")
    position = Position.from_fen(LOOPS)
    assert len(position.legal_moves) == 16
    for move in position.legal_moves:
        table.click(*move.path)
        table.shows(position.play(move))
        table.has_played(str(move))
        table.press("Undo")
        table.shows(position)


@pytest.mark.parametrize("way", ["click", "keys"])
def test_a_wrong_piece_is_told_what_must_jump(table, way):
    table.open(JUMPERS, mode="two")
    expect(table.note).to_have_text("A jump is compulsory.")
    assert table.saying("can jump") == {13, 14}
    choose = table.click if way == "click" else lambda n: press_keys(table, n)
    choose(2)
    expect(table.message).to_have_text("Black must jump, with the piece on 13 or 14.")
    expect(table.message).to_be_visible()
    expect(table.alert).to_have_text("Black must jump, with the piece on 13 or 14.")
    choose(14)
    expect(table.message).to_be_empty()
    choose(17)  # the piece that would be jumped is no landing
    expect(table.message).to_have_text("Black must jump, with the piece on 13 or 14.")
    choose(21)
    table.shows(after(JUMPERS, "14x21"))
    expect(table.message).to_be_empty()


def test_a_wrong_landing_is_told_the_right_ones(table):
    table.open(mode="two")
    table.click(11, 20)
    expect(table.message).to_have_text("From 11 the way is to 15 or 16.")
    table.click(1)
    expect(table.alert).to_contain_text("From 11 the way is to 15 or 16.")
    table.click(11)  # let go, and its message with it
    expect(table.message).to_be_empty()
    table.click(11, 16)
    table.has_played("11-16")


def test_a_piece_without_a_move_is_told_so(table):
    table.open(mode="two")
    table.click(1)
    expect(table.message).to_have_text("The dark man on 1 has no move now.")
    table.click(29)
    expect(table.message).to_have_text("That is White’s man.")


@pytest.mark.parametrize("fen", ["W:W5:B1,6", "W:W5:B1"])
@pytest.mark.parametrize("mode", ["two", "computer"])
def test_without_a_move_the_game_is_lost_at_once(table, fen, mode):
    """There is no passing: who cannot move on the turn has lost."""
    table.open(fen, mode=mode)
    expect(table.message).to_have_text("Black wins. White has no move left.")
    expect(table.status).to_have_text("Game over" if mode == "two" else "You lose")
    expect(table.button("Rematch")).to_be_visible()
    table.click(5, 1)
    table.shows(fen)
