"""The command as a user calls it, in this process."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from kingme.cli import main


@dataclass
class Done:
    """What a call said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Caller:
    """Calls ``kingme`` with words, and perhaps with something on standard input."""

    def __init__(self, capture, patch):
        self._capture = capture
        self._patch = patch

    def __call__(self, *words, given=b"") -> Done:
        self._patch.setattr(sys, "argv", ["kingme", *map(str, words)])
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
        out, err = self._capture.readouterr()
        return Done(code, out.decode(), err.decode())

    def refused(self, *words, given=b"") -> str:
        """What one line says of a call that is refused."""
        done = self(*words, given=given)
        assert done.code == 2, done
        assert done.out == ""
        assert done.err.startswith("kingme: ")
        assert done.err.count("\n") == 1
        return done.err.removeprefix("kingme: ").strip()


@pytest.fixture
def kingme(capsysbinary, monkeypatch):
    return Caller(capsysbinary, monkeypatch)
