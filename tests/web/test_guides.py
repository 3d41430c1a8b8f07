"""The pages to read: every board on them is legal and every claim proved, and they can be found."""

from __future__ import annotations

import gzip
import html
import itertools
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest

import kingme.web
from kingme.engine.endgames import Tables
from kingme.rules.ballots import THREE_MOVE
from kingme.rules.history import History
from kingme.rules.outcome import Termination
from kingme.rules.position import Position
from kingme.rules.texts import sections
from kingme.rules.variant import ENGLISH
from kingme.web.app import create_app
from kingme.web.guides.boards import BOARDS
from kingme.web.guides.pages import GUIDES, PATHS
from kingme.web.guides.questions import QUESTIONS
from kingme.web.ports import Ports

from .conftest import FirstMove, serving

STATIC = Path(kingme.web.__file__).parent / "static"
NAMED = Path(__file__).parent.parent / "data" / "endgames_named.tsv"
DIAGRAMS = {
    (guide.path, diagram.name): diagram
    for guide in GUIDES.values()
    for diagram in guide.boards.values()
}
SOLVED = 3
"""Pieces that are solved here; with more, the value is looked up where all six were solved."""


@pytest.fixture(scope="module")
def client():
    app = create_app(None, Ports(FirstMove()))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as made:
        yield made


@pytest.fixture(scope="module")
def pages(client) -> dict[str, str]:
    return {path: client.get(path, headers={"Accept": "text/html"}).text for path in PATHS}


@pytest.fixture(scope="module")
def solved() -> Tables:
    return Tables.build(SOLVED)


@pytest.fixture(scope="module")
def named() -> dict[str, str]:
    """The values of named endings with up to six pieces."""
    rows = (line.split("\t") for line in NAMED.read_text().splitlines() if line[0] not in "#n")
    return {Position.from_fen(row[1]).fen: row[3] for row in rows}


def structured(page: str) -> list[dict]:
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    return [json.loads(text) for text in found]


def anchors(page: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', page.partition("<template")[0])


@pytest.mark.parametrize("where", DIAGRAMS, ids="".join)
def test_a_board_is_legal_and_what_is_claimed_of_it_proved(where, solved, named):
    diagram = DIAGRAMS[where]
    assert len(diagram.moves) == len(diagram.line.split())  # each of them is legal
    position = diagram.positions[0]
    assert position.legal_moves, "something can be played on it"
    if not diagram.value:
        return
    if len(position.pieces) <= SOLVED:
        assert solved.value(position) == diagram.value
    else:
        assert named[position.fen] == diagram.value


def test_the_boards_show_what_their_texts_say():
    """What a caption claims beyond win, draw and loss."""
    only = {name: BOARDS[name].positions[0].legal_moves for name in BOARDS}
    assert [str(move) for move in only["jump"]] == ["15x22"]
    assert [str(move) for move in only["shorter"]] == ["27x18x11", "27x20"]
    assert [str(move) for move in only["long-jump"]] == ["27x18x11", "27x20x11"]
    assert [str(move) for move in only["two-routes"]] == ["27x18x11", "27x20x11"]
    assert all(move.start == move.end == 7 for move in only["king-jump"])
    targets = {(move.start, move.end) for move in only["moves"]}
    assert targets == {(26, 22), (26, 23), (18, 14), (18, 15), (18, 22), (18, 23)}
    blocked = BOARDS["blocked"].positions[-1]
    assert blocked.white and not blocked.legal_moves
    history = History.start(BOARDS["draw"].positions[0])
    for move in BOARDS["draw"].moves:
        assert history.outcome() is None
        history = history.play(move)
    outcome = history.outcome()
    assert outcome is not None and outcome.termination is Termination.REPETITION


def test_what_is_said_of_the_ballots_is_so():
    said = " ".join(next(q for q in QUESTIONS if q.anchor == "three-move").answer)
    drawn = len(THREE_MOVE.drawn)
    for number in (len(THREE_MOVE), drawn, len(THREE_MOVE) - drawn):
        assert re.search(rf"\b{number}\b", said)


@pytest.mark.parametrize("path", PATHS)
def test_a_page_can_be_found_and_read(path, pages, client):
    page, guide = pages[path], GUIDES[path]
    assert page.count("<h1") == 1
    assert f"<title>{html.escape(guide.title)} – kingme</title>" in page
    assert 70 <= len(guide.description) <= 200
    assert f'<link rel="canonical" href="{str(client.base_url).rstrip("/")}{path}">' in page
    found = anchors(page)
    assert len(found) == len(set(found)), "each id once"
    assert all(f'href="#{anchor}"' in page for anchor, _ in guide.contents)
    assert {anchor for anchor, _ in guide.contents} <= set(found)
    # Headings go down one level at a time.
    levels = [int(level) for level in re.findall(r"<h(\d)", page.partition("<article")[2])]
    assert levels[0] == 2 and all(b <= a + 1 for a, b in itertools.pairwise(levels))
    text = re.sub(r"<[^>]+>", "", page.partition("<h1")[2].partition("<template")[0])
    assert "—" not in text and "!" not in text.replace("!?", "")


def test_titles_and_descriptions_are_all_different():
    for field in ("title", "description", "heading"):
        said = [getattr(guide, field) for guide in GUIDES.values()]
        assert len(said) == len(set(said)), field


@pytest.mark.parametrize("path", PATHS)
def test_search_engines_are_told_what_a_person_reads(path, pages):
    page, guide = pages[path], GUIDES[path]
    first, crumbs = structured(page)
    assert crumbs["@type"] == "BreadcrumbList"
    assert crumbs["itemListElement"][-1]["item"].endswith(path)
    if not guide.asks:
        assert first["@type"] == "Article" and first["headline"] == guide.title
        return
    assert first["@type"] == "FAQPage" and len(first["mainEntity"]) == len(QUESTIONS)
    for question in first["mainEntity"]:
        assert f">{html.escape(question['name'])}</h3>" in page
        for paragraph in re.findall(r"<p>(.*?)</p>", question["acceptedAnswer"]["text"]):
            assert f"<p>{paragraph}</p>" in page


def test_the_rules_are_those_of_the_library(pages):
    text = html.unescape(re.sub(r"\s+", " ", pages["/rules"]))
    for section in sections(ENGLISH):
        for paragraph in section.paragraphs:
            # Draws are told by preset, in a table and in the words of each.
            assert paragraph in text or paragraph.startswith("Under the standard rules")


def test_the_map_of_the_site_names_pages_that_are_there(client):
    found = client.get("/sitemap.xml")
    assert found.headers["content-type"].startswith("application/xml")
    addresses = re.findall(r"<loc>(.*?)</loc>", found.text)
    assert {urlsplit(address).path for address in addresses} >= {"/", "/print", *PATHS}
    for address in addresses:
        assert client.get(address).status_code == 200, address
    robots = client.get("/robots.txt")
    assert robots.headers["content-type"].startswith("text/plain")
    assert f"Sitemap: {str(client.base_url).rstrip('/')}/sitemap.xml" in robots.text
    refused = re.findall(r"Disallow: (\S+)", robots.text)
    assert not [path for path in PATHS if path.startswith(tuple(refused))]


def test_the_script_of_the_boards_is_small():
    assert len(gzip.compress((STATIC / "diagram.js").read_bytes())) < 5_000
