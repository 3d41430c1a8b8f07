"""Histories, outcomes, and the draw rules of each preset: reached, and nearly reached."""

import dataclasses

import pytest

from kingme import (
    PRESETS,
    ClaimError,
    DrawPreset,
    History,
    IllegalMoveError,
    Move,
    Outcome,
    Position,
    Progress,
    Side,
    Termination,
)

STANDARD, TOURNAMENT, AGREEMENT, CAPTURES50 = (
    PRESETS[name] for name in ("standard", "tournament", "agreement", "captures50")
)
REPETITION = Outcome(None, Termination.REPETITION)
NO_PROGRESS = Outcome(None, Termination.NO_PROGRESS)

# Black's kings keep to the squares 1 to 12 and White's to 21 to 32, so that they never meet.
KINGS = "W:WK29,K32,21:BK1,K4"
BLACK_WALK = ["1-5", "5-9", "9-6", "6-1"]
WHITE_WALK = ["32-28", "28-24", "24-27", "27-32"]


def walk(history, plies, preset=None):
    """Play ``plies`` of king moves whose positions come as rarely as possible."""
    for _ in range(plies):
        assert preset is None or history.outcome(preset) is None
        history = history.play(fresh(history))
    return history


def fresh(history):
    """A king's move, at its own end of the board, to the position seen least often so far."""
    position = history.position
    home = range(1, 13) if position.turn is Side.BLACK else range(21, 33)
    kings = [
        move
        for move in position.legal_moves
        if position.piece_at(move.start).king and move.end in home
    ]
    return min(kings, key=lambda move: (history.positions.count(position.play(move)), move))


def start(fen=KINGS):
    return History.start(Position.from_fen(fen))


