"""Pictures of boards: well-formed, complete, in the colours of the page, the same for all."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kingme import VARIANTS, Board, History, Move, Position, Side, pdn, svg
from kingme.rules import html
from kingme.rules.drawing import Look, disc, scene
from kingme.rules.theme import THEMES, theme_of

STATIC = Path(svg.__file__).parents[1] / "web" / "static"
SVG = "{http://www.w3.org/2000/svg}"
HEART = svg.Mark(1, "heart")  # type: ignore[arg-type]
JUMP = Position.from_fen("W:WK27,32:BK15,16,23,24")


def parsed(text):
    return ET.fromstring(text)


def uses(text):
    """Each piece by its name and the middle of its square."""
    found = []
    for use in parsed(text).iter(f"{SVG}use"):
        name = use.attrib["href"][1:].rpartition("-")[0]
        found.append((name, float(use.attrib["x"]), float(use.attrib["y"])))
    return found


def labels(text):
    return [label.text for label in parsed(text).iter(f"{SVG}text")]


def boxes(text, fill):
    return [box for box in parsed(text).iter(f"{SVG}rect") if box.attrib["fill"] == fill]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_board_is_drawn_whole(name):
    variant = VARIANTS[name]
    text = svg.board(Position.start(variant))
    root = parsed(text)
    assert root.attrib["viewBox"] == f"0 0 {10 * variant.columns + 4} {10 * variant.rows + 4}"
    assert len(boxes(text, THEMES["wood"].square)) == variant.geometry.squares
    assert len(uses(text)) == 2 * variant.men
    names = [variant.geometry.letters(n) for n in range(1, variant.geometry.squares + 1)]
    numbers = [str(n) for n in range(1, variant.geometry.squares + 1)]
    assert labels(text) == (names if variant.letters_first else numbers)
    assert labels(svg.board(Position.start(variant), coordinates="letters")) == names
    assert labels(svg.board(Position.start(variant), coordinates="numbers")) == numbers
    assert labels(svg.board(Position.start(variant), coordinates=False)) == []


@pytest.mark.parametrize(
    ("variant", "corner", "place"),
    [
        ("english", "a1", (7, 77)),
        ("italian", "h1", (77, 77)),
        ("international", "a1", (7, 97)),
        ("turkish", "a1", (7, 77)),
        ("canadian", "l12", (117, 7)),
    ],
)
def test_letters_lie_where_white_sees_them(variant, corner, place):
    rules = VARIANTS[variant]
    mask = rules.geometry.masks[rules.geometry.number(corner)]
    position = Position(mask, 0, mask, Side.BLACK, rules)
    assert uses(svg.board(position)) == [("king-B", *place)]
    width, height = 10 * rules.columns + 4, 10 * rules.rows + 4
    turned = svg.board(position, orientation=Side.BLACK)
    assert uses(turned) == [("king-B", width - place[0], height - place[1])]


def test_kings_and_men_of_both_sides():
    text = svg.board(Position.from_fen("W:WK27,32:BK15,16"))
    assert sorted(name for name, *_ in uses(text)) == ["king-B", "king-W", "man-B", "man-W"]
    ids = {node.attrib["id"] for node in parsed(text).iter() if "id" in node.attrib}
    wanted = {use.attrib["href"][1:] for use in parsed(text).iter(f"{SVG}use")}
    assert wanted < ids


def test_the_last_move_is_shown_with_its_way():
    move = JUMP.legal_moves[0]
    text = svg.board(JUMP.play(move), last_move=move)
    assert len(boxes(text, THEMES["wood"].tint)) == len({move.start, move.end})
    assert text.index(THEMES["wood"].tint) < text.index("<text"), "a tint would make a name faint"
    (trail,) = parsed(text).iter(f"{SVG}polyline")
    assert len(trail.attrib["points"].split()) == len(move.path)
    assert "stroke-dasharray" in trail.attrib


def test_arrows_in_every_form():
    arrows: list[svg.Arrow | Move | tuple[int, ...]] = [
        (11, 15),
        Move((11, 16)),
        svg.Arrow((11, 15, 18), "#ff0000"),
    ]
    root = parsed(svg.board(Position.start(), arrows=arrows))
    heads = [head for head in root.iter(f"{SVG}polygon") if "stroke" in head.attrib]
    tint = THEMES["wood"].tint
    assert [head.attrib["fill"] for head in heads] == [tint, tint, "#ff0000"]


def test_marks_in_every_form():
    marks: list[svg.Mark | int] = [
        1,
        svg.Mark(2, "cross"),
        svg.Mark(3, "dot", "#00ff00"),
        svg.Mark(4, "square"),
    ]
    text = svg.board(Position.from_fen("B:W32:B9"), marks=marks)
    root = parsed(text)
    assert len(list(root.iter(f"{SVG}polyline"))) == 2
    assert len(boxes(text, THEMES["wood"].tint)) == 1
    circles = root.findall(f"{SVG}circle")
    assert [circle.attrib["fill"] for circle in circles] == ["none", "#00ff00"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"marks": [0]}, "no square 0"),
        ({"marks": [HEART]}, "no mark 'heart'"),
        ({"arrows": [(1, 40)]}, "no square 40"),
        ({"arrows": [(1,)]}, r"not along \(1,\)"),
        ({"arrows": [(1, 1)]}, r"not along \(1, 1\)"),
        ({"theme": "marble"}, "no board theme 'marble': there are wood, green, contrast"),
        ({"coordinates": "roman"}, "no coordinates 'roman'"),
        ({"size": 0}, "a picture of 0 pixels"),
        ({"last_move": Move((1, 99))}, "no square 99"),
    ],
)
def test_what_cannot_be_shown_is_said(options, message):
    with pytest.raises(ValueError, match=message):
        svg.board(Position.start(), **options)


def test_a_picture_says_what_it_shows():
    label = parsed(svg.board(Position.from_fen("B:WK5,32,31:B9,K1,10"))).attrib["aria-label"]
    assert (
        label == "Black: men on 9, 10; king on 1. White: men on 31, 32; king on 5. Black to move."
    )
    assert "White: no piece." in svg.board(Position.from_fen("B:W:B9"))


def test_a_picture_has_its_size():
    root = parsed(svg.board(Position.start(), size=210))
    assert (root.attrib["width"], root.attrib["height"]) == ("210", "210")
    assert root.attrib["role"] == "img"


def test_texts_cannot_break_a_picture():
    evil = svg.Arrow((1, 5), '"/><script>')
    root = parsed(svg.board(Position.start(), arrows=[evil]))
    assert not list(root.iter(f"{SVG}script"))


def test_themes_do_not_mix_on_a_page():
    position = Position.start()
    names = [set(re.findall(r'id="(man-B-\w+)"', svg.board(position, theme=t))) for t in THEMES]
    assert len(set.union(*names)) == len(THEMES)
    assert theme_of(THEMES["green"]) is THEMES["green"]


PAGE = {"green": ":root", "wood": '[data-board="wood"]', "contrast": '[data-board="contrast"]'}


@pytest.mark.parametrize("name", PAGE)
def test_the_colours_are_those_of_the_page(name):
    css = (STATIC / "play.css").read_text()
    found = re.search(re.escape(PAGE[name]) + r" \{\n  (--pale:[^}]*)\}", css)
    assert found
    colours = dict(re.findall(r"--([a-z-]+): ([^;]+);", found[1]))
    theme = THEMES[name]
    for key, value in colours.items():
        mine = getattr(theme, key.replace("-", "_"))
        assert mine == (value if value.startswith("#") else float(value)), key


def test_pieces_that_a_jump_has_passed_are_crossed_out():
    text = svg.write(scene(JUMP, Look(coordinates=False), crossed=[23]), 200)
    faint = [use for use in parsed(text).iter(f"{SVG}use") if "opacity" in use.attrib]
    (middle,) = {(float(use.attrib["x"]), float(use.attrib["y"])) for use in faint}
    lines = [line.attrib["points"] for line in parsed(text).iter(f"{SVG}polyline")]
    assert len(lines) == 2
    for line in lines:
        (x, y), (to_x, to_y) = (map(float, point.split(",")) for point in line.split())
        assert ((x + to_x) / 2, (y + to_y) / 2) == pytest.approx(middle)


def test_what_notebooks_show():
    position = Position.start()
    assert position._repr_svg_() == svg.board(position)
    board = Board()
    assert board._repr_svg_() == svg.board(position)
    move = board.push("11-15")
    assert board._repr_svg_() == svg.board(board.position, last_move=move)
    assert board._repr_svg_() == svg.board(board, last_move=move)


def test_a_game_as_html():
    history = History.start().play("11-15").play("22-18").play("15x22")
    text = history._repr_html_()
    root = parsed(text)
    words = "".join(root.itertext())
    assert "1. 11-15" in words
    assert "22-18" in words
    assert "2. 15x22" in words
    assert words.endswith("White to move")
    assert len(list(root.iter(f"{SVG}svg"))) == 1
    assert "No moves" not in History.start()._repr_html_()


def test_a_board_as_html():
    board = Board()
    assert "Black to move" in board._repr_html_()
    for text in ("11-15", "22-18", "15x22"):
        board.push(text)
    assert board._repr_html_() == board.history._repr_html_()
    board.pop()
    assert "15x22" not in board._repr_html_()


def test_a_game_as_html_with_all_that_is_known():
    history = History.start("W:W26,25:B22,1").play("26x17")
    text = html.record(
        history,
        heading='Ann <b>"&"</b>',
        details=["Oslo, 1934"],
        comments={0: "begun <late>", 1: "over"},
        result="0-1",
    )
    words = "".join(parsed(text).itertext())
    assert 'Ann <b>"&"</b>' in words
    assert "Oslo, 1934" in words
    assert "begun <late> 1... 26x17 over" in words
    assert words.endswith("0-1")


def test_a_game_that_is_over_says_so():
    text = History.start("B:W26:B22").play("22x31")._repr_html_()
    assert text.endswith("Black wins: White has no piece left</p></div></div>")


TREE = """
[Black "Ann <3"]
[White "Bob"]
[Event "Match"]
[Date "????.??.??"]

