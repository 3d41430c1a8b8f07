"""Who asks: sessions by a cookie, and passwords by argon2id.

The browser keeps a random token; the store keeps its SHA-256 alone, so a stolen database opens no
session. The same cookie serves pages, the interface and the live connection.
"""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Protocol

import anyio
import anyio.to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.requests import Request
from starlette.responses import Response

from kingme.play.ports import LedgerStore, SessionStore, User, UserStore
from kingme.play.stakes import topup, welcome
from kingme.web.guard import RequestError
from kingme.web.settings import Chips

__all__ = ["COOKIE", "SESSION_DAYS", "Auth", "Passwords", "People", "token_hash", "token_of"]

COOKIE = "kingme_session"
SESSION_DAYS = 90
DAY = 24 * 60 * 60 * 1000
TOKEN_BYTES = 32
TOKEN_LENGTH = 43
SEEN_EVERY = 10 * 60 * 1000
REMEMBERED = 10_000


class People(Protocol):
    """The parts of a store that know people."""

    @property
    def users(self) -> UserStore:
        """Guests and accounts."""

    @property
    def sessions(self) -> SessionStore:
        """Who is signed in."""

    @property
    def ledger(self) -> LedgerStore:
        """Their chips."""


def token_hash(token: str) -> bytes:
    """What the store keeps of a token."""
    return hashlib.sha256(token.encode()).digest()


def token_of(headers: Mapping[str, str]) -> str | None:
    """The session token in the cookies of a request, if it looks like one."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    token = morsel.value if morsel else ""
    return token if len(token) == TOKEN_LENGTH and token.isascii() else None


def wall_clock() -> int:
    """The time of the machine, ms since the epoch."""
    return time.time_ns() // 1_000_000


class Auth:
    """Sessions of a server: who a request comes from, and signing in and out.

    Somebody's first visit of a day also brings the daily chips. `changed` hears the id of each user
    whose sessions end or whose name changes, so that their live connections can follow.
    """

    def __init__(
        self,
        store: People,
        chips: Chips | None = None,
        now: Callable[[], int] = wall_clock,
        changed: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._chips = chips or Chips()
        self.now = now
        self._changed = changed
        self._kept: dict[bytes, int] = {}

    async def identify(self, headers: Mapping[str, str]) -> User | None:
        """Whose session the cookie of a request (HTTP or WebSocket) is; None for a stranger.

        Raises ``Unavailable`` where the store cannot be reached.
        """
        token = token_of(headers)
        if token is None:
            return None
        return await anyio.to_thread.run_sync(self._identify, token_hash(token))

    async def start(self, user: User) -> str:
        """Begin a session; returns its token, for `keep`."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        await anyio.to_thread.run_sync(self._start, token_hash(token), user)
        return token

    async def require(self, headers: Mapping[str, str]) -> User:
        """Whose session a request has; refuses ``signed_out`` where it has none."""
        user = await self.identify(headers)
        if user is None:
            raise RequestError(401, "signed_out", "Sign in first.")
        return user

    async def renew(self, headers: Mapping[str, str], user: User) -> str:
        """End the session of a request, if it has one, and begin another; returns its token."""
        await self.end(headers)
        token = await self.start(user)
        await self._tell(user)
        return token

    async def end(self, headers: Mapping[str, str]) -> None:
        """End the session of a request, if it has one."""
        token = token_of(headers)
        if token is not None:
            user = await self.identify(headers)
            await anyio.to_thread.run_sync(self._store.sessions.end, token_hash(token))
            await self._tell(user)

    async def end_all(self, user: User) -> int:
        """End every session of a user; returns how many."""
        ended = await anyio.to_thread.run_sync(self._store.sessions.end_all, user.id)
        await self._tell(user)
        return ended

    def keep(self, request: Request, response: Response, token: str | None = None) -> None:
        """Let the browser keep `token`, or for longer the one that it sent."""
        chosen = token or token_of(request.headers)
        if chosen is None:
            return
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=SESSION_DAYS * DAY // 1000,
            path="/",
            secure=request.scope["scheme"] == "https",
            httponly=True,
            samesite="lax",
        )

    def forget(self, request: Request, response: Response) -> None:
        """Let the browser forget its token."""
        secure = request.scope["scheme"] == "https"
        response.delete_cookie(COOKIE, path="/", secure=secure, httponly=True, samesite="lax")

    async def _tell(self, user: User | None) -> None:
        if user is not None and self._changed is not None:
            await self._changed(user.id)

    def _start(self, hashed: bytes, user: User) -> None:
        now = self.now()
        self._store.sessions.start(hashed, user.id, now, now + SESSION_DAYS * DAY)

    def _identify(self, hashed: bytes) -> User | None:
        now = self.now()
        user = self._store.sessions.session(hashed, now)
        if user is None:
            return None
        if now - self._kept.get(hashed, 0) > DAY:
            # Looked at once a day by each process, and written once a day whatever their number.
            self._store.sessions.extend(hashed, now + SESSION_DAYS * DAY, slack=DAY)
            if len(self._kept) >= REMEMBERED:
                self._kept.clear()
            self._kept[hashed] = now
        if now - user.seen > SEEN_EVERY:
            if not user.guest and now // DAY != user.seen // DAY:
                self._give(user, now)
            user = self._store.users.change(user.id, seen=now)
        return user

    def _give(self, user: User, now: int) -> None:
        """Book the gifts of a day, and that of registering where it was cut off."""
        ledger = self._store.ledger
        if self._chips.welcome:
            ledger.book(welcome(user.id, now, self._chips.welcome))
        daily = topup(user.id, ledger.worth(user.id), now, self._chips.daily)
        if daily is not None:
            ledger.book(daily)


class Passwords:
    """Hashing and checking of passwords, in threads, a few at a time."""

    def __init__(self, hasher: PasswordHasher | None = None, at_once: int = 2) -> None:
        # OWASP's parameters: 19 MiB, two passes. Some 30 ms, so that a flood fills no memory.
        self._hasher = hasher or PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
        self._threads = anyio.CapacityLimiter(at_once)
        self._nobody = self._hasher.hash(secrets.token_urlsafe())

    async def hash(self, password: str) -> str:
        """The hash of a password with its salt and parameters, as argon2 writes it."""
        return await anyio.to_thread.run_sync(
            self._hasher.hash, _normal(password), limiter=self._threads
        )

    async def fits(self, stored: str | None, password: str) -> bool:
        """Whether a password is the stored one; without one, False after the same time."""
        return await anyio.to_thread.run_sync(self._fits, stored, password, limiter=self._threads)

    def outdated(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than those of today."""
        return self._hasher.check_needs_rehash(stored)

    def _fits(self, stored: str | None, password: str) -> bool:
        try:
            self._hasher.verify(stored or self._nobody, _normal(password))
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None


def _normal(password: str) -> str:
    """A password in one form, whichever way a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)
