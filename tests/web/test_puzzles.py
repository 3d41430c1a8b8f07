"""The pages of puzzles, and what the device keeps of them (in a real browser)."""

from __future__ import annotations

import datetime as dt
import html
import json
import math
import re
from typing import Any

import httpx2 as httpx
import pytest
from starlette.applications import Starlette

from kingme.analysis.puzzles.shelf import shelf
from kingme.analysis.puzzles.telling import worse_words
from kingme.play.rating import Rating, rate
from kingme.rules.drawing import in_words
from kingme.web import puzzles

from .conftest import scripts, serving

DAY = dt.datetime(2026, 11, 30, 23, 59, tzinfo=dt.UTC)
WEST = dt.timezone(dt.timedelta(hours=-8))


class Clock:
    now = DAY

    def __call__(self) -> dt.datetime:
        return self.now


@pytest.fixture(scope="module")
def clock():
    return Clock()


@pytest.fixture(scope="module")
def client(clock):
    app = Starlette(routes=puzzles.routes(clock))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as opened:
        yield opened


def told(page: str) -> Any:
    found = re.search(r'<script id="kingme-data"[^>]*>(.*?)</script>', page)
    assert found
    return json.loads(found.group(1))


def test_a_day_has_one_puzzle_for_everybody(client, clock):
    first = told(client.get("/puzzles").text)
    assert first["day"] == DAY.date().toordinal()
    clock.now = (DAY - dt.timedelta(hours=20)).astimezone(WEST)  # another date there
    assert told(client.get("/puzzles").text) == first
    assert told(client.get(f"/puzzles/{first['name']}").text) == first
    clock.now = DAY + dt.timedelta(minutes=1)
    assert told(client.get("/puzzles").text)["name"] != first["name"]
    clock.now = DAY


