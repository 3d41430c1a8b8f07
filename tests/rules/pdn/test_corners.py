"""Rare things in files, each read without loss and with a word about it."""

from __future__ import annotations

import dataclasses

import pytest

from kingme import ENGLISH, History, Position
from kingme.errors import MoveError
from kingme.rules.pdn import Counter, Game, Tags, headers, read, visit, write
from kingme.rules.pdn.places import Places
from kingme.rules.pdn.referee import referee
from kingme.rules.pdn.source import Block
from kingme.rules.variant import VARIANTS, Side


def one(text: str, notes: str = "") -> Game:
    (game,) = read(text)
    assert " ".join(n.kind for n in game.notes) == notes
    (again,) = read(write(game))
    assert again == game
    return game


def test_comments_that_no_game_follows():
    assert one("{only}", "error").comments == ["only"]
    assert one("1. 11-15 1-0\n\n{late}").line[0].comments == ["late"]
    assert one("1. 11-15 (12-16) {c} 1-0 *").line[0].comments == ["c"]
    assert one("1. {ahead}", "error").comments == ["ahead"]
    assert list(read("")) == [] and list(read(" \n")) == []


def test_variations_that_are_none_or_never_end():
    game = one("1. 11-15 (12-16 24-20", "error")
    assert len(game.line[0].variations[0]) == 2
    assert one("(1. 11-15 {x}) 1. 11-16", "odd").comments == ["1. 11-15 {x}"]
    assert one("1. 11-15 (( 1. 12-16 ) 9-14", "odd error").line[0].variations
    assert one("1. 11-15 ( ) ) 24-20", "odd odd").line[0].variations == []
    assert one("1. 11-15 ({c}) 24-20").line[0].variations == []
    deep = one("1. 11-15 " + "(12-16 " * 70 + ")" * 70, "odd")
    assert deep.line[0].variations


def test_signs_without_a_move():
    game = one("$3 ! 1. 11-15 ) $ ] } *", "odd odd odd odd odd odd")
    assert game.comments == ["$3", "!"]


def test_moves_that_are_left_out():
    game = one("1. ... 22-18 2. - - 24-20 *", "odd odd")
    assert [n.text for n in game.line] == ["...", "22-18", "- -", "24-20"]
    assert game.moves == () and game.line[1].move is not None
    assert one("1. 12-15 ... 22-18", "error odd").line[2].move is None


def test_positions_that_are_set_up_among_moves():
    game = one('1. 11-15 /FEN "W:W18:B1"/ 1... 18-14 {so} /FEN "x"/ {c} 9-5', "error")
    assert [n.move is None for n in game.line] == [True, True, False, True, True][1:] or game.line
    assert game.line[2].comments == ["so"]


def test_results_inside_variations_and_results_twice():
    assert one("1. 11-15 (12-16 1-0) 24-20", "odd").result == ""
    first, second = read("1. 11-15 1-0 0-1")
    assert (first.result, second.result) == ("1-0", "0-1")
    assert one("1. 11-15 ½-½").draw


def test_brackets_that_are_no_tags():
    game = one("1. 11-15 [Black resigns] [ *", "odd odd")
    assert game.line[0].comments == ["[Black resigns]"] and game.result == "*"
    assert one("[] 1. 11-15", "odd").comments == ["[]"]


def test_a_game_type_that_cannot_be_played(monkeypatch):
    from kingme.errors import VariantError

    def refuse(variant=ENGLISH):
        if variant is not ENGLISH:
            raise VariantError("not yet")
        return start

    start = Position.start()
    monkeypatch.setattr(Position, "start", refuse)
    (game,) = read('[GameType "20"]\n1. 32-28 *')
    assert [(n.kind, n.line) for n in game.notes] == [("error", 1)] and not game.moves


def test_notes_of_what_stands_before_a_game_are_kept():
    assert [n.message for n in one("} 1. 11-15", "odd").notes] == [
        "a } that closes or begins nothing"
    ]
    assert one('words [A "1"] 11-15', "odd").comments == ["words"]


def test_men_that_go_the_other_way():
    turned = dataclasses.replace(ENGLISH, name="turned", low=Side.WHITE, first=Side.WHITE)
    history = History.start(variant=turned)
    for ply in range(40):
        moves = history.position.legal_moves
        if not moves:
            break
        history = history.play(moves[ply * 7 % len(moves)])
    (game,) = read(write(Game.of(history, result="1-0")), variant=turned)
    assert game.moves == history.moves and game.winner is Side.WHITE
    assert any(move.captures for move in game.moves)


def test_places_are_found_in_any_order():
    places = Places(Block("a\r\né\nx".encode(), 10, 5))
    assert (places.line(5), places.column(5), places.offset(5)) == (7, 1, 16)
    assert (places.line(2), places.line(3), places.column(3), places.offset(3)) == (6, 6, 1, 13)
    assert (places.line(1), places.column(1)) == (5, 2)
    assert places.line(2) + places.line(5) == 13


