"""Reading, visiting, scanning and writing, on real games and on made ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from kingme import ENGLISH, History, Position
from kingme.rules.pdn import (
    Clock,
    Counter,
    Game,
    Header,
    Node,
    Note,
    Tags,
    headers,
    read,
    source,
    visit,
    write,
)
from kingme.rules.pdn.referee import referee
from kingme.rules.variant import VARIANTS

ARCHIVE = Path(__file__).parents[2] / "data/pdn/archive.pdn"


# Real games: an excerpt of the Open Checkers Archive


def test_real_games_are_read_whole():
    counter = Counter()
    with ARCHIVE.open("rb") as file:
        visit(file, counter)
    assert (counter.games, counter.plies) == (300, 15281)
    assert (counter.repairs, counter.errors, counter.odd) == (0, 0, 0)


def test_real_games_are_read_as_trees_and_headers_find_them():
    data = ARCHIVE.read_bytes()
    games, found = list(read(data)), list(headers(data))
    assert [g.tags for g in games] == [h.tags for h in found]
    assert [(g.offset, g.line_number) for g in games] == [(h.offset, h.line_number) for h in found]
    for game, header in list(zip(games, found, strict=True))[::25]:
        assert next(read(data[header.offset :])) == game
        assert len(game.history.moves) == len(game.line)
        assert sum(" " in comment for node in game.line for comment in node.comments) >= 0


@pytest.mark.parametrize("options", [{}, {"short": True}, {"letters": True}, {"columns": 30}])
def test_real_games_come_back_from_their_text(options):
    games = list(read(ARCHIVE.read_bytes()))[::15]
    text = "\n".join(write(game, **options) for game in games)
    assert list(read(text)) == games
    assert max(map(len, text.splitlines())) <= 130


def test_the_quick_referee_and_the_rules_agree():
    for game in list(read(ARCHIVE.read_bytes()))[100:300:100]:
        history = game.history
        judge = referee(ENGLISH)
        state = judge.state(game.start)
        for before, move in zip(history.positions, history.moves, strict=False):
            for legal in before.legal_moves:
                assert judge.judge(state, str(legal))[0] == legal
            for square in range(1 + len(before.legal_moves), 33, 9):
                for other in {min(square + 4, 32), max(square - 7, 1)} - {square}:
                    for text in (f"{square}-{other}", f"{square}x{other}"):
                        try:
                            wanted = before.parse(text)
                        except ValueError:
                            with pytest.raises(ValueError, match=r"legal|mean|jump"):
                                judge.judge(state, text)
                        else:
                            assert judge.judge(state, text)[0] == wanted
            _, state = judge.judge(state, str(move))
            assert judge.position(state) == before.play(move)


# Sources


class Slow:
    """Gives a byte or a letter at a time."""

    def __init__(self, data: bytes | str) -> None:
        self.data, self.at = data, 0

    def read(self, size: int) -> bytes | str:
        self.at += 1
        return self.data[self.at - 1 : self.at]


@pytest.mark.parametrize(
    "made", [str, str.encode, bytearray, memoryview, io.BytesIO, io.StringIO, Slow]
)
def test_sources(made):
    text = '[Event "A"]\r\n1. 11-15 *\r\n\r\n[Event "B"]\r\n1. 11-16 1-0\r\n'
    data = text if made in {str, str.encode, io.StringIO} else text.encode()
    games = list(read(made(data)))
    assert [(g.tags["Event"], g.line_number, g.offset) for g in games] == [
        ("A", 1, 0),
        ("B", 4, 27),
    ]
    assert [h.offset for h in headers(made(data))] == [0, 27]


def test_no_more_is_held_than_a_piece_of_a_file(monkeypatch):
    monkeypatch.setattr(source, "CHUNK", 100)
    monkeypatch.setattr(source, "LONG", 400)
    monkeypatch.setattr(source, "LONGEST", 1000)
    for text in ("1. 11-15 1-0\n" * 500, "1. 11-15 9-14 " * 500, "9" * 9000):
        pieces = list(source.blocks(text))
        assert b"".join(p.data for p in pieces) == text.encode()
        assert max(len(p.data) for p in pieces) <= 1200


def test_places_are_told_of_all_kinds_of_lines(monkeypatch):
    monkeypatch.setattr(source, "CHUNK", 7)
    text = '[Event "é"]\r1. 11-15\r\n\r\n{é}\n 9x13\n[Event "B"]\n1. 1-2\r\r11-15 5-6'
    (first, second) = read(text)
    assert [(n.line, n.column, n.token) for n in first.notes] == [(5, 2, "9x13")]
    assert [(n.line, n.column) for n in second.notes] == [(7, 4)]
    assert second.offset == text.encode().index(b'[Event "B"]')


# Variants


def test_what_is_played_is_said_by_a_number_or_by_the_caller():
    (game,) = read('[GameType "20,W,10,10,N2,0"]\n1. 32-28 19-23 2. 28x19 14x23 *')
    assert game.start.variant.name == "international" and len(game.moves) == 4
    (game,) = read("1. 32-28 19-23 *", variant=VARIANTS["international"])
    assert len(game.moves) == 2 and '[GameType "20"]' in write(game)
    (game,) = read('[GameType "20"]\n1. 11-15 *', variant=ENGLISH)
    assert len(game.moves) == 1


def test_flying_kings_and_letters():
    (game,) = read('[GameType "25"]\n[FEN "W:WKa1:Bd4,g5"]\n1. a1:e5 *')
    assert [n.kind for n in game.notes] == ["error"] or game.moves
    (game,) = read('[GameType "25"]\n1. c3-d4 b6-a5 2. d4-e5 f6:d4 3. e3:c5 *')
    assert len(game.moves) == 5 and not game.notes
    assert list(read(write(game, letters=True))) == [game]


@pytest.mark.parametrize("said", ["99", "21;", "checkers"])
def test_game_types_that_are_none(said):
    (game,) = read(f'[Event "A"]\n[GameType "{said}"]\n1. 11-15 *')
    (note,) = game.notes
    assert (note.line, note.token) == (2, said)
    assert game.moves == () if said == "99" else len(game.moves) == 1


def test_every_variant_plays_its_games():
    for variant in VARIANTS.values():
        history = History.start(variant=variant)
        for ply in range(20):
            moves = history.position.legal_moves
            if not moves:
                break
            history = history.play(moves[ply * 7 % len(moves)])
        game = Game.of(history)
        (again,) = read(write(game), variant=variant)
        assert again.moves == game.moves and not again.notes, variant.name


# Values


def test_tags():
    tags = Tags([("A", "1"), ("B", "2"), ("A", "3")])
    tags.add("C", "4")
    assert list(tags) == ["A", "B", "A", "C"] and tags.get("D") == "" and tags != "A"
    tags["D"] = "5"
    del tags["A"]
    assert tags.items() == [("B", "2"), ("C", "4"), ("D", "5")]
    assert repr(tags) == "Tags([('B', '2'), ('C', '4'), ('D', '5')])"
    for act in (lambda: tags["A"], lambda: tags.__delitem__("A")):
        with pytest.raises(KeyError):
            act()


def test_clocks():
    (game,) = read("1. 11-15 {[%clk 0:04:59] [%emt 1.5]} 24-20 {[%clock w0:00:10 B1:00:03]} *")
    first, second = game.line
    assert first.clock == Clock("clk", 299.0) and first.clocks[1] == Clock("emt", 1.5)
    assert [(c.side and c.side.code, c.seconds, c.running) for c in second.clocks] == [
        ("W", 10.0, False),
        ("B", 3603.0, True),
    ]
    assert Node(None).clock is None


def test_nodes_and_games_are_compared_by_what_they_say():
    (one,), (other,) = read("1. 11x15 *"), read("\n1.  11-15")
    assert one == other and one != read and one.line[0] != 3
    (lost,), (same) = read("1. 11-16 12-16 *"), Game.of(History.start().play("11-16"))
    assert lost != same and lost.line[0] == same.line[0]
    assert lost.line[0].position == same.history.position
    assert str(Note("odd", "why", 2, 3)) == "2:3: odd: why"
    (header,) = headers('[A "1"]\n*')
    assert isinstance(header, Header)
    assert repr(header) == "Header(Tags([('A', '1')]), offset=0, line_number=1)"


def test_a_game_that_starts_elsewhere_says_so():
    start = Position.from_fen("W:W27,32:B15,16,23,24")
    game = Game.of(History.start(start).play("27x20x11"), Tags([("Event", 'a\n"b"')]))
    assert write(game, short=True) == (
        '[Event "a \\"b\\""]\n[SetUp "1"]\n[FEN "W:W27,32:B15,16,23,24"]\n\n1... 27x20x11 *\n'
    )
    (again,) = read(write(game))
    assert again.moves == game.moves and again.start == start


def test_a_visitor_is_told_everything_in_order():
    told: list[object] = []

    class Teller:
        def begin(self, offset, line):
            told.append(("begin", offset, line))

        def setup(self, tags, start):
            told.append(("setup", tags.items(), start.turn.code))

        def move(self, text, move, after):
            told.append(("move", text, str(move), after().turn.code))

        def remark(self, kind, text):
            told.append((kind, text))

        def branch(self, opens):
            told.append(("branch", opens))

        def note(self, note):
            told.append(("note", note.kind))

        def end(self, result):
            told.append(("end", result))

    visit('{x}[A "1"] 1. 11x15! $5 (12-16) {b} 1-0', Teller())
    assert told == [
        ("begin", 3, 1),
        ("setup", [("A", "1")], "B"),
        ("comment", "x"),
        ("note", "odd"),
        ("move", "11x15", "11-15", "W"),
        ("strength", "!"),
        ("nag", "5"),
        ("branch", True),
        ("move", "12-16", "12-16", "W"),
        ("branch", False),
        ("before", "b"),
        ("end", "1-0"),
    ]
