"""``kingme bench``: its figures are there, and the signature is the engine's."""

from __future__ import annotations

from kingme.engine.signature import signature

from .calling import kingme

__all__ = ["kingme"]


def test_one_line_of_figures(kingme):
    done = kingme("bench", "--no-cold")
    assert done.code == 0, done.err
    assert done.out.count("\n") == 1
    figures = done.json
    assert figures["signature"] == signature()
    assert {"nodes_per_s", "perft_per_s", "warm_start_s", "python", "cpus"} <= set(figures)
    assert all(value for value in figures.values())
