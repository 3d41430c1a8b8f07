"""``kingme bench``: how quick the engine is here, and that it is the one it should be."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from typing import Annotated

import typer

from kingme.cli.compiling import tell_unkept
from kingme.cli.output import say

__all__ = ["bench"]

PERFT_DEPTH = 11
SECONDS = 2.0

START = """
import time
began = time.perf_counter()
from kingme.engine.api import Limits
from kingme.engine.local import LocalEngine
from kingme.rules.history import History
LocalEngine(16).best_move(History.start(), Limits(depth=4))
print(time.perf_counter() - began)
"""


def bench(
    cold: Annotated[
        bool, typer.Option("--cold/--no-cold", help="Compile everything anew for the cold start.")
    ] = True,
) -> None:
    """Print one JSON line on the engine.

    The signature is the number of positions that a fixed search looks at: the same on every
    machine for the same engine. Then follow positions a second of one thread, leaves a second of
    perft, and the seconds from a new process to its first move, where kernels must be compiled
    first and where they are kept. A busy machine shows less than it can.
    """
    tell_unkept()
    if cold:
        typer.echo("compiling in an empty folder, less than a minute ...", err=True)
    figures: dict[str, object] = {"python": platform.python_version(), "cpus": os.cpu_count()}
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            figures["cold_start_s"] = _start(folder)
            figures["warm_start_s"] = min(_start(folder) for _ in range(3))
    else:
        _start(None)
        figures["warm_start_s"] = min(_start(None) for _ in range(3))
    from kingme.engine.api import Limits
    from kingme.engine.kernels.perft import perft
    from kingme.engine.local import LocalEngine
    from kingme.engine.signature import signature
    from kingme.rules.history import History
    from kingme.rules.position import Position

    figures["signature"] = signature()
    engine = LocalEngine(64)
    engine.best_move(History.start(), Limits(depth=4))
    found = engine.best_move(History.start(), Limits(seconds=SECONDS))
    figures["nodes_per_s"] = round(found.nodes / found.seconds)
    perft(Position.start(), 2)
    began = time.perf_counter()
    leaves = perft(Position.start(), PERFT_DEPTH)
    figures["perft_per_s"] = round(leaves / (time.perf_counter() - began))
    say(json.dumps(figures))


def _start(folder: str | None) -> float:
    """Seconds from a new process's first import to its first move."""
    environment = {**os.environ, **({"KINGME_CACHE_DIR": folder} if folder else {})}
    done = subprocess.run(
        [sys.executable, "-c", START], env=environment, capture_output=True, text=True, check=True
    )
    return round(float(done.stdout), 3)
