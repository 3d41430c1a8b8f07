"""PDN texts over HTTP: games as trees, notes with their places, and what is refused."""

from __future__ import annotations

import time
from pathlib import Path

import httpx2 as httpx
import pytest

from kingme.rules.pdn import read
from kingme.web import reading
from kingme.web.app import create_app
from kingme.web.limits import READINGS
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import FirstMove, serving

ARCHIVE = (Path(__file__).parents[1] / "data/pdn/archive.pdn").read_text("utf-8")
TREE = """[Event "Club"]
[Black "Ann"]
[White "Zoë"]

{Windy.} 1. 11-15! {bold (} (1. 12-16? {slow} 24-20 (1... 24-19)) 1... 22-18 $4
2. 8-11 {skips a jump} 18x11 1-0
"""


@pytest.fixture(scope="module")
def browser():
    app = create_app(Settings(), Ports(FirstMove()))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as made:
        yield made


def games(browser, text, **more):
    answer = browser.post("/api/pdn", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["games"]


def test_a_tree_with_all_that_is_said(browser):
    (game,) = games(browser, TREE)
    assert dict(game["tags"])["White"] == "Zoë"
    assert (game["comments"], game["result"], game["variant"]) == (["Windy."], "1-0", "english")
    first, second, *rest = game["moves"]
    assert (first["move"], first["strength"], first["comments"]) == ("11-15", "!", ["bold ("])
    assert (first["path"], first["captures"], second["nags"]) == ([11, 15], [], [4])
    ((slow, reply),) = first["variations"]
    assert (slow["comments"], reply["variations"][0][0]["move"]) == (["slow"], "24-19")
    assert rest[0]["move"] is None
    assert rest[0]["text"] == "8-11"
    note = game["notes"][0]
    assert (note["kind"], note["line"], note["column"], note["token"]) == ("error", 6, 4, "8-11")
    assert note["message"].startswith("8-11")
    assert game["unread"] == f"Line 6: {note['message']}"
    (game,) = games(browser, "1. 11-15 a 23-19\n2. b 9-14 c 22-17 d 1-0")
    strange = "Not read as a move: “a” in line 1, “b” in line 2, “c” in line 2 and 1 more."
    assert game["unread"] == strange
    assert not games(browser, "1. 11-15! {bold} 23-19 *")[0]["unread"]


def test_a_game_that_starts_elsewhere(browser):
    (game,) = games(browser, '[FEN "W:W18,26,30:B10,11,19"]\n1. 18-14 *')
    assert game["start"].startswith("W:W18,26,30:B10,11,19")
    assert game["moves"][0]["move"] == "18-14"


def test_games_beyond_the_bound_are_listed_and_read_when_asked_for(browser):
    listed = games(browser, ARCHIVE)
    assert len(listed) == 300
    unread = next(game for game in listed if game["moves"] is None)
    assert sum(len(game["moves"] or ()) for game in listed) <= reading.MOVES
    again = games(browser, ARCHIVE, offset=unread["offset"])
    assert again[0]["tags"] == unread["tags"]
    assert (again[0]["line"], again[0]["offset"]) == (unread["line"], unread["offset"])
    game = next(read(ARCHIVE.encode()[unread["offset"] :]))
    assert [node["move"] for node in again[0]["moves"]] == [str(move) for move in game.moves]


def test_games_without_tags_are_all_listed(browser):
    bare = "\n".join(line for line in ARCHIVE.splitlines() if not line.startswith("["))
    listed = games(browser, bare)
    assert len(listed) == 300
    unread = listed[-1]
    assert unread["moves"] is None
    (last,) = games(browser, bare, offset=unread["offset"])
    assert last["moves"]
    many = browser.post("/api/pdn", json={"text": "1. 11-15 23-19 *\n\n" * 5001}).json()
    assert (len(many["games"]), many["more"]) == (reading.LISTED, True)


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("1. c3-d4 *", "c3-d4 ", "."),
        ("1. 11-15 \0 *", "A byte", "file?"),
        ("1. 11-15 } *", "A }", "g."),
    ],
)
def test_a_note_is_a_sentence(browser, text, begins, ends):
    (game,) = games(browser, text)
    message = game["notes"][0]["message"]
    assert message.startswith(begins) and message.endswith(ends)


def test_a_reading_has_its_time(monkeypatch):
    monkeypatch.setattr(time, "thread_time", iter(range(0, 10_000, 2)).__next__)
    found = reading._read(reading.PdnSent("1. 11-15 *\n\n" * 5))
    assert (len(found.games), found.more) == (2, True)


def test_an_address_has_so_many_texts_read():
    with (
        serving(create_app(Settings(), Ports(FirstMove()))) as base,
        httpx.Client(base_url=base, timeout=60) as one,
    ):
        sent = {"text": ""}
        codes = [one.post("/api/pdn", json=sent).status_code for _ in range(READINGS.amount + 1)]
    assert set(codes[:-1]) == {422} and codes[-1] == 429


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"text": ""}, 422, "no_game_read"),
        ({"text": "hello there"}, 422, "no_game_read"),
        ({"text": "1. 11-15 *", "offset": 99}, 422, "bad_offset"),
        ({"text": "1. 11-15 *", "offset": -1}, 422, "bad_offset"),
        ({"text": "1. 11-15 22-18 " * reading.MOVES}, 422, "too_long"),
        ({"text": "a" * (reading.LONGEST + 1)}, 400, "malformed"),
        ({"text": "a" * (reading.LONGEST * 2)}, 413, "too_large"),
        ({"text": 1}, 400, "malformed"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_refused(browser, sent, status, code):
    answer = browser.post("/api/pdn", json=sent)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"].endswith(".")


@pytest.mark.parametrize("text", ["[", "[ ", "[a", "[\n", ")", "}", "$", "()", "! "])
def test_rubbish_is_read_no_longer_than_it_may_be_a_game(text):
    """What it costs is what is told of: without an end it would be hundreds of thousands."""
    seen = reading.Bounded()
    games, reason = reading._trees((text * 50_000).encode(), seen)
    assert games == [] or not games[0].line
    assert len(seen.game.notes) <= reading.ODD
    if reason is not None:
        assert reason.refusal == ("no_game_read", reading.RUBBISH)


def test_rubbish_is_refused_in_words(browser):
    answer = browser.post("/api/pdn", json={"text": "[a" * 20_000})
    assert answer.json()["error"]["message"] == reading.RUBBISH
    (game,) = games(browser, "1. 11-15 " + "[" * 90_000 + " 23-19 *")
    assert [node["move"] for node in game["moves"]] == ["11-15", "23-19"]
    assert [note["column"] for note in game["notes"]] == [10, 90_009]


def test_brackets_upon_brackets(browser):
    (game,) = games(browser, "1. 11-15 " + "(1. 12-16 " * 3000)
    assert game["moves"][0]["move"] == "11-15"
    assert len(game["notes"]) <= reading.NOTES
