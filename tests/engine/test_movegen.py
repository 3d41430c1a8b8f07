"""The kernels' moves against those of the rules, which are their oracle."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from kingme import Position
from kingme.engine.kernels import movegen, routes
from kingme.engine.kernels.board import BITS, packed, scalars
from kingme.engine.kernels.perft import Counter, divide, perft

DATA = Path(__file__).parents[1] / "data"
SQUARES = {bit: square for square, bit in enumerate(BITS) if square}
LOOPS = "W:WK22:B9,10,11,17,18,19,25,26,27"
AFFORDABLE = 30_000_000


def paths(position):
    records = np.zeros(routes.SIZE, np.uint64)
    count = routes.write(*scalars(position), records)
    rows = records[: count * routes.STRIDE].reshape(count, routes.STRIDE)
    found = [
        (tuple(SQUARES[int(bit)] for bit in row[2 : 2 + int(row[1])]), int(row[0])) for row in rows
    ]
    assert len(set(found)) == len(found)
    return set(found)


def expected_paths(position):
    return {(move.path, sum(1 << BITS[n] for n in move.captures)) for move in position.legal_moves}


def check(position):
    assert paths(position) == expected_paths(position), position.fen
    memory = np.zeros(movegen.WIDTH, np.uint64)
    words = scalars(position)
    assert movegen.count(*words) == len(position.legal_moves), position.fen
    for every in (0, 1):
        count = movegen.listed(*words, every, memory)
        found = sorted(int(word) for word in memory[:count])
        moves = [packed(move) for move in position.legal_moves]
        assert found == sorted(moves if every else set(moves)), position.fen


def test_every_route_is_found(random_positions):
    for position in random_positions(2500):
        check(position)


def test_positions_of_games():
    chance = random.Random(7)
    for _ in range(25):
        position = Position.start()
        while position.legal_moves and chance.random() < 0.99:
            check(position)
            position = position.play(chance.choice(position.legal_moves))


@pytest.mark.parametrize(
    ("fen", "all_routes", "results"),
    [
        (LOOPS, 16, 8),
        ("W:W27,32:B15,16,23,24", 2, 2),
        ("B:W25,26:B22", 2, 2),
        ("W:W5:B1", 0, 0),
        ("B:W14,18:B9", 1, 1),
    ],
)
def test_cases_that_programs_get_wrong(fen, all_routes, results):
    position = Position.from_fen(fen)
    check(position)
    assert len(paths(position)) == all_routes
    assert len({packed(move) for move in position.legal_moves}) == results


def test_a_king_that_comes_back_to_its_square():
    lines = (DATA / "king_loops.txt").read_text().splitlines()
    games = [line.split() for line in lines if line and not line.startswith("#")]
    for game in games[:20]:
        position = Position.start()
        for text in game[:-1]:
            position = position.play(position.parse(text))
        check(position)
        last = position.parse(game[-1])
        assert last.start == last.end
        after = position.play(last)
        assert perft(after, 3) == sum(perft(after.play(m), 2) for m in after.legal_moves)


def test_more_routes_than_any_position_has_fit_a_list():
    # A king's landings form a bishop's graph of nine captures at most; from one square of it
    # there are sixteen complete routes and never more, and no side has more than twelve pieces.
    assert len(paths(Position.from_fen(LOOPS))) * 12 <= movegen.WIDTH


def rows():
    for line in (DATA / "perft_english.tsv").read_text().splitlines():
        if not line.startswith("#"):
            fen, counts = line.split("\t")
            yield fen, [int(count) for count in counts.split()]


@pytest.mark.parametrize(("fen", "counts"), list(rows()))
def test_perft_equals_the_published_counts(fen, counts):
    position = Position.from_fen(fen, strict=False)
    depths = [depth for depth, count in enumerate(counts, 1) if count <= AFFORDABLE]
    assert [perft(position, depth) for depth in depths] == counts[: len(depths)]
    # A table too small for all positions, and used again at another depth.
    counter = Counter(1)
    assert [counter.perft(position, depth) for depth in depths] == counts[: len(depths)]
    assert counter.perft(position, 1) == counts[0]
    assert len(depths) >= 6


def test_divide_is_in_the_order_of_the_rules_and_adds_up():
    parts = divide(Position.start(), 7)
    assert list(parts) == list(Position.start().legal_moves)
    assert sum(parts.values()) == 179_740
    assert perft(Position.start(), 0) == 1
    assert perft(Position.from_fen("W:W5:B1"), 3) == 0


def test_depths_that_make_no_sense():
    with pytest.raises(ValueError, match="0 or more"):
        perft(Position.start(), -1)
    with pytest.raises(ValueError, match="1 or more"):
        divide(Position.start(), 0)
