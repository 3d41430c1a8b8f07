"""`variants/rules.js` is the twin of `kingme.rules` for every variant, in a real browser."""

from __future__ import annotations

import random

import pytest

from kingme.errors import CaptureLimitError, IllegalMoveError
from kingme.rules.history import History
from kingme.rules.piece import Piece
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS, Goal, Side, Variant
from kingme.web.pages import page_data

OTHERS = [name for name in VARIANTS if name != ENGLISH.name]

#: What the browser says of each position: FEN, legal moves, and the FEN after each.
MOVES = """fens => fens.map(fen => {
  const position = R.fromFen(fen);
  return [R.toFen(position), R.legalMoves(position).map(move =>
    [move.path, move.captures, move.text, R.moveText(move, "letters"), move.crowned,
     R.toFen(R.play(position, move))])];
})"""

#: The outcome after every ply of a game, under every preset.
GAMES = """([games, presets]) => games.map(([start, texts]) => {
  const positions = [R.fromFen(start)], moves = [], said = [];
  const look = () => said.push(presets.map(preset => {
    const { winner, termination } = R.outcome(positions, moves, preset) ?? {};
    return termination ? [winner, termination] : null;
  }));
  look();
  for (const text of texts) {
    const now = positions[positions.length - 1];
    moves.push(R.parseMove(now, text));
    positions.push(R.play(now, moves[moves.length - 1]));
    look();
  }
  return said;
})"""


#: Whole routes that are listed under another of the same result, and are the beginning of a longer
#: one if landings may be left out: variant, position, text, captures.
ROUTES = [
    (
        "russian",
        "W:WK2,K7,K30:BK3,K8,K9,K15,K16,K17,K20,K22,K24,K25,K26",
        "30x19x12",
        {26, 16},
    ),
    ("pool", "W:WK1,12,20,29:B3,6,11,17,18,23,24,25", "1x19x28", {6, 24}),
    (
        "czech",
        "W:WK3,K4,K10,17,28,30:B6,K7,8,K13,14,16,K20,21,22,K26",
        "4x18x25",
        {8, 22},
    ),
    ("turkish", "W:WK57:B49,33", "57x41x25", {49, 33}),
]


@pytest.fixture(scope="module", params=OTHERS)
def variant(request) -> Variant:
    return VARIANTS[request.param]


@pytest.fixture(scope="module")
def script(browser, shared_base, variant):
    """A function that evaluates an expression in a variant's page, where `R` is its rules."""
    page = browser.new_page()
    page.goto(f"{shared_base}/variants/{variant.name}")
    page.evaluate(
        "async () => { globalThis.R = { ...await import('/static/variants/rules.js'),"
        " ...await import('/static/variants/notation.js') }; }"
    )
    yield page.evaluate
    page.close()


