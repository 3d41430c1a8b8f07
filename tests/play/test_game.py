"""Games between two people, rule by rule: what is done, what is refused, and how it ends."""

from __future__ import annotations

import dataclasses
import typing

import msgspec
import pytest
from tests.play.sitting import BLACK, BLITZ, DORA, KINGS, NOW, WHITE, WIM, Sitting

from kingme import PRESETS, IllegalMoveError, Outcome, Side, Termination
from kingme.play import deciding, state
from kingme.play.clock import IDLE, RETURN, TimeControl
from kingme.play.commands import (
    Abort,
    AcceptDraw,
    AcceptRematch,
    AcceptTakeback,
    ClaimDraw,
    ClaimGone,
    Command,
    DeclineDraw,
    DeclineRematch,
    DeclineTakeback,
    OfferDraw,
    OfferRematch,
    OfferTakeback,
    Play,
    Resign,
    Say,
    SetChat,
    ShiftClock,
    Wake,
)
from kingme.play.events import (
    Aborted,
    ChatSet,
    ClockShifted,
    Deserted,
    DrawAgreed,
    DrawClaimed,
    DrawDeclined,
    DrawOffered,
    FlagFell,
    Moved,
    RematchDeclined,
    Rematched,
    RematchOffered,
    Resigned,
    Said,
    Settled,
    Share,
    Started,
    TakebackDeclined,
    TakebackOffered,
    TakenBack,
)
from kingme.play.game import apply, begin, decide, rematch, replay, result
from kingme.play.ports import Result
from kingme.play.room import Terms

OPENING = "11-15 22-18 15x22 25x18"
#: White jumps the last piece, or shuts it in.
LAST_PIECE = "W:W18:B14"
LAST_MOVE = "W:W13,14:B5"


def first(sitting):
    event = sitting.log[0]
    assert isinstance(event, Started)
    return event


def at_move(plies=4, **fields):
    """A game after some plies of an opening."""
    return Sitting(**fields).play(*OPENING.split()[:plies])


def last(sitting, kind):
    """The last event, which is of that kind."""
    event = sitting.log[-1]
    assert isinstance(event, kind)
    return event


def ended(sitting, winner, termination):
    assert sitting.state.status == "over"
    assert sitting.state.outcome == Outcome(winner, Termination(termination))
    assert sitting.state.end is not None
    assert result(sitting.state) == Result(winner, termination)
    assert sitting.state.deadline() is None
    assert sitting.state.clock.running is None
    assert sitting.state.draw_offer is sitting.state.takeback_offer is None
    return True


# --- beginning ---


def test_a_game_begins():
    game = Sitting(rated=True, terms=Terms(stake=10)).state
    assert (game.version, game.plies, game.turn, game.status) == (1, 0, BLACK, "playing")
    assert (game.side_of(DORA), game.side_of(WIM)) == (BLACK, WHITE)
    assert (game.side_of(99), game.side_of(None)) == (None, None)
    assert (game.player(BLACK), game.player(WHITE)) == (DORA, WIM)
    assert (game.terms.stake, game.speed) == (10, "blitz")
    assert result(game) is None


def test_a_log_begins_with_started():
    for events in ([], [Moved(at=NOW, side=BLACK, ply=0, move="11-15")]):
        with pytest.raises(ValueError, match="begin with Started"):
            replay(events)


def test_a_log_against_the_rules_is_no_game():
    events = [Sitting().log[0], Moved(at=NOW, side=BLACK, ply=0, move="11-20")]
    with pytest.raises(IllegalMoveError):
        replay(events)


def test_a_log_tells_the_same_game_at_once_as_event_by_event():
    game = at_move(4, control="1+1")
    for by in Side:
        game.do(OfferDraw, by, id=f"offer {by}")
        game.do(DeclineDraw, by.other)
        game.play("12-16 29-25", take=900, lag=50) if by is BLACK else game.play("8-12 24-20")
    for number in range(5):
        move = str(game.state.history.position.legal_moves[0])
        game.do(Play, game.state.turn, ply=game.state.plies, move=move, id=f"move {number}")
    stepwise = begin(first(game))
    for event in game.log[1:]:
        stepwise = apply(stepwise, event)
    assert stepwise == replay(iter(game.log)) == game.state


def test_a_game_may_begin_from_any_position():
    game = Sitting(start="W:W27,32:B15,16,23,24").play("27x20x11")
    assert game.state.history.position.fen == "B:W11,32:B15,23"
    assert game.log[-1] == Moved(at=NOW, side=WHITE, ply=0, move="27x20x11")


