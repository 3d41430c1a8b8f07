"""Reviews: proofs count as proofs, a missed shot is shown, and a fault is nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingme.analysis import Mark, Verdict, annotated, judged, review, verdict
from kingme.engine.api import WIN, Limits
from kingme.engine.endgames import Tables
from kingme.engine.local import LocalEngine
from kingme.rules.history import History
from kingme.rules.pdn import Game, read, write
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Side

LIMITS = Limits(nodes=20_000)
ARCHIVE = Path(__file__).parents[1] / "data/pdn/archive.pdn"


@pytest.fixture(scope="module")
def solved():
    return Tables.have()


@pytest.fixture
def engine(solved):
    return LocalEngine(4, endgames=solved)


def game(fen, moves):
    history = History.start(Position.from_fen(fen, strict=False))
    for text in moves.split():
        history = history.play(text)
    return history


def test_a_shot_that_was_missed_is_shown(engine, solved):
    found = review(game("W:W18,26,30:B10,11,19", "26-22 19-24"), engine, LIMITS, solved)
    first = found.judgements[0]
    assert first.mark is Mark.BLUNDER
    assert str(first.better) == "18-14"
    assert str(first.missed) == "three for two"
    assert "misses a shot, three for two" in first.words


def test_a_shot_that_a_move_allows_is_shown(engine, solved):
    # Black need not go to 15: after it 24-19 wins two for one.
    found = review(game("B:W23,24,28:B14,10,16", "10-15"), engine, LIMITS, solved)
    only = found.judgements[0]
    assert only.mark in (Mark.MISTAKE, Mark.BLUNDER)
    assert str(only.allowed) == "two for one"
    assert "allows a shot, two for one: 24-19" in only.words


def test_a_proof_counts_as_one(engine, solved):
    # The First Position: White to move wins, and only by some moves.
    start = Position.from_fen("W:WK19,K23:B12,K28")
    good = set(solved.best_moves(start))
    keeping = set(solved.keeping_moves(start))
    bad = next(move for move in start.legal_moves if move not in keeping)
    found = review(History.start(start).play(bad), engine, LIMITS, solved)
    judged = found.judgements[0]
    assert (judged.best.result, judged.best.proof, judged.best.plies) == ("win", "database", 61)
    assert judged.best.line[0] in good
    assert judged.after.result != "win"
    assert judged.mark is Mark.BLUNDER
    assert judged.given >= 0.5
    kept = review(History.start(start).play(next(iter(good))), engine, LIMITS, solved)
    assert kept.judgements[0].mark is Mark.BEST
    assert kept.judgements[0].given == 0


def test_who_has_one_move_is_not_to_blame(engine, solved):
    found = review(game("W:W23,24,28:B14,15,16", "24-19 15x24 28x12"), engine, LIMITS, solved)
    assert [judged.mark for judged in found.judgements] == [Mark.BEST, Mark.FORCED, Mark.FORCED]
    assert found.accuracy(Side.BLACK) is None
    assert found.accuracy(Side.WHITE) == 1.0


def test_a_game_that_is_won_on_the_board(engine, solved):
    found = review(game("W:W23:B18", "23x14"), engine, LIMITS, solved)
    assert found.last == Verdict(-WIN, (), "loss", 0, "rules")
    assert (found.judgements[0].after.result, found.judgements[0].after.plies) == ("win", 1)
    assert found.black_scores == (0.0, 0.0)


def test_worth_turns_round_with_the_side(engine, solved):
    history = History.start()
    now = verdict(history, engine, LIMITS, solved)
    move = now.line[0]
    back = verdict(history.play(move), engine, LIMITS, solved).before(move)
    assert back.line[0] == move
    assert Verdict(-40, ()).expected + Verdict(40, ()).expected == pytest.approx(1)
    assert Verdict(100, ()).expected > 0.8
    assert Verdict(0, (), "draw").expected == 0.5


def test_every_position_is_told_of(engine):
    heard = []
    review(game(Position.start().fen, "11-15 23-19 8-11"), engine, Limits(depth=3), None,
           lambda done, total: heard.append((done, total)))  # fmt: skip
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_annotated_game_keeps_what_it_had_and_reads_back(engine, solved):
    text = """[Event "Club"]
