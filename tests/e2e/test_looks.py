"""What the eye meets: narrow screens, still layouts, motion, weight; and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response, expect
from tests.e2e.table import REPLY, Table

SCRIPT_BYTES = 15_000
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const { value, sources } of list.getEntries())
    shifts.push([value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
}).observe({ type: "layout-shift", buffered: true });
"""
SMALL_TARGETS = """() => [...document.querySelectorAll(
    "button, select, input, a[href], [role=gridcell]")]
  .filter(node => node.checkVisibility({ visibilityProperty: true }))
  .map(node => {
    const { width, height } = node.getBoundingClientRect();
    return [node.id || node.textContent.trim() || node.name, width, height];
  })
  .filter(([, width, height]) => Math.min(width, height) < 24)"""
OVERFLOW = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth;
  const out = [...document.querySelectorAll("body *")].filter(node =>
    node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1
    && !node.closest("svg, .unseen"));
  return [wide, out.map(node => node.id || node.outerHTML.slice(0, 60))];
}"""


def two_frames(table: Table) -> None:
    table.page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_screen(table, width):
    table.page.set_viewport_size({"width": width, "height": 740})
    table.open("B:W17,18,32:B1,2,13,14", level=1)
    assert table.page.evaluate(OVERFLOW) == [False, []]
    table.click(2)  # a long message
    table.type("14x15 and so on")
    expect(table.message).not_to_be_empty()
    assert table.page.evaluate(OVERFLOW) == [False, []]
    for name in ("Settings", "How to play"):
        table.press(name)
        assert table.page.evaluate(OVERFLOW) == [False, []]
        table.page.keyboard.press("Escape")
    table.press("Resign")
    assert table.page.evaluate(OVERFLOW) == [False, []]


@pytest.mark.parametrize("width", [320, 1280])
def test_every_target_is_large_enough(table, width):
    table.page.set_viewport_size({"width": width, "height": 740})
    table.open(mode="two", preset="tournament")
    table.type_all(["11-15", "22-18"])
    assert table.page.evaluate(SMALL_TARGETS) == []
    table.press("Settings")
    assert table.page.evaluate(SMALL_TARGETS) == []
    table.page.keyboard.press("Escape")
    side = table.centre(31)[0] - table.centre(32)[0]
    assert abs(side) / 2 >= 39 if width == 320 else 24


def test_the_whole_board_is_on_a_small_screen_at_once(table):
    table.page.set_viewport_size({"width": 320, "height": 568})
    table.open()
    box = table.page.get_by_role("grid").bounding_box()
    assert box is not None
    assert box["width"] >= 310
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 568


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_the_layout_never_shifts(table, width):
    table.page.add_init_script(SHIFTS)
    table.page.set_viewport_size({"width": width, "height": 900})
    table.open(level=1)
    for _ in range(2):
        table.play(str(table.position.legal_moves[0]))
        table.settled()
    table.click(1)  # a message
    table.press("Undo")
    table.press("Redo")
    table.press("Previous move")
    table.press("Latest move")
    two_frames(table)
    shifts = table.page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.001, shifts


def test_a_result_and_a_reload_do_not_shift_the_layout(table):
    table.open("W:W5,32:B1,27")
    table.page.add_init_script(SHIFTS)
    table.reload()
    table.press("Resign")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(table.button("Rematch")).to_be_visible()
    two_frames(table)
    shifts = table.page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.001, shifts


def test_all_scripts_together_are_small_and_nothing_comes_from_elsewhere(table):
    """Bytes as they travel, compressed, of every script that a whole visit loads."""
    answers: list[Response] = []

    def keep(response: Response) -> None:
        answers.append(response)

    table.page.on("response", keep)
    table.open(mode="two")
    table.play("11-15")
    table.press("Copy PDN")
    table.press("Settings")
    table.page.keyboard.press("Escape")
    table.page.get_by_label("Opponent").select_option("Computer")
    table.page.get_by_role("button", name="Start new game").click()
    table.click(11, 15)
    table.settled()
    scripts = {}
    for answer in answers:
        assert urlsplit(answer.url).netloc == urlsplit(table.url).netloc
        assert answer.status == 200, answer.url
        if answer.request.resource_type == "script" or answer.url.endswith(".js"):
            scripts[answer.url] = answer.request.sizes()["responseBodySize"]
    assert len(scripts) > 3
    assert sum(scripts.values()) < SCRIPT_BYTES, scripts


def test_a_reload_with_two_players_does_not_shift_the_layout(table):
    """Also when the first paint comes before the last script."""
    table.open(mode="two")
    table.page.add_init_script(SHIFTS)
    held = table.hold_replies("**/static/rules.js")
    with table.page.expect_request("**/static/rules.js"):
        table.page.reload(wait_until="commit")
    for _ in range(10):
        two_frames(table)
    held[0].continue_()
    table.live()
    two_frames(table)
    shifts = table.page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.001, shifts


@pytest.mark.parametrize("width", [320, 1280])
def test_a_long_message_does_not_shift_the_layout(table, width):
    table.page.set_viewport_size({"width": width, "height": 900})
    table.page.add_init_script(SHIFTS)
    table.open("W:WK22:B9,10,11,17,18,19,25,26,27")
    table.type("22-1")
    expect(table.message).to_contain_text("not legal")
    two_frames(table)
    shifts = table.page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.001, shifts


def sized(table: Table, *sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Give the open page one size after the other, once it stands in it."""
    for width, height in sizes:
        table.page.set_viewport_size({"width": width, "height": height})
        two_frames(table)
        yield width, height