def test_a_position_where_nobody_can_move_is_over_at_once():
    game = Sitting(start="W:W5:B1")
    assert ended(game, BLACK, "no_moves")
    assert game.state.end is game.log[0]


def test_every_command_has_a_decision_and_every_event_a_change():
    player = set(typing.get_args(Command)) - {Wake, ShiftClock}
    assert set(deciding._DECIDERS) == player


# --- moves ---


def test_a_move_is_played_and_told():
    game = Sitting()
    events = game.wait(700).do(Play, BLACK, ply=0, move="11-15", id="a")
    assert events == [Moved(at=NOW + 700, command="a", side=BLACK, ply=0, move="11-15")]
    assert (game.state.turn, game.state.plies, game.state.version) == (WHITE, 1, 2)


@pytest.mark.parametrize("text", ["11-15", "11 15", "11x15", "f6-e5", "1. 11-15!", " F6E5 "])
def test_a_move_may_be_spelled_in_any_way(text):
    game = Sitting()
    game.do(Play, BLACK, ply=0, move=text)
    assert game.moves == "11-15"


def test_a_jump_is_one_move_in_its_full_length():
    game = Sitting(start="W:W27,32:B15,16,23,24")
    assert "27x20x11" in game.refuse("illegal_move", Play, WHITE, ply=0, move="27x11")
    assert "it goes on" in game.refuse("illegal_move", Play, WHITE, ply=0, move="27x18")
    assert game.play("27x20x11").moves == "27x20x11"


def test_an_illegal_move_is_refused_with_what_is_legal():
    game = Sitting()
    assert "9-13" in game.refuse("illegal_move", Play, BLACK, ply=0, move="11-20")
    assert "no square" in game.refuse("illegal_move", Play, BLACK, ply=0, move="11-99")
    game.refuse("illegal_move", Play, BLACK, ply=0, move="")
    game.refuse("illegal_move", Play, BLACK, ply=0, move="x" * 500)
    assert "compulsory" in game.play("11-15 22-18").refuse(
        "illegal_move", Play, BLACK, ply=2, move="9-13"
    )


def test_only_the_player_on_the_turn_moves():
    game = Sitting()
    assert game.refuse("not_your_turn", Play, WHITE, ply=0, move="22-18") == "It is Black's turn."
    game.play("11-15").refuse("not_your_turn", Play, BLACK, ply=1, move="12-16")


def test_nobody_else_may_do_anything():
    game = Sitting()
    game.refuse("not_player", Play, None, ply=0, move="11-15")
    game.refuse("not_player", Resign, None)
    game.refuse("not_player", Say, None, phrase="hello")
    game.refuse("not_allowed", ShiftClock, BLACK, outage=1, since=NOW, until=NOW + 9)


@pytest.mark.parametrize("ply", [-1, -3, 0, 1, 3, 5, 10**9])
def test_a_move_for_another_ply_is_stale(ply):
    game = at_move(4)
    assert "look at the board" in game.refuse("stale", Play, BLACK, ply=ply, move="8-11")


def test_a_move_that_stands_is_acknowledged():
    game = at_move(3)
    for move in ("15x22", "15-22", "e5:c3", " E5C3"):
        assert game.do(Play, BLACK, ply=2, move=move) == []
    assert game.do(Play, WHITE, ply=1, move="22-18", id="new") == []
    game.refuse("stale", Play, WHITE, ply=2, move="15x22")
    game.refuse("stale", Play, BLACK, ply=2, move="nonsense")


def test_a_move_that_was_taken_back_is_stale_no_more():
    game = at_move(4)
    game.do(OfferTakeback, WHITE)
    game.do(AcceptTakeback, BLACK)
    game.refuse("not_your_turn", Play, BLACK, ply=3, move="8-11")
    game.play("26x17")
    game.refuse("stale", Play, WHITE, ply=3, move="25x18")


def test_a_command_that_comes_again_does_nothing():
    game = Sitting()
    game.do(Play, BLACK, ply=0, move="11-15", id="a")
    assert game.do(Play, BLACK, ply=0, move="11-15", id="a") == []
    assert game.do(Resign, BLACK, id="a") == []
    assert game.do(OfferDraw, WHITE, id="a") != []
    game.do(DeclineDraw, BLACK, id="b")
    assert game.do(OfferDraw, WHITE, id="a") == []
    game.do(Resign, BLACK, id="c")
    assert game.do(Resign, BLACK, id="c") == []
    game.refuse("game_over", Resign, BLACK, id="d")


