"""Figures, health, and logs that tell much and betray nothing."""

from __future__ import annotations

import io
import json
import logging
import re

import anyio
import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.requests import Request

from kingme.errors import Unavailable
from kingme.web.auth import COOKIE
from kingme.web.logs import HIDDEN, redact, set_up
from kingme.web.metrics import Health, Metrics, routes, watched
from kingme.web.settings import Settings

from .town import PASSWORD, town


@pytest.fixture
def place(tmp_path):
    with town(tmp_path) as made:
        yield made


class TestFigures:
    def test_requests_are_counted_by_route_and_status(self, place):
        browser = place.browser()
        browser.get("/api/rooms")
        browser.get("/api/player/one")
        browser.get("/api/player/two")
        browser.get("/nowhere/at/all")
        browser.request("BREW", "/api/rooms")
        text = browser.get("/metrics").text
        for line in (
            'kingme_requests_total{method="GET",route="/api/rooms",status="200"} 1.0',
            'kingme_requests_total{method="GET",route="/api/player/{name}",status="404"} 2.0',
            'kingme_requests_total{method="GET",route="none",status="404"} 1.0',
            'kingme_requests_total{method="other",route="/api/rooms",status="405"} 1.0',
            'kingme_request_seconds_count{route="/api/rooms"} 2.0',
        ):
            assert line in text
        assert "nowhere" not in text

    def test_figures_of_the_games(self):
        metrics = Metrics()
        metrics.watch(lambda: {"games": 3, "calls": 7}, ["calls"])
        metrics.sockets.inc()
        metrics.moves.inc()
        metrics.move_seconds.observe(0.004)
        metrics.store_errors.labels("append").inc()
        text = metrics.text().decode()
        for line in (
            "# TYPE kingme_games gauge\nkingme_games 3.0",
            "kingme_calls_total 7.0",
            "kingme_sockets 1.0",
            "kingme_moves_total 1.0",
            'kingme_move_seconds_bucket{le="0.005"} 1.0',
            'kingme_store_errors_total{operation="append"} 1.0',
        ):
            assert line in text

    def test_a_store_that_fails_is_counted_by_what_was_asked(self, place):
        metrics = Metrics()
        store = watched(place.store, metrics)
        assert store.kind == "sqlite"
        assert store.users.user("Anna") is None
        place.store._database.read = fails
        for _ in range(2):
            with pytest.raises(Unavailable):
                store.users.user("Anna")
        text = metrics.text().decode()
        assert 'kingme_store_errors_total{operation="users.user"} 2.0' in text

    @pytest.mark.parametrize(
        ("client", "headers", "settings", "status"),
        [
            ("127.0.0.1", {}, {}, 200),
            ("::1", {}, {}, 200),
            ("::ffff:127.0.0.1", {}, {}, 200),
            ("192.0.2.1", {}, {}, 404),
            ("testclient", {}, {}, 404),
            ("127.0.0.1", {"x-forwarded-for": "192.0.2.1"}, {}, 404),
            ("127.0.0.1", {"forwarded": "for=192.0.2.1"}, {}, 404),
            ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, {"proxies": ("127.0.0.1",)}, 200),
            ("192.0.2.1", {}, {"metrics": ("192.0.2.0/24",)}, 200),
            ("127.0.0.1", {}, {"metrics": ()}, 404),
        ],
    )
    def test_for_those_who_watch_alone(self, client, headers, settings, status):
        (show,) = [route.endpoint for route in routes(Metrics(), Settings(**settings))]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/metrics",
            "client": (client, 1),
            "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        }

        async def ask():
            try:
                return (await show(Request(scope))).status_code
            except HTTPException as error:
                return error.status_code

        assert anyio.run(ask) == status


def fails(*_):
    raise Unavailable("no answer")


class TestHealth:
    def test_well(self, place):
        assert anyio.run(place.community.health.trouble) is None
        assert anyio.run(Health().trouble) is None

    def test_about_to_stop(self):
        health = Health()
        health.draining = True
        assert anyio.run(health.trouble) == "draining"

    def test_games_do_not_go_on(self):
        health = Health()
        health.lively = lambda: False
        assert anyio.run(health.trouble) == "games"

    def test_a_store_that_is_away(self):
        class Away:
            @property
            def sessions(self):
                return self

            session = fails

        assert anyio.run(Health(Away()).trouble) == "store"


