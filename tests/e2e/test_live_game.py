"""A live game as its two players and those who watch meet it: moves, offers, and ways to end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.e2e.live_table import LiveTable

from kingme import History, Position
from kingme.play.events import Aborted, Deserted, Moved, Resigned, Said

#: Black can be brought to the end in one move.
NEAR_END = "B:W32:BK23,K27,K31"
#: Both have kings that go back and forth.
KINGS = "B:WK29,K32:BK1,K4"
BACK_AND_FORTH = ("1-6", "29-25", "6-1", "25-29")


def after(*moves: str, start: str | None = None) -> Position:
    history = History.start(Position.from_fen(start) if start else None)
    for move in moves:
        history = history.play(move)
    return history.position


def test_each_sees_the_own_side_at_the_bottom_and_moves_only_that(house):
    black, white = house.match()
    expect(black.board).to_have_attribute("data-orientation", "B")
    expect(white.board).to_have_attribute("data-orientation", "W")
    expect(black.status).to_have_text("Your turn")
    assert black.saying("can move") == {9, 10, 11, 12}
    assert white.saying("can move") == set()
    white.click(22, 18)
    expect(white.message).to_have_text(re.compile("^Ann.*’s turn.$"))
    white.shows(Position.start())
    black.drag(11, 15)
    white.shows(after("11-15"))
    expect(white.status).to_have_text("Your turn")
    white.type("22-18")
    black.shows(after("11-15", "22-18"))
    black.has_played("11-15", "22-18")


def test_a_finger_moves_too(house):
    ann, bert = house.visitor(), house.visitor()
    game = house.game(ann, bert)
    phone = house.table(
        game, ann, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    phone.tap(11, 15)
    phone.shows(after("11-15"))
    house.table(game, bert).shows(after("11-15"))


def test_the_keyboard_alone_is_enough(house):
    black, white = house.match()
    black.square(11).focus()
    for key in ("Enter", "ArrowDown", "Home", "ArrowRight", "ArrowRight"):
        black.page.keyboard.press(key)
    black.square(15).focus()
    black.page.keyboard.press("Enter")
    white.shows(after("11-15"))
    black.button("Offer draw").focus()
    black.page.keyboard.press("Enter")
    button = white.answers.get_by_role("button", name="Accept draw")
    button.focus()
    white.page.keyboard.press("Enter")
    expect(black.status).to_have_text("Draw")


def test_a_whole_jump_is_one_move(house):
    start = "B:W15,23,32:B1,11"
    black, white = house.match(start=start)
    jump = next(move for move in Position.from_fen(start).legal_moves if len(move.path) > 2)
    black.click(*jump.path)
    white.shows(Position.from_fen(start).play(jump))
    events = [event for event in house.events(black.game) if isinstance(event, Moved)]
    assert [event.move for event in events] == [str(jump)]


def test_a_draw_by_agreement(house):
    black, white = house.match()
    black.play("11-15")
    black.press("Offer draw")
    expect(black.page.locator("#draw")).to_have_text("Draw offered")
    expect(black.note).to_contain_text("You offer a draw.")
    white.answer("Accept draw")
    for table in (black, white):
        expect(table.status).to_have_text("Draw")
        expect(table.message).to_have_text("The game is a draw. Both players agreed.")
        expect(table.button("Rematch")).to_be_visible()


def test_an_offer_lapses_with_a_move(house):
    black, white = house.match()
    black.press("Offer draw")
    expect(white.answers).to_be_visible()
    black.play("11-15")  # one's own move lets it stand
    expect(white.answers).to_be_visible()
    white.play("22-18")
    expect(white.answers).to_be_hidden()
    expect(black.button("Offer draw")).to_be_enabled()


def test_nothing_is_offered_without_a_connection(house):
    black, white = house.match()
    black.play("11-15")
    white.shows(after("11-15"))
    white.play("22-18")
    black.shows(after("11-15", "22-18"))
    white.cut()
    expect(white.button("Offer draw")).to_be_disabled()
    expect(white.button("Resign")).to_be_disabled()
    white.mend()
    white.press("Offer draw")
    expect(black.question).to_contain_text("draw")
    black.answer("Accept draw")
    for table in (black, white):
        expect(table.status).to_have_text("Draw")


def test_one_move_or_two_are_taken_back(house):
    moves = ("11-15", "22-18", "15x22")
    black, white = house.match(moves=moves)
    black.press("Take back")
    expect(white.question).to_contain_text("asks to take back the last move.")
    white.answer("Decline")
    expect(black.message).to_contain_text("declined: the move stands.")
    white.play("25x18")
    black.shows(after(*moves, "25x18"))
    black.press("Take back")
    expect(white.question).to_contain_text("asks to take back two moves.")
    white.answer("Allow")
    for table in (black, white):
        table.shows(after("11-15", "22-18"))
        table.has_played("11-15", "22-18")
    expect(black.status).to_have_text("Your turn")


def test_a_game_is_called_off_before_its_second_move_alone(house):
    black, white = house.match()
    black.play("11-15")
    expect(white.button("Call off")).to_be_visible()
    expect(white.button("Resign")).to_be_hidden()
    white.press("Call off")
    white.answer("Play on")
    white.press("Call off")
    white.answer("Call off")
    expect(black.status).to_have_text("Called off")
    expect(black.message).to_have_text("White called the game off.")
    assert any(isinstance(event, Aborted) for event in house.events(white.game))
    black, white = house.match(moves=("11-15", "22-18"))
    expect(black.button("Call off")).to_be_hidden()
    expect(black.button("Resign")).to_be_visible()


def test_resigning_is_asked_about(house):
    black, white = house.match(moves=("11-15", "22-18"))
    black.press("Resign")
    expect(black.question).to_have_text(re.compile(r"^Resign this game\? Bert\w+ wins then\.$"))
    expect(black.answers.get_by_role("button", name="Play on")).to_be_focused()
    black.page.keyboard.press("Escape")
    expect(black.answers).to_be_hidden()
    black.press("Resign")
    black.answer("Play on")
    black.press("Resign")
    black.answer("Resign")
    expect(white.status).to_have_text("You win")
    expect(white.message).to_have_text(re.compile(r"^Bert\w+ wins\. Ann\w+ resigned\.$"))
    assert any(isinstance(event, Resigned) for event in house.events(white.game))


def test_the_board_ends_a_game(house):
    black, white = house.match(start=NEAR_END)
    black.play("27-24" if "27-24" in map(str, Position.from_fen(NEAR_END).legal_moves) else "23-19")
    moves = Position.from_fen(house_fen(white)).legal_moves
    white.play(str(moves[0]))
    jump = Position.from_fen(house_fen(black)).legal_moves[0]
    black.play(str(jump))
    expect(black.status).to_have_text("You win")
    expect(white.message).to_contain_text(re.compile(r"Bert\w+ has no"))
    expect(white.button("Resign")).to_be_hidden()
    assert black.saying("can move") == set()


def house_fen(table: LiveTable) -> str:
    """The position at which it is this player's turn."""
    expect(table.status).to_have_text("Your turn")
    return table.fen


