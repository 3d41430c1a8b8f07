"""What all engines in processes of their own share: a search as a conversation with deadlines."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

from kingme.engine.api import EngineError, GameOverError, Info, Limits, Score
from kingme.engine.process import LineProcess
from kingme.engine.turns import Turns
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import STANDARD, DrawPreset
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["Client", "Found", "Option", "same_stretch"]

HANDSHAKE_SECONDS = 20.0
LOADING = 9
"""How many times that long an engine may load what it needs, or compile it."""

GRACE = 5.0
"""Seconds that an answer may take beyond what was allowed, or after a stop."""

PATIENCE = 600.0
"""Seconds without a word in a search of a given depth or number of nodes."""

#: value of an option, by its name
Option = str | int | float | bool

Found = Info | Move


class Client(ABC):
    """An engine in a process of its own, behind the protocol of engines; a context manager.

    ``command`` starts it, in ``folder``; ``options`` are set before the first search. It must
    answer within ``handshake`` seconds and be loaded within nine times as many. Any thread may
    call it: one search runs at a time, another waits. Every failure is an `EngineError` that
    names the line at fault, and none is a hang: an engine that is late by more than ``grace``
    seconds is ended. Draws within its search follow its own rules, not the preset.
    """

    FAREWELL = "quit"

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        options: Mapping[str, Option] | None = None,
        variant: Variant = ENGLISH,
        folder: str | None = None,
        handshake: float = HANDSHAKE_SECONDS,
        grace: float = GRACE,
    ) -> None:
        self._turns = Turns("engine")
        self._searching = threading.Event()
        self._stopping: float | None = None
        self._grace = grace
        self._handshake = handshake
        self._variant: Variant | None = None
        self._options = dict(options or {})
        self._process = LineProcess(command, folder)
        self.name = self._process.name
        try:
            self._greet()
            self._choose(variant)
        except BaseException:
            self._process.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the engine can be asked for anything."""
        return self._process.running

    @property
    def stopped(self) -> bool:
        """Whether the present search was told to stop."""
        return self._stopping is not None

    def close(self) -> None:
        """End the engine and its process; twice does no harm."""
        self._process.close(self.FAREWELL)

    def analyse(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> Iterator[Info]:
        """Yield what the engine tells, at last its choice; close the iterator to leave early.

        Raises `GameOverError` where no move is legal and `EngineError` where the engine fails, or
        where this thread has another iterator open.
        """
        position = history.position
        if position.outcome is not None:
            raise GameOverError(f"{position.turn.title} has no move: the game is over")
        return self._converse(history, limits)

    def best_move(self, history: History, limits: Limits, preset: DrawPreset = STANDARD) -> Info:
        """Return the last info of a search."""
        for found in self.analyse(history, limits, preset):
            info = found
        return info

    def stop(self) -> None:
        """End the search that another thread runs; it still yields what it has."""
        if self._searching.is_set() and self._stopping is None:
            self._stopping = time.monotonic() + self._grace
            self._process.send("stop")

    def new_game(self) -> None:
        """Tell the engine to forget what it knows from the game before."""
        with self._turns.taken():
            self._forget()

    @abstractmethod
    def _greet(self) -> None:
        """Introduce oneself; set the options."""

    @abstractmethod
    def _select(self, variant: Variant) -> None:
        """Tell the engine which variant is played."""

    @abstractmethod
    def _forget(self) -> None:
        """Tell the engine that a new game begins."""

    @abstractmethod
    def _ask(self, history: History, limits: Limits) -> None:
        """Give the position and start the search."""

    @abstractmethod
    def _hear(self, line: str, history: History, seconds: float) -> Found | None:
        """Understand a line: an info, the move at the end, or None for anything else.

        Raises ``ValueError`` for a line that makes no sense.
        """

    def _choose(self, variant: Variant) -> None:
        if variant != self._variant:
            self._select(variant)
            self._variant = variant

    def _converse(self, history: History, limits: Limits) -> Iterator[Info]:
        with self._turns.taken():
            self._choose(history.position.variant)
            self._stopping = None
            began = time.monotonic()
            self._searching.set()
            finished = False
            try:
                self._ask(history, limits)
                if self.stopped:  # it was heard before there was anything to stop
                    self._process.send("stop")
                last: Info | None = None
                for found in self._findings(history, limits, began):
                    if isinstance(found, Info):
                        last = found
                        yield found
                        self._turns.pass_on()
                    else:
                        finished = True
                        if last is None or last.move != found:
                            yield _chosen(found, last, time.monotonic() - began)
            finally:
                if not finished:
                    self._abandon(history, began)
                self._searching.clear()

    def _findings(self, history: History, limits: Limits, began: float) -> Iterator[Found]:
        """Yield what is found; the move comes last."""
        while True:
            line = self._read(limits, began)
            found = self._understood(line, history, time.monotonic() - began)
            if found is not None:
                yield found
                if not isinstance(found, Info):
                    return

    def _understood(self, line: str, history: History, seconds: float) -> Found | None:
        try:
            return self._hear(line, history, seconds)
        except ValueError as error:
            self._process.kill()
            raise EngineError(
                f"the engine {self.name!r} says {line!r}, which makes no sense: {error}"
            ) from error

    def _read(self, limits: Limits, began: float) -> str:
        """Return the next line; give the engine up where it is late."""
        spoken = time.monotonic()
        while True:
            now = time.monotonic()
            due = self._stopping
            if limits.seconds is not None:
                due = min(due or now + 1e9, began + limits.seconds + self._grace)
            elif due is None and (limits.depth or limits.nodes):
                due = spoken + PATIENCE
            # A stop can come from another thread while this one waits.
            line = self._process.read(min(due or now + 1e9, now + 0.1))
            late = due is not None and time.monotonic() >= due
            # What came just in time counts; a flood of lines does not put the end off.
            if line is not None and (due is None or now < due + 0.1):
                return line
            if late:
                waited = time.monotonic() - began
                self._process.kill()
                raise EngineError(
                    f"the engine {self.name!r} has not answered after {waited:.1f} s and was "
                    f"ended{self._process.last_words()}"
                )

    def _abandon(self, history: History, began: float) -> None:
        """Bring a search that nobody follows any more to its end, or the engine to its own."""
        if not self._process.running:
            return
        try:
            self.stop()
            for _ in self._findings(history, Limits(seconds=1e9), began):
                pass
        except EngineError:
            self._process.kill()

    def _until(
        self, wanted: Callable[[str], bool], asked: str, what: str, *, loading: bool = False
    ) -> str:
        """Send a line and return the first answer that is wanted; what else is said is passed over.

        Raises `EngineError` where it does not come within the time of a handshake.
        """
        self._process.send(asked)
        allowed = self._handshake * (LOADING if loading else 1)
        deadline = time.monotonic() + allowed
        heard = ""
        while True:
            line = self._process.read(deadline)
            if line is None:
                said = f"it said {heard!r} at last" if heard else "it said nothing"
                raise EngineError(
                    f"the engine {self.name!r} has not answered {asked!r} with {what} within "
                    f"{allowed:g} s: {said}{self._process.last_words()}"
                )
            if wanted(line.strip()):
                return line.strip()
            heard = line.strip() or heard


def same_stretch(history: History) -> History:
    """Return the part of a history that can repeat: from the last capture or man's move on."""
    first = len(history.positions) - 1
    while first > 0:
        move, before = history.moves[first - 1], history.positions[first - 1]
        piece = before.piece_at(move.start)
        if move.captures or piece is None or not piece.king:
            break
        first -= 1
    return History(history.positions[first:], history.moves[first:])


def _chosen(move: Move, last: Info | None, seconds: float) -> Info:
    """The info of a move that the engine had not told of before."""
    if last is None:
        return Info(0, Score(0), 0, seconds, (move,))
    return Info(last.depth, last.score, last.nodes, seconds, (move,))
