"""The scripts of analysis beside the rules: FEN, what is impossible, words for scores, the tree."""

from __future__ import annotations

import random

import pytest
from tests.web.test_rules_js import placed

from kingme import FenError, Piece, Position, Side
from kingme.rules import fen
from kingme.rules.status import status
from kingme.rules.variant import ENGLISH

from .conftest import scripts

MIDDLE = "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"
NAMES = "rules setup worth tree"


@pytest.fixture(scope="module")
def script(browser, shared_base):
    """A function that evaluates an expression in a page where `R` has the scripts."""
    with scripts(browser, shared_base, R=NAMES) as run:
        yield run


FENS = [
    MIDDLE, "W:W5:B1", "B:W1:B32", "b : w 21, k22 : b 1-12 .", "White to play:W32:B1",
    '[FEN "W:WK3:B30,31"]', "/FEN 'W:W31:B8'/", "W:WC3:BE3", "W:H0:F1:W31:B8", "W:W31:B",
    "W:B8:W31", "W:WK1-4:B30", "", ":", "W", "W:W31:W30", "W:X1:B2", "W:W1,1:B2", "W:W33:B2",
    "W:W0:B2", "W:W9-5:B2", "W:W3-:B2", "W:Wc9:B2", "Problem 7 B:W31:B8", "W:W:B", "W:W[31",
    "nothing:W31", "W:W31,K 5:B8", "W:W21-32:B1-13",
]  # fmt: skip


def told(text: str) -> str:
    try:
        setup = fen.read(text, ENGLISH, strict=False)
    except FenError as error:
        return f"! {error}"
    return fen.write(setup.turn, setup.squares, setup.kings)


def test_fen_is_read_as_the_rules_read_it(script):
    chance = random.Random(3)
    texts = [*FENS, *(placed(chance).fen for _ in range(60)), "W" * 2001]
    read = script(
        "texts => texts.map(text => { try { return R.toFen(R.readFen(text)); }"
        " catch (error) { return `! ${error.message}`; } })",
        texts,
    )
    assert dict(zip(texts, read, strict=True)) == {text: told(text) for text in texts}


def any_position(chance: random.Random) -> Position:
    """Pieces anywhere, also where there can be none."""
    pieces = {
        n: Piece(chance.choice(list(Side)), chance.random() < 0.3)
        for n in chance.sample(range(1, 33), chance.randint(1, 32))
    }
    lists = {side: sorted(n for n, piece in pieces.items() if piece.side is side) for side in Side}
    kings = frozenset(n for n, piece in pieces.items() if piece.king)
    text = fen.write(chance.choice(list(Side)), lists, kings)
    return Position.from_fen(text, strict=False)


def test_what_is_impossible_is_said_as_the_rules_say_it(script):
    chance = random.Random(4)
    positions = [any_position(chance) for _ in range(200)]
    positions += [Position.from_fen(text) for text in ("W:WK1:B", "B:W:BK1", MIDDLE)]
    found = script("fens => fens.map(fen => R.faults(R.fromFen(fen)))", [p.fen for p in positions])
    assert found == [list(status(position).reasons) for position in positions]
    assert script("R.faults({ pieces: Array(33).fill(''), turn: 'B' })") == [
        "there is no piece on the board"
    ]


def test_a_mirror_turns_the_board_and_the_colours(script):
    mirrored = script("fen => R.toFen(R.mirrored(R.fromFen(fen)))", "B:W18,K10:B12,K29")
    assert mirrored == "W:WK4,21:B15,K23"
    assert script("R.toFen(R.mirrored(R.fromFen(R.START)))") == f"W{Position.start().fen[1:]}"


WORTH = """cases => cases.map(([line, now, end]) =>
  [R.verdict(line, R.fromFen(now), R.fromFen(end)), R.figure(line)])"""


def test_scores_are_told_in_plain_words(script):
    one_up, level = "B:W22,30:B1", "B:W30:B1"
    kings = "W:WK22:B1"
    line = {"result": None, "plies": None}
    cases = [
        (line | {"score": 3}, level, level, ["Even", "+0.03"]),
        (line | {"score": -30}, level, level, ["White is slightly better", "−0.30"]),
        (line | {"score": 60}, level, level, ["Black is better", "+0.60"]),
        (line | {"score": 190}, level, level, ["Black is much better", "+1.90"]),
        (line | {"score": -95}, one_up, one_up, ["White is a man up", "−0.95"]),
        (line | {"score": -95}, level, one_up, ["White will be a man up", "−0.95"]),
        (line | {"score": 130}, kings, kings, ["White is a king up", "+1.30"]),
        (line | {"score": 24000}, level, level, ["Black is winning", "Winning"]),
        ({"score": 29983, "result": "win", "plies": 17}, level, level,
         ["Black wins in 9 moves", "Win in 9"]),
        ({"score": -29998, "result": "loss", "plies": 2}, level, level,
         ["White wins in 1 move", "Loss in 1"]),
        ({"score": -30000, "result": "loss", "plies": 0}, level, level, ["White has won", "Loss"]),
        ({"score": -27997, "result": "loss", "plies": None}, level, level, ["White wins", "Loss"]),
        ({"score": 0, "result": "draw", "plies": None}, level, level, ["Draw", "Draw"]),
    ]  # fmt: skip
    assert script(WORTH, [case[:3] for case in cases]) == [case[3] for case in cases]


def test_variations_grow_are_promoted_and_pruned(script):
    found = script("""() => {
      const begin = R.root(R.fromFen(R.START));
      const line = [["11-15", [[["12-16", []]]]], ["22-18", []], ["15x22", []]];
      const node = ([move, variations]) => ({ move, variations: variations.map(v => v.map(node)) });
      R.plant(begin, line.map(node));
      const [last, legal] = R.follow(begin, ["12-16", "24-20", "1-2"]);
      const before = [R.texts(R.rest(begin)), R.isMain(last), legal];
      R.promote(last);
      const after = [R.texts(R.rest(begin)), R.isMain(last)];
      const again = R.root(R.fromFen(R.START)); // as it is kept when the page is left
      R.plant(again, JSON.parse(JSON.stringify(R.packed(begin))));
      const same = JSON.stringify(R.packed(again)) === JSON.stringify(R.packed(begin));
      // A variation may begin as the game does; what cannot be read is there on demand.
      const aside = [["11-15", []], ["23-18", []]];
      const written = [["11-15", [aside]], ["22-18", []], [null, []]].map(node);
      const [part, whole] = [false, true].map(all => {
        const tree = R.root(R.fromFen(R.START));
        R.plant(tree, written, all);
        return [R.texts(R.rest(tree)), R.rest(tree).length, tree.children[0].children.length];
      });
      return [before, after, R.texts(R.rest(R.prune(R.trail(last)[1]))), same, part, whole];
    }""")
    assert found == [
        [["11-15", "22-18", "15x22"], False, 2],
        [["12-16", "24-20"], True],
        ["11-15", "22-18", "15x22"],
        True,
        [["11-15", "22-18"], 2, 2],
        [["11-15", "22-18"], 3, 2],
    ]
