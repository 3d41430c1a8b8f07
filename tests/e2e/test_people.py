"""The pages of accounts, players, rooms and leaders in a real browser, with scripts and without."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.test_axe import violations

PASSWORD = "a horse of paper"
NUMBERS = itertools.count(1)


def somebody() -> str:
    """A name that nobody has yet."""
    return f"Visitor{next(NUMBERS):03}"


def register(page: Page, base: str, name: str, following: str = "") -> None:
    page.goto(f"{base}account{following}")
    form = page.get_by_role("region", name="Make an account")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Make an account").click()
    expect(page.locator("#me")).to_have_text(name)


def sign_in(page: Page, name: str, password: str) -> None:
    form = page.get_by_role("region", name="Sign in")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Sign in").click()


def alert(page: Page):
    return page.get_by_role("alert").filter(has_text=".")


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_an_account_from_first_to_last(new_context, server_url, scripts):
    page = new_context(java_script_enabled=scripts).new_page()
    name = somebody()
    register(page, server_url, name)
    expect(page.locator("dd").first).to_have_text("150")

    page.get_by_label("Current password").fill("not this one")
    page.get_by_label("New password").fill("another paper horse")
    page.get_by_role("button", name="Change password").click()
    expect(alert(page)).to_have_text("The current password is another one.")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password").fill("another paper horse")
    with page.expect_navigation():
        page.get_by_role("button", name="Change password").click()
    expect(alert(page)).to_have_count(0)

    page.get_by_role("button", name="Sign out everywhere").click()
    expect(page.locator("#me")).to_have_text("Sign in")
    sign_in(page, name, PASSWORD)
    expect(alert(page)).to_have_text("There is no account with this name and password.")
    sign_in(page, name.lower(), "another paper horse")
    expect(page.locator("#me")).to_have_text(name)


def test_what_is_wrong_is_said_where_it_is(page, server_url):
    register(page, server_url, name := somebody())
    page.get_by_role("button", name="Sign out", exact=True).click()
    form = page.get_by_role("region", name="Make an account")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill("password1")
    form.get_by_role("button").click()
    expect(alert(page)).to_have_text("This password is among the first that are guessed.")
    expect(form.get_by_label("Password")).to_be_focused()
    expect(form.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button").click()
    expect(alert(page)).to_have_text(f"The name {name} is taken.")
    expect(form.get_by_label("Name")).to_be_focused()


def test_one_comes_back_to_where_one_was_going(page, server_url):
    register(page, server_url, somebody(), "?next=/rooms")
    expect(page).to_have_url(f"{server_url}rooms")


def test_without_a_network_one_is_told_so(page, server_url):
    page.goto(f"{server_url}account")
    page.context.set_offline(True)
    sign_in(page, "Anna", PASSWORD)
    expect(alert(page)).to_contain_text("The server cannot be reached.")


def test_mute_and_report(house):
    one, two = house.visitor(), house.visitor()
    page = house.page(one, f"/player/{two.name}")
    page.get_by_role("button", name="Mute").click()
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Unmute").click()
    expect(page.get_by_role("button", name="Mute", exact=True)).to_be_visible()
    page.get_by_text(f"Report {two.name}").click()
    page.get_by_label("What happened?").fill("Nothing, really.")
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_role("status").filter(has_text="Thank you")).to_be_visible()


@pytest.mark.parametrize(("width", "schemes"), [(320, ["light"]), (1280, ["light", "dark"])])
def test_axe_finds_nothing(house, width, schemes):
    options = {"reduced_motion": "reduce", "viewport": {"width": width, "height": 900}}
    one, two, guest = (
        house.visitor(),
        house.visitor("Two", membership="vip"),
        house.visitor(guest=True),
    )
    house.game(one, two, moves=["11-15", "22-18"], rated=True, stake=10)
    found = []

    def look(visitor, *paths):
        page = house.page(visitor, "/account", **options)
        for path in paths:
            page.goto(f"{house.url}{path}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{path} is {wide} wide")
            found.extend(f"{path}: {text}" for text in violations(page, *schemes))
        return page

    look(None, "account", "rooms", "leaders")
    look(guest, "account", "rooms", f"player/{guest.name}")
    page = look(one, "account", "rooms", f"player/{one.name}", f"player/{two.name}")
    page.get_by_text(f"Report {two.name}").click()
    found.extend(violations(page, *schemes))
    assert not found, "\n".join(found)
