"""The people of a server: finding them, letting them in or not, memberships and chips."""

from __future__ import annotations

import datetime as dt
import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kingme.cli.admin_shared import (
    JsonOption,
    NameArgument,
    OperatorError,
    cell,
    note,
    noted,
    now,
    opened,
    person,
    show,
)
from kingme.cli.groups import group
from kingme.cli.output import announce

if TYPE_CHECKING:
    from kingme.play.ports import User

__all__ = ["chips", "member", "users"]

users = group("Guests and accounts: list, show, password, disable, enable.")
chips = group("The chips of a player: grant, take.")

CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LAST_YEAR = 2999
GROUPS, GROUP = 4, 5  # 99 bits, and still to be read out on the telephone


@users.command("list")
def list_users(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="A part of the name.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 50,
    after: Annotated[int, typer.Option(min=0, help="Begin behind this id, to go on.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """List people by id, those whose name holds TEXT, or all."""
    with opened(ctx) as store:
        found = store.users.search(text, limit=limit, after=after)
    show([_row(user) for user in found], as_json, "There is nobody of that name.")
    if len(found) == limit and not as_json:
        announce(f"There may be more: --after {found[-1].id}")


def _row(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "name": user.name,
        "guest": user.guest,
        "membership": user.membership,
        "until": user.member_until,
        "disabled": user.disabled,
        "created": user.created,
        "seen": user.seen,
    }


@users.command("show")
def show_user(ctx: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Show one player: membership, chips, points, ratings."""
    with opened(ctx) as store:
        user = person(store, name)
        ratings = store.users.ratings([user.id]).get(user.id, {})
        row = {
            **_row(user),
            "membership_now": user.member(now()),
            "email": user.email,
            "chips": store.ledger.balance(user.id),
            "points": store.ledger.points([user.id]).get(user.id, 0),
            "ratings": {
                speed: {
                    "value": round(rating.value),
                    "deviation": round(rating.deviation),
                    "games": rating.games,
                }
                for speed, rating in ratings.items()
            },
        }
    if as_json:
        show([row], as_json, "")
        return
    for key, value in row.items():
        if key == "ratings":
            for speed, rating in ratings.items():
                mark = "?" if rating.provisional else ""
                announce(f"{speed:15} {rating.value:.0f}{mark} ({rating.games} games)")
        else:
            announce(f"{key:15} {cell(key, value)}")


@users.command()
def password(
    ctx: typer.Context,
    name: NameArgument,
    generate: Annotated[
        bool, typer.Option("--generate", help="Make a password and print it, rather than ask.")
    ] = False,
) -> None:
    """Give a player a new password and end all of the player's sessions.

    It is asked for twice without showing it, or read from standard input, one line, where that is
    no terminal.
    """
    import anyio

    from kingme.web.auth import Passwords
    from kingme.web.names import check_password

    with opened(ctx) as store:
        user = person(store, name)
        if user.guest:
            raise OperatorError(f"{user.name} is a guest: guests have no password")
        chosen = _generated() if generate else _asked()
        check_password(chosen, user.name)
        hashed = anyio.run(Passwords().hash, chosen)
        with noted(ctx, store, "password", user.name):
            store.users.change(user.id, password=hashed)
            store.sessions.end_all(user.id)
    if generate:
        announce(chosen)
    announce(f"{user.name} has a new password and is signed out everywhere.")


def _generated() -> str:
    parts = ("".join(secrets.choice(CHARACTERS) for _ in range(GROUP)) for _ in range(GROUPS))
    return "-".join(parts)


def _asked() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")


@users.command()
def disable(
    ctx: typer.Context,
    name: NameArgument,
    reason: Annotated[str, typer.Option(help="Why; for the audit trail.")] = "",
) -> None:
    """Shut a player out: the sessions end, and signing in is refused. Games run on."""
    _switch(ctx, name, True, reason)


@users.command()
def enable(
    ctx: typer.Context,
    name: NameArgument,
    reason: Annotated[str, typer.Option(help="Why; for the audit trail.")] = "",
) -> None:
    """Let a player in again."""
    _switch(ctx, name, False, reason)


def _switch(ctx: typer.Context, name: str, off: bool, reason: str) -> None:
    with opened(ctx) as store:
        user = person(store, name)
        word = "disabled" if off else "enabled"
        if user.disabled is off:
            announce(f"{user.name} is {word} already.")
            return
        with noted(ctx, store, "disable" if off else "enable", user.name, reason):
            store.users.change(user.id, disabled=off)
            if off:
                store.sessions.end_all(user.id)
    announce(f"{user.name} is {word}.")


def member(
    ctx: typer.Context,
    name: NameArgument,
    level: Annotated[
        Literal["vip", "premium", "none"],
        typer.Argument(metavar="LEVEL", help="vip, premium, or none to take it."),
    ],
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The last day of it, as 2030-12-31 (UTC). Without: open."
        ),
    ] = None,
) -> None:
    """Grant a membership, or take it."""
    end = _day_after(until) if until is not None else None
    if level == "none" and until is not None:
        raise OperatorError("LEVEL none takes the membership at once: leave --until out")
    with opened(ctx) as store:
        user = person(store, name)
        if user.guest and level != "none":
            raise OperatorError(f"{user.name} is a guest: memberships need an account")
        detail = f"{level} until {until}" if until else level
        with noted(ctx, store, "member", user.name, detail):
            store.users.change(user.id, membership=level, member_until=end)
    if level == "none":
        announce(f"{user.name} has no membership.")
    else:
        announce(f"{user.name} is a {level} member{f' until {until}' if until else ''}.")


def _day_after(date: str) -> int:
    """The end of a day in UTC, ms since the epoch."""
    try:
        day = dt.date.fromisoformat(date)
    except ValueError:
        raise OperatorError(f"{date!r} is no date: write it as 2030-12-31") from None
    if day.year > LAST_YEAR:
        raise OperatorError(
            f"{date} is too far away: the last is {LAST_YEAR}-12-31; without --until it never ends"
        )
    midnight = dt.datetime.combine(day, dt.time(), dt.UTC) + dt.timedelta(days=1)
    end = int(midnight.timestamp() * 1000)
    if end <= now():
        raise OperatorError(f"{date} is over already")
    return end


AmountArgument = Annotated[int, typer.Argument(min=1, max=10**9, help="How many chips.")]
ReasonOption = Annotated[str, typer.Option(help="Why; the player reads it in the ledger.")]


@chips.command()
def grant(
    ctx: typer.Context, name: NameArgument, amount: AmountArgument, reason: ReasonOption = "Grant"
) -> None:
    """Give a player chips from the bank."""
    _book(ctx, name, amount, reason)


@chips.command()
def take(
    ctx: typer.Context,
    name: NameArgument,
    amount: AmountArgument,
    reason: ReasonOption = "Taken back",
) -> None:
    """Take chips from a player, who must have them at hand."""
    _book(ctx, name, -amount, reason)


def _book(ctx: typer.Context, name: str, amount: int, reason: str) -> None:
    from kingme.play.stakes import grant as granted

    with opened(ctx) as store:
        user = person(store, name)
        if user.guest:
            raise OperatorError(f"{user.name} is a guest: chips need an account")
        key, detail = f"{user.id}:{secrets.token_hex(8)}", f"{amount:+}: {reason}"
        held = store.ledger.balance(user.id)
        if held + amount < 0:
            note(ctx, store, "chips refused", user.name, f"{detail} (of {held})")
            raise OperatorError(
                f"{user.name} has {held} chips at hand, so {-amount} cannot be taken"
            )
        with noted(ctx, store, "chips", user.name, detail):
            store.ledger.book(granted(key, user.id, amount, reason, now()))
        balance = store.ledger.balance(user.id)
    announce(f"{user.name} has {balance} chips now.")
