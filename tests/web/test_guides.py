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
from kingme.analysis.puzzles.shelf import shelf
from kingme.engine.endgames import Tables
from kingme.errors import AmbiguousMoveError
from kingme.play.lessons import LESSONS, Moves
from kingme.rules import pdn
from kingme.rules.ballots import NAMED, THREE_MOVE, find, opening_of
from kingme.rules.history import History
from kingme.rules.outcome import Termination
from kingme.rules.position import Position
from kingme.rules.texts import sections
from kingme.rules.variant import VARIANTS
from kingme.web.app import create_app
from kingme.web.guides.boards import BOARDS, LETTERED
from kingme.web.guides.comparison import rows, rules_address
from kingme.web.guides.contrasts import CONTRASTS
from kingme.web.guides.ideas import BLACKS_ROWS, IDEAS, WHITES_ROWS
from kingme.web.guides.library import FIRST_MOVES, GUIDES, PDN
from kingme.web.guides.pages import LIVE, PATHS
from kingme.web.guides.questions import QUESTIONS
from kingme.web.ports import Ports

from .conftest import FirstMove, serving

STATIC = Path(kingme.web.__file__).parent / "static"
ENDINGS = Path(__file__).parent.parent / "data" / "endgames_named.tsv"
DIAGRAMS = {
    (guide.path, diagram.name): diagram
    for guide in GUIDES.values()
    for diagram in guide.boards.values()
}
TAUGHT = {
    step.position.fen: (step.task.claim, " ".join(step.task.line))
    for one in LESSONS
    for step in one.steps
    if isinstance(step.task, Moves)
}
"""Positions of lessons, whose tests prove what is claimed there of the moves."""

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
    rows = (line.split("\t") for line in ENDINGS.read_text().splitlines() if line[0] not in "#n")
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
    elif TAUGHT.get(position.fen) == (diagram.value, diagram.line):
        pass  # proved with the lessons
    elif position.fen in named:
        assert named[position.fen] == diagram.value
    else:
        assert diagram.value == "win" and wins(position, len(diagram.moves))


def wins(position: Position, plies: int) -> bool:
    """Whether the side to move wins within so many plies, whatever is replied."""
    nexts = [position.play(move) for move in position.legal_moves] if plies > 0 else []
    return any(
        all(wins(after.play(reply), plies - 2) for reply in after.legal_moves) for after in nexts
    )


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


def test_variants_differ_as_their_boards_say():
    def legal(name: str, variant: str) -> set[str]:
        position = Position.from_fen(CONTRASTS[name].fen, VARIANTS[variant])
        return {str(move) for move in position.legal_moves}

    assert legal("backward", "russian") == {"15x24"}
    assert not any("x" in move for move in legal("backward", "english"))
    assert legal("flying", "russian") == {"29x4", "29x8", "29x11", "29x15"}
    assert legal("most", "brazilian") == {"27x18x11"}
    assert legal("most", "english") == {"27x18x11", "27x20"}
    assert legal("becoming", "russian") == {"11x2x13"}
    assert legal("becoming", "brazilian") == legal("becoming", "english") == {"11x2"}


def test_what_the_page_on_strategy_counts_is_so(solved):
    """Who has the move, what a shot takes, and the names of openings."""
    for name, counted in (
        ("the-move", WHITES_ROWS),
        ("the-move-black", BLACKS_ROWS),
        ("exchange", WHITES_ROWS),
    ):
        count = sum(square in counted for square in IDEAS[name].positions[0].pieces)
        assert IDEAS[name].marks == counted and count % 2 == (name != "exchange")
    assert TAUGHT[IDEAS["drawing-shot"].positions[0].fen] == ("saves", IDEAS["drawing-shot"].line)
    for name, given, taken in (
        ("two-for-one", 1, 2),
        ("three-for-two", 2, 3),
        ("pitch", 2, 3),
        ("stroke", 3, 4),
        ("drawing-shot", 2, 2),
    ):
        first, last = IDEAS[name].positions[0], IDEAS[name].positions[-1]
        assert first.white.bit_count() - last.white.bit_count() == given
        assert first.black.bit_count() - last.black.bit_count() == taken
    assert not any(move.is_jump for move in IDEAS["supported"].positions[0].legal_moves)
    assert str(solved.distance(IDEAS["two-against-one"].positions[0])) == "15"
    lone = [
        solved.value(Position.from_fen(f"W:WK{white}:BK{black}"))
        for white, black in itertools.permutations(range(1, 33), 2)
    ]
    assert 0.3 < sum(value != "draw" for value in lone) / len(lone) < 0.37
    named = {ballot.moves[0]: ballot.name for ballot in NAMED.values() if len(ballot.moves) == 1}
    for move, name, _ in FIRST_MOVES:
        assert named.get(move, "several, by White’s reply") == name
    fourteenth = find("Old Fourteenth")[0]
    assert [str(move) for move in IDEAS["old-fourteenth"].moves] == list(fourteenth.moves)
    (barred,) = find("Rattlesnake")
    assert barred.status == "barred"
    assert [str(move) for move in IDEAS["barred"].moves] == list(barred.moves)


