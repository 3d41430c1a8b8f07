"""Doing one task: the same steps on a thread of this process and on another machine."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kingme.engine.endgames.build import Block, Crew, solve
from kingme.engine.endgames.slices import span, starts
from kingme.jobs.ports import Packers, Solved, Task

__all__ = ["carry_out"]


def carry_out(
    task: Task,
    block: Block,
    address: int,
    crew: Crew,
    packers: Packers,
    place: int,
    advance: Callable[[int], None] | None = None,
) -> Solved:
    """Solve and pack a pair, whose slices begin at ``place`` of a block with those before them."""
    size = sum(map(span, task.pair))
    codes = block[place : place + size]
    if not task.solved:
        codes = np.zeros(size, np.uint8)
        solve(task.pair, codes, address, crew, advance)
        codes.flags.writeable = False
    packed = {
        kind: [
            packers[kind](material, codes[start : start + material.positions], crew.between)
            for material, start in starts(task.pair).items()
        ]
        for kind in task.kinds
    }
    return Solved(task, None if task.solved else codes, packed)
