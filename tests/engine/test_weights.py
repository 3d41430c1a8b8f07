"""The file of weights: what it holds, and what is said of one that is damaged."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kingme.engine.api import EngineError
from kingme.engine.kernels.evaluate import WEIGHTS_SIZE
from kingme.engine.sealed import HEAD
from kingme.engine.weights import DEFAULT, Weights, default


def test_the_file_of_the_package():
    assert DEFAULT.stat().st_size < 2 << 20
    record = json.loads(DEFAULT.with_suffix(".json").read_text(encoding="utf-8"))
    assert record["digest"] == default().digest
    assert default() is default()


def test_a_file_comes_back_as_it_was(tmp_path):
    words = np.arange(WEIGHTS_SIZE, dtype=np.int32) - 5000
    Weights(words).save(tmp_path / "w")
    found = Weights.load(tmp_path / "w")
    assert (found.words == words).all()
    assert found.digest == Weights(words).digest
    with pytest.raises(ValueError, match="weights are needed"):
        Weights(words[1:])


def test_damaged_files_are_refused_with_a_reason(tmp_path):
    good = DEFAULT.read_bytes()
    file = tmp_path / "w"
    flipped = bytearray(good)
    flipped[-1] ^= 1
    other = bytearray(good)
    other[8] += 1
    for data, why in (
        (b"", "is no file of weights"),
        (good[: HEAD.size - 1], "is no file of weights"),
        (b"x" + good[1:], "is no file of weights"),
        (bytes(other), "layout 2"),
        (good[:-4], "is damaged"),
        (good + b"\0", "is damaged"),
        (bytes(flipped), "is damaged"),
    ):
        file.write_bytes(data)
        with pytest.raises(EngineError, match=why):
            Weights.load(file)
    with pytest.raises(EngineError, match="cannot be read: No such file"):
        Weights.load(tmp_path / "none")