def test_the_last_64_commands_of_each_side_are_remembered():
    game = Sitting()
    for number in range(65):
        game.do(Say, BLACK, phrase="hello", id=f"b{number}")
        game.do(Say, WHITE, phrase="hello", id=f"w{number}")
    assert game.do(Say, BLACK, phrase="hello", id="b1") == []
    assert game.do(Say, BLACK, phrase="hello", id="b0") != []
    assert [len(ids) for ids in game.state.seen] == [64, 64]


def test_commands_without_an_id_are_all_done():
    game = Sitting()
    game.do(Say, BLACK, phrase="hello")
    assert game.do(Say, BLACK, phrase="hello") != []


# --- ends on the board ---


def test_a_game_ends_with_the_last_piece_or_move():
    game = Sitting(start=LAST_PIECE).play("18x9")
    assert ended(game, WHITE, "no_pieces")
    assert game.state.end is game.log[-1]
    assert ended(Sitting(start=LAST_MOVE).play("13-9"), WHITE, "no_moves")


def test_nothing_is_played_after_the_end():
    game = Sitting(start=LAST_PIECE).play("18x9")
    ends = (Resign, OfferDraw, AcceptDraw, DeclineDraw, ClaimDraw, Abort, ClaimGone)
    for command in (*ends, OfferTakeback, AcceptTakeback, DeclineTakeback):
        for side in Side:
            game.refuse("game_over", command, side)
    game.refuse("game_over", Play, BLACK, ply=1, move="14-18")
    assert game.do(Play, WHITE, ply=0, move="18x9") == []
    assert game.do(Wake) == []
    assert game.do(ShiftClock, outage=1, since=NOW, until=NOW + 9_000) == []


def test_standard_draws_come_by_themselves():
    game = Sitting(start=KINGS).shuffle(15)
    assert game.state.status == "playing"
    assert ended(game.play("6-1"), None, "repetition")
    game = Sitting(start=KINGS, preset="standard").wander(79)
    assert game.state.status == "playing"
    assert ended(game.wander(1), None, "no_progress")


def test_captures50_draws_come_later():
    game = Sitting(start=KINGS, preset="captures50").wander(99)
    assert game.state.status == "playing"
    assert ended(game.wander(1), None, "no_progress")
    assert ended(Sitting(start=KINGS, preset="captures50").shuffle(16), None, "repetition")


def test_tournament_draws_are_claimed():
    game = Sitting(start=KINGS, preset="tournament").shuffle(15)
    assert "Black" not in game.refuse("not_your_turn", ClaimDraw, WHITE, move="6-1")
    assert "Name the move" in game.refuse("no_claim", ClaimDraw, BLACK)
    assert "first time" in game.refuse("no_claim", ClaimDraw, BLACK, move="6-9")
    assert "legal move" in game.refuse("no_claim", ClaimDraw, BLACK, move="6-10-1")
    events = game.do(ClaimDraw, BLACK, move="6x1", id="c")
    assert events == [
        DrawClaimed(at=NOW, command="c", side=BLACK, termination="repetition", move="6-1")
    ]
    assert ended(game, None, "repetition")
    assert game.state.plies == 15
    game = Sitting(start=KINGS, preset="tournament").shuffle(24)
    assert game.state.status == "playing"


def test_tournament_draws_for_lack_of_progress_are_claimed():
    game = Sitting(start=KINGS, preset="tournament").wander(79)
    assert "79 plies" in game.refuse("no_claim", ClaimDraw, game.state.turn)
    game.wander(1).do(ClaimDraw, game.state.turn)
    assert ended(game, None, "no_progress")


@pytest.mark.parametrize("preset", ["standard", "agreement", "captures50"])
def test_other_presets_know_no_claim(preset):
    game = Sitting(start=KINGS, preset=preset).shuffle(15)
    message = game.refuse("no_claim", ClaimDraw, BLACK, move="6-1")
    assert message.startswith(f"Under {PRESETS[preset].title} rules no draw is claimed")
    assert not message.endswith("..")


def test_by_agreement_alone_a_game_goes_on():
    game = Sitting(start=KINGS, preset="agreement").shuffle(24).wander(90)
    assert game.state.status == "playing"
    game.do(OfferDraw, BLACK)
    game.do(AcceptDraw, WHITE)
    assert ended(game, None, "agreement")


def test_no_game_is_longer_than_its_room(monkeypatch):
    short = dataclasses.replace(PRESETS["agreement"], ply_cap=12)
    monkeypatch.setitem(state._PRESETS, "agreement", short)
    assert ended(Sitting(start=KINGS, preset="agreement").shuffle(12), None, "ply_cap")
    monkeypatch.undo()
    assert all(state._PRESETS[name].ply_cap == state.LONGEST for name in PRESETS)


# --- draws by agreement ---


