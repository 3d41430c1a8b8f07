"""The opening explorer over HTTP: the games of the package, or those of the operator."""

from __future__ import annotations

import httpx2 as httpx
import msgspec

from kingme.collection import Collection, Entry
from kingme.collection.practice import default
from kingme.engine.book import default as book
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import Side
from kingme.web.app import create_app
from kingme.web.explorer import ExplorerAnswer
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import FirstMove, serving

ADDRESS = "/api/explorer"


def asked(client, position=None):
    answer = client.get(ADDRESS, params={"fen": position.fen} if position else {})
    assert answer.status_code == 200, answer.text
    return msgspec.convert(answer.json(), ExplorerAnswer)


def test_practice_and_the_engine_side_by_side(shared_client):
    start = asked(shared_client)
    assert (start.source, start.games) == ("package", default().games)
    position = Position.start().play("9-13").play("22-18").play("6-9")
    told = asked(shared_client, position)
    assert (told.opening.number, told.opening.name) == (5, "Dreaded Edinburgh")
    known = {str(one.move): one.score.value for one in book().moves(position)}
    tree = default().tree(position)
    assert tree is not None
    played = list(tree.branches)
    assert [move.move for move in told.moves[: len(played)]] == [str(b.move) for b in played]
    for move in told.moves:
        assert move.games == move.black + move.white + move.draws
        after = default().value(position.play(move.move))
        assert move.booked == (move.move in known)
        assert move.value == known.get(move.move, None if after is None else -after)
    assert {move.move for move in told.moves} >= set(known)


def test_a_position_that_nobody_reached(shared_client):
    told = asked(shared_client, Position.from_fen("W:WK1:BK32"))
    assert (told.games, told.moves, told.opening) == (0, [], None)


def test_what_is_no_position_is_refused_in_words(shared_client):
    for fen in ("W:W1:BK32", "nothing", "9" * 2000):
        answer = shared_client.get(ADDRESS, params={"fen": fen})
        assert answer.status_code in (400, 422)
        assert answer.json()["error"]["message"].endswith(".")


def test_the_games_of_the_operator_come_first(tmp_path):
    path = tmp_path / "games.db"
    history = History.start().play("12-16").play("24-20")
    with Collection(path, write=True) as games:
        games.add([Entry("1", history, Side.BLACK)])
    app = create_app(Settings(collection=str(path)), Ports(FirstMove()))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as client:
        told = asked(client)
    assert (told.source, told.games, told.moves[0].move) == ("collection", 1, "12-16")
    assert told.moves[0].value is not None
    assert [move.games for move in told.moves] == [1] + [0] * (len(told.moves) - 1)