def test_a_repetition_is_claimed_in_a_tournament(house):
    moves = BACK_AND_FORTH + BACK_AND_FORTH[:3]
    black, white = house.match(start=KINGS, preset="tournament", moves=moves)
    expect(black.button("Claim draw")).to_be_hidden()
    expect(white.button("Claim draw")).to_be_visible()
    expect(white.note).to_have_text("A draw can be claimed now.")
    white.press("Claim draw")
    expect(white.question).to_have_text("With 25-29 the position comes up for the third time.")
    white.answer("Claim draw")
    expect(black.status).to_have_text("Draw")
    expect(black.message).to_contain_text("came up for the third time")


def test_a_repetition_makes_a_draw_by_itself_elsewhere(house):
    black, white = house.match(start=KINGS, moves=BACK_AND_FORTH + BACK_AND_FORTH[:3])
    expect(white.note).to_contain_text("a third time makes a draw")
    white.play("25-29")
    expect(black.status).to_have_text("Draw")


def test_without_agreement_there_is_no_such_button(house):
    black, _ = house.match(preset="agreement")
    expect(black.button("Offer draw")).to_be_visible()
    expect(black.button("Claim draw")).to_be_hidden()


def test_the_win_is_claimed_from_somebody_who_went_away(house):
    black, white = house.match(moves=("11-15", "22-18"))
    white.page.get_by_role("link", name="Lobby").first.click()
    expect(black.note).to_contain_text("is away. You can claim the game in 0:")
    expect(black.question).to_contain_text("has been away for too long.", timeout=20_000)
    black.answer("Claim the win")
    expect(black.status).to_have_text("You win")
    expect(black.message).to_have_text(re.compile(r"^Ann\w+ wins\. Bert\w+ left the game\.$"))
    assert any(isinstance(event, Deserted) for event in house.events(black.game))
    expect(white.page.get_by_role("list", name="Your games")).to_be_hidden()


