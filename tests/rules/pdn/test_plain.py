"""PDN: what is written is read back by an independent reader, and replayed."""

from __future__ import annotations

import dataclasses
import itertools
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import ENGLISH, History, Position
from kingme.rules.pdn import RESULTS, game_pdn

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]')
TOKEN = re.compile(
    r"(?P<comment>\{[^{}]*\})|(?P<result>1-0|0-1|1/2-1/2|\*)(?!\S)"
    r"|(?P<number>\d+\.(?:\.\.)?)(?!\S)|(?P<move>\d+-\d+|\d+(?:x\d+)+)(?!\S)|(?P<space>\s+)"
)


class Read:
    """One game of PDN, read by a scanner that knows nothing of the writer."""

    def __init__(self, text: str) -> None:
        head, _, body = text.partition("\n\n")
        self.tags = {}
        for line in head.splitlines():
            found = TAG.fullmatch(line)
            assert found, f"no tag: {line}"
            assert found[1] not in self.tags, f"{found[1]} twice"
            self.tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        self.moves: list[str] = []
        self.numbers: list[tuple[int, str]] = []
        self.comments: dict[int, str] = {}
        self.result: str | None = None
        at = 0
        while at < len(body):
            found = TOKEN.match(body, at)
            assert found, f"no token: {body[at : at + 20]!r}"
            at = found.end()
            assert self.result is None or found.lastgroup == "space", "something after the result"
            if found["move"]:
                self.moves.append(found["move"])
            elif found["comment"]:
                self.comments[len(self.moves)] = found["comment"][1:-1]
            elif found["number"]:
                self.numbers.append((len(self.moves), found["number"]))
            elif found["result"]:
                self.result = found["result"]

    def history(self) -> History:
        history = History.start(self.tags.get("FEN"))
        for move in self.moves:
            history = history.play(move)
        return history


STARTS = [None, "W:WK29,K32,21:BK1,K4", "B:WK29,K32,21:BK1,K4", "W:WK22:B9,10,11,17,18,19,25,26,27"]


@st.composite
def histories(draw) -> History:
    history = History.start(draw(st.sampled_from(STARTS)))
    for choice in draw(st.lists(st.integers(0, 63), max_size=120)):
        moves = history.position.legal_moves
        if not moves:
            break
        history = history.play(moves[choice % len(moves)])
    return history


texts = st.text(max_size=60) | st.text('"\\]{}%;\n *1-0', max_size=30)
names = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,12}", fullmatch=True).filter(
    lambda name: name not in {"Result", "GameType", "SetUp", "FEN"}
)