def shuffle(history, plies):
    """Play both walks in step: every eight plies the same position comes again."""
    for ply in range(plies):
        cycle = WHITE_WALK if ply % 2 == 0 else BLACK_WALK
        history = history.play(cycle[ply // 2 % 4])
    return history


def test_history_grows_and_goes_back():
    history = History.start().play("11-15").play("22-18").play("15x22")
    assert [str(move) for move in history.moves] == ["11-15", "22-18", "15x22"]
    assert len(history.positions) == 4
    assert history.back().position == history.positions[2]
    assert history.back(3) == History.start()
    assert history.back(0) == history
    with pytest.raises(ValueError, match="4 plies cannot be taken back: 3 were played"):
        history.back(4)
    with pytest.raises(ValueError, match="cannot be taken back"):
        history.back(-1)
    with pytest.raises(IllegalMoveError):
        history.play(Move((1, 6)))


def test_a_history_begins_with_a_fen_and_shows_itself():
    history = History.start("W:WK29:BK25")
    assert history.position == Position.from_fen("W:WK29:BK25")
    assert repr(history) == "<History from W:WK29:BK25: no move yet>"
    assert repr(history.play("29x22")) == "<History from W:WK29:BK25: 29x22>"


def test_positions_and_moves_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="0 moves lie between 1 positions, not 0"):
        History(())
    with pytest.raises(ValueError, match="1 moves lie between 2 positions, not 1"):
        History((Position.start(),), (Move((11, 15)),))


def test_presets_and_sides_may_be_named():
    history = shuffle(start(), 15)
    assert history.outcome("standard") == history.outcome(STANDARD)
    assert history.claim("tournament", "B", "6-1") == REPETITION
    assert history.claimable("tournament") == history.claimable(TOURNAMENT)
    assert history.quiet_plies("captures50") == 15
    assert history.repetitions("captures50") == 2
    with pytest.raises(ValueError, match="there is no draw preset 'chess': there are standard"):
        history.outcome("chess")


def test_events_of_a_move():
    history = start("B:W30,18:B26,15,K1").play("15x22")
    assert history.events(0) == {Progress.CAPTURE, Progress.MAN_MOVE}
    history = history.back().back(0)
    crowning = start("B:W30,K18:B26,K1").play("26-31")
    assert crowning.events(0) == {Progress.MAN_MOVE, Progress.PROMOTION}
    king = start("B:W30,K18:B26,K1").play("1-6")
    assert king.events(0) == frozenset()
    by_jump = start("B:W26:B22").play("22x31")
    assert by_jump.events(0) == {Progress.CAPTURE, Progress.MAN_MOVE, Progress.PROMOTION}


@pytest.mark.parametrize(
    ("fen", "outcome"),
    [
        ("W:W5:B1", Outcome(Side.BLACK, Termination.NO_MOVES)),
        ("W:W5:B1,6", Outcome(Side.BLACK, Termination.NO_MOVES)),
        ("B:W32:B", Outcome(Side.WHITE, Termination.NO_PIECES)),
        ("W:W:B1", Outcome(Side.BLACK, Termination.NO_PIECES)),
        ("B:W5:B1", None),
    ],
)
@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_a_player_without_piece_or_move_has_lost_under_every_preset(fen, outcome, preset):
    assert start(fen).outcome(preset) == outcome


def test_a_game_is_over_after_the_move_that_ends_it_never_before():
    history = start("W:WK29:BK25")
    assert history.outcome() is None
    assert history.play("29x22").outcome() == Outcome(Side.WHITE, Termination.NO_PIECES)


class TestStandard:
    def test_third_occurrence_draws_and_the_second_does_not(self):
        history = shuffle(start(), 15)
        assert history.outcome(STANDARD) is None
        history = shuffle(start(), 16)
        assert history.repetitions(STANDARD) == 3
        assert history.outcome(STANDARD) == REPETITION
        assert shuffle(start(), 8).repetitions(STANDARD) == 2
        assert shuffle(start(), 8).outcome(STANDARD) is None

    def test_the_same_pieces_with_the_other_side_to_move_are_another_position(self):
        # Black loses a tempo by a triangle: the pieces recur, the turn does not.
        history = start("W:WK32:BK1")
        for move in ("32-28", "1-6", "28-32", "6-1"):
            history = history.play(move)
        assert history.repetitions(STANDARD) == 2
        assert history.back().repetitions(STANDARD) == 1

    def test_forty_moves_each_without_progress_draw_and_one_ply_less_does_not(self):
        history = walk(start(), 79, STANDARD)
        assert history.quiet_plies(STANDARD) == 79
        assert history.outcome(STANDARD) is None
        history = history.play(fresh(history))
        assert history.outcome(STANDARD) == NO_PROGRESS

    def test_thirty_nine_moves_are_not_forty(self):
        assert walk(start(), 78, STANDARD).outcome(STANDARD) is None

    def test_a_mans_move_in_between_starts_the_count_again(self):
        history = walk(start(), 60, STANDARD).play("21-17")
        assert history.quiet_plies(STANDARD) == 0
        history = walk(history, 79, STANDARD)
        assert history.outcome(STANDARD) is None
        assert history.play(fresh(history)).outcome(STANDARD) == NO_PROGRESS

    def test_a_jump_in_between_starts_the_count_again(self):
        history = start("W:WK29,K32:BK1,K21")
        for text in ("32-28", "1-5", "28-32", "21-25"):
            history = history.play(text)
        assert history.quiet_plies(STANDARD) == 4
        history = history.play("29x22")
        assert history.quiet_plies(STANDARD) == 0
        history = walk(history, 79, STANDARD)
        assert history.outcome(STANDARD) is None
        assert history.play(fresh(history)).outcome(STANDARD) == NO_PROGRESS

    def test_losing_goes_before_drawing(self):
        # The last ply of the count leaves Black without a move: White has won.
        short = dataclasses.replace(STANDARD, progress_plies=1)
        history = start("W:WK30,K22:B21")
        assert history.play("22-25").outcome(short) == Outcome(Side.WHITE, Termination.NO_MOVES)
        assert history.play("22-18").outcome(short) == NO_PROGRESS


class TestTournament:
    def test_nothing_comes_by_itself(self):
        assert shuffle(start(), 32).outcome(TOURNAMENT) is None
        assert walk(start(), 90).outcome(TOURNAMENT) is None

    def test_the_player_on_the_turn_claims_with_the_move_that_repeats(self):
        history = shuffle(start(), 15)
        assert history.claimable(TOURNAMENT) == (Move((6, 1)),)
        assert history.claim(TOURNAMENT, Side.BLACK, "6-1") == REPETITION
        assert history.claim(TOURNAMENT, Side.BLACK, Move((6, 1))) == REPETITION

    def test_one_move_too_early_or_another_move_is_refused(self):
        early = shuffle(start(), 7)
        assert early.claimable(TOURNAMENT) == ()
        with pytest.raises(ClaimError, match="occurs for the second time"):
            early.claim(TOURNAMENT, Side.BLACK, "6-1")
        with pytest.raises(ClaimError, match="occurs for the first time"):
            shuffle(start(), 15).claim(TOURNAMENT, Side.BLACK, "6-10")
        with pytest.raises(ClaimError, match="a claim names a legal move"):
            shuffle(start(), 15).claim(TOURNAMENT, Side.BLACK, "6-20")

    def test_a_claim_by_the_wrong_player_is_refused(self):
        with pytest.raises(ClaimError, match="White cannot claim: it is Black's turn"):
            shuffle(start(), 15).claim(TOURNAMENT, Side.WHITE, "6-1")
        with pytest.raises(ClaimError, match="only the player on the turn"):
            walk(start(), 80).claim(TOURNAMENT, Side.BLACK)

    def test_a_repetition_already_made_is_not_claimed_without_a_move(self):
        with pytest.raises(ClaimError, match="name the move that repeats"):
            shuffle(start(), 15).claim(TOURNAMENT, Side.BLACK)

    def test_eighty_plies_are_claimed_and_seventy_nine_are_not(self):
        history = walk(start(), 79)
        assert Termination.NO_PROGRESS not in history.claimable(TOURNAMENT)
        with pytest.raises(ClaimError, match="79 plies in a row made no progress: 80 are needed"):
            history.claim(TOURNAMENT, Side.BLACK)
        history = history.play(fresh(history))
        assert Termination.NO_PROGRESS in history.claimable(TOURNAMENT)
        assert history.claim(TOURNAMENT, Side.WHITE) == NO_PROGRESS

    def test_a_mans_move_in_between(self):
        history = walk(walk(start(), 60).play("21-17"), 79)
        with pytest.raises(ClaimError, match="79 plies"):
            history.claim(TOURNAMENT, history.position.turn)

    def test_a_finished_game_has_nothing_to_claim(self):
        assert start("W:W5:B1").claimable(TOURNAMENT) == ()
        with pytest.raises(ClaimError, match="the game is over"):
            start("W:W5:B1").claim(TOURNAMENT, Side.WHITE)


class TestAgreement:
    def test_nothing_draws_by_itself_and_nothing_is_claimed(self):
        assert shuffle(start(), 64).outcome(AGREEMENT) is None
        assert walk(start(), 120).outcome(AGREEMENT) is None
        with pytest.raises(ClaimError, match="no draw is claimed"):
            shuffle(start(), 15).claim(AGREEMENT, Side.BLACK, "6-1")
        assert AGREEMENT.agreement


class TestCaptures50:
    def test_third_occurrence(self):
        assert shuffle(start(), 15).outcome(CAPTURES50) is None
        assert shuffle(start(), 16).outcome(CAPTURES50) == REPETITION

    def test_hundred_plies_without_a_jump_and_man_moves_do_not_help(self):
        history = walk(walk(start(), 60, CAPTURES50).play("21-17"), 38, CAPTURES50)
        assert history.quiet_plies(CAPTURES50) == 99
        assert history.outcome(CAPTURES50) is None
        assert history.play(fresh(history)).outcome(CAPTURES50) == NO_PROGRESS

    def test_a_jump_resets(self):
        history = start("W:WK29,K32:BK25,K1")
        assert walk(history.play("29x22"), 99, CAPTURES50).outcome(CAPTURES50) is None

    def test_occurrences_before_a_jump_are_not_counted(self):
        assert CAPTURES50.repetition_reset == {Progress.CAPTURE}
        history = start("W:WK29,K32:BK25,K1").play("29x22")
        assert history.repetitions(CAPTURES50) == 1
        assert history.claimable(CAPTURES50) == ()


def test_other_places_are_only_other_data():
    flyordie = DrawPreset(
        name="pairs40",
        title="40 pairs",
        summary="40 pairs without capture or promotion; 200 plies at most",
        progress_plies=80,
        progress=frozenset({Progress.CAPTURE, Progress.PROMOTION}),
        ply_cap=200,
        agreement=True,
    )
    history = walk(walk(start(), 60, flyordie).play("21-17"), 18, flyordie)
    assert history.quiet_plies(flyordie) == 79
    assert history.play(fresh(history)).outcome(flyordie) == NO_PROGRESS
    capped = dataclasses.replace(AGREEMENT, ply_cap=10)
    assert walk(start(), 9).outcome(capped) is None
    assert walk(start(), 10).outcome(capped) == Outcome(None, Termination.PLY_CAP)
    fourth = dataclasses.replace(STANDARD, repetition=4)
    assert shuffle(start(), 16).outcome(fourth) is None
    assert shuffle(start(), 24).outcome(fourth) == REPETITION
    claimed = dataclasses.replace(TOURNAMENT, progress_plies=None, repetition=None)
    assert shuffle(start(), 15).claimable(claimed) == ()
    with pytest.raises(ClaimError, match="no number of them makes a draw here"):
        start().claim(claimed, Side.WHITE)
    with pytest.raises(ClaimError, match="no number of occurrences make a draw"):
        start().claim(claimed, Side.WHITE, "32-28")


@pytest.mark.parametrize(
    ("outcome", "result", "words"),
    [
        (Outcome(Side.BLACK, Termination.NO_PIECES), "1-0", "Black wins: White has no piece left"),
        (Outcome(Side.WHITE, Termination.NO_MOVES), "0-1", "White wins: Black has no move"),
        (Outcome(Side.WHITE, Termination.RESIGNATION), "0-1", "White wins: Black resigned"),
        (REPETITION, "1/2-1/2", "Draw: the same position came again and again"),
        (NO_PROGRESS, "1/2-1/2", "Draw: no progress was made for too long"),
        (Outcome(None, Termination.AGREEMENT), "1/2-1/2", "Draw: both players agreed"),
        (Outcome(None, Termination.PLY_CAP), "1/2-1/2", "Draw: the game reached its last move"),
        (Outcome(Side.BLACK, Termination.TIMEOUT), "1-0", "Black wins: White's time ran out"),
        (Outcome(Side.WHITE, Termination.DESERTION), "0-1", "White wins: Black left the game"),
        (Outcome(None, Termination.DESERTION), "1/2-1/2", "Draw: a player left the game"),
    ],
)
def test_outcomes_say_what_happened(outcome, result, words):
    assert outcome.result == result
    assert str(outcome) == words


def test_presets_are_the_four_named_ones():
    assert list(PRESETS) == ["standard", "tournament", "agreement", "captures50"]
    assert all(name == preset.name for name, preset in PRESETS.items())