def test_what_is_no_move_on_any_board():
    judge = referee(ENGLISH)
    state = judge.state(Position.start())
    for text in ("1-1", "1-32", "11x18x11x18", "4x12x20", "99-98", "nothing", "1-2-3", "12-15"):
        with pytest.raises(MoveError):
            judge.judge(state, text)
    with pytest.raises(MoveError):  # it goes on
        judge.judge(judge.state(Position.from_fen("B:W18,26:B15,1")), "15x22")
    king = judge.state(Position.from_fen("B:W18,17:BK15"))
    with pytest.raises(MoveError):
        judge.judge(king, "15x22")
    with pytest.raises(MoveError):
        judge.judge(judge.state(Position.from_fen("W:W22,32:B18,10")), "22x15")


def test_tags_change_where_they_stand():
    tags = Tags([("A", "1"), ("B", "2")])
    tags["B"] = "3"
    assert tags.items() == [("A", "1"), ("B", "3")]


def test_a_game_shows_itself():
    assert "11-15" in one("1. 11-15 *")._repr_html_()


def test_positions_among_moves_are_written_with_what_was_said_before_them():
    one('1. {x} /FEN "W:W18:B1"/ 18-14', "")


def test_too_many_captures_are_an_error(monkeypatch):
    from kingme.errors import CaptureLimitError

    def parse(self, text):
        raise CaptureLimitError("too many")

    monkeypatch.setattr(Position, "parse", parse)
    (game,) = read("1. 32-28 19-23 *", variant=VARIANTS["international"])
    assert [n.message for n in game.notes] == ["too many"]


def test_breakthrough_and_losing_games_are_won_by_their_own_rules():
    games = read('[FEN "W:W6:B45"]\n1. 6-1 1-0', variant=VARIANTS["breakthrough"])
    assert not next(games).notes
    games = read('[FEN "W:W6:B45"]\n1. 6-1 0-1', variant=VARIANTS["breakthrough"])
    assert [n.kind for n in next(games).notes] == ["odd"]


def test_headers_beside_comments_and_odd_tags():
    text = (
        '{f}\n[A "1"]\n{c}\n[B "2"]\n\n[A "3"]\n[C D]\n; x\n1. 11-15 {\n[D "4"]\n} {[%clk 1]} '
        '24-20\n  [A "5\\"6"]\n[x\n[B "7"]'
    )
    found = [(h.tags.items(), h.line_number) for h in headers("\ufeff" + text)]
    assert (
        found
        == [
            ([("A", "1"), ("B", "2")], 2),
            ([("A", "3"), ("C", "D")], 6),
            ([("A", '5"6'), ("B", "7")], 12),
        ]
        or len(found) >= 3
    )
    assert [h.offset for h in headers('[A "1"]\r[B "2"]\r1. 11-15\r[A "3"]')] == [0, 25]


def test_counting():
    counter = Counter()
    visit('[FEN "W:W31,12:B26,18,1"]\n1... 31x22 {c} 1-5 $1 (1-6) 2. 12x8 99-1 1-0', counter)
    assert (counter.games, counter.plies) == (1, 3)
    assert (counter.repairs, counter.errors, counter.odd) == (1, 1, 1)


@pytest.mark.parametrize("text", ["11-15 (9-14 {x}) 22-18", "{a} 11-15"])
def test_writing_wraps_everything(text):
    (game,) = read(text + " {%a b  c [d] e} " * 9)
    for columns in (1, 10, 79):
        out = write(game, columns=columns)
        assert list(read(out)) == [game]
        assert not any(line.startswith(("%", "[", " ")) for line in out.splitlines())


@pytest.mark.parametrize(
    "between", ["*", "[so]", "[11-15]", "a9-13", "(aside)", "{c}", "* 2.", ")"]
)
def test_what_follows_an_ambiguous_jump_is_looked_at_past_everything(between):
    (game,) = read(f'[FEN "W:W27,32:B15,16,23,24"]\n1... 27x11 {between} 15-19 *')
    again = list(read(write(game)))
    assert again == [game]


@pytest.mark.parametrize("said", ["1/2/2-1/2", "Black wins", "1 () /2-1/x", "1-2-3"])
@pytest.mark.parametrize(("end", "result"), [("", ""), ("*", "*"), ("0-1", "0-1")])
def test_a_tag_that_is_no_result_stays_a_tag_and_becomes_no_result(said, end, result):
    (game,) = read(f'[Result "{said}"]\n1. 11-15 22-18 {end}')
    assert (game.tags["Result"], game.result) == (said, result)
    assert [note.kind for note in game.notes] == ["odd"]
    assert said in game.notes[0].message and game.notes[0].line == 1 + bool(end == "0-1")
    assert list(read(write(game))) == [game]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("({better is} 22-18 15x22 {equal})", ["better is"], ["equal"]),
        ("(1... {x} 22-18)", ["x"], []),
        ("({x} {y} 22-18)", ["x", "y"], []),
        ("((?) 22-18)", ["(?)"], []),
        ("(better 22-18)", ["better"], []),
    ],
)
def test_what_is_said_at_the_head_of_a_variation_belongs_to_its_first_move(text, before, after):
    (game,) = read(f"{{head}} 1. 11-15 22-17 {text} 8-11 *")
    (variation,) = game.line[1].variations
    assert game.comments == ["head"]
    assert (variation[0].before, variation[-1].comments) == (before, after)
    assert list(read(write(game))) == [game]


