"""Guests, accounts and signing in: for scripts at ``/api``, and for plain forms at ``/account``."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kingme.errors import NameTaken, Refusal
from kingme.play.ports import User
from kingme.play.room import Membership
from kingme.play.stakes import welcome
from kingme.web.auth import Auth, Passwords, People
from kingme.web.guard import RequestError, answer
from kingme.web.limits import (
    GUESTS,
    PASSWORDS_BY_ADDRESS,
    PASSWORDS_BY_NAME,
    PASSWORDS_IN_ALL,
    REGISTRATIONS,
    Limits,
    address_of,
)
from kingme.web.names import (
    LONGEST_PASSWORD,
    NAME,
    SHORTEST_PASSWORD,
    check_email,
    check_name,
    check_password,
    is_name,
)
from kingme.web.routing import by_method
from kingme.web.sent import form, json_record
from kingme.web.settings import Settings
from kingme.web.site import Site
from kingme.web.wire import Record

__all__ = [
    "Accounts",
    "LoginSent",
    "Me",
    "PasswordSent",
    "RegistrationSent",
    "SessionAnswer",
    "routes",
]

CODE = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and letters that are not taken for one another."""

WRONG = "There is no account with this name and password."
LOCAL = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""A place on this site: a path, and never the address of another machine."""

Words = Annotated[str, msgspec.Meta(max_length=1000)]
NewName = Annotated[
    str,
    msgspec.Meta(
        max_length=1000,
        extra_json_schema={"pattern": f"^{NAME.pattern}$", "minLength": 3, "maxLength": 20},
    ),
]
NewPassword = Annotated[
    str,
    msgspec.Meta(
        max_length=1000,
        extra_json_schema={"minLength": SHORTEST_PASSWORD, "maxLength": LONGEST_PASSWORD},
    ),
]
"""What is told of them beforehand; who sends others learns from `names` what is wrong."""


class Me(Record, frozen=True):
    """The person of a session, as they see themselves. `member_until` None: without an end."""

    id: int
    name: str
    guest: bool
    membership: Membership
    member_until: int | None
    email: str | None
    chips: int
    points: int


class SessionAnswer(Record, frozen=True):
    """Who one is; null for a visitor without a session."""

    you: Me | None


class LoginSent(Record, frozen=True):
    """A name and its password."""

    name: Words
    password: Words


class RegistrationSent(Record, frozen=True):
    """A new account. The e-mail address may be left out."""

    name: NewName
    password: NewPassword
    email: Words | None = None


class PasswordSent(Record, frozen=True):
    """The password so far, and the new one."""

    current: Words
    password: NewPassword


class Accounts:
    """What can be done about an account; refusals are ``Refusal`` or ``RequestError``.

    `renewed` hears who has another name.
    """

    def __init__(
        self,
        store: People,
        auth: Auth,
        passwords: Passwords,
        limits: Limits,
        settings: Settings,
        renewed: Callable[[int], Awaitable[None]],
    ) -> None:
        self._store = store
        self._passwords = passwords
        self._limits = limits
        self._settings = settings
        self._renewed = renewed
        self.auth = auth

    async def me(self, user: User) -> Me:
        """A person as they see themselves."""
        return await anyio.to_thread.run_sync(self._me, user)

    async def guest(self, address: str) -> User:
        """A new guest with a name drawn by lot."""
        await self._limits.spend((GUESTS, address))
        return await anyio.to_thread.run_sync(self._guest)

    async def register(self, user: User | None, sent: RegistrationSent, address: str) -> User:
        """A new account; a guest who registers keeps id and games."""
        if user is not None and not user.guest:
            raise Refusal("registered", f"You are signed in as {user.name} already.")
        name = check_name(sent.name)
        check_password(sent.password, name)
        email = check_email(sent.email)
        if await anyio.to_thread.run_sync(self._store.users.user, name) is not None:
            raise NameTaken(name)
        await self._limits.spend((REGISTRATIONS, address))
        hashed = await self._passwords.hash(sent.password)
        made = await anyio.to_thread.run_sync(self._register, user, name, hashed, email)
        await self._renewed(made.id)
        return made

    async def login(self, sent: LoginSent, address: str) -> User:
        """The user of a name and password; who fails learns not which of them was wrong."""
        await self._limits.spend((PASSWORDS_BY_ADDRESS, address))
        user = None
        if is_name(sent.name):
            await self._limits.spend((PASSWORDS_BY_NAME, sent.name.lower()), (PASSWORDS_IN_ALL, ""))
            user = await anyio.to_thread.run_sync(self._store.users.user, sent.name)
        fits = await self._passwords.fits(user.password if user else None, sent.password)
        if user is None or not fits or user.disabled:
            raise Refusal("wrong_password", WRONG)
        await self._limits.forgive(PASSWORDS_BY_NAME, sent.name.lower())
        await self._freshen(user, sent.password)
        return user

    async def change_password(self, user: User, sent: PasswordSent, address: str) -> User:
        """Change the password of an account."""
        if user.guest:
            raise Refusal("needs_account", "A guest has no password: register first.")
        await self._limits.spend(
            (PASSWORDS_BY_ADDRESS, address),
            (PASSWORDS_BY_NAME, user.name.lower()),
            (PASSWORDS_IN_ALL, ""),
        )
        if not await self._passwords.fits(user.password, sent.current):
            raise Refusal("wrong_password", "The current password is another one.")
        check_password(sent.password, user.name)
        hashed = await self._passwords.hash(sent.password)
        return await anyio.to_thread.run_sync(self._change, user, hashed)

    async def _freshen(self, user: User, password: str) -> None:
        """Hash a password anew where its hash has the parameters of an older release."""
        if user.password and self._passwords.outdated(user.password):
            hashed = await self._passwords.hash(password)
            await anyio.to_thread.run_sync(self._change, user, hashed)

    def _change(self, user: User, hashed: str) -> User:
        return self._store.users.change(user.id, password=hashed)

    def _me(self, user: User) -> Me:
        now = self.auth.now()
        ledger = self._store.ledger
        return Me(
            id=user.id,
            name=user.name,
            guest=user.guest,
            membership=user.member(now),
            member_until=user.member_until if user.member(now) != "none" else None,
            email=user.email,
            chips=ledger.balance(user.id),
            points=ledger.points([user.id]).get(user.id, 0),
        )

    def _guest(self) -> User:
        while True:
            name = f"Guest-{''.join(secrets.choice(CODE) for _ in range(6))}"
            try:
                return self._store.users.add(name, self.auth.now())
            except NameTaken:
                continue

    def _register(self, user: User | None, name: str, hashed: str, email: str | None) -> User:
        now = self.auth.now()
        if user is None:
            made = self._store.users.add(name, now, hashed, email)
        else:
            made = self._store.users.promote(user.id, name, hashed, email)
        if self._settings.chips.welcome:
            # Cut off before this, it is booked at the first visit of a day.
            self._store.ledger.book(welcome(made.id, now, self._settings.chips.welcome))
        return made


def routes(accounts: Accounts, site: Site, settings: Settings) -> list[Route]:
    """The addresses of accounts."""
    desk = _Desk(accounts, settings)
    page = _Page(accounts, site, settings)
    return [
        by_method("/api/session", get=desk.session, post=desk.become_guest, delete=desk.logout),
        Route("/api/session/login", desk.login, methods=["POST"]),
        Route("/api/sessions", desk.logout_everywhere, methods=["DELETE"]),
        Route("/api/account", desk.register, methods=["POST"]),
        Route("/api/account/password", desk.change_password, methods=["POST"]),
        by_method("/account", get=page.show, post=page.act),
    ]


class _Desk:
    """The interface for scripts."""

    def __init__(self, accounts: Accounts, settings: Settings) -> None:
        self._accounts = accounts
        self._auth = accounts.auth
        self._settings = settings

    async def session(self, request: Request) -> Response:
        """Who one is."""
        user = await self._auth.identify(request.headers)
        response = answer(SessionAnswer(await self._accounts.me(user) if user else None))
        if user is not None:
            self._auth.keep(request, response)
        return response

    async def become_guest(self, request: Request) -> Response:
        """Play as a guest, unless one is somebody already."""
        user = await self._auth.identify(request.headers)
        if user is not None:
            return answer(SessionAnswer(await self._accounts.me(user)))
        user = await self._accounts.guest(address_of(request.client))
        return await self._signed_in(request, user, 201)

    async def login(self, request: Request) -> Response:
        """Sign in."""
        sent = await json_record(request, self._settings, LoginSent)
        user = await self._accounts.login(sent, address_of(request.client))
        return await self._signed_in(request, user)

    async def register(self, request: Request) -> Response:
        """Make an account."""
        sent = await json_record(request, self._settings, RegistrationSent)
        user = await self._auth.identify(request.headers)
        made = await self._accounts.register(user, sent, address_of(request.client))
        return await self._signed_in(request, made, 201)

    async def change_password(self, request: Request) -> Response:
        """Change one's password, which signs out every other browser."""
        sent = await json_record(request, self._settings, PasswordSent)
        user = await self._auth.require(request.headers)
        changed = await self._accounts.change_password(user, sent, address_of(request.client))
        await self._auth.end_all(changed)
        return await self._signed_in(request, changed)

    async def logout(self, request: Request) -> Response:
        """Sign out here."""
        await self._auth.end(request.headers)
        response = Response(status_code=204)
        self._auth.forget(request, response)
        return response

    async def logout_everywhere(self, request: Request) -> Response:
        """Sign out in every browser."""
        await self._auth.end_all(await self._auth.require(request.headers))
        response = Response(status_code=204)
        self._auth.forget(request, response)
        return response

    async def _signed_in(self, request: Request, user: User, status: int = 200) -> Response:
        """The answer to whoever has become `user`, in a session of its own."""
        token = await self._auth.renew(request.headers, user)
        response = answer(SessionAnswer(await self._accounts.me(user)), status)
        self._auth.keep(request, response, token)
        return response


