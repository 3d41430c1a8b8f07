"""The rules of each variant, one by one, on positions made for them."""

import dataclasses
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import (
    ENGLISH,
    VARIANTS,
    CaptureLimitError,
    FenError,
    History,
    IllegalMoveError,
    MoveError,
    Outcome,
    Position,
    Side,
    Termination,
    VariantError,
)
from kingme.rules.longrange import LongRange
from kingme.rules.moves import Generator
from kingme.rules.notation import spell
from kingme.rules.outcome import PRESETS, VARIANT_PRESETS, preset_of
from kingme.rules.presets import preset_for
from kingme.rules.texts import rules_text, sections
from kingme.rules.variant import Choice, Removal, Variant

ALL = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def moves(fen, name, **changes):
    variant = dataclasses.replace(VARIANTS[name], **changes) if changes else VARIANTS[name]
    return [str(move) for move in Position.from_fen(fen, variant).legal_moves]


def crowned(position, square):
    piece = position.piece_at(square)
    return piece is not None and piece.king


# The records.


def test_there_are_fifteen_and_only_english_steps_the_quick_way():
    assert len(VARIANTS) == 15
    for name, variant in VARIANTS.items():
        assert variant.name == name
        quick = type(variant.generator) is Generator
        assert quick == (variant == ENGLISH) == variant.short_moves
        assert isinstance(variant.generator, LongRange) != quick
    # English draughts with another aim step like English draughts.
    losing = dataclasses.replace(ENGLISH, name="losing", goal=VARIANTS["antidraughts"].goal)
    assert type(losing.generator) is Generator
    # A board whose steps are no shifts needs the other generator.
    turned = dataclasses.replace(ENGLISH, name="turned", leftward=True)
    assert type(turned.generator) is LongRange
    assert len(Position.start(turned).legal_moves) == 7


# PDN 3.0, section GameType, gives these texts.
GAME_TYPES = {
    "english": "21,B,8,8,N1,0", "italian": "22,W,8,8,N2,1", "pool": "23,B,8,8,N1,0",
    "spanish": "24,W,8,8,N1,1", "russian": "25,W,8,8,A0,0", "brazilian": "26,W,8,8,A0,0",
    "canadian": "27,W,12,12,N2,0", "portuguese": "28,W,8,8,N1,1", "czech": "29,W,8,8,A0,0",
    "turkish": "30,W,8,8,A0,0", "thai": "31,B,8,8,N2,0", "international": "20,W,10,10,N2,0",
    "frisian": "40,W,10,10,N2,0", "antidraughts": None, "breakthrough": None,
}  # fmt: skip


@ALL
def test_a_record_says_where_it_is_from_and_how_pdn_names_it(variant):
    assert variant.sources
    assert variant.game_type_text == GAME_TYPES[variant.name]
    assert all(preset_of(name) for name in variant.draws)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("english", {1: "b8", 4: "h8", 29: "a1", 32: "g1"}),
        ("italian", {1: "a8", 4: "g8", 5: "b7", 29: "b1", 32: "h1"}),
        ("spanish", {1: "h1", 4: "b1", 5: "g2", 29: "g8", 32: "a8"}),
        ("portuguese", {1: "h1", 12: "b3", 32: "a8"}),
        ("thai", {1: "g1", 4: "a1", 8: "b2", 32: "b8"}),
        ("turkish", {1: "a8", 8: "h8", 57: "a1", 64: "h1"}),
        ("international", {1: "b10", 5: "j10", 46: "a1", 50: "i1"}),
        ("canadian", {1: "b12", 6: "l12", 67: "a1", 72: "k1"}),
    ],
)
def test_squares_have_the_numbers_of_their_variant(name, names):
    geometry = VARIANTS[name].geometry
    assert {number: geometry.letters(number) for number in names} == names
    assert {geometry.number(letters): letters for letters in names.values()} == names


