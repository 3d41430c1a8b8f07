"""Images of positions and games: what a viewer finds in them."""

from io import BytesIO

import pytest
from PIL import Image, ImageColor

from kingme import VARIANTS, Board, History, Move, Position, Side, svg
from kingme.prints import gif, png
from kingme.rules.theme import THEMES

JUMP = "W:WK27,32:BK15,16,23,24"


def opened(data):
    image = Image.open(BytesIO(data))
    image.load()
    return image


def at(image, square, *, variant="english", size=420, turned=False):
    """The colour near the lower right corner of a square, where no piece and no label is."""
    geometry = VARIANTS[variant].geometry
    name = geometry.letters(square)
    column, row = ord(name[0]) - ord("a"), geometry.rows - int(name[1:])
    if turned:
        column, row = geometry.columns - 1 - column, geometry.rows - 1 - row
    unit = size / (10 * geometry.columns + 4)
    x, y = 2 + 10 * column + 9.2, 2 + 10 * row + 9.2
    return image.convert("RGB").getpixel((int(x * unit), int(y * unit)))


def near(colour, name, tolerance=3):
    wanted = ImageColor.getrgb(name)
    return all(abs(a - b) <= tolerance for a, b in zip(colour, wanted, strict=False))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_board_becomes_an_image(name):
    variant = VARIANTS[name]
    image = opened(png(Position.start(variant), size=200, theme="green"))
    assert image.format == "PNG"
    ratio = (10 * variant.rows + 4) / (10 * variant.columns + 4)
    assert image.size == (200, round(200 * ratio))
    last = variant.geometry.squares
    assert near(at(image, last, variant=name, size=200), THEMES["green"].square, 12)


def test_an_image_has_the_colours_of_its_theme():
    for theme in THEMES.values():
        image = opened(png(Position.start(), size=420, theme=theme))
        assert near(at(image, 16), theme.square)
        assert near(image.getpixel((210, 3)), theme.frame)
        assert near(image.getpixel((3 * 5, 3 * 5)), theme.pale)
        assert image.getpixel((0, 0))[3] == 0


def test_pieces_stand_where_they_should():
    position = Position.from_fen("B:W32:BK1")
    image = opened(png(position, size=420, coordinates=False))
    theme = THEMES["wood"]
    # the crown of the king on 1, and the star of the man on 32
    assert near(image.getpixel((85, 28)), theme.dark_crown, 40)
    assert near(image.getpixel((5 * 67, 5 * 77 - 1)), theme.light_line, 60)
    turned = opened(png(position, size=420, coordinates=False, orientation=Side.BLACK))
    assert near(turned.getpixel((5 * 67, 5 * 77 - 7)), theme.dark_crown, 40)


def test_the_last_move_marks_and_arrows_are_seen():
    move = Move((11, 15))
    position = Position.start().play(move)
    plain = opened(png(position, size=420))
    for options in (
        {"last_move": move},
        {"arrows": [(22, 18)]},
        {"marks": [18, svg.Mark(17, "cross"), svg.Mark(16, "dot"), svg.Mark(14, "square")]},
        {"coordinates": "letters"},
    ):
        assert opened(png(position, size=420, **options)).tobytes() != plain.tobytes()
    marked = opened(png(position, size=420, marks=[svg.Mark(14, "square", "#ff0000")]))
    assert marked.getpixel((0, 0))[3] == 0
    red, green, _ = at(marked, 14)
    assert red > 200
    assert green < 90


def test_an_image_of_a_board_is_one_of_its_position():
    board = Board()
    assert png(board, size=100) == png(board.position, size=100)


def test_a_game_moves():
    history = History.start().play("11-15").play("22-18").play("15x22")
    image = opened(gif(history, size=200, pause=500))
    assert image.format == "GIF"
    assert image.n_frames == 4
    assert image.info["loop"] == 0
    times = []
    for number in range(image.n_frames):
        image.seek(number)
        times.append(image.info["duration"])
    assert times == [500, 500, 500, 1500]


def test_a_jump_is_shown_landing_by_landing():
    start = Position.from_fen(JUMP)
    move = start.legal_moves[0]
    assert len(move.path) > 2
    image = opened(gif(History.start(start).play(move), size=420, pause=400, hop=100))
    assert image.n_frames == len(move.path)
    image.seek(1)
    assert image.info["duration"] == 100
    theme = THEMES["wood"]
    # on its way the piece stands on the first landing, tinted as the end of the way so far
    assert not near(at(image, move.path[1]), theme.square, 20)
    image.seek(len(move.path) - 1)
    assert near(at(image, move.path[1]), theme.square, 20)


def test_a_game_without_moves_is_one_picture():
    image = opened(gif(History.start(), size=100))
    assert getattr(image, "n_frames", 1) == 1


@pytest.mark.parametrize("size", [0, -5, 31, 2049])
def test_a_size_out_of_reason_is_refused(size):
    with pytest.raises(ValueError, match="an image is 32 to 2048 pixels wide"):
        png(Position.start(), size=size)
    with pytest.raises(ValueError, match="an image is 32 to 1024 pixels wide"):
        gif(History.start(), size=size)


def test_pictures_stand_for_a_time():
    with pytest.raises(ValueError, match="not 0"):
        gif(History.start(), pause=0)
    with pytest.raises(ValueError, match="not -3"):
        gif(History.start(), hop=-3)


def test_a_large_image_is_as_smooth_as_a_small_one_is_sharp():
    large = opened(png(Position.from_fen("B:W32:BK1"), size=2048, coordinates=False))
    assert large.size == (2048, 2048)
    assert near(at(large, 16, size=2048), THEMES["wood"].square)
