"""Every lesson is right: positions, moves, and the claim behind each answer, by rules and proof.

Values of up to four pieces, and of the five of the Third Position, are looked up in a database that
is built here; others are searched with it, and hold only where the search proves them.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import numpy as np
import pytest

from kingme import History, Position, Side
from kingme.engine.api import Limits, Score
from kingme.engine.endgames import Tables
from kingme.engine.endgames.build import Crew, directory, solve
from kingme.engine.endgames.slices import DIRECTORY, HEAD, Forces, layout, span
from kingme.engine.kernels.bits import address_of
from kingme.engine.local import LocalEngine
from kingme.play.lessons import (
    CHAPTERS,
    LESSONS,
    Choose,
    Hold,
    Moves,
    Point,
    Step,
    Win,
    following,
    lesson,
    reasons,
)
from kingme.rules.moves import Move
from kingme.rules.outcome import PRESETS
from kingme.rules.variant import ENGLISH

PIECES = 4

FIVES = Forces(0, 3, 0, 2), Forces(1, 2, 0, 2)
"""The material of the Third Position, after what it leads to when the man is crowned."""

DEPTH, SHORT = 21, 13
"""Plies of the search that has to find a proof, and of the one for a move that should not win."""

LINE = 5
"""Plies of a line that saves a game, from its first answer on to a position of the database."""

MARGIN = 100
"""Hundredths of a man: what is no win by a search has to be below it."""

ENDINGS = [
    row
    for line in (Path(__file__).parents[1] / "data" / "endgames_named.tsv").read_text().splitlines()
    if len(row := line.split("\t")) > 3 and ":" in row[1]
]
RECORDED = {Position.from_fen(row[1]).fen: row[3] for row in ENDINGS}
"""Values of famous endings, which `tests/engine/test_endgames.py` compares with databases."""

DRAWING = re.compile(r"Black plays (\d+-\d+) and draws")
"""What a reason says of the answer to a wrong move."""

NUMBERED = {
    f"{one.name}-{number}": step for one in LESSONS for number, step in enumerate(one.steps, 1)
}
STEPS = [pytest.param(step, id=name) for name, step in NUMBERED.items()]
TASKS = [pytest.param(step, id=name) for name, step in NUMBERED.items() if step.task]

NAMED = {
    "Black’s first row": {1, 2, 3, 4},
    "White’s first row": {29, 30, 31, 32},
    "Black’s double corner": {1, 5},
    "White’s double corner": {28, 32},
    "the centre": {14, 15, 18, 19},
    "the single corners": {4, 29},
    "Black’s bridge": {1, 3},
    "White’s bridge": {30, 32},
    "White’s dog hole": {5},
    "Black’s dog hole": {28},
}
"""Squares as books name them."""

RESULT = re.compile(r"1-0|0-1|1/2-1/2")

NAMES = {"B": "Black", "W": "White"}

SYSTEMS = {
    side: {n for n in range(1, 33) if ((n - 1) // 4) % 2 == offset}
    for side, offset in (("B", 0), ("W", 1))
}
"""The squares by which each side counts whether it has the move."""


@functools.cache
def solved() -> Tables:
    return Tables.build(PIECES)


@functools.cache
def fives() -> Tables:
    """Four pieces, and of five what `FIVES` names; the rest of that block is not filled."""
    plan, few = layout(PIECES + 1), solved().block
    block = np.zeros(plan.size, np.uint8)
    block[: few.size] = few
    block[HEAD : HEAD + DIRECTORY] = np.frombuffer(directory(plan), np.uint8)
    with Crew(1) as crew:
        for material in FIVES:
            pair, first = (material, material.exchanged), plan.places[material]
            codes = block[first : first + sum(map(span, pair))]
            solve(pair, codes, address_of(block), crew)
    return Tables(block, PIECES + 1)


def database(position: Position) -> Tables | None:
    """The database that has a position; None where none is built here."""
    if len(position.pieces) <= PIECES:
        return solved()
    counts = [
        count
        for pieces in (position.black, position.white)
        for count in ((pieces & ~position.kings).bit_count(), (pieces & position.kings).bit_count())
    ]
    material = Forces(*counts)
    return fives() if {material, material.exchanged} & set(FIVES) else None


@functools.cache
def engine() -> LocalEngine:
    return LocalEngine(32, endgames=solved())


@functools.cache
def searched(position: Position, depth: int) -> Score:
    return engine().best_move(History.start(position), Limits(depth=depth)).score


def value(position: Position) -> str:
    """What a position is worth to the side to move, proved: win, draw or loss."""
    if not position.legal_moves:
        return "loss"
    if tables := database(position):
        return str(tables.value(position))
    if position.fen in RECORDED:
        return RECORDED[position.fen]
    score = searched(position, DEPTH)
    assert score.plies_to_end is not None, f"{position.fen}: {score} is no proof"
    return "win" if score.value > 0 else "loss"


def wins(move: Move, position: Position, *, claimed: bool) -> bool:
    """Whether a move wins, proved if that is claimed; if not, it must be plain that it does not."""
    after = position.play(move)
    if claimed or not after.legal_moves or database(after):
        return value(after) == "loss"
    score = searched(after, SHORT)
    decided = score.plies_to_end is not None and score.value < 0
    assert decided or score.value > -MARGIN, f"{move} in {position.fen}: {score} is not plain"
    return decided


def keeps(position: Position, side: Side, plies: int) -> bool:
    """Whether a side is proved not to lose, by lines that come to the database in so many plies."""
    if not position.legal_moves or len(position.pieces) <= PIECES:
        return value(position) != ("loss" if position.turn is side else "win")
    nexts = (position.play(move) for move in position.legal_moves)
    found = any if position.turn is side else all
    return plies > 0 and found(keeps(after, side, plies - 1) for after in nexts)


def saves(move: Move, position: Position, plies: int) -> bool:
    """Whether a move is proved not to lose; if not, it must be plain that it leaves a man down."""
    after = position.play(move)
    if keeps(after, position.turn, plies):
        return True
    score = searched(after, SHORT)
    assert score.value >= MARGIN, f"{move} in {position.fen}: {score} is not plain"
    return False


def gain(position: Position) -> int:
    """Pieces ahead of the side to move, men and kings alike, when all jumps have been made."""
    jumps = [move for move in position.legal_moves if move.captures]
    if jumps:
        return max(-gain(position.play(move)) for move in jumps)
    sides = [piece.side is position.turn for piece in position.pieces.values()]
    return 2 * sum(sides) - len(sides)


def best(position: Position, worth: dict[Move, int]) -> set[str]:
    top = max(worth.values())
    return {str(move) for move in position.legal_moves if worth[move] == top}


def right(claim: str, position: Position) -> set[str]:
    """The moves that are right by a claim."""
    moves = position.legal_moves
    if claim == "legal":
        return {str(move) for move in moves}
    if claim == "crowns":
        count = position.kings.bit_count()
        crowned = [move for move in moves if position.play(move).kings.bit_count() > count]
        return {str(move) for move in crowned}
    if claim == "most":
        return best(position, {move: len(move.captures) for move in moves})
    if claim == "ends":
        return {str(move) for move in moves if not position.play(move).legal_moves}
    if claim in ("safe", "gains"):
        return best(position, {move: -gain(position.play(move)) for move in moves})
    assert claim == "draw"
    assert len(position.pieces) <= PIECES, "only the database knows draws"
    return {str(move) for move in moves if value(position.play(move)) == "draw"}


def check_moves(step: Step, task: Moves) -> None:
    position = step.position
    for number, text in enumerate(task.line):
        legal = {str(move) for move in position.legal_moves}
        accepted = set(text.split("|"))
        assert accepted <= legal, f"{accepted - legal} is not legal in {position.fen}"
        if number == 0:
            tried = {move for move, _ in task.wrong}
            assert tried <= legal - accepted
        if number % 2 == 0:
            if task.claim == "told":
                assert len(accepted) == 1
                assert text in task.ask
            elif task.claim == "win":
                for move in position.legal_moves:
                    claimed = str(move) in accepted
                    assert wins(move, position, claimed=claimed) is claimed, str(move)
            elif task.claim == "saves":
                kept = {str(m) for m in position.legal_moves if saves(m, position, LINE)}
                assert kept == accepted
            else:
                assert accepted == right(task.claim, position), position.fen
            assert len(accepted) == 1 or task.line[number + 1 :] == ()
        else:
            assert len(accepted) == 1
        position = position.play(position.parse(text.split("|")[0]))
    if task.claim == "win":
        assert value(step.position) == "win"
    if task.claim in ("draw", "saves"):
        assert value(step.position if task.claim == "draw" else position) == "draw"
    if task.claim == "gains":
        assert gain(step.position) <= gain_now(step.position)


def gain_now(position: Position) -> int:
    return max(-gain(position.play(move)) for move in position.legal_moves)


def pointed(step: Step, task: Point) -> set[int]:
    """The squares that are right by the claim of a task."""
    position, of = step.position, task.of
    moves = position.legal_moves
    if task.claim in ("can_move", "must_jump"):
        assert bool(moves[0].captures) == (task.claim == "must_jump") or task.claim == "can_move"
        return {move.start for move in moves}
    if task.claim == "lands":
        return {move.end for move in moves if move.start == int(of)}
    if task.claim == "named":
        return NAMED.get(of) or {int(of)}
    if task.claim in ("pieces", "kings"):
        return {
            n
            for n, piece in position.pieces.items()
            if piece.side.code in of and (piece.king or task.claim == "pieces")
        }
    if task.claim == "system":
        return SYSTEMS[of] & set(position.pieces)
    assert task.claim == "weak"
    side = next(side for side in Side if side.code == of)
    turned = Position.of(position.pieces, side.other)
    return {n for move in turned.legal_moves for n in move.captures}


def check_choice(step: Step, task: Choose) -> None:
    position, said = step.position, task.choices[task.answer][0]
    if task.claim == "value":
        worth = value(position)
        winner = {"win": position.turn, "loss": position.turn.other}.get(worth)
        name = "A draw" if winner is None else NAMES[winner.code]
        assert said.startswith(name), (said, worth)
    elif task.claim == "move":
        assert said.startswith(NAMES[holder(position)])
    elif task.claim == "count":
        assert said == str(len(SYSTEMS[task.of] & set(position.pieces)))
    elif task.claim == "steps":
        row = (int(task.of) - 1) // 4
        black = position.pieces[int(task.of)].side is Side.BLACK
        assert said == str(7 - row if black else row)
    elif task.claim == "moves":
        assert said == str(len(position.legal_moves))
    elif task.claim == "legal":
        legal = task.of in {str(move) for move in position.legal_moves}
        assert said == ("Yes" if legal else "No")
    elif task.of:
        check_fact(said, *task.of.split("."))


def check_fact(said: str, name: str, field: str) -> None:
    """What is said of a draw preset, or of the letters of a square."""
    if name == "letters":
        assert said == ENGLISH.geometry.letters(int(field))
        return
    preset = PRESETS[name]
    if field == "claimed":
        assert preset.claimed
        assert "claim" in said
    else:
        plies = preset.progress_plies or 0
        number = plies // 2 if field == "each" else getattr(preset, field)
        assert re.search(rf"\b{number}\b", said)


def holder(position: Position) -> str:
    """The side that has the move: the one on turn, where its system holds an odd number."""
    sides = [piece.side for piece in position.pieces.values()]
    assert sides.count(Side.BLACK) == sides.count(Side.WHITE)
    odd = len(SYSTEMS[position.turn.code] & set(position.pieces)) % 2
    return position.turn.code if odd else position.turn.other.code


def test_the_third_position_is_as_recorded():
    """Values, distances, moves that keep them and lines, by a database built here alone."""
    rows = [row for row in ENDINGS if row[0].startswith("third-position")]
    tables = fives()
    assert len(rows) == 4
    for _, fen, _, worth, plies, keeping, line, *_ in rows:
        position = Position.from_fen(fen)
        assert tables.value(position) == worth
        assert tables.distance(position) == (int(plies) if plies else None)
        if keeping:
            kept = {str(move) for move in tables.keeping_moves(position)}
            assert kept == set(keeping.split(", "))
        for text in line.split():
            move = position.parse(text)
            assert move in tables.best_moves(position)
            position = position.play(move)
        assert worth == "draw" or not position.legal_moves


@pytest.mark.parametrize("step", STEPS)
def test_a_position_can_occur(step):
    assert step.position.fen == step.fen
    assert step.position.fault is None or not step.position.fault
    assert set(step.marks) <= set(range(1, 33))
    assert step.title
    assert step.text


@pytest.mark.parametrize("step", TASKS)
def test_the_answers_are_exactly_those_that_are_right(step):
    task = step.task
    if isinstance(task, Moves):
        check_moves(step, task)
    elif isinstance(task, Point):
        assert set(task.answer) == pointed(step, task)
        assert task.answer == tuple(sorted(set(task.answer)))
    elif isinstance(task, Choose):
        assert 2 <= len(task.choices) <= 4
        check_choice(step, task)
    elif isinstance(task, Win):
        assert value(step.position) == "win"
        tables = database(step.position)
        distance = tables.distance(step.position) if tables else 0
        assert distance is not None
        assert task.plies % 2 == 1, "the learner makes the first and the last move"
        assert task.plies >= distance + 8, "there has to be some grace"
    else:
        assert isinstance(task, Hold)
        assert value(step.position) == "draw"


def reasoned(position: Position, task: Moves) -> list[tuple[str, str]]:
    """Wrong moves with what is said of each; of others too, where that names an answer to them."""
    named = {*task.line[0].split("|"), *dict(task.wrong)}
    others = [str(move) for move in position.legal_moves if str(move) not in named]
    said = others if DRAWING.search(task.otherwise) else []
    return [*task.wrong, *((move, task.otherwise) for move in said)]


TRIED = [
    pytest.param(step.position, move, reason, id=f"{name} {move}")
    for name, step in NUMBERED.items()
    if isinstance(step.task, Moves)
    for move, reason in reasoned(step.position, step.task)
]


@pytest.mark.parametrize(("position", "move", "reason"), TRIED)
def test_what_is_said_of_a_wrong_move_is_so(position, move, reason):
    """The jumps that a reason names are there after the move; “jumps it” takes what moved."""
    after = position.play(position.parse(move))
    replies = after.legal_moves
    for text in re.findall(r"\d+(?:x\d+)+", reason):
        path = tuple(map(int, text.split("x")))
        assert any(reply.path[: len(path)] == path for reply in replies), text
    if "jumps it" in reason:
        moved = position.parse(move).end
        assert any(moved in reply.captures for reply in replies)
    for text in DRAWING.findall(reason):
        assert value(after.play(after.parse(text))) == "draw"
    if re.search("jumps (both|twice)", reason):
        assert any(len(reply.captures) > 1 for reply in replies)


POINTED = [
    pytest.param(step, id=name) for name, step in NUMBERED.items() if isinstance(step.task, Point)
]
GENERAL = {
    "That is not a man of the row at your edge.",
    "The double corner is at the near right.",
    "Read the small number in the corner of the square.",
    "A man goes one step, diagonally, away from its own side.",
    "White’s men go towards Black’s side, one step at a time.",
    "A man goes forward only, and no more than one step unless it jumps.",
    "A king goes one step, diagonally, in any direction.",
    "That square is taken, or cannot be reached.",
    "That square is not one of the four in the middle.",
    "The bridge is made by the two white men.",
    "The bridge stands on Black’s first row.",
    "The dog hole is the square at the side, one step before the corner.",
}
"""What is so whatever square is meant: a rule, or where to look."""


def near(square: int, down: int, right: int) -> int | None:
    """The square so many rows down (towards White) and columns to the right, if there is one."""
    row, column = (square - 1) // 4, 2 * ((square - 1) % 4) + 1 - (square - 1) // 4 % 2
    row, column = row + down, column + right
    return row * 4 + column // 2 + 1 if 0 <= row < 8 and 0 <= column < 8 else None


def around(position: Position, square: int) -> list[tuple[str, str]]:
    """What stands in front of a man at the left and right, and behind it in the same lines."""
    ahead = 1 if position.pieces[square].side is Side.BLACK else -1

    def code(down: int, right: int) -> str:
        at = near(square, down, right)
        if at is None:
            return "edge"
        return position.pieces[at].side.code if at in position.pieces else ""

    return [(code(ahead, right), code(-ahead, -right)) for right in (-1, 1)]


def is_so(text: str, step: Step, square: int) -> bool:
    """Whether what is said of a wrong square is true of it."""
    pieces = step.position.pieces
    piece = pieces.get(square)
    if found := re.fullmatch(r"Square (\d+) is (empty|taken)\.", text):
        return int(found[1]) == square and (found[2] == "taken") == (piece is not None)
    if found := re.fullmatch(r"The (man|king) stands on (\d+) now\.", text):
        return piece is not None and found[1] == ("king" if piece.king else "man")
    if found := re.fullmatch(r"That is a (black|white) (man|king)\.", text):
        kind = "king" if piece and piece.king else "man"
        return piece is not None and found.groups() == (piece.side.title.lower(), kind)
    if text in GENERAL:
        return True
    assert piece is not None, f"{text!r} is said of square {square}, which is empty"
    sides = around(step.position, square)
    other = piece.side.other.code
    return {
        "Both squares in front of this man are taken.": all(front for front, _ in sides),
        "This man has nothing to jump over.": all(front != other for front, _ in sides),
        "That man is safe: there is no square behind it, or no white man beside it.": other == "W"
        and all(front != other or behind for front, behind in sides),
        "That man has another behind it, or no black man in front.": other == "B"
        and all(front != other or behind for front, behind in sides),
        "That piece stands in one of Black’s rows.": square in SYSTEMS["B"],
        "There is no K before that number.": not piece.king,
    }[text]


@pytest.mark.parametrize("step", POINTED)
def test_what_is_said_of_a_wrong_square_is_so(step):
    """Of each of the 32 squares that is no answer."""
    known = reasons(step.position, step.task)
    assert not set(known) & set(step.task.answer)
    for square in set(range(1, 33)) - set(step.task.answer):
        text = known.get(square, step.task.otherwise)
        assert is_so(text, step, square), (square, text)


def test_a_wrong_square_is_named_for_what_it_is():
    step = NUMBERED["moving-3"]
    assert isinstance(step.task, Point)
    known = reasons(step.position, step.task)
    assert known[26] == "That is a white man."
    assert known[3] == "Square 3 is empty."
    assert 9 not in known


def test_names_are_addresses_and_lead_on():
    names = [one.name for one in LESSONS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)
    assert [following(one.name) for one in LESSONS] == [*LESSONS[1:], None]
    assert [lesson(name) for name in names] == list(LESSONS)
    assert lesson("nothing-of-the-kind") is None
    assert [one for chapter in CHAPTERS for one in chapter] == list(LESSONS)


def test_every_lesson_asks_something():
    for one in LESSONS:
        assert any(step.task for step in one.steps), one.name


def spoken(step: Step) -> list[str]:
    """All that a step says."""
    texts = [step.title, *step.text, step.after]
    task = step.task
    if task is not None:
        texts.append(task.ask)
    if isinstance(task, Choose):
        texts += [text for choice in task.choices for text in choice]
    elif task is not None:
        texts.append(task.hint)
    if isinstance(task, Moves | Point):
        texts.append(task.otherwise)
    if isinstance(task, Moves):
        texts += [text for _, text in task.wrong]
    return texts


@pytest.mark.parametrize("step", STEPS)
def test_the_words_are_calm(step):
    for text in spoken(step):
        assert not re.search(r"[!—–]|  |'", text), text
        assert text == text.strip()
        squares = [
            int(n) for pair in re.findall(r"\b(\d+)[-x](\d+)\b", RESULT.sub("", text)) for n in pair
        ]
        assert all(1 <= n <= 32 for n in squares), text
