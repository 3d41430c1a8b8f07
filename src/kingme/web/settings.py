"""What whoever runs the server may choose: one TOML file, and a few names in the environment.

Everything else is a constant of the program. `docs/kingme.toml` shows every setting.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec

from kingme.errors import SettingsError
from kingme.play.room import DEFAULT_ROOMS, Room, rooms_from

__all__ = ["LOOPBACK", "Chips", "Settings", "load"]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names by which a browser on the same machine reaches a local server."""

ENVIRONMENT = {
    "KINGME_DATABASE": "database",
    "KINGME_REDIS": "redis",
    "KINGME_DATA_DIR": "data_dir",
    "KINGME_COLLECTION": "collection",
    "KINGME_LISTEN": "listen",
    "KINGME_PORT": "port",
    "KINGME_HOSTS": "hosts",
    "KINGME_PROXIES": "proxies",
    "KINGME_METRICS": "metrics",
}
"""What the environment may say; it wins over the file. Lists are divided by commas."""

Positive = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]
Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Networks = tuple[str, ...]

KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "nothing",
    "object": "a table",
    "str": "text in quotes",
}


class Chips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What players are given: `welcome` on registering, and up to `daily` once a day."""

    welcome: Amount = 150
    daily: Amount = 50


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of one server.

    `hosts` are the names that a request may address (None: any), which keeps another site from
    reaching a local server through a name of its own. `searches` is how many searches of the
    computer player run at once, `queue` how many requests may wait for one, each for
    `queue_seconds` at most. `body_bytes`, `body_seconds` and `plies` bound one request.

    `database` is a URL (None: a file in `data_dir`), `redis` one too, needed only where several
    processes serve. `collection` is a file of games that anybody may look through (None: there is
    none; ``kingme db import`` makes one). `endgames` is up to how many pieces pages may read the
    packed endgame files that there are. `proxies` are the addresses whose word is taken on who
    asks, and `metrics` those that may read `/metrics`. `rooms` are those of the ``[[room]]``
    tables.
    """

    listen: str = "127.0.0.1"
    port: Port = 8642
    hosts: frozenset[str] | None = LOOPBACK
    proxies: Networks = ()
    metrics: Networks = ("127.0.0.1", "::1")
    database: str | None = None
    redis: str | None = None
    data_dir: str | None = None
    collection: str | None = None
    endgames: Annotated[int, msgspec.Meta(ge=0, le=6)] = 5
    searches: Positive = msgspec.field(default_factory=lambda: os.cpu_count() or 1)
    queue: Amount = 32
    queue_seconds: Seconds = 15.0
    body_bytes: Annotated[int, msgspec.Meta(ge=1024, le=2**26)] = 64 * 1024
    body_seconds: Seconds = 10.0
    plies: Positive = 2000
    sockets_per_user: Positive = 20
    sockets_per_address: Positive = 60
    chips: Chips = msgspec.field(default_factory=Chips)
    rooms: dict[str, Room] = msgspec.field(default_factory=lambda: dict(DEFAULT_ROOMS))

    @property
    def folder(self) -> Path:
        """Where the server keeps its files."""
        import platformdirs

        return Path(self.data_dir or platformdirs.user_data_dir("kingme", appauthor=False))

    @property
    def database_url(self) -> str:
        """The address of the database; without a setting, a file in `folder`."""
        return self.database or f"sqlite:///{self.folder / 'kingme.db'}"

    def __repr__(self) -> str:
        """The settings without the passwords in their addresses."""
        shown = {name: getattr(self, name) for name in self.__struct_fields__}
        for name in ("database", "redis"):
            if shown[name]:
                shown[name] = re.sub(r"//[^@/]*@", "//***@", shown[name])
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


