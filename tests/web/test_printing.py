"""Sheets over HTTP: the page that offers them, the files, and what is refused."""

from __future__ import annotations

import re

import httpx2 as httpx
import pytest

from kingme.prints.sheets import Asked, board, rules
from kingme.web.app import create_app
from kingme.web.limits import Limit
from kingme.web.ports import Ports

from .conftest import FirstMove, serving


@pytest.fixture(scope="module")
def browser():
    with (
        serving(create_app(None, Ports(FirstMove()))) as base,
        httpx.Client(base_url=base, timeout=120) as made,
    ):
        yield made


def test_every_form_of_the_page_leads_to_a_sheet(browser):
    page = browser.get("/print", headers={"Accept": "text/html"})
    assert page.status_code == 200
    forms = re.findall(r'action="(/print/\w+\.pdf)"', page.text)
    assert len(forms) == 5
    for address in forms:
        # As the form sends it when nothing is filled in.
        found = browser.get(address, params={"fen": "", "moves": "", "every": "10"})
        assert found.status_code == 200, (address, found.text)
        assert found.headers["content-type"] == "application/pdf"
        assert found.content.startswith(b"%PDF")
        assert f'filename="{address[7:]}"' in found.headers["content-disposition"]
    assert 'href="/print"' in browser.get("/").text


def test_what_is_asked_for_is_what_comes(browser):
    found = browser.get("/print/board.pdf?square=2.25in&paper=letter&mono=1&plain=on")
    assert found.content == board(Asked("letter", mono=True), square=57.15, numbers=False)
    assert browser.get("/print/rules.pdf?theme=green").content == rules(Asked(theme="green"))


def test_positions_and_games(browser):
    for query in (
        "fen=W:W22:B11,18",
        "fen=W:W22:B11,18&fen=B:W22:B1&columns=2&black=1",
        "moves=1. 11-15 22-18 2. 15x22 25x18",
        'moves=[Black "Ann"] 1. 9-13 22-18 1-0',
        "fen=W:W22:B11,18&moves=1. 22x8",
    ):
        found = browser.get(f"/print/diagram.pdf?{query}")
        assert found.status_code == 200, found.text
        assert found.content.startswith(b"%PDF")


def test_the_page_brings_a_position_along(browser):
    page = browser.get("/print", params={"fen": 'W:W22:B11"><b>', "moves": "</textarea><b>"})
    assert "W:W22:B11&#34;&gt;&lt;b&gt;" in page.text and "</textarea><b>" not in page.text


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("board.pdf?square=9", 422, "A square is from 10 to 80 mm"),
        ("board.pdf?square=wide", 422, "is no length"),
        ("board.pdf?paper=a3", 422, "There is no paper 'a3'"),
        ("board.pdf?theme=x", 422, "There is no board theme 'x'"),
        ("board.pdf?variant=x", 400, "There is no variant 'x'"),
        ("poster.pdf", 404, "There is no such sheet"),
        ("diagram.pdf?fen=W:W40:B1", 422, "'40' is no square"),
        ("board.pdf?mono=xyz", 400, "Mono must be on or off, not 'xyz'"),
        ("diagram.pdf?every=abc", 400, "Every must be from 1 to 400"),
        ("diagram.pdf?columns=5", 400, "Columns must be from 1 to 4"),
        ("diagram.pdf?moves=11-16 11-16", 400, "Moves"),
        ("diagram.pdf?moves=...", 400, "Moves"),
        ("diagram.pdf?moves=" + "x" * 6001, 400, "Moves is too long"),
        ("diagram.pdf?fen=" + "x" * 601, 400, "Fen is too long"),
        ("diagram.pdf?" + "fen=W:W22:B1&" * 25, 400, "24 times at most"),
        ("diagram.pdf?every=1&moves=" + "11-15 23-19 8-11 22-17 " * 1, 200, ""),
    ],
)
def test_what_cannot_be(browser, address, status, words):
    found = browser.get(f"/print/{address}")
    assert found.status_code == status, found.text
    if words:
        assert words.lower() in found.json()["error"]["message"].lower()


def test_sheets_are_made_so_often_for_an_address_and_no_more(monkeypatch):
    two = Limit(2, 10, "sheet", "Too many sheets.")
    monkeypatch.setattr("kingme.web.printing.OFTEN", two)
    app = create_app(None, Ports(FirstMove()))
    with serving(app) as base, httpx.Client(base_url=base, timeout=120) as made:
        assert [made.get("/print/score.pdf").status_code for _ in range(3)] == [200, 200, 429]
        refused = made.get("/print/score.pdf")
        assert refused.json()["error"]["message"] == "Too many sheets."
        assert 0 < int(refused.headers["retry-after"]) <= 600
        assert made.get("/print").status_code == 200
