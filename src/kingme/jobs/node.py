"""A task on another machine: slices that are not there yet are fetched and kept for the next.

Each machine has a folder for the build with a block as the leading process has it (`Mapped`), and
an empty file for each slice that it has whole. Tasks that run there at once may fetch the same
slice: they write the same bytes to the same place.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kingme.engine.endgames import files
from kingme.engine.endgames.build import Block, Crew
from kingme.engine.endgames.mapped import Mapped
from kingme.engine.endgames.slices import Forces, layout
from kingme.jobs.ports import Packers, Solved, Task
from kingme.jobs.tasks import carry_out

__all__ = ["Errand", "Fetch", "clear", "run"]

Fetch = Callable[[Forces], Block]
"""Gets the codes of a slice from wherever they are."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a machine is told: the build by a ``name`` of its own, the task, packers, memory.

    ``fetched`` are the slices that the task reads.
    """

    name: str
    pieces: int
    task: Task
    packers: Packers
    bound: int
    fetched: tuple[Forces, ...]


def run(errand: Errand, fetch: Fetch) -> Solved:
    """Do a task, with slices that are fetched where this machine lacks them."""
    place = _folder(errand.name)
    place.mkdir(parents=True, exist_ok=True)
    mapped = Mapped(place / "block.bin", layout(errand.pieces), errand.bound)
    try:
        for material in errand.fetched:
            mark = place / "-".join(map(str, material.counts))
            if not mark.exists():
                mapped.write_at(mapped.plan.places[material], fetch(material).data)
                mark.touch()
        with Crew(1, mapped.relieve) as crew:
            first = mapped.plan.places[errand.task.pair[0]]
            return carry_out(errand.task, mapped.block, mapped.address, crew, errand.packers, first)
    finally:
        mapped.close()


def clear(name: str) -> None:
    """Remove what a build has left on this machine."""
    shutil.rmtree(_folder(name), ignore_errors=True)


def _folder(name: str) -> Path:
    kept = files.folder()
    return (Path(tempfile.gettempdir()) if kept is None else kept) / f"node-{name}"
