"""What is no PDN at all, and what is PDN in an encoding of its own."""

from __future__ import annotations

import io
import random

import pytest

from kingme.rules.pdn import Counter, Note, headers, read, visit
from kingme.rules.variant import ENGLISH, VARIANTS

GAME = '[Event "Clüb"]\n[White "Жуков"]\n\n1. 11-15 22-17 {ok 𝄞} 1-0\n\n'
NONE = Note("error", "there is no game here: neither a tag nor a move", 1, 1)


class Slowly:
    """A stream that gives one byte at a time."""

    def __init__(self, data):
        self._stream = io.BytesIO(data)

    def read(self, size):
        return self._stream.read(min(size, 1))


@pytest.mark.parametrize(
    "data",
    [b"\0" * 100, b"hello", b"{only}", b"  1-0\n", b"*", b";", b"\x89PNG\r\n", b"1.", b"..."],
)
def test_a_text_without_a_game_is_an_error(data):
    notes = [note for game in read(data) for note in game.notes]
    assert NONE in notes
    counter = Counter()
    visit(Slowly(data), counter)
    assert counter.errors >= 1 and counter.plies == 0


@pytest.mark.parametrize("data", [b"", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff\xfe\n\0"])
def test_nothing_at_all_is_no_error(data):
    assert list(read(data)) == []


@pytest.mark.parametrize("data", [b"[Event x]\n1-0", b"11-15", b'[X "y"]', b'/FEN "W:W1:B32"/'])
def test_one_tag_or_move_is_enough(data):
    assert NONE not in [note for game in read(data) for note in game.notes]


def test_a_piece_without_a_game_among_games_is_odd():
    first, second = read("1. 11-15 1-0\n\n{aside} 1/2-1/2\n")
    assert not first.notes and second.comments == ["aside"]
    (note,) = second.notes
    assert note.message == "what ends here has no tag and no move: it is no game"


def test_bytes_by_chance():
    chance = random.Random(1)
    for size in (3, 50, 5000, 100_000):
        data = chance.randbytes(size)
        assert [n for game in read(data) for n in game.notes if n.kind == "error"]


def test_a_byte_of_no_text_is_told_once_and_games_are_read():
    games = list(read(GAME.encode() + b"\0\0\0 \0\n" + GAME.encode() + b"\0"))
    notes = [note for game in games for note in game.notes]
    assert [(n.line, n.column) for n in notes if n.kind == "error"] == [(6, 1)]
    assert [str(move) for game in games for move in game.moves] == ["11-15", "22-17"] * 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_a_text_in_utf_16_is_read(encoding):
    mark = "\ufeff" if encoding.endswith("be") else ""
    text = GAME * 3
    data = (mark + text).encode(encoding)
    wanted = list(read(text))
    for source in (data, io.BytesIO(data), Slowly(data)):
        games = list(read(source))
        assert games == wanted
        assert [game.line_number for game in games] == [game.line_number for game in wanted]
        (note,) = [note for game in games for note in game.notes]
        assert (note.kind, note.line, note.column) == ("odd", 1, 1)
        assert note.message.startswith(f"the text is {encoding[:6].upper()}, not UTF-8")
    assert [head.tags["White"] for head in headers(Slowly(data))] == ["Жуков"] * 3


def test_a_piece_of_utf_16_that_is_cut_off():
    (game,) = read(GAME.encode("utf-16")[:-1])
    assert game.tags["White"] == "Жуков"


def test_the_variant_of_games_that_do_not_say_theirs():
    russian = VARIANTS["russian"]
    text = (
        f'1. c3-d4 *\n\n[GameType "{ENGLISH.game_type}"]\n1. 11-15 *\n[GameType "what"]\n1. c3-d4 *'
    )
    games = list(read(text, default=russian))
    assert [game.start.variant.name for game in games] == ["russian", "english", "russian"]
    assert games[2].notes[0].message == f"'what' is no game type: {russian.title} is taken"
    assert {game.start.variant for game in read(text, variant=russian)} == {russian}
    counter = Counter()
    visit(text, counter, default=russian)
    assert (counter.plies, counter.errors) == (3, 0)