def load(path: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of the file at `path` (or at ``KINGME_CONFIG``) and of the environment.

    Raises :class:`~kingme.errors.SettingsError`, which names all that is wrong at once.
    """
    chosen = path or environ.get("KINGME_CONFIG") or None
    where = str(chosen or "environment")
    table = _read(Path(chosen)) if chosen is not None else {}
    rooms = table.pop("room", [])
    values, problems = _fields(Settings, table)
    said, more = _fields(Settings, dict(_said(environ)))
    names = {field: name for name, field in ENVIRONMENT.items()}
    for problem in more:
        field, _, rest = problem.partition(" ")
        problems.append(f"{names[field]} {rest.replace(' in quotes', '')}")
    values |= said
    problems += list(_deeper(values))
    try:
        if not isinstance(rooms, list):
            raise SettingsError("room: begin each room with [[room]]")
        values["rooms"] = rooms_from(rooms)
    except SettingsError as error:
        problems.append(str(error))
    if problems:
        raise SettingsError("\n".join(f"{where}: {problem}" for problem in problems))
    if "hosts" in values:
        values["hosts"] = _names(values["hosts"])
    return Settings(**values)


def _names(hosts: frozenset[str] | None) -> frozenset[str] | None:
    """The names of the server in lower case; None where they are any."""
    if hosts is None or "*" in hosts:
        return None
    return frozenset(name.lower() for name in hosts)


def _read(path: Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: is not a text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is not TOML: {error}") from None


def _said(environ: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """What the environment says, as a file would say it."""
    for name, field in ENVIRONMENT.items():
        text = environ.get(name, "").strip()
        if not text:
            continue
        if field in ("hosts", "proxies", "metrics"):
            yield field, [item.strip() for item in text.split(",") if item.strip()]
        elif field == "port" and text.isascii() and text.isdigit():
            yield field, int(text)
        else:
            yield field, text


def _fields(
    kind: type[msgspec.Struct], table: Mapping[str, Any], where: str = ""
) -> tuple[dict[str, Any], list[str]]:
    """The values of a table by field, and what is wrong with the rest of it."""
    hints = get_type_hints(kind, include_extras=True)
    known = [name for name in kind.__struct_fields__ if name != "rooms"]
    values: dict[str, Any] = {}
    problems = []
    for name, value in table.items():
        shown = f"{where}{name}"
        if name not in known:
            problems.append(_unknown(shown, name, known))
        elif hints[name] is Chips and isinstance(value, dict):
            inner, found = _fields(Chips, value, f"{shown}.")
            problems += found
            values[name] = Chips(**inner)
        else:
            try:
                values[name] = msgspec.convert(value, hints[name])
            except msgspec.ValidationError as error:
                problems.append(f"{shown} {_wanted(str(error))}")
    return values, problems


def _unknown(shown: str, name: str, known: list[str]) -> str:
    """That there is no such setting, with the one that may be meant."""
    known = [*known, "room"] if shown == name else known
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{shown} is no setting: {hint}"


def _wanted(problem: str) -> str:
    """What msgspec found wrong with a value, as what is allowed."""
    bound = re.match(r"Expected `(\w+)` (>=|<=|>|<) ([\d.]+)", problem)
    if bound:
        words = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
        return f"must be {words[bound[2]]} {float(bound[3]):g}"
    kinds = re.match(r"Expected `([\w |]+)`, got `(\w+)`", problem)
    if kinds is None:
        return f"is wrong: {problem}"
    wanted = " or ".join(KINDS.get(kind, kind) for kind in kinds[1].split(" | ") if kind != "null")
    subject = "must hold" if " - at `$[" in problem else "must be"
    return f"{subject} {wanted}, not {KINDS.get(kinds[2], kinds[2])}"


def _deeper(values: Mapping[str, Any]) -> Iterator[str]:
    """What no type can tell is wrong."""
    for name in ("proxies", "metrics"):
        for item in values.get(name, ()):
            try:
                ipaddress.ip_network(item)
            except ValueError:
                yield f"{name} holds {item!r}: write addresses or networks, such as 10.0.0.0/8"
    database = values.get("database")
    if database is not None and not re.match(r"(sqlite|postgresql)(\+\w+)?://", database):
        yield "database must begin with sqlite:/// or postgresql://"
    redis = values.get("redis")
    if redis is not None and not re.match(r"(redis|rediss|unix)://", redis):
        yield "redis must begin with redis://, rediss:// or unix://"
