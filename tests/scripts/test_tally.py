"""The one line that counts the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "tally.py"
PASSED = '<testcase name="a"/>'
TOO = '<testcase name="also"/>'
FAILED = '<testcase name="b"><failure/></testcase>'
ERROR = '<testcase name="c"><error/></testcase>'
SKIPPED = '<testcase name="d"><skipped/></testcase>'


@pytest.mark.parametrize(
    ("cases", "line", "status"),
    [
        (PASSED + TOO + SKIPPED, "2 passed, 0 failed, 1 skipped", 0),
        (PASSED + PASSED, "1 passed, 0 failed, 0 skipped", 0),
        (PASSED + FAILED + ERROR, "1 passed, 2 failed, 0 skipped", 1),
        (SKIPPED, "0 passed, 0 failed, 1 skipped", 1),
        ("", "0 passed, 0 failed, 0 skipped", 1),
    ],
)
def test_tally(tmp_path, cases, line, status):
    report = tmp_path / "tests.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert run(report) == (line, status)


def test_what_passes_at_the_second_try_has_passed(tmp_path):
    first, again = tmp_path / "tests.xml", tmp_path / "again.xml"
    first.write_text(f"<testsuites>{PASSED}{FAILED}{ERROR}</testsuites>")
    again.write_text(f'<testsuites><testcase name="b"/>{ERROR}</testsuites>')
    assert run(first, again) == ("2 passed, 1 failed, 0 skipped", 1)
    again.write_text('<testsuites><testcase name="b"/><testcase name="c"/></testsuites>')
    assert run(first, again) == ("3 passed, 0 failed, 0 skipped", 0)
    assert run(first, tmp_path / "none.xml") == ("1 passed, 2 failed, 0 skipped", 1)


def test_no_report_means_no_test_ran(tmp_path):
    assert run(tmp_path / "none.xml") == ("0 passed, 0 failed, 0 skipped", 1)


def run(*reports: Path) -> tuple[str, int]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, reports)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.rstrip("\n"), done.returncode
