"""The ``kingme`` command while it loads: Ctrl+C ends it without a word."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import kingme_command

COMMAND = str(Path(sys.executable).with_name("kingme"))


@pytest.mark.parametrize(
    "module",
    ["the first", "kingme.errors", "kingme.rules.variant", "typer", "kingme.cli.warm"],
)
def test_an_interrupt_while_it_loads(module):
    """Python tells of every module that it has imported: behind one of them comes the signal."""
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", COMMAND, "pdn", "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None and process.stdin is not None
        begun = False
        # What is waited for in vain ends the process, and with it the test.
        deadline = threading.Timer(60, process.kill)
        deadline.start()
        for line in process.stderr:
            name = line.rpartition("|")[2].strip()
            if name == module or (begun and module == "the first"):
                break
            begun = begun or name == "kingme_command"
        process.send_signal(signal.SIGINT)
        said = [line for line in process.stderr if not line.startswith("import time:")]
        deadline.cancel()
        assert process.stdout is not None
        assert process.wait(60) == 130
        assert said == [] and process.stdout.read() == ""


def test_an_interrupt_that_comes_as_an_exception(monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    with pytest.raises(SystemExit) as ended:
        kingme_command.main()
    assert ended.value.code == 130
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_is_ignored_stays_so(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["kingme", "--version"])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(SystemExit):
            kingme_command.main()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