@pytest.mark.parametrize("preset", PRESETS)
def test_players_agree_to_a_draw(preset):
    game = at_move(2, preset=preset)
    assert game.do(OfferDraw, WHITE, id="o") == [DrawOffered(at=NOW, command="o", side=WHITE)]
    assert game.state.draw_offer is WHITE
    assert game.do(AcceptDraw, BLACK, id="a") == [DrawAgreed(at=NOW, command="a", side=BLACK)]
    assert ended(game, None, "agreement")


def test_a_preset_may_forbid_agreement(monkeypatch):
    alone = dataclasses.replace(PRESETS["standard"], agreement=False)
    monkeypatch.setitem(state._PRESETS, "standard", alone)
    assert "cannot agree" in at_move().refuse("not_allowed", OfferDraw, BLACK)


def test_a_draw_is_declined():
    game = at_move()
    game.do(OfferDraw, BLACK)
    game.refuse("no_offer", DeclineDraw, BLACK)
    assert game.do(DeclineDraw, WHITE, id="d") == [DrawDeclined(at=NOW, command="d", side=WHITE)]
    game.refuse("no_offer", AcceptDraw, WHITE)
    game.refuse("no_offer", DeclineDraw, WHITE)


def test_nobody_accepts_what_is_not_offered():
    game = at_move()
    game.refuse("no_offer", AcceptDraw, WHITE)
    game.do(OfferDraw, BLACK)
    game.refuse("no_offer", AcceptDraw, BLACK)


def test_an_offer_lapses_when_the_other_player_moves():
    game = at_move(3)
    game.do(OfferDraw, BLACK)
    game.play("25x18")
    assert game.state.draw_offer is None
    game.refuse("no_offer", AcceptDraw, WHITE)


def test_an_offer_stands_while_the_one_who_made_it_moves():
    game = at_move(4)
    game.do(OfferDraw, BLACK)
    game.play("12-16")
    assert game.state.draw_offer is BLACK
    game.do(AcceptDraw, WHITE)
    assert ended(game, None, "agreement")


def test_nobody_offers_again_before_having_moved():
    game = at_move(4)
    game.do(OfferDraw, BLACK)
    assert game.do(OfferDraw, BLACK) == []
    game.do(DeclineDraw, WHITE)
    assert "your next move" in game.refuse("too_soon", OfferDraw, BLACK)
    game.do(OfferDraw, WHITE)
    game.do(DeclineDraw, BLACK)
    game.play("12-16").do(OfferDraw, BLACK)
    game.do(DeclineDraw, WHITE)
    game.refuse("too_soon", OfferDraw, WHITE)
    game.play("29-25").refuse("too_soon", OfferDraw, BLACK)
    game.do(OfferDraw, WHITE)


def test_crossing_offers_agree():
    game = at_move()
    game.do(OfferDraw, BLACK)
    assert game.do(OfferDraw, WHITE, id="w") == [DrawAgreed(at=NOW, command="w", side=WHITE)]
    assert ended(game, None, "agreement")


# --- taking back ---


def test_a_move_is_taken_back_by_consent():
    game = at_move(4)
    before = at_move(3).state.history
    events = game.do(OfferTakeback, WHITE, id="t")
    assert events == [TakebackOffered(at=NOW, command="t", side=WHITE, plies=1)]
    game.refuse("no_offer", AcceptTakeback, WHITE)
    assert game.do(AcceptTakeback, BLACK, id="y") == [
        TakenBack(at=NOW, command="y", side=BLACK, ply=3)
    ]
    assert game.state.history == before
    assert (game.state.turn, game.state.clock.running) == (WHITE, WHITE)
    game.refuse("no_offer", AcceptTakeback, BLACK)


def test_the_answer_to_a_move_is_taken_back_with_it():
    game = at_move(4)
    assert game.do(OfferTakeback, BLACK) == [TakebackOffered(at=NOW, side=BLACK, plies=2)]
    game.do(AcceptTakeback, WHITE)
    assert (game.moves, game.state.turn) == ("11-15 22-18", BLACK)


def test_nothing_is_taken_back_where_nothing_was_played():
    game = Sitting()
    for side in Side:
        game.refuse("nothing_to_take_back", OfferTakeback, side)
    game.play("11-15").refuse("nothing_to_take_back", OfferTakeback, WHITE)
    game.do(OfferTakeback, BLACK)
    game.do(AcceptTakeback, WHITE)
    assert (game.state.plies, game.state.turn) == (0, BLACK)


