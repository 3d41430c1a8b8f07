"""The page of analysis as people meet it: by keyboard alone, by touch, with a mouse, offline."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.e2e.table import Finger, Table
from tests.e2e.test_axe import violations
from tests.e2e.test_looks import OVERFLOW, SHIFTS
from tests.e2e.test_own_engine import answered
from tests.engine.endings import KINGS, three_kings
from tests.web.conftest import FirstMove, serving

from kingme import Position
from kingme.engine.endgames import Tables, Value, files
from kingme.engine.endgames.verify import position_at
from kingme.web.app import create_app
from kingme.web.ports import Ports

FEN = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
TARGET = Position.from_fen(FEN)
SCORE = re.compile(r"^[+−]\d|^(Win|Loss|Draw)")
#: It looked, or its engine is not ready yet.
SERVER = re.compile("^The (server, |engine of the server is still)")
KEYS = {"b": "b", "B": "Shift+B", "w": "w", "W": "Shift+W"}

#: What has the focus, in the words of this file.
FOCUS = """() => document.activeElement.dataset.square ? "board"
  : document.activeElement.closest("#best") ? "best" : document.activeElement.id"""

#: By how much the foot of the page is set in from the board, in pixels.
INDENT = """() => Math.abs(document.querySelector("footer a").getBoundingClientRect().left
  + parseFloat(getComputedStyle(document.querySelector("footer a")).paddingLeft)
  - document.querySelector(".table").getBoundingClientRect().left)"""

#: Keeps what is copied where the test can see it.
CLIPBOARD = """() => navigator.clipboard.writeText =
  async (text) => { globalThis.copied = text; }"""

#: Wait until the server's engine is there: a new machine compiles it first.
STARTED = """async () => {
    const body = JSON.stringify({ moves: [], seconds: 0.1 });
    const asked = { method: "POST", headers: { "content-type": "application/json" }, body };
    while ((await fetch("/api/analysis", asked)).status === 503)
        await new Promise(done => setTimeout(done, 3000));
}"""

#: An engine that finds so much the more for Black, the more lines it is asked for.
FINDS = {
    "content_type": "text/javascript",
    "body": """onmessage = ({ data: { id, lines } }) => lines && postMessage({ id, info: {
        depth: 14 - lines, nodes: 1, lines: [{ score: 20 * lines, pv: ["11-15"] }] } });""",
}

PDN = """[Event "Club"]
[GameType "21"]

{Played at the club.} 1. 11-15! $1 {The old one.} (1. 12-16 24-20) 1... 22-18
2. 15x22 25x18 *
"""


class Desk:
    """The page, and what can be seen of it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = f"{url}analysis"
        self.board = page.locator("kingme-board")
        self.verdict = page.locator("#verdict")
        self.message = page.locator("#message")
        self.lines = page.locator("#best li")
        self.moves = page.locator("#tree button")

    def open(self, query: str = "") -> Desk:
        self.page.goto(self.url + query)
        return self

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def shows(self, position: Position) -> None:
        expect(self.board).to_have_attribute("data-fen", position.fen)

    def thought(self, count: int = 3) -> None:
        """Wait until the engine has told its lines."""
        expect(self.lines.locator("b")).to_have_text([SCORE] * count)

    def line(self, number: int = 1) -> list[str]:
        return self.lines.nth(number - 1).get_by_role("button").all_inner_texts()

    def paste(self, text: str) -> None:
        self.page.get_by_label("Paste a position or a game").fill(text)
        self.button("Open")

    def tab_to(self, goal: str) -> None:
        """Press Tab until something has the focus."""
        for _ in range(80):
            if self.page.evaluate(FOCUS) == goal:
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"no way to {goal} by Tab")

    def go(self, number: int) -> None:
        """Go to a square of the board by its rank and file."""
        rank, place = divmod(number - 1, 4)
        self.page.keyboard.press(f"Digit{8 - rank}")
        self.page.keyboard.press(f"Shift+Digit{2 * place + 2 - rank % 2}")

    def sound(self) -> list[str]:
        """What axe finds, and what is wider than the screen but for lines that are cut off."""
        wide, out = self.page.evaluate(OVERFLOW.replace(".unseen", ".unseen, #best"))
        return [*violations(self.page), *(["wide"] if wide else []), *out]


def elsewhere_and_back(page: Page, url: str) -> Callable[[], None]:
    """What leaves the page and comes back to it by the button of the browser."""

    def go() -> None:
        page.goto(f"{url}healthz")
        page.go_back()

    return go


