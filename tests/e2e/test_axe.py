"""axe finds nothing: light and dark, narrow and wide, on every board, in every state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from tests.e2e.table import Table
from tests.e2e.test_variants import VariantTable

BOARDS = ["club", "wood", "contrast"]
FORK = "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"


def in_play(table: Table) -> None:
    table.open(level=1)
    table.play("11-15")
    table.settled()
    table.click(table.position.legal_moves[0].start)


def route_asked(table: Table) -> None:
    table.open(FORK, mode="two", preset="tournament")
    table.click(10, 26)
    expect(table.message).to_contain_text("Several routes")


def dialog_open(table: Table) -> None:
    table.press("Resign")
    expect(table.page.get_by_role("dialog", name="Resign this game?")).to_be_visible()


def game_over(table: Table) -> None:
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(table.button("Rematch")).to_be_visible()


def settings_open(table: Table) -> None:
    table.press("Settings")
    expect(table.page.get_by_role("dialog", name="Settings")).to_be_visible()


def help_open(table: Table) -> None:
    table.page.keyboard.press("Escape")
    table.press("How to play")
    expect(table.page.get_by_role("dialog", name="How to play")).to_be_visible()


#: One after the other, each from where the one before it ended.
STATES: list[Callable[[Table], None]] = [
    *(route_asked, dialog_open, game_over, settings_open, help_open, in_play)
]


#: What axe finds out from colours; they are all that differs between light and dark.
COLOURS = ["color-contrast", "link-in-text-block"]
FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def violations(page: Page, *schemes: Literal["light", "dark"]) -> Iterator[str]:
    """What axe finds as the page stands; or in each scheme: all in the first, then colours."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    for scheme in schemes or [None]:
        options: dict[str, object] = {"resultTypes": ["violations"]}
        if scheme:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(FRAME)
        if scheme and scheme != schemes[0]:
            options["runOnly"] = COLOURS
        for found in page.evaluate("options => axe.run(options)", options)["violations"]:
            for node in found["nodes"]:
                where = f"{scheme}, {found['id']}" if scheme else found["id"]
                yield f"{where}: {node['target']} {node.get('failureSummary')}"


@pytest.mark.parametrize(
    ("scheme", "width", "first"),
    [("light", 320, 0), ("light", 1280, 1), ("dark", 320, 2), ("dark", 1280, 0)],
)
def test_axe_finds_nothing(new_context, server_url, scheme, width, first):
    """Between them they see every state on every board."""
    context = new_context(
        color_scheme=scheme, reduced_motion="reduce", viewport={"width": width, "height": 900}
    )
    table = Table(context.new_page(), server_url)
    found = []
    for reach in STATES:
        reach(table)
        for board in BOARDS if reach is route_asked else BOARDS[first : first + 1]:
            table.page.evaluate("name => document.documentElement.dataset.board = name", board)
            found += [f"{reach.__name__}, {board}: {text}" for text in violations(table.page)]
    assert not found, "\n".join(found)


#: Addresses at which nothing is, of each kind of page that says so.
NOWHERE = ["nothing", "puzzles/222222", "learn/nothing", "game/nothing", "player/nobody-here",
           "join/nothing", "rules/nothing"]  # fmt: skip


def test_axe_finds_nothing_where_there_is_nothing(new_context, server_url):
    page = new_context(viewport={"width": 320, "height": 640}).new_page()
    found = []
    for path in NOWHERE:
        answer = page.goto(f"{server_url}{path}")
        assert answer is not None and answer.status == 404, path
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        found += [f"{path}, {text}" for text in violations(page, "light", "dark")]
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), path
    assert not found, "\n".join(found)


#: A board of each kind: a position where a choice of captures is refused, and a piece that may not.
VARIANT_BOARDS = [
    ("brazilian", "W:WK17,K24,12:BK9,10,5", 17),
    ("international", "W:WK3,7,50:B12,43,15", 7),
    ("canadian", "W:W11,K45:B1,16,50,62", 11),
    ("turkish", "W:WK5,K14:B13,K60,32", 14),
]


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize(("name", "fen", "refused"), VARIANT_BOARDS)
def test_axe_finds_nothing_on_the_page_of_a_variant(
    new_context, server_url, name, fen, refused, width
):
    """In every state, light and dark."""
    context = new_context(reduced_motion="reduce", viewport={"width": width, "height": 640})
    table = VariantTable(context.new_page(), server_url, name).open(fen, mode="two")
    found = []

    def look(state: str) -> None:
        found.extend(f"{state}, {text}" for text in violations(table.page, "light", "dark"))

    table.click(refused)
    expect(table.message).to_contain_text("compulsory")
    for board in BOARDS:
        table.page.evaluate("name => document.documentElement.dataset.board = name", board)
        look(f"refused, {board}")
    jump = table.position.legal_moves[0]
    table.click(jump.start)
    look("chosen")
    table.click(*jump.path[1:])
    expect(table.moves.get_by_role("button")).to_have_count(1)
    table.press("New game")
    look("new game")
    table.page.keyboard.press("Escape")
    table.press("How to play")
    look("rules")
    table.page.keyboard.press("Escape")
    table.press("Resign")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(table.button("Rematch")).to_be_visible()
    look("over")
    assert not found, "\n".join(found)
