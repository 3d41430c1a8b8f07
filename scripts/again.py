"""Run once more the tests that a JUnit report does not tell as passed or skipped.

    python scripts/again.py REPORT NEW_REPORT

Those failed, or never came about: a run that an error of its own ends leaves tests behind, and what
never ran must not count as right. Where there is no report, all tests are run.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tally import outcomes


class Rest:
    """Leaves of all tests those that are not settled."""

    def __init__(self, settled: set[tuple[str, str]]) -> None:
        self._settled = settled

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep what is not settled."""
        rest = [item for item in items if named(item.nodeid) not in self._settled]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(rest)])
        items[:] = rest


def named(test: str) -> tuple[str, str]:
    """Return class and name of a test as a report has them.

    >>> named("tests/web/test_app.py::test_home[a::b]")
    ('tests.web.test_app', 'test_home[a::b]')
    """
    address, bracket, values = test.partition("[")
    path, *names = address.split("::")
    classes = [path.removesuffix(".py").replace("/", "."), *names[:-1]]
    return ".".join(classes), names[-1] + bracket + values


def main() -> int:
    """Run the rest by itself, one after another."""
    report, new = (Path(name) for name in sys.argv[1:])
    told = outcomes(report) if report.is_file() else {}
    known = {test for test, outcome in told.items() if outcome != "failed"}
    return int(pytest.main(["-n0", f"--junitxml={new}"], plugins=[Rest(known)]))


if __name__ == "__main__":
    sys.exit(main())
