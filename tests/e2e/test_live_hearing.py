"""What a screen reader says of a live game: every event once, clocks when asked, time in time."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

OPENING = ("11-15", "22-18")
ONCE = "[role=status], [role=alert]"


def test_moves_are_said_as_sentences_with_whose_turn_it_is(house):
    black, white = house.match()
    white.listen()
    black.play("11-15")
    expect(white.said).to_have_text("Black moves from 11 to 15. Your turn.")
    black.listen()
    white.play("22-18")
    expect(black.said).to_have_text("White moves from 22 to 18. Your turn. A jump is compulsory.")
    assert white.heard()[0] == "Black moves from 11 to 15. Your turn."
    # One's own moves need no sentence: the player has just made them.
    assert [text for text in white.heard() if "22" in text] == []


def test_the_regions_are_few_and_clocks_are_not_live(house):
    black, _ = house.match(moves=OPENING)
    regions = black.page.locator("main [role=status]:not(#report *), main [role=alert]")
    expect(regions).to_have_count(2)
    timers = black.page.get_by_role("timer")
    expect(timers).to_have_count(2)
    for timer in timers.all():
        assert timer.get_attribute("aria-live") is None
        assert timer.evaluate("node => !node.closest('[aria-live], [role=status]')")


def test_keys_read_the_clocks_and_the_last_move(house):
    black, _ = house.match("5+3", moves=OPENING)
    black.square(18).focus()
    black.page.keyboard.press("t")
    expect(black.said).to_have_text(
        re.compile(
            r"^You: [45] minutes( \d+ seconds?)?; Bert\w+: 5 minutes( 3 seconds)?\. Your turn\.$"
        )
    )
    black.page.keyboard.press("l")
    expect(black.said).to_have_text("White moves from 22 to 18.")
    black.page.keyboard.press("m")
    expect(black.said).to_have_text("15x22")


def test_without_clocks_the_key_says_so(house):
    black, _ = house.match("no clock", moves=OPENING)
    black.square(18).focus()
    black.page.keyboard.press("t")
    expect(black.said).to_have_text("There are no clocks. Your turn.")


@pytest.mark.parametrize(
    ("control", "left", "warning"),
    [
        ("3+0", 61_000, "1 minute left."),
        ("2+1", 31_000, "30 seconds left."),
        ("1+0", 11_000, "10 seconds left."),
    ],
)
def test_time_that_runs_out_is_said_once(house, control, left, warning):
    """Both look on while the game comes to where Black has so much time left."""
    ann, bert = house.visitor(), house.visitor()
    game = house.game(ann, bert, control, moves=OPENING)
    black, white = house.table(game, ann), house.table(game, bert)
    for table in (black, white):
        table.listen()
    house.spend(game, ("15x22", "25x18"), left)
    expect(black.said).to_have_text(warning, timeout=30_000)
    face = black.clock(black.near)
    expect(black.near.locator(".clock b")).not_to_have_text(face)
    assert [text for text in black.heard() if "left." in text] == [warning]
    assert [text for text in white.heard() if "left." in text] == []


def test_offers_and_answers_are_said(house):
    black, white = house.match(moves=OPENING)
    for table in (black, white):
        table.listen()
    black.press("Offer draw")
    expect(white.said).to_have_text(re.compile("^Ann.* offers a draw.$"))
    white.answer("Decline")
    expect(black.said).to_have_text(re.compile("^Bert.* declined the draw.$"))
    white.press("Take back")
    expect(black.said).to_have_text(re.compile("^Bert.* asks to take back.*$"))
    black.answer("Allow")
    expect(white.said).to_have_text(re.compile("^Taken back. Your turn"))
    white.press("Good luck!")
    expect(black.said).to_have_text(re.compile("^Bert.*: Good luck!$"))


def test_coming_and_going_are_said(house):
    black, white = house.match(moves=OPENING)
    black.listen()
    white.cut()
    expect(white.said).to_have_text("Offline. The page connects again by itself.")
    expect(black.said).to_have_text(re.compile("^Bert.* is away.$"))
    white.mend()
    expect(white.said).to_have_text("Connected again.")
    expect(black.said).to_have_text(re.compile("^Bert.* is back.$"))


def test_the_end_is_said_at_once(house):
    black, white = house.match(moves=OPENING)
    watching = house.table(black.game)
    black.press("Resign")
    black.answer("Resign")
    for table in (black, white, watching):
        expect(table.alert).to_have_text(re.compile(r"^Bert\w+ wins\. Ann\w+ resigned\.$"))


def test_what_cannot_be_done_is_said(house):
    black, white = house.match()
    white.type("22-18")
    expect(white.alert).to_have_text(re.compile("^Ann.*’s turn.$"))
    black.type("11-18")
    expect(black.alert).to_contain_text("not legal")
    black.click(30)
    expect(black.alert).to_have_text("That is White’s man.")


def test_a_spectator_hears_the_game(house):
    black, white = house.match(moves=OPENING)
    watching = house.table(black.game).listen()
    black.play("15x22")
    expect(watching.said).to_have_text("Black jumps from 15 over 18 to 22.")
    white.play("25x18")
    expect(watching.said).to_have_text("White jumps from 25 over 22 to 18.")
    black.press("Offer draw")
    expect(watching.said).to_have_text(re.compile("^Ann.* offered a draw.$"))
