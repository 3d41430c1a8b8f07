"""The pages to read in a browser: their boards are alive, and anybody can use them."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect
from tests.e2e.test_axe import violations
from tests.e2e.test_looks import SHIFTS

SEEN = [
    *("/rules", "/strategy", "/faq", "/notation", "/variants"),
    *("/variants/turkish/rules", "/variants/canadian/rules", "/print"),
]
BOTH = ["/notation", "/variants"]

# Links within sentences are as small as the text; a wide table scrolls by itself; fields side by
# side stand on one line.
LOOKS = """() => [...document.querySelectorAll("body *")].flatMap(node => {
  if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".unseen")) return [];
  const { width, height, right } = node.getBoundingClientRect();
  const target = node.matches("button, select, input, a[href]") && !node.matches("p a, li a, dd a");
  const small = target && Math.min(width, height) < 24;
  const wide = right > innerWidth + 1 && !node.closest("svg, .scroll > *");
  const pair = node.matches(".form .row > p + p") ? [node.previousElementSibling, node] : [];
  const [one, other] = pair.map(field => field.lastElementChild.getBoundingClientRect());
  const lower = one?.right <= other?.left && one.bottom !== other.bottom;
  const what = { small, wide, lower };
  const wrong = Object.keys(what).filter(name => what[name]);
  return wrong.map(name => `${name}: ${node.outerHTML.slice(0, 80)}`);
})"""


def test_a_board_follows_its_line_and_takes_moves(page, server_url):
    page.add_init_script(SHIFTS)
    page.goto(urljoin(server_url, "/rules"))
    board = page.locator("#board-start")
    picture = board.get_by_role("img", name="White: men on 21, 22")
    expect(picture).to_be_visible()
    before = picture.bounding_box()

    # By keyboard: forward, back, to the end.
    board.get_by_role("button", name="Next move").focus()
    page.keyboard.press("Enter")
    expect(board.locator(".state")).to_have_text("Black moves from 11 to 15. White to move.")
    expect(page.locator("#say")).to_have_text("Black moves from 11 to 15. White to move.")
    after = board.locator("kingme-board svg").bounding_box()
    assert [after["width"], after["height"]] == [before["width"], before["height"]]
    page.keyboard.press("End")
    expect(board.get_by_role("button", name="8-11")).to_have_attribute("aria-current", "true")
    expect(board.get_by_role("button", name="Next move")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(board.locator(".state")).to_have_text("Black to move.")

    # A move of one's own, on the grid, and back to the text.
    board.get_by_role("button", name="Try moves").click()
    expect(board.locator("[role=gridcell]:focus")).to_have_count(1)
    for square in (9, 14):
        board.locator(f"[data-square='{square}']").click()
    expect(board.locator(".state")).to_have_text("Black moves from 9 to 14. White to move.")
    assert board.locator("[aria-current]").count() == 0
    board.get_by_role("button", name="To the beginning").click()
    board.get_by_role("button", name="23-19").click()
    expect(board.locator(".state")).to_have_text("White moves from 23 to 19. Black to move.")

    # A refusal says why; the last move says how the game ended.
    other = page.locator("#board-jump")
    other.get_by_role("button", name="Try moves").click()
    other.locator("[data-square='6']").click()
    expect(other.locator(".state")).to_contain_text("must jump, with the piece on 15")
    end = page.locator("#board-blocked")
    end.get_by_role("button", name="5-9").click()
    expect(end.locator(".state")).to_contain_text("White has no move, and has lost.")
    assert sum(value for value, _ in page.evaluate("shifts")) < 0.001


def test_a_tap_on_a_picture_takes_hold_of_a_piece(new_context, server_url):
    context = new_context(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(urljoin(server_url, "/rules"))
    board = page.locator("#board-shorter")
    board.scroll_into_view_if_needed()
    box = board.locator(".picture").bounding_box()
    size = box["width"] / 8
    page.touchscreen.tap(box["x"] + 5.5 * size, box["y"] + 6.5 * size)  # the man on 27
    expect(board.locator(".chosen[data-square='27']")).to_have_count(1)
    board.locator("[data-square='20']").tap()
    expect(board.locator(".state")).to_contain_text("White jumps from 27 over 24 to 20.")


def test_boards_of_other_variants(page, server_url):
    page.goto(urljoin(server_url, "/variants"))
    shown = page.locator("#board-becoming")
    expect(shown.get_by_role("button", name="Try moves")).to_have_count(0)
    shown.get_by_role("button", name="Next move").click()
    said = "White jumps from f6 over e7 and b6 to a5 and is crowned. Black to move."
    expect(shown.locator(".state")).to_have_text(said)
    page.goto(urljoin(server_url, "/variants/turkish/rules"))
    board = page.locator("#board-start")
    board.get_by_role("button", name="Try moves").click()
    for square in (41, 33):  # a3, a4
        board.locator(f"[data-square='{square}']").click()
    expect(board.locator(".state")).to_have_text("White moves from a3 to a4. Black to move.")


@pytest.mark.parametrize(("scheme", "width", "paths"), [("light", 320, SEEN), ("dark", 1280, BOTH)])
def test_anybody_can_use_these_pages(new_context, server_url, scheme, width, paths):
    context = new_context(
        color_scheme=scheme, reduced_motion="reduce", viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    found = []
    for path in paths:
        page.goto(urljoin(server_url, path))
        found += [f"{path}: {text}" for text in page.evaluate(LOOKS)]
        if width == 1280 and path == "/variants":  # no column of the table is off its edge
            scroll = page.locator(".prose .scroll")
            assert scroll.evaluate("box => box.scrollWidth <= box.clientWidth")
        if page.locator(".live").count():
            page.locator("[data-act=try], .line button").first.click()
            expect(page.locator("kingme-board").first).to_be_visible()
        found += [f"{path}: {text}" for text in violations(page)]
    assert not found, "\n".join(found)