def link_of(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(unquote(page.url)).query)


def after(moves: list[str]) -> Position:
    position = TARGET
    for text in moves:
        position = position.play(text)
    return position


def opened_elsewhere(new_context: Callable[..., BrowserContext], desk: Desk, moves: list[str]):
    """Open the link in another browser, and hold what it shows against what is known."""
    other = Desk(new_context().new_page(), desk.url.removesuffix("analysis"))
    other.page.goto(desk.page.url)
    other.shows(after(moves))
    expect(other.moves).to_have_text(moves)
    other.thought()
    other.page.close()  # its engine would go on


def test_by_keyboard_alone_and_then_without_a_network(new_context, server_url):
    context = new_context(
        color_scheme="dark", reduced_motion="reduce", viewport={"width": 1280, "height": 900}
    )
    desk = Desk(context.new_page(), server_url).open()
    keyboard = desk.page.keyboard
    desk.thought()
    assert desk.page.evaluate(INDENT) < 2
    desk.tab_to("edit")
    keyboard.press("Enter")
    expect(desk.page.get_by_role("heading", name="Set up a position")).to_be_visible()
    assert desk.page.evaluate(FOCUS) == "board"
    desk.tab_to("clear")
    keyboard.press("Enter")
    expect(desk.page.locator("#faults")).to_have_text(
        "This cannot occur: there is no piece on the board."
    )
    keyboard.press("Shift+Tab")
    while desk.page.evaluate(FOCUS) != "board":
        keyboard.press("Shift+Tab")
    desk.go(29)
    keyboard.press("b")
    expect(desk.page.locator("#faults")).to_contain_text("a black man stands on its crown row")
    for square, piece in TARGET.pieces.items():
        desk.go(square)
        sign = piece.side.code if piece.king else piece.side.code.lower()
        keyboard.press(KEYS[sign])
    expect(desk.page.locator("#faults")).to_be_hidden()
    play = desk.page.get_by_role("link", name="Play on")
    expect(play).to_have_attribute("href", f"/?fen={TARGET.fen}")  # what the board shows
    desk.page.evaluate(CLIPBOARD)
    desk.button("Copy FEN")
    assert desk.page.evaluate("copied") == TARGET.fen
    desk.button("Copy link")
    assert desk.page.evaluate("copied").endswith(f"/analysis?fen={TARGET.fen}")
    desk.page.locator("#mirror").focus()
    desk.tab_to("done")
    keyboard.press("Enter")
    desk.shows(TARGET)
    desk.thought()
    assert link_of(desk.page) == {"fen": [TARGET.fen]}

    desk.tab_to("go")
    keyboard.press("Enter")
    expect(desk.page.locator("#go")).to_have_text("Analyse")
    expect(desk.page.get_by_role("status")).to_contain_text("Best is")
    line = desk.line()
    assert line[0] in map(str, TARGET.legal_moves)
    desk.tab_to("best")
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    desk.shows(after(line[:3]))
    assert desk.page.evaluate(FOCUS) == "board"  # no line comes while nothing is thought
    expect(desk.moves).to_have_text(line[:3])
    desk.tab_to("link")
    keyboard.press("Enter")
    expect(desk.page.locator("#link")).to_have_text("Copied")
    expect(desk.page.get_by_role("status")).to_have_text("Copied.")
    expect(desk.message).to_be_empty()
    assert link_of(desk.page) == {"fen": [TARGET.fen], "moves": [",".join(line[:3])]}
    opened_elsewhere(new_context, desk, line[:3])

    context.set_offline(True)
    desk.page.locator("#tree button[aria-current]").focus()
    keyboard.press("ArrowLeft")
    desk.shows(after(line[:2]))
    desk.page.locator("#go").focus()
    keyboard.press("Enter")
    desk.thought()
    expect(desk.page.locator("#detail")).to_contain_text("plies deep")
    desk.tab_to("best")
    further = desk.line()  # stays as it is, since it has the focus
    keyboard.press("Enter")
    desk.shows(after([*line[:2], further[0]]))
    desk.thought()
    assert desk.page.evaluate(FOCUS) == "best"
    assert desk.sound() == []


