"""A program that is spoken to in lines: started, asked with a deadline, and always reaped.

Nothing here waits without an end. A program that dies, floods its output, stops reading or falls
silent becomes an `EngineError` that says what it was asked and what it said last.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence

from kingme.engine.api import EngineError

__all__ = ["LineProcess"]

LONGEST = 1 << 16
"""Bytes of a line; a longer one is no answer to anything."""

WAITING = 10_000
"""Lines kept unread; a program that says more has to wait until somebody reads."""

LAST_WORDS = 12
QUIT_SECONDS, TERM_SECONDS = 1.0, 0.5
"""How long a program may take to end when it is asked to, and when it is told to."""


class LineProcess:
    """A running program with lines in and lines out; a context manager that ends it.

    ``command`` is a list of words, or one text that is split as a shell would; no shell runs.
    ``folder`` is where it starts. Raises `EngineError` where it cannot be started.
    """

    def __init__(self, command: str | Sequence[str], folder: str | None = None) -> None:
        words = _words(command)
        self.name = shlex.join(words)
        self._closed = threading.Event()
        self._sending = threading.Lock()
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING)
        self._ended = False
        self._errors: deque[str] = deque(maxlen=LAST_WORDS)
        self._asked = ""
        try:
            # A group of its own: Ctrl+C at the terminal is for whoever uses the engine.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                process_group=0 if os.name == "posix" else None,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"the engine {self.name!r} cannot be started: {why}") from None
        assert self._process.stdin is not None
        if os.name == "posix":
            os.set_blocking(self._process.stdin.fileno(), False)
        self._readers = [
            threading.Thread(target=work, name=f"kingme-{work.__name__}", daemon=True)
            for work in (self._read_answers, self._read_errors)
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> LineProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the program can still answer."""
        return not self._closed.is_set() and self._process.poll() is None

    def send(self, line: str) -> None:
        """Write a line; raise `EngineError` where the program has ended or does not read."""
        data = line.encode() + b"\n"
        with self._sending:
            if self._closed.is_set():
                raise EngineError(f"the engine {self.name!r} has been closed")
            self._asked = line
            stdin = self._process.stdin
            assert stdin is not None
            deadline = time.monotonic() + 1
            try:
                while data:
                    written = stdin.write(data)
                    data = data[written or 0 :]
                    if data and time.monotonic() > deadline:
                        raise EngineError(f"the engine {self.name!r} does not read its input")
                    if not written:
                        time.sleep(0.01)
            except OSError:
                raise self.death() from None

    def read(self, deadline: float | None) -> str | None:
        """Return the next line, or None where none has come by ``deadline`` (monotonic time).

        Raises `EngineError` where the program has ended.
        """
        if self._ended:
            raise self.death()
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            line = self._lines.get(timeout=wait) if wait != 0 else self._lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self._ended = True
            raise self.death()
        return line

    def death(self) -> EngineError:
        """Return the error of a program that is gone, with its status and last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        for reader in self._readers[1:]:
            reader.join(TERM_SECONDS)
        asked = f" after it was told {self._asked!r}" if self._asked else ""
        status = self._process.returncode
        if status is None:
            how = "closed its output"
        elif status < 0:
            with contextlib.suppress(ValueError):
                status = signal.Signals(-status).name
            how = f"was ended by {status}"
        else:
            how = f"ended with status {status}"
        return EngineError(f"the engine {self.name!r} {how}{asked}{self.last_words()}")

    def last_words(self) -> str:
        """Return what it wrote to its standard error last, fit for the end of a message."""
        said = " | ".join(line for line in self._errors if line.strip())
        return f"; its last words: {said}" if said else ""

    def close(self, farewell: str = "") -> None:
        """End the program, kindly at first, and reap it; twice does no harm."""
        if farewell and self.running:
            with contextlib.suppress(EngineError):
                self.send(farewell)
        with self._sending:
            self._closed.set()
            with contextlib.suppress(OSError):
                if self._process.stdin is not None:
                    self._process.stdin.close()
        if not self._gone(QUIT_SECONDS if farewell else TERM_SECONDS):
            self._signal("SIGTERM")
            self._gone(TERM_SECONDS)
        # What it started may outlive it, and would keep its pipes open.
        self._signal("SIGKILL")
        self._process.wait()
        for reader in self._readers:
            reader.join(TERM_SECONDS)
        for stream, reader in zip(
            (self._process.stdout, self._process.stderr), self._readers, strict=True
        ):
            if stream is not None and not reader.is_alive():
                stream.close()

    def kill(self) -> None:
        """End the program at once, for it does not behave, and reap it."""
        self._signal("SIGKILL")
        self.close()

    def _gone(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, name: str) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, getattr(signal, name))
            elif name == "SIGTERM":
                self._process.terminate()
            else:
                self._process.kill()

    def _read_answers(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        rest = b""
        with contextlib.suppress(OSError, ValueError):
            while data := stream.read(LONGEST):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    if not self._put(line.decode(errors="replace").rstrip("\r")):
                        return
                if len(rest) > LONGEST:
                    self._errors.append(f"a line of more than {LONGEST} bytes")
                    break
        self._put(None)

    def _put(self, line: str | None) -> bool:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.2)
                return True
        return False

    def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(LONGEST):
                self._errors.append(line.decode(errors="replace").rstrip())


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineError(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise EngineError("the command of an engine is empty: name a program")
    return words
