"""How long ``import kingme`` takes, in a fresh interpreter each time.

    python bench/imports.py [--rounds N]

Each round times an interpreter that imports kingme and one that imports nothing, in turn. A
shared machine only ever slows a program down, so the best of each are compared, by the clock
and by the time that the processor worked. Prints one JSON line: milliseconds, and how many
modules of kingme and of all others come with it. Bytecode is kept in a folder of its own, as
it is wherever kingme was installed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

COUNT = "import kingme, sys; print(*sys.modules)"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


def seconds(code: str, cache: str) -> tuple[float, float]:
    """How long an interpreter takes to start, run some code and end: in all, and at work."""
    command = [sys.executable, "-X", f"pycache_prefix={cache}", "-c", code]
    environment = {key: value for key, value in os.environ.items() if key != NO_BYTECODE}
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Time the rounds and print the figures."""
    parser = argparse.ArgumentParser(description="How long importing kingme takes.")
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as cache:
        runs = [
            (*seconds("import kingme", cache), *seconds("pass", cache)) for _ in range(rounds + 1)
        ]
    wall, work, bare_wall, bare_work = (min(column) for column in zip(*runs, strict=True))
    done = subprocess.run([sys.executable, "-c", COUNT], check=True, capture_output=True, text=True)
    names = done.stdout.split()
    own = [name for name in names if name.partition(".")[0] == "kingme"]
    figures = {
        "bench": "imports",
        "rounds": rounds,
        "import_ms": round(1000 * (wall - bare_wall), 1),
        "import_processor_ms": round(1000 * (work - bare_work), 1),
        "interpreter_ms": round(1000 * bare_wall, 1),
        "modules_of_kingme": len(own),
        "other_modules": len(names) - len(own),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
