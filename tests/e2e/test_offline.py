"""Without a network: what was visited opens, the rest says so, and a release replaces another."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.test_axe import violations
from tests.e2e.test_looks import SMALL_TARGETS
from tests.web.conftest import FirstMove, serving

from kingme import Position
from kingme.play.lessons import LESSONS
from kingme.web.app import create_app
from kingme.web.keeping import RELEASE, release
from kingme.web.ports import Ports

KEPT = """async () => {
    const kept = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            const { pathname } = new URL(request.url);
            kept[pathname] = [name, (await cache.match(request)).headers.get("kingme-release")];
        }
    }
    return kept;
}"""
"""All that is kept: in which cache, and of which release."""

WHOLE = """async ([name, paths]) => {
    const kept = async () => {
        if (`${await caches.keys()}` !== name) return false;
        const cache = await caches.open(name);
        return (await Promise.all(paths.map((path) => cache.match(path)))).every(Boolean);
    };
    while (!await kept()) await new Promise(requestAnimationFrame);
}"""
"""Comes to its end when one release alone is kept, with certain paths."""

COURSE = [f"/learn/{one.name}" for one in LESSONS]
FEN = "data-fen"
NEXT = "0123456789abcdef"


class Edge:
    """A server that becomes another release, or goes away behind a proxy that answers for it."""

    def __init__(self, app) -> None:
        self.app = app
        self.renewed = False
        self.away = False
        self.asked: list[str] = []

    async def __call__(self, scope, receive, send) -> None:
        """Serve one request (ASGI)."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        self.asked.append(scope["path"])
        if self.away:
            await send({"type": "http.response.start", "status": 502, "headers": []})
            await send({"type": "http.response.body", "body": b"Bad gateway"})
            return
        if self.renewed:
            plain = [pair for pair in scope["headers"] if pair[0] not in HEADERS]
            scope = {**scope, "headers": plain}

        async def renewing(message) -> None:
            if self.renewed and message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0] not in HEADERS]
                message["headers"] = [*kept, (RELEASE.lower().encode(), NEXT.encode())]
            if self.renewed and message["type"] == "http.response.body":
                message["body"] = renamed(scope["path"], message["body"])
            await send(message)

        await self.app(scope, receive, renewing)


HEADERS = {b"accept-encoding", b"if-none-match", b"content-length", b"etag"} | {
    RELEASE.lower().encode()
}


def renamed(path: str, body: bytes) -> bytes:
    """What the next release says: its name in the worker, marks in pages and a script."""
    if path == "/sw.js":
        return body.replace(release().encode(), NEXT.encode())
    if path == "/static/lesson.js":
        return body + b';document.body.dataset.script="next"'
    return body.replace(b"<body>", b'<body data-page="next">')


@pytest.fixture
def edge() -> Edge:
    return Edge(create_app(None, Ports(FirstMove())))


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def wait_for_kept(page: Page, name: str, paths: list[str]) -> dict[str, list[str]]:
    """Wait until one release alone is kept, with these paths, and give all that is kept."""
    page.evaluate(WHOLE, [f"kingme-{name}", paths])
    return page.evaluate(KEPT)


def test_without_a_network(new_context, edge):
    context = new_context(
        service_workers="allow",
        viewport={"width": 320, "height": 640},
        reduced_motion="reduce",
    )
    page = context.new_page()
    with serving(edge) as base:
        # Any page, once, is kept. What it brings with it is little; lessons are not among it.
        page.goto(f"{base}/faq")
        page.evaluate("navigator.serviceWorker.ready")
        paths = ["/", "/faq", "/learn", "/review", "/static/review.js"]
        kept = wait_for_kept(page, release(), paths)
        assert not set(kept) & {*COURSE, "/strategy", "/puzzles"}
        visit(page, base)
        kept = wait_for_kept(page, release(), [*COURSE, "/strategy", "/variants/russian"])
        assert {tuple(value) for value in kept.values()} == {(f"kingme-{release()}", release())}
        assert not [path for path in kept if path.startswith(("/api", "/print"))]

        context.set_offline(True)
        edge.asked.clear()
        without(page, base)
        not_kept(page, base)
        assert set(edge.asked) <= {"/sw.js"}, "the browser itself asks for a newer worker"

        # It comes back by itself.
        context.set_offline(False)
        heading(page, "Print")
        renew(page, base, edge)
        context.set_offline(False)


