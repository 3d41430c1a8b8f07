"""Analysis over HTTP: the page, the server's engine in its bounds, and the endgame tables."""

from __future__ import annotations

import httpx2 as httpx
import pytest

from kingme import Position
from kingme.engine.endgames import Tables
from kingme.web.app import create_app
from kingme.web.limits import ANALYSES
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import serving

MIDDLE = "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"


@pytest.fixture
def service(opponent):
    app = create_app(Settings(), Ports(opponent))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as made:
        yield made


def asked(service, **sent):
    return service.post("/api/analysis", json={"moves": [], **sent})


def test_the_page_is_one_for_everybody(service):
    answer = service.get("/analysis", params={"fen": MIDDLE})
    assert answer.status_code == 200
    assert "<title>Analyse a position or a game" in answer.text
    assert answer.text == service.get("/analysis").text


def test_lines_of_the_engine(service, opponent):
    told = asked(service, start=MIDDLE, moves=["25-21"], lines=2, seconds=0.5).json()
    position = Position.from_fen(MIDDLE).play("25-21")
    first, second = position.legal_moves[:2]
    assert told["lines"] == [
        {"depth": 7, "score": score, "result": None, "plies": None, "pv": [str(move)]}
        for score, move in ((12, first), (11, second))
    ]
    assert (told["depth"], told["nodes"], told["proof"]) == (7, 99, None)
    assert opponent.asked == [(position.fen, 2, "standard")]


def test_few_pieces_are_looked_up(service, opponent):
    tables = Tables.have()
    start = "W:WK18,K19:BK3"
    told = asked(service, start=start).json()
    assert told["proof"] == "database"
    assert (told["lines"][0]["result"], told["lines"][0]["plies"]) == (
        "win",
        tables.distance(Position.from_fen(start)),
    )
    assert told["lines"][0]["score"] == 30_000 - told["lines"][0]["plies"]
    assert opponent.asked == []


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({"start": "W:W1:B32"}, 422, "would be a king there"),
        ({"start": MIDDLE, "moves": ["25-24"]}, 422, "Move 1 of this game cannot be played"),
        ({"start": "W:WK1:B"}, 200, ""),
        ({"start": "B:WK1:B"}, 422, "This game is over."),
        ({"lines": 9}, 400, "out of range"),
        ({"seconds": 60}, 400, "out of range"),
    ],
)
def test_what_cannot_be_analysed_is_explained(service, sent, status, words):
    answer = asked(service, **sent)
    assert answer.status_code == status
    assert words in (answer.text if status == 200 else answer.json()["error"]["message"])


def test_without_an_engine_it_says_so(service, opponent):
    opponent.ready = False
    service.get("/api/engine")
    answer = asked(service, start=MIDDLE)
    assert answer.status_code == 503
    assert "still being started" in answer.json()["error"]["message"]


def test_an_address_asks_so_often(service):
    for _ in range(ANALYSES.amount):
        assert asked(service, lines=9).status_code == 400
    answer = asked(service, start=MIDDLE)
    assert answer.status_code == 429
    assert answer.json()["error"]["message"] == ANALYSES.message