@ALL
def test_white_sits_below_and_men_go_away_from_their_side(variant):
    geometry = variant.geometry
    for side in Side:
        ranks = {geometry.place(square)[0] for square in variant.start_squares(side)}
        near = min(ranks) if side is Side.WHITE else variant.rows - 1 - max(ranks)
        assert near == variant.rows_behind
        crown = {
            geometry.place(square)[0]
            for square in range(1, geometry.squares + 1)
            if geometry.masks[square] & variant.crown_row(side)
        }
        assert crown == {variant.rows - 1 if side is Side.WHITE else 0}
    for move in Position.start(variant).legal_moves:
        rank, to = geometry.place(move.start)[0], geometry.place(move.end)[0]
        assert to >= rank if variant.first is Side.WHITE else to <= rank


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"men": 11}, "do not fill whole rows"),
        ({"men": 16, "rows_behind": 1}, "do not fill whole rows"),
        ({"king_lands_next": True}, "always lands next"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, reason):
    with pytest.raises(VariantError, match=reason):
        dataclasses.replace(ENGLISH, **changes)


# Captures.


def test_flying_kings_move_and_capture_at_a_distance():
    assert moves("W:WK46:B5", "international") == [
        "46-10", "46-14", "46-19", "46-23", "46-28", "46-32", "46-37", "46-41",
    ]  # fmt: skip
    assert moves("W:WK46:B28", "international") == ["46x5", "46x10", "46x14", "46x19", "46x23"]
    # Two pieces side by side on the line cannot be jumped, nor own ones.
    assert not any("x" in text for text in moves("W:WK46:B28,23", "international"))
    assert not any("x" in text for text in moves("W:WK46,28:B1", "international"))


def test_a_landing_that_allows_to_go_on_must_be_chosen():
    # Over d4 the king could land on e5, f6, g7 and h8; from f6 alone it takes e7 or g5 as well.
    assert moves("W:WKa1:Bd4", "russian") == ["29x4", "29x8", "29x11", "29x15"]
    assert moves("W:WKa1:Bd4,g5", "russian") == ["29x11x20"]
    assert moves("W:WKa1:Bd4,e7", "russian") == ["29x11x2"]


def test_straight_on_is_one_route_named_by_the_next_square():
    fen = "W:WK46:B37,23"
    assert moves(fen, "international") == ["46x32x5", "46x32x10", "46x32x14", "46x32x19"]
    position = Position.from_fen(fen, VARIANTS["international"])
    for rest in (32, 28):
        assert position.parse(f"46x{rest}x14") == position.parse("46x14")
    assert position.parse("46x32x19") in position.legal_moves
    for rest in (41, 37, 19, 23, 10):
        with pytest.raises(IllegalMoveError):
            position.parse(f"46x{rest}x14")
    with pytest.raises(MoveError):
        position.parse("46-28-14-14")


def test_the_most_pieces_must_be_taken_in_some_variants_only():
    # A man may take one piece or two.
    fen = "W:W22:B17,18,11"
    assert moves(fen, "pool") == ["22x13", "22x15x8"]
    assert moves(fen, "brazilian") == ["22x15x8"]


def test_crowning_stops_passes_or_becomes():
    fen = "B:W26,27:B22"
    assert moves(fen, "czech") == ["22x31"]
    assert moves(fen, "brazilian") == ["22x31x24"]
    assert moves(fen, "russian") == ["22x31x20", "22x31x24"]
    for name, king in (("czech", True), ("brazilian", False), ("russian", True)):
        position = Position.from_fen(fen, VARIANTS[name])
        after = position.play(position.legal_moves[0])
        end = position.legal_moves[0].end
        assert crowned(after, end) is king, name


def test_italian_men_cannot_take_kings():
    assert moves("W:W22:BK18", "italian") == ["22-19"]
    assert moves("W:W22:B18", "italian") == ["22x13"]
    assert moves("W:WK22:BK18", "italian") == ["22x13"]


def test_italian_captures_are_ranked_in_four_steps():
    rules = VARIANTS["italian"].choice
    assert rules == (
        Choice.MOST_PIECES,
        Choice.WITH_KING,
        Choice.MOST_KINGS,
        Choice.KING_EARLIEST,
    )
    # A man can take one piece, the king as well: the king must.
    fen = "W:W22,K27:B18,23,K24"
    assert moves(fen, "italian", choice=rules[:1]) == ["22x13", "27x20"]
    assert moves(fen, "italian") == ["27x20"]
    # The king can take a man or a king: it must take the king.
    fen = "W:W21,K23:B17,19,K20"
    assert moves(fen, "italian", choice=rules[:2]) == ["23x14", "23x16"]
    assert moves(fen, "italian") == ["23x16"]
    # What is left in the end is what meets a king the earliest.
    assert all(_last_rule_decides(rules))


