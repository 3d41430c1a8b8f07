"""PDN and FEN without end: anything is read, nothing crashes, nothing hangs, nothing is lost.

    python bench/fuzz.py [--minutes N] [--seed N] [--only NUMBER] [FILE...]

Every input is made anew from its number and the seed: games of random moves in all variants and
spellings, pieces of real files (those of tests/data/pdn and of the command line) cut, joined,
doubled and spoiled, and FENs of every dialect, right and wrong. What must hold of each:

* reading raises nothing, whatever the bytes are, and gives the same games in small pieces;
* a game that was read, written and read again is the same game, in every form of writing;
* a FEN gives a position or a FenError; a position's own FEN gives it again, and its moves are
  made, or refused by name where their number is out of bounds;
* no input takes more than five seconds of the processor.

Shows how many were tried and how long is left; ends at the first fault with its number, which
``--only`` makes again and prints. The last line is one of JSON.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import platform
import random
import signal
import sys
import time
import traceback
from collections import Counter as Tally
from collections.abc import Iterator
from pathlib import Path

from kingme import FenError, MoveError, Position
from kingme.errors import CaptureLimitError
from kingme.rules.pdn import Counter, Game, headers, read, visit, write
from kingme.rules.variant import VARIANTS, Variant

LIMIT = 5.0
"""Processor seconds after which an input counts as hung."""

ARCHIVE = Path(__file__).parent.parent / "tests" / "data" / "pdn"
RECORDS = list(VARIANTS.values())
FORMS: list[dict[str, object]] = [{}, {"short": True}, {"letters": True}, {"columns": 20}]
SIGNS = "[](){}\"'$!?*%;/-.x:×0123456789abhBWKGFH, \t\n\r\\\0\x1a–“é１"
MARKS = (
    "{good}",
    "{}",
    "{[%clk 0:01:00]}",
    "{a { b}",
    "{two\nlines}",
    '{ %x [Event "y"]\n[Event "z"] }',
    "(",
    ")",
    "()",
    "(?)",
    "({c})",
    "!",
    "?!",
    "$1",
    "$999",
    "$",
    "...",
    "*",
    "1-0",
    "0-1",
    "1/2-1/2",
    "2-0",
    "1-1",
    "0-2",
    "0-0",
    "; rest\n",
    "\n% line\n",
    "bare words",
    "1.",
    "17...",
    "\r",
    "{never closed",
    '/FEN "B:W18,K3:B1"/',
    '\n[Event "next"]\n',
    '\n[FEN "W:W27,32:B15,16,23,24"]\n[SetUp "1"]\n',
    '[GameType "20"]',
    '[Result "0-1"]',
    '[Site "(a) {b} \\"c\\""]',
)


class Hung(Exception):
    """An input took longer than any may."""


def _late(number: int, frame: object) -> None:
    raise Hung(f"more than {LIMIT:g} s of the processor")


def spoiled(text: str, chance: random.Random) -> str:
    """A text with a few things taken out, put in, doubled or put elsewhere."""
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((1, 1, 2, 5, 20, 200)))
        piece = text[start:end]
        made = chance.choice(
            (
                "",
                piece * 2,
                piece[::-1],
                piece.swapcase(),
                "".join(chance.choices(SIGNS, k=chance.randint(1, 6))),
                chance.choice(MARKS),
                f" {chance.choice(MARKS)} {piece}",
            )
        )
        text = text[:start] + made + text[end:]
    return text


def position_of(chance: random.Random) -> Position | None:
    """A position with any number of pieces anywhere, of any variant."""
    variant = chance.choice(RECORDS)
    text = fen_of(chance, variant)
    try:
        return Position.from_fen(text, variant=variant)
    except FenError:
        return None


def fen_of(chance: random.Random, variant: Variant) -> str:
    """A FEN that could be meant."""
    squares = list(range(1, len(variant.geometry.masks)))
    chance.shuffle(squares)
    most = min(len(squares), chance.choice((3, 8, 24, 60)))
    parts: list[list[str]] = [[], []]
    row = variant.geometry.width
    for square in squares[: chance.randint(0, most)]:
        edge = square <= row or square > len(squares) - row
        king = "K" if chance.random() < (0.95 if edge else 0.3) else ""
        parts[chance.randrange(2)].append(f"{king}{square}")
    sides = [f"W{','.join(parts[0])}", f"B{','.join(parts[1])}"]
    chance.shuffle(sides)
    tail = chance.choice(("", "", "", ".", ":H0:F1", ":+1+2"))
    return f"{chance.choice('WB')}:{':'.join(sides)}{tail}"


def game_of(chance: random.Random) -> str:
    """A game of random moves in any spelling, with anything among them."""
    variant = chance.choice(RECORDS)
    position = Position.start(variant)
    words: list[str] = []
    if variant.game_type is not None and chance.random() < 0.9:
        words.append(f'[GameType "{variant.game_type}"]\n')
    if chance.random() < 0.3 and (set_up := position_of(chance)) is not None:
        position, variant = set_up, set_up.variant
        words = [f'[GameType "{set_up.variant.game_type}"]\n[FEN "{set_up.fen}"]\n']
    for number in range(chance.choice((2, 10, 40))):
        try:
            moves = position.legal_moves
        except CaptureLimitError:
            break
        if not moves:
            break
        move = chance.choice(moves)
        spellings = (
            str(move),
            f"{move.start}x{move.end}",
            f"{move.start}-{move.end}",
            move.letters(variant.geometry),
            str(move).replace("x", " x "),
            str(move).replace("x", ":"),
            "x".join(map(str, move.path)),
        )
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        words.append(spellings[0] if chance.random() < 0.7 else chance.choice(spellings))
        if chance.random() < 0.15:
            words.append(chance.choice(MARKS))
        if chance.random() < 0.05:
            words.append(f"({chance.choice(moves)} {chance.choice(MARKS)})")
        position = position.play(move)
    words.append(chance.choice(("*", "1-0", "0-1", "1/2-1/2", "2-0", "")))
    return " ".join(words) + "\n"


def encoded(text: str, chance: random.Random) -> bytes:
    """A text as bytes, as programs of all ages write them."""
    ends = chance.choice(("\n", "\n", "\r\n", "\r"))
    text = text.replace("\n", ends)
    how = chance.choice(("utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16", "cp437"))
    data = text.encode(how, "replace")
    if chance.random() < 0.1:
        data = data[: chance.randint(0, len(data))]
    return data


def check_games(data: bytes, chance: random.Random, variant: Variant | None) -> str:
    """Read a file in every way, and write what was read."""
    games = list(read(data, variant=variant))
    pieces = list(read(_Dripping(data, chance), variant=variant))
    assert pieces == games, "other games where the file came in pieces"
    assert [g.notes for g in pieces] == [g.notes for g in games], "other notes in pieces"
    counter = Counter()
    visit(data, counter, variant=variant)
    assert counter.games == len(games), "the counter counts other games"
    for header in headers(data):
        assert header.line_number >= 1 and 0 <= header.offset <= len(data)
        assert all(name and "\n" not in value for name, value in header.tags.items())
    for game in games:
        check_game(game, variant)
    return "games" if games else "no games"


def check_game(game: Game, variant: Variant | None) -> None:
    """Write a game in every form and read it again as it was read."""
    assert len(game.history.moves) == len(game.moves)
    assert all(note.line >= 1 and note.column >= 1 and note.message for note in game.notes)
    for options in FORMS:
        text = write(game, **options)  # type: ignore[arg-type]
        (again,) = read(text, variant=variant)
        if "GameType" in again.tags and "GameType" not in game.tags:
            # Its variant was given in the call; written, a game says what it is.
            del again.tags["GameType"]
        assert again == game, f"not the same game when written with {options}"


class _Dripping(io.BytesIO):
    """A file that gives a few bytes at a time, as a pipe does."""

    def __init__(self, data: bytes, chance: random.Random) -> None:
        super().__init__(data)
        self._chance = chance

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._chance.randint(1, 97) if size else size)


def check_fen(text: str, variant: Variant) -> str:
    """A position or a refusal, and what follows from a position."""
    try:
        position = Position.from_fen(text, variant=variant)
    except FenError:
        return "refused"
    assert Position.from_fen(position.fen, variant=variant) == position, "not its own FEN"
    try:
        moves = position.legal_moves
    except CaptureLimitError:
        return "too many captures"
    for move in moves[:20]:
        assert position.parse(str(move)).path == move.path, f"{move} is read as another"
        letters = move.letters(variant.geometry)
        assert position.parse(letters).path == move.path, f"{letters} is read as another"
        position.play(move)
    for word in (text[:12], f"{text[2:6]}-{text[:3]}"):
        try:
            position.parse(word)
        except MoveError:
            continue
    return "positions"


def one(number: int, seed: int, texts: list[str], show: bool = False) -> str:
    """Make the input of a number and look at it; what kind of thing it was."""
    chance = random.Random(f"{seed} {number}")  # noqa: S311
    variant = chance.choice(RECORDS)
    if chance.random() < 0.35:
        text = fen_of(chance, variant)
        if chance.random() < 0.5:
            text = spoiled(text, chance)
        if show:
            print(variant.name, repr(text))
        return check_fen(text, variant)
    if chance.random() < 0.5:
        text = "".join(game_of(chance) for _ in range(chance.randint(1, 3)))
    else:
        whole = chance.choice(texts)
        start = chance.randint(0, len(whole))
        text = whole[start : start + chance.choice((100, 1000, 5000))]
    if chance.random() < 0.7:
        text = spoiled(text, chance)
    data = encoded(text, chance)
    forced = variant if chance.random() < 0.1 else None
    if show:
        print(forced and forced.name, data)
    return check_games(data, chance, forced)


def watched(number: int, seed: int, texts: list[str], show: bool) -> str:
    """What an input gives, or Hung when it works for too long."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        return one(number, seed, texts, show)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def numbers(only: int | None, minutes: float) -> Iterator[tuple[int, float, float]]:
    """The numbers to try while there is time, with seconds gone and seconds left."""
    start = time.monotonic()
    for number in [only] if only is not None else itertools.count():
        gone = time.monotonic() - start
        if gone > minutes * 60:
            return
        yield number, gone, minutes * 60 - gone


