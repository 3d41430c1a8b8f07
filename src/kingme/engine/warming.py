"""Compiling the kernels, in a process of its own, so that nobody waits for it.

Run as ``python -m kingme.engine.warming`` this compiles every kernel into the cache, builds the
endgame database beside it, and prints a line a step. `warm` starts that and reports its steps;
afterwards the kernels load in about a second.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

from kingme.engine.api import EngineError
from kingme.engine.endgames import EndgameError, Tables, files
from kingme.engine.kernels import cachedir, sealing

__all__ = ["STEPS", "WarmingError", "compile_here", "warm"]

STEPS: tuple[tuple[str, str], ...] = (
    ("kingme.engine.kernels.bits", "the compiler"),
    ("kingme.engine.kernels.movegen", "moves"),
    ("kingme.engine.kernels.routes", "routes"),
    ("kingme.engine.kernels.perft", "perft"),
    ("kingme.engine.kernels.evaluate", "evaluation"),
    ("kingme.engine.kernels.tables", "tables"),
    ("kingme.engine.kernels.root", "search"),
    ("kingme.engine.local", "a first search"),
    ("kingme.engine.endgames.headway", "won endgames"),
    ("kingme.engine.endgames.build", "endgames of few pieces"),
)
"""Modules whose import compiles kernels, each with what a person is told."""

TIMEOUT = 300.0
"""Seconds after which compiling is given up."""

Report = Callable[[int, int, str], None]
"""Takes a step's number, how many there are, and what it is."""


class WarmingError(EngineError):
    """Kernels that could not be compiled; the message says why."""


def compile_here(report: Report) -> None:
    """Compile or load every kernel in this process, report each step, and search once.

    The endgame database is built where there is none; where it cannot be kept, the engine does
    without.
    """
    for number, (module, what) in enumerate(STEPS, start=1):
        report(number, len(STEPS), what)
        importlib.import_module(module)
    from kingme.engine.api import Limits
    from kingme.engine.local import LocalEngine
    from kingme.rules.history import History

    engine = LocalEngine(1)
    engine.best_move(History.start(), Limits(depth=4))
    engine.judge(History.start(), Limits(depth=2))
    with contextlib.suppress(EndgameError):
        Tables.have()


def warm(report: Report, cancelled: threading.Event | None = None) -> bool:
    """Fill the cache in another process unless it is full; return whether anything was compiled.

    The endgame database belongs to what the cache must hold; a damaged one is built anew.

    Raises `WarmingError` where that fails. Setting ``cancelled`` ends it early.
    """
    if cachedir.folder() is None:
        raise WarmingError("no folder can be written to keep compiled code in")
    if cachedir.stamped() and (files.path_of() is None or files.sound()):
        return False
    command = [sys.executable, "-P", "-m", "kingme.engine.warming"]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except (OSError, ValueError) as error:
        raise WarmingError(f"the compiler could not be started: {error}") from error
    before = cachedir.compiled()
    last = _follow(process, report, cancelled or threading.Event())
    if process.returncode:
        raise WarmingError(f"the compiler ended with status {process.returncode}: {last}")
    return cachedir.compiled() != before


def _follow(process: subprocess.Popen[str], report: Report, cancelled: threading.Event) -> str:
    """Report the steps that a process prints, until it ends; return its last line."""
    ended = threading.Event()

    def watch() -> None:
        waited = 0.0
        while not ended.wait(0.2):
            waited += 0.2
            if cancelled.is_set() or waited > TIMEOUT:
                process.kill()
                return

    watcher = threading.Thread(target=watch, name="kingme-warming", daemon=True)
    watcher.start()
    last = "it said nothing"
    try:
        assert process.stdout is not None
        for line in process.stdout:
            last = line.strip() or last
            number, _, what = line.partition(" ")
            if number.isdigit():
                report(int(number), len(STEPS), what.strip())
        process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        ended.set()
        watcher.join()
        if process.stdout is not None:
            process.stdout.close()
    return last


def main() -> None:
    """Compile at low priority, saying each step on standard output.

    An interrupt at the terminal reaches this process too, but is its parent's to act on.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    compile_here(lambda number, _, what: print(number, what, flush=True))
    if sealing.unkept:
        raise SystemExit(sealing.unkept[0])
    cachedir.stamp()
    cachedir.prune()


if __name__ == "__main__":
    main()
