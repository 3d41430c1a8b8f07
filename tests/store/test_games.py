"""The event logs: versions, plies, ends, and the lists made of them."""

from __future__ import annotations

import msgspec
import pytest
from tests.store.places import (
    BLITZ,
    DAYS,
    NOW,
    TERMS,
    begin,
    moved,
    moves,
    over,
    people,
    seek,
    started,
)

from kingme.errors import NotEnoughChips, Refusal
from kingme.play import stakes
from kingme.play.events import Aborted, Rematched, Said, Settled, Share, TakebackOffered, TakenBack
from kingme.play.ports import Append, NewGame, Result
from kingme.play.rating import Rating, rate
from kingme.rules.variant import Side


@pytest.fixture
def store(place):
    return place.open()


@pytest.fixture
def pair(store):
    return people(store, 2)


@pytest.fixture
def game(store, pair):
    return begin(store, started(*pair))


def test_a_game_begins_with_its_start(store, pair):
    first = started(
        *pair, terms=TERMS, rated=True, private=True, start="B:W21:B1", preset="agreement"
    )
    game = begin(store, first)
    assert store.games.events(game) == [first]
    assert store.games.versions([game]) == {game: 1}


def test_the_same_game_is_made_once(store, pair, game):
    first = started(*pair, terms=TERMS)
    new = NewGame("twice", first, None)
    store.games.create(new)
    store.games.create(new)
    assert store.ledger.balance(pair[0].id) == 130
    with pytest.raises(Refusal, match="Another game"):
        store.games.create(NewGame("twice", started(*pair), None))


def test_events_come_back_as_they_went(store, game):
    events = (
        moved(0),
        Said(at=NOW, side=Side.WHITE, text="ünï \x00 \N{SKULL} \"'\\", command="c1"),
        TakebackOffered(at=NOW, side=Side.BLACK, plies=1),
    )
    assert store.games.append([Append(game, 1, events, 1, None)]) == [True]
    assert store.games.events(game)[1:] == list(events)
    assert store.games.events(game, after=2) == list(events[1:])
    assert store.games.events(game, after=4) == []
    assert store.games.events("nowhere") == []


def test_an_append_fits_one_version_only(store, game):
    assert store.games.append([moves(game, 0)]) == [True]
    assert store.games.append([moves(game, 0)]) == [False]
    assert store.games.append([Append(game, 3, (moved(1),), 2, None)]) == [False]
    assert store.games.append([Append("nowhere", 1, (moved(1),), 2, None)]) == [False]
    assert store.games.versions([game, "nowhere"]) == {game: 2}
    assert len(store.games.events(game)) == 2


def test_a_batch_is_many_games_and_each_is_judged_alone(store, pair):
    games = [begin(store, started(*pair)) for _ in range(5)]
    store.games.append([moves(games[2], 0)])
    batch = [moves(game, 0, 3) for game in games]
    assert store.games.append(batch) == [True, True, False, True, True]
    assert store.games.versions(games) == dict(zip(games, (4, 4, 2, 4, 4), strict=True))
    assert store.games.append([]) == []


def test_a_batch_may_hold_the_steps_of_one_game(store, game):
    batch = [moves(game, 0), moves(game, 1), moves(game, 1), moves(game, 2)]
    assert store.games.append(batch) == [True, True, False, True]
    assert [event.ply for event in store.games.events(game)[1:]] == [0, 1, 2]


def test_a_ply_stands_once_and_the_rest_of_the_batch_does_not_suffer(store, pair, game):
    other = begin(store, started(*pair))
    store.games.append([moves(game, 0)])
    again = Append(game, 2, (moved(0),), 1, None)
    assert store.games.append([again, moves(other, 0)]) == [False, True]
    assert store.games.versions([game, other]) == {game: 2, other: 2}


def test_moves_that_are_taken_back_stand_no_longer(store, game):
    store.games.append([moves(game, 0, 4)])
    back = Append(game, 5, (TakenBack(at=NOW, side=Side.BLACK, ply=2),), 2, None)
    assert store.games.append([back]) == [True]
    assert store.games.append([Append(game, 6, (moved(2), moved(3)), 4, None)]) == [True]
    assert store.games.append([Append(game, 8, (moved(1),), 5, None)]) == [False]
    assert len(store.games.events(game)) == 8


def test_a_takeback_and_all_around_it_may_come_at_once(store, game):
    back = TakenBack(at=NOW, side=Side.BLACK, ply=0)
    batch = [
        Append(game, 1, (moved(0), moved(1), back, moved(0)), 1, None),
        Append(game, 5, (back, moved(0), moved(1)), 2, None),
    ]
    assert store.games.append(batch) == [True, True]
    assert store.games.append([Append(game, 8, (moved(1),), 2, None)]) == [False]


