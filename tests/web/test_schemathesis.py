"""The whole HTTP interface, asked in thousands of ways that its document allows or forbids."""

from __future__ import annotations

import os
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2 as httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingme.bus import open_bus
from kingme.store import open_store
from kingme.web.accounts import RegistrationSent
from kingme.web.app import create_app
from kingme.web.auth import COOKIE, wall_clock
from kingme.web.limits import Limits
from kingme.web.openapi import EXAMPLES
from kingme.web.ports import LivePorts, Ports
from kingme.web.settings import Settings

from .conftest import FirstMove, serving

PROGRAM = Path(sys.executable).with_name("st")
ACCEPTED = ["2xx", "401", "403", "404", "409", "422"]
"""What may become of a request that fits the document; 422 says why it cannot be done."""

CHANGING = "/api/(account/password|sessions?)$"
"""Operations that end the session in which the others are asked."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Iterator[str]:
    """The whole server with all its parts, which takes any number of requests."""
    chosen = Settings(database=f"sqlite:///{tmp_path_factory.mktemp('whole')}/kingme.db")

    def store():
        made = open_store(chosen.database_url)
        made.migrate()
        return made

    async def unlimited(*_):
        return None

    ports = Ports(FirstMove(), LivePorts(store, lambda: open_bus(None), wall_clock))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Limits, "spend", unlimited)
        with serving(create_app(chosen, ports, production=True)) as base:
            yield base


@pytest.fixture(scope="module")
def session(whole) -> str:
    """The token of a session of Anna's, who is not alone."""
    with httpx.Client(base_url=whole, timeout=60) as browser:
        for name in ("Bella", "Anna"):
            browser.cookies.clear()
            sent = EXAMPLES[RegistrationSent] | {"name": name}
            assert browser.post("/api/account", json=sent).status_code == 201
        return browser.cookies[COOKIE]


@pytest.fixture(scope="module")
def browser(whole) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=whole, timeout=60) as made:
        yield made


def explore(base, session, folder, *options):
    """Let schemathesis try the interface, with every check that it knows."""
    path = folder / "schemathesis.toml"
    path.write_text(
        f'[auth.openapi.session]\napi_key = "{session}"\n'
        f"[checks.positive_data_acceptance]\nexpected-statuses = {ACCEPTED}\n"
    )
    command = [PROGRAM, "--config-file", path, "--no-color", "run", f"{base}/api/openapi.json"]
    done = subprocess.run(
        [*command, "--checks", "all", "--continue-on-failure", "--seed", "1", *options],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Tested:" in done.stdout
    return done.stdout


def test_all_that_a_session_can_ask(whole, session, tmp_path):
    said = explore(
        *(whole, session, tmp_path, "--max-examples", "15"),
        *("--exclude-path-regex", CHANGING),
    )
    assert "Authentication failed" not in said


def test_what_ends_a_session(whole, session, tmp_path):
    explore(
        *(whole, session, tmp_path, "--max-examples", "15"),
        *("--include-path-regex", CHANGING),
    )


WORDS = st.text(max_size=30) | st.text(string.printable, max_size=30)
PAGES = st.sampled_from(
    [
        *("/account", "/leaders", "/rooms", "/lobby", "/player/{}", "/player/{}/games.pdn"),
        *("/game/{}", "/game/{}.pdn", "/join/{}", "/{}", "/static/{}", "/metrics", "/live"),
    ]
)
QUERIES = st.dictionaries(
    st.sampled_from(["next", "before", "lines", "speed", "room", "stake", "fen"]) | WORDS,
    WORDS,
    max_size=3,
)
FORMS = st.dictionaries(
    st.sampled_from(["do", "name", "password", "current", "email", "next"]) | WORDS,
    st.sampled_from(["login", "register", "password", "logout", "everywhere", "Anna"]) | WORDS,
    max_size=7,
)


@settings(max_examples=300)
@given(PAGES, WORDS, QUERIES, st.booleans())
def test_pages_never_fail(browser, session, path, word, query, known):
    browser.cookies.clear()
    if known:
        browser.cookies.set(COOKIE, session)
    address = path.format(quote(word, safe=""))
    answer = browser.get(address, params=query, headers={"Accept": "text/html"})
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


@settings(max_examples=200)
@given(FORMS | st.binary(max_size=200))
def test_forms_never_fail(browser, form):
    browser.cookies.clear()
    if isinstance(form, bytes):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = browser.post("/account", content=form, headers=headers)
    else:
        answer = browser.post("/account", data=form)
    assert answer.status_code in (303, 400, 401, 415, 422), answer.text
    assert "Traceback" not in answer.text
