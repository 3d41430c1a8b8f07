"""The openings on the page of analysis: read, played from by mouse and keyboard, and missing."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from kingme.collection.practice import default
from kingme.rules.position import Position

AWAY = "The openings come from the server, which cannot be reached just now."


def test_the_openings_follow_the_board(page, server_url):
    page.goto(f"{server_url}analysis")
    openings = page.get_by_role("region", name="Openings")
    rows = openings.locator("tbody tr")
    start, practice = Position.start(), default()
    tree = practice.tree(start)
    assert tree is not None
    expect(rows).to_have_count(len(tree.branches))
    expect(openings).to_contain_text("22,621 games")
    best, second = tree.branches[:2]
    expect(rows.first).to_contain_text(f"{best.tally.games:,}")
    share = round(100 * best.tally.draws / best.tally.games)
    expect(rows.first.get_by_role("img")).to_have_accessible_name(re.compile(f"drawn {share} %"))

    rows.nth(1).locator("td").first.click()
    expect(page.locator("#tree")).to_contain_text(str(second.move))
    openings.get_by_role("button", name="Play 22-18").press("Enter")
    openings.get_by_role("button", name="Play 6-9").press("Enter")
    expect(openings).to_contain_text("Three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9")
    expect(page.locator("#tree")).to_contain_text("6-9")

    page.get_by_role("button", name="Start of the line").click()
    expect(rows).to_have_count(len(tree.branches))
    page.route("**/api/explorer?*", lambda route: route.abort())
    openings.get_by_role("button", name=f"Play {best.move}").press("Enter")
    expect(openings).to_contain_text(AWAY)
    page.goto(f"{server_url}analysis?fen=W:WK1:BK32")
    page.unroute("**/api/explorer?*")
    page.reload()
    expect(openings).to_contain_text("Too few games came to this position to tell.")
