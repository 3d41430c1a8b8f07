"""Bad networks, refusals and restarts: nothing is lost, nothing happens twice, and it is told."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tests.conftest import ROOT, read_address
from tests.e2e.live_table import House, LiveTable

from kingme import History
from kingme.play.events import DrawOffered, Moved

OPENING = ("11-15", "22-18")


def after(*moves: str) -> Any:
    history = History.start()
    for move in moves:
        history = history.play(move)
    return history.position


def moves_in(house: House, game: str) -> list[str]:
    return [event.move for event in house.events(game) if isinstance(event, Moved)]


class Relay:
    """Stands between a page and the server, and lets through what it is told to."""

    def __init__(self, table: LiveTable) -> None:
        self.mute = False
        self.refuse: set[str] = set()
        self.drop: set[str] = set()
        self.sent: list[dict[str, Any]] = []
        self.opened = 0
        table.page.route_web_socket(re.compile("/live$"), self._open)

    def _open(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self.opened += 1

        def upward(message: str | bytes) -> None:
            frame = json.loads(message)
            self.sent.append(frame)
            if frame["t"] in self.refuse:
                self.refuse.remove(frame["t"])
                away = {"t": "no", "code": "storage", "message": "The records are away."}
                page.send(json.dumps({**away, "game": frame.get("game")}))
            elif not self.mute:
                server.send(message)

        def downward(message: str | bytes) -> None:
            if not self.mute and json.loads(message)["t"] not in self.drop:
                page.send(message)

        page.on_message(upward)
        server.on_message(downward)

    def asked(self, what: str) -> list[dict[str, Any]]:
        return [frame for frame in self.sent if frame.get("what") == what]


def relayed(house: House, game: str, visitor: Any) -> tuple[LiveTable, Relay]:
    """A table with a relay before it."""
    table = LiveTable(house.context(visitor).new_page(), house.url)
    relay = Relay(table)
    return table.sit_down(game), relay


@pytest.fixture
def pair(house):
    """Two people at a game that has begun; Black's connection can be disturbed."""
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert, moves=OPENING)
    black, relay = relayed(house, game, ann)
    return black, house.table(game, bert), relay


def test_a_move_is_shown_at_once_and_marked_until_it_is_confirmed(house, pair):
    black, white, relay = pair
    relay.mute = True
    black.click(15, 22)
    black.shows(after(*OPENING, "15x22"))
    expect(black.board).to_have_attribute("data-pending", "")
    expect(black.note).to_have_text("Your move is on its way, not confirmed yet.")
    white.shows(after(*OPENING))
    assert moves_in(house, black.game) == list(OPENING)
    relay.mute = False
    white.shows(after(*OPENING, "15x22"))
    expect(black.board).not_to_have_attribute("data-pending", "")
    expect(black.note).not_to_contain_text("confirmed")
    asked = relay.asked("play")
    assert len(asked) > 1  # it was sent again
    assert len({frame["id"] for frame in asked}) == 1
    assert moves_in(house, black.game) == [*OPENING, "15x22"]


def test_an_answer_that_is_lost_changes_nothing(house, pair):
    """What was done is not done again, though it is asked for again."""
    black, white, relay = pair
    relay.drop = {"ack"}
    black.press("Offer draw")
    expect(white.answers).to_be_visible()
    white.answer("Decline")
    while len(relay.asked("offer_draw")) < 2:
        black.page.wait_for_timeout(50)
    relay.drop = set()
    expect(black.button("Take back")).to_be_enabled()
    assert len([event for event in house.events(black.game) if isinstance(event, DrawOffered)]) == 1


def test_events_that_are_missed_are_asked_for(pair):
    black, white, relay = pair
    black.play("15x22")
    white.shows(after(*OPENING, "15x22"))
    relay.drop = {"events"}
    white.play("25x18")
    white.press("Good move!")
    relay.drop = set()
    white.press("Thank you!")  # comes with a gap before it
    black.shows(after(*OPENING, "15x22", "25x18"))
    expect(black.lines.get_by_role("listitem")).to_have_count(2)


def test_a_page_that_was_put_aside_by_the_browser_goes_on_when_it_comes_back(pair):
    """A browser keeps the page that one leaves as it is, and shows it again on the way back."""
    black, white, relay = pair
    show = "name => { dispatchEvent(new PageTransitionEvent(name, { persisted: true })); }"
    black.play("15x22")
    white.shows(after(*OPENING, "15x22"))
    opened = relay.opened
    black.page.evaluate(show, "pagehide")
    white.play("25x18")
    black.page.evaluate(show, "pageshow")
    black.shows(after(*OPENING, "15x22", "25x18"))
    assert relay.opened == opened + 1
    black.play("12-16")
    white.shows(after(*OPENING, "15x22", "25x18", "12-16"))


def test_following_is_asked_for_until_it_is_answered(house):
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert, moves=OPENING)
    table = LiveTable(house.context(ann).new_page(), house.url)
    relay = Relay(table)
    relay.refuse = {"follow"}
    table.sit_down(game)
    assert len([frame for frame in relay.sent if frame["t"] == "follow"]) == 2
    white = house.table(game, bert)
    table.play("15x22")
    white.play("25x18")
    table.shows(after(*OPENING, "15x22", "25x18"))


