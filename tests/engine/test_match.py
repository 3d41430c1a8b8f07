"""The games of a match: how they begin, how they end, and what becomes of who fails."""

import pytest

from kingme.engine.api import EngineError, Info, Limits, Score
from kingme.engine.entrants import enter, opened
from kingme.engine.ledger import Ledger
from kingme.engine.match import LONGEST, beginnings, openings, play, record, tasks
from kingme.rules import pdn
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset, preset_of
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side

ONE = Limits(depth=1)


class First:
    """Plays the first legal move, or the last one."""

    def __init__(self, at=0):
        self.at = at

    def best_move(self, history, limits, preset):
        return Info(1, Score(0), 1, 0.0, (history.position.legal_moves[self.at],))


class Cheat:
    """Plays what nobody may."""

    def best_move(self, history, limits, preset):
        return Info(1, Score(0), 1, 0.0, (Move((1, 32)),))


class Broken:
    """Cannot play."""

    def best_move(self, history, limits, preset):
        raise EngineError("the engine 'x' ended\nwith status 1")


def test_a_game_ends_by_the_rules():
    done = play(First(), First(-1), History.start("B:W18:B14,1"), ONE, preset_of("standard"))
    assert done.winner is not None
    assert "has no" in done.why
    assert done.points(done.winner) == 1
    assert done.points(done.winner.other) == 0
    assert done.result == ("1-0" if done.winner is Side.BLACK else "0-1")


def test_repetitions_end_a_game_by_themselves_or_are_claimed():
    start = History.start("W:WK1:BK32")
    assert "again and again" in play(First(-1), First(), start, ONE, preset_of("standard")).why
    done = play(First(-1), First(), start, ONE, preset_of("tournament"))
    assert (done.winner, done.why) == (None, "Draw: claimed for repetition")
    assert done.points(Side.BLACK) == 0.5


def test_without_any_draw_rule_a_game_still_ends():
    free = DrawPreset("free", "Free", "")
    done = play(First(-1), First(), History.start("W:WK1:BK32"), ONE, free)
    assert len(done.history.moves) == LONGEST
    assert done.result == "1/2-1/2"


@pytest.mark.parametrize(
    ("bad", "why"),
    [(Cheat(), "Black forfeits: 1-32 is not legal"), (Broken(), "Black forfeits: the engine 'x'")],
)
def test_who_fails_or_cheats_has_lost(bad, why):
    done = play(bad, First(), History.start(), ONE, preset_of("standard"))
    assert done.winner is Side.WHITE
    assert done.why.startswith(why)
    assert "\n" not in done.why
    heard = []
    done = play(
        First(),
        bad,
        History.start(),
        ONE,
        preset_of("standard"),
        lambda history, info: heard.append(info.move),
    )
    assert (done.winner, len(heard)) == (Side.BLACK, 1)


def test_the_usual_openings_are_the_playable_ballots_in_an_order_by_seed():
    usual = openings(None)
    assert len(usual) == 156
    assert {len(game.moves) for game in usual} == {3}
    assert openings(None) == usual
    assert openings(None, seed=1) != usual
    russian = openings(None, VARIANTS["russian"])
    assert {len(game.moves) for game in russian} == {2}
    assert len(beginnings(plies=3)) > 200


def test_openings_from_fens_and_from_pdn():
    text = "# two\nB:W18:B1,2\n\nW:W30,K3:BK7,8  # the second\n"
    fens = ["B:W18:B1,2", "W:WK3,30:BK7,8"]
    assert [game.position.fen for game in openings(text)] == fens
    text = '[Event "one"]\n1. 11-15 22-18 *\n\n[Event "two"]\n1. 9-14 *\n'
    assert [len(game.moves) for game in openings(text)] == [2, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds none"),
        ("B:W18:B1\nB:W99:B1", "line 2 of the openings: .*99"),
        ("B:W32:B", "the game is over there"),
        ('[Event "one"]\n1. 11-17 *', "line 2, column 4 of the openings"),
    ],
)
def test_bad_openings_are_refused_with_their_line(text, message):
    with pytest.raises(EngineError, match=message):
        openings(text)


def test_each_opening_is_played_twice_with_the_colours_changed():
    usual = openings(None)[:2]
    planned = list(tasks(6, usual))
    assert [task.round for task in planned] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]
    assert [task.a_first for task in planned] == [True, False] * 3
    assert [task.opening for task in planned[::2]] == [usual[0], usual[1], usual[0]]


