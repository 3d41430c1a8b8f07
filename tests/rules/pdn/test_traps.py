"""Places where readers of PDN go wrong, each with what is right."""

from __future__ import annotations

import pytest

from kingme import FenError, Position
from kingme.rules.pdn import Game, Node, read, write
from kingme.rules.variant import Side


def one(text: str | bytes) -> Game:
    (game,) = read(text)
    assert list(read(write(game))) == [game]
    return game


def moves(game: Game) -> str:
    return " ".join(map(str, game.moves))


def kinds(game: Game) -> list[str]:
    return [note.kind for note in game.notes]


def shape(line: list[Node]) -> list[object]:
    return [
        (str(n.move), *([shape(v) for v in n.variations])) if n.variations else str(n.move)
        for n in line
    ]


# FEN


def test_ranges_of_squares():
    game = one('[GameType "20"]\n[FEN "W:W31-50:B1-20"]\n1. 32-28 *')
    assert moves(game) == "32-28" and not game.notes


def test_a_dot_at_the_end():
    assert one('[FEN "W:WK27,K23:BK28,12."]\n1. 27-24 *').start.fen == "W:WK23,K27:B12,K28"


def test_a_side_without_pieces_has_lost():
    game = one('[FEN "B:W32:B"]\n0-1')
    assert game.start.turn is Side.BLACK and not game.start.legal_moves and not game.notes
    assert game.winner is Side.WHITE


@pytest.mark.parametrize("fen", ["W:W1:B32", "W::."])
def test_what_is_no_position(fen):
    with pytest.raises(FenError):
        Position.from_fen(fen)


def test_a_position_that_cannot_be_is_read_if_it_can_be_put_up():
    game = one('[Event "A"]\n[FEN "W:W1:B32"]\n1. 1-6 *')
    assert [(n.kind, n.line, n.column) for n in game.notes] == [
        ("odd", 2, 1),
        ("error", 3, 4),
    ]


def test_a_fen_of_nothing_is_an_error_and_the_moves_are_kept():
    game = one('[FEN "W::."]\n1. 32-28 {so} *')
    assert kinds(game) == ["error"] and game.moves == () and game.line[0].text == "32-28"
    assert game.line[0].position is None and game.line[0].comments == ["so"]


# Moves


@pytest.mark.parametrize("route", ["3x10x19x12x3", "3x12x19x10x3"])
def test_a_loop_in_two_orders(route):
    game = one(f'[FEN "B:WK1,7,K8,K15,K16,21,28,29:BK3,11"]\n1. {route} *')
    assert moves(game) == route and not game.notes


AMBIGUOUS = '[FEN "W:W15,21,25,26,28,30,31,32:B1,2,4,6,8,10,11,13,18,19,27"]\n1... 32x7'


def test_an_ambiguous_jump_at_the_end_is_an_error():
    game = one(f"{AMBIGUOUS} *")
    assert kinds(game) == ["error"] and game.moves == ()
    assert "32x23x14x7 or 32x23x16x7" in game.notes[0].message
    assert (game.notes[0].line, game.notes[0].column, game.notes[0].token) == (2, 6, "32x7")


@pytest.mark.parametrize(
    ("route", "other", "reply"),
    [("32x23x14x7", "32x23x16x7", "11x18"), ("32x23x16x7", "32x23x14x7", "10x19")],
)
def test_an_ambiguous_jump_is_understood_by_what_follows(route, other, reply):
    game = one(f"{AMBIGUOUS} {{so}} (32x23) 2. {reply} *")
    assert moves(game) == f"{route} {reply}" and "repair" in kinds(game)
    assert f"{route} or {other}" in game.notes[0].message


def test_an_ambiguous_jump_stays_one_if_several_readings_fit_what_follows():
    fen = "W:WK22:B1,9,10,11,17,18,19,25,26,27"
    game = one(f'[FEN "{fen}"]\n1... 22x22 2. 1-6 *')
    assert kinds(game) == ["error"] and game.line[1].text == "1-6"


def test_a_man_crowned_by_a_jump_stops():
    game = one('[FEN "B:W26,27:B22"]\n1. 22x31 1-0')
    assert moves(game) == "22x31" and not game.notes
    assert kinds(one('[FEN "B:W26,27:B22"]\n1. 22x31x24 1-0')) == ["error"]