def test_board_and_panel_stand_side_by_side_on_a_short_screen(table):
    table.open()
    sizes = [(844, 390), (667, 375), (640, 400), (900, 600), (1366, 657), (1280, 720)]
    for size in sized(table, *sizes):
        board = table.board.bounding_box()
        panel = table.page.locator("#panel").bounding_box()
        assert board is not None, size
        assert panel is not None, size
        assert board["y"] + board["height"] <= size[1], size
        assert panel["x"] >= board["x"] + board["width"], size
        assert panel["width"] >= 280, size
        assert table.page.evaluate(OVERFLOW) == [False, []], size
        if size[1] > 640:  # a common laptop: everything at once
            for name in ("New game", "Resign", "Offer draw"):
                expect(table.button(name), str(size)).to_be_in_viewport(ratio=1)


def test_the_whole_page_is_in_sight_on_a_common_screen(table):
    table.open()
    for size in sized(table, (1280, 720), (1280, 800), (1366, 768), (1440, 900)):
        assert table.page.evaluate("document.documentElement.scrollHeight") == size[1], size


@pytest.mark.parametrize("mode", ["computer", "two"])
def test_nothing_of_the_panel_is_below_a_window_that_has_room(table, mode):
    table.open(mode=mode, level=1)
    for size in sized(table, (1024, 768), (1100, 850), (1200, 900), (1279, 1000)):
        for name in ("New game", "Resign", "Copy PDN"):
            expect(table.button(name), str(size)).to_be_in_viewport(ratio=1)
        if mode == "computer":
            expect(table.page.get_by_label("Level"), str(size)).to_be_in_viewport(ratio=1)
        assert table.page.evaluate(OVERFLOW) == [False, []], size


#: Of every number: how far its lower right corner is from the edge of a man, and of the ring
#: around it, in tenths of a square.
CLEARANCE = """() => [...document.querySelectorAll("[role=gridcell]")].map(cell => {
  const text = cell.querySelector("text");
  const halo = cell.querySelector(".halo");
  const far = (x, y) => Math.hypot(
    x - (text.x.baseVal[0].value + text.getComputedTextLength()), y - text.y.baseVal[0].value);
  const face = document.querySelector(".face");
  const { cx, cy, r } = halo;
  const ring = r.baseVal.value + parseFloat(getComputedStyle(halo).strokeWidth) / 2;
  const man = face.r.baseVal.value + parseFloat(getComputedStyle(face).strokeWidth) / 2;
  return [far(5, 5 + face.cy.baseVal.value) - man,
    far(cx.baseVal.value, cy.baseVal.value) - ring,
    !!(halo.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)];
})"""


def test_the_numbers_of_squares_are_clear_of_pieces_and_rings(table):
    table.open(mode="two")
    for size in sized(table, (320, 900), (390, 900), (768, 900), (1280, 900)):
        found = table.page.evaluate(CLEARANCE)
        assert len(found) == 32, size
        assert min(man for man, _, _ in found) > 0.3, size
        assert min(ring for _, ring, _ in found) > -0.05, size
        assert all(above for _, _, above in found), size