@pytest.mark.parametrize("name", VARIANTS)
def test_records_name_the_sides_and_are_read_again(name, tmp_path):
    variant = VARIANTS[name]
    file = tmp_path / "match.pdn"
    points = []
    with Ledger(file, "terms") as ledger, enter("generic", variant=variant) as engine:
        for task in tasks(2, [History.start(Position.start(variant))]):
            short = DrawPreset("short", "Short", "", ply_cap=6)
            done = play(engine, engine, task.opening, ONE, short)
            side = variant.first if task.a_first else variant.first.other
            points.append(done.points(side))
            ledger.append(record(task, done, ("A", "B"), {"Terms": "terms"}), points[-1])
    with Ledger(file, "terms") as ledger:
        assert ledger.points == points
    games = list(pdn.read(file.read_bytes(), variant=variant))
    assert [game.tags["Round"] for game in games] == ["1.1", "1.2"]
    first, second = ("Black", "White") if variant.first is Side.BLACK else ("White", "Black")
    assert [game.tags[first] for game in games] == ["A", "B"]
    assert [game.tags[second] for game in games] == ["B", "A"]
    assert [len(game.moves) for game in games] == [6, 6]


def won(number, result, terms="t"):
    return (
        f'[Event "Engine match"]\n[Round "{number // 2 + 1}.{number % 2 + 1}"]\n'
        f'[Result "{result}"]\n[Terms "{terms}"]\n\n1. 11-15 {result}\n\n'
    )


def test_points_are_those_of_a_whatever_its_colour(tmp_path):
    file = tmp_path / "match.pdn"
    results = ["1-0", "1-0", "0-1", "0-1", "1/2-1/2"]
    file.write_text("".join(won(number, result) for number, result in enumerate(results)))
    with Ledger(file, "t") as ledger:
        assert ledger.points == [1, 0, 0, 1, 0.5]
        with pytest.raises(EngineError, match="in use by another match"):
            Ledger(file, "t")


def test_what_a_crash_left_is_cut_off_at_every_byte(tmp_path):
    file = tmp_path / "match.pdn"
    whole, last = won(0, "1-0"), won(1, "0-1")
    for cut in range(len(last)):
        file.write_text(whole + last[:cut])
        with Ledger(file, "t") as ledger:
            assert ledger.points == [1]
            assert ledger.cut == cut
        assert file.read_text() == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Dear diary\n", "something else than a match, at line 1"),
        ('[Event "A game"]\n\n1. 11-15 *\n\n', "something else than a match, at line 1"),
        ('[Event "A game"]\n1. 11-15 *\n', "something else than a match, at line 1"),
        (won(0, "1-0", "other"), "holds another match .other., and this one is t"),
        (won(0, "1-0") + won(1, "*"), "line 8 is none of a match"),
        (won(0, "1-0") + "and so on", "at line 8"),
    ],
)
def test_other_files_are_refused_and_left_as_they_are(tmp_path, text, message):
    file = tmp_path / "match.pdn"
    file.write_text(text)
    with pytest.raises(EngineError, match=message):
        Ledger(file, "t")
    assert file.read_text() == text


def test_what_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(EngineError, match="cannot be written: Is a directory"):
        Ledger(tmp_path, "t")
    with pytest.raises(EngineError, match="cannot be written: No such file"):
        Ledger(tmp_path / "no" / "match.pdn", "t")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9", "no level '9': they run from 1 to 8"),
        ("level:x", "no level 'x'"),
        ("/no/such", "cannot be started: No such file.*; an engine is a level, compiled"),
        ("hub:", "is empty"),
        ("lines:/no/such", "cannot be started"),
    ],
)
def test_who_cannot_play_is_explained(text, message):
    with pytest.raises(EngineError, match=message):
        enter(text)


def test_a_program_without_a_protocol_is_explained():
    with pytest.raises(EngineError, match=r"no protocol fits\. As Hub: .* As lines: "):
        opened("cat", handshake=0.5)


def test_engines_of_this_program_have_no_options_and_their_variants():
    for name, others in (("generic", "nor any other"), ("level:2", "but book")):
        with pytest.raises(EngineError, match=f"has no option 'hash', {others}"):
            enter(name, options={"hash": 1})
    with pytest.raises(EngineError, match="the book of a level is on or off, not 'yes'"):
        enter("7", options={"book": "yes"})
    for name in ("compiled", "plain"):
        with pytest.raises(EngineError, match=r"does not play .*: take 'generic'"):
            enter(name, variant=VARIANTS["italian"])


def test_a_level_plays_the_same_game_for_the_same_number():
    with enter("2") as level:
        assert level.name == "level 2"
        moves = []
        for number in (5, 5, 6, 7, 8, 9):
            level.new_game(number)
            history = History.start()
            for _ in range(4):
                info = level.best_move(history, Limits(seconds=5), preset_of("standard"))
                history = history.play(info.move)
            moves.append(history.moves)
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1


@pytest.mark.parametrize(("options", "searched"), [({}, True), ({"book": "on"}, False)])
def test_a_level_has_its_book_in_a_match_where_it_is_given_one(options, searched):
    with enter("6", options=options) as level:
        info = level.best_move(History.start(), Limits(seconds=5), preset_of("standard"))
        assert (info.nodes > 0) is searched


@pytest.mark.parametrize("name", ["compiled", "plain", "generic"])
def test_full_strength_searches_to_its_limits(name):
    with enter(name) as engine:
        engine.new_game(0)
        info = engine.best_move(History.start(), Limits(depth=3), preset_of("standard"))
        assert info.depth == 3