def test_a_game_is_won_only_behind_the_jump():
    game = one('[FEN "W:WK29:BK25"]\n1... 29x22 0-1')
    assert moves(game) == "29x22" and not game.notes and game.winner is Side.WHITE


def test_only_moves_and_the_end_of_a_game():
    game = one("1. 11-15* 24-20 * ")
    assert game.line[0].nags == [7] and game.result == "*" and kinds(game) == ["odd"]
    assert one("1. 11-15 * 24-20 2. 8-11 *").line[0].nags == [7]
    first, second = read("1. 11-15 * 1. 12-16 *")
    assert (moves(first), moves(second)) == ("11-15", "12-16") and not first.line[0].nags


def test_strengths_and_variations():
    game = one("1. 11-15(?) 24-20 ( 23-18 ! ) 2. 8-11 (!?) *")
    assert [n.strength for n in game.line] == ["(?)", "", "(!?)"]
    assert game.line[1].variations[0][0].strength == "!"


def test_squares_that_look_like_results():
    text = '[GameType "20"]\n[FEN "W:W21:BK1"]\n1. 21-17 1-18 *'
    assert moves(one(text)) == "21-17 1-18"
    assert one("1. 11-15 1-1").draw and one("1. 11-15 0-1").winner is Side.WHITE


def test_a_jump_in_pieces_with_numbers_that_drift():
    game = one('[FEN "W:W31,12:B26,18,1"]\n1... 31x22 2. ... 22x15 3. 1-5 12-8 *')
    assert moves(game) == "31x22x15 1-5 12-8" and kinds(game) == ["repair"]


def test_a_jump_that_stops_halfway_has_one_way_to_go_on():
    game = one('[FEN "W:W31,12:B26,18,1"]\n1... 31x22 1-5 *')
    assert moves(game) == "31x22x15 1-5" and kinds(game) == ["repair"]


def test_quiet_moves_with_an_x_and_jumps_with_a_dash():
    game = one("11x15 22-18 15-22 25x18")
    assert moves(game) == "11-15 22-18 15x22 25x18" and kinds(game) == ["odd", "odd"]


@pytest.mark.parametrize(
    "text",
    [
        "1. f6-g5 g3-h4 *",
        "1. f6g5 g3h4 *",
        "1.11-16 24-20",
        "01. 11-16 024-20",
        "11-16 24-20 1-0",
        "1. 11 - 16 24- 20",
        "1. 11-16 1... 24-20",
        "1. 11-16 {a} 1. ... 24-20",
        "1. 11–16 24—20",
        "1. 11:16 24:20",
        "1.\r11-16\r\n24-20\n",
        "1) 11-16 24-20",
    ],
)
def test_spellings(text):
    assert moves(one(text)) == "11-16 24-20"


# Tags and comments


def test_comments_before_the_first_tag():
    game = one('{A file}\n; of games\n% here\n[Event "A"]\n{and} 1. 11-15 *')
    assert game.comments == ["A file", "of games", "% here", "and"]
    assert game.offset == 27 and game.line_number == 4


def test_parentheses_braces_and_quotes_in_tags():
    game = one('[Event "A (b) {c} [d] \\"e\\" \\\\"]\n[Site "x]"]\n1. 11-15 *')
    assert game.tags.items() == [("Event", 'A (b) {c} [d] "e" \\'), ("Site", "x]")]


@pytest.mark.parametrize(
    "tag",
    [
        '[Event "A "B""]',
        '[Event “A "B"”]',
        "[Event A \u00a0B]",
        '[Event "A\nB"]',
        "[Event 'AB']",
        '[Event "A\\"]',
    ],
)
def test_tags_that_are_not_written_as_they_should_be(tag):
    game = one(f'{tag}\n[Site "S"]\n1. 11-15 *')
    assert list(game.tags) == ["Event", "Site"] and kinds(game) == ["odd"]
    assert game.tags["Event"].startswith("A")


def test_a_tag_twice():
    game = one('[Event "A"]\n[Date ""]\n[Date "1841-??-??"]\n11-15 *')
    assert game.tags["Date"] == "" and len(game.tags) == 3 and kinds(game) == ["odd"]


