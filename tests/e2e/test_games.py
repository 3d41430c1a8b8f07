"""Whole games to their end: by mouse, by keyboard alone, by touch."""

from __future__ import annotations

import random
from itertools import pairwise

from playwright.sync_api import expect
from tests.e2e.players import choose, offer
from tests.e2e.table import Finger, Table

from kingme import PRESETS, History

ENDS = {
    "no_pieces": "{loser} has no piece left.",
    "no_moves": "{loser} has no move left.",
    "repetition": "The same position came up for the third time.",
    "no_progress": "40 moves each without a capture or a man’s move.",
}


def expect_end(table: Table, history: History) -> None:
    """The page says who won and why, as the rules say it."""
    outcome = history.outcome(PRESETS["standard"])
    assert outcome is not None
    loser = outcome.winner.other.title if outcome.winner else ""
    winner = f"{outcome.winner.title} wins." if outcome.winner else "The game is a draw."
    reason = ENDS[outcome.termination.value].format(loser=loser)
    expect(table.message).to_have_text(f"{winner} {reason}")
    expect(table.alert).to_contain_text(f"{winner} {reason}")
    assert table.played() == [str(move) for move in history.moves]


def follow(table: Table, history: History) -> History:
    """Wait for the computer when it is to move, and add what it played."""
    table.settled()
    replies = table.played()[len(history.moves) :]
    assert len(replies) == (not is_over(history))
    for text in replies:
        history = history.play(text)
    table.shows(history.position)
    return history


def is_over(history: History) -> bool:
    return history.outcome(PRESETS["standard"]) is not None


def test_a_whole_game_against_the_computer_by_mouse(table):
    table.open(level=1)
    expect(table.page.get_by_label("Level")).to_have_value("1")
    chance = random.Random(1)
    history = History.start()
    while not is_over(history):
        move = offer(history.position, chance)
        table.click(*table.ways(move, straight=len(history.moves) % 4 == 0))
        history = follow(table, history.play(move))
    expect_end(table, history)
    assert len(history.moves) > 20
    expect(table.button("Rematch")).to_be_visible()


class Keys:
    """A player without a mouse, who knows where the focus is and which keys lead elsewhere."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.at = table.focused()
        self.dark_below = table.board.get_attribute("data-orientation") == "B"

    def press(self, *keys: str) -> None:
        for key in keys:
            self.table.page.keyboard.press(key)

    def place(self, square: int) -> tuple[int, int]:
        """The row of a square from the top, and its place among the four of the row."""
        return divmod(32 - square if self.dark_below else square - 1, 4)

    def go(self, goal: int, leap: bool) -> None:
        """Bring the focus to a square: by arrows alone, or with a digit to its rank first."""
        row, column = self.place(goal)
        if leap:
            self.press(str(8 - (goal - 1) // 4))
            if column in (0, 3):
                self.press("Home" if column == 0 else "End")
        else:
            rows = row - self.place(self.at)[0]
            self.press(*["ArrowDown" if rows > 0 else "ArrowUp"] * abs(rows))
        here, there = self.place(self.table.focused())
        assert here == row
        self.press(*["ArrowRight" if column > there else "ArrowLeft"] * abs(column - there))
        self.at = goal
        assert self.table.focused() == goal

    def play(self, squares: tuple[int, ...], leap: bool) -> None:
        for square in squares:
            self.go(square, leap)
            self.press("Enter" if leap else "Space")


def test_a_whole_game_against_the_computer_by_keyboard_alone(table):
    table.open(level=1, side="white")
    table.page.keyboard.press("Tab")
    expect(table.page.get_by_role("link", name="Skip to the board")).to_be_focused()
    table.page.keyboard.press("Enter")
    table.page.keyboard.press("Tab")
    assert table.focused()
    keys = Keys(table)
    chance = random.Random(2)
    history = follow(table, History.start())
    while not is_over(history):
        move = offer(history.position, chance)
        turn = len(history.moves) // 2
        if turn % 5 == 0:  # think again: choose a piece and let it go
            keys.go(move.start, leap=True)
            keys.press("Enter")
            assert "chosen" in table.named(move.start)
            keys.press("Escape")
            assert "chosen" not in table.named(move.start)
        keys.play(table.ways(move, straight=turn % 2 == 0), leap=turn % 3 == 0)
        history = follow(table, history.play(move))
        assert table.focused() == keys.at, "the reply moved the focus"
    expect_end(table, history)


def test_a_whole_game_by_touch(phone):
    """Two players tap and drag; the page never moves under their fingers."""
    phone.open(mode="two")
    finger = Finger(phone.page)
    history = History.start()
    chance = random.Random(81)  # a short game
    while not is_over(history):
        move = choose(history.position, chance)
        turn = len(history.moves)
        ways = phone.ways(move, straight=turn % 3 == 1)
        if turn % 3 == 2:
            for start, goal in pairwise(ways):
                finger.swipe(phone.centre(start), phone.centre(goal))
        else:
            phone.tap(*ways)
        history = history.play(move)
        phone.shows(history.position)
    expect_end(phone, history)
    assert phone.page.evaluate("[scrollX, scrollY]") == [0, 0]


def test_a_whole_game_dragged_with_the_mouse(table):
    """Jumps are dragged from landing to landing, or to the last square at once."""
    table.open(mode="two")
    history = History.start()
    chance = random.Random(0)  # a short game with long jumps
    while not is_over(history):
        move = offer(history.position, chance)
        table.drag(*table.ways(move, straight=len(history.moves) % 2 == 0))
        history = history.play(move)
        table.shows(history.position)
    expect_end(table, history)
    assert max(len(move.captures) for move in history.moves) == 3
