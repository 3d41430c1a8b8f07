"""The pages of live play, as a browser gets them: what is not there, and what is too much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
from tests.web.live.place import Place, begin, opened

from kingme.web.auth import COOKIE
from kingme.web.counting import item_of
from kingme.web.limits import GAMES
from live.people import Person

HTML = {"accept": "text/html,*/*;q=0.8"}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with opened(tmp_path) as made:
        yield made


def ask(place: Place, path: str, person: Person | None = None, **headers: str) -> httpx.Response:
    """What somebody gets at an address."""
    if person is not None:
        headers["cookie"] = f"{COOKIE}={person.token}"
    with httpx.Client(base_url=place.base, timeout=60) as client:
        return client.get(path, headers=headers)


@pytest.mark.parametrize("path", ["/no/such/page", "/game/nothing", "/game/a/b", "/player/nobody"])
def test_what_is_not_there_is_said_on_a_page_of_the_site(place, path):
    (anna,) = place.people(1)
    page = ask(place, path, anna, **HTML)
    assert page.status_code == 404
    assert "<h1>Nothing here</h1>" in page.text
    assert f'<a id="me" href="/account">{anna.name}</a>' in page.text
    assert page.headers["cache-control"] == "private, no-cache"
    told = ask(place, path, accept="application/json")
    assert told.json()["error"]["code"] == "not_found"
    assert "http-equiv" not in page.text
    assert "content-security-policy" in page.headers


@pytest.mark.anyio
async def test_a_private_game_is_as_one_that_is_not_there(place):
    anna, bella, carl = place.people(3)
    async with place.visit(anna) as one, place.visit(bella) as two:
        game = await begin(one, two)
        for path in ("/game/{}", "/game/{}.pdn"):
            assert ask(place, path.format(game), anna).status_code == 200
            for person in (None, carl):
                seen = ask(place, path.format(game), person)
                none = ask(place, path.format("nothing"), person)
                assert seen.status_code == none.status_code == 404
                assert seen.text == none.text


def test_games_are_shown_so_many_times(place):
    item = item_of(GAMES)
    hit = place.parts.community.limits.counts.own.hit
    assert all(hit(item, "127.0.0.1") for _ in range(GAMES.amount - 1))
    assert ask(place, "/game/nothing").status_code == 404
    page = ask(place, "/game/nothing", None, **HTML)
    assert page.status_code == 429
    assert int(page.headers["retry-after"]) > 0
    assert "Too many games at once." in page.text