def placed(rng: random.Random, variant: Variant) -> Position:
    """Random pieces on random squares; few men, so that kings meet long routes."""
    squares = variant.geometry.squares
    while True:
        pieces = {}
        for square in rng.sample(range(1, squares + 1), rng.randint(2, min(26, squares // 2))):
            side = rng.choice(list(Side))
            crowned = bool(variant.geometry.masks[square] & variant.crown_row(side))
            pieces[square] = Piece(side, rng.random() < 0.3 or crowned)
        if all(sum(p.side is side for p in pieces.values()) <= variant.men for side in Side):
            return Position.of(pieces, rng.choice(list(Side)), variant)


def played(rng: random.Random, variant: Variant, plies: int) -> History:
    history = History.start(variant=variant)
    for _ in range(plies):
        moves = history.position.legal_moves
        if not moves or history.outcome(variant.draws[0]):
            break
        history = history.play(rng.choice(moves))
    return history


def endgame(rng: random.Random, variant: Variant) -> History:
    """A few kings, and perhaps a man, that walk until the game is over."""
    squares = range(1, variant.geometry.squares + 1)
    while True:
        count = rng.randint(2, 5)
        pieces = {
            n: Piece(side, True)
            for n, side in zip(rng.sample(squares, count), [*Side] * 3, strict=False)
        }
        free = [
            n
            for n in squares
            if n not in pieces and variant.men // 2 < n < len(squares) - variant.men // 2
        ]
        if rng.random() < 0.5:
            pieces[rng.choice(free)] = Piece(rng.choice(list(Side)), False)
        position = Position.of(pieces, rng.choice(list(Side)), variant)
        if position.legal_moves and not position.legal_moves[0].captures:
            break
    history = History.start(position)
    for _ in range(130):
        moves = history.position.legal_moves
        if not moves or history.outcome(variant.draws[0]):
            break
        history = history.play(rng.choice(moves))
    return history


def seen(position: Position) -> list[object]:
    geometry = position.variant.geometry
    said = []
    for move in position.legal_moves:
        after = position.play(move)
        man, king = position.piece_at(move.start), after.piece_at(move.end)
        said.append(
            [
                list(move.path),
                list(move.captures),
                str(move),
                move.letters(geometry),
                bool(king and king.king and man and not man.king),
                after.fen,
            ]
        )
    return [position.fen, said]


def test_the_start_and_the_squares(script, variant):
    geometry = variant.geometry
    names = [geometry.letters(n) for n in range(1, geometry.squares + 1)]
    assert script("R.START") == Position.start(variant).fen
    assert script("R.SQUARES.map(R.letters)") == names
    assert script("names => names.map(R.number)", names) == list(range(1, len(names) + 1))


def test_legal_moves_of_random_positions(script, variant):
    rng = random.Random(variant.name)
    positions, expected = [], []
    while len(positions) < 250:
        position = placed(rng, variant)
        try:
            expected.append(seen(position))
        except CaptureLimitError:
            continue
        positions.append(position)
    found = script(MOVES, [position.fen for position in positions])
    for position, one, other in zip(positions, found, expected, strict=True):
        assert one == other, position


def test_random_games_and_how_they_end(script, variant):
    rng = random.Random(variant.name)
    games = [played(rng, variant, 160) for _ in range(4)]
    if variant.goal is not Goal.CROWN_FIRST:  # there a king is the end
        games += [endgame(rng, variant) for _ in range(12)]
    data = page_data(variant)
    names = [preset.name for preset in data.presets]
    presets = script("JSON.parse(document.getElementById('kingme-data').textContent).presets")
    said = script(
        GAMES, [[[game.positions[0].fen, [str(m) for m in game.moves]] for game in games], presets]
    )
    for game, answers in zip(games, said, strict=True):
        for ply in (*range(0, len(game.moves), 9), *range(len(game.moves) + 1)[-3:]):
            past = game.back(len(game.moves) - ply)
            ends = [past.outcome(name) for name in names]
            assert answers[ply] == [
                end and [end.winner and end.winner.code, end.termination.value] for end in ends
            ], past


def test_a_route_that_is_written_whole_is_never_short_for_a_longer_one(script, variant):
    for name, fen, text, captures in ROUTES:
        if name != variant.name:
            continue
        position = Position.from_fen(fen, variant)
        move = position.parse(text)
        assert set(move.captures) == captures
        read = "([fen, text]) => R.parseMove(R.fromFen(fen), text).captures"
        assert set(script(read, [fen, text])) == captures


#: Texts that are no route, though a jump with the same ends captures between the squares they name.
NO_ROUTES = [
    ("russian", "W:WK5:B11,14,24", "5x32x16x2"),
    ("russian", "W:WK17,K21,30:B10,16,23,K24,K26", "17x31x20x7x17"),
    ("brazilian", "W:WK11,19:B15,24,25,26,28", "11x25x27x20"),
    ("thai", "W:WK18,22:B14,27", "18x5x32"),
    ("italian", "W:WK17:B14,15,16,20", "17x7x23x12"),
]


def test_what_is_no_route_is_refused(script, variant):
    for name, fen, text in NO_ROUTES:
        if name != variant.name:
            continue
        position = Position.from_fen(fen, variant)
        with pytest.raises(IllegalMoveError):
            position.parse(text)
        read = """([fen, text]) => {
          try { return R.parseMove(R.fromFen(fen), text).text; } catch (error) { return "refused"; }
        }"""
        assert script(read, [fen, text]) == "refused"
