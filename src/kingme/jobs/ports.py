"""What there is to be done for a database, and who does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from kingme.engine.endgames.build import Block
from kingme.engine.endgames.slices import Forces, Pair
from kingme.engine.endgames.work import Packed

__all__ = ["Advance", "Executor", "Packers", "Solved", "Task"]

Packers: TypeAlias = Mapping[str, Callable[[Forces, Block, Callable[[], None] | None], bytes]]
"""For each kind of file, what packs the codes of a slice for it; the same bytes each time.

It calls what it is given now and then, and ends with what that raises.
"""

Advance: TypeAlias = Callable[[int], None]
"""Takes how many positions more are in hand; from any thread."""


@dataclass(frozen=True, slots=True)
class Task:
    """A pair of slices to be solved, unless it is, and to be packed for these kinds of files."""

    pair: Pair
    kinds: tuple[str, ...] = ()
    solved: bool = False


@dataclass(frozen=True, slots=True)
class Solved:
    """A task that is done: the codes of its pair, one slice behind the other, and packed forms.

    ``codes`` is None where the pair was solved before.
    """

    task: Task
    codes: Block | None
    packed: Packed


class Executor(Protocol):
    """Does tasks, several at once. It is asked by one thread.

    All that a task needs (`kingme.engine.endgames.slices.needs`) is there when it is started.
    """

    def takes(self, task: Task) -> bool:
        """Tell whether a task can begin now, beside those at work; where none is, it can."""

    def start(self, task: Task) -> None:
        """Begin with a task."""

    def next(self) -> Solved:
        """Wait for a task to be done; raises what it failed of, `EndgameError` for one."""

    def release(self, task: Task) -> None:
        """Hear that what came of a task is kept, and may be read by others."""

    def close(self) -> None:
        """Break off what is at work, and let go of all that is held."""