def test_by_touch_on_a_small_screen(new_context, server_url):
    context = new_context(
        color_scheme="light",
        reduced_motion="reduce",
        viewport={"width": 320, "height": 700},
        has_touch=True,
        is_mobile=True,
    )
    context.add_init_script(SHIFTS)
    desk = Desk(context.new_page(), server_url).open()
    page, finger = desk.page, Finger(desk.page)
    desk.thought()
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.005, shifts

    def tap(selector: str) -> None:
        page.locator(selector).tap()

    def middle(number: int) -> tuple[float, float]:
        box = page.locator(f'[data-square="{number}"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    tap("#edit")
    expect(page.locator(".table")).to_be_in_viewport(ratio=0.99)
    tap("#clear")
    for sign in "bBwW":
        tap(f'[name=tool][value="{sign}"]')
        page.locator(".table").scroll_into_view_if_needed()
        for square, piece in TARGET.pieces.items():
            if (piece.side.code if piece.king else piece.side.code.lower()) == sign:
                page.touchscreen.tap(*middle(square))
    page.touchscreen.tap(*middle(1))
    finger.swipe(middle(1), middle(3))
    expect(page.get_by_role("status")).to_contain_text("light king moved to 3")
    finger.swipe(middle(3), (middle(3)[0], middle(3)[1] - 400))
    desk.shows(TARGET)
    assert desk.sound() == []
    tap("#done")
    desk.thought()
    tap("#go")
    line = desk.line()
    desk.lines.first.get_by_role("button").nth(1).tap()
    desk.shows(after(line[:2]))
    tap("#link")
    expect(page.locator("#link")).to_have_text("Copied")
    opened_elsewhere(new_context, desk, line[:2])
    assert desk.sound() == []
    small = page.locator(".analysis button:visible, .analysis select").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 40).map(one => one.id)"
    )
    assert small == []


