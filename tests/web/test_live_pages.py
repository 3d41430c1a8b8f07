"""The pages of live play over HTTP: what they carry, for whom, and what they never show."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Iterator

import httpx2 as httpx
import pytest
from tests.web.live.place import Place

from kingme.play.clock import TimeControl
from kingme.play.commands import Play, Resign, Say
from kingme.play.events import Started
from kingme.play.game import apply, begin, decide
from kingme.play.ports import Append, NewGame, Seek
from kingme.play.room import DEFAULT_ROOMS
from kingme.rules.variant import Side
from kingme.web.auth import COOKIE
from kingme.web.live.names import fresh

RAPID = TimeControl("increment", 600_000, 5_000)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("place")).start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def pair(place):
    return place.people(2, chips=100)


def browser(place: Place, person=None) -> httpx.Client:
    cookies = {COOKIE: person.token} if person else None
    return httpx.Client(base_url=place.base, cookies=cookies, timeout=60, verify=False)


def game(place: Place, black, white, *commands, **fields) -> str:
    """A game in the store, after some commands."""
    started = Started(
        at=time.time_ns() // 1_000_000,
        black=black.id,
        white=white.id,
        control=fields.pop("control", RAPID),
        terms=DEFAULT_ROOMS["passport"].terms(fields.pop("stake", 0)),
        **fields,
    )
    state = begin(started)
    new = NewGame(fresh(), started, state.deadline())
    place.store.games.create(new)
    for command in commands:
        events = decide(state, command, started.at)
        expected = state.version
        for event in events:
            state = apply(state, event)
        item = Append(new.id, expected, events, state.plies, state.deadline())
        assert place.store.games.append([item]) == [True]
    return new.id


def move(side: Side, ply: int, text: str) -> Play:
    return Play(by=side, ply=ply, move=text)


def told(page: str) -> dict:
    """What a page tells its script."""
    found = re.search(r'<script type="application/json" id="kingme-data">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def seek(place: Place, owner, **fields) -> Seek:
    now = time.time_ns() // 1_000_000
    made = Seek(
        id=fresh(),
        owner=owner.id,
        control=fields.pop("control", RAPID),
        created=now,
        expires=now + 60_000,
        code=fields.pop("code", fresh(16)),
        **fields,
    )
    place.store.seeks.open(made)
    return made


@pytest.fixture(scope="module")
def addresses(place, pair):
    """One of each page, for its players and for others."""
    over = game(place, *pair, Resign(by=Side.WHITE))
    return [
        "/lobby",
        f"/game/{game(place, *pair)}",
        f"/game/{over}",
        f"/join/{seek(place, pair[0]).code}",
    ]


def test_the_pages_have_no_inline_script_or_style(place, pair, addresses):
    for person in (None, pair[0]):
        with browser(place, person) as client:
            for address in addresses:
                page = client.get(address)
                assert page.status_code == 200, address
                assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page.text)
                for attributes, body in re.findall(
                    r"<script([^>]*)>(.*?)</script>", page.text, re.DOTALL
                ):
                    assert not body.strip() or "application/json" in attributes
                assert not re.search(r'(?:src|href)="(?:https?:)?//', page.text)
                assert "default-src 'none'" in page.headers["content-security-policy"]
                assert page.headers["cache-control"] == "private, no-cache"


def test_everything_that_the_pages_name_is_there(place, pair, addresses):
    with browser(place, pair[0]) as client:
        named = set()
        for address in addresses:
            named |= set(re.findall(r'(?:src|href)="(/[^"#]*)"', client.get(address).text))
        assert any(name.endswith(".pdn") for name in named)
        for name in named:
            assert client.get(html.unescape(name)).status_code == 200, name


def test_ids_are_unique_and_references_lead_somewhere(place, pair, addresses):
    with browser(place, pair[0]) as client:
        for address in addresses:
            page = client.get(address).text
            ids = re.findall(r'\sid="([^"]+)"', page)
            assert len(ids) == len(set(ids)), address
            for names in re.findall(
                r'(?:for|aria-labelledby|aria-describedby|aria-controls|popovertarget)="([^"]+)"',
                page,
            ):
                assert set(names.split()) <= set(ids), (address, names)


def test_the_lobby_knows_who_looks(place, pair):
    with browser(place) as stranger, browser(place, pair[0]) as known:
        page = stranger.get("/lobby").text
        assert told(page)["guest"] is True
        assert told(page)["chips"] is None
        assert ">Sign in</a>" in page
        page = known.get("/lobby").text
        assert told(page)["guest"] is False
        assert told(page)["chips"] == 100
        assert f">{pair[0].name}</a>" in page


def test_the_lobby_carries_rooms_presets_and_clocks(place, pair):
    with browser(place, pair[0]) as client:
        data = told(client.get("/lobby").text)
    assert [room["name"] for room in data["rooms"]] == list(DEFAULT_ROOMS)
    passport, tourist, _ = data["rooms"]
    assert [table["stake"] for table in passport["tables"]] == [0, 10, 25, 50, 100]
    assert passport["tables"][1]["lines"][0] == {
        "ending": "win",
        "title": "Win",
        "chips": 10,
        "points": 10,
    }
    assert tourist["tables"][0]["refusal"] == "Tourist is for VIP members."
    assert len(data["presets"]) == 4
    for clock in data["clocks"]:
        control = TimeControl(**clock["control"])
        assert (control.text, control.speed) == (clock["text"], clock["speed"])
        control.check()


def test_a_game_is_carried_as_its_viewer_may_see_it(place, pair):
    black, white = pair
    name = game(
        place, black, white,
        Say(by=Side.BLACK, phrase="good_luck"),
        move(Side.BLACK, 0, "11-15"), move(Side.WHITE, 1, "22-18"),
        stake=10, rated=True,
    )  # fmt: skip
    views = {}
    for who, person in (("B", black), ("W", white), (None, None)):
        with browser(place, person) as client:
            page = client.get(f"/game/{name}").text
        view = views[who] = told(page)["game"]
        assert view["you"] == who
        assert view["moves"] == ["11-15", "22-18"]
        assert (view["stake"], view["rated"]) == (10, True)
        assert view["black"]["name"] == black.name
        assert ('id="resign"' in page) is (who is not None)
        assert f"{black.name} – {white.name}" in page
    assert views["B"]["chat"]["lines"][0]["phrase"] == "good_luck"
    assert views[None]["chat"] is None


def test_a_private_game_is_not_there_for_others(place, pair):
    name = game(place, *pair, private=True)
    with browser(place, pair[1]) as player:
        assert player.get(f"/game/{name}").status_code == 200
    for person in (None, place.people(1)[0]):
        with browser(place, person) as client:
            answer = client.get(f"/game/{name}", headers={"accept": "text/html"})
            absent = client.get(f"/game/{fresh()}", headers={"accept": "text/html"})
            assert answer.status_code == absent.status_code == 404
            assert answer.text == absent.text


@pytest.mark.parametrize("name", ["x", "%00", "..%2f..", "a" * 300, "'\"<b>"])
def test_no_such_game_and_no_such_invitation(place, name):
    with browser(place) as client:
        assert client.get(f"/game/{name}").status_code == 404
        assert client.get(f"/join/{name}").status_code == 404


def test_what_a_muted_player_said_is_not_carried(place):
    black, white = place.people(2)
    name = game(place, black, white, Say(by=Side.BLACK, phrase="oops"))
    place.store.service.mute(white.id, black.id, True)
    with browser(place, white) as client:
        data = told(client.get(f"/game/{name}").text)
    assert data["muted"] is True
    assert data["game"]["chat"]["lines"] == []
    with browser(place, black) as client:
        data = told(client.get(f"/game/{name}").text)
    assert data["muted"] is False
    assert len(data["game"]["chat"]["lines"]) == 1


def test_an_invitation_for_its_owner_and_for_friends(place, pair):
    owner, friend = pair
    made = seek(
        place, owner, side=Side.BLACK, rated=True, terms=DEFAULT_ROOMS["passport"].terms(25)
    )
    with browser(place, owner) as client:
        page = client.get(f"/join/{made.code}").text
        assert told(page)["seek"] == made.id
        assert f'value="{place.base}/join/{made.code}"' in page
        assert "Dark, and moves first" in page
    with browser(place, friend) as client:
        page = client.get(f"/join/{made.code}").text
        assert told(page)["seek"] is None
        assert made.id not in page
        assert f"{owner.name} invites you to a game" in page
        assert "<dd>Light</dd>" in page
        assert "stake 25 chips" in page
    with browser(place) as client:
        page = client.get(f"/join/{made.code}").text
        assert "sign in first" in page


def test_the_id_of_a_seek_is_no_way_in(place, pair):
    made = seek(place, pair[0])
    with browser(place, pair[1]) as client:
        assert client.get(f"/join/{made.id}").status_code == 404
    assert place.store.seeks.close(made.id, pair[0].id)
    with browser(place, pair[1]) as client:
        gone = client.get(f"/join/{made.code}")
    assert gone.status_code == 404
    assert "no longer open" in gone.text
    with browser(place) as client:
        said = client.get("/join/nope", headers={"Accept": "application/json"})
    assert (said.status_code, said.json()["error"]["code"]) == (404, "not_found")


def test_a_session_is_kept_for_longer_with_each_page(place, pair):
    with browser(place, pair[0]) as client:
        assert "kingme_session=" in client.get("/lobby").headers["set-cookie"]
    with browser(place) as client:
        assert "set-cookie" not in client.get("/lobby").headers
