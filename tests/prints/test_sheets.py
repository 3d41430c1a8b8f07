"""Sheets that are true to size, measured on the page as it is printed."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import numpy as np
import pytest
from pypdfium2 import raw

from kingme import VARIANTS, History, Position
from kingme.prints.paper import EDGE, PAPERS, SheetError, length
from kingme.prints.pdf import Canvas
from kingme.prints.sheets import Asked, board, game, pieces, positions, rules, score
from kingme.prints.sheets.asked import FOOT
from kingme.prints.sheets.boards import LAP, tiling
from kingme.prints.sheets.cutouts import diameter, layout
from kingme.prints.sheets.diagrams import MOST
from kingme.prints.sheets.rulesheet import DIAGRAMS
from kingme.rules.theme import THEMES

from .looking import MM, fonts, kinds, margin_is_empty, near, pages, runs

WOOD = THEMES["wood"]
SIZES = [10.0, 22.0, 30.0, 40.0, 57.15, 80.0]


def squares_of(row):
    """A row of pixels: 1 for a dark square, 2 for a pale one, 0 for anything else."""
    found = np.zeros(len(row), int)
    for number, name in ((1, WOOD.square), (2, WOOD.pale)):
        wanted = [int(name[start : start + 2], 16) for start in (1, 3, 5)]
        found[(abs(row.astype(int) - wanted) <= 6).all(axis=1)] = number
    return found


def whole_squares(row):
    """The widths of squares in mm that lie between others, from edge to edge."""
    found = [run for run in runs(squares_of(row)) if run[0] and run[2] - run[1] > 3]
    middles = zip(found, found[1:], found[2:], strict=False)
    # An edge lies in the middle of the pixels that it blurs.
    return [
        ((here[2] + after[1]) / 2 - (before[2] + here[1]) / 2) / MM
        for before, here, after in middles
        if after[1] - here[2] <= 2 and here[1] - before[2] <= 2
    ]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("square", [22.0, 40.0, 57.15])
def test_squares_are_as_wide_as_they_are_asked_for(paper, square):
    measured = []
    for page in pages(board(Asked(paper), square=square, numbers=False)):
        for part in (0.31, 0.43, 0.55):
            height, width, _ = page.seen.shape
            measured += whole_squares(page.seen[int(height * part)])
            measured += whole_squares(page.seen[:, int(width * part)])
    assert len(measured) >= 20
    assert max(abs(width - square) for width in measured) < 0.2


def tiles(asked, square, variant=VARIANTS["english"], **options):
    """What each sheet shows of the board, with its place in mm."""
    plan = tiling(asked.sheet, square, variant)
    sheets = iter(pages(board(asked, square=square, variant=variant, **options)))
    for top, low in plan.rows:
        for left, right in plan.columns:
            page = next(sheets)
            assert (page.width, page.height) == pytest.approx(
                (plan.paper.width, plan.paper.height), abs=0.02
            )
            x = EDGE + (plan.paper.room[0] - (right - left)) / 2
            y = EDGE + (plan.paper.room[1] - FOOT - (low - top)) / 2
            assert x >= EDGE - 0.01 and y >= EDGE - 0.01
            yield page, (left, top, right, low), (x, y)
    assert next(sheets, None) is None


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("square", "name"), [(30.0, "english"), (63.5, "english"), (40.0, "russian")]
)
def test_sheets_laid_together_are_the_whole_board(paper, square, name):
    variant = VARIANTS[name]
    border, count = 5.0, variant.rows
    wide = round((count * square + 2 * border + 1) * MM)
    joined = np.zeros((wide, wide, 3), np.uint8)
    for page, (left, top, right, low), (x, y) in tiles(
        Asked(paper), square, variant, numbers=False
    ):
        part = page.part(x, y, right - left, low - top)
        at = (round(top * MM), round(left * MM))
        joined[at[0] : at[0] + part.shape[0], at[1] : at[1] + part.shape[1]] = part
    dark = {variant.geometry.letters(n) for n in range(1, variant.geometry.squares + 1)}
    for row in range(count):
        for column in range(count):
            named = f"{'abcdefghij'[column]}{count - row}"
            colour = WOOD.square if named in dark else WOOD.pale
            for across in (0.4, square / 2, square - 0.4):
                for down in (0.4, square / 2, square - 0.4):
                    x, y = border + column * square + across, border + row * square + down
                    assert near(joined[int(y * MM), int(x * MM)], colour), (named, across, down)
    for along in (20.0, wide / MM / 2, wide / MM - 20):
        for edge in (2.0, wide / MM - 3.0):
            assert near(joined[int(edge * MM), int(along * MM)], WOOD.frame)
            assert near(joined[int(along * MM), int(edge * MM)], WOOD.frame)


def test_strips_show_the_same_on_both_sheets():
    found = {place[:2]: (page, place, at) for page, place, at in tiles(Asked(), 40.0)}
    (first, place, at), (second, other, beside) = [
        found[key] for key in sorted(found) if key[1] == 0.0
    ]
    assert place[2] - other[0] == LAP
    height = place[3] - place[1]
    strip = first.part(at[0] + other[0], at[1], LAP, height)
    again = second.part(*beside, LAP, height)
    parts = [part[:, 2:-2].astype(int) for part in (strip, again[: len(strip)])]
    assert (abs(parts[0] - parts[1]) > 40).any(axis=2).mean() < 0.01


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("square", SIZES)
@pytest.mark.parametrize("make", [board, pieces])
def test_nothing_is_near_the_edge_of_the_paper(paper, square, make):
    found = pages(make(Asked(paper, mono=True), square=square), 100)
    assert [page.text for page in found if not margin_is_empty(page)] == []


@pytest.mark.parametrize("square", SIZES)
@pytest.mark.parametrize("paper", PAPERS.values(), ids=str)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_board_is_cut_into_sheets_that_fit(paper, square, name):
    plan = tiling(paper, square, VARIANTS[name])
    geometry = VARIANTS[name].geometry
    for spans, room, count in (
        (plan.columns, plan.paper.room[0], geometry.columns),
        (plan.rows, plan.paper.room[1] - FOOT, geometry.rows),
    ):
        assert spans[0][0] == 0
        assert spans[-1][1] == pytest.approx(count * square + 2 * min(5, square / 5))
        assert all(end - start <= room + 1e-6 for start, end in spans)
        for (_, end), (start, _) in pairwise(spans):
            assert end - start == pytest.approx(LAP)


def test_sheets_say_where_they_belong():
    found = pages(board(square=40.0))
    assert [
        f"Row {row}, column {column} of 2 × 2" in page.text
        for page, (row, column) in zip(found, [(1, 1), (1, 2), (2, 1), (2, 2)], strict=True)
    ] == [True] * 4
    words = set(" ".join(page.text for page in found).split())
    assert {str(number) for number in range(1, 33)} <= words
    for page in found:
        assert "40 mm (1.57 in)" in page.text and "no scaling" in page.text
    assert "Row" not in pages(board(square=20.0))[0].text


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_is_right(paper):
    (page,) = pages(board(Asked(paper), square=20.0))
    low = page.height - EDGE - 6.4
    dark = np.all(page.part(0, low - 0.5, page.width, 1.0) < 100, axis=2)
    line = max(dark, key=np.count_nonzero)
    (_, start, end) = max((run for run in runs(line) if run[0]), key=lambda run: run[2] - run[1])
    assert start / MM == pytest.approx(EDGE, abs=0.2)
    assert (end - start) / MM == pytest.approx(101.6, abs=0.3)


@pytest.mark.parametrize("make", [board, pieces])
@pytest.mark.parametrize("mono", [False, True])
def test_fonts_are_in_the_file_and_all_is_lines(make, mono):
    data = make(Asked(mono=mono))
    found = fonts(data)
    assert found and all(found.values()), found
    assert all("SourceSans" in name for name in found)
    assert raw.FPDF_PAGEOBJ_IMAGE not in kinds(data)


@pytest.mark.parametrize("make", [board, pieces])
def test_the_same_sheet_is_the_same_bytes(make):
    assert make(Asked()) == make(Asked())
    dated = make(Asked(made=dt.datetime(2024, 2, 29, tzinfo=dt.UTC)))
    assert b"20240229" in dated and dated != make(Asked())


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("square", [30.0, 57.15])
def test_fronts_and_backs_meet(paper, square):
    found = pages(pieces(Asked(paper), square=square))
    sheets = layout(PAPERS[paper], diameter(square), 12)
    assert len(found) == 2 * len(sheets)
    assert sum(len(places) for places in sheets) == 24
    for number, places in enumerate(sheets):
        front, back = found[2 * number], found[2 * number + 1]
        high = int((front.height - EDGE - FOOT) * MM)
        mirrored = back.ink[:high, ::-1]
        assert np.count_nonzero(front.ink[:high] ^ mirrored) < 0.002 * mirrored.size
        for place in places:
            x, y = place.x, place.y
            face = WOOD.dark_face if place.side.code == "B" else WOOD.light_face
            crown = WOOD.dark_crown if place.side.code == "B" else WOOD.light_crown
            mark = face if place.side.code == "B" else WOOD.light_line
            assert near(front.at(x, y), mark)
            assert near(back.at(back.width - x, y), crown)


def test_pieces_are_as_wide_as_they_say():
    size = diameter(40.0)
    assert size == 31.0
    page, _ = pages(pieces(Asked(mono=True), square=40.0))
    (places,) = layout(PAPERS["a4"], size, 12)
    white = next(place for place in places if place.side.code == "W")
    row = page.ink[int(white.y * MM), int((white.x - size / 2 - 2) * MM) :]
    left = np.flatnonzero(row)[0] / MM + int((white.x - size / 2 - 2) * MM) / MM
    assert white.x - left == pytest.approx(size / 2, abs=0.2)
    assert "31 mm (1.22 in)" in page.text


def test_sides_and_kings_differ_without_colour():
    front, back = pages(pieces(Asked(mono=True)))
    for page in (front, back):
        high = page.seen[: int((page.height - EDGE - FOOT) * MM)].astype(int)
        assert (abs(high[..., 0] - high[..., 2]) <= 2).all()
    (places,) = layout(PAPERS["a4"], diameter(40.0), 12)
    black, white = places[0], places[-1]
    shown = [
        front.part(place.x - 14, place.y - 14, 28, 28)[..., 0].astype(int)
        for place in (black, white)
    ]
    shown.append(back.part(back.width - white.x - 14, white.y - 14, 28, 28)[..., 0].astype(int))
    for first, second in ((0, 1), (1, 2)):
        assert (abs(shown[first] - shown[second]) > 60).mean() > 0.08


def test_what_cannot_be():
    for make in (board, pieces):
        for wrong in (9.9, 80.1, -1.0, float("nan")):
            with pytest.raises(SheetError, match="a square is from 10 to 80 mm"):
                make(square=wrong)
        with pytest.raises(SheetError, match="no paper 'a3'"):
            make(Asked("a3"))
        with pytest.raises(SheetError, match="no board theme 'x'"):
            make(Asked(theme="x"))


def test_lengths():
    assert length("2.25in") == length('2.25 "') == 57.15
    assert length("5,5 cm") == 55.0
    for wrong in ("", "x", "-4", "1e9", "12345", "4 ft", "٣"):
        with pytest.raises(SheetError, match="is no length"):
            length(wrong)


def test_letters_that_the_font_lacks():
    canvas = Canvas("x", PAPERS["a4"])
    canvas.page()
    canvas.text((20, 20), "Łódź, Ødegård, Иванов, 王, \N{BLACK DRAUGHTS KING}")
    canvas.text((20, 30), "too long for its room " * 9, room=40)
    (page,) = pages(canvas.bytes())
    assert "Łódź, Ødegård, Иванов, ?, ?" in page.text
    assert "too long for its room" in page.text and "…" in page.text


def played(plies):
    """A game in which somebody always plays the first of the legal moves."""
    history = History.start()
    while len(history.moves) < plies and history.position.legal_moves:
        history = history.play(str(history.position.legal_moves[0]))
    return history


def a_game(asked):
    return game(played(40), asked, tags={"Black": "Ann", "White": "Bo"}, result="1-0")


def some_positions(asked):
    return positions([Position.start()] * 7, asked, title="Seven")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("make", [rules, score, a_game, some_positions])
def test_sheets_to_read_fit_their_paper(paper, make):
    for mono in (False, True):
        data = make(Asked(paper, mono=mono))
        found = pages(data, 100)
        assert [page.text for page in found if not margin_is_empty(page)] == []
        assert all(fonts(data).values())
        assert raw.FPDF_PAGEOBJ_IMAGE not in kinds(data)
        assert data == make(Asked(paper, mono=mono))
        assert all(page.width == pytest.approx(PAPERS[paper].width, abs=0.02) for page in found)
        if mono:
            for page in found:
                assert (abs(page.seen[..., 0].astype(int) - page.seen[..., 2]) < 20).all()


@pytest.mark.parametrize("paper", PAPERS)
def test_the_rules_are_one_page_and_right(paper):
    (page,) = pages(rules(Asked(paper)), 100)
    for words in ("If you can jump, you must", "It never moves further", "third time", "40 moves"):
        assert words in " ".join(page.text.split())
    for diagram in DIAGRAMS:
        position = Position.from_fen(diagram.fen)
        legal = {move.path for move in position.legal_moves}
        assert set(diagram.arrows) == legal, diagram


@pytest.mark.parametrize("paper", PAPERS)
def test_a_score_sheet_has_room_to_write(paper):
    (page,) = pages(score(Asked(paper, mono=True)), 100)
    words = page.text.split()
    assert {"Event", "Date", "Result", *map(str, range(1, 61))} <= set(words)


def test_a_game_on_paper():
    history = played(40)
    found = pages(game(history, tags={"Black": "Ann", "White": "Bo"}, result="1-0", every=10), 100)
    text = " ".join(" ".join(page.text for page in found).split()).replace("\u00a0", " ")
    assert "Ann (Black) – Bo (White)" in text and text.count("1-0") == 1
    assert f"1. {history.moves[0]} {history.moves[1]} 2. {history.moves[2]}" in text
    for ply in (10, 20, 30, 40):
        assert f"After {ply // 2}... {history.moves[ply - 1]}" in text
    chosen = pages(game(history, plies=[0, 3]), 100)
    assert "The start" in chosen[0].text and f"After 2. {history.moves[2]}" in chosen[0].text
    assert len(pages(game(history, every=1), 50)) > 3


def test_positions_on_paper():
    fen = "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"
    (page,) = pages(positions([Position.from_fen(fen)]), 100)
    assert fen in page.text and "Black to move" in page.text
    assert len(pages(positions([Position.start()] * MOST, columns=2), 30)) == 10


def test_diagrams_that_cannot_be():
    start = Position.start()
    for wrong, words in (
        (lambda: positions([]), "1 to 60 diagrams, not 0"),
        (lambda: positions([start] * 61), "1 to 60 diagrams, not 61"),
        (lambda: positions([start], columns=5), "1 to 4 columns, not 5"),
        (lambda: game(played(4), plies=[5]), "no diagram after ply 5: the game has 4"),
        (lambda: game(played(4), every=0), "1 ply or more"),
    ):
        with pytest.raises(SheetError, match=words):
            wrong()


def test_what_is_given_up_leaves_no_file_open():
    import gc

    canvas = Canvas("x", PAPERS["a4"])
    del canvas
    gc.collect()  # a file left open would be a warning, and a failure
