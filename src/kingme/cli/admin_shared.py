"""What the commands of ``kingme admin`` share: the store, the audit trail, and lists.

Every change is noted in the audit trail before it is made, with the name of the system's user.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import getpass
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.output import say
from kingme.errors import KingmeError

if TYPE_CHECKING:
    from kingme.play.ports import User
    from kingme.store import Store
    from kingme.web.settings import Settings

__all__ = [
    "JsonOption",
    "NameArgument",
    "Operator",
    "OperatorError",
    "actor",
    "cell",
    "moment",
    "named",
    "note",
    "noted",
    "now",
    "opened",
    "person",
    "show",
    "sqlite_file",
]

NameArgument = Annotated[str, typer.Argument(help="The player's name.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

TIMES = frozenset({"at", "created", "seen", "until"})


class OperatorError(KingmeError):
    """A command of the operator that cannot be carried out, with the reason."""


@dataclass(frozen=True, slots=True)
class Operator:
    """The settings that a command works with, and who gives it."""

    settings: Settings
    actor: str


def actor() -> str:
    """The system's user; under sudo, the one who asked for it too."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = f"uid {os.getuid()}" if hasattr(os, "getuid") else "somebody"
    asked = os.environ.get("SUDO_USER")
    return f"{asked} as {name}" if asked and asked != name else name


def now() -> int:
    """The time, ms since the epoch."""
    return time.time_ns() // 1_000_000


@contextlib.contextmanager
def opened(ctx: typer.Context) -> Iterator[Store]:
    """The store of the settings, which has to be there."""
    from kingme.store import open_store

    url = ctx.obj.settings.database_url
    file = sqlite_file(url)
    if file is not None and not file.exists():
        raise OperatorError(
            f"there is no database {file}: name the server's by --config, --database or "
            "KINGME_DATABASE, or make this one by kingme admin migrate"
        )
    store = open_store(url)
    try:
        yield store
    finally:
        store.close()


def sqlite_file(url: str) -> Path | None:
    """The file of an SQLite database; None for any other."""
    scheme, _, path = url.partition(":///")
    return Path(path) if scheme.partition("+")[0] == "sqlite" else None


def named(url: str) -> str:
    """A database as the operator knows it: its file, or its name and host, without a password."""
    from sqlalchemy import make_url

    file = sqlite_file(url)
    if file is not None:
        return str(file)
    address = make_url(url)
    host = address.host or address.query.get("host") or "this machine"
    port = f":{address.port}" if address.port else ""
    return f"{address.database} at {host}{port}"


def note(ctx: typer.Context, store: Store, action: str, subject: str, detail: str = "") -> None:
    """Write down what is done, and by whom."""
    store.service.audit(now(), ctx.obj.actor, action, subject, detail)


@contextlib.contextmanager
def noted(
    ctx: typer.Context, store: Store, action: str, subject: str, detail: str = ""
) -> Iterator[None]:
    """Write down a change before it is made, and again where it is refused."""
    note(ctx, store, action, subject, detail)
    try:
        yield
    except KingmeError as error:
        note(ctx, store, f"{action} refused", subject, str(error))
        raise


def person(store: Store, name: str) -> User:
    """The user of a name, in any case of letters."""
    user = store.users.user(name)
    if user is None:
        raise OperatorError(f"there is no player {name!r}")
    return user


def moment(ms: int | None) -> str:
    """A time as the operator reads it, in UTC."""
    if not ms:
        return "-"
    return dt.datetime.fromtimestamp(ms / 1000, dt.UTC).strftime("%Y-%m-%d %H:%M:%S")


def show(rows: Sequence[Mapping[str, Any]], as_json: bool, empty: str) -> None:
    """Print a list: as JSON, or in columns with a heading."""
    if as_json:
        import msgspec

        say(msgspec.json.format(msgspec.json.encode(list(rows)), indent=2).decode())
        return
    if not rows:
        say(empty)
        return
    heads = list(rows[0])
    lines = [heads, *([cell(key, row[key]) for key in heads] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        say("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def cell(key: str, value: Any) -> str:
    """One value for a person."""
    if key in TIMES:
        return moment(value)
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())
