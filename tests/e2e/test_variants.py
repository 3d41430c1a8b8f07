"""Every variant on the page: two people on one device, the computer, saved games, links, looks."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.cli.calling import kingme
from tests.e2e.players import offer
from tests.e2e.table import KEY, Finger, Table
from tests.e2e.test_looks import OVERFLOW, SHIFTS, SMALL_TARGETS, two_frames

from kingme.rules.notation import spell
from kingme.rules.position import Position
from kingme.rules.texts import sections
from kingme.rules.variant import ENGLISH, VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from kingme.rules.moves import Move
    from kingme.rules.variant import Variant

__all__ = ["VariantTable", "kingme"]

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

    def listed(self, *moves: Move) -> None:
        """Expect these moves in the list, with the names of squares of the variant."""
        letters, geometry = self.variant.letters_first, self.variant.geometry
        self.has_played(*(move.letters(geometry) if letters else str(move) for move in moves))

    def copied(self) -> str:
        """The game as PDN, taken from the clipboard."""
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.press("Copy PDN")
        expect(self.said).to_have_text("PDN copied.")
        return self.page.evaluate(COPIED)

    def keep(self, *moves: str) -> VariantTable:
        """Find a game between two people here that was played before."""
        game = {"v": 1, "rev": 1, "start": None, "moves": moves, "undone": [], "mode": "two"}
        game |= {"side": self.variant.first.code, "level": 3, "preset": self.variant.draws[0]}
        kept = json.dumps({**game, "flip": False, "result": None})
        key = f"{KEY}/{self.variant.name}"
        self.page.evaluate(f"text => localStorage.setItem({key!r}, text)", kept)
        self.reload()
        return self

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
        played.append(move)
        table.shows(position)
    table.listed(*played)
    table.page.context.set_offline(False)
    table.press("Undo")
    table.listed(*played[:-1])
    table.press("Redo")
    table.reload()
    table.shows(position)
    table.listed(*played)
    assert table.stored()["mode"] == "two"
    one, two = (spell(move, variant) for move in played[:2])
    assert f"1. {one} {two}" in table.copied()


def long_game(variant: Variant, plies: int = 120) -> list[Move]:
    """A random game, to its end where that comes before so many plies."""
    chance, position, played = random.Random(variant.name), Position.start(variant), []
    while len(played) < plies and position.legal_moves and not position.outcome:
        played.append(chance.choice(position.legal_moves))
        position = position.play(played[-1])
    return played


@pytest.mark.parametrize("name", OTHERS)
def test_pdn_is_in_the_notation_of_the_variant_and_read_without_errors(at, kingme, name, tmp_path):
    table = at(name).open()
    variant, moves = table.variant, long_game(VARIANTS[name])
    assert any(len(move.path) > 2 for move in moves)
    text = table.keep(*map(str, moves)).copied()
    words = text.split("\n\n")[1].split()
    assert [word for word in words[:-1] if not word.endswith(".")] == [
        spell(move, variant) for move in moves
    ]
    game_type = variant.game_type_text
    assert f'[GameType "{game_type}"]' in text if game_type else "GameType" not in text
    file = tmp_path / "game.pdn"
    file.write_text(text, encoding="utf-8")
    named = [] if game_type else ["--variant", name]
    checked = kingme("pdn", "check", "--odd", "--strict", file, *named)
    assert checked.code == 0, checked
    assert checked.out.splitlines()[:-1] == []
    assert f"{len(moves)} plies" in checked.out


def test_pdn_of_a_game_from_a_position_is_read_without_errors(at, kingme, tmp_path):
    table = at("russian").open("B:W29,30,K1:B4,12", mode="two")
    moves = []
    for _ in range(3):
        moves.append(table.position.legal_moves[0])
        table.click(*moves[-1].path)
        expect(table.moves.get_by_role("button")).to_have_count(len(moves))
    text = table.copied()
    words = [spell(move, table.variant) for move in moves]
    assert f"1... {words[0]} 2. {words[1]} {words[2]} *" in text
    file = tmp_path / "game.pdn"
    file.write_text(text, encoding="utf-8")
    checked = kingme("pdn", "check", "--odd", "--strict", file)
    assert checked.code == 0, checked


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


def test_nobody_is_sent_to_a_lobby_that_plays_another_game(at, table):
    russian = at("russian").open()
    expect(russian.page.get_by_role("heading", level=1, name="Russian draughts")).to_be_visible()
    expect(russian.page.locator("a[href^='/lobby']")).to_have_count(0)
    russian.press("New game")
    expect(russian.page.get_by_role("dialog", name="Start a new game?")).to_contain_text(
        "Against people online, American checkers is played."
    )
    table.open()
    expect(table.page.get_by_role("link", name="Play a person")).to_be_visible()


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


@pytest.mark.parametrize("name", ["russian", "czech", "turkish"])
def test_squares_have_the_names_that_players_of_the_variant_use(at, name):
    """Letters on the board, in the list, in what is said and in the example; numbers by choice."""
    table = at(name).open(mode="two")
    geometry = table.variant.geometry
    move = table.position.legal_moves[0]
    start, end = map(geometry.letters, move.path)
    labels = table.page.locator("[data-square] text").all_text_contents()
    assert sorted(labels) == sorted(map(geometry.letters, range(1, geometry.squares + 1)))
    assert table.named(move.start).startswith(f"{start}, square {move.start}, light man")
    expect(table.field).to_have_attribute("placeholder", f"{start}-{end} or {move}")
    table.play(f"{start}-{end}")
    expect(table.said).to_have_text(f"White moves from {start} to {end}. Black to move.")
    table.has_played(f"{start}-{end}")
    table.square(move.end).focus()
    table.page.keyboard.press("l")
    expect(table.said).to_have_text(f"White moves from {start} to {end}.")
    table.press("Settings")
    table.page.get_by_role("dialog", name="Settings").get_by_label("Numbers").check()
    table.page.keyboard.press("Escape")
    table.has_played(str(move))
    table.reload()
    table.has_played(str(move))


def test_the_names_of_squares_are_chosen_for_each_variant_alone(at, table):
    russian = at("russian").open(mode="two")
    russian.press("Settings")
    settings = russian.page.get_by_role("dialog", name="Settings")
    expect(settings.get_by_label("Letters")).to_be_checked()
    settings.get_by_label("Wood").check()
    settings.get_by_label("Numbers").check()
    czech = at("czech").open(mode="two")
    expect(czech.square(22).locator("text")).to_have_text("c3")
    table.open(mode="two")
    expect(table.page.locator("html")).to_have_attribute("data-board", "wood")
    expect(table.square(22).locator("text")).to_have_text("22")
    russian.open(mode="two")
    expect(russian.square(22).locator("text")).to_have_text("22")
    expect(russian.page.locator("html")).to_have_attribute("data-board", "wood")


MOST = "The capture that takes the most pieces is compulsory: 2 here."
KINGS = "Among equal captures the one that takes the most kings is compulsory."
#: Position, the square of the piece that is chosen, its forbidden landing, the rule; by variant.
FORBIDDEN = [
    ("international", "W:WK3,7:B12,43", 7, 18, MOST),
    ("canadian", "W:W11,K45:B1,16,50,62", 11, 22, MOST),
    ("turkish", "W:WK5,K14:B13,K60", 14, 12, MOST),
    ("brazilian", "W:WK17,K24:BK9,10", 17, 7, MOST),
    ("spanish", "W:WK25,K32:BK5,7", 25, 4, KINGS),
    ("czech", "W:WK7,K11,22:B17,K32", 22, 13, "Where a king can capture so, a man may not."),
    (
        *("italian", "W:WK15,K21:BK7,K18,19", 15, 22),
        "Among equal captures the one in which a king is taken earliest is compulsory.",
    ),
    (
        *("frisian", "W:WK2,K23,47,K48:BK18,K31", 48, 26),
        "The capture that is worth the most is compulsory; a king counts for nearly two men.",
    ),
]


@pytest.mark.parametrize(("name", "fen", "start", "land", "rule"), FORBIDDEN)
def test_the_rule_that_forbids_a_capture_is_told(at, name, fen, start, land, rule):
    """At the piece and at the typed move, by pointer and by keyboard."""
    table = at(name).open(fen, mode="two")
    said = table.variant.geometry.letters if table.variant.letters_first else str
    legal = list(dict.fromkeys(said(move.start) for move in table.position.legal_moves))
    refused = f"White must jump, with the piece on {' or '.join(legal)}. {rule}"
    table.click(start)
    expect(table.message).to_have_text(refused)
    expect(table.alert).to_have_text(refused)
    table.square(table.position.legal_moves[0].start).focus()
    table.page.keyboard.press("Enter")
    expect(table.message).to_be_empty()
    table.page.keyboard.press("Escape")
    table.square(start).focus()
    table.page.keyboard.press("Enter")
    expect(table.message).to_have_text(refused)
    table.type(f"{said(start)}x{said(land)}")
    expect(table.message).to_contain_text(
        f"a jump is compulsory, with the piece on {' or '.join(legal)}. {rule} Legal: "
    )
    expect(table.message).to_contain_text(said(table.position.legal_moves[0].end))
    table.field.fill("")
    table.click(*table.position.legal_moves[0].path)
    expect(table.moves.get_by_role("button")).to_have_count(1)


def test_a_piece_that_must_take_more_is_told_so_at_its_landing(at):
    table = at("international").open("W:W28:B22,23,13", mode="two")
    assert [str(move) for move in table.position.legal_moves] == ["28x19x8"]
    table.click(28, 17)
    expect(table.message).to_have_text(f"White must jump, with the piece on 28. {MOST}")
    table.drag(28, 17)
    expect(table.message).to_have_text(f"White must jump, with the piece on 28. {MOST}")
    table.type("28x17")
    expect(table.message).to_have_text(
        f"28x17 is not legal: the piece on 28 must jump, but not so. {MOST} Legal: 28x19x8."
    )


def test_where_no_rule_of_choice_is_in_the_way_none_is_told(at):
    table = at("russian").open("W:W22,32:B18,9", mode="two")
    table.click(32)
    expect(table.message).to_have_text("White must jump, with the piece on c3.")
    for text, reason in [
        ("g1-f2", "g1-f2 is not legal: a jump is compulsory, with the piece on c3. Legal: c3:e5."),
        ("32-27", "32-27 is not legal: a jump is compulsory, with the piece on 22. Legal: 22:15."),
        ("c3", "A move names at least two squares, as in a3-b4 or 21-17. Legal: c3:e5."),
        ("b1-c2", "'b1' is no square of play. Legal: c3:e5."),
        ("hello", "'hello' is no square: a move looks like a3-b4 or 21-17. Legal: c3:e5."),
    ]:
        table.type(text)
        expect(table.message).to_have_text(reason)


@pytest.mark.parametrize("name", OTHERS)
def test_a_long_capture_is_announced_whole(at, name):
    """From the first square to the last, with all that was taken, in the variant's own names."""
    table = at(name).open()
    variant, moves = table.variant, long_game(VARIANTS[name])
    ply = next(i for i, move in enumerate(moves) if len(move.captures) == 2)
    side = variant.first if ply % 2 == 0 else variant.first.other
    table.keep(*map(str, moves[:ply]))
    move = moves[ply]
    said = variant.geometry.letters if variant.letters_first else str
    start, one, two, end = map(said, (move.start, *move.captures, move.end))
    table.play(spell(move, variant))
    heard = f"{side.title} jumps from {start} over {one} and {two} to {end}"
    expect(table.said).to_contain_text(heard)
    table.square(move.end).focus()
    table.page.keyboard.press("l")
    expect(table.said).to_contain_text(heard)
    table.page.keyboard.press("o")
    expect(table.said).to_contain_text(table.named(move.end))


