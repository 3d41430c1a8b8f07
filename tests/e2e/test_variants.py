"""Every variant on the page: two people on one device, the computer, saved games, links, looks."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.e2e.players import offer
from tests.e2e.table import KEY, Table
from tests.e2e.test_looks import OVERFLOW, SHIFTS, SMALL_TARGETS, two_frames

from kingme.rules.position import Position
from kingme.rules.texts import sections
from kingme.rules.variant import ENGLISH, VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from kingme.rules.variant import Variant

OTHERS = [name for name in VARIANTS if name != ENGLISH.name]
SCRIPT_BYTES = 21_000
COPIED = "navigator.clipboard.readText()"


class VariantTable(Table):
    """A table at which another variant is played."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        super().__init__(page, f"{url.rstrip('/')}/variants/{name}")
        self.variant: Variant = VARIANTS[name]

    @property
    def position(self) -> Position:
        return Position.from_fen(self.fen, self.variant)

    def stored(self) -> dict[str, object]:
        key = f"{KEY}/{self.variant.name}"
        return dict(self.page.evaluate(f"JSON.parse(localStorage.getItem({key!r}))"))


@pytest.fixture
def at(page, server_url):
    """Sit down at a variant by its name."""
    return lambda name: VariantTable(page, server_url, name)


def starts(variant: Variant) -> str:
    return Position.start(variant).fen


@pytest.mark.parametrize("name", OTHERS)
def test_two_people_play_on_one_device(at, name):
    """Moves by mouse and typed, with the network gone; then undo, redo, reload and PDN."""
    table = at(name).open(mode="two")
    variant = table.variant
    table.shows(starts(variant))
    expect(table.status).to_have_text(f"{variant.first.title} to move")
    expect(
        table.page.get_by_role("heading", name=variant.title.partition(" (")[0]).last
    ).to_be_visible()
    table.page.context.set_offline(True)
    chance = random.Random(name)
    position, played = Position.start(variant), []
    while len(played) < 16 and position.legal_moves:
        move = chance.choice(position.legal_moves)
        if len(played) % 5 == 4:
            table.play(move.letters(variant.geometry))
        else:
            table.click(*move.path)
        position = position.play(move)
        played.append(str(move))
        table.shows(position)
    table.has_played(*played)
    table.page.context.set_offline(False)
    table.press("Undo")
    table.has_played(*played[:-1])
    table.press("Redo")
    table.reload()
    table.shows(position)
    table.has_played(*played)
    assert table.stored()["mode"] == "two"
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.press("Copy PDN")
    expect(table.said).to_have_text("PDN copied.")
    text = table.page.evaluate(COPIED)
    if variant.game_type_text:
        assert f'[GameType "{variant.game_type_text}"]' in text
    assert f"1. {played[0]} {played[1]}" in text


@pytest.mark.parametrize("name", ["russian", "turkish", "canadian", "frisian", "antidraughts"])
def test_the_computer_answers(at, name):
    table = at(name).open(level=2)
    position = table.position
    for _ in range(3):
        move = offer(position, random.Random(name))
        table.click(*move.path)
        expect(table.moves.get_by_role("button").nth(0)).to_be_visible()
        table.settled()
        position = table.position
        assert position.turn is table.variant.first
    assert len(table.played()) == 6
    table.press("Undo")
    assert len(table.played()) == 4


def test_the_computer_answers_a_draw_offer(at):
    table = at("russian").open("W:WK1:BK32", level=1)
    table.press("Offer draw")
    expect(table.message).to_have_text("The game is a draw. Both players agreed.")


def test_a_game_is_chosen_where_a_new_one_begins_and_loses_nothing(table, server_url):
    table.open(mode="two")
    table.type_all(["11-15", "22-18"])
    table.press("New game")
    dialog = table.page.get_by_role("dialog", name="Start a new game?")
    games = dialog.get_by_role("link")
    expect(games).to_have_count(len(VARIANTS))
    expect(games.first).to_have_text("American checkers")
    expect(games.first).to_have_attribute("aria-current", "page")
    expect(dialog.get_by_role("button", name="Keep playing")).to_be_focused()
    dialog.get_by_role("link", name="Russian").click()
    expect(table.page).to_have_url(f"{server_url}variants/russian")
    VariantTable(table.page, server_url, "russian").live().shows(starts(VARIANTS["russian"]))
    table.press("New game")
    dialog.get_by_role("link", name="American checkers").click()
    table.live()
    table.has_played("11-15", "22-18")


def test_links_lead_to_a_variant_and_set_up_a_position(page, server_url):
    page.goto(f"{server_url}?variant=Russian&fen=W:WK29:B22,K12&mode=two")
    expect(page).to_have_url(f"{server_url}variants/russian")
    table = VariantTable(page, server_url, "russian").live()
    table.shows("W:WK29:BK12,22")
    page.goto(f"{server_url}variants/international?fen=W:W51:B1")
    expect(table.message).to_contain_text("This link cannot be opened.")
    expect(table.message).to_contain_text("they run from 1 to 50")
    assert page.goto(f"{server_url}variants/ludo").status == 404
    page.goto(f"{server_url}variants/english?mode=two")
    expect(page).to_have_url(server_url)


