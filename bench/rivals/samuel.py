r"""The engine of the PyPI package samuel (GUI Checkers 1.05) in the line mode of ``kingme engine``.

    kingme match "lines:kingme engine --lines" "lines:PYTHON bench/rivals/samuel.py" \\
        --set-a clock=cpu --set-b clock=cpu --seconds 0.1 --openings FILE

PYTHON is the interpreter of an environment of its own where ``pip install samuel`` was done (it
compiles C++ and needs Python's headers; its windows, and so GTK, are not needed). The package is
left as it is: this asks it for moves through the module that its own windows use, and stops it
when the time is used up. It has its 2, 3 and 4-piece databases, and no opening book, since a match
begins behind any book.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import math
import os
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The rules alone, which need no other package.
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import Side

TICK = 0.001
DEEPEST = 52


def engine() -> Any:
    """Load the compiled module alone: the package around it wants GTK."""
    folder = Path(sysconfig.get_paths()["platlib"]) / "samuel"
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = folder / f"engine{suffix}"
        if path.exists():
            spec = importlib.util.spec_from_file_location("engine", path)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise SystemExit(f"there is no engine in {folder}: pip install samuel")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let what the engine prints by itself lead nowhere."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class Lines:
    """Answers the commands that a match needs."""

    def __init__(self) -> None:
        self._engine = engine()
        data = Path(sysconfig.get_paths()["data"]) / "share" / "samuel" / "data"
        files = [str(data / name) for name in ("opening.gbk", "2pc.cdb", "3pc.cdb", "4pc.cdb")]
        with quiet():
            self._engine.init("", *files[1:])
        self._cpu = False
        self._history = History.start()

    def answer(self, line: str) -> str:
        """Return the answer to a command."""
        command, *words = line.split()
        if command == "name":
            return "name GUI Checkers 1.05 (samuel)"
        if command == "ready":
            return "readyok"
        if command == "newgame":
            with quiet():
                self._engine.newgame()
            return "ok"
        if command == "set":
            if words[0] == "clock":
                self._cpu = words[1] == "cpu"
                return "ok"
            return f"error there is no option {words[0]}"
        if command == "position":
            at = words.index("moves") if "moves" in words else len(words)
            start = " ".join(words[:at])
            history = History.start(None if start == "start" else Position.from_fen(start))
            for text in words[at + 1 :]:
                history = history.play(text)
            self._history = history
            return "ok"
        if command == "go":
            return self._go(dict(zip(words[::2], words[1::2], strict=False)))
        return f"error there is no command {command}"

    def _go(self, limits: dict[str, str]) -> str:
        seconds = float(limits.get("movetime", "1"))
        history = self._history
        self._set_up(history)
        self._engine.setlevel(3, int(limits.get("depth", DEEPEST)), max(1, math.ceil(seconds)))
        done = threading.Event()
        clock = time.process_time if self._cpu else time.perf_counter
        started = clock()

        def watch() -> None:
            while not done.wait(TICK):
                if clock() - started >= seconds:
                    self._engine.movenow()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        with quiet():
            self._engine.cmove("1" if history.position.turn is Side.BLACK else "2")
        done.set()
        watcher.join()
        after = Position.from_fen(self._engine.getFEN())
        for move in history.position.legal_moves:
            if history.position.after(move) == after:
                return f"bestmove {move} fen {after.fen}"
        return f"error no legal move leads from {history.position.fen} to {after.fen}"

    def _set_up(self, history: History) -> None:
        """Give the whole game, so that the engine knows what has occurred before.

        It reads a jump by its ends alone; where it took another route, the position is given.
        """
        start = history.positions[0]
        words = [f'[FEN "{start.fen}"]'] if start != Position.start() else []
        words += [f"{m.start}{'x' if m.captures else '-'}{m.end}" for m in history.moves]
        with quiet():
            self._engine.getPDN(" ".join([*words, "*"]))
            if Position.from_fen(self._engine.getFEN()) != history.position:
                self._engine.setposfromFEN(history.position.fen)


def main() -> None:
    """Answer until the end of input."""
    host = Lines()
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        if line.strip():
            print(host.answer(line.strip()), flush=True)


if __name__ == "__main__":
    main()