def plain(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


@given(
    histories(),
    st.dictionaries(names, texts, max_size=5),
    st.sampled_from(RESULTS),
    st.dictionaries(st.integers(0, 121), texts, max_size=5),
)
def test_what_is_written_is_read_back(history, tags, result, comments):
    text = game_pdn(tags, history, result, comments)
    assert text.encode()  # no lone surrogates, whatever a name holds
    read = Read(text)
    assert read.history() == history
    assert read.result == read.tags["Result"] == result
    for name, value in tags.items():
        assert read.tags[name] == plain(value)
    assert set(read.comments) == {ply for ply in comments if ply <= len(history.moves)}
    for ply, said in read.comments.items():
        wanted = plain(comments[ply]).replace("{", "(").replace("}", ")")
        assert said.split() == wanted.split()


@given(histories(), st.dictionaries(st.integers(0, 121), st.text(" %ab{}", max_size=300)))
def test_no_line_of_moves_is_long_or_begins_with_a_mark(history, comments):
    text = game_pdn({}, history, "*", comments)
    assert text.endswith("\n") and not text.endswith("\n\n")
    body = text.split("\n\n", 1)[1]
    longest = max(map(len, re.split(r" (?!%)", " ".join(comments.values()))), default=0)
    for line in body.splitlines():
        assert len(line) <= max(79, longest + 2)
        assert line.strip() == line != ""
        assert not line.startswith("%")


def test_lines_are_filled_up_to_79_columns():
    history = History.start("W:WK29,K32,21:BK1,K4")
    for ply in range(120):
        moves = history.position.legal_moves
        history = history.play(moves[ply * 7 % len(moves)])
    lines = game_pdn({}, history).split("\n\n", 1)[1].splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 79
    for line, following in itertools.pairwise(lines):
        unit = re.match(r"(\d+\. )?\S+", following)
        assert unit and len(line) + 1 + len(unit[0]) > 79, "a line broken too early"


def test_tags_come_in_the_order_that_programs_expect():
    given_tags = {
        "TimeControl": "300+3",
        "White": "Bob",
        "Termination": "resignation",
        "Black": "Ann",
        "Event": "Passport",
        "Round": "2",
        "Date": "2026.05.17",
        "Site": "https://example.org/game/abc",
    }
    read = Read(game_pdn(given_tags, History.start("W:W32:B1"), "1-0"))
    assert list(read.tags.items()) == [
        ("Event", "Passport"),
        ("Site", "https://example.org/game/abc"),
        ("Date", "2026.05.17"),
        ("Round", "2"),
        ("Black", "Ann"),
        ("White", "Bob"),
        ("Result", "1-0"),
        ("GameType", "21"),
        ("SetUp", "1"),
        ("FEN", "W:W32:B1"),
        ("TimeControl", "300+3"),
        ("Termination", "resignation"),
    ]


def test_what_is_not_known_is_written_so():
    assert game_pdn({}, History.start()).splitlines()[:6] == [
        '[Event "?"]',
        '[Site "?"]',
        '[Date "????.??.??"]',
        '[Round "?"]',
        '[Black "?"]',
        '[White "?"]',
    ]


def test_quotes_backslashes_and_line_ends_in_a_name():
    text = game_pdn({"Black": 'A "B" \\ C\nD\x00'}, History.start())
    assert '[Black "A \\"B\\" \\\\ C D "]' in text.splitlines()


@pytest.mark.parametrize(
    ("fen", "moves", "body"),
    [
        (None, "", "*"),
        (None, "11-15", "1. 11-15 *"),
        (None, "11-15 22-17 8-11", "1. 11-15 22-17 2. 8-11 *"),
        ("W:W27,32:B15,16,23,24", "27x20x11", "1... 27x20x11 *"),
        ("W:W27,32:B15,16,23,24", "27x18x11 16-20 11-7", "1... 27x18x11 2. 16-20 11-7 *"),
    ],
)
def test_numbers(fen, moves, body):
    history = History.start(fen)
    for move in moves.split():
        history = history.play(move)
    assert game_pdn({}, history).split("\n\n")[1] == body + "\n"


def test_comments_stand_where_they_belong_and_numbers_come_again_behind_them():
    history = History.start().play("11-15").play("22-17").play("8-11")
    comments = {0: "A friendly game", 1: "[%clk 0:05:00]", 2: "", 3: "a {set} brace", 9: "never"}
    assert game_pdn({}, history, "*", comments).split("\n\n")[1] == (
        "{A friendly game} 1. 11-15 {[%clk 0:05:00]} 1... 22-17 {} 2. 8-11 {a (set)\nbrace} *\n"
    )


def test_a_per_cent_sign_never_begins_a_line():
    comment = "x" * 68 + " 100 %sure"
    text = game_pdn({}, History.start(), "*", {0: comment})
    assert text.endswith("{" + "x" * 68 + "\n100 %sure} *\n")


def test_a_setup_is_named_only_where_the_game_did_not_begin_as_usual():
    assert "FEN" not in game_pdn({}, History.start(Position.start().fen))
    text = game_pdn({}, History.start("B:W32:B1"))
    assert '[SetUp "1"]\n[FEN "B:W32:B1"]' in text


def test_a_variant_without_a_number_names_no_game_type():
    unknown = dataclasses.replace(ENGLISH, name="unknown", game_type=None)
    assert "GameType" not in game_pdn({}, History.start(variant=unknown))


@pytest.mark.parametrize("name", ["", "event", "Time Control", 'A"', "É", "1st", "A]"])
def test_a_tag_that_is_no_name_is_refused(name):
    with pytest.raises(ValueError, match="is no name of a tag"):
        game_pdn({name: "x"}, History.start())


@pytest.mark.parametrize("name", ["Result", "GameType", "SetUp", "FEN"])
def test_what_follows_from_the_game_cannot_be_given(name):
    with pytest.raises(ValueError, match=f"the tag {name} follows from the game"):
        game_pdn({name: "x"}, History.start())


@pytest.mark.parametrize("result", ["", "2-0", "1-0 ", "½-½"])
def test_a_result_that_is_none_is_refused(result):
    with pytest.raises(ValueError, match="is no result: there are 1-0, 0-1, 1/2-1/2"):
        game_pdn({}, History.start(), result)


def test_several_games_make_a_file():
    games = [History.start().play("11-15"), History.start("W:W32:B1")]
    text = "\n".join(game_pdn({"Round": str(n)}, game) for n, game in enumerate(games))
    parts = re.split(r"\n\n(?=\[)", text)
    assert [Read(part).history() for part in parts] == games
    assert set(text) <= set(string.printable)