def test_deadlines_are_due_in_their_order(store, pair):
    late, early, none = (
        begin(store, started(*pair), deadline) for deadline in (NOW + 2, NOW + 1, None)
    )
    assert store.games.due(NOW) == []
    assert store.games.due(NOW + 2) == [(early, NOW + 1), (late, NOW + 2)]
    assert store.games.due(NOW + 2, limit=1) == [(early, NOW + 1)]
    store.games.append([moves(early, 0)])
    assert store.games.due(NOW + 2) == [(late, NOW + 2)]
    assert none not in dict(store.games.due(NOW * 2))


def test_games_of_which_nothing_comes_do_not_hide_those_due_later(store, pair):
    games = [begin(store, started(*pair), NOW + number) for number in range(4)]
    due = [game for game, _ in store.games.due(NOW + 9, limit=2, but=games[:2])]
    assert due == games[2:]


def test_an_end_that_contradicts_the_log_is_refused(store, pair, game):
    store.games.append([moves(game, 0)])
    end = over(game, 2, started(*pair))
    with pytest.raises(Refusal, match="contradicts"):
        store.games.finish(msgspec.structs.replace(end, events=(moved(0), *end.events)))
    assert store.games.versions([game]) == {game: 2}
    assert store.games.finish(end) is not None


def test_what_ends_a_game_does_not_go_through_append(store, pair, game):
    with pytest.raises(ValueError, match="finish"):
        store.games.append([over(game, 1, started(*pair))])


def test_a_stake_goes_into_escrow_and_out_of_it_once(store, pair):
    black, white = pair
    first = started(black, white, terms=TERMS, rated=True)
    game = begin(store, first)
    assert [store.ledger.balance(user.id) for user in pair] == [130, 130]
    end = over(game, 1, first, Side.WHITE)
    happened = store.games.finish(end)
    before, at = Rating(), end.events[0].at
    lost, won = rate(before, before, 0.0, at), rate(before, before, 1.0, at)
    shares = Share(-20, 1, 1500, round(lost.value)), Share(19, 10, 1500, round(won.value))
    assert happened == (*end.events, Settled(at=at, black=shares[0], white=shares[1]))
    assert store.games.events(game) == [first, *happened]
    assert [store.ledger.balance(user.id) for user in pair] == [130, 169]
    assert store.ledger.points([black.id, white.id, 0]) == {black.id: 1, white.id: 10, 0: 0}
    ratings = store.users.ratings([black.id, white.id])
    assert ratings == {black.id: {"blitz": lost}, white.id: {"blitz": won}}
    assert store.games.finish(end) is None
    with pytest.raises(Refusal, match="settled already"):
        store.games.finish(msgspec.structs.replace(end, expected=3))
    assert store.games.events(game) == [first, *happened]
    assert [store.ledger.balance(user.id) for user in pair] == [130, 169]
    assert store.ledger.check() == []


def test_a_casual_game_without_a_stake_brings_points_alone(store, pair):
    first = started(*pair, terms=msgspec.structs.replace(TERMS, stake=0))
    game = begin(store, first)
    *_, settled = store.games.finish(over(game, 1, first, None))
    assert (settled.black, settled.white) == (Share(points=5), Share(points=5))
    assert store.users.ratings([pair[0].id]) == {pair[0].id: {}}
    assert store.ledger.statement(pair[0].id)[0].reason == "Welcome gift"


def test_what_games_brought_is_found_by_game(store, pair):
    ends = {}
    for _ in range(2):
        first = started(*pair, rated=True)
        game = begin(store, first)
        ends[game] = store.games.finish(over(game, 1, first))[-1]
        said = Said(at=NOW + 9_000, side=Side.BLACK, text='{"kind":"settled",')
        assert store.games.append([Append(game, 3, (said,), 12, None)]) == [True]
    playing = begin(store, started(*pair))
    assert store.games.settled([*ends, playing, "nothing"]) == ends
    assert store.games.settled([]) == {}


def test_a_game_that_is_called_off_returns_the_stakes(store, pair):
    first = started(*pair, terms=TERMS, rated=True)
    game = begin(store, first)
    back = stakes.settlement(game, first, None, "aborted", 0, "blitz", NOW)
    aborted = Aborted(at=NOW)
    item = Append(game, 1, (aborted,), 0, None, Result(None, "aborted"), back)
    assert store.games.finish(item) == (aborted, Settled(at=NOW))
    assert [store.ledger.balance(user.id) for user in pair] == [150, 150]
    (row,) = store.games.find(player=pair[0].id)
    assert row.result == Result(None, "aborted")
    assert store.ledger.check() == []


def test_a_rematch_begins_within_the_step_that_agrees_to_it(store, pair):
    first = started(*pair)
    game = begin(store, first)
    store.games.finish(over(game, 1, first))
    again = started(pair[1], pair[0], terms=TERMS, rematch_of=game)
    agreed = Rematched(at=NOW, side=Side.BLACK, game="again")
    item = Append(game, 3, (agreed,), 12, None, create=NewGame("again", again, NOW))
    assert store.games.finish(item) == (agreed,)
    assert store.games.events("again") == [again]
    assert store.games.events(game)[-1] == agreed
    assert [store.ledger.balance(user.id) for user in pair] == [130, 130]
    assert store.games.finish(item) is None
    assert store.ledger.check() == []