def visit(page: Page, base: str) -> None:
    """A lesson, a page to read, two puzzles, a variant."""
    page.goto(f"{base}/learn/two-for-one")
    expect(page.locator("kingme-board")).to_have_attribute(FEN, re.compile(":"))
    page.goto(f"{base}/strategy")
    page.goto(f"{base}/puzzles")
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_url("**/puzzles/*")
    page.goto(f"{base}/variants/russian")
    expect(page.locator("kingme-board")).to_have_attribute(FEN, re.compile(":"))
    page.wait_for_load_state("networkidle")


def without(page: Page, base: str) -> None:
    """What can be done without a network, on pages that were visited and on some that were not."""
    page.goto(f"{base}/learn")
    page.get_by_role("link", name=LESSONS[2].title).click()
    step = page.locator(".step[data-current] h2")
    expect(step).to_have_text(LESSONS[2].steps[0].title)
    page.goto(f"{base}/learn/two-for-one")
    for square in (24, 19):
        page.locator(f'kingme-board [data-square="{square}"]').press("Enter")
    expect(page.locator("#said")).to_contain_text("Black jumps from 15 over 19 to 24. Go on.")
    page.goto(f"{base}/strategy")
    page.get_by_role("button", name="Next move").first.click()
    expect(page.locator("kingme-board")).to_have_attribute(FEN, re.compile(":"))
    page.goto(f"{base}/variants/russian")
    expect(page.locator("kingme-board")).to_have_attribute(FEN, re.compile(":"))
    page.goto(f"{base}/puzzles")
    expect(page.locator("kingme-board")).to_have_attribute(FEN, re.compile(":"))

    # A game of one's own is reviewed; what only the server can read is said to need it.
    game = {"v": 1, "start": None, "moves": ["11-15", "22-18", "15x22"]}
    page.evaluate("game => { localStorage['kingme.game'] = game; }", json.dumps(game))
    page.goto(f"{base}/review?mine")
    page.locator("#effort").evaluate("node => { node.value = 20000; }")
    expect(page.locator("main")).to_have_attribute("data-working", "done", timeout=60_000)
    assert page.locator("#tree button").all_inner_texts() == ["11-15", "22-18", "15x22"]
    with page.expect_download() as loading:
        page.get_by_role("button", name="Save as PDN").click()
    assert "1. 11-15" in Path(loading.value.path()).read_text("utf-8")
    page.get_by_role("button", name="Another game").click()
    page.get_by_label("A game as PDN").fill("1. 11-15 {Good.} 22-18 *")
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("plain games alone can be read")
    page.get_by_role("button", name="Show an example").click()
    expect(page.locator("#title")).to_contain_text("Moorhead, W. – Wyllie, J.")
    expect(page.locator("kingme-board")).to_have_attribute(FEN, Position.start().fen)


def not_kept(page: Page, base: str) -> None:
    """A page that is not kept says so, and what there is."""
    page.goto(f"{base}/print")
    heading(page, "No connection")
    shown = page.locator("main a:visible").evaluate_all("all => all.map(a => a.pathname)")
    assert {"/", "/analysis", "/review", "/rules", "/strategy", "/faq", "/puzzles"} <= set(shown)
    assert set(COURSE) <= set(shown) and "/notation" not in shown
    assert len([path for path in shown if path.startswith("/puzzles/")]) == 1
    assert not list(violations(page))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.evaluate(SMALL_TARGETS) == []


def renew(page: Page, base: str, edge: Edge) -> None:
    """A server that is away is as no network; a new one replaces all, and mixes nothing."""
    lesson = f"{base}/learn/two-for-one"
    edge.away = True
    page.goto(lesson)
    heading(page, "Two for one")
    edge.away, edge.renewed = False, True
    page.goto(lesson)
    expect(page.locator("body")).to_have_attribute("data-page", "next")
    expect(page.locator("body")).to_have_attribute("data-script", "next")
    kept = wait_for_kept(page, NEXT, [*COURSE, "/strategy", "/puzzles"])
    assert {tuple(value) for value in kept.values()} == {(f"kingme-{NEXT}", NEXT)}
    page.context.set_offline(True)
    page.goto(lesson)
    expect(page.locator("body")).to_have_attribute("data-page", "next")
    expect(page.locator("body")).to_have_attribute("data-script", "next")
