"""`rules.js` is the twin of `kingme.rules`: they must agree on everything, in a real browser."""

from __future__ import annotations

import itertools
import random

import pytest

from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import PRESETS, Outcome, Termination
from kingme.rules.piece import Piece
from kingme.rules.position import Position
from kingme.rules.variant import Side
from kingme.web.pages import page_data

from .conftest import scripts

LOOPS = "W:WK22:B9,10,11,17,18,19,25,26,27"
ROUTES = "W:W27,32:B15,16,23,24"

#: What the browser says of each position: FEN, legal moves, and the FEN after each.
MOVES = """fens => fens.map(fen => {
  const position = R.fromFen(fen);
  return [R.toFen(position), R.legalMoves(position).map(move =>
    [move.path, move.captures, move.text, R.moveText(move, "letters"),
     R.toFen(R.play(position, move))])];
})"""

#: The move or the message for each pair of a position and a text.
TEXTS = """pairs => pairs.map(([fen, text]) => {
  try { return R.parseMove(R.fromFen(fen), text).text; }
  catch (error) { if (!(error instanceof R.RulesError)) throw error; return "! " + error.message; }
})"""

#: Outcome, counts and claims after every ply of a game, under every preset.
GAMES = """([games, presets]) => games.map(([start, texts]) => {
  const positions = [R.fromFen(start)], moves = [], said = [];
  const look = () => said.push(presets.map(preset => [
    R.outcome(positions, moves, preset), R.drawCount(positions, moves, preset),
    R.claims(positions, moves, preset)]));
  look();
  for (const text of texts) {
    const now = positions[positions.length - 1];
    moves.push(R.parseMove(now, text));
    positions.push(R.play(now, moves[moves.length - 1]));
    look();
  }
  return said;
})"""


@pytest.fixture(scope="module")
def script(browser, shared_base):
    """A function that evaluates an expression in a page where `R` is both modules."""
    with scripts(browser, shared_base, R="rules notation") as run:
        yield run


def placed(rng: random.Random) -> Position:
    """Random pieces on random squares; few men, so that kings meet long routes."""
    while True:
        pieces = {}
        for square in rng.sample(range(1, 33), rng.randint(1, 24)):
            side = rng.choice(list(Side))
            crown_row = range(1, 5) if side is Side.WHITE else range(29, 33)
            king = rng.random() < 0.4 or square in crown_row
            pieces[square] = Piece(side, king)
        if all(sum(p.side is side for p in pieces.values()) <= 12 for side in Side):
            return Position.of(pieces, rng.choice(list(Side)))


def kings_amid_men(rng: random.Random) -> Position:
    """A king or two among many enemy men: loops through its own start square."""
    side = rng.choice(list(Side))
    inner = [9, 10, 11, 17, 18, 19, 25, 26, 27]
    men = rng.sample(inner, rng.randint(4, 9))
    free = [n for n in range(5, 29) if n not in men]
    pieces = {n: Piece(side.other, rng.random() < 0.3) for n in men}
    pieces |= {n: Piece(side, True) for n in rng.sample(free, rng.randint(1, 2))}
    return Position.of(pieces, side)


def played(rng: random.Random, start: Position | None = None, plies: int = 200) -> History:
    history = History.start(start)
    for _ in range(plies):
        moves = history.position.legal_moves
        if not moves:
            break
        history = history.play(rng.choice(moves))
    return history


def shuffled(rng: random.Random, plies: int) -> History:
    """Kings that mostly go to and fro, so that positions repeat and counts grow."""
    history = History.start(Position.from_fen("B:WK32,K31,21:BK1,K2,12"))
    for _ in range(plies):
        moves = history.position.legal_moves
        if not moves:
            break
        back = [
            m for m in moves if len(history.moves) > 1 and m.path == history.moves[-2].path[::-1]
        ]
        quiet = [m for m in moves if m.start not in (12, 21)]
        wanted = back if back and rng.random() < 0.6 else quiet if rng.random() < 0.99 else moves
        history = history.play(rng.choice(wanted or moves))
    return history


def seen(position: Position) -> list[object]:
    return [
        position.fen,
        [
            [list(m.path), list(m.captures), str(m), m.letters(), position.play(m).fen]
            for m in position.legal_moves
        ],
    ]


def said(read, *arguments: str) -> str:
    try:
        found = read(*arguments)
    except KingmeError as error:
        return f"! {error}"
    return found.fen if isinstance(found, Position) else str(found)


def test_exports_the_usual_start(script):
    assert script("R.START") == Position.start().fen