def test_a_takeback_is_declined_and_asked_again_after_a_move():
    game = at_move(4)
    game.do(OfferTakeback, WHITE)
    assert game.do(OfferTakeback, WHITE) == []
    game.refuse("no_offer", DeclineTakeback, WHITE)
    assert game.do(DeclineTakeback, BLACK, id="n") == [
        TakebackDeclined(at=NOW, command="n", side=BLACK)
    ]
    game.refuse("no_offer", DeclineTakeback, BLACK)
    game.refuse("too_soon", OfferTakeback, WHITE)
    game.play("12-16").do(OfferTakeback, WHITE)


@pytest.mark.parametrize("by", list(Side))
def test_any_move_ends_the_question(by):
    game = at_move(4)
    game.do(OfferTakeback, by)
    game.play("12-16")
    assert game.state.takeback_offer is None
    game.refuse("no_offer", AcceptTakeback, by.other)


def test_crossing_takebacks_agree_to_the_first():
    game = at_move(4)
    game.do(OfferTakeback, WHITE)
    assert game.do(OfferTakeback, BLACK) == [TakenBack(at=NOW, side=BLACK, ply=3)]


def test_a_takeback_ends_all_offers():
    game = at_move(4)
    game.do(OfferDraw, BLACK)
    game.do(OfferTakeback, WHITE)
    game.do(AcceptTakeback, BLACK)
    game.refuse("no_offer", AcceptDraw, WHITE)
    game.refuse("too_soon", OfferDraw, BLACK)
    game.do(OfferTakeback, BLACK)


def test_a_takeback_gives_no_time_back_and_the_clock_goes_on():
    game = at_move(4).wait(7_000)
    game.do(OfferTakeback, WHITE)
    game.wait(1_000).do(AcceptTakeback, BLACK)
    clock = game.state.clock
    assert clock.left == (303_000 - 8_000, 300_000)
    assert (clock.running, clock.since) == (WHITE, game.now)


@pytest.mark.parametrize("askers", [[BLACK], [WHITE, BLACK]])
def test_moving_and_taking_back_makes_no_time(askers):
    game = at_move(4)
    for _ in range(5):
        game.play("12-16 21-17")
        for side in askers:
            game.do(OfferTakeback, side)
            game.do(AcceptTakeback, side.other)
    assert game.state.plies == 4
    assert game.state.clock.left == (303_000, 303_000)


def test_first_moves_that_were_taken_back_are_first_moves_again():
    game = at_move(2)
    game.do(OfferTakeback, BLACK)
    game.wait(5_000).do(AcceptTakeback, WHITE)
    assert (game.state.plies, game.state.clock.running) == (0, None)
    assert game.state.deadline() == game.now + 30_000
    game.wait(20_000).play("9-14").do(Abort, WHITE)
    assert game.state.status == "aborted"


def test_a_game_without_end_takes_nothing_back(monkeypatch):
    monkeypatch.setattr(deciding, "FULL", 5)
    assert "so long" in at_move(4).refuse("not_allowed", OfferTakeback, WHITE)


# --- resigning, calling off, being gone ---


@pytest.mark.parametrize("by", list(Side))
def test_a_player_resigns_on_either_turn(by):
    game = at_move(3).wait(4_000)
    assert game.do(Resign, by, id="r") == [Resigned(at=NOW + 4_000, command="r", side=by)]
    assert ended(game, by.other, "resignation")
    assert game.state.clock.left == (300_000 + 3_000, 296_000)


@pytest.mark.parametrize(("plies", "by"), [(0, BLACK), (0, WHITE), (1, BLACK), (1, WHITE)])
def test_a_game_is_called_off_before_its_second_move(plies, by):
    game = at_move(plies)
    assert game.do(Abort, by, id="x") == [Aborted(at=NOW, command="x", side=by)]
    assert (game.state.status, game.state.outcome) == ("aborted", None)
    assert result(game.state) == Result(None, "aborted")
    assert game.state.deadline() is None
    game.refuse("game_over", Play, game.state.turn, ply=plies, move="11-15")
    game.refuse("game_over", Abort, by)


def test_after_the_second_move_it_is_too_late_to_call_off():
    at_move(2).refuse("too_late", Abort, BLACK)


@pytest.mark.parametrize(
    ("control", "patience"),
    [
        ("1+0", 120_000),
        ("5+3", 120_000),
        ("10+0", 240_000),
        ("60+0", 360_000),
        ("30 s a move", 240_000),
        ("no clock", 360_000),
    ],
)
def test_a_player_who_is_gone_is_claimed_against(control, patience):
    for left, least in ((False, patience), (True, 12_000)):
        game = at_move(3, control=control)
        assert game.state.patience(left) == least
        game.refuse("not_gone", ClaimGone, BLACK, absent=least - 1, left=left)
        events = game.do(ClaimGone, BLACK, absent=least, left=left, id="g")
        assert events == [Deserted(at=NOW, command="g", side=WHITE)]
        assert ended(game, BLACK, "desertion")
        assert game.do(ClaimGone, BLACK, absent=0, id="g") == []


