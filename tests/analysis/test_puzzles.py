"""Puzzles: all that are shipped are what they say, and mining finds them by proof alone."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace

import pytest

from kingme.analysis.puzzles import Fate, PuzzleKind, Shelf, name_of
from kingme.analysis.puzzles.checks import doubts, faults, unforced
from kingme.analysis.puzzles.digging import TABLE_MIB, dug, order_of, texts_of
from kingme.analysis.puzzles.forcing import HELD, Forcing, lead_of
from kingme.analysis.puzzles.log import Log
from kingme.analysis.puzzles.mining import Plan, Vein
from kingme.analysis.puzzles.packing import chosen, counted, packed
from kingme.analysis.puzzles.proving import proof_of
from kingme.analysis.puzzles.shelf import FILE, shelf
from kingme.analysis.puzzles.telling import found_words, goal_words, origin_words
from kingme.analysis.puzzles.trying import rating_of
from kingme.analysis.puzzles.written import line_of, puzzle_from, puzzle_of, record_of
from kingme.cli.endgames import have
from kingme.engine.api import EngineError
from kingme.engine.endgames import files
from kingme.engine.local import LocalEngine
from kingme.rules.position import Position

BUDGETS = (3_000, 30_000, 300_000)
"""Positions of the searches of each puzzle that is shipped: most need the first one alone.
`kingme puzzles verify` takes more, and for every move."""

SAMPLE = 8
"""Puzzles that are proved here from the beginning."""

PLAIN = 3
"""Gains of few pieces that a search in plain Python proves as well."""

GAMES = """[Event "US National 1972"]
[Date "1972-??-??"]
[Black "Fuller, E."]
[White "Cravens, H."]
[Result "1-0"]
1. 10-15 24-20 2. 7-10 28-24 3. 3-7 23-18 4. 12-16 22-17 5. 15x22 25x18 6. 16-19
24x15 7. 10x19 30-25 8. 9-13 25-22 9. 6-9 29-25 10. 1-6 17-14 11. 8-12 18-15 12.
11x18 22x15 13. 9x18 15-11 14. 7x16 20x11 15. 18-23 1-0

[Event "A draw"]
[Result "1/2-1/2"]
1. 11-15 22-18 2. 15x22 25x18 1/2-1/2
"""

SOLVED = """[Event "Scottish Tourney 1899"]
[Date "1899-??-??"]
[Black "Brown, F."]
[White "Bonnar, G.M."]
[Result "0-1"]
1. 10-14 23-19 2. 11-16 19-15 3. 16-19 22-17 4. 14-18 17-14 5. 9-13 24-20 6.
7-11 14-10 7. 2-7 26-22 8. 7x14 22-17 9. 13x22 27-23 10. 19x26 30x23 11. 18x27
25x18x9x2 12. 11x18 0-1
"""


@pytest.fixture(scope="module")
def tables():
    return have(files.PIECES)


@pytest.fixture(scope="module")
def engine(tables):
    return LocalEngine(TABLE_MIB, endgames=tables)


@pytest.fixture(scope="module")
def everything():
    return [shelf().get(name) for name in shelf().lines]


def test_all_puzzles_are_sound_by_the_rules(everything):
    assert len(everything) >= 500
    for puzzle in everything:
        assert list(faults(puzzle)) == [], puzzle.name
        assert puzzle_of(line_of(puzzle)) == puzzle
        assert shelf().lines[puzzle.name] == line_of(puzzle)
    positions = {puzzle.position for puzzle in everything}
    mirrored = {puzzle.position.mirrored() for puzzle in everything}
    assert len(positions) == len(everything) == len(positions | mirrored) // 2


def test_every_puzzle_is_found_by_a_search_or_the_database(everything, engine, tables):
    """The first move, and where a win is to be found that it is one, by the engine's own tables."""
    left = everything
    for nodes in BUDGETS:
        doubted = [(puzzle, list(doubts(puzzle, engine, tables, nodes, False))) for puzzle in left]
        left = [puzzle for puzzle, told in doubted if told]
    assert [told for _, told in doubted if told] == []


def test_most_puzzles_were_missed(everything):
    """What was played there is one of the moves that are refuted."""
    missed = [puzzle for puzzle in everything if puzzle.fate is Fate.MISSED]
    assert sum(puzzle.kind is not PuzzleKind.DRAW for puzzle in missed) >= 500
    assert 2 * len(missed) > len(everything)
    for puzzle in missed:
        played = puzzle.position.parse(puzzle.origin.played)
        refuted = {puzzle.position.after(move) for move, _ in puzzle.steps[0].refuted}
        assert puzzle.position.after(played) in refuted, puzzle.name