def test_squares_in_letters_both_ways(script):
    letters = Position.start().variant.geometry.letters
    names = [letters(n) for n in range(1, 33)]
    assert script("names => names.map((_, i) => R.letters(i + 1))", names) == names
    assert script("names => names.map(R.number)", names) == list(range(1, 33))
    assert script("['a2', 'i1', 'a9', '', 'C3'].map(R.number)") == [0, 0, 0, 0, 22]


@pytest.mark.parametrize("seed", range(4))
def test_legal_moves_and_results(script, seed):
    rng = random.Random(seed)
    positions = [placed(rng) for _ in range(500)]
    positions += [kings_amid_men(rng) for _ in range(300)]
    positions += list(itertools.chain(*(played(rng).positions for _ in range(6))))
    positions += [Position.from_fen(LOOPS), Position.from_fen(ROUTES)]
    answers = script(MOVES, [p.fen for p in positions])
    for position, answer in zip(positions, answers, strict=True):
        assert answer == seen(position), position.fen


def test_outcomes_counts_and_claims_under_every_preset(script):
    rng = random.Random(5)
    histories = [played(rng) for _ in range(4)] + [shuffled(rng, 130) for _ in range(6)]
    histories += [played(rng, placed(rng), 60) for _ in range(20)]
    histories.append(History.start(Position.from_fen("W:W5:B1")))
    presets = list(PRESETS.values())
    records = {r.name: r for r in page_data().presets}
    sent = [
        {
            "name": r.name,
            "repetition": r.repetition,
            "repetitionReset": r.repetition_reset,
            "progressPlies": r.progress_plies,
            "progress": r.progress,
            "claimed": r.claimed,
            "plyCap": r.ply_cap,
            "agreement": r.agreement,
        }
        for r in (records[p.name] for p in presets)
    ]
    sent.append(sent[0] | {"plyCap": 50, "progress": ["promotion", "capture"], "repetition": 2})
    games = [[h.positions[0].fen, [str(m) for m in h.moves]] for h in histories]
    reached = set()
    for history, plies in zip(histories, script(GAMES, [games, sent]), strict=True):
        for ply, answers in enumerate(plies):
            now = history.back(len(history.moves) - ply)
            for preset, answer in zip(presets, answers, strict=False):
                assert answer == judged(now, preset), (preset.name, ply, games)
                reached.add((preset.name, answer[0] and answer[0]["termination"]))
            capped = answers[-1][0]
            assert capped or ply < 50
    assert {("standard", "repetition"), ("standard", "no_progress"), ("captures50", "no_progress"),
            ("agreement", None), ("standard", "no_moves")} <= reached  # fmt: skip


def judged(history: History, preset) -> list[object]:
    outcome = history.outcome(preset)
    claims = history.claimable(preset)
    return [
        outcome
        and {
            "winner": outcome.winner and outcome.winner.code,
            "termination": outcome.termination.value,
        },
        {
            "quiet": history.quiet_plies(preset),
            "limit": preset.progress_plies,
            "repetitions": history.repetitions(preset),
            "repetitionLimit": preset.repetition,
        },
        {
            "progress": any(not isinstance(c, Move) for c in claims),
            "moves": [str(c) for c in claims if isinstance(c, Move)],
        },
    ]


SPELLINGS = [
    "11-15", "11 15", " 11-15 ", "11x15", "11:15", "011-015", "1. 11-15", "1... 11-15", "11-15!",
    "11-15 ?!", "c5-d4", "e7f6", "f6-E5", "F6 e5", "11–15", "11", "11-", "-15", "11--15", "", "abc",
    "99-100", "a1-a2", "11-15-18", "12-12", "0-0", "21-17", "15x22", "f6-", "11-16", "b6a5",
    "11,15", "x", "11-15 16", "1.", "1. e4", "11×15", "11-15.", "¹¹-15", "0000000000000011-15",
    "9-13;",
]  # fmt: skip


#: Digits of other scripts are refused in fewer words here: the page says which word it cannot read.
FOREIGN = ["１1-15", "11-１5", "1１-15", "f6-e５", "１. 11-15", "11-15$１"]

#: How a game can end: who won, and why; a desertion may also be claimed as a draw.
DRAWS = ("agreement", "repetition", "no_progress", "ply_cap", "desertion")
ENDS = [
    Outcome(winner, why)
    for why in Termination
    for winner in (Side.BLACK, Side.WHITE, None)
    if (why.value in DRAWS if winner is None else why.value not in DRAWS[:-1])
    if why is not Termination.CROWNED  # in variants alone
]


