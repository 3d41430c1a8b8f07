"""``kingme solve``: what it prints for people and for programs, and what it takes for proved."""

from __future__ import annotations

import importlib
from dataclasses import replace

import pytest

from kingme import History, Position, Side
from kingme.cli.endgames import have
from kingme.cli.solve import best_of, in_words, judged
from kingme.engine.api import EngineError, Limits
from kingme.engine.endgames import Tables, files
from kingme.engine.local import LocalEngine
from kingme.rules.outcome import STANDARD, preset_of

from .calling import kingme

solving = importlib.import_module("kingme.cli.solve")  # the package has a function of this name

__all__ = ["kingme"]

WON = "W:WK19,K23:BK28"


def test_a_position_of_few_pieces_is_proved_by_the_database(kingme):
    done = kingme("solve", WON, "--depth", "15")
    assert done.code == 0, done.err
    best, score, line, effort = done.out.splitlines()
    assert best == "best   23-27"
    assert score == "score  White wins in 8 moves, proved by the endgame database"
    assert len(line.split()) == 16 and line.split()[1] == "23-27"
    assert effort.startswith("depth  ") and effort.endswith("nodes/s")


def test_as_json(kingme):
    told = kingme("solve", WON, "--depth", "9", "--json").json
    assert (told["fen"], told["move"]) == (WON, "23-27")
    assert (told["result"], told["proof"], told["plies"]) == ("win", "database", 15)
    assert 0 < told["depth"] <= 9 and told["nodes"] > 0 and len(told["line"]) == 15


def test_a_drawn_ending(kingme):
    told = kingme("solve", "B:WK1:BK32", "--depth", "5", "--json").json
    assert (told["result"], told["proof"], told["plies"]) == ("draw", "database", None)


@pytest.mark.parametrize(
    ("fen", "move", "plies"),
    [
        ("W:WK2,K4,6,12:B1,3,9,11", "4-8", 5),
        ("W:WK3,17,30,32:B5,10,13,28", "3-7", 7),
        ("W:WK2,25,28,30:B8,10,18,22", "2-7", 9),
    ],
)
def test_a_win_that_the_search_finds_is_a_proof(kingme, fen, move, plies):
    Tables.have()  # by which the line is known to its end
    told = kingme("solve", fen, "--depth", "11", "--json").json
    assert (told["result"], told["proof"], told["move"]) == ("win", "search", move)
    assert told["plies"] == plies == len(told["line"])
    position = Position.from_fen(fen)
    for text in told["line"]:
        position = position.after(position.parse(text))
    assert position.outcome and position.outcome.winner is Side.WHITE


def test_moves_lead_from_the_position_to_another(kingme):
    words = ("solve", "start", "--moves", "11-15 22-17", "--depth", "5", "--json")
    told = kingme(*words).json
    assert told["fen"] == Position.start().play("11-15").play("22-17").fen
    assert (told["result"], told["proof"]) == ("unknown", None)
    numbered = ("solve", "start", "--moves", "1. 11-15 22-17", "--depth", "5", "--json")
    assert kingme(*numbered).json["line"] == told["line"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rubbish"], "no side to move"),
        (["start", "--table", "65536"], "a table has 1 to "),
        (["start", "--moves", "11-14"], "11-14 is not legal"),
        (["start", "--moves", "2. 11-15"], "'2.' is no move, and no number of one in '2. 11-15'"),
        (["start", "--moves", "1. 11-15 22-17 2."], "'2.' is a number that no move follows"),
    ],
)
def test_what_is_wrong_is_said(kingme, words, says):
    assert says in kingme.refused("solve", *words)


def test_a_game_that_is_over_is_an_answer(kingme):
    done = kingme("solve", "W:W5:B1", "--json")
    assert done.code == 0 and done.err == ""
    told = done.json
    assert (told["result"], told["plies"], told["proof"]) == ("loss", 0, "rules")
    assert (told["move"], told["line"], told["score"], told["nodes"]) == (None, [], -30_000, 0)
    assert told["words"] == "Black has won: White has no move"
    assert kingme("solve", "W:W5:B1").out == "score  Black has won: White has no move\n"


def test_one_ply_is_one(kingme):
    done = kingme("solve", "W:W14,K18:B9", "--depth", "3")
    assert "White wins in 1 move, proved by the endgame database\n" in done.out


