"""The page judges as kingme.analysis does: the same classes, words and shots for what is found."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from kingme.analysis import Mark, Verdict, annotated, judged, verdict
from kingme.engine.api import WIN, Limits
from kingme.engine.local import LocalEngine
from kingme.rules.pdn import read, write
from kingme.rules.variant import Side
from kingme.web.reading import PdnSent, _read
from kingme.web.reviewing import review_data

from .conftest import scripts

ARCHIVE = Path(__file__).parents[1] / "data/pdn/archive.pdn"

#: What the page makes of games and of what was found of their positions, the last one first.
JUDGE = """([games, rules]) => games.map(({ start, moves, verdicts, read }) => {
  const positions = [R.fromFen(start)];
  const named = (position, text) => R.legalMoves(position).find(move => move.text === text);
  const played = moves.map((text, i) => {
    const move = named(positions[i], text);
    positions.push(R.play(positions[i], move));
    return move;
  });
  const found = verdicts.map(({ score, line, result, plies }, i) => {
    let at = positions[i];
    const walked = line.map(text => {
      const move = named(at, text);
      at = R.play(at, move);
      return move;
    });
    if (!line.length) return J.stuck(rules);
    return result ? { score, line: walked, result, plies, proof: "search" }
      : J.searched(score, walked, rules);
  });
  let after = found[moves.length];
  const judgements = [];
  for (let ply = moves.length - 1; ply >= 0; ply--) {
    judgements[ply] = J.judge(ply, positions[ply], played[ply], found[ply], after, rules);
    after = judgements[ply].best;
  }
  const sides = ["B", "W"];
  const marks = ["forced", "best", "good", "inaccuracy", "mistake", "blunder"];
  return {
    marks: judgements.map(({ mark }) => mark),
    given: judgements.map(({ given }) => given),
    words: judgements.map(judgement => J.words(judgement, rules)),
    missed: judgements.map(({ missed }) => missed && J.shotName(missed)),
    allowed: judgements.map(({ allowed }) => allowed && allowed.line.map(move => move.text)),
    points: [...judgements.map(({ position, best }) => J.blackPoints(position, best, rules)),
      J.blackPoints(positions[moves.length], found[moves.length], rules)],
    accuracy: sides.map(side => J.accuracy(judgements, side)),
    counts: sides.map(side => marks.map(mark => J.count(judgements, side, mark))),
    pdn: read && [1, 2].map(() => J.annotated(read, judgements, rules)),
    bare: read && J.annotated({ ...J.unreviewed(read, rules), opening: null }, [], rules),
  };
})"""


@pytest.fixture(scope="module")
def script(browser, shared_base):
    with scripts(browser, shared_base, R="rules", J="judging annotated") as run:
        yield run


def histories(count):
    for game in read(ARCHIVE.read_text("utf-8")):
        if not count:
            return
        if len(game.history.moves) == len(game.line):
            count -= 1
            yield game.history


def invented(history, chance):
    """Findings of all kinds, with lines that are legal and full of jumps."""
    found = []
    for ply, position in enumerate(history.positions):
        line = []
        at = position
        while at.legal_moves and len(line) < 9:
            line.append(chance.choice(at.legal_moves))
            at = at.play(line[-1])
        if ply < len(history.moves) and chance.random() < 0.3:
            line = [history.moves[ply]]
        if not line:
            found.append(Verdict(-WIN, (), "loss", 0, "rules"))
        elif chance.random() < 0.15:
            result = chance.choice(["win", "draw", "loss"])
            plies = None if result == "draw" else chance.randint(1, 40)
            score = {"win": WIN, "draw": 0, "loss": -WIN}[result]
            found.append(Verdict(score, tuple(line), result, plies, "database"))
        else:
            score = chance.choice([0, 3, -7, chance.randint(-300, 300), -24_900, 24_500])
            found.append(Verdict(score, tuple(line)))
    return found


def as_sent(history, verdicts):
    """A game and what was found of it, as the script takes it."""
    return {
        "start": history.positions[0].fen,
        "moves": [str(move) for move in history.moves],
        "verdicts": [
            {
                "score": found.score,
                "line": [str(move) for move in found.line],
                "result": found.result,
                "plies": found.plies,
            }
            for found in verdicts
        ],
    }


def compare(script, told):
    """Hold what the page says against what Python says."""
    rules = msgspec.to_builtins(review_data())
    sent = [as_sent(history, verdicts) for history, verdicts in told]
    faults = 0
    for (history, verdicts), page in zip(told, script(JUDGE, [sent, rules]), strict=True):
        review = judged(history, verdicts.__getitem__)
        ours = review.judgements
        faults += sum(one.mark.nag is not None for one in ours)
        assert page["marks"] == [str(one.mark) for one in ours]
        assert page["words"] == [one.words for one in ours]
        assert page["given"] == pytest.approx([one.given for one in ours])
        assert page["missed"] == [one.missed and str(one.missed) for one in ours]
        assert page["allowed"] == [
            one.allowed and [str(move) for move in one.allowed.line] for one in ours
        ]
        assert page["points"] == pytest.approx(list(review.black_scores))
        for side, kept, counts in zip(Side, page["accuracy"], page["counts"], strict=True):
            assert kept == pytest.approx(review.accuracy(side))
            assert counts == [review.count(side, mark) for mark in Mark]
    return faults


def test_invented_findings_over_real_games(script):
    chance = random.Random(6)
    told = [(history, invented(history, chance)) for history in histories(40)]
    assert compare(script, told) > 300


def test_what_the_engine_finds_in_real_games(script):
    engine = LocalEngine(4)
    told = []
    for history in histories(2):
        found = [
            verdict(history.back(len(history.moves) - ply), engine, Limits(nodes=2000))
            for ply in range(len(history.positions))
        ]
        told.append((history, found))
    assert compare(script, told) > 0


#: Games in which more is said than tags and moves.
SAID = """[Event "A \\"club\\" of \\\\ many"]
[Result "12-8"]

