"""Count the tests in a JUnit report on one line; exit 1 if one failed or none ran."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path


def tally(report: Path) -> Counter[str]:
    """How many tests passed, failed (an error is a failure) and were skipped."""
    counts: Counter[str] = Counter()
    for case in ET.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            counts["failed"] += 1
        else:
            counts["skipped" if "skipped" in kinds else "passed"] += 1
    return counts


def main() -> int:
    """Print the line; without a report no test ran."""
    report = Path(sys.argv[1])
    counts = tally(report) if report.is_file() else Counter[str]()
    print(", ".join(f"{counts[kind]} {kind}" for kind in ("passed", "failed", "skipped")))
    return int(counts["failed"] > 0 or counts["passed"] == 0)


if __name__ == "__main__":
    sys.exit(main())
