"""The operator's collection over HTTP: its tree, its games, and what is said without one."""

from __future__ import annotations

import httpx2 as httpx
import msgspec
import pytest

from kingme.collection import Collection, Entry, Page, library
from kingme.rules.history import History
from kingme.rules.variant import Side
from kingme.web import collection
from kingme.web.app import create_app
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import FirstMove, serving

TREE = "/api/collection/tree"
GAMES = "/api/collection/games"


def entry(moves, winner, number):
    history = History.start()
    for move in moves.split():
        history = history.play(move)
    return Entry(
        f"{number}",
        history,
        winner,
        winner is None,
        black="Ann",
        white=f"Bob {number}",
        date="1904",
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.db"
    with Collection(path, write=True) as made:
        made.add(
            [
                entry("9-13 22-18 6-9 25-22", Side.BLACK, 1),
                entry("9-13 22-18 6-9 26-22", None, 2),
                entry("11-15", Side.WHITE, 3),
            ]
        )
    app = create_app(Settings(collection=str(path)), Ports(FirstMove()))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as made:
        yield made


def test_the_tree_at_the_start(browser):
    told = browser.get(TREE).json()
    assert (told["games"], told["black"], told["white"], told["draws"]) == (3, 1, 1, 1)
    assert told["moves"][0] == {
        "move": "9-13",
        "path": [9, 13],
        "captures": [],
        "games": 2,
        "black": 1,
        "white": 0,
        "draws": 1,
        "score": 0.75,
    }
    assert msgspec.convert(told, collection.TreeAnswer).moves[1].move == "11-15"


def test_the_tree_at_a_position_with_either_colours(browser):
    fen = "W:W18,21,23-32:B1-5,7-13"
    told = browser.get(TREE, params={"fen": fen}).json()
    assert {move["move"]: move["games"] for move in told["moves"]} == {"25-22": 1, "26-22": 1}
    turned = browser.get(TREE, params={"fen": "B:W20-26,28-32:B1-10,12,15"}).json()
    assert {move["move"] for move in turned["moves"]} == {"8-11", "7-11"}
    assert turned["white"] == 1, "who was Black is White here"
    told = browser.get(TREE, params={"fen": turned["fen"], "colours": "false"}).json()
    assert told["moves"] == []
    told = browser.get(TREE, params={"variant": "russian"}).json()
    assert (told["variant"], told["games"]) == ("russian", 0)


def test_games_in_pages(browser):
    told = browser.get(GAMES, params={"limit": "2", "player": "ann"}).json()
    assert [game["white"] for game in told["games"]] == ["Bob 1", "Bob 2"]
    assert told["after"] == 2
    told = browser.get(GAMES, params={"limit": "2", "player": "ann", "after": "2"}).json()
    assert [game["id"] for game in told["games"]] == [3]
    assert told["after"] is None
    assert msgspec.convert(told, Page).games[0].result == "white"


@pytest.mark.parametrize(
    ("params", "numbers"),
    [
        ({"result": "draw"}, [2]),
        ({"opening": "5"}, [1, 2]),
        ({"fen": "W:W18,21,23-32:B1-5,7-13", "white": "1"}, [1]),
        ({"since": "1905"}, []),
        ({"until": "1904"}, [1, 2, 3]),
        ({"material": "12m v 12m"}, [1, 2, 3]),
        ({"material": "* v 12m"}, [1, 2, 3]),
        ({"material": "11m v *"}, []),
        ({"variant": "russian"}, []),
        ({"event": "?"}, [1, 2, 3]),
    ],
)
def test_games_by_what_is_known_of_them(browser, params, numbers):
    told = browser.get(GAMES, params=params).json()
    assert [game["id"] for game in told["games"]] == numbers


@pytest.mark.parametrize(
    ("address", "params", "status", "said"),
    [
        (TREE, {"fen": "nonsense"}, 422, "says no side to move"),
        (TREE, {"variant": "chess"}, 422, "Unknown variant: chess."),
        (TREE, {"colours": "perhaps"}, 400, "colours must be true or false."),
        (TREE, {"fen": "W" * 1001}, 400, "fen is too long."),
        (GAMES, {"result": "1-0"}, 422, "'1-0' is no result"),
        (GAMES, {"since": "spring"}, 422, "'spring' is no date"),
        (GAMES, {"limit": "many"}, 400, "limit must be a whole number."),
        (GAMES, {"limit": "0"}, 400, "limit must be from 1 to 1000."),
        (GAMES, {"opening": "175"}, 400, "opening must be from 1 to 174."),
        (GAMES, {"material": "much"}, 422, "'much' is no material"),
    ],
)
def test_what_cannot_be_asked(browser, address, params, status, said):
    answer = browser.get(address, params=params)
    assert answer.status_code == status
    assert said in answer.json()["error"]["message"]


def test_it_is_only_read(browser):
    assert browser.post(TREE).status_code == 405
    assert browser.delete(GAMES).status_code == 405


def test_a_question_that_takes_too_long(browser, monkeypatch):
    monkeypatch.setattr(collection, "SECONDS", -1.0)
    monkeypatch.setattr(library, "STEPS", 1)
    answer = browser.get(GAMES, params={"player": "ann"})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == "This takes too long: ask for less."


def test_a_collection_that_is_gone_is_not_named(tmp_path):
    path = tmp_path / "secret-place.db"
    app = create_app(Settings(collection=str(path)), Ports(FirstMove()))
    with serving(app) as base:
        answer = httpx.get(f"{base}{TREE}")
        assert answer.status_code == 422
        assert "secret" not in answer.text


def test_without_a_collection_there_is_nothing():
    with serving(create_app(Settings(), Ports(FirstMove()))) as base:
        for address in (TREE, GAMES):
            answer = httpx.get(f"{base}{address}")
            assert answer.status_code == 404
            assert answer.json()["error"]["message"] == collection.NONE
