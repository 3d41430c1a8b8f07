"""Move text: every spelling is read, what is not a legal move is refused with the reason."""

import pytest

from kingme import (
    AmbiguousMoveError,
    IllegalMoveError,
    KingmeError,
    MoveError,
    MoveTextError,
    Position,
)

START = Position.start()
DOUBLE = Position.from_fen("W:W29:B25,18")
FORK = Position.from_fen("W:W27,32:B15,16,23,24")


@pytest.mark.parametrize(
    "text",
    [
        "11-15", "11 15", "11x15", "11–15", "011-015", " 11 - 15 ", "11:15", "11-15!", "11-15 ?!",
        "11-15(?)", "11-15 (!)", "11-15*", "11-15$7", "11-15 $1 $7", "11−15", "11‑15", "...11-15",
        "1.... 11-15", "1. 11-15", "1.11-15", "12... 11-15", "11-15.", "f6-e5", "F6-E5", "f6:e5",
        "f6 e5", "f6e5", "f6xe5", "f6-15",
    ],
)  # fmt: skip
def test_a_quiet_move_in_every_spelling(text):
    assert str(START.parse(text)) == "11-15"


@pytest.mark.parametrize(
    "text",
    [
        "29x22x15", "29-22-15", "29x15", "29-15", "29 15", "29:22:15", "29*22*15", "29×22×15",
        "a1:c3:e5", "a1:e5", "a1xc3xe5", "a1c3e5", "a1-e5", "29 22 15",
    ],
)  # fmt: skip
def test_a_jump_in_every_spelling(text):
    assert str(DOUBLE.parse(text)) == "29x22x15"


def test_every_legal_move_is_read_back_from_its_own_texts():
    for fen in ("W:WK22:B9,10,11,17,18,19,25,26,27", FORK.fen, START.fen):
        position = Position.from_fen(fen)
        for move in position.legal_moves:
            assert position.parse(str(move)) == move
            assert position.parse(move.letters()) == move


def test_a_text_that_fits_two_results_is_refused_with_both_named():
    with pytest.raises(AmbiguousMoveError, match="27x18x11 or 27x20x11") as caught:
        FORK.parse("27x11")
    assert caught.value.candidates == ("27x18x11", "27x20x11")
    assert caught.value.legal == ("27x18x11", "27x20x11")
    assert str(FORK.parse("27x20x11")) == "27x20x11"


def test_the_route_that_the_page_asks_for():
    position = Position.from_fen("B:W14,15,18,21,22,23,30:B6,7,8,10,12,13")
    assert {str(m) for m in position.legal_moves if m.end == 26} == {"10x17x26", "10x19x26"}
    with pytest.raises(AmbiguousMoveError):
        position.parse("10x26")
    assert str(position.parse("10x17x26")) == "10x17x26"


def test_two_orders_of_one_result_are_both_read_and_the_short_text_too():
    position = Position.from_fen("B:WK1,7,K8,K15,K16,21,28,29:BK3,11", strict=False)
    for text in ("3x10x19x12x3", "3x12x19x10x3"):
        assert str(position.parse(text)) == text
    assert position.parse("3x3") in position.legal_moves
    assert str(position.parse("3x12x19x3")) == "3x12x19x10x3"


def test_a_long_ambiguous_one():
    position = Position.from_fen("W:W15,21,25,26,28,30,31,32:B1,2,4,6,8,10,11,13,18,19,27")
    found = [m for m in position.legal_moves if (m.start, m.end) == (32, 7)]
    assert len(found) > 1
    with pytest.raises(AmbiguousMoveError):
        position.parse("32x7")