def _last_rule_decides(rules):
    """Whether the last rule leaves the right moves, for each random position where it decides."""
    rng, italian = random.Random(2), VARIANTS["italian"]
    looser = dataclasses.replace(italian, name="looser", choice=rules[:3])
    found = []
    for _ in range(150):
        squares = rng.sample(range(5, 29), 12)
        own = ",".join(f"K{square}" for square in squares[:3])
        enemy = ",".join(f"K{s}" if i % 2 else str(s) for i, s in enumerate(squares[3:]))
        position = Position.from_fen(f"W:W{own}:B{enemy}", italian)
        candidates = Position.from_fen(position.fen, looser).legal_moves
        if len(position.legal_moves) < len(candidates):
            kings = {
                move: tuple(crowned(position, square) for square in move.captures)
                for move in candidates
            }
            earliest = max(kings.values())
            left = [move for move in candidates if kings[move] == earliest]
            found.append(list(position.legal_moves) == left)
    assert found
    return found


def test_spanish_takes_most_pieces_and_then_most_kings():
    # Numbers begin at White's right corner: White's men go toward higher numbers.
    fen = "W:W14:B18,K19"
    assert moves(fen, "spanish", choice=()) == ["14x21", "14x23"]
    assert moves(fen, "spanish") == ["14x23"]
    assert moves(fen, "portuguese") == moves(fen, "spanish")


def test_czech_kings_capture_before_men():
    fen = "W:W22,K30:B18,25"
    assert moves(fen, "czech", choice=()) == ["22x15", "30x21"]
    assert moves(fen, "czech") == ["30x21"]


def test_thai_kings_land_next_and_may_turn_back():
    thai = VARIANTS["thai"]
    geometry = thai.geometry
    a1, c3, d4, e5 = (geometry.number(name) for name in ("a1", "c3", "d4", "e5"))
    (move,) = Position.from_fen(f"W:WK{a1}:B{d4}", thai).legal_moves
    assert (move.end, move.captures) == (e5, (d4,))
    # The king turns back over the square of what it took, to what it left behind.
    fen = f"W:WK{c3}:B{d4},{geometry.number('b2')}"
    found = Position.from_fen(fen, thai).legal_moves
    assert max(len(move.captures) for move in found) == 2
    assert any(move.path == (c3, e5, a1) for move in found)
    later = dataclasses.replace(thai, name="later", removal=Removal.END)
    assert max(len(m.captures) for m in Position.from_fen(fen, later).legal_moves) == 1


def test_turkish_pieces_go_straight_and_not_right_round():
    turkish = VARIANTS["turkish"]
    number = turkish.geometry.number
    d4 = number("d4")
    steps = Position.from_fen(f"W:W{d4}:B1", turkish).legal_moves
    assert {turkish.geometry.letters(move.end) for move in steps} == {"c4", "e4", "d5"}
    king = Position.from_fen(f"W:WK{d4}:B{number('h8')}", turkish).legal_moves
    assert len(king) == 14
    # e4 and c4 stand on either side: after one is taken the king must not turn right round.
    fen = f"W:WK{d4}:B{number('e4')},{number('c4')}"
    assert {len(m.captures) for m in Position.from_fen(fen, turkish).legal_moves} == {1}
    free = dataclasses.replace(turkish, name="free", may_reverse=True)
    assert {len(m.captures) for m in Position.from_fen(fen, free).legal_moves} == {2}


def test_turkish_pieces_leave_at_once_and_their_squares_are_crossed():
    turkish = VARIANTS["turkish"]
    at_end = dataclasses.replace(turkish, name="at end", removal=Removal.END)
    rng = random.Random(5)
    differ = 0
    for _ in range(60):
        squares = rng.sample(range(9, 65), 13)
        fen = f"W:WK{squares[0]}:B" + ",".join(f"K{square}" for square in squares[1:])
        now, then = Position.from_fen(fen, turkish), Position.from_fen(fen, at_end)
        most = [max((len(m.captures) for m in p.legal_moves), default=0) for p in (now, then)]
        assert most[0] >= most[1]
        differ += most[0] > most[1]
    assert differ > 0