def test_a_rematch_closes_the_live_seeks_of_both(store, pair):
    first = started(*pair)
    game = begin(store, first)
    store.seeks.open(seek(pair[0]))
    store.seeks.open(days := seek(pair[1], control=DAYS))
    again = NewGame("again", started(pair[1], pair[0], rematch_of=game), NOW)
    agreed = Rematched(at=NOW, side=Side.BLACK, game="again")
    assert store.games.finish(Append(game, 1, (agreed,), 0, None, create=again))
    assert store.seeks.seeks(NOW) == [days]


def test_a_rematch_that_cannot_be_staked_leaves_no_trace(store):
    rich, poor = people(store, 1)[0], people(store, 1, chips=5)[0]
    first = started(rich, poor)
    game = begin(store, first)
    again = NewGame("again", started(poor, rich, terms=TERMS), NOW)
    agreed = Rematched(at=NOW, side=Side.BLACK, game="again")
    with pytest.raises(NotEnoughChips) as refused:
        store.games.finish(Append(game, 1, (agreed,), 0, None, create=again))
    assert refused.value.user == poor.id
    with pytest.raises(NotEnoughChips):
        store.games.create(again)
    assert store.games.versions([game, "again"]) == {game: 1}
    assert [store.ledger.balance(user.id) for user in (rich, poor)] == [150, 5]
    assert store.ledger.check() == []


def test_after_the_end_people_may_still_speak(store, pair):
    first = started(*pair)
    game = begin(store, first)
    store.games.finish(over(game, 1, first))
    said = Append(
        game,
        3,
        (Said(at=NOW + 9_000, side=Side.BLACK, phrase="good_game"),),
        12,
        None,
        Result(Side.BLACK, "resignation"),
    )
    assert store.games.append([said]) == [True]
    (row,) = store.games.find(active=False)
    assert (row.version, row.updated) == (4, NOW + 9_000)
    assert row.result == Result(Side.BLACK, "resignation")


def test_lists_of_games(store):
    ann, bob, cid = people(store, 3)
    games = {}
    for number, (black, white) in enumerate([(ann, bob), (bob, cid), (cid, ann), (ann, cid)]):
        first = started(black, white, private=number == 3, control=(BLITZ, DAYS)[number % 2])
        games[number] = begin(store, first)
        store.games.append([moves(games[number], 0, 1, NOW + number)])
    first = started(ann, bob)
    store.games.finish(over(games[0], 2, first, None, plies=1))

    def found(**fields):
        by_id = {game: number for number, game in games.items()}
        return [by_id[row.id] for row in store.games.find(**fields)]

    assert found() == [0, 2, 1]
    assert found(public=False) == [0, 3, 2, 1]
    assert found(active=True) == [2, 1]
    assert found(active=False) == [0]
    assert found(player=ann.id) == [0, 2]
    assert found(player=cid.id, public=False) == [3, 2, 1]
    assert found(player=bob.id, active=False) == [0]
    assert found(player=[ann.id, bob.id], active=True) == [2, 1]
    assert found(player=[ann.id, cid.id], public=False) == [0, 3, 2, 1]
    assert found(player=[]) == []
    assert store.games.count() == 3
    assert found(limit=1) == [0]
    assert found(before=NOW + 5_000) == [2, 1]
    assert found(before=NOW + 2, public=False, limit=1) == [1]
    (row,) = store.games.find(player=ann.id, active=False)
    assert row.started == first and row.plies == 1 and row.version == 4
    assert row.result == Result(None, "agreement")
    (row,) = store.games.find(player=bob.id, active=True)
    assert row.result is None and row.started.control == DAYS


def test_no_game_is_lost_between_two_pages(store, pair):
    games = [begin(store, started(*pair)) for _ in range(7)]
    for place, game in enumerate(games):
        store.games.append([moves(game, 0, 1, NOW + place // 3)])
    seen, before = [], None
    while page := store.games.find(before=before, limit=2):
        seen += [row.id for row in page]
        before = page[-1].updated
    assert sorted(seen) == sorted(games)


def test_many_versions_are_looked_up_at_once(store, pair):
    games = [begin(store, started(*pair)) for _ in range(30)]
    asked = [*games, *(f"nowhere{n}" for n in range(5_000))]
    assert store.games.versions(asked) == dict.fromkeys(games, 1)


def test_an_id_that_is_none_is_found_nowhere(store):
    assert store.games.events("a" * 100_000) == []
    assert store.games.events("'; DROP TABLE games; --") == []
    with pytest.raises(Refusal, match="cannot be kept"):
        store.games.events("\ud800")


def test_a_text_that_a_database_cannot_keep_is_refused(store):
    for name in ("\ud800", "a\x00b") if store.kind == "postgresql" else ("\ud800",):
        with pytest.raises(Refusal, match="cannot be kept"):
            store.users.user(name)
    with pytest.raises(Refusal, match="cannot be kept"):
        store.users.user(10**30)
