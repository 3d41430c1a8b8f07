"""What the eye meets on the live pages: axe, narrow screens, still layouts, motion, weight."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect
from tests.e2e.live_table import House, LiveTable
from tests.e2e.test_axe import violations
from tests.e2e.test_looks import OVERFLOW, RUNNING, SHIFTS, SMALL_TARGETS, sized, two_frames

OPENING = ("11-15", "22-18")
#: Bytes of scripts as they travel, compressed, that a whole visit of a page loads.
TABLE_BYTES, LOBBY_BYTES = 25_000, 13_000


@pytest.mark.parametrize(("width", "schemes"), [(320, ["light", "dark"]), (1280, ["dark"])])
def test_axe_finds_nothing_at_a_table(house, width, schemes):
    options = {"reduced_motion": "reduce", "viewport": {"width": width, "height": 800}}

    def found(page: Page, where: str) -> list[str]:
        return [f"{where}: {text}" for text in violations(page, *schemes)]

    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert, moves=OPENING, stake=10)
    black, white = house.table(game, ann, **options), house.table(game, bert)
    problems = found(black.page, "in play")
    white.press("Offer draw")
    expect(black.answers).to_be_visible()
    problems += found(black.page, "asked")
    for table in (black, white):
        table.page.get_by_role("switch", name="Chat").check()
    white.press("Hello!")
    expect(black.lines).to_contain_text("Hello!")
    problems += found(black.page, "chat")
    for name in ("Stake 10", "Mute or report", "Help"):
        black.press(name)
        problems += found(black.page, name)
        black.page.keyboard.press("Escape")
    black.cut()
    problems += found(black.page, "offline")
    black.mend()
    black.press("Resign")
    problems += found(black.page, "resigning")
    black.answer("Resign")
    expect(black.button("Rematch")).to_be_visible()
    problems += found(black.page, "over")
    problems += found(house.table(game, None, **options).page, "watching")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_nothing_in_the_lobby(house, scheme, width):
    ann = house.visitor("Ann")
    house.game(ann, house.visitor(), "3 days a move")

    def found(page: Page, where: str) -> list[str]:
        return [f"{where}: {text}" for text in violations(page)]

    page = house.page(ann, color_scheme=scheme, viewport={"width": width, "height": 800})
    expect(page.get_by_role("list", name="Your games").get_by_role("link")).to_have_count(1)
    problems = found(page, "lobby")
    page.locator("[data-clock='10+5']").click()
    expect(page.get_by_role("button", name="Close your seek")).to_be_visible()
    problems += found(page, "waiting")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Create a seek").click()
    problems += found(page, "form")
    page.get_by_role("switch", name="Only by a private link").check()
    page.get_by_role("button", name="Get the link").click()
    expect(page.get_by_role("button", name="Copy")).to_be_visible()
    problems += found(page, "own invitation")
    link = page.url
    friend = house.page(None, link, color_scheme=scheme)
    problems += found(friend, "invitation")
    page.get_by_role("button", name="Withdraw the invitation").click()
    expect(page).to_have_url(f"{house.url}lobby")
    friend.reload()
    problems += found(friend, "no longer open")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_screen_and_all_can_be_hit(house, width):
    viewport = {"width": width, "height": 740}
    ann = house.visitor("A-name-that-is-long")
    for _ in range(3):
        house.game(ann, house.visitor("Another-long-one"), "3 days a move", stake=10)
    game = house.game(ann, house.visitor("Another-long-one"), moves=OPENING, stake=100)
    table = house.table(game, ann, viewport=viewport)
    table.page.get_by_role("switch", name="Chat").check()
    table.press("Resign")
    pages = [table.page, house.page(ann, "/lobby?room=tourist", viewport=viewport)]
    for page in pages:
        assert overflow(page) == [False, []]
        excepted = links_in_text(page)
        assert [one for one in page.evaluate(SMALL_TARGETS) if one[0] not in excepted] == []
    # All that a finished game can do is beside its moves, and the longest move is read to its end.
    table.answer("Resign")
    expect(table.button("Rematch")).to_be_visible()
    table.page.locator("#moves button").last.evaluate(
        "button => { button.textContent = '5x14x23x30x21x14x7x16x23'; }"
    )
    wide = "all => all.filter(n => n.scrollWidth > n.clientWidth).map(n => n.outerHTML)"
    assert table.page.locator(".tools, .tools .row, #moves, #moves *").evaluate_all(wide) == []


def overflow(page: Page) -> list[object]:
    """What is wider than the screen, but for rows that are scrolled sideways and names cut off."""
    scrolled = ".phrases button, .scroll *, #mine *, .player b"
    wide, out = page.evaluate(OVERFLOW)
    inside = page.locator(scrolled).evaluate_all(
        "all => all.map(one => one.outerHTML.slice(0, 60))"
    )
    names = page.locator(scrolled).evaluate_all("all => all.map(one => one.id).filter(Boolean)")
    return [wide, [one for one in out if one not in [*inside, *names]]]


def links_in_text(page: Page) -> set[str]:
    """Links within lines of text, which WCAG excepts."""
    return set(page.locator("p a, li .person a").all_inner_texts())


def test_a_wide_table_keeps_its_first_column_in_sight(house):
    page = house.page(house.visitor(), "/rooms", viewport={"width": 320, "height": 740})
    table = page.locator(".scroll").last
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")
    table.scroll_into_view_if_needed()
    table.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    for cell in (
        table.get_by_role("rowheader", name="Win"),
        table.get_by_role("cell", name="+20", exact=True),
    ):
        expect(cell).to_be_in_viewport(ratio=1)


def test_what_is_in_a_row_of_ones_own_seek_can_be_read(house):
    page = house.page(house.visitor())
    page.locator("[data-clock='30+0']").click()
    button = page.get_by_role("button", name="Close your seek")
    assert button.evaluate("button => button.scrollWidth <= button.clientWidth")
    page.get_by_role("button", name="Cancel").click()
    expect(button).to_have_count(0)


def test_a_question_and_its_answers_have_room_on_a_small_phone(house):
    viewport = {"width": 320, "height": 640}
    ann, bert = house.visitor("A-name-so-long"), house.visitor("A-long-name")
    game = house.game(ann, bert, moves=OPENING, stake=100, rated=True)
    table = house.table(game, ann, viewport=viewport)
    table.press("Resign")
    expect(table.answers).to_be_visible()
    cut = "part => part.scrollHeight > part.clientHeight"
    assert not table.question.evaluate(cut)
    assert not table.page.locator("#asked").evaluate(cut)


def test_what_a_button_opens_is_beside_it(house):
    ann = house.visitor()
    game = house.game(ann, house.visitor(), moves=OPENING)
    table = house.table(game, ann)
    buttons = [("No stake", "#terms"), ("Mute or report", "#conduct")]
    for width, _ in sized(table, (320, 800), (768, 800), (1280, 800)):
        for name, opened in buttons:
            where = f"{name} at {width}"
            table.press(name)
            button = table.button(name).bounding_box()
            box = table.page.locator(opened).bounding_box()
            assert button is not None and box is not None, where
            above = button["y"] - (box["y"] + box["height"])
            below = box["y"] - (button["y"] + button["height"])
            assert 0 <= max(above, below) <= 16, where
            assert box["y"] >= 0 and box["y"] + box["height"] <= 800, where
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, where
            table.page.keyboard.press("Escape")


def test_the_board_and_both_clocks_are_on_a_small_phone_at_once(house):
    ann = house.visitor()
    game = house.game(ann, house.visitor(), moves=OPENING)
    table = house.table(game, ann, viewport={"width": 320, "height": 568})
    for part in (table.far, table.near, table.page.get_by_role("grid")):
        expect(part).to_be_in_viewport(ratio=1)
    box = table.page.get_by_role("grid").bounding_box()
    assert box is not None
    assert box["width"] >= 310


def test_a_table_is_in_sight_as_a_whole_on_a_common_screen(house):
    ann = house.visitor()
    table = house.table(house.game(ann, house.visitor(), moves=OPENING), ann)
    for size in sized(table, (1280, 800), (1366, 768), (1440, 900)):
        assert table.page.evaluate("document.documentElement.scrollHeight") == size[1], size
        for name in ("Resign", "Offer draw", "Play"):
            expect(table.button(name), str(size)).to_be_in_viewport(ratio=1)


def test_the_clocks_stay_in_sight_on_a_short_screen(house):
    ann = house.visitor()
    table = house.table(house.game(ann, house.visitor(), moves=OPENING), ann)
    for size in sized(table, (1366, 657), (1280, 720), (900, 600), (844, 390)):
        for where in ("0", "document.documentElement.scrollHeight"):
            table.page.evaluate(f"scrollTo(0, {where})")
            for part in (table.far, table.near):
                expect(part, f"{size}, scrolled to {where}").to_be_in_viewport(ratio=0.9)
        assert overflow(table.page) == [False, []], size


def shifts(page: Page) -> list[Any]:
    two_frames(LiveTable(page, ""))
    return list(page.evaluate("shifts"))


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_a_table_never_shifts(house, width):
    """From its first paint on: moves, offers, talk, absence and the end leave all in place."""
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert, moves=OPENING, stake=10, rated=True)
    context = house.context(ann, viewport={"width": width, "height": 800})
    context.add_init_script(SHIFTS)
    black = LiveTable(context.new_page(), house.url).sit_down(game)
    white = house.table(game, bert)
    black.play("15x22")
    white.play("25x18")
    white.press("Offer draw")
    expect(black.answers).to_be_visible()
    black.answer("Decline")
    white.press("Good move!")
    expect(black.lines).to_contain_text("Good move!")
    white.cut()
    expect(black.note).to_contain_text("is away")
    white.mend()
    expect(black.note).not_to_contain_text("is away")
    white.press("Resign")
    white.answer("Resign")
    expect(black.note).to_contain_text("+10 chips")
    assert shifts(black.page) == []


@pytest.mark.parametrize("width", [320, 1280])
def test_the_lobby_does_not_shift_as_it_fills(house, width):
    ann = house.visitor("Ann")
    house.game(ann, house.visitor(), "3 days a move")
    context = house.context(ann, viewport={"width": width, "height": 900})
    context.add_init_script(SHIFTS)
    page = context.new_page()
    page.goto(f"{house.url}lobby")
    expect(page.get_by_role("list", name="Your games").get_by_role("link")).to_have_count(1)
    other = house.page(house.visitor())
    other.locator("#quick-rated [value=rated]").check()
    other.locator("[data-clock='30+0']").click()
    seeks = page.get_by_role("list", name="Open seeks").get_by_role("listitem")
    expect(seeks).not_to_have_count(0)
    page.locator("[data-clock='10+5']").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    for each in (page, other):
        each.get_by_role("button", name="Cancel").click()
    expect(seeks.filter(has_text="30+0")).to_have_count(0)
    # Rows of a list give way to one another, and what is below a list to the list.
    moved = {name for item in shifts(page) for name in item[1]}
    assert moved <= {"LI", "end row", "stack", "online", "seeks", "watch-card"}


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_as_the_person_wishes(house, motion):
    ann = house.visitor()
    game = house.game(ann, house.visitor(), moves=OPENING)
    table = house.table(game, ann, reduced_motion=motion)
    table.cut()
    table.click(15, 22)
    expect(table.board).to_have_attribute("data-pending", "")
    running = table.page.evaluate(RUNNING)
    assert (running == 0) == (motion == "reduce")


def test_whose_turn_it_is_and_who_is_here_are_seen_in_forced_colours(house):
    ann = house.visitor()
    game = house.game(ann, house.visitor(), moves=OPENING)
    table = house.table(game, ann, forced_colors="active")
    colours = [
        seat.locator(".clock").evaluate("clock => getComputedStyle(clock).borderColor")
        for seat in (table.far, table.near)
    ]
    assert colours[0] != colours[1]
    dots = [
        seat.locator(".person").evaluate(
            "person => getComputedStyle(person, '::before').backgroundColor"
        )
        for seat in (table.far, table.near)
    ]
    assert dots[0] != dots[1]


def weigh(house: House, path: str, visit: object) -> int:
    answers: list[Response] = []
    page = house.context(house.visitor()).new_page()

    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)
    page.goto(f"{house.url.rstrip('/')}{path}")
    visit(page)  # type: ignore[operator]
    # The worker's script, of one line, is not told by its size.
    scripts = [one for one in answers if one.url.endswith(".js") and "pulse" not in one.url]
    assert len(scripts) > 5
    return sum(answer.request.sizes()["responseBodySize"] for answer in scripts)


def test_the_scripts_are_small(house):
    game = house.match(moves=OPENING)[0].game
    table = weigh(house, f"/game/{game}", lambda page: LiveTable(page, house.url).connected())
    assert table < TABLE_BYTES
    crowd = "being played"
    lobby = weigh(
        house, "/lobby", lambda page: expect(page.locator("#crowd")).to_contain_text(crowd)
    )
    assert lobby < LOBBY_BYTES