def test_what_is_said_of_the_positions_with_numbers_is_known():
    rows = (line.split("\t") for line in ENDINGS.read_text().splitlines() if line[0] not in "#n")
    known = {row[1]: row for row in rows}
    _, _, _, value, plies, moves, *_ = known[IDEAS["second-position"].fen]
    assert (value, plies, moves) == ("win", "105", "32-28")
    _, _, _, value, plies, moves, *_ = known[IDEAS["third-position"].fen]
    assert (value, plies, moves) == ("win", "113", "20-24")
    fourth = known[IDEAS["fourth-position"].fen]
    assert fourth[3] == "win" and fourth[6].split()[0] == "20-16"


def test_every_link_leads_somewhere(pages, client):
    """Within these pages also to the right place on them."""
    for path, page in pages.items():
        for link in set(re.findall(r'href="(/[^"]*|#[^"]*)"', page.partition("<main")[2])):
            to, _, anchor = link.partition("#")
            if to in LIVE:
                continue
            target = page if not to else client.get(to).text
            assert not to or client.get(to).status_code == 200, (path, link)
            assert not anchor or f'id="{anchor}"' in target, (path, link)


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
    assert "—" not in text and not re.search(r"\w!", text)


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


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_the_rules_are_those_of_the_library(variant, pages):
    text = html.unescape(re.sub(r"\s+", " ", pages[rules_address(variant)]))
    for section in sections(variant):
        for paragraph in section.paragraphs:
            # Draws are told by preset, in a table and in the words of each.
            assert paragraph in text or paragraph.startswith("Under the standard rules")
    for source in variant.sources:
        assert source in text


def test_the_variants_are_compared_by_their_records(pages):
    text = html.unescape(pages["/variants"])
    for row in rows(VARIANTS):
        cells = "".join(f"<td>{word}</td>" for word in row.words)
        assert f'<th scope="row"><a href="{row.rules}">{row.title}</a></th>{cells}' in text
        assert row.summary in text and f'href="{row.play}"' in text


def test_what_stands_on_the_page_on_notation_can_be_read():
    (game,) = pdn.read(PDN)
    assert not game.notes and len(game.line) == 6
    opening = opening_of(game.history)
    assert opening is not None and opening.name == "Old Fourteenth"
    position = BOARDS["two-routes"].positions[0]
    assert position == Position.from_fen("W:W27,32:B15,16,23,24")
    assert Position.start().parse("f6-e5") == Position.start().parse("11-15")
    lettered = LETTERED["lettered"]
    assert [step.text for step in lettered.steps] == ["f2:h4:f6"]
    with pytest.raises(AmbiguousMoveError):
        position.parse("27x11")


def test_the_map_of_the_site_names_pages_that_are_there(client):
    found = client.get("/sitemap.xml")
    assert found.headers["content-type"].startswith("application/xml")
    addresses = re.findall(r"<loc>(.*?)</loc>", found.text)
    assert {urlsplit(address).path for address in addresses} >= {"/", "/print", *PATHS}
    puzzles = [address for address in addresses if "/puzzles/" in address]
    assert len(puzzles) == len(shelf().ratings)
    for address in [*set(addresses).difference(puzzles), puzzles[0], puzzles[-1]]:
        assert client.get(address).status_code == 200, address
    robots = client.get("/robots.txt")
    assert robots.headers["content-type"].startswith("text/plain")
    assert f"Sitemap: {str(client.base_url).rstrip('/')}/sitemap.xml" in robots.text
    refused = re.findall(r"Disallow: (\S+)", robots.text)
    assert not [path for path in PATHS if path.startswith(tuple(refused))]


def test_the_script_of_the_boards_is_small():
    assert len(gzip.compress((STATIC / "diagram.js").read_bytes())) < 5_000
