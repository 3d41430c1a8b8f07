"""Leading the build of a database: which pair is next, and keeping what is done."""

from __future__ import annotations

from collections.abc import Callable

from kingme.engine.endgames.slices import Pair, needs
from kingme.engine.endgames.work import Work, positions
from kingme.jobs.ports import Executor, Task

__all__ = ["Show", "lead"]

Show = Callable[[int, str], None]
"""Takes the positions that are done, and the material that was begun or done last."""


def lead(work: Work, executor: Executor, show: Show | None = None) -> None:
    """Do all that is left of a build, and keep each pair as soon as it is done.

    A pair is begun when all that it leads to is kept. Raises what a task raises, and
    `EndgameError` where the disk takes no more; what is kept by then stays.
    """
    show = show or _silent
    waiting = sorted(work.left, key=_order)
    pair_of = {material: pair for pair in work.order for material in pair}
    leads_to = {pair: {pair_of[material] for material in needs(pair)} for pair in waiting}
    at_work = 0
    done = work.positions_done
    while waiting or at_work:
        for pair in list(waiting):
            task = Task(pair, work.plan.kinds_of(pair), pair in work.solved)
            ready = task.solved or leads_to[pair] <= work.solved
            if ready and executor.takes(task):
                executor.start(task)
                waiting.remove(pair)
                at_work += 1
                show(done, str(pair[0]))
        found = executor.next()
        work.keep(found.task.pair, found.codes, found.packed)
        executor.release(found.task)
        at_work -= 1
        done += positions(found.task.pair)
        show(done, str(found.task.pair[0]))


def _order(pair: Pair) -> tuple[int, int, int]:
    """Fewer pieces first, then fewer men, then the larger pair: it takes longest."""
    return pair[0].pieces, pair[0].men + pair[0].other_men, -positions(pair)


def _silent(_done: int, _text: str) -> None:
    """Show nothing."""
