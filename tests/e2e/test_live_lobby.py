"""The lobby: from the door to a game in two clicks, seeks, private links, and games to watch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.e2e.live_table import LiveTable, choose

from kingme import History
from kingme.play.clock import TimeControl

JOIN = re.compile(r"/join/\w+$")
GUEST = re.compile("^Guest-[A-Z0-9]{6}$")


def seeks(page):
    return page.get_by_role("list", name="Open seeks").get_by_role("listitem")


def test_two_strangers_are_in_a_game_within_two_clicks(house):
    first, second = house.page(path="/"), house.page(path="/")
    for page in (first, second):
        expect(page.get_by_role("link", name="Play a person")).to_be_visible()
    first.get_by_role("link", name="Play a person").click()
    expect(first.locator("#crowd")).to_contain_text("being played")
    first.locator("[data-clock='30+0']").click()
    expect(first.locator("#waiting")).to_have_text("Looking for an opponent, 30+0 …")
    expect(first.locator("#me")).to_have_text(GUEST)
    second.get_by_role("link", name="Play a person").click()
    expect(second.locator("#crowd")).to_contain_text("being played")
    second.locator("[data-clock='30+0']").click()
    tables = [LiveTable(page, house.url).sit_down() for page in (first, second)]
    black, white = sorted(tables, key=lambda table: table.near.get_attribute("data-side") or "")
    black.play("11-15")
    white.shows(History.start().play("11-15").position)


def test_a_quick_game_can_be_called_off_while_waiting(house):
    page = house.page(house.visitor())
    other = house.page(house.visitor())
    button = page.locator("[data-clock='10+5']")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(seeks(other)).to_have_count(1)
    page.get_by_role("button", name="Cancel").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(seeks(other)).to_have_count(0)
    expect(page.locator("#waiting")).to_contain_text("One click")


CLICKS = "names => names.forEach(name => document.querySelector(name).click())"


def test_a_quick_game_called_off_at_once_leaves_nothing(house):
    """Before the server has said that there is a seek."""
    page = house.page(house.visitor())
    page.evaluate(CLICKS, ["[data-clock='1 day a move']", "#cancel"])
    page.get_by_role("button", name="Create a seek").click()
    page.get_by_label("Clock", exact=True).select_option("7 days a move")
    page.get_by_role("button", name="Create the seek").click()
    own = seeks(page).filter(has_text="Your seek")
    expect(own.filter(has_text="7 days a move")).to_have_count(1)
    expect(own).to_have_count(1)
    own.get_by_role("button").click()
    expect(own).to_have_count(0)


def test_another_quick_game_takes_the_place_of_the_first(house):
    page = house.page(house.visitor())
    own = seeks(page).filter(has_text="Your seek")
    for clock in ("1 day a move", "30+0"):
        page.locator(f"[data-clock='{clock}']").click()
        expect(own.filter(has_text=clock)).to_have_count(1)
    expect(own).to_have_count(1)
    page.get_by_role("button", name="Cancel").click()
    expect(own).to_have_count(0)


def test_a_stranger_is_one_guest_however_fast_they_click(house):
    owner = house.visitor()
    page, other = house.page(owner), house.page()
    page.get_by_role("button", name="Create a seek").click()
    page.get_by_label("Clock", exact=True).select_option("60 s a move")
    page.get_by_role("button", name="Create the seek").click()
    expect(other.get_by_role("button", name=f"Join {owner.name}")).to_be_visible()
    asked = []
    other.on("request", lambda request: asked.append(request.method))
    other.evaluate(CLICKS, ["[data-clock='3+2']", "#cancel", f"[aria-label^='Join {owner.name}']"])
    tables = [LiveTable(each, house.url).sit_down() for each in (page, other)]
    assert tables[0].game == tables[1].game
    assert asked.count("POST") == 1


def test_a_refusal_is_seen_where_one_clicked(house):
    owner, busy = house.visitor(), house.visitor()
    house.game(busy, house.visitor())
    page = house.page(owner)
    page.get_by_role("button", name="Create a seek").click()
    page.get_by_role("button", name="Create the seek").click()
    other = house.page(busy, viewport={"width": 320, "height": 640})
    other.get_by_role("button", name=f"Join {owner.name}").click()
    refusal = other.get_by_role("region", name="Open seeks").get_by_text("finish it first")
    expect(refusal).to_be_in_viewport()
    page.get_by_role("button", name="Close your seek").click()


def test_what_a_clock_means_is_said(house):
    page = house.page()
    page_says = "5+3 is 5 minutes each, and 3 seconds more for every move."
    expect(page.get_by_text(page_says)).to_be_visible()
    button = page.get_by_role("button", name="10+5")
    expect(button).to_have_accessible_description(
        "10 minutes each, and 5 seconds more for every move"
    )


def test_a_seek_says_all_and_is_shown_to_everybody(house):
    ann = house.visitor("Ann")
    page, other = house.page(ann), house.page(house.visitor())
    page.get_by_role("button", name="Create a seek").click()
    page.get_by_label("Clock", exact=True).select_option("Another…")
    page.get_by_label("Minutes", exact=True).fill("7")
    page.get_by_label("Seconds a move", exact=True).fill("4")
    page.get_by_label("Draw rules", exact=True).select_option("Tournament (WCDF)")
    expect(page.locator("#rules")).to_contain_text("Draws are claimed")
    choose(page, "You play", "Light")
    page.locator("#stake").select_option("10 chips")
    expect(page.locator("#table-chips td")).to_have_text(["+10", "0", "−10", "−10", "−10"])
    expect(page.locator("#table-points td")).to_have_text(["+10", "+5", "+2", "+1", "0"])
    page.get_by_role("button", name="Create the seek").click()
    row = seeks(other).filter(has_text=ann.name)
    for words in ("7+4", "Rapid", "casual, Tournament (WCDF), plays Light", "10 chips"):
        expect(row).to_contain_text(words)
    mine = seeks(page).filter(has_text="Your seek")
    expect(mine).to_contain_text("you play Light")
    mine.get_by_role("button", name="Close your seek").click()
    expect(row).to_have_count(0)


def test_the_joiner_gets_the_other_side(house):
    page, other = house.page(house.visitor()), house.page(house.visitor())
    page.get_by_role("button", name="Create a seek").click()
    choose(page, "You play", "Light")
    page.get_by_label("Clock", exact=True).select_option("30 s a move")
    page.get_by_role("button", name="Create the seek").click()
    other.get_by_role("button", name=re.compile("^Join .*30 s a move")).click()
    expect(LiveTable(other, house.url).sit_down().near).to_have_attribute("data-side", "B")
    expect(LiveTable(page, house.url).sit_down().near).to_have_attribute("data-side", "W")


def test_what_cannot_be_is_refused_in_words(house):
    page = house.page(house.visitor(chips=20))
    page.get_by_role("button", name="Create a seek").click()
    page.locator("#stake").select_option("50 chips")
    expect(page.locator("#room-hint")).to_have_text("You have 20 chips.")
    page.get_by_role("button", name="Create the seek").click()
    expect(page.locator("#wrong")).to_have_text("You do not have enough chips for this stake.")
    page.get_by_label("Room", exact=True).select_option("Tourist (VIP)")
    expect(page.locator("#room-hint")).to_have_text("Tourist is for VIP members.")
    page.get_by_role("button", name="Create the seek").click()
    expect(page.locator("#wrong")).to_have_text("Tourist is for VIP members.")


def test_a_seek_that_is_not_for_somebody_says_why(house):
    owner = house.visitor(chips=500)
    page = house.page(owner)
    page.get_by_role("button", name="Create a seek").click()
    page.locator("#stake").select_option("50 chips")
    page.get_by_role("button", name="Create the seek").click()
    for visitor, why in (
        (house.visitor(guest=True), "A stake needs an account."),
        (house.visitor(chips=20), "You have 20 chips."),
    ):
        row = seeks(house.page(visitor)).filter(has_text=owner.name)
        expect(row).to_contain_text(why)
        expect(row.get_by_role("button")).to_have_count(0)
    page.get_by_role("button", name="Close your seek").click()


def test_members_sit_down_in_their_rooms(house):
    owner = house.visitor(chips=500, membership="vip")
    page = house.page(owner, "/lobby?room=tourist&stake=200")
    expect(page.get_by_label("Room", exact=True)).to_have_value("tourist")
    expect(page.locator("#stake")).to_have_value("200")
    expect(page.locator("#table-chips td").first).to_have_text("+190")
    page.get_by_role("button", name="Create the seek").click()
    expect(seeks(page).filter(has_text="Tourist")).to_have_count(1)


def test_guests_play_casual_games_without_a_stake(house):
    page = house.page(house.visitor(guest=True))
    group = page.get_by_role("group", name="Quick games are")
    expect(group.get_by_role("radio", name="Rated")).to_be_disabled()
    expect(page.locator("#waiting")).to_contain_text("You play as a guest.")
    page.get_by_role("button", name="Create a seek").click()
    page.locator("#stake").select_option("10 chips")
    expect(page.locator("#room-hint")).to_contain_text("Guests cannot play for a stake")


def test_a_friend_comes_by_a_private_link(house):
    ann = house.visitor("Ann")
    page = house.page(ann)
    page.get_by_role("button", name="Create a seek").click()
    choose(page, "You play", "Dark")
    page.get_by_role("switch", name="Only by a private link").check()
    page.get_by_role("button", name="Get the link").click()
    expect(page).to_have_url(JOIN)
    link = page.locator("#link").input_value()
    assert link == page.url
    main = page.get_by_role("main")
    expect(main).to_contain_text("Keep this page open until your friend comes.")
    expect(main).to_contain_text("works on this machine only")
    elsewhere = house.page(house.visitor())
    expect(elsewhere.locator("#crowd")).to_contain_text("here")
    expect(seeks(elsewhere).filter(has_text=ann.name)).to_have_count(0)
    friend = house.page(path=link)
    expect(friend.get_by_role("heading", level=1)).to_have_text(f"{ann.name} invites you to a game")
    expect(friend.locator(".facts")).to_contain_text("Light")
    friend.get_by_role("button", name="Join the game").click()
    white = LiveTable(friend, house.url).sit_down()
    black = LiveTable(page, house.url).sit_down()
    assert black.game == white.game
    black.play("11-15")
    expect(white.status).to_have_text("Your turn")
    gone = house.page(path=link)
    expect(gone.get_by_role("heading", level=1)).to_have_text("This invitation is no longer open")


def test_an_invitation_is_withdrawn(house):
    page = house.page(house.visitor())
    page.get_by_role("button", name="Create a seek").click()
    page.get_by_role("switch", name="Only by a private link").check()
    page.get_by_role("button", name="Get the link").click()
    expect(page).to_have_url(JOIN)
    link = page.url
    page.goto(f"{house.url}lobby")
    row = seeks(page).filter(has_text="Your private link")
    row.get_by_role("link", name="Show").click()
    page.get_by_role("button", name="Withdraw the invitation").click()
    expect(page).to_have_url(f"{house.url}lobby")
    friend = house.page(path=link)
    expect(friend.get_by_role("heading", level=1)).to_have_text("This invitation is no longer open")


def test_games_are_watched_from_the_lobby_as_they_go_on(house):
    black, white = house.match()
    page = house.page()
    games = page.get_by_role("list", name="Games to watch")
    game = games.get_by_role("link").filter(has_text="Ann").filter(has_text="0 moves")
    expect(game).not_to_have_count(0)
    card = games.locator(f"a[href='/game/{black.game}']")
    expect(card.locator("svg.mini use")).to_have_count(24)
    black.play("11-15")
    white.play("22-18")
    black.play("15x22")
    expect(card.locator("svg.mini use")).to_have_count(23)
    card.click()
    LiveTable(page, house.url).sit_down().has_played("11-15", "22-18", "15x22")


def test_ones_own_games_come_first_with_whose_turn_it_is(house):
    ann, bert = house.visitor(), house.visitor("Bert")
    game = house.game(ann, bert, "3 days a move")
    page = house.page(ann)
    mine = page.get_by_role("list", name="Your games").get_by_role("link")
    expect(mine).to_contain_text("Your turn")
    expect(mine).to_contain_text(bert.name)
    mine.click()
    table = LiveTable(page, house.url).sit_down()
    assert table.game == game
    table.play("11-15")
    page.get_by_role("link", name="Lobby").first.click()
    expect(mine).to_contain_text("Waiting")


def test_who_is_here_is_seen(house):
    ann = house.visitor("Ann")
    context = house.context(ann)
    page = context.new_page()
    page.goto(f"{house.url}lobby")
    other = house.page(house.visitor())
    people = other.get_by_role("list", name="Who is online")
    expect(people.get_by_role("link", name=ann.name)).to_be_visible()
    context.close()
    expect(people.get_by_role("link", name=ann.name)).to_have_count(0)


def test_the_lobby_by_keyboard_alone(house):
    page = house.page(house.visitor())
    expect(page.locator("#crowd")).to_contain_text("here")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("[data-clock='3+2']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_have_text("Looking for an opponent, 3+2 …")
    page.get_by_role("button", name="Cancel").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-clock='3+2']")).to_be_focused()
    expect(page.locator("#say")).to_have_text("Cancelled.")


def test_the_lobby_says_when_it_is_offline(house):
    page = house.page(house.visitor())
    expect(page.locator("#crowd")).to_contain_text("being played")
    page.context.set_offline(True)
    expect(page.locator("#crowd")).to_contain_text("Offline, last contact")
    page.context.set_offline(False)
    expect(page.locator("#crowd")).to_contain_text("being played")


@pytest.mark.parametrize("text", ["3+2", "5+3", "10+5", "30+0", "1 day a move", "no clock"])
def test_the_quick_clocks_are_what_they_say(house, text):
    visitor = house.visitor()
    page = house.page(visitor)
    page.locator(f"[data-clock='{text}']").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(seeks(page).filter(has_text="Your seek")).to_have_count(1)
    found = [seek for seek in house.store.seeks.seeks(0) if seek.owner == visitor.user.id]
    assert [seek.control for seek in found] == [TimeControl.parse(text)]
    page.get_by_role("button", name="Cancel").click()
    expect(seeks(page).filter(has_text="Your seek")).to_have_count(0)
