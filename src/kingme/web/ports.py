"""What the web edge needs from the rest of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kingme.engine.opponent import Reply
    from kingme.rules.history import History

__all__ = ["OpponentPort", "Ports"]


class OpponentPort(Protocol):
    """The computer's side of the board; every method may be called from any thread."""

    @property
    def ready(self) -> bool:
        """Whether the compiled engine answers already."""

    @property
    def detail(self) -> str:
        """One sentence on how far the engine is, for a person."""

    def start_warming(self) -> None:
        """Begin to compile in the background; returns at once."""

    def reply(self, history: History, level: int, *, preset: str = "standard") -> Reply:
        """The computer's move, always legal, within the level's time; blocks."""

    def answer_draw_offer(self, history: History, level: int, preset: str) -> bool:
        """Whether the computer accepts a draw; blocks."""

    def close(self) -> None:
        """Stop every search and let go of the engine."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The adapters that one application is built from."""

    opponent: OpponentPort
