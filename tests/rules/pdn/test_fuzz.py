"""Whatever stands in a file is read: nothing raises, nothing hangs, and what is written is read
back as the same game."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingme import Position
from kingme.rules.pdn import Counter, Game, headers, read, source, visit, write
from kingme.rules.variant import VARIANTS

JUNK = st.text(max_size=12) | st.text("[](){}\"'$!?*%;/-.x:0123456789 \n\r\\", max_size=25)
TAGS = st.sampled_from(
    [
        '[Event "A"]',
        '[Event "(x) {y} \\"z\\""]',
        "[Event A]",
        '[Site "“q”"]',
        '[Round ""]',
        '[Result "1-0"]',
        '[Result "0-1"]',
        '[GameType "21"]',
        '[GameType "20"]',
        '[GameType "x"]',
        '[GameType "99"]',
        '[FEN "W:W27,32:B15,16,23,24"]',
        '[FEN "W:WK22:B9,10,11,17,18,19,25,26,27"]',
        '[FEN "W:W1:B32"]',
        '[FEN "W::."]',
        '[SetUp "1"]',
        '[Site "C:\\"]',
        "[Black resigns]",
    ]
)
MARKS = st.sampled_from(
    [
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
        "(aside)",
        "({c})",
        "!",
        "?!",
        "$1",
        "$",
        "...",
        "- -",
        "*",
        "1-0",
        "0-1",
        "1/2-1/2",
        "2-0",
        "1-1",
        "; rest\n",
        "\n% line\n",
        "bare words",
        "1.",
        "1...",
        "2.",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "{never closed",
        '/FEN "B:W18,K3:B1"/',
        '/FEN "x"/',
        "11x15",
        "1-18",
        "9-14*",
        "22x15 15x6",
    ]
)
STARTS = [
    None,
    "W:W27,32:B15,16,23,24",
    "B:WK1,7,K8,K15,K16,21,28,29:BK3,11",
    "W:WK31:B6,7,14,15,26",
]


@st.composite
def lines(draw) -> str:
    """A game that is played, in all spellings, with anything in between."""
    start = draw(st.sampled_from(STARTS))
    position = Position.from_fen(start) if start else Position.start()
    words = [f'[FEN "{start}"]\n'] if start else []
    for choice in draw(st.lists(st.integers(0, 255), max_size=25)):
        moves = position.legal_moves
        if not moves:
            break
        move = moves[choice % len(moves)]
        spelling = choice // 16 % 6
        texts = [
            str(move),
            f"{move.start}x{move.end}",
            move.letters(),
            str(move).replace("x", " x "),
            f"{move.path[0]}x{move.path[1]}",
            f"{move}!",
        ]
        words.append(texts[spelling])
        if choice % 5 == 0:
            words.append(draw(MARKS | JUNK))
        if choice % 11 == 0:
            words.append(f"({draw(st.sampled_from(moves))})")
        position = position.play(move)
    return " ".join(words)


FILES = st.lists(lines() | TAGS | MARKS | JUNK, max_size=12).map(" ".join) | st.lists(
    lines() | TAGS | MARKS | JUNK, max_size=12
).map("\n".join)


def check(games: list[Game]) -> None:
    for game in games:
        assert len(game.history.moves) == len(game.moves)
        for note in game.notes:
            assert note.line >= 1 and note.column >= 1 and note.message
        for options in ({}, {"short": True}, {"letters": True}, {"columns": 20}):
            text = write(game, **options)
            again = list(read(text))
            assert again == [game], (text, game.line, game.notes)
            assert write(again[0], **options) == text


@given(FILES)
def test_anything_is_read_and_written_and_read_again(text):
    check(list(read(text)))


@given(st.binary(max_size=300) | FILES.map(lambda text: text.encode("latin-1", "replace")))
def test_any_bytes_are_read(data):
    games = list(read(data))
    check(games)
    counter = Counter()
    visit(io.BytesIO(data), counter)
    assert counter.games == len(games)
    assert all(header.tags for header in headers(data))


@given(FILES, st.integers(1, 40))
def test_it_does_not_matter_in_what_pieces_a_file_comes(text, size):
    whole = list(read(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "CHUNK", size)
        pieces = list(read(io.BytesIO(text.encode())))
        tags = [h.tags.items() for h in headers(io.BytesIO(text.encode()))]
    assert pieces == whole
    assert [g.notes for g in pieces] == [g.notes for g in whole]
    assert [(g.offset, g.line_number) for g in pieces] == [(g.offset, g.line_number) for g in whole]
    assert tags == [h.tags.items() for h in headers(text)]


@settings(max_examples=30)
@given(FILES, st.sampled_from(list(VARIANTS.values())))
def test_other_variants_are_read_by_the_same_parser(text, variant):
    for game in read(text, variant=variant):
        again = list(read(write(game), variant=variant))
        assert [g.moves for g in again] == [game.moves]


def test_every_variant_is_known_by_its_number():
    for variant in VARIANTS.values():
        if variant.game_type is not None:
            (game,) = read(f'[GameType "{variant.game_type}"] *')
            assert game.start.variant.game_type == variant.game_type


@pytest.mark.parametrize(
    "word",
    [
        "(",
        ")",
        "[",
        "{",
        "1",
        "11",
        "1.",
        "x",
        "*",
        "$",
        "-",
        "[A ",
        '"',
        "(1-",
        "1-2-",
        "a1",
        "\n",
        "\r",
        "é",
        "( ",
        "11x",
        "- ",
        "1-0 ",
        "9-13 ",
        "{}",
        '[E "1"]',
        "[E ",
    ],
)
def test_long_rows_of_the_same_thing_take_no_longer_than_they_are(word):
    counter = Counter()
    visit(word * 20_000, counter)
    list(headers(word * 20_000))
