"""FEN: forgiving on the way in, one canonical text on the way out."""

import pytest

from kingme import FenError, Position

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (START, START),
        ("B:W21-32:B1-12", START),
        ("B:B1-12:W21-32", START),
        ("B:B12,11,10,9,8,7,6,5,4,3,2,1:W32-32,21-31.", START),
        ("W:WK27,K23:BK28,12.", "W:WK23,K27:B12,K28"),
        ("  w : w K 27 , k23 : b k28, 012 .  ".replace("K 27", "K27"), "W:WK23,K27:B12,K28"),
        ("W:WK023:B05", "W:WK23:B5"),
        ("B:BK1-4:WK29-32", "B:WK29,K30,K31,K32:BK1,K2,K3,K4"),
        ("B:BK1-K4:WK32", "B:WK32:BK1,K2,K3,K4"),
        ("B:W32:B", "B:W32:B"),
        ("B:W18", "B:W18:B"),
        ("W:B1", "W:W:B1"),
        ("W:B1:W", "W:W:B1"),
        ('"W:W5:B1"', "W:W5:B1"),
        ("'W:W5:B1'", "W:W5:B1"),
        ("“W:W5:B1”", "W:W5:B1"),
        ('[FEN "W:W5:B1"]', "W:W5:B1"),
        ("W:W:W31:BK1", "W:W31:BK1"),
        ("W:W31:B1:H0:F1", "W:W31:B1"),
        ("W:Wc3,Ka1:Bb8", "W:W22,K29:B1"),
        ("W:W5,,6:B1,", "W:W5,6:B1"),
        ("W:W5:B1\n", "W:W5:B1"),
        ("W:WK 22:B1, K 5", "W:WK22:B1,K5"),
        ("White to move:W31:B1", "W:W31:B1"),
        ("black:W31:B1", "B:W31:B1"),
        ("White to play:W:W31:B1", "W:W31:B1"),
        ("Gould 1 W:W31:B1", "W:W31:B1"),
        ('FEN "W:W31:B1"', "W:W31:B1"),
        ('/FEN "W:W31:B1."/', "W:W31:B1"),
    ],
)
def test_forgiving_in_canonical_out(text, canonical):
    position = Position.from_fen(text)
    assert position.fen == canonical
    assert Position.from_fen(canonical) == position


@pytest.mark.parametrize(
    ("text", "reason", "token", "column"),
    [
        ("", "nothing says the side to move", "", 1),
        ("hello", "'hello' says no side to move", "hello", 1),
        ("?:W1:B2", r"'\?' says no side to move", "?", 1),
        ("W", "names no pieces", "", 1),
        ("W:", "names no pieces", "", 1),
        ("W::.", "names no pieces", "", 1),
        ("W:W:B", "there is no piece on the board", "", 1),
        ("W:W1:B32", "White has a man on 1, its crown row", "1", 4),
        (
            "B:W25:B32",
            "Black has a man on 32, its crown row: it would be a king there, K32",
            "32",
            8,
        ),
        ("W:W5,5:B1", "square 5 is named twice", "5", 6),
        ("W:W5:B5", "square 5 is named twice", "5", 7),
        ("W:W5-8,7:B1", "square 7 is named twice", "7", 8),
        ("W:W31:B1-13", "Black has 13 pieces: at most 12", "", 1),
        ("W:W33:B1", "'33' is no square: they run from 1 to 32", "33", 4),
        ("W:W0:B1", "'0' is no square", "0", 4),
        ("W:W5;6:B1", "'5;6' is no square", "5;6", 4),
        ("W:WX:B1", "'X' is no square", "X", 4),
        ("W:Wa8:B1", "'a8' is no square", "a8", 4),
        ("W:WK:B1", "'K' is no square", "K", 4),
        ("W:W²:B1", "'²' is no square", "²", 4),
        ("W:W9-6:B1", "the range 9-6 runs backward", "9-6", 4),
        ("W:W5-:B1", "'5-' is no square", "5-", 4),
        ("W:W5:W6:B1", "White's pieces are listed twice", "W6", 6),
        ("W:X5:B1", "'X5' names no side", "X5", 3),
        ("W:W5:B1]]", "stray quotes or brackets", "W:W5:B1]]", 1),
        ("W:W" + "9" * 50 + ":B1", "is no square", "9" * 50, 4),
        ("W" * 3000, "3000 characters long", "", 1),
        ("W:W31-50:B1-20", "'31-50' is no square", "31-50", 4),
    ],
)
def test_what_is_refused_and_where(text, reason, token, column):
    with pytest.raises(FenError, match=reason) as caught:
        Position.from_fen(text)
    assert (caught.value.token, caught.value.column) == (token, column)


def test_without_strict_impossible_pieces_are_taken_as_they_are():
    position = Position.from_fen("B:BK15:W10,11,18,19,2,3,26,27", strict=False)
    assert position.fault == "White has a man on 2, its crown row: it would be a king there"
    assert Position.from_fen("W:W20:B1-14", strict=False).fault == (
        "Black has 14 pieces: at most 12 are possible"
    )
    assert Position.start().fault is None
    with pytest.raises(FenError, match="named twice"):
        Position.from_fen("W:W5:B5", strict=False)