class _Page:
    """The account page, whose forms work without any script."""

    def __init__(self, accounts: Accounts, site: Site, settings: Settings) -> None:
        self._accounts = accounts
        self._auth = accounts.auth
        self._site = site
        self._settings = settings

    async def show(self, request: Request) -> Response:
        """The page."""
        return await self._render(request, _local(request.query_params.get("next")))

    async def act(self, request: Request) -> Response:
        """Do what a form asks, then go on to the next page, or show what is wrong."""
        sent = await form(request, self._settings)
        following = _local(sent.get("next"))
        try:
            token = await self._do(request, sent)
        except Refusal as error:
            wrong = RequestError(422, error.code, str(error))
            return await self._render(request, following, sent, wrong)
        except RequestError as error:
            return await self._render(request, following, sent, error)
        response = RedirectResponse(following or "/account", status_code=303)
        if token:
            self._auth.keep(request, response, token)
        else:
            self._auth.forget(request, response)
        return response

    async def _do(self, request: Request, sent: Mapping[str, str]) -> str | None:
        """Do what a form asks; returns the token of the session that is to go on, if any."""
        address, what = address_of(request.client), sent.get("do", "")
        name, password = sent.get("name", "").strip(), sent.get("password", "")
        if what == "login":
            user = await self._accounts.login(LoginSent(name, password), address)
            return await self._auth.renew(request.headers, user)
        if what == "register":
            registration = RegistrationSent(name, password, sent.get("email"))
            before = await self._auth.identify(request.headers)
            user = await self._accounts.register(before, registration, address)
            return await self._auth.renew(request.headers, user)
        if what == "password":
            change = PasswordSent(sent.get("current", ""), password)
            user = await self._auth.require(request.headers)
            user = await self._accounts.change_password(user, change, address)
            await self._auth.end_all(user)
            return await self._auth.renew(request.headers, user)
        if what == "logout":
            await self._auth.end(request.headers)
            return None
        if what == "everywhere":
            await self._auth.end_all(await self._auth.require(request.headers))
            return None
        raise RequestError(400, "malformed", "This form asks for nothing that is known here.")

    async def _render(
        self,
        request: Request,
        following: str | None,
        sent: Mapping[str, str] | None = None,
        wrong: RequestError | None = None,
    ) -> Response:
        user = await self._auth.identify(request.headers)
        told: dict[str, Any] = {
            "me": await self._accounts.me(user) if user else None,
            "next": following,
            "sent": {key: (sent or {}).get(key, "") for key in ("do", "name", "email")},
            "wrong": wrong.problem.message if wrong else None,
            "welcome": self._settings.chips.welcome,
            "daily": self._settings.chips.daily,
        }
        status = wrong.status if wrong else 200
        response = await self._site.page(request, "account.html", "account", status, user, **told)
        if wrong is not None and wrong.retry_after is not None:
            response.headers["Retry-After"] = str(wrong.retry_after)
        return response


def _local(address: str | None) -> str | None:
    """An address of this site; None for any other."""
    return address if address and LOCAL.fullmatch(address) else None