def test_every_way_to_end_has_its_sentence(script):
    said = script(
        """async ([ends, preset]) => {
          const { SIDES, resultSentence } = await import("/static/speech.js");
          const { reasonOf } = await import("/static/clock.js");
          return ends.map(([winner, termination]) => resultSentence(
            { winner, termination, reason: reasonOf({ winner, termination }, SIDES) }, preset));
        }""",
        [
            [[end.winner and end.winner.code, end.termination.value] for end in ENDS],
            {"progress": ["capture", "man_move"], "progressPlies": 80},
        ],
    )
    sentences = dict(zip(ENDS, said, strict=True))
    for end, sentence in sentences.items():
        start = f"{end.winner.title} wins. " if end.winner else "The game is a draw. "
        assert sentence.startswith(start)
        assert "undefined" not in sentence
    timeout, gone = Termination.TIMEOUT, Termination.DESERTION
    assert sentences[Outcome(Side.BLACK, timeout)] == "Black wins. White’s time ran out."
    assert sentences[Outcome(Side.WHITE, gone)] == "White wins. Black left the game."
    assert sentences[Outcome(None, gone)] == "The game is a draw. A player left the game."


def test_move_texts(script):
    rng = random.Random(6)
    pairs = [(Position.start(), text) for text in SPELLINGS]
    for position in [Position.from_fen(LOOPS), Position.from_fen(ROUTES)] + [
        p for _ in range(150) for p in (placed(rng), kings_amid_men(rng))
    ]:
        for move in position.legal_moves[:6]:
            ends = [f"{move.start}x{move.end}", f"{move.start}-{move.end}"]
            texts = [str(move), move.letters(), *ends]
            texts += [" ".join(map(str, move.path)), move.letters().replace(":", "x").upper()]
            texts += ["x".join(map(str, move.path[:-1])), "x".join(map(str, (*move.path, 5)))]
            texts += ["x".join(map(str, (move.start, *move.path[2:])))]
            pairs += [(position, text) for text in texts]
        pairs += [(position, f"{rng.randint(0, 33)}-{rng.randint(0, 33)}") for _ in range(3)]
    alphabet = "0123456789abcdefgh-x: .!?"
    for _ in range(300):
        text = "".join(rng.choice(alphabet) for _ in range(rng.randint(0, 9)))
        pairs.append((placed(rng), text))
    answers = script(TEXTS, [[p.fen, text] for p, text in pairs])
    for (position, text), answer in zip(pairs, answers, strict=True):
        assert answer == said(position.parse, text), (position.fen, text)


def test_ambiguous_short_jump_names_both_routes(script):
    [answer] = script(TEXTS, [[ROUTES, "27x11"]])
    assert answer == "! 27x11 can mean 27x18x11 or 27x20x11: write the whole route"


def test_pdn_says_who_won_by_who_moved_first(script):
    text = script("""() => {
      const positions = [R.fromFen("W:W31:B22")], moves = [];
      for (const text of ["31-26", "22x31"]) {
        moves.push(R.parseMove(positions[positions.length - 1], text));
        positions.push(R.play(positions[positions.length - 1], moves[moves.length - 1]));
      }
      return R.pdn({positions, moves, startFen: "W:W31:B22", result: "1-0", black: 'A "B"',
        white: "kingme", date: "2026.01.02", event: "A game", preset: "standard"});
    }""")
    assert '[Result "1-0"]' in text
    assert '[GameType "21,B,8,8,N1,0"]' in text
    assert '[SetUp "1"]\n[FEN "W:W31:B22"]' in text
    assert text.endswith("\n\n1... 31-26 2. 22x31 1-0\n")
    assert '[Black "A  B "]' in text


def test_pdn_of_a_long_game_wraps_and_has_no_set_up(script):
    history = played(random.Random(8))
    text = script(
        """texts => {
      const positions = [R.fromFen(R.START)], moves = [];
      for (const text of texts) {
        moves.push(R.parseMove(positions[positions.length - 1], text));
        positions.push(R.play(positions[positions.length - 1], moves[moves.length - 1]));
      }
      return R.pdn({positions, moves, startFen: null});
    }""",
        [str(m) for m in history.moves],
    )
    head, body = text.split("\n\n")
    assert "SetUp" not in head
    assert all(len(line) <= 80 for line in body.splitlines())
    words = [w for w in body.split() if not w.endswith(".")]
    assert words == [*map(str, history.moves), "*"]


def test_digits_of_other_scripts_are_refused(script):
    for said in script(TEXTS, [[Position.start().fen, text] for text in FOREIGN]):
        assert said.startswith("! '") and "Legal: " in said
