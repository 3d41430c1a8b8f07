"""Two real browsers play a rated, staked game through the lobby to its end, and all goes on."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import expect
from tests.e2e.live_table import House, LiveTable, choose
from tests.e2e.players import choose as good_move

from kingme import History
from kingme.play.events import Rematched, Settled, TakenBack
from kingme.rules.variant import Side


def through_the_lobby(house: House, owner: Any, guest: Any) -> tuple[LiveTable, LiveTable]:
    """One opens a seek, rated and for a stake, and the other takes it from the list."""
    page, other = house.page(owner), house.page(guest)
    page.get_by_role("button", name="Create a seek").click()
    page.get_by_label("Clock", exact=True).select_option("5+3")
    choose(page, "The game is", "Rated")
    choose(page, "You play", "Dark")
    page.locator("#stake").select_option("25 chips")
    expect(page.locator("#table-chips td")).to_have_text(["+25", "0", "−25", "−25", "−25"])
    page.get_by_role("button", name="Create the seek").click()
    other.get_by_role("button", name=f"Join {owner.name}: 5+3, rated, plays Dark, stake 25").click()
    group = other.get_by_role("group", name=f"The game with {owner.name}")
    expect(group).to_contain_text("Passport, rated, stake 25 chips. Draw rules: Standard.")
    group.get_by_role("button", name="Not now").click()
    expect(group).to_have_count(0)
    other.get_by_role("button", name=f"Join {owner.name}: 5+3, rated, plays Dark, stake 25").click()
    expect(group.get_by_role("row", name="Loss")).to_contain_text("−25")
    group.get_by_role("button", name="Join", exact=True).click()
    return LiveTable(page, house.url).sit_down(), LiveTable(other, house.url).sit_down()


def play_on(
    history: History, tables: list[LiveTable], plies: int, chance: random.Random
) -> History:
    """Play so many plies; each browser moves by the board, and every one sees every move."""
    for _ in range(plies):
        if history.outcome("standard"):
            break
        table = tables[0 if history.position.turn is Side.BLACK else 1]
        move = good_move(history.position, chance)
        table.click(*table.ways(move, straight=True))
        history = history.play(move)
        for each in tables:
            each.shows(history.position)
    return history


def test_a_rated_game_for_a_stake_from_the_lobby_to_the_rematch(house):
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    black, white = through_the_lobby(house, ann, bert)
    game = black.game
    assert white.game == game
    spectator = house.table(game)
    tables = [black, white, spectator]
    chance = random.Random(20)
    history = play_on(History.start(), tables, 6, chance)

    # A draw is offered and declined, and offered by the other and refused by moving on.
    black.press("Offer draw")
    expect(white.question).to_have_text(f"{ann.name} offers a draw.")
    expect(spectator.message).to_have_text(f"{ann.name} offered a draw.")
    white.answer("Decline")
    expect(black.message).to_have_text(f"{bert.name} declined the draw.")

    # A move is taken back with the other's consent, and another one is played.
    before = history
    history = play_on(history, tables, 1, chance)
    black.press("Take back")
    white.answer("Allow")
    for table in tables:
        table.shows(before.position)
    assert any(isinstance(event, TakenBack) for event in house.events(game))
    history = play_on(before, tables, 3, chance)

    # White's network is cut in the middle, Black moves on, and White comes back by itself.
    assert history.position.turn is Side.WHITE
    history = play_on(history, tables, 1, chance)
    white.cut()
    expect(white.note).to_contain_text("Offline, last contact")
    expect(black.far.locator(".person")).not_to_have_class("person here")
    history = play_on(history, [black, black, spectator], 1, chance)
    white.shows(history.positions[-2])
    white.mend().shows(history.position)
    expect(black.far.locator(".person")).to_have_class("person here")

    # Both load their pages again, and so does the spectator.
    for table in tables:
        table.again().shows(history.position)
        table.has_played(*map(str, history.moves))

    # To the end: on the board, or by resigning where that takes too long.
    history = play_on(history, tables, 30, chance)
    loser, winner = (black, white) if history.position.turn is Side.BLACK else (white, black)
    if history.outcome("standard") is None:
        loser.press("Resign")
        loser.answer("Resign")
    expect(winner.status).to_have_text("You win")
    expect(loser.status).to_have_text("You lose")
    expect(winner.near.locator(".brought")).to_contain_text("+25 chips")
    expect(winner.near.locator(".brought")).to_contain_text("+10 points")
    expect(loser.near.locator(".brought")).to_contain_text("−25 chips")
    expect(spectator.near.locator(".brought")).to_contain_text("rating")
    won, lost = (ann, bert) if winner is black else (bert, ann)
    settled = [event for event in house.events(game) if isinstance(event, Settled)]
    assert len(settled) == 1
    assert house.store.ledger.balance(won.user.id) == 175
    assert house.store.ledger.balance(lost.user.id) == 125
    assert house.store.ledger.check() == []

    # Afterwards the game can be looked at again, and played again with sides changed.
    spectator.press("Start of the game")
    spectator.shows(history.positions[0])
    loser.press("Rematch")
    expect(winner.question).to_contain_text("would like a rematch, stake 25 chips again.")
    winner.answer("Accept rematch")
    expect(black.page).not_to_have_url(f"{house.url}game/{game}")
    after = next(event for event in house.events(game) if isinstance(event, Rematched)).game
    for table in (black, white):
        table.sit_down()
        assert table.game == after
    expect(black.near).to_have_attribute("data-side", "W")
    expect(white.near).to_have_attribute("data-side", "B")
    spectator.page.get_by_role("link", name="To the rematch").click()
    spectator.sit_down()
    play_on(History.start(), [white, black, spectator], 4, chance)
    assert len(house.state(after).history.moves) == 4
