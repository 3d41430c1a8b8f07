"""Make sure that the store and the bus can be tested: PostgreSQL and Redis, found or installed.

Finds the programs, or installs Debian's packages where that is allowed. Without them those tests
are skipped, and this says so and why. With `--require` that is a failure, for a machine that is
there to run every test. `Postgres` and `Redis` start private servers that are thrown away.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import debian

__all__ = ["BY_HAND", "Postgres", "Redis", "Service", "find_postgres", "find_redis", "missing"]

PACKAGES = ("postgresql", "redis-server")
BY_HAND = debian.by_hand(PACKAGES)
SAYING = "Installing Debian's postgresql and redis-server for the tests of store and bus, once."
START_SECONDS = 60


def find_postgres() -> Path | None:
    """The folder of PostgreSQL's programs: KINGME_POSTGRES, that on PATH, or Debian's newest.

    None also where this is root and nobody else is there to run them, since they refuse root.
    """
    if named := os.environ.get("KINGME_POSTGRES"):
        folders = [Path(named)]
    else:
        found = shutil.which("postgres")
        debian = Path("/usr/lib/postgresql").glob("*/bin")
        folders = [Path(found).resolve().parent] if found else []
        folders += sorted(debian, key=_number, reverse=True)
    if os.geteuid() == 0 and _servant() is None:
        return None
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def find_redis() -> str | None:
    """Redis, or Valkey, which is the same here: the program KINGME_REDIS_SERVER or that on PATH."""
    named = os.environ.get("KINGME_REDIS_SERVER")
    names = (named,) if named else ("redis-server", "valkey-server")
    return next((path for path in map(shutil.which, names) if path), None)


def missing() -> str:
    """What keeps the tests with real services from running, or nothing."""
    lacking = []
    if find_postgres() is None:
        lacking.append("no PostgreSQL")
    if find_redis() is None:
        lacking.append("no Redis")
    return ", ".join(lacking)


class Service:
    """A server of one's own on this machine, in a folder that goes when it stops."""

    name = ""
    url = ""
    farewell = signal.SIGINT

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"kingme-{self.name}-"))
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def prepare(self) -> None:
        """Do what has to be done once."""

    def command(self) -> Sequence[str | Path]:
        """What starts the server in the foreground."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether the server answers."""
        raise NotImplementedError

    def start(self) -> None:
        """Start, or start again on the same data and address, and wait until it answers."""
        deadline = time.monotonic() + START_SECONDS
        while not self._started(deadline):
            # After a kill the processes that it left behind may be in the way for a moment.
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} does not start: {self.said()}")
            time.sleep(0.2)

    def said(self) -> str:
        """The last that it logged."""
        return (self.folder / "log").read_text(errors="replace").strip()[-2000:]

    def _started(self, deadline: float) -> bool:
        with (self.folder / "log").open("ab") as log:
            self.process = _launch(self.command(), log.fileno(), self._user())
        while self.process.poll() is None and time.monotonic() < deadline:
            if self.ready():
                return True
            time.sleep(0.02)
        self.kill()
        return False

    def _user(self) -> str | None:
        return None

    def kill(self) -> None:
        """End it as a power cut would (SIGKILL); `start` brings it back."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        """Let it hang: connections stay open and nobody answers."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End it and remove all that it kept."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(self.farewell)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Service):
    """A PostgreSQL cluster on a socket in its folder, as durable as PostgreSQL is by default."""

    name = "postgres"
    farewell = signal.SIGQUIT  # at once: what it holds is thrown away

    def __init__(self) -> None:
        super().__init__()
        programs = find_postgres()
        assert programs is not None, missing()
        self.programs = programs
        self.url = self.database("postgres")

    def database(self, name: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://kingme@/{name}?host={self.folder}"

    def prepare(self) -> None:
        """Make the cluster, as the user that will run it."""
        if user := self._user():
            shutil.chown(self.folder, user)
        command = (
            *(self.programs / "initdb", "--pgdata", self.folder / "data", "--no-sync"),
            *("--username=kingme", "--auth=trust", "--encoding=UTF8", "--locale=C"),
        )
        with (self.folder / "log").open("ab") as log:
            if _launch(command, log.fileno(), self._user()).wait():
                raise RuntimeError(f"initdb failed: {self.said()}")

    def command(self) -> Sequence[str | Path]:
        """The server, on a socket alone."""
        return (
            *(self.programs / "postgres", "-D", self.folder / "data"),
            *("-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}"),
        )

    def ready(self) -> bool:
        """Whether it takes connections."""
        command = [str(self.programs / "pg_isready"), "-q", "-h", str(self.folder)]
        return subprocess.run(command, check=False).returncode == 0

    def _user(self) -> str | None:
        return _servant() if os.geteuid() == 0 else None


class Redis(Service):
    """A Redis on a free port of this machine, which keeps nothing."""

    name = "redis"

    def __init__(self) -> None:
        super().__init__()
        program = find_redis()
        assert program is not None, missing()
        self.program = program
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> Sequence[str | Path]:
        """The server."""
        return (
            *(self.program, "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--save", "", "--appendonly", "no", "--dir", self.folder),
        )

    def ready(self) -> bool:
        """Whether it answers a ping."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as talk:
                talk.sendall(b"PING\r\n")
                return talk.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _number(folder: Path) -> int:
    found = re.search(r"\d+", folder.parent.name)
    return int(found.group()) if found else 0


def _servant() -> str | None:
    """Whom PostgreSQL may run as where this is root, which it refuses."""
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


def _as(user: str | None) -> dict[str, Any]:
    import pwd

    if user is None:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [], "cwd": "/"}


def _launch(command: Sequence[str | Path], log: int, user: str | None) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl+C is for whoever started this, who then stops it.
    return subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        **_as(user),
    )


def main() -> int:
    """Find or install; exit 1 only if the tests are required and cannot run."""
    lacking = missing()
    if not lacking:
        return 0
    reason = ""
    if not {"KINGME_POSTGRES", "KINGME_REDIS_SERVER"} & os.environ.keys():
        reason = debian.install(PACKAGES, SAYING)
        lacking = missing()
        if not lacking:
            return 0
    print(f"The tests with real services cannot run: {lacking}{reason and f'; {reason}'}.")
    print(f"They will be skipped. To run them: {BY_HAND}", flush=True)
    return 1 if "--require" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