@pytest.fixture
def lines():
    """What is logged as JSON while a test runs."""
    root = logging.getLogger()
    before = root.handlers, root.level
    stream = io.StringIO()
    set_up(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers, root.level = before
    structlog.reset_defaults()


class TestLogs:
    def test_a_request_has_an_id_in_the_log_and_in_its_answer(self, place, lines):
        answer = place.browser().get("/api/rooms", params={"secret": "x"})
        (line,) = [line for line in lines() if line["event"] == "request"]
        assert line["request"] == answer.headers["x-request-id"]
        assert (line["method"], line["path"], line["status"]) == ("GET", "/api/rooms", 200)
        assert line["address"] == "127.0.0.1"
        assert line["level"] == "info"
        assert "secret" not in json.dumps(line)

    def test_a_failure_is_told_with_the_id_of_its_request(self, place, lines):
        def fail(*_):
            raise RuntimeError(f"postgresql://me:hunter22@db {COOKIE}={'t' * 43} {'s' * 43}")

        place.store.users.user = fail
        answer = place.browser().get("/api/player/Anna")
        assert answer.status_code == 500
        assert "hunter22" not in answer.text
        (line,) = [line for line in lines() if line["level"] == "error"]
        assert line["request"] == answer.headers["x-request-id"]
        assert "RuntimeError" in line["exception"]
        for secret in ("hunter22", "t" * 43, "s" * 43):
            assert secret not in json.dumps(line)

    def test_nothing_of_a_person_is_logged(self, place, lines):
        browser = place.account("Anna", email="anna@example.org")
        sent = {"name": "Anna", "password": "a wrong guess"}
        browser.post("/api/session/login", json=sent)
        browser.post("/account", data={"do": "login", **sent})
        browser.get("/join/privatecode")
        said = json.dumps(lines())
        for secret in (PASSWORD, "wrong guess", "anna@", "privatecode", browser.cookies[COOKIE]):
            assert secret not in said

    def test_what_structlog_is_told_is_hidden_too(self, lines):
        log = structlog.get_logger("kingme")
        log.warning("x", token="abc", deep={"password": ["abc"], "a": [{"Cookie": "abc"}]}, n=1)
        (line,) = lines()
        assert "abc" not in json.dumps(line)
        assert line["n"] == 1


SECRETS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=8, max_size=40)
PLACES = st.sampled_from(
    [
        lambda secret: {"password": secret},
        lambda secret: {"new_password": secret},
        lambda secret: {"Set-Cookie": secret},
        lambda secret: {"session_token": {"a": secret}},
        lambda secret: {"x": [{"authorization": secret}]},
        lambda secret: {"event": f"{COOKIE}={secret}; path=/"},
        lambda secret: {"event": f"redis://:{secret}@host"},
        lambda secret: {"event": f"GET /join/{secret}?x=1"},
        lambda secret: {"event": f"$argon2id$v=19$m=8,t=1,p=1${secret}$abc"},
        lambda secret: {"exception": f"Login(name='a', password='{secret}')"},
        lambda secret: {"event": f'{{"password": "{secret}"}}'},
        lambda secret: {"x": ("a", frozenset({f"token={secret}"}))},
        lambda secret: {"x": type("T", (), {"__str__": lambda _: f"secret: {secret}"})()},
        lambda secret: {"code": secret},
        lambda secret: {"email": secret},
    ]
)


@given(SECRETS, PLACES)
def test_no_secret_gets_through(secret, place):
    told = repr(redact(None, "", place(f"zz{secret}")))
    assert f"zz{secret}" not in told
    assert HIDDEN in told


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=20))
def test_other_things_can_be_read(value):
    told = redact(None, "", {"x": value})
    assert json.loads(json.dumps(told)) is not None
    words = {"event": "a game began", "game": "K7P2QX", "path": "/player/Anna", "ms": 1.5}
    assert redact(None, "", words) == words


def test_ids_are_not_taken_for_tokens():
    assert redact(None, "", {"x": "a" * 32})["x"] == "a" * 32
    assert re.fullmatch(r"\[redacted\]", redact(None, "", {"x": "-a" * 21 + "b"})["x"])