def test_positions_games_threats_and_proofs(page, server_url):
    desk = Desk(page, server_url).open()
    desk.button("Stop")
    desk.paste("W:W1,18:B32,K5")  # impossible, so it is explained and can be set right
    reason = "This cannot occur: a black man stands on its crown row"
    expect(page.locator("#faults")).to_contain_text(reason)
    expect(page.get_by_role("status")).to_contain_text(reason)
    for name in ("#done", "#link", "#fen", "#print"):
        expect(page.locator(name)).to_have_attribute("aria-disabled", "true")
    assert page.locator("#print").get_attribute("href") is None
    done, said = page.locator("#done"), page.get_by_role("status")
    expect(done).to_have_accessible_description(re.compile(reason))
    desk.button("Start")
    page.locator("[data-square='29']").press("b")
    more = "This cannot occur: Black has more pieces than at the start and a black man"
    expect(said).to_contain_text(f"dark man on 29, a1. {more}")
    page.locator("[data-square='32']").press("Delete")
    expect(said).to_have_text("Cleared 32, g1.")  # it is no other reason
    done.press("Enter")
    expect(said).to_contain_text(more)
    desk.button("Start")
    desk.button("Mirror")
    desk.button("Analyse this")
    desk.shows(Position.from_fen(f"W{Position.start().fen[1:]}"))
    desk.paste("W:X")
    expect(desk.message).to_contain_text("names no side")
    desk.paste("11-15 22-17 1-2")
    expect(desk.message).to_contain_text("to 22-17. Line 1: 1-2 is not legal")
    for words in ('[Event "?"]\n1. e4 e5 2. Nf3', "1. 1-2"):  # nothing of it can be read
        desk.paste(words)
        expect(desk.message).to_contain_text(re.compile("No move .* line 2|No move .* Line 1"))
        expect(desk.moves).to_have_text(["11-15", "22-17"])
    desk.paste("1. 11-15 23-19 hello\n2. 9-14 zzz 22-17 a b 7 c. d 1-0")
    strange = "Not read as a move: “hello” in line 1, “zzz” in line 2"
    expect(desk.message).to_contain_text(f"read to 22-17. {strange}")
    expect(desk.moves).to_have_text(["11-15", "23-19", "9-14", "22-17"])
    page.context.set_offline(True)
    desk.paste("11-15 22-17\n1-2")
    expect(desk.message).to_contain_text("read to 22-17. Line 2: 1-2 is not legal")
    desk.paste(PDN)
    expect(desk.message).to_contain_text("Without it, plain moves or a FEN can be opened.")
    page.context.set_offline(False)
    desk.paste("1. 11-15 *\n\n1. 9-14 *")
    expect(desk.message).to_contain_text("the first of 2 games")
    desk.paste('[FEN "W:W99:B1"] 1. 1-5')
    expect(desk.message).to_contain_text("99")

    desk.paste(PDN)
    expect(desk.moves).to_have_text(["11-15", "12-16", "24-20", "22-18", "15x22", "25x18"])
    page.evaluate(CLIPBOARD)
    desk.button("Copy PDN")
    assert page.evaluate("copied.split('\\n\\n')[1]") == PDN.split("\n\n")[1]
    desk.moves.filter(has_text="24-20").click()
    desk.shows(Position.start().play("12-16").play("24-20"))
    desk.button("Set up")
    page.keyboard.press("Delete")
    page.keyboard.press("Escape")  # leaves what was there
    expect(page.locator("#edit")).to_be_focused()
    desk.shows(Position.start().play("12-16").play("24-20"))
    for come_back in (page.reload, elsewhere_and_back(page, server_url)):
        come_back()
        desk.shows(Position.start().play("12-16").play("24-20"))
        expect(desk.moves).to_have_text(["11-15", "12-16", "24-20", "22-18", "15x22", "25x18"])
    desk.button("Stop")
    page.evaluate(CLIPBOARD)
    desk.button("Copy PDN")
    assert page.evaluate("copied.split('\\n\\n')[1]") == PDN.split("\n\n")[1]
    desk.button("Main line")
    expect(desk.moves.first).to_have_text("12-16")
    desk.button("Delete")
    desk.shows(Position.start().play("12-16"))
    desk.button("Previous move")
    page.get_by_label("Type a move").fill("f6 e5")
    desk.button("Play")
    desk.shows(Position.start().play("11-15"))

    desk.paste(f"{FEN}.")
    desk.button("Analyse")
    expect(page.locator(".arrow.best")).to_have_count(1)
    page.locator("label.switch", has_text="Threats").click()
    expect(page.locator("#threat")).to_contain_text("If White were to move:")
    expect(page.locator(".arrow.threat")).to_have_count(1)
    page.locator("label.switch", has_text="Arrows").click()
    expect(page.locator(".arrow")).to_have_count(0)
    page.get_by_label("Lines").select_option("5")
    desk.thought(5)

    desk.paste("W:WK18,K19:BK3")
    expect(desk.verdict).to_have_text("White wins in 4 moves")
    expect(page.locator("#proof")).to_be_visible()
    expect(page.locator("#detail")).to_have_text("White to move · by the endgame tables")
    page.evaluate(STARTED)
    desk.button("Ask the server")
    answer = "The server, by the endgame tables: White wins in 4 moves, proved. Best is "
    expect(page.locator("#server")).to_contain_text(answer)
    expect(page.get_by_role("status")).to_contain_text(answer)
    desk.lines.first.get_by_role("button").last.click()
    expect(desk.verdict).to_have_text("White has won")
    expect(page.locator("#detail")).to_contain_text("Black has no")
    desk.paste("B:W18:B")  # finished
    expect(page.get_by_role("status")).to_have_text("White has won. Black has no piece left.")


def test_a_verdict_waits_until_what_was_said_is_heard(new_context, server_url):
    """And it is said again when its words have changed; an engine that is told what to find."""
    context = new_context()
    context.route("**/engine/analyst.js", lambda route: route.fulfill(**FINDS))
    desk = Desk(context.new_page(), server_url)
    said, clock = desk.page.get_by_role("status"), desk.page.clock
    clock.install(time=0)
    clock.pause_at(1000)
    desk.open()
    desk.paste("11-15 24-15 8-11")
    expect(desk.verdict).to_have_text("Black is better")
    expect(said).to_contain_text("could be read to 11-15. Line 1: 24-15 is not legal")
    clock.fast_forward(60_000)
    expect(said).to_have_text("Black is better. Best is 11-15.")
    desk.page.get_by_label("Lines").select_option("1")
    expect(desk.verdict).to_have_text("Black is slightly better")
    expect(said).to_have_text("Black is better. Best is 11-15.")
    clock.fast_forward(60_000)
    expect(said).to_have_text("Black is slightly better. Best is 11-15.")
    desk.open("?fen=W:WK1:BK32&moves=1-99")
    expect(desk.verdict).to_have_text("Draw")
    expect(said).to_contain_text("This link cannot be opened as a whole: ")
    clock.fast_forward(60_000)
    expect(said).to_contain_text("Draw, proved. Best is")


