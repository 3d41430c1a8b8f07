"""The computer in the browser: no request after loading, no network at all, and no WebAssembly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.e2e.table import Table

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
