"""The real server as a process of its own, to be started, measured, killed and started again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

__all__ = ["Service", "free_port"]

START_SECONDS = 60.0
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Service:
    """One server process on a port of its own, with its files and its log in `folder`."""

    def __init__(
        self,
        folder: Path,
        *,
        database: str | None = None,
        redis: str | None = None,
        name: str = "server",
        more: str = "",
    ) -> None:
        self.folder = folder
        self.database = database or f"sqlite:///{folder / 'kingme.db'}"
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"{name}.log"
        self.config = folder / f"{name}.toml"
        lines = [
            f"database = {json.dumps(self.database)}",
            *([f"redis = {json.dumps(redis)}"] if redis else []),
            f"port = {self.port}",
            "sockets_per_address = 100000",
            f"data_dir = {json.dumps(str(folder))}",
            more,
        ]
        self.config.write_text("\n".join(lines) + "\n")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start it."""
        words = [sys.executable, "-m", "kingme", "serve", "--config", str(self.config)]
        kept = {key: value for key, value in os.environ.items() if not key.startswith("KINGME_")}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=kept
            )

    def wait(self, path: str = "/healthz", wanted: bytes = b"") -> None:
        """Wait until it answers well; raises ``SystemExit`` with its log where it does not."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process is not None and self.process.poll() is not None:
                break
            try:
                if wanted in self.get(path):
                    return
            except OSError:
                pass
            time.sleep(0.02)
        raise SystemExit(f"The server did not start:\n{self.tail()}")

    def get(self, path: str) -> bytes:
        """What it answers at `path`; ``OSError`` where it refuses or does not answer."""
        with urllib.request.urlopen(self.base + path, timeout=10) as answer:  # noqa: S310 (this machine)
            return bytes(answer.read())

    def json(self, path: str) -> Any:
        """The same, as the value that it says."""
        return json.loads(self.get(path))

    def kill(self) -> None:
        """End it as a power cut would, for this process."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """End it as an operator does; returns its exit status."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode

    def tail(self, lines: int = 20) -> str:
        """The end of its log."""
        if not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    @property
    def pid(self) -> int:
        """Its process."""
        assert self.process is not None
        return self.process.pid

    def memory(self) -> int:
        """Resident memory in KiB, of this process alone."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def cpu(self) -> float:
        """Processor seconds that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK
