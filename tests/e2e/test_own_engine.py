"""The computer in the browser: no request after loading, no network at all, and no WebAssembly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from tests.e2e.table import REPLY, Table

KEPT = """async () => {
    await navigator.serviceWorker.ready;
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
    return kept.map(keys => keys.map(({ url }) => new URL(url).pathname));
}"""


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """A browser as people have it: it keeps the page for when there is no network."""
    return new_context(viewport={"width": 1280, "height": 900}, service_workers="allow")


@pytest.fixture
def own(page: Page, server_url: str) -> Table:
    """A table whose computer thinks in the page."""
    return Table(page, server_url, own_engine=True)


def answered(table: Table, text: str) -> None:
    """Play a move and wait for the computer's."""
    plies = len(table.position.legal_moves) and table.moves.get_by_role("button").count()
    table.type(text)
    expect(table.status).to_have_text("Your turn")
    expect(table.moves.get_by_role("button")).to_have_count(plies + 2)


def test_a_game_makes_no_request_after_loading(own):
    asked: list[str] = []
    with own.page.expect_response("**/static/engine/kernels.wasm"):
        own.open(level=4)
    own.page.wait_for_load_state("networkidle")
    own.page.on("request", lambda request: asked.append(request.url))
    for _ in range(4):
        answered(own, str(own.position.legal_moves[0]))
    assert asked == []


@pytest.mark.parametrize("level", [1, 2, 5, 8])
def test_every_kind_of_level_answers(own, level):
    own.page.route("**/api/**", lambda route: route.abort())
    own.open(level=level)
    answered(own, "11-15")
    answered(own, str(own.position.legal_moves[0]))


def test_it_plays_on_without_a_network_and_after_a_reload(own, context):
    own.open(level=8)
    own.page.wait_for_load_state("networkidle")
    (kept,) = own.page.evaluate(KEPT)
    assert {
        "/",
        "/static/page.js",
        "/static/engine/kernels.wasm",
        "/static/engine/book.bin",
    } <= set(kept)
    assert not [path for path in kept if path.startswith(("/api", "/ws", "/lobby"))]
    context.set_offline(True)
    answered(own, "11-15")
    own.reload()
    answered(own, str(own.position.legal_moves[0]))
    context.set_offline(False)


def test_a_draw_is_answered_by_it(own):
    own.page.route("**/api/**", lambda route: route.abort())
    own.open("W:WK1:BK32", level=5)
    own.page.get_by_role("button", name="Offer draw").click()
    expect(own.message).to_contain_text("draw")


@pytest.mark.parametrize(
    "lacking",
    [
        "/* WebAssembly */",
        "delete window.Worker",
        "window.Worker = class { constructor() { throw Error(); } }",
    ],
)
def test_where_it_cannot_run_the_server_answers(
    new_context: Callable[..., BrowserContext], server_url, lacking
):
    page = new_context().new_page()
    page.add_init_script(lacking)
    table = Table(page, server_url, own_engine=True)
    if "WebAssembly" in lacking:  # a worker has its own
        page.route("**/kernels.wasm", lambda route: route.abort())
    with page.expect_response("**/api/reply"):
        table.open(level=2)
        table.type("11-15")
    expect(table.status).to_have_text("Your turn")


@pytest.fixture
def bare(new_context: Callable[..., BrowserContext], server_url: str) -> Table:
    """A table whose computer thinks in the page, of which nothing is kept."""
    return Table(new_context().new_page(), server_url, own_engine=True)


def by_the_server(table: Table) -> None:
    """Expect the server's answer to a move, and nothing of any trouble."""
    expect(table.status).to_have_text("Your turn")
    expect(table.moves.get_by_role("button")).to_have_count(2)
    expect(table.message).to_be_empty()


@pytest.mark.parametrize("name", ["kernels.wasm", "weights.bin", "book.bin", "worker.js"])
def test_where_a_file_never_comes_the_server_answers(bare, name):
    bare.page.clock.install()
    held = bare.hold_replies(f"**/engine/{name}")
    with bare.page.expect_request(f"**/engine/{name}"):
        bare.open(level=2)
    bare.type("11-15")
    expect(bare.status).to_have_text("Computer’s turn")
    with bare.page.expect_response(REPLY):
        bare.page.clock.run_for(11_000)
    bare.page.clock.resume()
    by_the_server(bare)
    assert held
    with bare.page.expect_response(REPLY):  # and from then on at once
        bare.play(str(bare.position.legal_moves[0]))


def test_while_files_are_on_their_way_the_server_answers_and_then_the_page(bare):
    held = bare.hold_replies("**/engine/weights.bin")
    with bare.page.expect_request("**/engine/weights.bin"):
        bare.open(level=2)
    with bare.page.expect_response(REPLY):
        bare.type("11-15")
    by_the_server(bare)
    with bare.page.expect_response("**/engine/weights.bin"):
        held[0].continue_()
    asked: list[str] = []
    bare.page.on("request", lambda request: asked.append(request.url))
    answered(bare, str(bare.position.legal_moves[0]))
    while asked:  # until the engine has been put together
        asked.clear()
        answered(bare, str(bare.position.legal_moves[0]))


def short(data: bytes) -> bytes:
    return b"short"


def cut(data: bytes) -> bytes:
    return data[: len(data) // 8 * 4]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]


def another(data: bytes) -> bytes:
    """A file of the same form that means something else: of another layout."""
    return data[:8] + b"\x02" + data[9:]


@pytest.mark.parametrize("damage", [short, cut, flipped, another])
@pytest.mark.parametrize("name", ["kernels.wasm", "weights.bin", "book.bin"])
def test_a_damaged_file_is_noticed_and_the_server_answers(bare, name, damage):
    def spoil(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=damage(answer.body()))

    bare.page.route(f"**/engine/{name}", spoil)
    with bare.page.expect_response(f"**/engine/{name}"):
        bare.open(level=8)
    with bare.page.expect_response(REPLY):
        bare.type("11-15")
    by_the_server(bare)


SLOWNESS = 6
"""How much slower than this machine a phone is, as developers' tools assume."""

BEYOND_THE_BOOK = "B:WK4,22,25,26,29,30,31,32:B1,2,3,5,6,9,10,K28"
"""A middle game with kings, which the book has none of."""


def test_a_phone_plays_at_the_highest_level_without_a_request(
    new_context: Callable[..., BrowserContext], server_url
):
    context = new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    table = Table(context.new_page(), server_url, own_engine=True)
    with table.page.expect_response("**/engine/book.bin"):
        table.open(BEYOND_THE_BOOK, level=8)
    table.page.wait_for_load_state("networkidle")
    slow = context.new_cdp_session(table.page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS})
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    for plies in (2, 4):
        move = table.position.legal_moves[0]
        table.tap(*move.path)
        expect(table.moves.get_by_role("button")).to_have_count(plies)
        expect(table.status).to_have_text("Your turn")
    assert asked == []