def test_somebody_who_comes_back_cannot_be_claimed_against(house):
    black, white = house.match(moves=("11-15", "22-18"))
    white.page.get_by_role("link", name="Lobby").first.click()
    expect(black.note).to_contain_text("is away. You can claim")
    white.page.get_by_role("list", name="Your games").get_by_role("link").click()
    white.connected()
    expect(black.note).to_have_text("A jump is compulsory.")
    expect(black.answers).to_be_hidden()


def test_time_runs_out(house):
    black, white = house.match("0:15+0", moves=("11-15", "22-18"), ago=12_000)
    expect(black.status).to_have_text("You lose", timeout=20_000)
    expect(white.message).to_have_text(re.compile(r"^Bert\w+ wins\. Ann\w+’s time ran out\.$"))
    assert black.clock(black.near) == "0:00.0"


def test_looking_back_while_the_game_goes_on(house):
    black, white = house.match(moves=("11-15", "22-18"))
    black.play("15x22")
    black.press("Start of the game")
    black.shows(Position.start())
    expect(black.note).to_have_text("Viewing the start.")
    white.play("25x18")
    black.has_played("11-15", "22-18", "15x22", "25x18")
    black.shows(Position.start())
    expect(black.message).to_contain_text("The game has gone on.")
    black.click(9)
    expect(black.message).to_contain_text("This is an earlier position.")
    black.press("Back to the game")
    black.shows(after("11-15", "22-18", "15x22", "25x18"))
    black.press("Flip board")
    expect(black.board).to_have_attribute("data-orientation", "W")
    expect(black.near).to_have_attribute("data-side", "W")


def test_phrases_and_a_chat_that_both_want(house):
    black, white = house.match()
    watching = house.table(black.game)
    black.press("Good luck!")
    expect(white.lines.get_by_role("listitem")).to_have_text([re.compile("Ann.* Good luck!")])
    expect(black.lines.get_by_role("listitem")).to_have_text(["You Good luck!"])
    field = black.page.get_by_label("A text to your opponent")
    expect(field).to_be_hidden()
    black.page.get_by_role("switch", name="Chat").check()
    expect(white.page.locator("#chat-note")).to_contain_text("would like to chat")
    white.page.get_by_role("switch", name="Chat").check()
    field.fill("Nice <b>day</b> & more")
    field.press("Enter")
    expect(white.lines).to_contain_text("Nice <b>day</b> & more")
    expect(field).to_have_value("")
    white.page.get_by_role("switch", name="Chat").uncheck()
    expect(field).to_be_hidden()
    expect(watching.page.get_by_label("What was said")).to_have_count(0)
    assert "Nice" not in watching.page.content()
    said = [event for event in house.events(black.game) if isinstance(event, Said)]
    assert len(said) == 2


def test_who_is_muted_is_not_read(house):
    black, white = house.match()
    black.press("Hello!")
    expect(white.lines).to_contain_text("Hello!")
    white.press("Mute or report")
    white.page.get_by_role("button", name=re.compile("^Mute Ann")).click()
    expect(white.lines.get_by_role("listitem")).to_have_count(0)
    white.page.keyboard.press("Escape")
    black.press("Good luck!")
    expect(black.lines.get_by_role("listitem")).to_have_count(2)
    white.again()
    expect(white.lines.get_by_role("listitem")).to_have_count(0)
    white.press("Mute or report")
    white.page.get_by_role("button", name=re.compile("^Unmute Ann")).click()
    expect(white.lines.get_by_role("listitem")).to_have_count(2)


