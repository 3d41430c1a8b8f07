"""What is found is what a plain look at every game finds; the tree counts the same games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from kingme.collection import Collection, CollectionError, Entry, Query, tree
from kingme.collection import query as asking
from kingme.collection.matching import matches
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side

from .made import entries

ENTRIES = entries(120)
NEAR = Position.start().play("9-13").play("21-17")
START = Position.start()


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.db"
    with Collection(path, write=True) as made:
        assert made.add(ENTRIES, batch=17) == len(ENTRIES)
    with Collection(path) as opened:
        yield opened


def some_position(number, ply):
    return ENTRIES[number].history.positions[ply]


QUERIES = [
    Query(),
    Query(player="tinsley"),
    Query(player="MARION tins"),
    Query(player="ranjatoélina desire"),
    Query(player="100%"),
    Query(player="0%"),
    Query(player="r_a"),
    Query(player="nobody at all"),
    Query(black="long", white="case"),
    Query(event="title world"),
    Query(since="1904"),
    Query(since="1904.12.04"),
    Query(until="1904"),
    Query(until="1950"),
    Query(since="1950.06", until="1989.03.17"),
    Query(result="black"),
    Query(result="draw"),
    Query(result="none"),
    Query(variant="russian"),
    Query(material="3m v 1m2k"),
    Query(material="12m v 12m"),
    Query(material="12m v 11m"),
    Query(material="11m v *"),
    Query(material="* v 1m2k"),
    Query(material="2k v *"),
    Query(material="30m v *"),
    Query(material="11m v *", player="tinsley", result="white"),
    Query(position=START),
    Query(position=START, colours=False),
    Query(position=START.mirrored()),
    Query(position=START.mirrored(), colours=False),
    Query(position=START.play("9-13")),
    Query(position=START.play("9-13").mirrored(), colours=False),
    Query(position=Position.start(VARIANTS["russian"])),
    Query(position=some_position(8, 9)),
    Query(position=some_position(8, 9).mirrored()),
    Query(position=some_position(8, 9).mirrored(), colours=False),
    Query(position=START, player="tinsley", result="white", since="1900"),
    Query(position=START, material="12m v 11m", black="long"),
    Query(position=START, material="10m v *", black="long"),
    *(Query(opening=number) for number in range(1, 8)),
]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: repr(query)[:90])
def test_found_is_what_a_plain_look_finds(games, query):
    wanted = [number for number, entry in enumerate(ENTRIES, 1) if matches(query, entry)]
    page = games.search(query, limit=1000)
    assert [game.id for game in page.games] == wanted
    assert page.after is None
    assert games.count(query) == len(wanted)


@pytest.mark.parametrize("query", [q for q in QUERIES if "*" in q.material], ids=repr)
def test_what_many_games_have_is_looked_up_in_each(games, query, monkeypatch):
    monkeypatch.setattr(asking, "OFTEN", 1)
    test_found_is_what_a_plain_look_finds(games, query)


def test_some_of_the_questions_find_something():
    found = [sum(matches(query, entry) for entry in ENTRIES) for query in QUERIES]
    assert sum(number > 0 for number in found) > 25
    assert any(found[-7:]), "some game comes through a ballot"


@pytest.mark.parametrize(
    "query", QUERIES[:3] + QUERIES[-15:-10], ids=lambda query: repr(query)[:60]
)
def test_pages_make_up_the_whole(games, query):
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = games.search(query, limit=3, after=after)
        assert len(page.games) <= 3
        found += [game.id for game in page.games]
        after = page.after
    assert found == [game.id for game in games.search(query, limit=1000).games]


def test_where_a_position_came(games):
    position = some_position(8, 9)
    turned = games.search(Query(position=position.mirrored())).games
    same = games.search(Query(position=position)).games
    assert (same[0].id, same[0].ply, same[0].reversed) == (9, 9, False)
    assert (turned[0].id, turned[0].ply, turned[0].reversed) == (9, 9, True)
    assert games.search(Query(player="long")).games[0].ply is None


def test_what_a_game_is(games):
    for number in (1, 6, 7, 8, 33):
        entry = ENTRIES[number - 1]
        assert games.history(number) == entry.history
        assert games.text(number) == entry.text
        found = games.search(Query(), limit=1, after=number - 1).games[0]
        assert found.black == entry.black and found.date == entry.date
        assert found.plies == len(entry.history.moves)
        assert found.variant == entry.history.positions[0].variant.name


def plain_tree(position, colours, chosen):
    """Count what was played in a position, game by game."""
    moves: Counter[str] = Counter()
    results: Counter[tuple[str, str]] = Counter()
    wanted = {position: False}
    if colours:
        wanted.setdefault(position.mirrored(), True)
    geometry = position.variant.geometry
    names = {str(move): move for move in position.legal_moves}
    for entry in chosen:
        seen = set()
        for ply, at in enumerate(entry.history.positions):
            if at not in wanted or at in seen:
                continue
            seen.add(at)
            turned = wanted[at]
            name = "end"
            if ply < len(entry.history.moves):
                move = entry.history.moves[ply]
                if turned:
                    last = geometry.squares + 1
                    path = tuple(last - square for square in move.path)
                    move = next(m for m in names.values() if m.path == path)
                name = str(move)
            winner = entry.winner
            if turned and winner:
                winner = winner.other
            moves[name] += 1
            results[name, "draw" if entry.draw else winner.title if winner else "none"] += 1
    return moves, results


def same_tree(found, moves, results):
    assert {str(branch.move): branch.tally.games for branch in found.branches} == {
        name: number for name, number in moves.items() if name != "end"
    }
    assert found.ended == moves["end"]
    assert found.tally.games == sum(moves.values())
    for branch in found.branches:
        name = str(branch.move)
        tally = branch.tally
        assert tally.black == results[name, "Black"]
        assert tally.white == results[name, "White"]
        assert tally.draws == results[name, "draw"]
        decided = tally.black + tally.white + tally.draws
        won = tally.black if found.position.turn is Side.BLACK else tally.white
        assert branch.score == ((won + tally.draws / 2) / decided if decided else None)
    counts = [branch.tally.games for branch in found.branches]
    assert counts == sorted(counts, reverse=True)


PLACES = [
    START,
    START.mirrored(),
    START.play("9-13"),
    START.play("9-13").mirrored(),
    NEAR,
    Position.start(VARIANTS["russian"]),
    *(some_position(number, ply) for number, ply in ((3, 4), (8, 9), (6, 0), (9, 2))),
]


@pytest.mark.parametrize("position", PLACES, ids=lambda position: position.fen[:60])
@pytest.mark.parametrize("colours", [True, False])
def test_the_tree_is_what_a_plain_count_says(games, position, colours):
    found = games.tree(Query(position=position, colours=colours))
    same_tree(found, *plain_tree(position, colours, ENTRIES))


@pytest.mark.parametrize(
    "query",
    [
        Query(player="long"),
        Query(result="draw", since="1900"),
        Query(material="12m v 11m"),
        Query(material="11m v *"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("busy", [1, 1000])
def test_a_tree_of_some_of_the_games(games, query, busy, monkeypatch):
    monkeypatch.setattr(tree, "BUSY", busy)
    chosen = [entry for entry in ENTRIES if matches(query, entry)]
    for position in PLACES[:5]:
        found = games.tree(replace(query, position=position))
        same_tree(found, *plain_tree(position, True, chosen))


def test_kept_counts_change_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "BUSY", 3)
    path = tmp_path / "games.db"
    for part in (ENTRIES[:50], ENTRIES[50:100]):
        with Collection(path, write=True) as made:
            made.add(part)
    with Collection(path, write=True) as made:
        for entry in ENTRIES[100:]:
            made.add([entry])
        kept = made._connection.execute("SELECT count(*) FROM busy").fetchone()[0]
        assert kept > 3
        for position in PLACES:
            found = made.tree(position)
            same_tree(found, *plain_tree(position, True, ENTRIES))


def test_an_empty_collection(tmp_path):
    with Collection(tmp_path / "games.db", write=True) as made:
        made.finish()
        assert made.search(Query()).games == ()
        assert made.tree(START).branches == ()
        assert made.facts.games == 0
        assert made.facts.first is None
        with pytest.raises(CollectionError, match="there is no game 1 in"):
            made.text(1)
        with pytest.raises(CollectionError, match="there is no game 1 in"):
            made.history(1)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"result": "1-0"}, "'1-0' is no result"),
        ({"since": "long ago"}, "'long ago' is no date"),
        ({"until": "1904.13"}, "'1904.13' is no date"),
        ({"material": "3 men"}, "'3 men' is no material"),
        ({"material": "3m v"}, "'3m v' is no material"),
        ({"material": "* v *"}, r"'\* v \*' is no material"),
        ({"material": "*"}, "is no material: .* 1m2k v \\* against anything"),
        ({"material": "3m v * v *"}, "is no material"),
    ],
)
def test_what_cannot_be_asked(asked, said):
    with pytest.raises(CollectionError, match=said):
        Query(**asked)


def test_a_game_that_is_added_twice(tmp_path):
    entry = Entry("one text", History.start().play("11-15"))
    with Collection(tmp_path / "games.db", write=True) as made:
        assert made.add([entry, entry]) == 1
        assert made.add([entry]) == 0
        assert made.facts.games == 1
