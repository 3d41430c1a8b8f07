"""The pages of the lessons as they are sent: readable, findable, and whole without a script."""

from __future__ import annotations

import html
import json
import re

import pytest

from kingme.play.lessons import CHAPTERS, LESSONS, Choose
from kingme.rules.drawing import in_words
from kingme.web.learn import answer, diagram

DATA = re.compile(r'<script id="kingme-data" type="application/json">(.*?)</script>', re.DOTALL)
LINKED = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


def test_the_overview_leads_to_every_lesson(shared_client):
    page = shared_client.get("/learn")
    assert page.status_code == 200
    text = html.unescape(page.text)
    for chapter in CHAPTERS:
        assert chapter.title in text
        assert chapter.about in text
    for one in LESSONS:
        assert f'href="/learn/{one.name}"' in text
        assert one.about in text
    course = json.loads(LINKED.findall(page.text)[0])
    assert course["@type"] == "Course"
    assert [part["name"] for part in course["hasPart"]] == [one.title for one in LESSONS]


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_a_lesson_is_whole_without_a_script(one, shared_client):
    page = shared_client.get(f"/learn/{one.name}")
    assert page.status_code == 200
    text = html.unescape(page.text)
    assert f"<h1>{one.title}</h1>" in text
    assert re.search(r"<title>.*checkers.*</title>", text)
    assert f'<meta name="description" content="{one.about}' in text
    assert text.count('class="diagram"') >= len(one.steps)
    for step in one.steps:
        assert step.title in text
        assert all(paragraph in text for paragraph in step.text)
        assert in_words(step.position) in text
        if step.task:
            assert step.task.ask in text
            assert answer(step.task) in text
        if isinstance(step.task, Choose):
            assert all(word in text for word, _ in step.task.choices)
    linked = json.loads(LINKED.findall(page.text)[0])
    assert (linked["name"], linked["url"]) == (one.title, str(page.url))
    told = json.loads(DATA.findall(page.text)[0])
    assert [step["fen"] for step in told["steps"]] == [step.fen for step in one.steps]


def test_search_engines_are_told_of_all(shared_client):
    found = shared_client.get("/sitemap.xml").text
    assert all(f"/learn/{one.name}</loc>" in found for one in LESSONS)


def test_what_is_no_lesson_is_not_found(shared_client):
    assert shared_client.get("/learn/chess").status_code == 404
    assert shared_client.get("/learn/../learn/kings/").status_code in (301, 404)


def test_a_diagram_lies_as_the_board_does():
    step = LESSONS[0].steps[0]
    assert step.below == "B"
    shown = diagram(step)
    assert shown["squares"][0] == (1, 60, 70)  # at the near right of Black, second from the edge
    assert len(shown["pieces"]) == 24
