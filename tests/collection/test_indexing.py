"""What is kept of a game move by move is what its positions say; its text is what write() says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kingme.collection import Collection, Query
from kingme.collection.indexing import Index
from kingme.collection.packing import code_of, key_of, mass_of, packed
from kingme.rules.ballots import THREE_MOVE
from kingme.rules.history import History
from kingme.rules.pdn import read, write
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side

from .made import played

ARCHIVE = Path(__file__).parents[1] / "data" / "pdn" / "archive.pdn"


def plain(number, history, result):
    """The rows of a game, from each of its positions."""
    places, masses, seen = [], set(), set()
    for ply, position in enumerate(history.positions):
        key, turn = key_of(position), int(position.turn is Side.WHITE)
        masses.add((mass_of(position), number))
        if (key, turn) in seen:
            continue
        seen.add((key, turn))
        code = 0
        if ply < len(history.moves):
            code = code_of(history.moves[ply], position.legal_moves)
        places.append((key, number, turn, (ply << 17 | code) << 2 | result))
    return places, masses


def same(index, history):
    line = index.line(history.positions[0], history.moves)
    assert line.positions == history.positions
    assert line.moves == history.moves
    found = index.rows(7, line, 2)
    assert (found.places, set(found.masses)) == plain(7, history, 2)
    assert len(set(found.masses)) == len(found.masses)
    assert found.moves == packed(history.moves)
    return found


@pytest.mark.parametrize("name", VARIANTS)
def test_rows_are_those_of_the_positions(name):
    variant = VARIANTS[name]
    index, chance = Index(variant), random.Random(name)
    start = Position.start(variant)
    starts = [start, start, start.mirrored()]
    for _ in range(3):
        late = played(start, chance, 70).positions
        starts += [late[-1], late[len(late) // 2].mirrored()]
    for begin in starts:
        same(index, played(begin, chance, 120))


@pytest.mark.parametrize(
    "fen",
    [
        "W:W27,32:B15,16,23,24",
        "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13",
        "B:WK1,7,K8,K15,K16,21,28,29:BK3,11",
        "W:W15,21,25,26,28,30,31,32:B1,2,4,6,8,10,11,13,18,19,27",
        "W:WK22:B9,10,11,17,18,19,25,26,27",
        "B:W26,27:B22",
        "W:WK29:BK25",
    ],
)
def test_jumps_with_one_start_and_end_have_the_same_numbers(fen):
    position = Position.from_fen(fen, strict=False)
    for turned in (position, position.mirrored()):
        index = Index(position.variant)
        for move in turned.legal_moves:
            same(index, History((turned, turned.after(move)), (move,)))


def test_moves_that_are_forgotten_are_learned_again(monkeypatch):
    monkeypatch.setattr("kingme.collection.indexing.REMEMBERED", 3)
    index = Index(VARIANTS["english"])
    same(index, played(Position.start(), random.Random(3), 60))


def test_openings_are_the_ballots():
    index = Index(VARIANTS["english"])
    for ballot in THREE_MOVE.values():
        history = History.start()
        for text in ballot.moves:
            history = history.play(text)
        for line in (history, history.play(history.position.legal_moves[0])):
            assert same(index, line).opening == ballot.number
    assert same(index, History.start(Position.start().mirrored())).opening is None


def test_texts_of_an_archive_are_those_that_write_makes(tmp_path):
    wanted = [write(game) for game in read(ARCHIVE.read_bytes())]
    plies = [len(game.moves) for game in read(ARCHIVE.read_bytes())]
    with Collection(tmp_path / "games.db", write=True) as games:
        (loaded,) = games.load([str(ARCHIVE)])
        found = games.search(Query(), limit=1000).games
        texts = [games.text(game.id) for game in found]
    assert loaded.plies == sum(plies)
    assert texts == list(dict.fromkeys(wanted))


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 *",
        '[Event "A"]\n\n*',
        '[SetUp "1"]\n[FEN "W:WK29:BK25"]\n\n29x22 1-0',
        '[FEN "W:W26,27,32:B1,2,3"]\n26-22 1-6 27-24 2-7 1-0',
        '[GameType "25"]\n1. c3-d4 d6-c5 0-2',
        '[Event "A"]\n1. 11-15 {so} 22-18! (22-17) 2. 15x22 25x18 *',
        '[Event "A"]\n{first} 1. 11-15 *',
        '[Event "A"]\n1. 11-15 ... 8-11 -- *',
        '[Event "A"]\n1. 11-15 99-100 22-18 1/2-1/2',
        '[Event "A"]\n1. 11-15 $4 22-18 1/2-1/2',
        '[Event "A"]\n[Result "1-0"]\n1. 11-15 22-18',
    ],
)
def test_texts_of_few_words(tmp_path, text):
    source = tmp_path / "one.pdn"
    source.write_text(text)
    (game,) = read(text)
    with Collection(tmp_path / "games.db", write=True) as games:
        (loaded,) = games.load([str(source)])
        assert (loaded.games, loaded.added, loaded.plies) == (1, 1, len(game.moves))
        assert loaded.faulty == any(note.kind == "error" for note in game.notes)
        assert games.text(1) == write(game)
        assert games.history(1) == game.history
