"""Self-play: its file goes on where it was cut, whoever plays the games."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import asdict

import numpy as np
import pytest

from kingme.engine.api import EngineError
from kingme.engine.kernels import tables
from kingme.engine.kernels.board import scalars
from kingme.engine.training.openings import Openings, eleven_man, three_move
from kingme.engine.training.records import Store, compact, padded, read
from kingme.engine.training.selfplay import BLOCK, Board, Seat, Terms, blocks, duel
from kingme.engine.weights import default
from kingme.rules.ballots import THREE_MOVE
from kingme.rules.position import Position

OPENINGS = Openings()


def terms(seed=5):
    return Terms(seed, 40, default().digest, OPENINGS.digest)


def play(path, games, workers=1, seed=5):
    with Store(path, asdict(terms(seed))) as store:
        for first, rows in blocks(terms(seed), OPENINGS, default(), store.games, workers):
            store.append(first, BLOCK, rows)
            if store.games >= games:
                return


def test_ballots():
    assert len(eleven_man()) == 2400
    assert all(
        position.black.bit_count() == position.white.bit_count() == 11 for position in eleven_man()
    )
    assert len(three_move()) == len(THREE_MOVE)
    assert OPENINGS.digest == "0ff3fe4d", "files of self-play say so of their openings"
    draws = [OPENINGS.draw(1, number) for number in range(400)]
    assert len({draw[2] for draw in draws}) == 400
    assert 150 < sum(draw[0][0].bit_count() == 11 for draw in draws if draw[1] < 2) < 250


def test_boards_are_packed_and_unpacked(random_positions):
    words = np.array([int(scalars(p)[i]) for p in random_positions(50) for i in range(3)])
    assert (padded(compact(words).astype(np.uint32)) == words.astype(np.uint64)).all()


def test_a_run_that_was_cut_goes_on_with_the_same_bytes(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    play(whole, 3 * BLOCK)
    data = whole.read_bytes()
    rows, games, heads = read([whole])
    assert (heads[0]["games"], heads[0]["positions"]) == (3 * BLOCK, len(rows))
    assert len(games) == len(rows)
    assert 2 * BLOCK < games.max() <= 3 * BLOCK
    for size in (10, len(data) // 2, len(data) - 1):
        cut.write_bytes(data[:size])
        play(cut, 3 * BLOCK)
        assert cut.read_bytes() == data
    cut.unlink()
    play(cut, 3 * BLOCK, workers=3)
    assert cut.read_bytes() == data


def test_a_game_does_not_depend_on_those_before_it(tmp_path):
    words, plies, seed = OPENINGS.draw(5, 0)
    board, fresh = Board(500), Seat(default().address)
    result, rows = board.play(words, fresh, fresh, plies, seed)
    used, other = Board(500), Seat(default().address)
    for number in range(1, 6):
        others, before, chance = OPENINGS.draw(5, number)
        used.play(others, other, other, before, chance)
        other.ctl[tables.AGE] = 62  # as after many games: it wraps round in this one
        again, same = used.play(words, other, other, plies, seed)
        assert again == result
        assert (same == rows).all()
        assert (other.entries == fresh.entries).all(), "what a table keeps goes by the age"


def test_positions_are_quiet_and_results_are_those_of_the_game(tmp_path):
    play(tmp_path / "a", BLOCK)
    rows, games, _ = read([tmp_path / "a"])
    for row in rows[::50]:
        white = [s + 1 for s in range(32) if int(row["white"]) >> s & 1]
        black = [s + 1 for s in range(32) if int(row["black"]) >> s & 1]
        names = [
            ",".join(f"{'K' if int(row['kings']) >> s - 1 & 1 else ''}{s}" for s in side)
            for side in (white, black)
        ]
        turn = "B" if row["turn_result"] & 1 else "W"
        position = Position.from_fen(f"{turn}:W{names[0]}:B{names[1]}")
        assert not any(move.captures for move in position.legal_moves)
    for game in np.unique(games)[:20]:
        assert len(np.unique(rows["turn_result"][games == game] >> 1)) == 1


def test_other_files_are_left_alone(tmp_path):
    file = tmp_path / "other"
    file.write_bytes(b"something else\n")
    with pytest.raises(EngineError, match="something else"):
        play(file, 1)
    with pytest.raises(EngineError, match="no file of self-play"):
        read([file])
    assert file.read_bytes() == b"something else\n"
    play(tmp_path / "a", BLOCK)
    with pytest.raises(EngineError, match=r"on other terms: seed \d+, not 6\. Name"):
        play(tmp_path / "a", 2 * BLOCK, seed=6)
    with pytest.raises(EngineError, match="cannot be read"):
        read([tmp_path / "none"])
    with pytest.raises(EngineError, match="no positions"):
        read([])
    with Store(tmp_path / "b", {}) as store, pytest.raises(ValueError, match="is next"):
        store.append(64, 64, read([tmp_path / "a"])[0])


def test_equal_weights_score_the_half_of_each_pair():
    points = list(duel(default(), default(), eleven_man()[:3], 6, 200))
    assert [a + b for a, b in zip(points[::2], points[1::2], strict=True)] == [1.0, 1.0, 1.0]


GAME = """
from kingme.engine.training.openings import Openings, eleven_man
from kingme.engine.training.selfplay import Board, Seat, duel
from kingme.engine.weights import default
print(list(duel(default(), default(), eleven_man()[:1], 2, 5)))
words, plies, seed = Openings().draw(1, 3)
seat = Seat(default().address)
result, rows = Board(5).play(words, seat, seat, plies, seed)
print(result, rows.tobytes().hex())
"""


def test_a_game_in_plain_python_is_the_same():
    said = [
        subprocess.run(
            [sys.executable, "-c", GAME],
            capture_output=True,
            text=True,
            timeout=200,
            check=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
        ).stdout
        for plain in ("0", "1")
    ]
    assert said[0] == said[1]
    assert len(said[0]) > 200