#: Keep the square that has the focus, and those that get it from then on.
FOLLOW_FOCUS = """() => {
  window.seen = [+document.activeElement.dataset.square];
  addEventListener("focusin", ({ target }) => seen.push(+target.dataset.square));
}"""


@pytest.mark.parametrize("name", OTHERS)
def test_every_square_is_reached_by_keys(at, name):
    table = at(name).open(mode="two")
    variant = table.variant
    table.square(1).focus()
    table.page.keyboard.press("Control+Home")
    table.page.evaluate(FOLLOW_FOCUS)
    for row in range(variant.rows):
        across = variant.geometry.squares // variant.rows
        key = "ArrowLeft" if row % 2 else "ArrowRight"
        for column in range(across):
            if column:
                table.page.keyboard.press(key)
        table.page.keyboard.press("ArrowDown")
    seen = table.page.evaluate("seen")
    assert sorted(seen) == list(range(1, variant.geometry.squares + 1))
    letters = variant.geometry.letters
    assert [letters(n)[1:] for n in seen[:: variant.geometry.squares // variant.rows]] in (
        [
            [str(n) for n in order]
            for order in (range(variant.rows, 0, -1), range(1, variant.rows + 1))
        ]
    )


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
    table.listed(jump)


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
    rule = "A king that has moved 3 times in a row must rest while its side has men."
    table.type("5-46")
    expect(table.message).to_contain_text(
        f"5-46 is not legal: the piece on 5 cannot go there. {rule}"
    )
    table.click(5)
    expect(table.message).to_have_text(f"The light king on 5 has no move now. {rule}")


@pytest.mark.parametrize("name", ["russian", "turkish"])
def test_on_a_phone(phone, server_url, name):
    table = VariantTable(phone.page, server_url, name).open(mode="two")
    for _ in range(4):
        move = table.position.legal_moves[0]
        after = table.position.play(move)
        table.tap(*move.path)
        table.shows(after)


def test_a_long_capture_by_touch_on_a_narrow_phone(new_context, server_url):
    """Twelve files on 320 pixels: each landing is tapped, or the last alone; or the piece drawn."""
    context = new_context(
        viewport={"width": 320, "height": 640},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    table = VariantTable(context.new_page(), server_url, "canadian")
    fen = "W:W56,70:B49,37,26,6"
    table.open(fen, mode="two")
    jump = max(table.position.legal_moves, key=lambda move: len(move.path))
    assert len(jump.captures) >= 3
    for way in (jump.path, (jump.start, jump.end)):
        table.tap(*way[:2])
        if way == jump.path:
            expect(table.message).to_be_empty()
            assert table.page.locator(".taken").count() == 1
        table.tap(*way[2:])
        table.listed(jump)
        table.shows(Position.from_fen(fen, table.variant).play(jump))
        table.press("Undo")
        table.listed()
    finger = Finger(table.page)
    for one, other in zip(jump.path, jump.path[1:], strict=False):
        finger.swipe(table.centre(one), table.centre(other))
    table.listed(jump)
    assert table.page.evaluate("scrollX") == 0
