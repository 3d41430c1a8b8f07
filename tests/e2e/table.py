"""The page as a player meets it: what can be seen of a game, and the ways to play a move."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from playwright.sync_api import expect

from kingme import Move, Position

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Locator, Page, Route

__all__ = ["Finger", "Table", "rivals"]

KEY = "kingme.game"
REPLY = "**/api/reply"
ENGINE = "**/static/engine/worker.js"
LIVE = re.compile("^[BW]:")

#: Type each text, send the form, and wait for the position that it must give.
TYPE_ALL = """async ([texts, fens]) => {
    const board = document.querySelector("kingme-board");
    const field = document.querySelector("#move");
    for (const [i, text] of texts.entries()) {
        field.value = text;
        field.form.requestSubmit();
        for (let looks = 0; board.dataset.fen !== fens[i] || field.value; looks++) {
            if (looks > 2000) throw Error(`${text} was not taken`);
            await new Promise(done => setTimeout(done));
        }
    }
}"""


class Table:
    """A page with its board; every wait is for a state, never for a time.

    The computer answers from the server, where a test can see and stop it, or from the
    page's own engine.
    """

    def __init__(self, page: Page, url: str, *, own_engine: bool = False) -> None:
        if not own_engine:
            silent = "onmessage = () => postMessage({});"
            script = {"content_type": "text/javascript", "body": silent}
            page.route(ENGINE, lambda route: route.fulfill(**script))
        self.page = page
        self.url = url
        self.board = page.locator("kingme-board")
        self.cells = page.get_by_role("gridcell")
        self.status = page.locator("#status")
        self.message = page.locator("#message")
        self.note = page.locator("#note")
        self.said = page.get_by_role("status")
        self.alert = page.get_by_role("alert")
        self.field = page.get_by_label("Type a move")
        self.moves = page.get_by_role("list", name="Moves played")

    def open(self, fen: str | None = None, **settings: object) -> Table:
        """Load the page, with settings in its address, and wait until the game stands."""
        query = urlencode({**({"fen": fen} if fen else {}), **settings})
        self.page.goto(f"{self.url}?{query}" if query else self.url)
        expect(self.page).to_have_url(self.url)  # the settings are taken
        return self.live()

    def reload(self) -> Table:
        self.page.reload()
        return self.live()

    def live(self) -> Table:
        expect(self.board).to_have_attribute("data-fen", LIVE)
        return self

    # What is there to see

    @property
    def fen(self) -> str:
        return self.board.get_attribute("data-fen") or ""

    @property
    def position(self) -> Position:
        return Position.from_fen(self.fen)

    def shows(self, position: Position | str) -> None:
        """Expect a position, given as such or as FEN."""
        fen = position if isinstance(position, str) else position.fen
        expect(self.board).to_have_attribute("data-fen", fen)

    def square(self, number: int) -> Locator:
        return self.page.locator(f"[data-square='{number}']")

    def named(self, number: int) -> str:
        """What a screen reader calls a square."""
        return self.square(number).get_attribute("aria-label") or ""

    def saying(self, words: str) -> set[int]:
        """The squares in whose names some words stand."""
        names = self.page.evaluate(
            """() => [...document.querySelectorAll("[data-square]")]
                .map(cell => [+cell.dataset.square, cell.getAttribute("aria-label")])"""
        )
        return {number for number, name in names if words in name}

    def played(self) -> list[str]:
        """The texts of the move list."""
        return self.moves.get_by_role("button").all_inner_texts()

    def has_played(self, *texts: str) -> None:
        """Expect these moves in the list."""
        expect(self.moves.get_by_role("button")).to_have_text(texts)

    def stored(self) -> dict[str, Any]:
        """The saved game."""
        return json.loads(self.page.evaluate(f"localStorage.getItem({KEY!r})"))

    def focused(self) -> int:
        """The square that has the focus; 0 when none has."""
        return self.page.evaluate("+(document.activeElement.dataset.square ?? 0)")

    def centre(self, number: int) -> tuple[float, float]:
        """The middle of a square on the screen."""
        x, y = self.page.evaluate(
            """number => {
                const cell = document.querySelector(`[data-square="${number}"]`);
                const { x, y, width, height } = cell.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }""",
            number,
        )
        return x, y

    # Playing

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        self.button(name).click()

    def click(self, *numbers: int) -> None:
        """Click squares, one after the other."""
        for number in numbers:
            self.page.mouse.click(*self.centre(number))

    def tap(self, *numbers: int) -> None:
        """Tap squares with a finger."""
        for number in numbers:
            self.page.touchscreen.tap(*self.centre(number))

    def drag(self, start: int, *landings: int) -> None:
        """Drag with the mouse; each landing is one press, one way and one release."""
        for goal in landings:
            self.page.mouse.move(*self.centre(start))
            self.page.mouse.down()
            self.page.mouse.move(*self.centre(goal), steps=4)
            self.page.mouse.up()
            start = goal

    def type(self, text: str) -> None:
        """Play a typed move."""
        self.field.fill(text)
        self.field.press("Enter")

    def play(self, text: str) -> None:
        """Play a typed move, which must be taken."""
        self.type(text)
        expect(self.field).to_have_value("")

    def type_all(self, texts: list[str]) -> None:
        """Play typed moves, each of which must be taken; quickly, for long games."""
        position = self.position
        fens = [(position := position.play(position.parse(text))).fen for text in texts]
        self.page.evaluate(TYPE_ALL, [texts, fens])

    def ways(self, move: Move, straight: bool) -> tuple[int, ...]:
        """The squares to choose for a move: its ends alone where they name it, or all of them."""
        alone = straight and len(rivals(self.position, move)) == 1
        return (move.start, move.end) if alone else move.path

    def hold_replies(self, address: str = REPLY) -> list[Route]:
        """Keep what the page asks the computer; the list fills with the requests."""
        held: list[Route] = []

        def keep(route: Route) -> None:
            held.append(route)

        self.page.route(address, keep)
        return held

    def settled(self) -> None:
        """Wait until it is a person's turn, or the game is over."""
        expect(self.page.locator("#panel")).not_to_have_attribute("data-now", "busy")


class Finger:
    """A finger on the glass, through the browser's own input."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        self.session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    def swipe(self, start: tuple[float, float], goal: tuple[float, float], steps: int = 6) -> None:
        """Put the finger down, draw it to the goal and lift it."""
        self.touch("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self.touch(
                "touchMove",
                (start[0] + (goal[0] - start[0]) * part, start[1] + (goal[1] - start[1]) * part),
            )
        self.touch("touchEnd")


def rivals(position: Position, move: Move) -> list[Move]:
    """The moves that choosing only both ends of a move could mean, itself included."""
    if move.start == move.end:
        return list(position.legal_moves)
    return [m for m in position.legal_moves if m.start == move.start and move.end in m.path[1:]]