def main() -> int:
    """Try inputs until the time is up or one is at fault."""
    parser = argparse.ArgumentParser(description="Generated PDN and FEN: no crash, no hang.")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    parser.add_argument("--only", type=int, help="the number of one input, to be shown")
    parser.add_argument("files", nargs="*", type=Path, help="more real files to spoil")
    asked = parser.parse_args()
    files = [*sorted(ARCHIVE.glob("*.pdn")), *asked.files]
    texts = [path.read_text("utf-8", "replace") for path in files]
    signal.signal(signal.SIGVTALRM, _late)
    seen: Tally[str] = Tally()
    slowest, slow_number, told = 0.0, 0, 0.0
    for number, gone, left in numbers(asked.only, asked.minutes):
        before = time.process_time()
        try:
            seen[watched(number, asked.seed, texts, asked.only is not None)] += 1
        except Exception:  # noqa: BLE001 (whatever it is, its number is told)
            traceback.print_exc()
            print(f"\ninput {number} of seed {asked.seed}: --seed {asked.seed} --only {number}")
            return 1
        took = time.process_time() - before
        if took > slowest:
            slowest, slow_number = took, number
        if gone - told >= 1 or asked.only is not None:
            told = gone
            rate = seen.total() / max(gone, 1e-9)
            print(
                f"\r{seen.total():,} inputs, {rate:.0f} a second, {left:.0f} s left ",
                end="",
                file=sys.stderr,
            )
    print(file=sys.stderr)
    figures = {
        "bench": "fuzz",
        "python": platform.python_version(),
        "seed": asked.seed,
        "minutes": asked.minutes,
        "inputs": seen.total(),
        "faults": 0,
        **dict(sorted(seen.items())),
        "slowest_ms": round(1000 * slowest, 1),
        "slowest": slow_number,
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
