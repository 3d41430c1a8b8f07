"""Who is there, over several processes."""

from __future__ import annotations

import json

import pytest
from tests.web.live.house import NOW, Day

from kingme import Side
from kingme.web.live.presence import CHUNK, EXPIRES, Presence

BLACK, WHITE = Side.BLACK, Side.WHITE


class Town:
    """Some processes that tell one another what they see."""

    def __init__(self, count=2):
        self.day = Day()
        self.told = []
        self.places = [
            Presence(f"p{n}", self.day.now, lambda game, n=n: self.told.append((n, game)))
            for n in range(count)
        ]

    def talk(self):
        for place in self.places:
            for body in [*place.announce()]:
                self.spread(body)

    def talk_all(self, place, **how):
        for body in [*place.announce_all(**how)]:
            self.spread(body)

    def spread(self, body):
        assert len(body) < 8000
        for place in self.places:
            place.hear(body)


@pytest.fixture
def town():
    return Town()


def test_connections_are_counted_over_all_processes(town):
    here, there = town.places
    here.arrive("g", BLACK)
    here.arrive("g", None)
    there.arrive("g", WHITE)
    there.arrive("g", None)
    town.talk()
    assert tuple(here.seen("g")) == tuple(there.seen("g")) == (True, True, 2)
    assert not here.news
    here.depart("g", BLACK)
    there.depart("g", None)
    town.talk()
    assert tuple(here.seen("g")) == tuple(there.seen("g")) == (False, True, 1)


def test_changes_of_players_are_told_and_those_of_watchers_noted(town):
    here, _ = town.places
    here.arrive("g", None)
    assert town.told == []
    assert here.crowds == {"g"}
    here.arrive("g", BLACK)
    assert town.told == [(0, "g")]
    town.talk()
    assert town.told == [(0, "g"), (1, "g")]
    here.arrive("g", BLACK)
    here.depart("g", BLACK)
    town.talk()
    assert len(town.told) == 2


def test_a_player_is_gone_since_the_last_page_was_closed(town):
    here, there = town.places
    here.arrive("g", BLACK)
    there.arrive("g", BLACK)
    town.talk()
    town.day.move(1000)
    here.depart("g", BLACK)
    town.talk()
    assert here.absence("g", BLACK) is None
    town.day.move(1000)
    there.depart("g", BLACK)
    town.talk()
    for place in town.places:
        assert place.absence("g", BLACK) == (NOW + 2000, False)
    here.arrive("g", BLACK)
    town.talk()
    assert here.absence("g", BLACK) is there.absence("g", BLACK) is None


def test_leaving_on_purpose_is_told_and_coming_back_forgets_it(town):
    here, there = town.places
    here.arrive("g", WHITE)
    town.talk()
    here.depart("g", WHITE, leaving=True)
    town.talk()
    assert here.absence("g", WHITE).left
    assert there.absence("g", WHITE).left
    there.arrive("g", WHITE)
    town.talk()
    there.depart("g", WHITE)
    town.talk()
    assert not here.absence("g", WHITE).left


def test_coming_and_leaving_between_two_announcements_is_told_as_it_is(town):
    here, there = town.places
    here.arrive("g", WHITE)
    here.depart("g", WHITE, leaving=True)
    here.arrive("g", WHITE)
    town.talk()
    assert there.seen("g").white
    assert there.absence("g", WHITE) is None


def test_whoever_is_not_there_when_a_game_is_first_seen_has_just_gone(town):
    here, _ = town.places
    here.arrive("g", BLACK)
    town.day.move(5000)
    here.watch("g")
    assert here.absence("g", WHITE) == (NOW + 5000, False)
    assert here.absence("g", BLACK) is None
    town.day.move(5000)
    here.watch("g")
    assert here.absence("g", WHITE).since == NOW + 5000


def test_a_process_that_died_is_forgotten(town):
    here, there = town.places
    there.arrive("g", BLACK)
    town.talk()
    town.day.move(EXPIRES - 1)
    here.check(healthy=True)
    assert here.seen("g").black
    town.day.move(1)
    here.check(healthy=True)
    assert not here.seen("g").black
    assert here.absence("g", BLACK).since == town.day.now()
    assert here._elsewhere == {}


def test_announcements_of_everything_keep_it_alive_and_mend_what_was_lost(town):
    here, there = town.places
    there.arrive("g", BLACK)
    [*there.announce()]  # lost on the way
    town.talk_all(there)
    assert here.seen("g").black
    for _ in range(5):
        town.day.move(5000)
        town.talk_all(there)
        here.check(healthy=True)
    assert here.seen("g").black


def test_while_the_bus_is_down_nobody_is_taken_for_gone(town):
    here, there = town.places
    here.watch("g")
    there.arrive("g", BLACK)
    town.talk()
    town.told.clear()
    here.check(healthy=False)
    town.day.move(10 * EXPIRES)
    here.check(healthy=False)
    assert here.seen("g").black
    assert here.absence("g", WHITE) is None
    assert town.told == [(0, "g")]
    here.check(healthy=True)
    assert here.absence("g", WHITE) == (town.day.now(), False)
    town.day.move(EXPIRES)
    here.check(healthy=True)
    assert here.absence("g", BLACK) == (town.day.now(), False)


def test_a_process_that_begins_asks_the_others(town):
    here, there = town.places
    there.arrive("g", BLACK)
    [*there.announce()]
    town.talk_all(here, hello=True)
    assert there.asked
    assert not here.asked
    town.talk_all(there)
    assert here.seen("g").black
    assert not there.asked


def test_a_farewell_takes_everything_back(town):
    here, there = town.places
    there.arrive("g", BLACK)
    town.talk()
    for body in [*there.farewell()]:
        town.spread(body)
    assert not here.seen("g").black


def test_announcements_are_short(town):
    here, there = town.places
    for n in range(3 * CHUNK + 1):
        here.arrive(f"abcdefgh{n:04}", BLACK)
        here.arrive(f"abcdefgh{n:04}", WHITE)
        here.arrive(f"abcdefgh{n:04}", None)
    assert len([*here.announce_all()]) == 4
    town.talk()
    assert all(there.seen(f"abcdefgh{n:04}").white for n in range(3 * CHUNK + 1))


@pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b'{"process": 1}', b'{"games": {}}'])
def test_what_cannot_be_read_is_passed_over(town, body):
    town.spread(body)


def test_absences_are_bounded(town, monkeypatch):
    monkeypatch.setattr("kingme.web.live.presence.REMEMBERED", 10)
    here, _ = town.places
    for n in range(100):
        here.watch(f"g{n}")
    assert len(here._absent) == 10
    assert here.absence("g99", BLACK)
    assert here.absence("g0", BLACK) is None


def test_frames_of_its_own_are_passed_over(town):
    here, _ = town.places
    here.arrive("g", BLACK)
    [body] = here.announce()
    assert json.loads(body)["process"] == "p0"
    here.depart("g", BLACK)
    here.hear(body)
    assert not here.seen("g").black
