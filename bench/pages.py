"""What each page costs a visitor: bytes, requests, time until it can be used, whether it shifts.

    python bench/pages.py [PATH...] [--slower N] [--width PX]

Starts ``kingme serve`` and opens each page in Chromium, at a first visit (nothing is cached, and
the service worker, which keeps files for later, is left out), on a processor that is slowed down N
times. Without a PATH the pages are the sections, one page of each kind within them, and what
headers and footers lead to. Prints one JSON line for each page:

``bytes`` and ``requests`` are of all that came, the page's own engine with it, as it travelled.
``paint_ms`` is the first paint with something to see, and ``interactive_ms`` when the page answers:
the end of the last task of more than 50 ms before a second of quiet, at the earliest when all
scripts had run. Both are by the clock, from the beginning of the visit, and a busy machine
stretches them. ``shift`` is the cumulative layout shift, and ``elsewhere`` counts requests to other
machines.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from live.service import Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

__all__ = ["OBSERVE", "QUIET", "linked", "visited"]

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

SECTIONS = (
    *("/", "/lobby", "/puzzles", "/learn", "/analysis", "/review", "/rules", "/strategy", "/faq"),
    *("/notation", "/variants", "/variants/russian", "/learn/board", "/print"),
)
"""Where a visit may begin; one that is not there is left out."""

OBSERVE = """() => {
  globalThis.seen = { shift: 0, shifted: [], busy: 0 };
  const name = (node) => node && `${node.nodeName} ${node.id || node.textContent}`.slice(0, 40);
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      seen.shift += value;
      seen.shifted.push(...sources.map(({ node }) => `${name(node)}`));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.busy = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
}"""
"""What a page notes of itself from its beginning: how far it shifts, what, and its long tasks."""

QUIET = """() => performance.now() - Math.max(seen.busy,
  performance.getEntriesByType('navigation')[0].loadEventEnd || Infinity) > 1000"""
"""Whether a page has been at rest for a second."""

TIMES = """() => {
  const { domContentLoadedEventEnd } = performance.getEntriesByType('navigation')[0];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return [paint.startTime, Math.max(paint.startTime, domContentLoadedEventEnd, seen.busy)];
}"""

LINKS = """() => [...document.querySelectorAll('header a[href], footer a[href]')]
  .map(({ href }) => new URL(href)).filter(({ origin }) => origin === location.origin)
  .map(({ pathname }) => pathname)"""


def linked(page: Page, base: str) -> Iterator[str]:
    """Yield the pages that are there: the sections, and what headers and footers lead to."""
    waiting, found = list(SECTIONS), list(SECTIONS)
    while waiting:
        path = waiting.pop(0)
        answer = page.goto(base + path)
        if answer is None or not answer.ok or "html" not in answer.headers["content-type"]:
            continue
        links = [link for link in dict.fromkeys(page.evaluate(LINKS)) if link not in found]
        found += links
        waiting += links
        yield path


def visited(browser: Browser, base: str, path: str, slower: float, width: int) -> dict[str, Any]:
    """Open a page as at a first visit; return its figures."""
    context = browser.new_context(service_workers="block", viewport={"width": width, "height": 900})
    context.add_init_script(f"({OBSERVE})()")
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    page.on("requestfinished", note)
    page.goto(base + path)
    page.wait_for_load_state("networkidle")
    page.wait_for_function(QUIET)
    paint, interactive = page.evaluate(TIMES)
    seen = page.evaluate("seen")
    sent = [request.url for request in asked if request.url.startswith("http")]
    sizes = [request.sizes() for request in asked if request.url.startswith("http")]
    context.close()
    return {
        "path": path,
        "requests": len(sent),
        "bytes": sum(one["responseHeadersSize"] + one["responseBodySize"] for one in sizes),
        "paint_ms": round(paint),
        "interactive_ms": round(interactive),
        "shift": round(seen["shift"], 4),
        "shifted": sorted(set(seen["shifted"])),
        "elsewhere": sum(urlsplit(address).netloc != urlsplit(base).netloc for address in sent),
    }


def main() -> int:
    """Visit the pages and print their figures."""
    from chromium import find_chromium, missing

    parser = argparse.ArgumentParser(description="What each page costs a visitor.")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--slower", type=float, default=4.0, help="How much slower: 4.")
    parser.add_argument("--width", type=int, default=390, help="Of the window: 390.")
    asked = parser.parse_args()
    if lacking := missing():
        print(f"No page can be opened: {lacking}.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder))
        service.start()
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), chromium_sandbox=False, args=["--disable-gpu"]
        )
        try:
            paths = asked.paths or list(linked(browser.new_page(), service.base))
            for path in paths:
                figures = visited(browser, service.base, path, asked.slower, asked.width)
                terms = {"slower": asked.slower, "width": asked.width}
                named = {"bench": "pages", "python": platform.python_version(), **terms}
                print(json.dumps(named | figures), flush=True)
        finally:
            browser.close()
            service.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
