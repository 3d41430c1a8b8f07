"""Every set of draw rules: its draw, its near miss, the count before it; and resigning."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from tests.e2e.players import walk
from tests.e2e.table import REPLY

from kingme import Position

KINGS = "B:WK32:BK1"
BACK_AND_FORTH = ["1-6", "32-27", "6-1", "27-32"]
MEN_TOO = "B:W21,K32:B12,K1"
THIRD_TIME = "The game is a draw. The same position came up for the third time."
TWICE = "This position has come up twice; a third time makes a draw."
AGREED = "The game is a draw. Both players agreed."


def enabled(table, name: str) -> bool:
    return table.button(name).get_attribute("aria-disabled") != "true"


def goes_on(table) -> bool:
    """Whether no result is shown and the next player may move."""
    expect(table.button("Rematch")).to_be_hidden()
    return "to move" in table.status.inner_text() or table.status.inner_text() == "Your turn"


def script_replies(table, *moves: str) -> None:
    """Let the computer play these moves."""
    left = list(moves)

    def answer(route: Route) -> None:
        sent: Any = route.request.post_data_json
        move = left.pop(0)
        route.fulfill(
            content_type="application/json",
            body=json.dumps(
                {"protocol": 1, "ply": len(sent["moves"]), "move": move, "level": 1, "asked": 1}
            ),
        )

    table.page.route(REPLY, answer)


# Repetition


@pytest.mark.parametrize("preset", ["standard", "captures50"])
def test_the_third_time_is_a_draw(table, preset):
    table.open(KINGS, mode="two", preset=preset)
    table.type_all(BACK_AND_FORTH)
    expect(table.note).to_have_text(TWICE)
    table.type_all(BACK_AND_FORTH[:3])
    assert goes_on(table)
    table.play("27-31")  # another move instead: no draw
    expect(table.note).to_be_empty()
    assert goes_on(table)
    table.press("Undo")
    expect(table.note).to_have_text(TWICE)
    table.type("27-32")
    expect(table.message).to_have_text(THIRD_TIME)
    expect(table.alert).to_have_text(f"White moves from 27 to 32. {THIRD_TIME}")
    expect(table.status).to_have_text("Game over")
    table.type("1-6")
    expect(table.message).to_have_text("The game is over.")
    assert len(table.played()) == 8


def test_by_agreement_a_repetition_is_no_draw(table):
    table.open(KINGS, mode="two", preset="agreement")
    table.type_all(BACK_AND_FORTH * 2 + ["1-6"])
    expect(table.note).to_be_empty()
    assert goes_on(table)
    expect(table.button("Claim draw")).to_be_hidden()


def test_in_a_tournament_the_player_on_the_turn_claims_a_repetition(table):
    table.open(KINGS, mode="two", preset="tournament")
    dialog = table.page.get_by_role("dialog", name="Claim a draw?")
    table.type_all(BACK_AND_FORTH)
    expect(table.note).to_have_text(
        "This position has come up twice; a third time can be claimed as a draw."
    )
    assert not enabled(table, "Claim draw")  # Black has no move that repeats for the third time
    table.type_all(BACK_AND_FORTH[:3])
    assert enabled(table, "Claim draw")  # White has: 27-32
    table.press("Claim draw")
    expect(dialog).to_contain_text("With 27-32 the position comes up for the third time.")
    dialog.get_by_role("button", name="Play on").click()
    expect(table.note).to_have_text("A draw can be claimed now.")
    table.play("27-32")  # nobody claims, so the game goes on
    assert goes_on(table)
    expect(table.note).to_have_text("A draw can be claimed now.")  # with 1-6
    assert enabled(table, "Claim draw")
    table.press("Undo")
    table.press("Claim draw")
    dialog.get_by_role("button", name="Claim draw").click()
    expect(table.message).to_have_text(THIRD_TIME)
    table.shows("W:WK27:BK1")  # the claim stands before the move is made
    assert len(table.played()) == 7


def test_in_a_tournament_nobody_claims_on_the_computers_turn(table):
    """What the computer's next move would repeat is not the player's to claim."""
    script_replies(table, "32-27", "27-32", "32-27")
    table.open(KINGS, preset="tournament")
    for text in ("1-6", "6-1", "1-6"):
        table.play(text)
        table.settled()
        assert not enabled(table, "Claim draw")
    table.page.unroute(REPLY)
    held = table.hold_replies()
    with table.page.expect_request(REPLY):
        table.play("6-1")
    assert not enabled(table, "Claim draw")
    assert not enabled(table, "Offer draw")
    table.button("Claim draw").click(force=True)
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    assert len(held) == 1
    assert table.stored()["result"] is None


# No progress


def test_standard_is_a_draw_after_40_moves_each(table):
    walked = walk(MEN_TOO, 79)
    table.open(MEN_TOO, mode="two")
    table.type_all(walked[:59])
    expect(table.note).to_be_empty()
    table.type_all(walked[59:60])
    expect(table.note).to_have_text("10 moves each left until a draw.")
    table.type_all(walked[60:])
    expect(table.note).to_have_text("1 move each left until a draw.")
    table.play("21-17")  # a man's move in between
    expect(table.note).to_be_empty()
    assert goes_on(table)
    table.press("Undo")
    assert goes_on(table)
    last = next(str(move) for move in table.position.legal_moves if str(move) != "21-17")
    table.type(last)
    draw = "The game is a draw. 40 moves each without a capture or a man’s move."
    expect(table.message).to_have_text(draw)
    table.press("Undo")
    expect(table.message).to_be_empty()
    table.reload()
    assert goes_on(table)
    expect(table.note).to_have_text("1 move each left until a draw.")


def test_in_a_tournament_40_moves_each_can_be_claimed(table):
    walked = walk(MEN_TOO, 80)
    table.open(MEN_TOO, mode="two", preset="tournament")
    table.type_all(walked[:79])
    expect(table.note).to_have_text("1 move each left until a draw can be claimed.")
    assert not enabled(table, "Claim draw")
    table.type_all(walked[79:])
    expect(table.note).to_have_text("A draw can be claimed now.")
    assert goes_on(table)
    assert enabled(table, "Claim draw")
    table.play("12-16")  # a man's move takes the claim away
    assert not enabled(table, "Claim draw")
    table.press("Undo")
    table.press("Claim draw")
    dialog = table.page.get_by_role("dialog", name="Claim a draw?")
    expect(dialog).to_contain_text("40 moves each without a capture or a man’s move.")
    dialog.get_by_role("button", name="Play on").click()
    assert goes_on(table)
    table.press("Claim draw")
    dialog.get_by_role("button", name="Claim draw").click()
    expect(table.message).to_have_text(
        "The game is a draw. 40 moves each without a capture or a man’s move."
    )


def test_captures50_counts_on_through_moves_of_men(table):
    walked = walk(MEN_TOO, 98)
    table.open(MEN_TOO, mode="two", preset="captures50")
    table.type_all([*walked, "12-16"])
    expect(table.note).to_have_text("1 move each left until a draw.")
    assert goes_on(table)
    quiet = next(move for move in table.position.legal_moves if not move.is_jump)
    table.type(str(quiet))
    expect(table.message).to_have_text("The game is a draw. 50 moves each without a capture.")


# Agreement


@pytest.mark.parametrize("preset", ["standard", "agreement", "tournament", "captures50"])
def test_two_players_agree_to_a_draw(table, preset):
    table.open(mode="two", preset=preset)
    table.type_all(["11-15"])
    dialog = table.page.get_by_role("dialog", name="A draw is offered")
    table.press("Offer draw")
    expect(dialog).to_contain_text("Black, do you accept?")
    dialog.get_by_role("button", name="Decline").click()
    expect(table.message).to_have_text("Black declines the draw.")
    assert goes_on(table)
    table.press("Offer draw")
    dialog.get_by_role("button", name="Accept draw").click()
    expect(table.message).to_have_text(AGREED)
    expect(table.alert).to_contain_text(AGREED)
    assert not enabled(table, "Offer draw")


@pytest.mark.parametrize(("fen", "accepted"), [("B:WK32:BK1", True), ("B:WK30,K31,K32:BK1", False)])
def test_the_computer_considers_a_draw(table, fen, accepted):
    """It accepts in an even position, and not where it is far ahead."""
    table.open(fen, level=1)
    table.press("Offer draw")
    expect(table.message).to_have_text(AGREED if accepted else "The computer declines the draw.")
    expect(table.status).to_have_text("Game over" if accepted else "Your turn")
    table.shows(Position.from_fen(fen))


def test_an_offer_is_made_once_a_turn(table):
    held = table.hold_replies("**/api/draw")
    table.open(level=1)
    with table.page.expect_request("**/api/draw"):
        table.press("Offer draw")
    assert not enabled(table, "Offer draw")
    with table.page.expect_response("**/api/draw"):
        held[0].fulfill(json={"protocol": 1, "ply": 0, "accepted": False})
    expect(table.message).to_have_text("The computer declines the draw.")
    assert not enabled(table, "Offer draw")
    table.click(11, 15)
    expect(table.moves.get_by_role("button")).to_have_count(2)
    table.settled()
    assert enabled(table, "Offer draw")
    assert len(held) == 1


def test_the_nearing_of_a_draw_is_said(table):
    table.open(KINGS, mode="two")
    table.type_all(BACK_AND_FORTH)
    expect(table.said).to_have_text(f"White moves from 27 to 32. Black to move. {TWICE}")
    table.press("Undo")
    walked = walk(MEN_TOO, 60)
    table.press("New game")
    table.press("Start new game")
    table.open(MEN_TOO, mode="two")
    table.type_all(walked)
    expect(table.said).to_contain_text("10 moves each left until a draw.")


# Resigning


def test_resigning_against_the_computer(table):
    table.open(level=1, side="white")
    table.settled()
    dialog = table.page.get_by_role("dialog", name="Resign this game?")
    table.press("Resign")
    expect(dialog).to_contain_text("Black wins then.")
    dialog.get_by_role("button", name="Play on").click()
    assert goes_on(table)
    table.press("Resign")
    dialog.get_by_role("button", name="Resign").click()
    expect(table.message).to_have_text("Black wins. White resigned.")
    expect(table.status).to_have_text("You lose")
    assert not enabled(table, "Resign")


def test_of_two_players_the_one_on_the_turn_resigns(table):
    table.open(mode="two")
    table.type_all(["11-15"])
    table.press("Resign")
    dialog = table.page.get_by_role("dialog", name="Resign this game?")
    expect(dialog).to_contain_text("Black wins then.")
    dialog.get_by_role("button", name="Resign").click()
    expect(table.message).to_have_text("Black wins. White resigned.")
    table.click(22, 18)
    table.has_played("11-15")