{before} 1. 11-15! {bold} (1. 12-16 $2 (1. 9-14 {so}) 1... 22-18) 1... {then} 22-18 2. 11-99? *
"""


def test_a_game_of_a_file_as_html():
    (game,) = pdn.read(TREE)
    words = " ".join("".join(parsed(game._repr_html_()).itertext()).split())
    assert "Ann <3 – Bob" in words
    assert "Match" in words
    assert "????" not in words
    wanted = "before 1. 11-15! bold (1. 12-16 $2 (1. 9-14 so) 1... 22-18) then 1... 22-18"
    assert wanted in words
    assert words.endswith("*")


def test_a_game_of_a_file_without_names():
    (game,) = pdn.read("1. 11-15 *")
    root = parsed(game._repr_html_())
    assert "–" not in "".join(root.itertext())


def test_variations_are_shown_to_a_depth():
    deep = "1. 11-15 " + "(1. 11-15 " * 40 + ")" * 40 + " *"
    (game,) = pdn.read(deep)
    assert "(…)" in game._repr_html_()


def test_moves_are_spelled_as_the_variant_is():
    history = History.start(variant=VARIANTS["russian"]).play("c3-d4")
    assert "<b>1.</b> c3-d4" in history._repr_html_()


@pytest.mark.parametrize(
    ("shown", "options", "message"),
    [
        (History.start(), {}, "not History: give its position"),
        ("W:W32:B1", {}, "not str"),
        (JUMP, {"last_move": "27x18"}, "last_move is a Move"),
        (JUMP, {"marks": ["c3"]}, "a mark is a Mark or the number of a square, not 'c3'"),
        (JUMP, {"arrows": ["11-15"]}, "an arrow is an Arrow"),
        (JUMP, {"arrows": [("a1", "b2")]}, "an arrow is an Arrow"),
        (JUMP, {"size": "400"}, "a whole number of pixels, not '400'"),
    ],
)
def test_what_is_of_another_kind_is_named(shown, options, message):
    with pytest.raises(TypeError, match=message):
        svg.board(shown, **options)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_pieces_to_cut_out_fill_their_circle(theme):
    for code in "BW":
        man, king = (disc(f"{kind}-{code}", theme) for kind in ("man", "king"))
        face = theme.piece(Side(code))[0]
        for shapes in (man, king):
            assert (shapes[0].size, shapes[0].fill) == (5.0, face)
            rings = [shape for shape in shapes if shape.kind == "circle"]
            assert all(ring.size + ring.width / 2 <= 5.0 for ring in rings)
        assert [shape.kind for shape in king].count("area") == 1  # the crown
        assert [shape.kind for shape in man].count("area") == (code == "W")  # the star