[SetUp "1"]
[FEN "W:W18,26,30:B10,11,19"]

1. 26-22 {a pity} (1. 30-25 {safe}) 19-24 *
"""
    (before,) = read(text)
    told = annotated(before, review(before.history, engine, LIMITS, solved))
    assert told is not before
    assert before.line[0].nags == []
    node = told.line[0]
    assert node.nags == [4]
    assert node.comments[0] == "a pity"
    assert "18-14" in node.comments[1]
    assert [str(line[0].move) for line in node.variations] == ["30-25", "18-14"]
    (again,) = read(write(told))
    assert again == told


LATIN = """{%s}
1. 11-15 {Mistake: 9-13 is worth a try, this not.} 23-18 $1 $6 (1... 24-19) 2. 8-11 27-23
3. 11-16 $3 {Inaccuracy: hm.} (3. 4-8 {mine}) (3. 9-13) %s18x11 4. 16-20 1-0
"""


def worth(history, score):
    """A review of that game in which 4-8 for 11-16 was worth +0.16, and nothing else is wrong."""
    known = [Verdict(0, (move,)) for move in history.moves]
    known[4] = Verdict(16, (history.positions[4].parse("4-8"),))
    return judged(history, [*known, Verdict(-score, ())].__getitem__)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Opening: mine: so far.", ""),
        # what an earlier version wrote twice
        (
            "Opening: mine: so far.} {Opening: Slip Cross: 11-15 23-18 8-11.} "
            "{Opening: Slip Cross: 11-15 23-18 8-11.",
            "$6 $2 {Inaccuracy: 4-8 is worth +0.08, this -0.21.} {Mistake: 4-8 wins by the "
            "endgame database, this loses in 3 moves. It misses a shot, two for one. It allows a "
            "shot, three for two: 18x11x4.} (3. 4-8 32-27) (3. 4-8 23-19) ",
        ),
    ],
)
def test_a_review_gives_way_to_the_next_and_people_do_not(before, after):
    (fresh,) = read(LATIN % (before, after))
    (clean,) = read(LATIN % ("Opening: mine: so far.", ""))
    history = fresh.history
    for score, nags in [(0, [3, 6]), (-20, [3, 2]), (-60, [3, 4]), (16, [3])]:
        found = worth(history, score)
        told = annotated(fresh, found)
        assert told == annotated(clean, found)
        assert told.comments[0] == "Opening: mine: so far."
        assert len(told.comments) == 2
        assert told.line[4].nags == nags
        assert len(told.line[4].variations) == 2 + (len(nags) > 1)
        assert [len(told.line[4].comments), *told.line[1].nags] == [len(nags), 1, 6]
        assert told.line[0].comments == fresh.line[0].comments
        (again,) = read(write(told))
        assert write(annotated(again, found)) == write(told)
        fresh = again


def test_the_opening_is_named(engine):
    history = game(Position.start().fen, "9-13 22-18 6-9 18-14")
    found = review(history, engine, Limits(depth=2))
    assert found.opening is not None
    assert found.opening.name == "Dreaded Edinburgh"
    told = annotated(Game.of(history), found)
    assert told.comments == ["Opening: three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9."]


def test_a_game_without_a_move(engine):
    found = review(History.start(), engine, Limits(depth=2))
    assert found.judgements == ()
    assert len(found.black_scores) == 1
    assert found.accuracy(ENGLISH.first) is None


def test_real_games_are_judged_whole_and_come_back_from_pdn(engine, solved):
    """Few nodes: whatever is found, every move is judged, and every line can be played."""
    for real in list(read(ARCHIVE.read_bytes()))[::100]:
        found = review(real.history, engine, Limits(nodes=500), solved)
        assert [judgement.move for judgement in found.judgements] == list(real.moves)
        assert all(0.0 <= judgement.given <= 1.0 for judgement in found.judgements)
        assert len(found.black_scores) == len(real.moves) + 1
        (again,) = read(write(annotated(real, found)))
        assert write(annotated(again, found)) == write(again)
        assert again.moves == real.moves
        assert not [note for note in again.notes if note.kind == "error"]
        signs = [nag for node in again.line for nag in node.nags]
        faults = [judgement for judgement in found.judgements if judgement.mark.nag]
        assert signs == [judgement.mark.nag for judgement in faults]