def test_a_turkish_man_on_its_far_row_is_crowned_at_the_end_of_the_move():
    turkish = VARIANTS["turkish"]
    number = turkish.geometry.number
    fen = f"W:W{number('d6')}:B{number('d7')},{number('e8')},{number('a1')}"
    position = Position.from_fen(fen, turkish, strict=False)
    (move,) = position.legal_moves
    assert move.path == tuple(map(number, ("d6", "d8", "f8")))
    assert crowned(position.play(move), number("f8"))
    # As a king it could have flown on along the row.


def test_frisian_pieces_capture_straight_too():
    fen = "W:W33:B23"
    assert moves(fen, "international") == ["33-28", "33-29"]
    assert moves(fen, "frisian") == ["33x13"]
    assert moves("W:W33:B34", "frisian") == ["33x35"]
    assert moves("W:W33:B43", "frisian") == ["33-28", "33-29"]
    assert moves("W:W23:B33", "frisian") == ["23x43"]
    # A king does not move straight, it only captures so.
    assert "33-23" not in moves("W:WK33:B1", "frisian")


def test_frisian_captures_are_weighed():
    frisian = VARIANTS["frisian"]
    assert frisian.choice == (Choice.MOST_VALUE, Choice.WITH_KING)
    generator = LongRange(frisian)
    value = generator._rank(Choice.MOST_VALUE, kings=0b111)
    # The lowest three bits are kings: n kings lie between 2n - 1 and 2n men.
    for kings in (1, 2, 3):
        taken = value(((1,), (1 << kings) - 1))
        assert value(((1,), ((1 << 2 * kings - 1) - 1) << 3)) < taken
        assert taken < value(((1,), ((1 << 2 * kings) - 1) << 3))


# A side without men is free of the limit, and a capture lifts it.
KINGS = "W:WK47,31:B1,K5"


def play(fen, name, text):
    history = History.start(fen, VARIANTS[name])
    for move in text.split():
        history = history.play(move)
    return history


def starts(position):
    return {move.start for move in position.legal_moves}


def test_a_frisian_king_moves_three_times_in_a_row_at_most():
    history = play(KINGS, "frisian", "47-42 1-6 42-47 6-11 47-42 11-16")
    assert starts(history.position) == {31}
    assert starts(play(KINGS, "international", "47-42 1-6 42-47 6-11 47-42 11-16").position) == {
        31,
        42,
    }
    assert starts(history.play("31-27").play("5-10").position) == {27, 42}
    assert history.position != Position.from_fen(history.position.fen, VARIANTS["frisian"])
    assert history.position.mirrored().mirrored() == history.position
    assert starts(history.position.mirrored()) == {20}


def test_the_limit_of_frisian_kings_is_lifted():
    alone = play("W:WK47:B1,K5", "frisian", "47-42 1-6 42-47 6-11 47-42 11-16 42-47 16-21")
    assert starts(alone.position) == {47}
    # Another king between them begins a new count.
    two = play("W:WK47,K50,31:B1,K5", "frisian", "47-42 5-10 50-45 10-5 42-47 5-10 47-42 1-6")
    assert two.position.runs[1][1] == 2
    # The loss of the last man ends the count.
    lost = Position.from_fen("B:WK50,31:B27,K5", VARIANTS["frisian"])
    lost = dataclasses.replace(lost, runs=((0, 0), (lost.variant.geometry.masks[50], 3)))
    after = lost.play("27x36")
    assert after.runs == ((0, 0), (0, 0))


# Aims and draws.


def test_losing_all_wins_antidraughts():
    anti = VARIANTS["antidraughts"]
    empty = Position.from_fen("W:W:B1", anti)
    assert empty.outcome == Outcome(Side.WHITE, Termination.NO_PIECES, reverse=True)
    assert str(empty.outcome) == "White wins: White has no piece left"
    blocked = Position.from_fen("W:W46:B41,37", anti)
    assert str(blocked.outcome) == "White wins: White has no move"
    assert History((blocked,)).outcome("antidraughts") == blocked.outcome
    assert Position.start(anti).outcome is None


