"""No page moves under the reader's eyes while it loads, and none loads anything from elsewhere."""

from __future__ import annotations

import pytest

import pages


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_shifts(new_context, server_url, width):
    """All pages that the start page leads to; `new_context` refuses what comes from elsewhere."""
    context = new_context(viewport={"width": width, "height": 900})
    context.add_init_script(f"({pages.OBSERVE})()")
    page = context.new_page()
    base = server_url.rstrip("/")
    shifted = {}
    for path in pages.linked(page, base):
        page.goto(base + path)
        page.wait_for_load_state("networkidle")
        seen = page.evaluate("seen")
        if seen["shift"]:
            shifted[path] = seen
    assert not shifted
