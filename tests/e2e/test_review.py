"""The review of a game in a browser: by keyboard on a wide screen, by touch on a narrow one."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import JSHandle, Page, expect
from tests.e2e.test_axe import violations
from tests.e2e.test_looks import SHIFTS, SMALL_TARGETS

from kingme.rules.pdn import read

ARCHIVE = (Path(__file__).parents[1] / "data/pdn/archive.pdn").read_text("utf-8")
FIRST, SECOND, THIRD, *_ = read(ARCHIVE[:5000])
TWO = ARCHIVE[: THIRD.offset].replace(
    "1. 11-15 24-20", "1. 11-15! {Bold.} (1. 12-16 24-20 {Dull.}) 1... 24-20", 1
)
PLIES = len(FIRST.moves)
WIDER = "document.documentElement.scrollWidth > innerWidth"
JUDGED = 90_000  # ms, on a machine that does much else


def judged(page: Page) -> None:
    """Wait until the whole game is judged; the engine looks at each position but briefly."""
    expect(page.locator("main")).to_have_attribute("data-working", "done", timeout=JUDGED)


def dragged(page: Page) -> JSHandle:
    """A file with two games, as it is dropped on a page."""
    return page.evaluate_handle(
        """text => {
            const all = new DataTransfer();
            all.items.add(new File([text], "two.pdn"));
            return all;
        }""",
        TWO,
    )


def fen(ply: int) -> str:
    return FIRST.history.positions[ply].fen


def shown(page: Page, position: str) -> None:
    expect(page.locator("kingme-board")).to_have_attribute("data-fen", position)


def to_the_blunder(page: Page) -> None:
    """Go from fault to fault until there is a blunder."""
    for _ in range(PLIES):
        page.get_by_role("button", name="Next fault").click()
        if page.locator("#words").inner_text().startswith("Blunder"):
            return
    raise AssertionError("no blunder was found")


def test_a_real_game_from_paste_to_pdn(new_context, server_url):
    context = new_context(color_scheme="dark", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(urljoin(server_url, "/review"))
    assert list(violations(page)) == []
    page.locator("#effort").evaluate("node => { node.value = 20000; }")

    # What is no game is refused in words; of several one is chosen.
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("Paste the moves")
    page.get_by_label("A game as PDN").fill("1. 11-18 *")
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("Line 1: 11-18 is not legal")
    page.get_by_label("A game as PDN").fill('[Event "?"]\n1. e4 e5 2. Nf3')
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("move: “e4 e5” in line 2 and “Nf3”")
    page.get_by_label("A game as PDN").fill(TWO)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("option")).to_have_count(2)
    file = {"name": "two.pdn", "mimeType": "text/plain", "buffer": TWO.encode("utf-16")}
    for bring in (
        lambda: page.locator("#file").set_input_files(file),
        lambda: page.dispatch_event("main", "drop", {"dataTransfer": dragged(page)}),
    ):
        page.get_by_role("button", name="Another file").click()
        expect(page.get_by_role("listbox")).to_be_hidden()
        bring()
        expect(page.get_by_role("option")).to_have_count(2)
    page.get_by_role("listbox").press("Enter")
    expect(page.locator("main")).to_have_attribute("data-state", "game")
    judged(page)
    expect(page.locator("#title")).to_contain_text("Moorhead, W. – Wyllie, J.")
    expect(page.locator("#opening")).to_contain_text("three-move ballot 130: 11-15 24-20 8-11")
    expect(page.locator("#graph-words")).to_contain_text("at the end, after 22… 26x17x10x1.")

    # After a reload or on the way back it is there, as it was judged, where one was.
    page.get_by_role("button", name="Next fault").click()
    names = ("status", "words", "sum-B", "sum-W")
    told = [page.locator(f"#{name}").inner_text() for name in names]
    for come_back in (page.reload, lambda: (page.goto(f"{server_url}healthz"), page.go_back())):
        come_back()
        expect(page.locator("main")).to_have_attribute("data-working", "done")
        assert [page.locator(f"#{name}").inner_text() for name in names] == told
        expect(page.locator("#title")).to_contain_text("Moorhead, W. – Wyllie, J.")
    expect(page.get_by_role("button", name="Other games")).to_be_visible()

    # The graph is a slider; the board follows.
    graph = page.get_by_role("slider")
    expect(graph).to_be_focused()
    graph.press("End")
    expect(graph).to_have_attribute("aria-valuenow", f"{PLIES}")
    shown(page, fen(PLIES))
    for name in ("Next fault", "Next move", "Latest move"):
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-disabled", "true")
    graph.press("PageDown")
    expect(page.get_by_role("status")).to_have_text("There is no later fault.")
    expect(page.locator("#message")).to_have_text("There is no later fault.")
    graph.press("Home")
    expect(page.locator("#worth")).to_have_text(re.compile("(Even|better): Black may expect 0"))
    expect(page.locator("#words")).to_have_text(re.compile(r"^The dearest moves: .+\)\.$"))
    expect(page.locator("#previous")).to_have_attribute("aria-disabled", "true")
    graph.press("ArrowRight")
    shown(page, fen(1))
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"^1\. 11-15\. "))
    page.locator(".variation").get_by_role("button").first.click()
    expect(page.locator("[data-square='16']")).to_have_attribute("aria-label", re.compile("dark"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".variation").get_by_role("button").last).to_be_focused()

    # A blunder shows what was better and what it allows, to be played through.
    to_the_blunder(page)
    ply = int(graph.get_attribute("aria-valuenow") or 0)
    position = FIRST.history.positions[ply - 1]
    ways = page.locator("#ways")
    better = ways.get_by_role("button").first
    move = position.parse(better.inner_text().split()[-1])
    better.press("Enter")
    shown(page, position.play(move).fen)
    expect(ways.locator("[aria-current]")).to_have_count(1)
    assert list(violations(page)) == []
    page.get_by_role("button", name="Back to the game").click()
    shown(page, fen(ply))
    ways.locator("dd").last.get_by_role("button").first.click()
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()

    # A move of one's own, and the way to the page of analysis.
    page.get_by_role("button", name="Start of the game").click()
    for square in (9, 14):
        page.locator(f"[data-square='{square}']").click()
    shown(page, FIRST.start.play("9-14").fen)
    assert page.locator("#analyse").get_attribute("href") == "/analysis?moves=9-14"
    page.keyboard.press("Escape")

    with page.expect_download() as loading:
        page.get_by_role("button", name="Save as PDN").click()
    (again,) = read(Path(loading.value.path()).read_text("utf-8"))
    assert again.moves == FIRST.moves
    assert not [note for note in again.notes if note.kind == "error"]
    assert again.comments == ["Opening: three-move ballot 130: 11-15 24-20 8-11."]
    assert "Bold." in again.line[0].comments
    fault = again.line[ply - 1]
    assert 4 in fault.nags
    assert fault.variations[-1][0].move == move
    # Nothing moves but the footer, once, when the game takes the place of the form.
    moved = [shift for shift in page.evaluate("shifts") if shift[1] != ["site"]]
    moved = sorted(moved, reverse=True)[:9]
    assert sum(value for value, _ in moved) < 0.01, moved
    assert not page.evaluate(WIDER)

    # The game that was saved is opened like the one it was before: it is judged anew.
    told = page.locator("#tree .remark").all_inner_texts()
    page.get_by_role("button", name="Another game").click()
    page.locator("#file").set_input_files(loading.value.path())
    expect(page.locator("main")).to_have_attribute("data-state", "game")
    assert page.locator("#tree .remark").all_inner_texts() == told
    assert page.locator("#tree .variation").count() == 1


def test_by_touch_on_a_narrow_screen(new_context, server_url):
    context = new_context(
        viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True, color_scheme="light"
    )
    page = context.new_page()
    page.goto(urljoin(server_url, "/review"))
    page.locator("#effort").evaluate("node => { node.value = 20000; }")
    board = page.locator("kingme-board")
    expect(board).to_have_attribute("data-orientation", "B")  # as on the page of play
    page.get_by_role("button", name="Show an example").tap()
    page.get_by_role("button", name="Flip board").tap()
    judged(page)
    graph = page.get_by_role("slider")
    wide = graph.bounding_box()["width"]
    graph.tap(position={"x": wide - 4, "y": 20})
    shown(page, fen(PLIES))
    page.get_by_role("button", name="Start of the game").tap()
    to_the_blunder(page)
    ways = page.locator("#ways").get_by_role("button")
    ways.first.tap()
    page.get_by_role("button", name="Back to the game").tap()
    assert page.evaluate(SMALL_TARGETS) == []
    low = page.locator("#panel :is(button, select):visible").evaluate_all(
        "all => all.filter(n => n.getBoundingClientRect().height < 44).map(n => n.outerHTML)"
    )
    assert low == []
    page.locator("#again").tap()
    page.locator("#text").fill("1. 11-15 hello 23-19 2. 1-2 *")
    page.locator("#entry").get_by_role("button", name="Review").tap()
    expect(page.locator("#trouble")).to_contain_text("only to 1… 23-19. Line 1: 1-2 is not legal")
    expect(page.locator("#trouble")).to_contain_text("Not read as a move: “hello” in line 1.")
    judged(page)
    expect(page.get_by_role("status")).to_have_text("What could be read is judged.")
    assert not page.evaluate(WIDER)
    assert list(violations(page)) == []
    page.goto(urljoin(server_url, "/analysis"))  # a board that was turned stays so
    expect(board).to_have_attribute("data-orientation", "W")
    page.goto(urljoin(server_url, "/review?game=nothing"))
    expect(page.locator("#wrong")).to_have_text("There is no such game, or it is a private one.")