def test_the_first_king_wins_breakthrough():
    through = VARIANTS["breakthrough"]
    history = History((Position.from_fen("W:W6:B40", through),))
    assert history.outcome("breakthrough") is None
    won = history.play("6-1")
    assert won.outcome("breakthrough") == Outcome(Side.WHITE, Termination.CROWNED)
    assert str(won.outcome()) == "White wins: White made the first king"
    assert not won.position.legal_moves
    assert not won.position.must_jump
    lost = Position.from_fen("W:W6:BK40", through)
    assert lost.outcome == Outcome(Side.BLACK, Termination.CROWNED)
    # To touch the far row on the way is not enough, as in international draughts.
    passing = History.start("W:W12:B8,9,40", through).play("12x3x14")
    assert passing.outcome() is None


def test_results_by_who_begins():
    won = Outcome(Side.WHITE, Termination.RESIGNATION)
    assert won.result == won.result_in(ENGLISH) == "0-1"
    assert won.result_in(VARIANTS["international"]) == "1-0"
    assert won.result_in(VARIANTS["thai"]) == "0-1"
    assert Outcome(None, Termination.AGREEMENT).result_in(VARIANTS["czech"]) == "1/2-1/2"


def shuffle(fen, name, there, back, plies):
    """A game in which each side moves a king along a line and back, always on."""
    history = History.start(fen, VARIANTS[name])
    for ply in range(plies):
        squares = there[ply % 2] if ply // 2 % 2 == 0 else back[ply % 2]
        history = history.play(squares)
    return history


#: no repetition: these are about counts
def counting(name):
    return dataclasses.replace(preset_of(name), repetition=None)


@pytest.mark.parametrize(
    ("name", "preset", "fen", "there", "back", "plies"),
    [
        # One king against one: 5 moves each, 2 each, 1 each.
        ("international", "international", "W:WK46:BK45",
         ("46-41", "45-50"), ("41-46", "50-45"), 10),
        ("frisian", "frisian", "W:WK46:BK45", ("46-41", "45-50"), ("41-46", "50-45"), 4),
        ("turkish", "turkish", "W:WK64:BK1", ("64-63", "1-2"), ("63-64", "2-1"), 2),
        # Against two, three, or three that include a king.
        ("international", "international", "W:WK46,K47:BK45",
         ("47-36", "45-50"), ("36-47", "50-45"), 10),
        ("international", "international", "W:WK46,47,48:BK45",
         ("46-41", "45-50"), ("41-46", "50-45"), 32),
        ("frisian", "frisian", "W:WK46,K47:BK45", ("46-41", "45-50"), ("41-46", "50-45"), 14),
        ("pool", "pool", "W:WK32,K31,K30:BK5", ("32-28", "5-1"), ("28-32", "1-5"), 26),
        ("spanish", "iberian", "W:WK1,K2,K3:BK29", ("1-5", "29-25"), ("5-1", "25-29"), 24),
        ("russian", "draughts64", "W:WK32,K31,K30:BK5", ("32-28", "5-1"), ("28-32", "1-5"), 30),
        # The lone king holds the long diagonal.
        ("russian", "draughts64", "W:WK32,K31,K13:BK4", ("32-28", "4-8"), ("28-32", "8-4"), 10),
        # Kings alone: 25 moves each, 15 each.
        ("international", "international", "W:WK46,K47:BK45,K40",
         ("46-41", "45-50"), ("41-46", "50-45"), 50),
        ("czech", "czech", "W:WK32,K31:BK5,13", ("32-28", "5-1"), ("28-32", "1-5"), 30),
    ],
)  # fmt: skip
def test_few_pieces_are_a_draw_in_time(name, preset, fen, there, back, plies):
    rules = counting(preset)
    history = shuffle(fen, name, there, back, plies)
    assert history.back().outcome(rules) is None
    assert history.outcome(rules) == Outcome(None, Termination.NO_PROGRESS)


