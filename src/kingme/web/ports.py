"""What the web edge needs from the rest of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kingme.engine.api import Info
    from kingme.engine.opponent import Reply
    from kingme.play.ports import (
        Bus,
        GameStore,
        LedgerStore,
        SeekStore,
        ServiceStore,
        SessionStore,
        UserStore,
    )
    from kingme.rules.history import History

__all__ = ["LivePorts", "OpponentPort", "Ports", "StorePort"]


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

    def analyse(
        self, history: History, seconds: float, lines: int = 1, preset: str = "standard"
    ) -> tuple[Info, ...]:
        """The best lines, the best first; none where there is no engine for it; blocks."""

    def close(self) -> None:
        """Stop every search and let go of the engine."""


class StorePort(Protocol):
    """Everything that has to last, in its parts; every method blocks."""

    @property
    def games(self) -> GameStore:
        """The logs of games."""

    @property
    def seeks(self) -> SeekStore:
        """The open seeks."""

    @property
    def users(self) -> UserStore:
        """Guests and accounts."""

    @property
    def sessions(self) -> SessionStore:
        """Who is signed in."""

    @property
    def ledger(self) -> LedgerStore:
        """Chips and points."""

    @property
    def service(self) -> ServiceStore:
        """Heartbeats, reports and the audit trail."""

    def close(self) -> None:
        """Let go of it."""


@dataclass(frozen=True, slots=True)
class LivePorts:
    """What play between people needs.

    `open_store` blocks, and raises ``Unavailable`` where there is no store yet, or ``Refusal``
    where there will not be one. `now` is the time in ms since the epoch.
    """

    open_store: Callable[[], StorePort]
    open_bus: Callable[[], Bus]
    now: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Ports:
    """The adapters that one application is built from; without `live` nobody plays with others."""

    opponent: OpponentPort
    live: LivePorts | None = None