def test_the_lobby_is_asked_for_until_it_is_there(house):
    page = house.context(house.visitor()).new_page()
    relay = Relay(LiveTable(page, house.url))
    relay.refuse = {"watch"}
    page.goto(f"{house.url}lobby")
    expect(page.locator("#crowd")).to_contain_text("being played")


def test_a_game_that_began_is_found_though_the_word_of_it_is_lost(house):
    page = house.context(house.visitor()).new_page()
    relay = Relay(LiveTable(page, house.url))
    relay.drop = {"paired"}
    page.goto(f"{house.url}lobby")
    other = house.page(house.visitor())
    for each in (page, other):
        expect(each.locator("#crowd")).to_contain_text("being played")
        each.locator("#quick-rated [value=rated]").check()
        each.locator("[data-clock='30+0']").click()
    tables = [LiveTable(each, house.url).sit_down() for each in (page, other)]
    assert tables[0].game == tables[1].game


def test_a_silent_connection_is_given_up_and_made_anew(pair):
    black, white, relay = pair
    relay.mute = True
    expect(black.note).to_contain_text("Offline, last contact", timeout=20_000)
    expect(black.panel).to_have_attribute("data-state", "offline")
    relay.mute = False
    black.connected()
    assert relay.opened > 1
    black.play("15x22")
    white.shows(after(*OPENING, "15x22"))


def test_no_clock_runs_on_the_screen_while_the_server_is_away(pair):
    black, white, _ = pair
    black.cut()
    expect(black.near).to_have_attribute("data-still", "")
    shown = black.clock(black.near)
    expect(white.far.locator(".clock b")).not_to_have_text(shown)
    white.page.wait_for_function(
        "shown => document.querySelector('#far .clock b').textContent < shown", arg=shown
    )
    assert black.clock(black.near) == shown
    assert black.far.get_attribute("data-running") is None
    black.mend()
    expect(black.near).not_to_have_attribute("data-still", "")
    expect(black.near.locator(".clock b")).not_to_have_text(shown)


def test_a_move_made_offline_is_sent_afterwards(house, pair):
    black, white, _ = pair
    black.cut()
    black.click(15, 22)
    black.shows(after(*OPENING, "15x22"))
    expect(black.note).to_contain_text("Your move is kept and will be sent.")
    white.shows(after(*OPENING))
    black.mend()
    white.shows(after(*OPENING, "15x22"))
    assert moves_in(house, black.game) == [*OPENING, "15x22"]


def test_a_move_that_comes_too_late_goes_back_with_the_reason(house):
    """One player, two devices: the one that was cut off finds the game gone on."""
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert)
    cut, other, white = house.tables(game, ann, ann, bert)
    cut.cut()
    cut.click(11, 15)
    cut.shows(after("11-15"))
    other.play("9-14")
    white.shows(after("9-14"))
    cut.mend()
    cut.shows(after("9-14"))
    expect(cut.message).to_have_text("The game has gone on: look at the board and move again.")
    expect(cut.alert).to_contain_text("The game has gone on")
    assert moves_in(house, game) == ["9-14"]


def test_a_game_that_ended_meanwhile_is_shown_as_it_ended(house):
    black, white = house.match(moves=OPENING)
    white.cut()
    black.press("Resign")
    black.answer("Resign")
    expect(black.status).to_have_text("You lose")
    white.mend()
    expect(white.status).to_have_text("You win")
    expect(white.message).to_have_text(re.compile(r"^Bert\w+ wins\. Ann\w+ resigned\.$"))


def test_signing_out_elsewhere_makes_a_player_a_spectator(house):
    ann, bert = house.visitor("Ann"), house.visitor("Bert")
    game = house.game(ann, bert, moves=OPENING)
    black = house.table(game, ann)
    tab = black.page.context.new_page()
    tab.goto(f"{house.url}account")
    tab.get_by_role("button", name="Sign out").first.click()
    expect(black.button("Resign")).to_have_count(0)
    expect(black.page.locator("#me")).to_have_text("Sign in")


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Any]:
    """A server that can be killed and started again on the same data and port."""
    environment = {**os.environ, "KINGME_DATA_DIR": str(tmp_path)}
    running: list[subprocess.Popen[str]] = []

    def start(port: int = 0) -> str:
        command = [sys.executable, "-m", "kingme", "play", "--no-browser", "--port", str(port)]
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        return read_address(process, [])

    def kill() -> None:
        running[-1].send_signal(signal.SIGKILL)
        running[-1].communicate()

    yield start, kill
    kill()


def test_a_server_that_is_killed_and_started_again(restarted, new_context, tmp_path, monkeypatch):
    start, kill = restarted
    url = start()
    monkeypatch.setenv("KINGME_DATA_DIR", str(tmp_path))
    with urllib.request.urlopen(f"{url}lobby") as answer:
        answer.read()
    house = House(url, new_context, f"sqlite:///{tmp_path / 'kingme.db'}")
    black, white = house.match(moves=OPENING)
    kill()
    expect(black.note).to_contain_text("Offline, last contact")
    black.click(15, 22)
    white.shows(after(*OPENING))
    start(int(url.rstrip("/").rpartition(":")[2]))
    for table in (black, white):
        table.connected(30_000).shows(after(*OPENING, "15x22"))
    white.play("25x18")
    black.has_played(*OPENING, "15x22", "25x18")
    assert moves_in(house, black.game) == [*OPENING, "15x22", "25x18"]
    house.store.close()