def test_a_balance_must_have_lasted_and_begins_again():
    # A capture makes the balance: the count begins behind it.
    rules = counting("international")
    history = History.start("W:WK46,K47:BK25,32", VARIANTS["international"]).play("46x5")
    start = len(history.moves)
    there, back = ("25-30", "47-36"), ("30-25", "36-47")
    for ply in range(10):
        assert history.outcome(rules) is None
        history = history.play((there if ply // 2 % 2 == 0 else back)[ply % 2])
    assert len(history.moves) == start + 10
    assert history.outcome(rules) == Outcome(None, Termination.NO_PROGRESS)
    # Four or five pieces: kings on both sides, nothing captured or crowned for 30 moves each.
    ending = VARIANT_PRESETS["draughts64"].endings[3]
    assert ending.plies == 60
    assert ending.holds(Position.from_fen("W:WK32,21:BK5,12", VARIANTS["russian"]))
    assert not ending.holds(Position.from_fen("W:W32,21:BK5,12", VARIANTS["russian"]))
    assert not ending.holds(Position.from_fen("W:WK32,21,22,23:BK5,12", VARIANTS["russian"]))


def test_men_that_move_sideways_repeat_positions():
    history = History.start("W:W33:B9,16", VARIANTS["turkish"])
    for text in ["33-34", "9-10", "34-33", "10-9"] * 2:
        assert history.outcome() is None
        history = history.play(text)
    assert history.repetitions() == 3
    assert history.outcome() == Outcome(None, Termination.REPETITION)


def test_a_variant_is_judged_by_its_own_draw_rules():
    history = shuffle("W:WK46:BK45", "international", ("46-41", "45-50"), ("41-46", "50-45"), 6)
    assert history.outcome() is None
    history = shuffle("W:WK46:BK45", "frisian", ("46-41", "45-50"), ("41-46", "50-45"), 6)
    assert history.outcome() == Outcome(None, Termination.NO_PROGRESS)
    assert history.outcome("agreement") is None


TEXT = st.lists(
    st.sampled_from(
        ["W", "B", "K", ":", ",", "-", ".", "1", "12", "31-50", "1-20", "64", "72", "k12", "a1",
         "h8", "+1+0", "H0", "F1", "\"", "é", "٣", "x", " "]
    ),
    max_size=25,
).map("".join)  # fmt: skip


def attempt(read, text, refusals):
    """What is made of a text, and the refusal; any other error is a crash."""
    try:
        return read(text), None
    except refusals as error:
        return None, error


@given(st.sampled_from(list(VARIANTS.values())), TEXT)
def test_any_text_is_a_position_or_a_fen_error(variant, text):
    position, refusal = attempt(lambda fen: Position.from_fen(fen, variant), text, FenError)
    if refusal:
        assert str(refusal)
        assert refusal.column >= 1
    else:
        assert position.fault is None
        assert Position.from_fen(position.fen, variant) == position


@given(st.sampled_from(list(VARIANTS.values())), TEXT)
def test_any_text_is_a_move_or_a_move_error(variant, text):
    position = Position.start(variant)
    move, refusal = attempt(position.parse, text, MoveError)
    assert refusal.legal if refusal else move in position.legal_moves


def test_a_lone_king_that_leaves_the_long_diagonal_has_more_time():
    ending = VARIANT_PRESETS["draughts64"].endings[2]
    russian = VARIANTS["russian"]
    assert ending.holds(Position.from_fen("W:WK32,K31,K13:BK4", russian))
    assert not ending.holds(Position.from_fen("W:WK32,K31,K13:BK5", russian))
    assert not ending.holds(Position.from_fen("W:WK29,K31,K13:BK4", russian))
    assert not ending.holds(Position.from_fen("W:W31,32,13:BK4", russian))


def test_presets_have_names_of_their_own():
    assert list(PRESETS) == ["standard", "tournament", "agreement", "captures50"]
    assert not set(PRESETS) & set(VARIANT_PRESETS)
    assert preset_of("czech").progress_plies == 30
    with pytest.raises(ValueError, match=r"there are standard, .*, breakthrough"):
        preset_of("nobody's")
    assert preset_for("agreement", VARIANTS["russian"]) is PRESETS["agreement"]
    with pytest.raises(ValueError, match=r"^Turkish .*has no draw preset 'czech': there are "):
        preset_for("czech", VARIANTS["turkish"])
    for preset in (*PRESETS.values(), *VARIANT_PRESETS.values()):
        assert preset.summary.endswith(".")


# Texts.


@ALL
def test_every_variant_has_a_rules_text(variant):
    text = rules_text(variant)
    parts = sections(variant)
    headings = [part.heading for part in parts]
    assert headings[0] == "Board and men"
    assert headings[-1] == "Where rules differ"
    assert all(part.paragraphs for part in parts)
    first = parts[0].paragraphs[0]
    assert f"{variant.columns} × {variant.rows} squares" in first
    assert f"{variant.first.title} begins" in first
    assert f"{variant.men} men" in first
    assert max(map(len, text.splitlines())) <= 100


def test_a_record_of_ones_own_has_no_text():
    for name in ("mine", "../../mine"):
        with pytest.raises(VariantError, match="no rules text of Mine"):
            rules_text(dataclasses.replace(ENGLISH, name=name, title="Mine"))


def test_moves_are_spelt_as_players_of_the_variant_do():
    position = Position.from_fen("W:W22,K30:B18,11", VARIANTS["russian"])
    found = [spell(move, position.variant) for move in position.legal_moves]
    assert found == ["c3:e5:g7"]
    assert [spell(m, position.variant, short=True) for m in position.legal_moves] == ["c3:g7"]
    assert position.parse("c3:g7") == position.parse("22x8")
    assert spell(Position.start(VARIANTS["czech"]).legal_moves[0], VARIANTS["czech"]) == "a3-b4"
    assert spell(Position.start(VARIANTS["spanish"]).legal_moves[0], VARIANTS["spanish"]) == "9-13"


def test_fens_have_tails_and_letters():
    frisian, russian = VARIANTS["frisian"], VARIANTS["russian"]
    text = "W:W31-50:B1-20:H0:F1:+1+0"
    assert Position.from_fen(text, frisian) == Position.start(frisian)
    assert Position.from_fen("W:Wa1,Kc3:Bh8", russian).fen == "W:WK22,29:B4"


# Bounds and laws.


def test_captures_without_end_are_refused():
    fen = "W:WK18:BK4,K6,K7,K11,K13,K14,K16,K17,K24,K29,K32,K35,K38,K39,K43,K49"
    position = Position.from_fen(fen, VARIANTS["frisian"])
    with pytest.raises(CaptureLimitError, match="30000 landings"):
        _ = position.legal_moves
    assert len(Position.from_fen(fen, VARIANTS["international"]).legal_moves) > 0


def random_positions(variant: Variant, games, plies):
    rng = random.Random(variant.title)
    for _ in range(games):
        position = Position.start(variant)
        for _ in range(plies):
            yield position
            if not position.legal_moves:
                break
            position = position.play(rng.choice(position.legal_moves))


@ALL
def test_laws_hold_in_games(variant):
    jumps = 0
    for position in random_positions(variant, 1, 70):
        found = position.legal_moves
        assert position.fault is None
        assert list(found) == sorted(set(found))
        assert Position.from_fen(position.fen, variant).pieces == position.pieces
        mirror = position.mirrored()
        last = variant.geometry.squares + 1
        turned = {tuple(last - square for square in move.path) for move in found}
        mirrored = {move.path for move in mirror.legal_moves}
        # Which square a straight jump is named by is the same seen from either side.
        assert mirrored == turned
        assert {move.start for move in found if move.is_jump} == set(position.must_jump)
        if not position.runs[0][1] and not position.runs[1][1]:
            assert variant.generator.count(*position.masks) == len(found)
        for move in found:
            assert position.parse(str(move)) == move
            assert position.parse(spell(move, variant)) == move
            assert all(position.piece_at(s).side is position.turn.other for s in move.captures)
            assert (
                len(set(move.captures))
                == len(move.captures)
                == max(len(move.path) - 1 if move.is_jump else 0, 0)
            )
            jumps += move.is_jump
            after = position.after(move)
            assert len(after.pieces) == len(position.pieces) - len(move.captures)
            assert after.fault is None
    assert jumps > 0
