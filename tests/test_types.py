"""The types of the public names: what mypy accepts, what it sees, and what it refuses."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPES = ROOT / "tests" / "types"
FOUND = re.compile(r"\w+\.py:(\d+): error: .*\[([\w-]+)\]$")


def mypy(file):
    """Check one file as somebody would who has installed kingme.

    With a cache of its own, since the types of everything may be checked at the same time.
    """
    options = ["--strict", "--config-file=", "--no-pretty", "--no-error-summary"]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", ROOT / ".cache" / "types", file],
        cwd=TYPES,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_right_is_accepted():
    done = mypy("accepted.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_wrong_is_refused():
    expected = {}
    for number, line in enumerate((TYPES / "refused.py").read_text().splitlines(), 1):
        if said := re.search(r"# error: ([\w, -]+)$", line):
            expected[number] = set(said[1].split(", "))
    found = defaultdict(set)
    for line in mypy("refused.py").stdout.splitlines():
        if said := FOUND.match(line):
            found[int(said[1])].add(said[2])
    assert found == expected