def test_a_report_reaches_the_operator(house):
    black, _ = house.match()
    black.press("Mute or report")
    black.page.get_by_label("Report to the operator").fill("Plays two boards at once.")
    black.press("Send report")
    expect(black.page.locator("#report [role=status]")).to_contain_text("Thank you.")
    newest = house.store.service.reports(1)[0]
    assert newest["text"] == "Plays two boards at once."
    assert newest["game"] == black.game


def test_watching_is_all_that_others_can_do(house):
    black, white = house.match(moves=("11-15", "22-18"))
    watching = house.table(black.game)
    expect(black.page.locator("#watchers")).to_have_text("1 watching")
    expect(watching.status).to_have_text(re.compile("^Ann.*’s turn$"))
    expect(watching.board).to_have_attribute("data-orientation", "B")
    for name in ("Resign", "Offer draw", "Take back", "Call off", "Rematch", "Send"):
        expect(watching.button(name)).to_have_count(0)
    expect(watching.field).to_have_count(0)
    watching.click(15, 22)
    expect(watching.message).to_have_text("You are watching this game.")
    black.play("15x22")
    watching.shows(after("11-15", "22-18", "15x22"))
    white.play("25x18")
    watching.has_played("11-15", "22-18", "15x22", "25x18")
    watching.press("Previous move")
    watching.shows(after("11-15", "22-18", "15x22"))


def test_a_private_game_is_nobody_elses(house):
    black, _ = house.match(private=True)
    page = house.page(house.visitor(), f"/game/{black.game}")
    expect(page.locator("main")).to_contain_text("There is no such game")
    expect(page.locator("kingme-board")).to_have_count(0)


def test_a_finished_game_is_replayed_with_what_it_brought(house):
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert, stake=10, rated=True, moves=("11-15", "22-18"))
    white = house.table(game, bert)
    white.press("Resign")
    expect(white.question).to_contain_text("It costs you 10 chips and rating.")
    white.answer("Resign")
    expect(white.note).to_have_text(
        re.compile(r"^−10 chips, too short for points, rating 1500 → 1\d\d\d\.$")
    )
    stranger = house.table(game)
    expect(stranger.status).to_have_text(re.compile(r"^Ann\w+ wins$"))
    expect(stranger.near.locator(".brought")).to_contain_text("+10 chips")
    stranger.press("Start of the game")
    stranger.press("Next move")
    stranger.shows(after("11-15"))
    with stranger.page.expect_download() as download:
        stranger.page.get_by_role("link", name="PDN").click()
    assert "1. 11-15 22-18" in download.value.path().read_text()
    stranger.page.get_by_role("link", name="Review").first.click()
    expect(stranger.page.locator("#tree").get_by_role("button")).to_have_text(["11-15", "22-18"])
    expect(stranger.page).to_have_url(re.compile(rf"/review\?game={game}$"))


def test_a_rematch_is_declined(house):
    black, white = house.match(moves=("11-15", "22-18"))
    black.press("Resign")
    black.answer("Resign")
    black.press("Rematch")
    expect(black.button("Rematch offered")).to_be_visible()
    expect(white.answers).to_be_visible()
    expect(white.page.locator("#rematch")).to_be_hidden()
    white.answer("Decline")
    expect(black.message).to_contain_text("declined the rematch.")
    expect(black.button("Rematch")).to_be_visible()


@pytest.mark.parametrize(
    ("control", "shown"),
    [("3 days a move", "3 d 0 h"), ("30 s a move", "0:30"), ("60+30", "1:00:00")],
)
def test_clocks_of_every_kind(house, control, shown):
    black, _ = house.match(control)
    assert black.clock(black.near) == shown


def test_a_game_without_clocks_shows_none(house):
    black, _ = house.match("no clock")
    expect(black.near.locator(".clock")).to_be_hidden()
    expect(black.note).to_have_text("Choose a ringed piece, then its landing.")


def test_two_pages_of_one_player_go_together(house):
    ann, bert = house.visitor(), house.visitor()
    game = house.game(ann, bert)
    context = house.context(ann)
    tabs = [LiveTable(context.new_page(), house.url).sit_down(game) for _ in range(2)]
    tabs[0].play("11-15")
    tabs[1].shows(after("11-15"))
    tabs[0].page.close()
    other = house.table(game, bert)
    expect(other.far.locator(".person")).to_have_class("person here")
