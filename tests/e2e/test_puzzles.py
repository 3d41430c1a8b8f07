"""The page of puzzles: solved by keyboard, mouse and finger; what came of it is kept."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.table import Table
from tests.e2e.test_axe import violations

from kingme.analysis.puzzles import Puzzle
from kingme.analysis.puzzles.shelf import shelf
from kingme.analysis.puzzles.telling import worse_words
from kingme.rules.moves import Move

pytestmark = pytest.mark.browser


class Solver(Table):
    """A person at a puzzle."""

    def go(self, address: str) -> Puzzle:
        self.page.goto(urljoin(self.url, address))
        self.live()
        data = self.page.evaluate("JSON.parse(document.querySelector('#kingme-data').textContent)")
        return shelf().get(data["name"])

    def types(self, move: Move) -> None:
        """Choose the squares of a move by keyboard."""
        for number in move.path:
            self.square(number).focus()
            self.page.keyboard.press("Enter")

    def solves(self, puzzle: Puzzle, by=None) -> None:
        """Play the line, waiting for each answer."""
        position = puzzle.position
        for step in puzzle.steps:
            self.shows(position)
            (by or self.types)(step.move)
            position = position.play(step.move)
            if step.reply is not None:
                position = position.play(step.reply)
        self.shows(position)
        expect(self.page.locator("#after")).to_be_visible()

    def reads(self, **figures: str) -> None:
        """Expect what the page says of how one has done."""
        for name, text in figures.items():
            expect(self.page.locator(f"#{name}")).to_have_text(text)


def short_one(but: str) -> Puzzle:
    """A puzzle of two moves, in each of which there is one right move."""
    puzzles = (shelf().get(name) for name in shelf().daily if name != but)
    return next(
        puzzle
        for puzzle in puzzles
        if len(puzzle.steps) == 2 and all(len(step.accepted) == 1 for step in puzzle.steps)
    )


def overflow(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_a_day_by_keyboard_with_a_wrong_try_and_the_next_by_mouse(new_context, server_url):
    context = new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="dark", reduced_motion="reduce"
    )
    solver = Solver(context.new_page(), server_url)
    today = solver.go("/puzzles")
    said = solver.page.get_by_role("status")
    solver.reads(rating="–", solved="0 of 0", days="0")
    wrong, reply = next((move, reply) for move, reply in today.steps[0].refuted if reply)
    solver.types(wrong)
    expect(said).to_have_text(f"{wrong} is answered by {reply}. {worse_words(today)}")
    solver.shows(today.position.play(wrong).play(reply))
    expect(solver.button("Try again")).to_be_focused()
    solver.page.keyboard.press("Enter")
    expect(solver.button("Hint")).to_have_accessible_description(re.compile("counts as a miss"))
    solver.press("Hint")
    expect(said).to_have_text(f"Move the piece on {today.steps[0].move.start}.")
    solver.solves(today)
    solver.reads(solved="0 of 1", run="0", days="0")
    assert solver.page.evaluate(
        "(l => l.scrollHeight <= l.clientHeight)(document.getElementById('moves'))"
    )
    assert list(violations(solver.page)) == []
    assert overflow(solver.page) == 0
    after = solver.page.locator("#after")
    expect(after).to_contain_text(today.origin.event)
    link = after.get_by_role("link", name="Analyse the position").get_attribute("href") or ""
    assert link.startswith("/analysis?fen=")
    solver.go("/puzzles")
    expect(said).to_contain_text("You have tried this puzzle before")
    solver.reads(solved="0 of 1", days="0")

    puzzle = short_one(today.name)
    solver.go(f"/puzzles/{puzzle.name}")
    solver.solves(puzzle, by=lambda move: solver.click(*move.path))
    expect(said).to_have_text("Solved.")
    solver.reads(solved="1 of 2", run="1", days="0")
    solver.page.get_by_role("link", name="Next puzzle").click()
    expect(solver.page).not_to_have_url(urljoin(server_url, f"/puzzles/{puzzle.name}"))
    solver.live()
    solver.page.evaluate("localStorage['kingme.puzzles'] = '{\"rating\": \"?\", tried'")
    solver.page.reload()
    solver.live()
    solver.reads(solved="0 of 0", days="0")
    solver.go(f"/puzzles/{today.name}")
    solver.solves(today)
    solver.reads(solved="1 of 1", days="1")
    solver.page.reload()
    expect(said).to_contain_text("You have solved this puzzle before")


def test_a_puzzle_under_a_finger_at_320_pixels(new_context, server_url):
    context = new_context(
        viewport={"width": 320, "height": 640},
        has_touch=True,
        is_mobile=True,
        color_scheme="light",
        reduced_motion="reduce",
    )
    solver = Solver(context.new_page(), server_url)
    puzzle = short_one("")
    solver.go(f"/puzzles/{puzzle.name}")
    assert list(violations(solver.page)) == []
    assert overflow(solver.page) == 0
    small = solver.page.evaluate(
        """() => [...document.querySelectorAll("#acts > :not([hidden])")]
            .filter(node => node.getBoundingClientRect().height < 44).map(node => node.id)"""
    )
    assert small == []
    solver.solves(puzzle, by=lambda move: solver.tap(*move.path))
    solver.reads(solved="1 of 1")
    assert overflow(solver.page) == 0
    solver.go(f"/puzzles/{short_one(puzzle.name).name}")
    solver.page.get_by_role("button", name="Solution").press("Enter")
    expect(solver.page.locator("#after")).to_be_visible()
    expect(solver.page.get_by_role("status")).to_contain_text("The solution:")
    expect(solver.page.get_by_role("link", name="Next puzzle")).to_be_focused()


def test_a_puzzle_solved_in_one_tab_is_not_lost_in_the_other(context, server_url):
    puzzle = short_one("")
    one, two = (Solver(context.new_page(), server_url) for _ in range(2))
    for solver in (one, two):
        solver.go(f"/puzzles/{puzzle.name}")
    one.solves(puzzle)
    for solver in (one, two):
        solver.reads(solved="1 of 1", run="1")
    said = two.page.get_by_role("status")
    expect(said).to_contain_text("You have solved this puzzle before")
    wrong, reply = next((move, reply) for move, reply in puzzle.steps[0].refuted if reply)
    two.types(wrong)
    expect(said).to_contain_text(f"{wrong} is answered by {reply}.")
    for solver in (one, two):
        solver.reads(solved="1 of 1", run="1")


def test_without_a_script_there_is_a_picture(new_context, server_url):
    context = new_context(viewport={"width": 320, "height": 640}, java_script_enabled=False)
    page = context.new_page()
    page.goto(urljoin(server_url, "/puzzles"))
    box = page.locator(".diagram").bounding_box()
    assert box
    assert box["width"] > 240
    assert page.locator("#acts button:visible").count() == 0
    fen = page.locator(".fen").bounding_box()
    assert fen
    assert fen["x"] + fen["width"] <= 320
