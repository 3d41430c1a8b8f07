"""The lessons in a browser: by keyboard from the first step to the last, and what is kept."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.e2e.test_axe import FRAME, violations
from tests.e2e.test_looks import SHIFTS

from kingme.play.lessons import LESSONS, Choose, Moves, Point

STORED = "localStorage['kingme.learn']"
STILL = {"reduced_motion": "reduce"}


class Lesson:
    """The page of a lesson."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.said = page.locator("#said")

    def open(self, name: str, step: int | None = None) -> Lesson:
        self.page.goto("about:blank")  # a change of the hash alone would load nothing
        self.page.goto(urljoin(self.url, f"/learn/{name}{f'#{step}' if step else ''}"))
        expect(self.page.locator("kingme-board")).to_have_attribute("data-fen", re.compile(":"))
        return self

    @property
    def title(self) -> Locator:
        return self.page.locator(".step[data-current] h2")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).press("Enter")

    def enter(self, *squares: int) -> None:
        for square in squares:
            self.page.locator(f'kingme-board [data-square="{square}"]').press("Enter")


@pytest.fixture
def learning(new_context, server_url) -> Lesson:
    context = new_context(viewport={"width": 320, "height": 640}, **STILL)
    return Lesson(context.new_page(), server_url)


def answer(page: Lesson, task: object) -> None:
    if isinstance(task, Choose):
        page.press(task.choices[task.answer][0])
    elif isinstance(task, Point):
        page.enter(*task.answer)
    else:
        assert isinstance(task, Moves)
        move = task.line[0].split("|")[0]
        page.enter(*map(int, move.replace("-", "x").split("x")))


def test_a_lesson_by_keyboard_and_what_is_kept(learning):
    """From the overview through a whole lesson; then the overview knows, after a reload too."""
    page = learning.page
    page.goto(urljoin(learning.url, "/learn"))
    page.get_by_role("link", name="Start with the first lesson").press("Enter")
    expect(learning.title).to_have_text("Dark squares only")
    learning.press("64")
    expect(learning.said).to_contain_text("The light squares are never used")
    for number, step in enumerate(LESSONS[0].steps, 1):
        expect(page.locator("#count")).to_have_text(f"Step {number} of 4")
        expect(learning.title).to_have_text(step.title)
        answer(learning, step.task)
        expect(learning.said).to_have_attribute("data-mood", "good")
        expect(
            page.locator("#on")
        ).to_be_focused()  # where one goes on, from a word as from a board
        if number == 2:  # it is kept, and one goes on where one was
            page.reload()
            expect(learning.title).to_have_text(step.title)
        if number < 4:
            learning.press("Next")
            expect(learning.title).to_be_focused()
    expect(learning.said).to_contain_text("That was the whole lesson")
    learning.press("Next lesson")
    expect(page.get_by_role("heading", level=1)).to_have_text("How a man moves")
    page.goto(urljoin(learning.url, "/learn"))
    first = page.locator("[data-lesson='setting-up']")
    expect(first).to_have_attribute("data-state", "done")
    expect(page.get_by_role("link", name="Next: How a man moves")).to_be_visible()
    expect(page.locator("#sum")).to_contain_text("1 of ")
    assert not list(violations(page))
    page.evaluate(f'{STORED} = \'{{"lessons": 7, "last": []}}\'')
    page.reload()
    expect(first).to_have_attribute("data-state", "")


def test_tries_are_answered_with_reasons(learning):
    """A wrong move, a piece that has to wait, a square, a slip; and a win on the board."""
    page = learning.page
    learning.open("several-jumps", 3).enter(32)
    expect(learning.said).to_contain_text("White must jump, with the piece on 27")
    learning.open("jumping", 5).enter(11)
    expect(learning.said).to_contain_text("A man goes forward only")
    learning.enter(10)
    expect(learning.said).to_have_text("Square 10 is taken.")
    learning.enter(18, 19)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    learning.open("centre-and-edges", 5).enter(32, 28)
    expect(learning.said).to_contain_text("it is a draw")
    learning.enter(32, 27)
    expect(learning.said).to_contain_text("From 27")
    learning.open("two-for-one", 1).enter(24, 19)
    expect(learning.said).to_contain_text("Black jumps from 15 over 19 to 24. Go on.")
    learning.enter(28, 19)
    learning.enter(12)
    expect(learning.said).to_contain_text("One given, two taken")
    learning.open("two-against-one", 5).enter(19, 24)
    expect(learning.said).to_contain_text("After 19-24 the other side wins")
    learning.press("Start again")
    learning.enter(23, 27)
    expect(learning.said).to_contain_text("Black moves from 28 to 32. You have 20 more moves.")
    page.route("**/engine/endings.js", lambda route: route.abort())
    learning.open("winning", 5).enter(18, 22)
    expect(learning.said).to_contain_text("Check the connection, then make it again")
    page.unroute("**/engine/endings.js")
    learning.enter(18, 22)
    expect(learning.said).to_contain_text("Black moves from 29 to 25")
    learning.enter(22, 29)
    expect(learning.said).to_contain_text("The corner is a trap")
    page.route("**/engine/worker.js", lambda route: route.abort())
    learning.open("three-against-two", 4).enter(14, 9)
    expect(learning.said).to_contain_text("Check the connection, then make it again")
    page.unroute("**/engine/worker.js")
    learning.enter(14, 9)
    expect(learning.said).to_contain_text("You have", timeout=20_000)
    page.evaluate(f"{STORED} = '{{'")  # damaged: it begins anew
    learning.open("winning")
    expect(page.locator("#count")).to_have_text("Step 1 of 5")


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1280)])
def test_it_fits_and_axe_finds_nothing(new_context, server_url, scheme, width):
    context = new_context(color_scheme=scheme, viewport={"width": width, "height": 800}, **STILL)
    context.add_init_script(SHIFTS)
    learning = Lesson(context.new_page(), server_url)
    learning.open("first-position")
    learning.page.evaluate(FRAME)
    assert sum(value for value, _ in learning.page.evaluate("shifts")) < 0.001
    learning.open("centre-and-edges", 2).press("2")
    assert not list(violations(learning.page))
    learning.page.goto("about:blank")
    learning.open("centre-and-edges", 1).enter(14, 13)
    assert not list(violations(learning.page))
    assert learning.page.evaluate("document.documentElement.scrollWidth") == width
    small = learning.page.evaluate(
        "[...document.querySelectorAll('main button')].filter(b => b.offsetHeight &&"
        " b.offsetHeight < 44).map(b => b.textContent)"
    )
    assert small == []