def test_games_without_lines_between_them_and_without_results():
    games = list(read('[Event "A"]\n1. 11-15\n[Event "B"]\n1. 11-16 1-0 [Event "C"]1. 9-13'))
    assert [g.tags["Event"] for g in games] == ["A", "B", "C"]
    assert [moves(g) for g in games] == ["11-15", "11-16", "9-13"]


def test_games_of_tags_alone():
    games = list(read('[Event "A"]\n[Site "x"]\n\n[Event "B"]\n\n[Site "y"]\n\n[Event "C"]\n'))
    assert [g.tags.items() for g in games] == [
        [("Event", "A"), ("Site", "x")],
        [("Event", "B"), ("Site", "y")],
        [("Event", "C")],
    ]


def test_words_in_the_open_are_kept():
    game = one("1. 11-15 24-20 White overstepped the time")
    assert game.line[1].comments == ["White overstepped the time"] and kinds(game) == ["odd"]
    assert game.result == ""


def test_braces_of_all_kinds():
    game = one("1. 11-15 {a { b} 24-20 {} 2. 8-11 {c} } *")
    assert [n.comments for n in game.line] == [["a { b"], [""], ["c"]]
    assert kinds(one("1. 11-15 {never")) == ["error"]
    lost, found = read('[Event "A"]\n1. 11-15 {never\n\n[Event "B"]\n1. 11-16 {here} *')
    assert kinds(lost) == ["error"] and not found.notes and moves(found) == "11-16"


def test_a_comment_may_hold_what_looks_like_a_tag():
    game = one('[Event "A"]\n1. 11-15 {it began with\n[Event "B"]\nand more} 24-20 *')
    assert len(game.moves) == 2 and not game.notes


def test_everything_keeps_its_place():
    game = one(
        "{zero} 1. {before} 11-15! $3 {behind} (1. 12-16 {v} (1. {w} 9-14 22-18) 24-20) {after} "
        "1... 22-18 (22-17) (24-20) 2. 15x22 25x18 {end} 1-0 {really}"
    )
    assert not game.notes and game.comments == ["zero"]
    first, second, _, last = game.line
    assert (first.before, first.comments, first.nags) == (["before"], ["behind"], [3])
    assert (second.before, last.comments) == (["after"], ["end", "really"])
    assert shape(game.line) == [
        ("11-15", [("12-16", ["9-14", "22-18"]), "24-20"]),
        ("22-18", ["22-17"], ["24-20"]),
        "15x22",
        "25x18",
    ]


# Results


@pytest.mark.parametrize(
    ("game_type", "result", "winner", "draw"),
    [
        (21, "1-0", Side.BLACK, False),
        (21, "0-1", Side.WHITE, False),
        (21, "1/2-1/2", None, True),
        (20, "2-0", Side.WHITE, False),
        (20, "0-2", Side.BLACK, False),
        (20, "1-1", None, True),
        (21, "*", None, False),
        (20, "0-0", None, False),
    ],
)
def test_results_mean_what_draughts_means(game_type, result, winner, draw):
    game = one(f'[GameType "{game_type}"]\n{result}')
    assert (game.result, game.winner, game.draw) == (result, winner, draw)


def test_a_result_is_never_changed():
    game = one('[FEN "W:WK29:BK25"]\n[Result "1-0"]\n1... 29x22 1-0')
    assert game.result == "1-0" and game.winner is Side.BLACK
    assert [(n.kind, n.line, n.column) for n in game.notes] == [("odd", 3, 12)]
    assert "White wins" in game.notes[0].message
    assert one('[Result "1-0"]\n1. 11-15 *').result == "1-0"
    both = one('[Result "1-0"]\n1. 11-15 0-1')
    assert both.result == "0-1" and both.tags["Result"] == "1-0" and kinds(both) == ["odd"]


# Encodings


def test_encodings():
    assert one('\ufeff[Black "Müller"] *'.encode()).tags["Black"] == "Müller"
    assert one('[Black "Müller"] *'.encode("latin-1")).tags["Black"] == "Müller"
    assert one(b'[Event "\x93A\x94"]\n11-15 *').tags["Event"] == "“A”"
    first, second = read('[A "é"] *\n\n'.encode() + '[A "é"] *'.encode("latin-1"))
    assert first.tags == second.tags and second.offset == 12