def test_the_line_of_a_draw_ends_where_it_would_come_round_again(kingme):
    line = kingme("solve", "W:W21:B10", "--depth", "1", "--json").json["line"]
    position = Position.from_fen("W:W21:B10")
    seen = [position]
    for text in line:
        position = position.after(position.parse(text))
        seen.append(position)
    assert len(seen) == len(set(seen)) > 2


def test_numbers_beyond_all_reason(kingme):
    words = ("--nodes", "9" * 23, "--depth", "3", "--threads", "256", "--json")
    done = kingme("solve", "start", *words)
    assert done.code == 0 and done.json["depth"] == 3
    assert "threads search, one a processor\n" in done.err


def test_a_loss_that_the_draw_rule_may_undo_is_put_in_words():
    from kingme.analysis import Verdict
    from kingme.cli.solve import in_words

    position = Position.start()
    for value, word in ((-24_854, "losing"), (24_900, "winning")):
        says = f"Black is {word} by the database, but the draw rule may come first"
        assert in_words(position, Verdict(value, ())) == says
    assert in_words(position, Verdict(0, ())) == "even"
    assert in_words(position, Verdict(-40, ())) == "-0.40 for Black, in men"


def test_an_option_that_makes_no_sense(kingme):
    for words, says in [
        (("--draws", "no"), "no draw preset 'no'"),
        (("--draws", "international"), "no draw preset 'international'"),
        (("--depth", "0"), "--depth"),
        (("--threads", "0"), "--threads"),
        (("--seconds", "nan"), "--seconds"),
    ]:
        done = kingme("solve", "start", *words)
        assert done.code == 2 and says in done.err and not done.out


def test_a_win_that_the_draw_rules_may_end_is_not_called_proved():
    history = History.start(Position.from_fen("W:WK19,K23:BK28"))
    for preset, proof in ((STANDARD, "database"), (replace(STANDARD, progress_plies=10), None)):
        info = LocalEngine(1, endgames=have(4)).best_move(history, Limits(depth=2), preset)
        finding = judged(history.position, info)
        assert (finding.plies, finding.proof) == (15, proof)
    assert in_words(history.position, finding) == (
        "White is winning by the database in 8 moves, but the draw rule may come first"
    )
    info = LocalEngine(1, endgames=have(4)).best_move(
        history.play("23-27"), Limits(depth=12), replace(STANDARD, progress_plies=10)
    )
    finding = judged(history.play("23-27").position, info)
    assert (finding.result, finding.score) == (None, 0)  # the rule saves the side that loses


def test_all_moves_that_are_as_good_are_told(kingme):
    fen = "W:W21,K26,K32:B25"
    best = kingme("solve", fen, "--depth", "3").out.splitlines()[0]
    assert set(best.removeprefix("best   ").split(", ")) == {
        "21-17", "26-22", "26-30", "32-27", "32-28",
    }  # fmt: skip
    told = kingme("solve", fen, "--depth", "3", "--json").json
    assert told["best"][0] == told["move"] and len(told["best"]) == 5
    told = kingme("solve", "start", "--depth", "3", "--json").json
    assert told["best"] == [told["move"]]


def test_packed_files_prove_with_their_distances_and_without(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    monkeypatch.setattr(files, "PIECES", 2)
    monkeypatch.setattr(solving, "FEW", 2)
    Tables.have(3)
    history = History.start(WON)
    for distances, plies, words in (
        (True, 15, "White wins in 8 moves, proved by the endgame database"),
        (False, None, "White wins, by the endgame database"),
    ):
        if not distances:
            (tmp_path / "english-3.v1.distances").unlink()
        tables = Tables.load(3)
        monkeypatch.setattr("kingme.engine.endgames.ready.ready", lambda tables=tables: tables)
        engine = LocalEngine(1, endgames=tables)
        info = engine.best_move(history, Limits(depth=3), preset_of("agreement"))
        found = judged(history.position, info)
        assert (found.result, found.proof, found.plies) == ("win", "database", plies)
        assert in_words(history.position, found) == words
        assert best_of(history.position, found)[0] == found.line[0]


def test_the_compiled_engine_refuses_what_it_does_not_count():
    with pytest.raises(EngineError, match="does not count what International"):
        LocalEngine(1).best_move(History.start(), Limits(depth=1), preset_of("international"))