def test_a_puzzle_has_an_address_that_stays(client):
    name = next(name for name in shelf().daily if name != shelf().of_day(DAY.date()))
    puzzle = shelf().get(name)
    page = client.get(f"/puzzles/{name}")
    assert page.status_code == 200
    data = told(page.text)
    assert (data["name"], data["fen"], data["day"]) == (name, puzzle.position.fen, None)
    for shown, step in zip(data["steps"], puzzle.steps, strict=True):
        assert shown["accepted"] == [str(move) for move in step.accepted]
        assert shown["refuted"].keys() == {str(move) for move, _ in step.refuted}
    text = html.unescape(page.text)
    assert worse_words(puzzle) == data["worse"]
    assert f'aria-label="{in_words(puzzle.position)}"' in text
    assert puzzle.origin.event in text
    assert f"/analysis?fen={puzzle.position.fen.replace(':', '%3A').replace(',', '%2C')}" in text
    moved = client.get(f"/puzzles/{name.upper()}", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (307, f"/puzzles/{name}")
    assert client.get("/puzzles/nobody").status_code == 404


def test_the_list_has_all_puzzles_and_their_ratings(client):
    listed = client.get("/api/puzzles").json()["puzzles"]
    assert {found["name"]: found["rating"] for found in listed} == shelf().ratings
    ratings = [found["rating"] for found in listed]
    assert ratings == sorted(ratings)


@pytest.fixture(scope="module")
def run(browser, shared_base):
    """A function that runs a script with tally.js as T, solving.js as S and rules.js as R."""
    with scripts(browser, shared_base, T="tally", S="solving", R="rules") as evaluate:
        yield lambda body: evaluate(f"() => {{ {body} }}")


def test_ratings_are_glicko(run):
    """As kingme.play.rating has it, without volatility."""
    cases = [
        (own, deviation, puzzle, score)
        for own, deviation in ((1000, 220), (1500, 120), (1800, 70))
        for puzzle in (700, 1300, 2000)
        for score in (0, 1)
    ]
    found = run(
        f"return ({json.dumps(cases)}.map(([rating, deviation, puzzle, score])"
        " => T.rated({ rating, deviation }, puzzle, score)))"
    )
    for (own, deviation, puzzle, score), after in zip(cases, found, strict=True):
        mine = Rating(own, deviation, 0.001, 0, 1)
        wanted = rate(mine, Rating(puzzle, 60.0), score, 0)
        assert math.isclose(after["rating"], wanted.value, abs_tol=1.0)
        assert math.isclose(after["deviation"], max(60, wanted.deviation), abs_tol=1.0)


def test_streaks_and_what_was_tried(run):
    found = run(
        """
        const start = T.sound(null);
        const easy = { name: "abcdef", rating: 900 }, hard = { name: "ghjkmn", rating: 1500 };
        const one = T.counted(start, easy, true, 100);
        const two = T.counted(one, hard, false, 100);
        const again = T.counted(two, hard, true, 101);
        const of = (name, day) => ({ name, rating: 900, day });
        const end = (tally, day) => T.ended(tally, of(`abc${day}`, day), true, day);
        const days = [100, 101, 101, 103].reduce(end, start);
        const mine = of("abcdef", 100);
        const shown = T.ended(T.counted(start, mine, false, 100), mine, false, 100);
        const late = T.ended(shown, mine, true, 100);
        const known = T.ended(one, of("abcdef", 104), true, 104);
        const list = [["abcdef", 900], ["ghjkmn", 1500], ["pqrstu", 2300]];
        return ({ start, one, two, shown, late, known, same: again === two, days,
          broken: T.streak(days, 105), kept: T.streak(days, 104),
          fresh: T.following(list, two, "abcdef", 0.5),
          all: T.following(list.slice(0, 2), two, "abcdef", 0.9) });
        """
    )
    assert (found["one"]["run"], found["two"]["run"], found["two"]["bestRun"]) == (1, 0, 1)
    assert found["one"]["rating"] > found["start"]["rating"] > 900
    assert found["two"]["tried"] == {"abcdef": 1, "ghjkmn": 0}
    assert found["same"]
    assert (found["days"]["days"], found["days"]["bestDays"]) == (1, 2)
    assert (found["broken"], found["kept"]) == (0, 1)
    for name, days in (("shown", 0), ("late", 0), ("known", 1)):
        assert found[name]["days"] == days, name
    assert found["late"]["tried"] == {"abcdef": 0}
    assert found["known"]["rating"] == found["one"]["rating"]
    assert (found["fresh"], found["all"]) == ("pqrstu", "ghjkmn")


@pytest.mark.parametrize(
    "stored",
    [
        '"a word"',
        "null",
        "[]",
        "7",
        '{"rating":"high","run":-3,"tried":{"?":1,"abcdef":1,"ghjkmn":7}}',
    ],
)
def test_what_is_damaged_is_left_out(run, stored):
    found = run(f"return (T.sound({stored}))")
    assert (found["rating"], found["run"], found["days"]) == (1000, 0, 0)
    assert set(found["tried"].items()) <= {("abcdef", 1)}


def test_a_day_to_come_is_damage(run):
    stored = {"days": 7, "bestDays": 9, "lastDay": 999999, "day": 999999}
    found = run(f"return (T.sound({json.dumps(stored)}, 739950))")
    assert (found["days"], found["bestDays"], found["lastDay"], found["day"]) == (0, 9, 0, 0)
    stored |= {"lastDay": 739950, "day": 739950}
    found = run(f"return (T.sound({json.dumps(stored)}, 739950))")
    assert (found["days"], found["lastDay"], found["day"]) == (7, 739950, 739950)


def test_every_move_of_a_puzzle_is_judged(run, client):
    """Right, as good, or wrong with the reply: for all legal moves of all steps of some puzzles."""
    names = list(shelf().lines)[::60]
    data = [told(client.get(f"/puzzles/{name}").text) for name in names]
    found = run(
        f"""
        return ({json.dumps(data)}.map(puzzle => {{
          const line = S.lineOf(puzzle);
          const legal = i => R.legalMoves(line.positions[2 * i]);
          const steps = puzzle.steps.map((_, i) => legal(i).map(move => {{
            const {{ kind, reply, end }} = S.judged(puzzle, line, i, move);
            return [move.text, kind, reply?.text ?? "", end ? R.toFen(end) : ""];
          }}));
          return {{ line: line.moves.map(move => move.text), steps }};
        }}))"""
    )
    for name, shown in zip(names, found, strict=True):
        puzzle = shelf().get(name)
        assert shown["line"] == [str(move) for move in puzzle.line]
        position = puzzle.position
        for step, moves in zip(puzzle.steps, shown["steps"], strict=True):
            assert [text for text, *_ in moves] == [str(move) for move in position.legal_moves]
            right = {str(move) for move in step.accepted}
            wrong = {str(move): str(reply or "") for move, reply in step.refuted}
            for text, kind, reply, _ in moves:
                assert (kind == "wrong") == (text not in right)
                assert reply == wrong.get(text, "")
            position = position.play(step.move)
            position = position.play(step.reply) if step.reply else position
