"""Count the tests in a JUnit report on one line; exit 1 if one failed or none ran.

A second report may follow, of a second try at the tests that failed or never ran: what it says of
them counts.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path


def outcomes(report: Path) -> dict[tuple[str, str], str]:
    """What came of each test, by class and name; an error is a failure."""
    found: dict[tuple[str, str], str] = {}
    for case in ET.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        failed = kinds & {"failure", "error"}
        outcome = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
        test = (case.get("classname", ""), case.get("name", ""))
        if found.get(test) != "failed":  # a test whose clearing up failed is told twice
            found[test] = outcome
    return found


def tally(report: Path, again: Path | None = None) -> Counter[str]:
    """How many tests passed, failed and were skipped."""
    return Counter((outcomes(report) | (outcomes(again) if again else {})).values())


def main() -> int:
    """Print the line; without a report no test ran."""
    report, *more = (Path(name) for name in sys.argv[1:])
    again = more[0] if more and more[0].is_file() else None
    counts = tally(report, again) if report.is_file() else Counter[str]()
    print(", ".join(f"{counts[kind]} {kind}" for kind in ("passed", "failed", "skipped")))
    return int(counts["failed"] > 0 or counts["passed"] == 0)


if __name__ == "__main__":
    sys.exit(main())
