"""Tasks on the machines of a Ray cluster, or on processes of this machine.

A slice that is kept goes into Ray's object store when the first task needs it, and is let go when
none that is to come does. A machine fetches it once (`node`). What comes of a task returns by the
object store too, and this process alone writes files. If a worker or its machine is lost, its task
is begun again elsewhere; all else goes on.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Callable
from typing import Any

from kingme.engine.endgames import memory
from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.mapped import Mapped
from kingme.engine.endgames.slices import Forces, needs, pairs
from kingme.jobs import node
from kingme.jobs.node import Errand
from kingme.jobs.ports import Packers, Solved, Task

__all__ = ["RayExecutor"]

ATTEMPTS = 4
"""Times that a task is begun before it is given up."""

Worker = Callable[[Errand, dict[Forces, list[Any]]], Solved]


class RayExecutor:
    """Does tasks on ``workers`` processes; see `kingme.jobs.ports.Executor`.

    Where the variable ``RAY_ADDRESS`` names a cluster, that is used, and kingme must be installed
    on its machines; else Ray is started here. Each process may have a share of ``bound`` bytes.
    ``note`` is told of what was lost. ``worker`` is what runs on the other machine. Raises
    `EndgameError` where Ray is not installed or cannot be reached.
    """

    def __init__(
        self,
        mapped: Mapped,
        packers: Packers,
        workers: int,
        bound: int,
        note: Callable[[str], None] | None = None,
        worker: Worker | None = None,
    ) -> None:
        self._ray = _started(workers)
        self._mapped = mapped
        self._packers = packers
        self._workers = workers
        self._share = bound // workers
        self._note = note
        self._name = uuid.uuid4().hex[:12]
        self._remote = self._ray.remote(max_retries=0, num_cpus=1)(worker or errand_on_ray)
        self._kept: dict[Forces, Any] = {}
        self._at_work: dict[Any, tuple[Task, int]] = {}
        self._waiting = set(pairs(mapped.plan.pieces))

    def takes(self, task: Task) -> bool:
        """Tell whether there is a process for it."""
        return len(self._at_work) < self._workers

    def start(self, task: Task) -> None:
        """Begin with a task."""
        self._begin(task, 1)

    def next(self) -> Solved:
        """Wait for a task to be done; one whose worker was lost is begun again."""
        lost = self._ray.exceptions
        while True:
            (reference,), _ = self._ray.wait(list(self._at_work), num_returns=1)
            task, attempt = self._at_work.pop(reference)
            try:
                found: Solved = self._ray.get(reference)
            except lost.RayTaskError as error:
                raise _cause(error) from None
            except (
                lost.WorkerCrashedError,
                lost.ObjectLostError,
                lost.RaySystemError,
                lost.NodeDiedError,
                lost.OutOfMemoryError,
                lost.LocalRayletDiedError,
            ) as error:
                if attempt == ATTEMPTS:
                    raise EndgameError(
                        f"{task.pair[0]} was given up: its worker was lost {attempt} times,"
                        f" at last by {type(error).__name__}"
                    ) from None
                if self._note is not None:
                    self._note(f"the worker of {task.pair[0]} was lost; the pair is begun again")
                self._begin(task, attempt + 1)
            else:
                return found

    def release(self, task: Task) -> None:
        """Let go of slices that no pair to come leads to."""
        self._waiting.discard(task.pair)
        wanted = {material for pair in self._waiting for material in needs(pair)}
        for material in [material for material in self._kept if material not in wanted]:
            del self._kept[material]

    def close(self) -> None:
        """Break off what is at work, remove what machines have kept, and leave Ray."""
        for reference in self._at_work:
            with contextlib.suppress(Exception):
                self._ray.cancel(reference, force=True)
        self._at_work.clear()
        self._kept.clear()
        clearing = self._ray.remote(max_retries=0, num_cpus=0)(node.clear)
        place = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        with contextlib.suppress(Exception):
            self._ray.get(
                [
                    clearing.options(scheduling_strategy=place(item["NodeID"], soft=False)).remote(
                        self._name
                    )
                    for item in self._ray.nodes()
                    if item["Alive"]
                ],
                timeout=30,
            )
        self._ray.shutdown()

    def _begin(self, task: Task, attempt: int) -> None:
        fetched = needs(task.pair) | (frozenset(task.pair) if task.solved else frozenset())
        order = tuple(sorted(fetched, key=lambda material: material.entry))
        for material in order:
            if material not in self._kept:
                self._kept[material] = self._ray.put(self._mapped.codes(material))
        self._mapped.relieve()
        errand = Errand(
            self._name, self._mapped.plan.pieces, task, self._packers, self._share, order
        )
        # A reference in a list is handed over as it is; the worker fetches what it lacks.
        held = {material: [self._kept[material]] for material in order}
        memory_needed = memory.BASE + memory.needed(task.pair)
        reference = self._remote.options(
            name=f"endgames {task.pair[0]}", memory=min(memory_needed, self._share)
        ).remote(errand, held)
        self._at_work[reference] = task, attempt


def errand_on_ray(errand: Errand, held: dict[Forces, list[Any]]) -> Solved:
    """Do a task in a process that Ray has started."""
    import ray

    return node.run(errand, lambda material: ray.get(held[material][0]))


def _started(workers: int) -> Any:
    """Return the library, connected; raises `EndgameError` where that cannot be."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError:
        raise EndgameError("ray is not installed: python -m pip install 'kingme[ray]'") from None
    own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(logging_level="ERROR", log_to_driver=False, **own)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise EndgameError(f"Ray cannot be reached: {error}") from error
    return ray


def _cause(error: Any) -> BaseException:
    """Return what a task failed of, as it would have been raised here."""
    cause = error.cause
    return cause if isinstance(cause, BaseException) else EndgameError(str(error))
