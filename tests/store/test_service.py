"""Heartbeats, outages, the audit trail, reports and mutes."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from tests.store.places import NOW, Place, people

from kingme.errors import Unavailable
from kingme.play.ports import Outage
from kingme.store.service import _LAST, EVERYBODY

GAP = 4_000


@pytest.fixture
def store(place):
    return place.open()


def test_a_silence_is_an_outage_once(store):
    assert store.service.beat("one", NOW, GAP) == []
    assert store.service.beat("one", NOW + GAP, GAP) == []
    (outage,) = store.service.beat("one", NOW + 3 * GAP, GAP)
    assert (outage.since, outage.until) == (NOW + GAP, NOW + 3 * GAP)
    assert store.service.beat("two", NOW + 3 * GAP + 1, GAP) == [outage]


def test_while_any_process_lives_there_is_no_outage(store):
    for step in range(20):
        name = "one" if step % 3 else "two"
        assert store.service.beat(name, NOW + step * GAP, GAP) == []


def test_a_clock_that_is_behind_makes_no_outage(store):
    store.service.beat("one", NOW, GAP)
    assert store.service.beat("two", NOW - 10 * GAP, GAP) == []
    assert store.service.beat("one", NOW + GAP, GAP) == []


def test_outages_come_oldest_first(store):
    for step in range(60):
        outages = store.service.beat("one", NOW + step * 2 * GAP, GAP)
    assert len(outages) == 50
    assert outages == sorted(outages, key=lambda outage: outage.since)
    assert store.service.outages(NOW + 58 * 2 * GAP) == outages[-1:]
    assert store.service.outages(NOW + 58 * 2 * GAP - 1) == outages[-2:]
    assert len(store.service.outages(NOW)) == 59
    last = outages[-1]
    assert last == Outage(last.id, NOW + 58 * 2 * GAP, NOW + 59 * 2 * GAP)


def test_the_database_tells_its_time(store):
    before = time.time() * 1000
    at = store.service.time()
    if store.kind == "sqlite":
        assert at is None
    else:
        assert before - 1 <= at <= time.time() * 1000 + 1


def test_a_process_that_hangs_in_its_heartbeat_does_not_stop_the_others(database, postgres):
    place = Place(database, postgres)
    place.clear()
    store, frozen = place.open(), place.open()
    store.service.beat("one", NOW, GAP)
    with frozen._database._writes.connect() as connection:
        connection.begin()
        connection.execute(_LAST, {"process": EVERYBODY})
        with pytest.raises(Unavailable, match="lock timeout"):
            store.service.beat("one", NOW + 1, GAP)
        # The database gives the frozen one up by itself; then all goes on.
        beats = None
        while beats is None:
            with suppress(Unavailable):
                beats = store.service.beat("one", NOW + 2, GAP)
        connection.invalidate()
    place.close()


def test_the_trail_is_newest_first(store):
    store.service.audit(NOW, "root", "member", "Ann", "vip until 2031-01-01")
    store.service.audit(NOW + 1, "root", "disable", "Bob")
    newest, older = store.service.trail()
    assert (newest["action"], newest["subject"], newest["detail"]) == ("disable", "Bob", "")
    assert (older["at"], older["actor"], older["detail"]) == (NOW, "root", "vip until 2031-01-01")
    assert store.service.trail(limit=1) == [newest]


def test_reports_are_kept(store):
    ann, bob = people(store, 2)
    store.service.report(NOW, ann.id, bob.id, "game", "He said \N{SKULL}")
    store.service.report(NOW + 1, bob.id, ann.id, None, "No, she did")
    newest, older = store.service.reports()
    assert (newest["by"], newest["about"], newest["game"]) == (bob.id, ann.id, None)
    assert older["text"] == "He said \N{SKULL}"


def test_mutes_are_switched_on_and_off(store):
    ann, bob, cid = people(store, 3)
    store.service.mute(ann.id, bob.id, on=True)
    store.service.mute(ann.id, bob.id, on=True)
    store.service.mute(ann.id, cid.id, on=True)
    assert store.service.muted(ann.id) == {bob.id, cid.id}
    store.service.mute(ann.id, bob.id, on=False)
    store.service.mute(ann.id, bob.id, on=False)
    assert store.service.muted(ann.id) == {cid.id}
    assert store.service.muted(bob.id) == frozenset()