def test_every_gain_is_proved_again_against_every_defence(everything):
    """By a search of all moves; and no move that is called wrong wins as much as quickly."""
    gains = [puzzle for puzzle in everything if puzzle.kind is PuzzleKind.GAIN]
    assert len(gains) > 100
    assert {puzzle.name: told for puzzle in gains if (told := list(unforced(puzzle)))} == {}


def test_what_is_no_gain_by_force_is_told(everything):
    puzzle = next(one for one in everything if one.kind is PuzzleKind.GAIN and one.plies > 1)
    (sooner,) = unforced(replace(puzzle, plies=puzzle.plies - 2))
    assert f"is not proved to win {puzzle.taken - puzzle.given}" in sooner
    (more,) = unforced(replace(puzzle, taken=puzzle.taken + 3))
    assert "is not proved to win" in more
    first = puzzle.steps[0]
    (wrong, _), *_ = first.refuted
    swapped = replace(first, accepted=(wrong,), refuted=((first.move, None),), reply=None)
    assert list(unforced(replace(puzzle, steps=(swapped,))))


def test_gains_by_force_are_those_of_a_plain_search(everything):
    """With the rules' own moves, all of them at every turn, without a table."""
    gains = [one for one in everything if one.kind is PuzzleKind.GAIN and 1 < one.plies <= 5]
    results = []
    for puzzle in sorted(gains, key=lambda one: len(one.position.pieces))[:PLAIN]:
        side = puzzle.position.turn
        goal = lead_of(puzzle.position, side) + puzzle.taken - puzzle.given
        forcing = Forcing(side, goal)
        for move in puzzle.position.legal_moves:
            after = puzzle.position.after(move)
            for plies in range(0, puzzle.plies, 2):
                results.append(plainly_won(after, side, goal, plies))
                assert forcing.within(after, plies, 10**7) == results[-1]
    assert True in results
    assert False in results


def plainly_won(position, side, goal, plies):
    if not position.legal_moves:
        return position.turn is not side
    ahead, mine = lead_of(position, side) >= goal, position.turn is side
    if not position.must_jump:
        if ahead and not mine and plainly_kept(position, side, goal, HELD):
            return True
        if plies <= 0 and not (ahead and mine):
            return False
    found = (plainly_won(position.after(m), side, goal, plies - 1) for m in position.legal_moves)
    return any(found) if mine else all(found)


def plainly_kept(position, side, goal, plies):
    mine = position.turn is side
    if not position.legal_moves:
        return not mine
    if plies <= 0 and not position.must_jump:
        return lead_of(position, side) >= goal
    found = (plainly_kept(position.after(m), side, goal, plies - 1) for m in position.legal_moves)
    return any(found) if mine else all(found)


