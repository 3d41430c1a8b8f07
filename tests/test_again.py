"""What a run of the tests left behind is run once more, and counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parent.parent / "scripts"

SUITE = """
import pathlib, pytest
here = pathlib.Path(__file__).parent

def ran(name):
    with (here / "ran").open("a") as file:
        file.write(name + " ")

@pytest.mark.parametrize("text", ["a::b", "c"])
def test_settled(text):
    ran(text)

def test_failed_once():
    ran("once")

def test_never_ran():
    ran("never")

def test_fails():
    assert False
"""

REPORT = """<testsuites><testsuite>
<testcase classname="test_suite" name="test_settled[a::b]"/>
<testcase classname="test_suite" name="test_settled[c]"><skipped/></testcase>
<testcase classname="test_suite" name="test_failed_once"/>
<testcase classname="test_suite" name="test_failed_once"><error/></testcase>
<testcase classname="test_suite" name="test_fails"><failure/></testcase>
</testsuite></testsuites>"""


def test_what_failed_or_never_ran_is_run_again(tmp_path):
    (tmp_path / "test_suite.py").write_text(SUITE)
    report, again = tmp_path / "report.xml", tmp_path / "again.xml"
    report.write_text(REPORT)

    def run(script, *paths):
        command = [sys.executable, str(SCRIPTS / script), *map(str, paths)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run("again.py", report, again).returncode == 1
    assert (tmp_path / "ran").read_text() == "once never "
    counted = run("tally.py", report, again)
    assert counted.stdout == "3 passed, 1 failed, 1 skipped\n" and counted.returncode == 1
    assert run("tally.py", report).stdout == "1 passed, 2 failed, 1 skipped\n"
    report.unlink()  # where the run told nothing, all tests are run
    assert run("again.py", report, again).returncode == 1
    assert (tmp_path / "ran").read_text() == "once never a::b c once never "
