"""No page moves under the reader's eyes while it loads, and none loads anything from elsewhere."""

from __future__ import annotations

import pages

#: Whether a page and what it asks the server for are there, and two frames after that.
DRAWN = "() => document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')"
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_no_page_shifts(new_context, server_url):
    """All pages that the start page leads to; `new_context` refuses what comes from elsewhere."""
    context = new_context(viewport={"width": 390, "height": 844})
    context.add_init_script(f"({pages.OBSERVE})()")
    page = context.new_page()
    page.set_default_timeout(60_000)
    shifted = {}
    found = []
    for path in pages.linked(page, server_url.rstrip("/")):
        found.append(path)
        for width in (390, 1280):
            if width == 1280:
                page.set_viewport_size({"width": width, "height": 900})
                page.reload()
            page.wait_for_function(DRAWN)
            page.evaluate(FRAMES)
            seen = page.evaluate("seen")
            if seen["shift"]:
                shifted[path, width] = seen
        page.set_viewport_size({"width": 390, "height": 844})
    assert not shifted
    assert "/" in found and len(found) > 5