def test_a_claim_may_be_made_on_either_turn_and_for_a_draw():
    game = at_move(4)
    game.do(ClaimGone, BLACK, claim="draw", absent=120_000)
    assert ended(game, None, "desertion")
    game = at_move(4)
    game.do(ClaimGone, WHITE, absent=120_000)
    assert ended(game, WHITE, "desertion")


def test_before_the_second_move_nobody_is_claimed_against():
    assert "called off" in at_move(1).refuse("too_soon", ClaimGone, BLACK, absent=10**6)


def test_with_days_for_a_move_nobody_has_to_be_there():
    game = at_move(3, control="2 days a move")
    for left in (True, False):
        assert game.state.patience(left) is None
        game.refuse("not_allowed", ClaimGone, BLACK, absent=10**9, left=left)


# --- time ---


def test_a_player_begins_in_time_or_the_game_is_called_off():
    game = Sitting()
    assert game.state.deadline() == NOW + 30_000
    assert game.wait(29_999).do(Wake) == []
    game.play("11-15")
    assert game.state.deadline() == NOW + 59_999
    assert game.wait(30_000).do(Wake) == [Aborted(at=NOW + 59_999)]
    assert game.state.status == "aborted"
    assert game.do(Wake) == []


def test_a_first_move_that_comes_too_late_calls_the_game_off():
    game = Sitting().wait(30_000)
    assert game.do(Play, BLACK, ply=0, move="11-15") == [Aborted(at=game.now)]


def test_the_clock_runs_after_both_first_moves():
    game = Sitting().play("11-15", "22-18", take=10_000)
    assert game.state.clock.left == (300_000, 300_000)
    game.play("15x22", take=10_000)
    assert game.state.clock.left == (293_000, 300_000)
    assert last(game, Moved).spent == 10_000


def test_lag_is_forgiven():
    game = at_move(2).play("15x22", take=10_000, lag=700)
    assert (last(game, Moved).spent, last(game, Moved).credit) == (9_300, 700)
    assert game.state.clock.left == (293_700, 300_000)


def test_a_flag_falls():
    game = at_move(3)
    assert game.state.deadline() == NOW + 302_001
    assert game.wait(302_000).do(Wake) == []
    assert game.wait(1).do(Wake) == [FlagFell(at=game.now, side=WHITE)]
    assert ended(game, BLACK, "timeout")
    assert game.state.clock.left == (303_000, 0)


@pytest.mark.parametrize("late", [300_001, 302_001, 10**9])
def test_a_move_after_its_time_loses(late):
    game = at_move(3).wait(late)
    assert game.do(Play, WHITE, ply=3, move="25x18", id="m") == [FlagFell(at=game.now, side=WHITE)]
    assert ended(game, BLACK, "timeout")
    game.refuse("game_over", Play, WHITE, ply=3, move="25x18", id="m")


def test_a_move_in_the_grace_counts_where_lag_explains_it():
    game = at_move(3).wait(301_500)
    game.do(Play, WHITE, ply=3, move="25x18", lag=1_500)
    assert game.state.status == "playing"
    assert game.state.clock.left == (303_000, 3_000)


def test_a_fallen_flag_comes_before_anything_else():
    game = at_move(3).wait(400_000)
    assert game.do(Resign, BLACK) == [FlagFell(at=game.now, side=WHITE)]
    game = at_move(3).wait(400_000)
    assert game.do(Say, BLACK, phrase="good_game") == [
        FlagFell(at=game.now, side=WHITE),
        Said(at=game.now, side=BLACK, phrase="good_game"),
    ]
    game = at_move(3)
    move = Play(by=BLACK, ply=2, move="15x22", id="m")
    assert decide(game.state, move, NOW + 10**6) == (FlagFell(at=NOW + 10**6, side=WHITE),)


def test_time_by_the_move_and_by_days():
    game = at_move(3, control="30 s a move").play("25x18", take=29_000)
    assert game.state.clock.left == (30_000, 30_000)
    game.wait(32_001).do(Wake)
    assert ended(game, WHITE, "timeout")
    game = Sitting("1 day a move")
    assert game.state.deadline() == NOW + 86_400_000
    game.play(OPENING, take=80_000_000)
    assert game.state.deadline() == game.now + 86_400_000 + 2_001