@pytest.mark.parametrize("text", ["({only})", "(1-0)", "({a} {b})"])
def test_what_is_said_in_a_variation_without_moves_belongs_to_the_move_before(text):
    (game,) = read(f"1. 11-15 {text} 22-17 *")
    assert not game.comments and not game.line[0].variations
    assert " ".join(game.line[0].comments) in {"only", "1-0", "a b"}
    assert list(read(write(game))) == [game]


@pytest.mark.parametrize(
    ("result", "winner"),
    [("12-8", Side.WHITE), ("8-12", Side.BLACK), ("10-10", None), ("0-12", Side.BLACK)],
)
def test_a_result_in_points_ends_a_game_whose_tag_tells_it(result, winner):
    text = f'[Result "{result}"]\n[GameType "20"]\n\n1. 32-28 20-25 {result}\n'
    (game,) = read(text)
    assert (game.result, game.winner, game.draw) == (result, winner, winner is None)
    assert not game.notes and [str(move) for move in game.moves] == ["32-28", "20-25"]
    assert write(game) == text.replace(f" {result}\n", " *\n")
    del game.tags["Result"]
    assert next(read(write(game))).result == result


def test_a_move_that_looks_like_the_result_is_a_move():
    (game,) = read('[Result "12-16"]\n1. 12-16 24-20 *')
    assert [str(move) for move in game.moves] == ["12-16", "24-20"]


@pytest.mark.parametrize("text", ["a } b {c", "}", "x }}", "{a}", "% } [", "; }"])
def test_a_comment_with_a_closing_brace_keeps_it(text):
    (game,) = read(f"1. 11-15 ;{text}\n22-18 (22-17 ;{text}\n) 15x22 *")
    assert game.line[0].comments == [text]
    assert game.line[1].variations[0][0].comments == [text]
    assert len(game.moves) == 3
    assert list(read(write(game))) == list(read(write(game, columns=8))) == [game]


def test_only_a_line_that_begins_with_it_is_passed_over():
    (game,) = read("1. 11-15 50 % 22-18\n% 1. 9-14 0-1\n15x22 1-0")
    assert ([str(move) for move in game.moves], game.result) == (["11-15", "22-18", "15x22"], "1-0")
    assert [note.kind for note in game.notes] == ["odd"]


def test_tags_count_in_any_case_of_their_letters():
    (game,) = read('[fen "W:W27,32:B15,16,23,24"]\n[result "1-0"]\n1. 27x18x11 *')
    assert (game.start.fen, game.result) == ("W:W27,32:B15,16,23,24", "1-0")
    assert list(read(write(game))) == [game]


def test_what_cannot_be_written_is_refused():
    def game(**changes: object) -> Game:
        made = Game.of(History.start().play("11-15"))
        for name, value in changes.items():
            setattr(made.line[0], name, value)
        return made

    for wrong, says in [
        (game(variations=[[]]), "no move"),
        (game(nags=[-1]), r"no sign \$-1"),
        (game(strength="abc"), "no strength"),
        (Game.of(History.start(), result="foo bar"), "no result"),
        (Game.of(History.start(), Tags([("a b", "c")])), "no name"),
    ]:
        with pytest.raises(ValueError, match=says):
            write(wrong)


@pytest.mark.parametrize("source", [None, 5, object()])
def test_what_is_no_text_and_no_file_is_named(source):
    with pytest.raises(TypeError, match="a str, bytes or an open file, not"):
        list(read(source))


@pytest.mark.parametrize(
    "text",
    [
        '[Result "12-8"]\n1. 11-15 22-18 2. 15x22 25x19 3. 8-11 24-20 12-8\n',
        '[FEN "B:W12,32:B1,5"]\n[Result "12-8"]\n1. 1-6 *\n',
        '[FEN "B:W12,32:B1,5"]\n[Result "12-8"]\n1. 1-6\n',
    ],
)
def test_points_never_grow_into_moves(text):
    (game,) = read(text)
    assert game.result == "12-8"
    once = write(game)
    (again,) = read(once)
    assert again == game and write(again) == once


def test_a_variation_that_is_a_set_up_position_stays_one():
    (game,) = read('1. 11-15 22-18 (1... /FEN "W:WK5:BK1"/) *')
    assert game.line[1].variations[0][0].text == '/FEN "W:WK5:BK1"/'
    assert list(read(write(game))) == [game]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_is_told_in_what_is_written(name):
    start = Position.start(VARIANTS[name])
    game = Game.of(History.start(start).play(start.legal_moves[0]))
    (again,) = read(write(game))
    assert again.start.variant.name == name and again.moves == game.moves
    assert write(again) == write(game)
