"""A short run of `bench/crash.py`: the server is killed under load, and nothing is lost."""

from __future__ import annotations

from argparse import Namespace

import crash


def test_killed_and_started_again():
    options = Namespace(
        kills=3, games=8, rate=60.0, store="sqlite", victims="", seed=7, pauses=(0.0,)
    )
    figures = crash.run(options)
    assert figures["faults"] == []
    assert figures["kills"] == {"server": 3}
    assert figures["acked"]
    assert figures["reconnects"] >= 3 * 16