def test_without_a_clock_there_is_time_but_not_for_ever():
    game = Sitting("no clock").wait(IDLE - 1)
    assert game.do(Wake) == []
    game.play("11-15").play("22-18 15x22 25x18", take=10**9)
    assert game.state.status == "playing"
    assert last(game, Moved).spent == 10**9
    assert game.state.deadline() == game.now + IDLE
    game.wait(IDLE - 1).refuse("not_your_turn", Play, WHITE, ply=4, move="21-17")
    assert game.wait(1).do(Wake) == [Deserted(at=game.now, side=BLACK)]
    assert ended(game, WHITE, "desertion")


def test_a_game_without_a_clock_that_nobody_begins_is_called_off():
    game = Sitting("no clock").play("11-15").wait(IDLE)
    assert game.do(Wake) == [Aborted(at=game.now)]
    assert game.state.status == "aborted"


@pytest.mark.parametrize("moves", ["", "11-15", OPENING])
def test_downtime_puts_off_the_end_of_a_game_without_a_clock(moves):
    game = Sitting("no clock").play(moves).wait(IDLE - 10)
    down, up = game.now, game.now + 10**6
    game.now = up
    events = game.do(ShiftClock, outage=1, since=down, until=up)
    assert events == [ClockShifted(at=up, outage=1, since=up + RETURN - (IDLE - 10))]
    assert game.do(Wake) == []
    assert game.state.deadline() == up + RETURN + 10
    assert game.wait(RETURN + 10).do(Wake)


def test_a_move_or_a_takeback_begins_the_wait_without_a_clock_anew():
    game = Sitting("no clock").play(OPENING).wait(IDLE - 1)
    game.do(OfferDraw, BLACK)
    assert game.state.deadline() == game.now + 1
    game.do(OfferTakeback, WHITE)
    game.do(AcceptTakeback, BLACK)
    assert game.state.deadline() == game.now + IDLE
    game.play("25x18")
    assert game.wait(IDLE).do(Say, WHITE, phrase="goodbye") == [
        Deserted(at=game.now, side=BLACK),
        Said(at=game.now, side=WHITE, phrase="goodbye"),
    ]
    assert result(game.state) == Result(WHITE, "desertion")


def test_time_that_runs_backwards_between_servers_is_held():
    game = at_move(4).wait(-5_000)
    game.play("12-16")
    assert game.log[-1].at == NOW
    assert game.state.clock.since == NOW


# --- downtime ---


def test_downtime_is_not_charged():
    game = at_move(3).wait(10_000)
    down, up = game.now, game.now + 500_000
    game.now = up
    events = game.do(ShiftClock, outage=7, since=down, until=up)
    assert events == [ClockShifted(at=up, outage=7, since=up + RETURN - 10_000)]
    assert game.do(Wake) == []
    game.wait(RETURN).play("25x18")
    assert last(game, Moved).spent == 10_000


def test_an_outage_counts_once():
    game = at_move(3).wait(10_000)
    down, up = game.now, game.now + 500_000
    game.now = up
    game.do(ShiftClock, outage=7, since=down, until=up)
    assert game.do(ShiftClock, outage=7, since=down, until=up) == []
    assert game.do(ShiftClock, outage=8, since=up + 8_000, until=up + 90_000) != []
    assert game.state.outages == (7, 8)


def test_an_outage_before_the_turn_is_nothing():
    game = at_move(3)
    assert game.do(ShiftClock, outage=7, since=NOW - 9_000, until=NOW) == []
    assert game.state.outages == ()


def test_an_outage_puts_off_the_first_move():
    game = Sitting()
    game.now = NOW + 60_000
    game.do(ShiftClock, outage=1, since=NOW + 1_000, until=NOW + 60_000)
    assert game.state.deadline() == NOW + 60_000 + RETURN + 29_000
    game.play("11-15")
    assert game.state.status == "playing"


# --- around the game ---


def over(**fields):
    game = at_move(3, **fields)
    game.do(Resign, WHITE)
    return game


def test_a_rematch_is_offered_and_accepted():
    game = over()
    assert game.do(OfferRematch, WHITE, id="o") == [RematchOffered(at=NOW, command="o", side=WHITE)]
    assert game.do(OfferRematch, WHITE) == []
    game.refuse("no_offer", AcceptRematch, WHITE, game="next")
    assert game.do(AcceptRematch, BLACK, game="next", id="a") == [
        Rematched(at=NOW, command="a", side=BLACK, game="next")
    ]
    assert game.state.next_game == "next"
    assert game.do(AcceptRematch, BLACK, game="other") == []
    assert game.do(OfferRematch, BLACK, game="other") == []
    game.refuse("no_offer", DeclineRematch, BLACK)
    assert ended(game, BLACK, "resignation")