{Before all. [%eval 3]} 1. 11-15! {Bold.} ({Or} 1. 12-16? 24-20 $4 (1... 21-17) 2. 8-12) 1... {so}
23-19 2. 8-11 $1 22-17 {100 % right, [or so]} 3. 9-13 12-8

[Event "Ending"]
[SetUp "1"]
[FEN "W:W18,26,K4:B12,3"]

1... 18-14 2. 3-8 4x11 1-0
"""


def test_a_review_is_written_into_its_game_as_python_writes_it(script):
    """Also where the game was reviewed before: what was written then gives way, and no more."""
    text = SAID + ARCHIVE.read_text("utf-8")[:9000]
    chance = random.Random(7)
    rules = msgspec.to_builtins(review_data())
    fresh = list(read(text))
    found = [invented(game.history, chance) for game in fresh]
    others = [invented(game.history, chance) for game in fresh]
    first, bare = pages_of(script, [*zip(fresh, shown(text), found, strict=True)], rules)
    for game, verdicts, pdn in zip(fresh, found, first, strict=True):
        review = judged(game.history, verdicts.__getitem__)
        assert pdn.split() == write(annotated(game, review)).split()
        (again,) = read(pdn)
        assert again.moves == game.moves
        assert not [note for note in again.notes if note.kind != "odd"]
        lines = pdn.partition("\n\n")[2].splitlines()
        assert not [line for line in lines if len(line) > 78 or line[0] in "%["]
    told = [(*read(pdn), *shown(pdn)) for pdn in first]
    same = [(*pair, verdicts) for pair, verdicts in zip(told, found, strict=True)]
    new = [(*pair, verdicts) for pair, verdicts in zip(told, others, strict=True)]
    twice, barest = pages_of(script, same + new, rules)
    assert barest == bare * 2
    assert [text.split() for text in bare] == [write(game).split() for game in fresh]
    assert twice[: len(told)] == first
    for game, (again, _), verdicts, pdn in zip(
        fresh, told, others, twice[len(told) :], strict=True
    ):
        review = judged(game.history, verdicts.__getitem__)
        assert pdn.split() == write(annotated(again, review)).split()
        assert pdn.split() == write(annotated(game, review)).split()


def shown(text):
    """The games of a text as the page has them."""
    return _read(PdnSent(text)).games


def pages_of(script, told, rules):
    """What the page writes of games, as they are read here and there, and of what was found.

    Also what it writes of them where reviews are left out.
    """
    sent = [
        as_sent(game.history, verdicts) | {"read": msgspec.to_builtins(there)}
        for game, there, verdicts in told
    ]
    pages = script(JUDGE, [sent, rules])
    assert all(page["pdn"][0] == page["pdn"][1] for page in pages), "it changes the game"
    return [page["pdn"][0] for page in pages], [page["bare"] for page in pages]