def test_a_sample_is_proved_again_from_the_beginning(everything, engine, tables):
    """Or, where more was known when it was found, every move of it holds in larger searches."""
    lines = 0
    for puzzle in everything[:: len(everything) // SAMPLE]:
        proof = proof_of(puzzle.position, engine, tables)
        found = proof and [(step.accepted, step.reply) for step in proof.steps]
        if proof and found == [(step.accepted, step.reply) for step in puzzle.steps]:
            lines += 1
            told = (proof.kind, proof.given, proof.taken, proof.plies)
            assert told == (puzzle.kind, puzzle.given, puzzle.taken, puzzle.plies)
        else:
            assert list(doubts(puzzle, engine, tables, BUDGETS[-1])) == []
    assert lines > SAMPLE // 2


def test_the_record_says_how_they_were_made(everything):
    record = json.loads(FILE.with_suffix(".json").read_text())
    assert record["kept"] == len(everything)
    assert record["kinds"] == counted(everything)["kinds"]
    assert FILE.stat().st_size < 400_000


def test_a_position_without_a_puzzle_is_none(engine, tables):
    assert proof_of(Position.start(), engine, tables) is None


@pytest.fixture(scope="module")
def found():
    texts = texts_of(GAMES.encode())
    return dict(dug(texts, order_of(texts), Plan()))


def test_mining_finds_what_was_missed(found):
    assert list(found) == [0, 1]  # what was drawn comes last
    (puzzle,) = found[0].puzzles
    assert str(puzzle.line[0]) == "13-17"
    assert (puzzle.kind, puzzle.fate, puzzle.origin.year) == (PuzzleKind.SHOT, Fate.MISSED, 1972)
    assert origin_words(puzzle) == (
        "E. Fuller against H. Cravens, US National 1972. E. Fuller played 8-12 and missed it."
    )
    assert goal_words(puzzle) == "Black to move. There is a shot."
    assert found_words(puzzle) == "Three for two."
    assert found[1] == Vein()


def test_mining_may_take_what_was_found_too():
    ((_, vein),) = dug([SOLVED.encode()], [0], Plan(found=True))
    puzzle = vein.puzzles[-1]
    assert [str(move) for move in puzzle.line[:3]] == ["26-22", "7x14", "22-17"]
    assert (puzzle.kind, puzzle.fate, puzzle.origin.year) == (PuzzleKind.SHOT, Fate.FOUND, 1899)
    assert [str(step.move) for step in puzzle.steps][-1] == "32x23x14"
    assert origin_words(puzzle) == (
        "F. Brown against G.M. Bonnar, Scottish Tourney 1899. G.M. Bonnar found it."
    )
    assert goal_words(puzzle) == "White to move. There is a shot."
    assert found_words(puzzle) == "Six for five."
    ((_, vein),) = dug([SOLVED.encode()], [0], Plan())
    assert Fate.FOUND not in {puzzle.fate for puzzle in vein.puzzles}


def test_what_a_gain_wins_is_told(everything):
    puzzle = next(one for one in everything if one.kind is PuzzleKind.GAIN)
    side, count = puzzle.position.turn.title, puzzle.taken - puzzle.given
    what = "a piece" if count == 1 else "two pieces"
    assert goal_words(puzzle) == f"{side} to move and win {what}."
    assert found_words(puzzle).startswith(f"It wins {what} whatever is played, which is proved.")


def test_mining_finds_the_same_again(found):
    texts = texts_of(GAMES.encode())
    assert dict(dug(texts, [0], Plan())) == {0: found[0]}


def test_a_log_goes_on_where_it_was_broken_off(found, tmp_path):
    path = tmp_path / "mined.log"
    terms = {"games": 2}
    with Log(path, terms) as log:
        log.put(0, found[0])
        with pytest.raises(EngineError, match="in use by another mining of puzzles"):
            Log(path, terms)
    with path.open("ab") as file:
        file.write(b'{"game":1,"pl')
    with Log(path, terms) as log:
        assert log.veins == {0: found[0]}
        log.put(1, found[1])
    with Log(path) as log:
        assert (log.terms, log.veins) == (terms, found)
    with pytest.raises(EngineError, match="on other terms"):
        Log(path, {"games": 3})
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(EngineError, match="is damaged"):
        Log(path, terms)
    path.write_text("a diary\n")
    with pytest.raises(EngineError, match="no file of puzzles"):
        Log(path)


def test_records_and_lines_come_back_as_they_were(everything):
    for puzzle in everything[::50]:
        assert puzzle_from(json.loads(json.dumps(record_of(puzzle)))) == puzzle


def test_of_one_position_a_puzzle_is_kept_once(everything):
    some = everything[:40]
    assert chosen([*some, *some], 1000) == chosen(some, 1000)
    assert len(chosen(some, 2)) == 2
    assert Shelf.read(packed(some)).ratings == {puzzle.name: puzzle.rating for puzzle in some}


def test_a_shelf_gives_each_day_its_puzzle():
    known = shelf()
    day = dt.date(2026, 11, 30)
    week = [known.of_day(day + dt.timedelta(days)) for days in range(7)]
    assert len(set(week)) == 7
    assert week[0] == known.of_day(day)
    assert all(name in known for name in week)
    assert known.near(known.ratings[week[0]], week[0]) != week[0]
    assert abs(known.ratings[known.near(1000)] - 1000) <= 50
    with pytest.raises(ValueError, match="no collection"):
        Shelf.read("name\tbirthday\n")


def test_names_follow_from_positions_alone():
    assert name_of(Position.start()) == "hxvg7b"
    assert len({name_of(Position.from_fen(f"B:W32:B{n}")) for n in range(1, 20)}) == 19


def test_who_sees_further_makes_a_puzzle_easier():
    prior = 1000.0
    easy, middling, hard = (5, 5, 5, 5, 5, 5, 5), (0, 0, 3, 5, 5, 5, 5), (0, 0, 0, 0, 0, 0, 5)
    ratings = [rating_of(found, prior) for found in (easy, middling, hard)]
    assert ratings == sorted(ratings)
    assert rating_of(middling, 1400.0) > ratings[1]