def test_a_rematch_is_declined_and_may_be_offered_again():
    game = over()
    game.refuse("no_offer", DeclineRematch, BLACK)
    game.do(OfferRematch, WHITE)
    assert game.do(DeclineRematch, BLACK, id="n") == [
        RematchDeclined(at=NOW, command="n", side=BLACK)
    ]
    game.refuse("no_offer", AcceptRematch, BLACK, game="next")
    game.do(OfferRematch, WHITE)


def test_crossing_rematches_agree():
    game = over()
    game.do(OfferRematch, WHITE)
    assert "accept it" in game.refuse("not_allowed", OfferRematch, BLACK)
    assert game.do(OfferRematch, BLACK, game="next") == [Rematched(at=NOW, side=BLACK, game="next")]


def test_a_rematch_waits_for_the_end():
    game = at_move(3)
    for command, fields in (
        (OfferRematch, {}),
        (AcceptRematch, {"game": "g"}),
        (DeclineRematch, {}),
    ):
        game.refuse("not_allowed", command, WHITE, **fields)


def test_the_next_game_is_the_same_with_sides_changed():
    game = over(rated=True, preset="tournament", private=True, terms=Terms(stake=25))
    first = game.state.started
    after = rematch(game.state, "this", NOW + 5)
    assert (after.black, after.white, after.at, after.rematch_of) == (WIM, DORA, NOW + 5, "this")
    same = msgspec.structs.replace(
        after, black=DORA, white=WIM, at=first.at, rematch_of=first.rematch_of
    )
    assert same == first
    assert begin(after).side_of(WIM) is BLACK


def test_phrases_are_said_while_playing_and_after():
    game = at_move(3)
    events = game.do(Say, BLACK, phrase="good_move", id="s")
    assert events == [Said(at=NOW, command="s", side=BLACK, phrase="good_move")]
    game.do(Resign, WHITE)
    game.do(Say, WHITE, phrase="good_game")
    assert [line.phrase for line in game.state.lines] == ["good_move", "good_game"]
    game.refuse("not_allowed", Say, WHITE, phrase="you_fool")
    game.refuse("not_allowed", Say, WHITE)
    game.refuse("not_allowed", Say, WHITE, phrase="hello", text="hello")


def test_texts_are_sent_while_both_have_the_chat_on():
    game = at_move(3)
    game.refuse("not_allowed", Say, BLACK, text="hi")
    assert game.do(SetChat, BLACK, on=True, id="c") == [
        ChatSet(at=NOW, command="c", side=BLACK, on=True)
    ]
    assert game.do(SetChat, BLACK, on=True) == []
    assert "both" in game.refuse("not_allowed", Say, BLACK, text="hi")
    game.do(SetChat, WHITE, on=True)
    game.do(Say, BLACK, text="  well,\n\twell \u202e\u0007 ")
    assert game.state.lines[-1].text == "well, well"
    game.do(Say, BLACK, text="x" * 140)
    for text in ("", " \n ", "\u200b", "x" * 141):
        assert "140" in game.refuse("not_allowed", Say, BLACK, text=text)
    game.do(SetChat, WHITE, on=False)
    game.refuse("not_allowed", Say, BLACK, text="hi")


def test_one_game_has_room_for_so_much_talk():
    game = at_move(3)
    for _ in range(100):
        game.do(SetChat, BLACK, on=True)
        game.do(SetChat, BLACK, on=False)
    assert "room for" in game.refuse("not_allowed", Say, BLACK, phrase="hello")
    game.refuse("not_allowed", SetChat, BLACK, on=True)
    game.do(Say, WHITE, phrase="hello")
    game.do(Resign, WHITE)
    game.refuse("not_allowed", OfferRematch, BLACK)
    game.do(OfferRematch, WHITE)
    game.do(AcceptRematch, BLACK, game="next")


def test_only_the_last_lines_are_kept():
    game = at_move(3)
    for _ in range(60):
        game.do(Say, BLACK, phrase="hello")
        game.do(Say, WHITE, phrase="thanks")
    assert len(game.state.lines) == 100
    assert game.state.talk == (60, 60)


def test_the_settlement_is_part_of_the_log():
    game = over(rated=True)
    settled = Settled(at=NOW, black=Share(chips=9, rating=1500, rating_after=1510))
    after = apply(game.state, settled)
    assert after.settled == settled
    assert after.version == game.state.version + 1
    assert replay([*game.log, settled]) == after


def test_a_control_is_kept_with_the_game():
    assert Sitting(TimeControl("increment", 60_000)).state.speed == "bullet"
    assert Sitting(BLITZ).state.started.control == BLITZ
    assert isinstance(Sitting().log[0], Started)