@pytest.mark.parametrize("width", [320, 1280])
def test_a_message_stands_where_the_note_is(table, width):
    table.page.set_viewport_size({"width": width, "height": 900})
    table.open(mode="two")
    card = table.page.get_by_role("region", name="Now").bounding_box()
    note = table.note.bounding_box()
    assert card and note
    free = card["y"] + card["height"] - note["y"] - note["height"]
    assert free < 3 * note["height"]  # what a message needs, and the margin
    table.click(1)
    expect(table.message).to_contain_text("no move now")
    expect(table.note).to_be_hidden()
    box = table.message.bounding_box()
    assert box and box["y"] == note["y"]
    table.click(11)
    expect(table.message).to_be_empty()
    expect(table.note).to_be_visible()


@pytest.mark.parametrize("over", [False, True])
def test_word_of_a_copy_does_not_stay(table, context, over):
    context.grant_permissions(["clipboard-write"])
    table.page.clock.install()
    table.open(mode="two")
    if over:
        table.press("Resign")
        table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    before = table.message.inner_text()
    table.press("Copy FEN")
    expect(table.message).to_have_text("FEN copied.")
    table.page.clock.run_for(5000)
    expect(table.message).to_have_text(before)
    table.press("Copy FEN")
    expect(table.message).to_have_text("FEN copied.")
    if not over:
        table.click(1)  # what is said meanwhile stays
        expect(table.message).to_contain_text("no move now")
        table.page.clock.run_for(5000)
        expect(table.message).to_contain_text("no move now")


CONTRAST = """() => {
  const light = colour => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
      .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const cell = document.querySelector(".can");
  const halo = getComputedStyle(cell.querySelector(".halo"));
  const [low, high] = [halo.stroke, getComputedStyle(cell.querySelector(".square")).fill]
    .map(light).sort((a, b) => a - b);
  return [+halo.opacity, (high + 0.05) / (low + 0.05)];
}"""


def test_the_ring_of_a_piece_that_can_move_is_seen(table):
    table.open(mode="two")
    for board in ("club", "wood", "contrast"):
        table.page.evaluate("board => { document.documentElement.dataset.board = board }", board)
        opacity, contrast = table.page.evaluate(CONTRAST)
        assert opacity == 1, board
        assert contrast >= 3, board


def test_the_side_on_the_turn_is_seen_in_forced_colours(table):
    table.page.emulate_media(forced_colors="active")
    table.open(mode="two")
    colours = [
        table.page.locator(f"#chip-{side}").evaluate("chip => getComputedStyle(chip).borderColor")
        for side in "BW"
    ]
    assert colours[0] != colours[1]


COUNT_ANIMATIONS = """
window.animated = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { animated++; return animate.apply(this, how); };
"""
RUNNING = "document.getAnimations().filter(({ playState }) => playState === 'running').length"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_as_the_person_wishes(new_context, server_url, motion):
    context = new_context(reduced_motion=motion)
    table = Table(context.new_page(), server_url)
    table.page.add_init_script(COUNT_ANIMATIONS)
    table.hold_replies()
    table.open("B:W11,19,27,29:B1,7", level=1)
    table.click(1)  # the pieces that must jump draw the eye
    pulsing = table.page.evaluate(RUNNING)
    with table.page.expect_request(REPLY):
        table.click(7, 16, 23, 32)
    expect(table.status).to_have_text("Computer’s turn")
    thinking = table.page.evaluate(RUNNING)
    moved = table.page.evaluate("animated")
    if motion == "reduce":
        assert (pulsing, thinking, moved) == (0, 0, 0)
    else:
        assert min(pulsing, thinking, moved) > 0


def test_looks_are_chosen_and_kept(table):
    table.open()
    root = table.page.locator("html")
    for group, name, attribute, value in [
        ("Board", "High contrast", "data-board", "contrast"),
        ("Board", "Wood", "data-board", "wood"),
        ("Appearance", "Dark", "data-theme", "dark"),
    ]:
        table.press("Settings")
        choice = table.page.get_by_role("group", name=group).get_by_role("radio", name=name)
        choice.check(force=True)
        expect(root).to_have_attribute(attribute, value)
        table.page.keyboard.press("Escape")
    table.reload()
    expect(root).to_have_attribute("data-board", "wood")
    expect(root).to_have_attribute("data-theme", "dark")
    background = table.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert max(int(part) for part in background[4:-1].split(", ")) < 60


def test_sides_and_kings_differ_without_colour(table):
    """Each kind of piece is drawn with a mark of its own."""
    table.open("B:W21,K22:B1,K14", mode="two")
    drawn = {}
    for square in (21, 22, 1, 14):
        uses = table.page.locator(f"[data-at='{square}'] use")
        drawn[square] = tuple(use.get_attribute("href") for use in uses.all())
    assert len(set(drawn.values())) == 4