@pytest.mark.parametrize(
    ("fen", "text", "error", "words"),
    [
        (
            START.fen,
            "11-16-20",
            IllegalMoveError,
            "11-16-20 is not legal: the piece on 11 cannot go there. Legal: 9-13",
        ),
        (START.fen, "22-18", IllegalMoveError, "22 is not Black's piece"),
        (START.fen, "15-18", IllegalMoveError, "there is no piece on 15"),
        (
            START.fen,
            "11-18",
            IllegalMoveError,
            "the piece on 11 cannot go there. Legal: 9-13, 9-14",
        ),
        (START.fen, "11-15 22-18", IllegalMoveError, "more than one move: 11-15 is the first"),
        (START.fen, "11-7", IllegalMoveError, "7 is occupied"),
        ("B:W32:B15,22", "15-11", IllegalMoveError, "the piece on 15 cannot go there"),
        (FORK.fen, "27x18x11x4", IllegalMoveError, "the piece on 27 must jump, but not so"),
        (FORK.fen, "27x23x18", IllegalMoveError, "the piece on 27 must jump, but not so"),
        (START.fen, "11*", MoveTextError, "at least two squares"),
        (DOUBLE.fen, "29x22", IllegalMoveError, "not the whole jump.* Legal: 29x22x15"),
        ("W:W29:B25,18,11", "29x15", IllegalMoveError, "not the whole jump.* Legal: 29x22x15x8"),
        ("W:WK22:B17,18,10,9", "22-10", IllegalMoveError, "the piece on 22 must jump, but not so"),
        ("B:W15:B10,1", "1-5", IllegalMoveError, "a jump is compulsory, with the piece on 10"),
        ("B:W15,16:B10,12", "2-7", IllegalMoveError, "no piece on 2"),
        ("B:W15,16:B10,12,2", "2-7", IllegalMoveError, "with the piece on 10 or 12"),
        ("W:W5:B1", "5-1", IllegalMoveError, "White has no move, the game is over"),
        (START.fen, "", MoveTextError, "at least two squares"),
        (START.fen, "   ", MoveTextError, "at least two squares"),
        (START.fen, "11", MoveTextError, "at least two squares"),
        (START.fen, "11-", MoveTextError, "nothing follows '-'"),
        (START.fen, "-11-15", MoveTextError, "'-11-15' is no square"),
        (START.fen, "hello", MoveTextError, "'hello' is no square"),
        (START.fen, "11-33", MoveTextError, "'33' is no square of play: they run from 1 to 32"),
        (START.fen, "0-4", MoveTextError, "'0' is no square of play"),
        (START.fen, "a8-b7", MoveTextError, "'a8' is no square of play"),
        (START.fen, "11/15", MoveTextError, "'/15' does not belong in a move"),
        (START.fen, "¹¹-15", MoveTextError, "'¹¹-15' is no square"),
        (START.fen, "five", MoveTextError, "'five' is no square: a move looks"),
        (START.fen, "9" * 100 + "-1", MoveTextError, "is no square of play"),
        (START.fen, "1-" * 200, MoveTextError, "a move has 200 at most"),
    ],
)
def test_what_is_refused_and_why(fen, text, error, words):
    with pytest.raises(error, match=words) as caught:
        Position.from_fen(fen).parse(text)
    assert isinstance(caught.value, MoveError)
    assert isinstance(caught.value, KingmeError)


def test_text_errors_say_where():
    with pytest.raises(MoveTextError) as caught:
        START.parse("11-zz")
    assert (caught.value.token, caught.value.column) == ("zz", 4)
    assert "11-15" in caught.value.legal


@pytest.mark.parametrize(
    ("text", "token", "column"),
    [
        ("１1-15", "１", 1),
        ("11-１5", "１", 4),
        ("11-1５", "５", 5),
        ("f6-e５", "５", 5),
        ("  9-1٣ ", "٣", 6),
        ("1. 11-15５", "５", 9),
        ("１. 11-15", "１", 1),
        ("11-15$１", "１", 7),
    ],
)
def test_a_digit_that_only_looks_like_one_is_blamed(text, token, column):
    with pytest.raises(MoveTextError, match=r"written with 0 to 9\. Legal: 9-13") as caught:
        START.parse(text)
    assert (caught.value.token, caught.value.column) == (token, column)


@pytest.mark.parametrize("given", [None, 5, b"11-15", (11, 15)])
def test_what_is_neither_text_nor_move_is_named(given):
    with pytest.raises(TypeError, match=f"not {type(given).__name__}"):
        START.parse(given)
    with pytest.raises(TypeError, match=f"a text or a Move, not {type(given).__name__}"):
        START.play(given)
    with pytest.raises(TypeError, match=f"a FEN is a str, not {type(given).__name__}"):
        Position.from_fen(given)


def test_landings_that_no_jump_of_short_kings_has_are_refused():
    position = Position.from_fen("W:WK17:B14,15,16,20")
    assert str(position.parse("17x12")) == "17x10x19x12"
    with pytest.raises(IllegalMoveError, match="17x7x23x12 is not legal"):
        position.parse("17x7x23x12")