@pytest.mark.parametrize("name", list(VARIANTS))
def test_each_has_its_rules_in_words(page, server_url, name):
    page.goto(server_url if name == "english" else f"{server_url}variants/{name}")
    page.get_by_role("button", name="How to play").click()
    rules = page.get_by_role("dialog", name="How to play")
    if name == "english":
        rules.get_by_text("All the rules").click()
    for heading, paragraphs in sections(VARIANTS[name]):
        expect(rules.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(rules).to_contain_text(paragraphs[0])
    expect(rules.locator("#keys")).to_be_visible()


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("name", ["canadian", "turkish", "italian", "international"])
def test_boards_of_any_size_fit_any_screen(at, name, width):
    table = at(name)
    table.page.add_init_script(SHIFTS)
    table.page.set_viewport_size({"width": width, "height": 740})
    table.open(mode="two")
    assert table.page.evaluate(OVERFLOW) == [False, []]
    assert table.page.evaluate(SMALL_TARGETS) == []
    move = table.position.legal_moves[0]
    table.page.locator("kingme-board").scroll_into_view_if_needed()
    table.click(*move.path)
    expect(table.moves.get_by_role("button")).to_have_count(1)
    table.reload()
    two_frames(table)
    shifts = table.page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.001, shifts
    table.press("New game")
    assert table.page.evaluate(OVERFLOW) == [False, []]
    assert table.page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("name", ["russian", "frisian"])
def test_the_whole_page_is_in_sight_on_a_common_screen(at, name):
    table = at(name)
    table.page.set_viewport_size({"width": 1280, "height": 720})
    table.open()
    assert table.page.evaluate("document.documentElement.scrollHeight") == 720


def test_the_scripts_of_a_variant_are_small(at):
    """All that a visit loads, compressed; American checkers load none of it (see test_looks)."""
    table = at("frisian")
    scripts = {}

    def keep(response) -> None:
        if response.url.endswith(".js"):
            scripts[response.url] = response.request.sizes()["responseBodySize"]

    table.page.on("requestfinished", lambda request: keep(request.response()))
    table.open(mode="two")
    table.play("31-27")
    assert any(url.endswith("/variants/rules.js") for url in scripts)
    assert sum(scripts.values()) < SCRIPT_BYTES, scripts


def test_keys_and_names_on_a_large_board(at):
    table = at("international").open(mode="two")
    keyboard = table.page.keyboard
    table.square(46).focus()
    assert table.named(46) == "a1, square 46, light man"
    for key, square in [
        ("Control+Home", 1),
        ("End", 5),
        ("ArrowDown", 10),
        ("Home", 6),
        ("Control+End", 50),
        ("ArrowUp", 45),
        ("9", 10),
        ("Shift+Digit1", 6),
    ]:
        keyboard.press(key)
        assert table.focused() == square, key
    table.square(32).focus()
    keyboard.press("Enter")
    assert table.saying("can land here") == {27, 28}
    table.square(28).focus()
    keyboard.press("Enter")
    expect(table.said).to_have_text("White moves from 32 to 28. Black to move.")


def test_keys_on_a_board_of_all_squares(at):
    table = at("turkish").open(mode="two")
    table.square(41).focus()
    for key, square in [("ArrowRight", 42), ("End", 48), ("ArrowUp", 40), ("Shift+Digit3", 35)]:
        table.page.keyboard.press(key)
        assert table.focused() == square, key
    assert table.named(35) == "c4, square 35, empty"


def test_a_flying_king_chooses_its_landing(at):
    table = at("russian").open("W:WK29,21:B18,12", mode="two")
    table.click(29)
    assert table.saying("can land here") == {int(m.path[1]) for m in table.position.legal_moves}
    move = table.position.legal_moves[0]
    after = table.position.play(move)
    table.click(*move.path[1:])
    table.shows(after)


def test_pieces_that_leave_at_once_are_gone_within_the_move(at):
    """A Turkish man jumps two pieces; the first has left when the second is to be jumped."""
    table = at("turkish").open("W:W44,64:B36,29,1", mode="two")
    jump = table.position.legal_moves[0]
    assert jump.captures == (36, 29) or len(jump.captures) == 2
    table.click(jump.path[0], jump.path[1])
    expect(table.page.locator(f"[data-at='{jump.captures[0]}']")).to_have_count(0)
    assert "jumped" not in table.named(jump.captures[0])
    table.click(jump.path[2])
    expect(table.moves.get_by_role("button")).to_have_text([str(jump)])


def test_goals_of_their_own(at):
    table = at("breakthrough").open("W:W7,50:B30", mode="two")
    move = next(m for m in table.position.legal_moves if m.end < 6)
    table.click(*move.path)
    expect(table.message).to_have_text("White wins. White made the first king.")
    table = at("antidraughts").open("W:W28:B22", mode="two")
    table.play(str(table.position.legal_moves[0]))
    expect(table.message).to_have_text("Black wins. Black has no piece left.")


def test_a_frisian_king_must_rest(at):
    """After three moves in a row the same king may not move while its side has men."""
    table = at("frisian").open("W:WK46,50:BK1", mode="two")
    for text in ("46-5", "1-6", "5-46", "6-1", "46-5", "1-6"):
        table.play(text)
    assert table.saying("can move") == {50}
    table.type("5-46")
    expect(table.message).to_contain_text("is not legal")


@pytest.mark.parametrize("name", ["russian", "turkish"])
def test_on_a_phone(phone, server_url, name):
    table = VariantTable(phone.page, server_url, name).open(mode="two")
    for _ in range(4):
        move = table.position.legal_moves[0]
        after = table.position.play(move)
        table.tap(*move.path)
        table.shows(after)
