"""Long texts of one thing over and over, of which no part may be looked at again and again.

Where a part is looked at once more for each that follows, these would be read for many minutes.
"""

from __future__ import annotations

import sys

import pytest

from kingme.rules.pdn import Counter, headers, read, visit
from kingme.rules.pdn.heading import Heading
from kingme.rules.pdn.lexer import flat, tag
from kingme.rules.pdn.tags import Tags

LONG = 50_000


@pytest.mark.parametrize(
    "text",
    ['[Event "', "[A “", "[A '", '[A "x" ', '[A "\\"', 'é[A "', "*\n{a}\n", "*\n}\n"],
)
def test_much_of_the_same(text):
    counter = Counter()
    whole = text * (LONG // len(text))
    visit(whole, counter)
    assert counter.games
    assert len(list(headers(whole))) <= 1


def test_blanks_upon_blanks():
    (game,) = read("1. 11-15 {a" + " " * LONG + "b \n\r\n c} *")
    assert game.line[0].comments == ["a" + " " * LONG + "b c"]
    assert flat(" a\n \n\tb ") == "a b"


def test_signs_upon_signs():
    (game,) = read("1. 11-15" + " !" * LONG)
    assert set(game.line[0].strength) == {"!"}


def test_a_value_ends_where_another_tag_opens():
    text = '[Event "The "Old" one] [Site "x"]'
    assert tag(text, 0, True) is None
    assert tag(text, text.index("[S"), True) == ("Site", "x", len(text), True)
    assert tag('[Event "The [old] "one"" ]', 0, True) == ("Event", 'The [old] "one"', 26, False)


def test_tags_in_many_sections_are_read_once(monkeypatch):
    read_again = []

    def counted(text):
        read_again.append(text)
        return pairs(text)

    module = sys.modules["kingme.rules.pdn.headers"]
    pairs = module._pairs
    monkeypatch.setattr(module, "_pairs", counted)
    sections = 300
    (head,) = headers('[A "b"]\n{c}\n' + '[B "c"]\n{d}\n' * sections + "1. 11-15 *")
    assert len(read_again) <= sections + 1
    assert len(head.tags) == sections + 1


def test_the_result_of_many_tags_is_looked_up_once(monkeypatch):
    asked = []

    def counted(tags, name):
        asked.append(name)
        return find(tags, name)

    find = Tags.find
    monkeypatch.setattr(Tags, "find", counted)
    visit('[A "b"]\n[Result "12-8"]\n' + "1. 11-12 " * 300 + "12-8", Counter())
    assert asked.count("Result") <= 3
    heading = Heading(None)
    assert not heading.states("12-8")
    heading.add("Result", "12-8", (1, 1))
    assert heading.states("12-8") and not heading.states("1-0")
