"""The opening book: how one is built, what its file holds, and what is played from it."""

from __future__ import annotations

import json
import random
import statistics
import zlib

import pytest

from kingme import History, Position, Side
from kingme.engine.api import EngineError, Info, Limits, Score
from kingme.engine.book import DEFAULT, MOST_LOSS, Book, default, key_of, word_of
from kingme.engine.book.build import GLANCE, GLANCE_MARGIN, Builder, Plan, decks
from kingme.engine.book.searches import Found, Searches
from kingme.engine.book.tree import Tree
from kingme.engine.levels import LEVELS
from kingme.engine.local import LocalEngine
from kingme.engine.plain import PlainEngine
from kingme.engine.thinking import choose
from kingme.rules.ballots import THREE_MOVE, TWO_MOVE
from kingme.rules.outcome import STANDARD
from kingme.rules.variant import VARIANTS

TERMS = {"test": 1}
SEEDS = [(THREE_MOVE[number].position, 0) for number in (5, 60)]
PLAN = Plan(positions=70, nodes=500, margin=15)


class Oracle:
    """Searches nothing: the score of a position follows from its key, a glance strays a little."""

    def __init__(self, last: int | None = None) -> None:
        self.asked: list[tuple[int, int | None]] = []
        self._last = last

    def clear(self) -> None:
        pass

    def best_move(self, history: History, limits: Limits) -> Info:
        if self._last is not None and len(self.asked) >= self._last:
            raise KeyboardInterrupt
        key = key_of(history.position)
        assert key is not None and history.position.turn is Side.BLACK
        self.asked.append((key, limits.nodes))
        score = zlib.crc32(str(key).encode()) % 41 - 20
        score += zlib.crc32(str((key, limits.nodes)).encode()) % 5
        return Info(3, Score(score), limits.nodes or 0, 0.0, history.position.legal_moves[:1])


def built(path, oracle=None, plan=PLAN):
    with Searches(path, TERMS) as searches:
        builder = Builder(searches, oracle or Oracle(), plan, seeds=iter(SEEDS))
        return builder, builder.build()


def position_of(key: int) -> Position:
    """The position of a key, with Black to move."""
    masks = Position.start().variant.geometry.masks
    own, enemy = (
        sum(masks[n + 1] for n in range(32) if word >> n & 1)
        for word in (key & 0xFFFFFFFF, key >> 32)
    )
    return Position(own, enemy, 0, Side.BLACK)


def test_minimax_over_the_tree(tmp_path):
    builder, _ = built(tmp_path / "s")
    tree = builder.tree
    assert len(tree.opened) == PLAN.positions
    for node in tree.nodes.values():
        if node.children:
            assert node.value == max(-child.value for _, child in node.children)
            assert len(node.children) == len(node.position.legal_moves)
            for move, child in node.children:
                assert child is tree.nodes[key_of(node.position.after(move))]
        else:
            assert node.value == (node.glance if node.score is None else node.score)
        assert position_of(node.key) == node.position
    for node in tree.opened:
        for _, child in node.children:
            if child.children is None and node.value + child.value <= GLANCE_MARGIN:
                assert child.score is not None, "what may matter is searched in full"


def test_good_moves_are_followed_and_bad_ones_are_not(tmp_path):
    tree = built(tmp_path / "s")[0].tree
    seeds = {key_of(position) for position, _ in SEEDS}
    reached = {child.key for node in tree.opened for _, child in node.children}
    assert all(node.key in reached | seeds for node in tree.opened)
    far = tree.distances(dict.fromkeys(seeds, 0), PLAN.margin, 2)
    assert seeds <= set(far)
    closed = [child for node in tree.opened for _, child in node.children if child.key not in far]
    assert closed
    for node in tree.opened:
        for _, child in node.children:
            if node.key in far and node.value + child.value <= PLAN.margin:
                assert far[child.key] <= far[node.key] + node.value + child.value + 2


def test_entries_are_what_the_tree_says(tmp_path):
    builder, book = built(tmp_path / "s")
    assert len(book) > 10
    for key, (value, words) in book.entries.items():
        node = builder.tree.nodes[key]
        losses = [word >> 10 for word in words]
        assert value == node.value
        assert losses == sorted(losses) and losses[0] == 0 and losses[-1] <= PLAN.margin
        for found in book.moves(node.position):
            (child,) = (child for move, child in node.children if move == found.move)
            assert found.score.value == -child.value
            assert child.children is not None


