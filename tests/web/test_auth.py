"""Sessions and passwords: what is kept, what is sent, and for how long."""

from __future__ import annotations

import hashlib

import anyio
import pytest
from argon2 import PasswordHasher
from starlette.requests import Request
from starlette.responses import Response

from kingme.store import open_store
from kingme.web.auth import COOKIE, SESSION_DAYS, Auth, Passwords, token_of
from kingme.web.guard import RequestError

from .town import DAY, MONDAY, Clock, quick


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store():
    made = open_store("sqlite://")
    made.migrate()
    yield made
    made.close()


@pytest.fixture
def auth(store, clock):
    return Auth(store, now=clock)


def cookie(token):
    return {"cookie": f"other=1; {COOKIE}={token}; more=2"}


def request(headers=None, scheme="http"):
    return Request(
        {
            "type": "http",
            "method": "GET",
            "scheme": scheme,
            "path": "/",
            "query_string": b"",
            "headers": [(key.encode(), value.encode()) for key, value in (headers or {}).items()],
        }
    )


def sent(response):
    return response.headers["set-cookie"]


class TestSessions:
    def test_a_token_opens_a_session(self, store, auth):
        user = store.users.add("Anna", MONDAY)
        token = anyio.run(auth.start, user)
        assert len(token) == 43
        assert anyio.run(auth.identify, cookie(token)).id == user.id

    def test_the_store_keeps_the_hash_alone(self, store, auth):
        user = store.users.add("Anna", MONDAY)
        token = anyio.run(auth.start, user)
        hashed = hashlib.sha256(token.encode()).digest()
        assert store.sessions.session(hashed, MONDAY).id == user.id
        assert store.sessions.session(token.encode(), MONDAY) is None

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"cookie": ""},
            {"cookie": "kingme_session"},
            {"cookie": "kingme_session="},
            {"cookie": "kingme_session=short"},
            {"cookie": f"kingme_session={'x' * 44}"},
            {"cookie": f"kingme_session={'é' * 43}"},
            {"cookie": f"kingme_session={'x' * 43}"},
            {"cookie": ";;;=;\x01"},
        ],
    )
    def test_nobody(self, auth, headers):
        assert anyio.run(auth.identify, headers) is None
        with pytest.raises(RequestError) as caught:
            anyio.run(auth.require, headers)
        assert caught.value.status == 401

    def test_they_last_ninety_days_from_the_last_visit(self, store, auth, clock):
        token = anyio.run(auth.start, store.users.add("Anna", MONDAY))
        for _ in range(3):
            clock.now += (SESSION_DAYS - 2) * DAY
            assert anyio.run(auth.identify, cookie(token)) is not None
        clock.now += SESSION_DAYS * DAY
        assert anyio.run(auth.identify, cookie(token)) is None

    def test_a_second_process_prolongs_them_too(self, store, auth, clock):
        token = anyio.run(auth.start, store.users.add("Anna", MONDAY))
        other = Auth(store, now=clock)
        clock.now += (SESSION_DAYS - 1) * DAY
        assert anyio.run(other.identify, cookie(token)) is not None
        clock.now += (SESSION_DAYS - 1) * DAY
        assert anyio.run(auth.identify, cookie(token)) is not None

    def test_who_was_here_is_noted(self, store, auth, clock):
        user = store.users.add("Anna", MONDAY)
        token = anyio.run(auth.start, user)
        clock.now += DAY
        assert anyio.run(auth.identify, cookie(token)).seen == clock.now
        assert store.users.user(user.id).seen == clock.now


class TestCookies:
    def test_by_http_and_https(self, auth):
        plain, secure = Response(), Response()
        auth.keep(request(), plain, "t" * 43)
        auth.keep(request(scheme="https"), secure, "t" * 43)
        for flag in ("HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={90 * 24 * 3600}"):
            assert flag in sent(plain)
            assert flag in sent(secure)
        assert "Secure" not in sent(plain)
        assert "Secure" in sent(secure)

    def test_the_browser_keeps_the_one_it_sent(self, auth):
        response = Response()
        auth.keep(request(cookie("t" * 43)), response)
        assert sent(response).startswith(f"{COOKIE}={'t' * 43};")
        nothing = Response()
        auth.keep(request(), nothing)
        assert "set-cookie" not in nothing.headers

    def test_forgetting(self, auth):
        response = Response()
        auth.forget(request(), response)
        assert sent(response).startswith(f'{COOKIE}=""')
        assert "Max-Age=0" in sent(response)

    def test_one_among_others(self):
        assert token_of(cookie("t" * 43)) == "t" * 43


class TestPasswords:
    def test_argon2id(self):
        hashed = anyio.run(Passwords().hash, "a horse of paper")
        assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")

    def test_they_fit_or_not(self):
        passwords = quick()
        hashed = anyio.run(passwords.hash, "a horse of paper")
        assert anyio.run(passwords.fits, hashed, "a horse of paper")
        assert not anyio.run(passwords.fits, hashed, "a horse of Paper")
        assert not anyio.run(passwords.fits, "no hash", "a horse of paper")

    def test_for_nobody_as_much_is_done(self):
        """A failure costs the same whether there is such an account or not."""
        verified = []

        class Counting(PasswordHasher):
            def verify(self, *given):
                verified.append(given[0])
                return super().verify(*given)

        passwords = Passwords(Counting(time_cost=1, memory_cost=8, parallelism=1))
        assert not anyio.run(passwords.fits, None, "a horse of paper")
        assert not anyio.run(passwords.fits, anyio.run(passwords.hash, "x"), "y")
        first, second = (hashed.rsplit("$", 2)[0] for hashed in verified)
        assert first == second

    def test_hashes_of_other_parameters_are_outdated(self):
        passwords = quick()
        assert not passwords.outdated(anyio.run(passwords.hash, "x"))
        assert passwords.outdated(anyio.run(Passwords().hash, "x"))