def test_what_is_missing_is_said_in_plain_words(new_context, server_url):
    context = new_context()
    desk = Desk(context.new_page(), server_url).open()
    desk.page.evaluate("localStorage['kingme.game'] = '{'")
    desk.open("?mine")
    nothing = "There is no game of yours on this device."
    expect(desk.message).to_have_text(nothing)
    desk.page.goto(f"{server_url}review?mine")
    expect(desk.page.get_by_text(nothing)).to_be_visible()
    context.route("**/kernels*", lambda route: route.abort())
    desk.open()
    expect(desk.message).to_have_text(
        "The engine cannot be loaded here. “Ask the server” works without it."
    )
    desk.button("Ask the server")
    expect(desk.page.locator("#server")).to_contain_text(SERVER)


def test_the_page_is_kept_for_when_there_is_no_network(new_context, server_url):
    context = new_context(service_workers="allow")
    desk = Desk(context.new_page(), server_url).open(f"?fen={FEN}")
    desk.thought()
    desk.page.evaluate("navigator.serviceWorker.ready")
    context.set_offline(True)
    desk.page.reload()
    desk.shows(TARGET)
    desk.thought()
    context.set_offline(False)


def test_the_game_of_the_play_page_is_handed_over(table):
    table.open(mode="two")
    table.play("11-15")
    table.play("22-18")
    table.page.get_by_role("link", name="Analyse").click()
    board = table.page.locator("kingme-board")
    expect(board).to_have_attribute("data-fen", re.compile(r"^B:W18,21,.*:B.*15$"))
    table.page.goto(f"{table.url}review?mine")
    expect(table.page.get_by_role("button", name="22-18")).to_be_visible()


@pytest.fixture
def five(tmp_path, monkeypatch) -> Iterator[tuple[str, Tables]]:
    """A server that has three kings against two, and the tables of it."""
    tables = three_kings(tmp_path, Tables.have())
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    with serving(create_app(None, Ports(FirstMove()))) as base:
        yield f"{base}/", tables


def won_by_three_kings(tables: Tables) -> Position:
    """A win that takes a while, with a choice."""
    chance = random.Random(7)
    while True:
        position = position_at(KINGS, chance.randrange(KINGS.positions))
        if not position.must_jump and 20 < (tables.distance(position) or 0) < 40:
            return position


def test_five_pieces_come_from_the_server_in_parts(new_context, five):
    """Analysis proves them and goes on along the line without a network; level 8 plays them."""
    url, tables = five
    position = won_by_three_kings(tables)
    context = new_context(color_scheme="dark", viewport={"width": 1280, "height": 900})
    desk = Desk(context.new_page(), url)
    parts: list[str] = []
    desk.page.on("request", lambda request: parts.append(request.headers.get("range", "")))
    desk.open(f"?fen={position.fen}")
    plies = tables.distance(position) or 0
    expect(desk.verdict).to_have_text(f"Black wins in {(plies + 1) // 2} moves")
    expect(desk.page.locator("#detail")).to_contain_text("by the endgame tables")
    sizes = [int(b) - int(a) + 1 for a, b in re.findall(r"bytes=(\d+)-(\d+)", " ".join(parts))]
    assert len(sizes) > 2 and sum(sizes) < 500_000
    line = desk.line()
    assert line[0] in map(str, tables.best_moves(position))
    assert desk.sound() == []
    context.set_offline(True)
    desk.lines.first.get_by_role("button").first.click()
    desk.shows(position.play(line[0]))
    expect(desk.verdict).to_have_text(f"Black wins in {plies // 2} moves")
    desk.paste("B:WK23:BK31,K32")
    expect(desk.verdict).to_have_text(re.compile("^Black wins in"))
    context.set_offline(False)

    page = context.new_page()
    page.route("**/api/reply", lambda route: route.abort())
    table = Table(page, url, own_engine=True).open(position.fen, level=8, side="white")
    expect(table.status).to_have_text("Your turn")
    for known in (False, True):  # the first reply may come before the tables are there
        (*_, text) = table.moves.get_by_role("button").all_inner_texts()
        best = tables.best_moves(position)
        assert text in map(str, best) or not known
        position = table.position
        assert tables.value(position) is Value.LOSS, "a win is kept in any case"
        context.set_offline(known)
        answered(table, str(tables.best_moves(position)[0]))
        position = position.play(tables.best_moves(position)[0])
    assert tables.value(table.position) is Value.LOSS
    context.set_offline(False)