def test_a_position_is_searched_once_by_whatever_moves_it_arises(tmp_path):
    oracle = Oracle()
    built(tmp_path / "s", oracle)
    assert len(oracle.asked) == len(set(oracle.asked))
    assert {nodes for _, nodes in oracle.asked} == {500, 500 // GLANCE}


@pytest.mark.parametrize("stops", [(0,), (1, 2), (40, 90, 200)])
def test_work_that_was_broken_off_comes_to_the_same_book(tmp_path, stops):
    _, whole = built(tmp_path / "whole")
    cut = tmp_path / "cut"
    for last in stops:
        with pytest.raises(KeyboardInterrupt):
            built(cut, Oracle(last))
        cut.write_bytes(cut.read_bytes()[: -1 if last % 2 else None])
    built(tmp_path / "cut")
    assert cut.read_bytes() == (tmp_path / "whole").read_bytes()
    oracle = Oracle()
    assert built(cut, oracle)[1].digest == whole.digest
    assert not oracle.asked
    whole.save(tmp_path / "a.book")
    built(cut)[1].save(tmp_path / "b.book")
    assert (tmp_path / "a.book").read_bytes() == (tmp_path / "b.book").read_bytes()


def test_a_book_is_made_larger_later(tmp_path):
    small = built(tmp_path / "s", plan=Plan(30, 500, margin=15))[1]
    oracle = Oracle()
    large = built(tmp_path / "s", oracle)[1]
    assert len(large) > len(small)
    assert large.digest == built(tmp_path / "t")[1].digest
    assert oracle.asked


def test_real_searches_come_to_the_same_bytes(tmp_path):
    made = []
    for name in ("a", "b"):
        with Searches(tmp_path / name, TERMS) as searches:
            engine = LocalEngine(1, endgames="none")
            plan = Plan(positions=20, nodes=300)
            made.append(Builder(searches, engine, plan, seeds=iter(SEEDS)).build())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert made[0].digest == made[1].digest


def test_the_decks_come_first():
    keys = {key_of(position) for position, _ in decks()}
    for ballot in (*TWO_MOVE.values(), *THREE_MOVE.values()):
        for position in ballot.history.positions:
            assert key_of(position) in keys
    assert 220 < len(keys) < 240


@pytest.mark.parametrize(
    "fen",
    [
        "B:W12:B28",  # the man is crowned
        "W:W5:B17",  # the same
        "B:W31:BK1,2",
        "B:W25,30:B21",  # no move
    ],
)
def test_what_has_no_place_in_a_book_is_not_opened(fen):
    tree = Tree()
    node = tree.node(Position.from_fen(fen))
    assert node is None or not tree.open(node)


def test_two_jumps_with_the_same_ends_are_left_to_the_search():
    position = Position.from_fen("B:W6,7,14,15:B2")
    moves = [str(move) for move in position.legal_moves]
    assert len({(move.start, move.end) for move in position.legal_moves}) < len(moves), moves
    tree = Tree()
    node = tree.node(position)
    assert node is not None and not tree.open(node)


def test_the_file_of_searches_is_refused_where_it_is_none(tmp_path):
    path = tmp_path / "s"
    with Searches(path, TERMS) as searches:
        searches.put("whole", 7, Found(1, 2, 3))
    with pytest.raises(EngineError, match="on other terms"):
        Searches(path, {"test": 2})
    path.write_bytes(path.read_bytes() + b"rubbish here\n")
    with pytest.raises(EngineError, match="is damaged: b'rubbish here"):
        Searches(path, TERMS)
    path.write_bytes(b"something else\n")
    with pytest.raises(EngineError, match="holds something else"):
        Searches(path, TERMS)
    with pytest.raises(EngineError, match="cannot be written"):
        Searches(tmp_path / "no" / "folder", TERMS)


def test_files(tmp_path):
    path = tmp_path / "x.book"
    book = built(tmp_path / "s")[1]
    book.save(path)
    again = Book.load(path)
    assert again.entries == book.entries and again.digest == book.digest
    data = path.read_bytes()
    for bad, why in (
        (b"nonsense", "is no opening book"),
        (data[:40], "is damaged"),
        (data[:8] + b"\x09" + data[9:], "layout 9"),
        (data[:-1] + b"\xff", "is damaged"),
    ):
        path.write_bytes(bad)
        with pytest.raises(EngineError, match=why):
            Book.load(path)
    with pytest.raises(EngineError, match="cannot be read"):
        Book.load(tmp_path / "none")
    with pytest.raises(EngineError, match="cannot be written"):
        book.save(tmp_path / "no" / "folder")


# --- the book that comes with the package ---


def test_the_record_is_that_of_the_book():
    record = json.loads(DEFAULT.with_suffix(".json").read_text())
    assert record["digest"] == default().digest
    assert record["positions"] == len(default())
    assert record["command"].startswith("kingme book build ")
    assert DEFAULT.stat().st_size < 60_000


def test_every_move_is_legal_and_the_values_agree():
    book = default()
    inner = 0
    for key, (value, words) in book.entries.items():
        position = position_of(key)
        assert key_of(position) == key
        moves = book.moves(position)
        assert len(moves) == len(words) == len({found.move for found in moves})
        assert moves[0].score.value == value
        assert [found.score for found in moves] == sorted(
            (found.score for found in moves), reverse=True
        )
        for found, word in zip(moves, words, strict=True):
            assert word & 0x3FF == word_of(position, found.move)
            after = book.moves(position.after(found.move))
            if after:
                inner += 1
                assert found.score.value == -after[0].score.value
    assert inner > len(book) / 4


def judged(position: Position) -> int | None:
    """What the book says of a position to the side to move, behind moves that are forced."""
    legal = position.legal_moves
    if len(legal) == 1:
        after = judged(position.after(legal[0]))
        return None if after is None else -after
    known = default().moves(position)
    return known[0].score.value if known else None


def test_it_answers_the_start_and_every_ballot_that_is_drawn():
    assert len(default().moves(Position.start())) > 1
    for deck in (TWO_MOVE, THREE_MOVE):
        for ballot in deck.drawn:
            if len(ballot.position.legal_moves) > 1:
                assert default().moves(ballot.position), ballot


def test_barred_ballots_are_judged_to_be_lost_or_nearly():
    """A win that no search sees to its end counts some tenths of a man."""
    barred = [abs(value) for one in THREE_MOVE.values() if one.barred
              and (value := judged(one.position)) is not None]  # fmt: skip
    usual = [abs(value) for one in THREE_MOVE.drawn
             if (value := judged(one.position)) is not None]  # fmt: skip
    assert len(barred) >= 8, "the others lie behind forced jumps that the book ends at"
    assert min(barred) > statistics.median(usual)
    assert statistics.median(barred) > 2 * statistics.median(usual)


def test_both_colours_have_the_same_moves():
    book, position = default(), Position.start().play("11-15")
    turned = book.moves(position.mirrored())
    assert turned
    for found, other in zip(book.moves(position), turned, strict=True):
        assert found.score == other.score
        assert (found.move.start, found.move.end) == (33 - other.move.start, 33 - other.move.end)


def test_what_is_not_in_it():
    book = default()
    for position in (
        Position.from_fen("W:W31,K32:B1,2"),
        Position.from_fen("W:W31,32:B1,2"),
        Position.start(VARIANTS["russian"]),
    ):
        assert book.moves(position) == ()
        assert book.choose(position, 60, random.Random(1)) is None


def test_a_choice_is_near_the_best_and_by_chance():
    book = default()
    played = {
        ballot.number: {
            found.move
            for seed in range(20)
            if (found := book.choose(ballot.position, 4, random.Random(seed)))
        }
        for ballot in THREE_MOVE.drawn
        if book.moves(ballot.position)
    }
    assert any(len(moves) > 1 for moves in played.values())
    for number, moves in played.items():
        known = {one.move: one.score.value for one in book.moves(THREE_MOVE[number].position)}
        assert all(max(known.values()) - known[move] <= 4 for move in moves)
        only = book.choose(THREE_MOVE[number].position, 0, random.Random(3))
        assert only is not None and only.score.value == max(known.values())
    assert MOST_LOSS == 63


@pytest.mark.parametrize(
    "level", [level for level in LEVELS if level.book], ids=lambda level: level.name
)
def test_levels_that_have_it_play_from_it_at_once(level):
    history, chance = THREE_MOVE[1].history, random.Random(2)
    info = choose(PlainEngine(), history, level, chance, STANDARD, 1.0, default())
    assert info.move in [found.move for found in default().moves(history.position)]
    assert (info.depth, info.nodes) == (0, 0)


def test_the_highest_three_levels_have_it():
    assert [level.number for level in LEVELS if level.book] == [6, 7, 8]
    spreads = [level.book for level in LEVELS[5:]]
    assert spreads == sorted(spreads, reverse=True)
