"""Count the tests in a JUnit report on one line; exit 1 if one failed or none ran.

A second report may follow, of a second try at the tests that failed: those that passed then count
as passed.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path


def outcomes(report: Path) -> list[tuple[tuple[str, str], str]]:
    """Each test of a report by class and name, with what came of it; an error is a failure."""
    found = []
    for case in ET.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        failed = kinds & {"failure", "error"}
        outcome = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
        found.append(((case.get("classname", ""), case.get("name", "")), outcome))
    return found


def tally(report: Path, again: Path | None = None) -> Counter[str]:
    """How many tests passed, failed and were skipped."""
    retried = dict(outcomes(again)) if again else {}
    return Counter(
        "passed" if outcome == "failed" and retried.get(test) == "passed" else outcome
        for test, outcome in outcomes(report)
    )


def main() -> int:
    """Print the line; without a report no test ran."""
    report, *more = (Path(name) for name in sys.argv[1:])
    again = more[0] if more and more[0].is_file() else None
    counts = tally(report, again) if report.is_file() else Counter[str]()
    print(", ".join(f"{counts[kind]} {kind}" for kind in ("passed", "failed", "skipped")))
    return int(counts["failed"] > 0 or counts["passed"] == 0)


if __name__ == "__main__":
    sys.exit(main())
