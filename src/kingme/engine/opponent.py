"""The computer as an opponent: always ready, always on time, always legal.

Until the compiled engine is loaded, and whenever it fails or all its engines are taken, the plain
engine answers at a low level. Variants other than English are played by the generic search,
which needs nothing compiled.
"""

from __future__ import annotations

import contextlib
import os
import queue
import random
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from kingme.engine.api import GameOverError, Info, Limits, Score
from kingme.engine.book import Book, default
from kingme.engine.generic import GenericEngine
from kingme.engine.levels import LEVELS, Level, level_of
from kingme.engine.plain import PlainEngine
from kingme.engine.thinking import Thinker, choose
from kingme.engine.warming import WarmingError, warm
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset, preset_of
from kingme.rules.variant import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable

    from kingme.engine.local import LocalEngine

__all__ = ["Opponent", "Reply"]

GRACE = 0.4
"""Seconds that a reply may take beyond its level's time before another engine answers."""

PLAIN_LEVEL = 3
PLAIN_SECONDS = 0.25
"""Highest level and longest time of the plain engine."""

CLOSING_SECONDS = 0.5
"""How long closing waits for the end of the compiler; what is being loaded is left to itself."""

TABLE_MIB = 16
EVEN, WORSE = 12, -60
"""An even game is drawn up to this advantage, in hundredths of a man; a bad one at any time."""

YOUNG = 40
FEW = 8
"""An even game is played on before so many plies, unless so few pieces are left."""

OFFER_LIMITS = Limits(depth=13, seconds=0.4)


@dataclass(frozen=True, slots=True)
class Reply:
    """A move of the computer, and how it was found.

    ``asked`` is the level that was asked for and ``level`` the one that answered, lower
    while the compiled engine is not ready. ``score`` is for the computer's side.
    """

    move: Move
    level: int
    asked: int
    depth: int
    score: Score
    nodes: int
    seconds: float
    pv: tuple[Move, ...]


class Opponent:
    """Plays for the computer in any number of games at once, from any thread.

    ``engines`` searches run at a time at most, one for each processor and two more where it is
    not given. ``load`` makes an engine (a test may give another); it is called in the background.
    """

    def __init__(
        self, *, engines: int | None = None, load: Callable[[], Thinker] | None = None
    ) -> None:
        self._limit = engines or (os.cpu_count() or 1) + 2
        self._load = load or _load
        self._prepare = _no_warming if load else warm
        self._idle: queue.LifoQueue[Thinker] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._made = 0
        self._busy: set[Thinker] = set()
        self._ready = False
        self._detail = "The engine has not been started; a simpler one answers."
        self._warming: threading.Thread | None = None
        self._closed = threading.Event()
        self._book: Book | None = None

    @property
    def ready(self) -> bool:
        """Whether the compiled engine answers."""
        return self._ready

    @property
    def detail(self) -> str:
        """One sentence on how far the engine is, or why it is not there, for a person."""
        return self._detail

    def start_warming(self) -> None:
        """Begin to compile or load the engine in the background; return at once."""
        with self._lock:
            if self._warming is not None or self._closed.is_set():
                return
            self._detail = "The engine is being started; a simpler one answers meanwhile."
            self._warming = threading.Thread(target=self._warm, name="kingme-engine", daemon=True)
            self._warming.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until warming has ended, well or badly; return whether the engine is ready."""
        if self._warming is not None:
            self._warming.join(seconds)
        return self._ready

    def reply(
        self,
        history: History,
        level: int,
        seed: int | None = None,
        preset: str | DrawPreset = "standard",
    ) -> Reply:
        """Return the move of the side to move, always legal and in time; blocks.

        The same ``seed`` gives the same whims. Raises `GameOverError` in a finished game and
        ``ValueError`` for an unknown level.
        """
        chosen = level_of(level)
        rules = preset_of(preset)
        began = time.monotonic()
        outcome = history.outcome(rules)
        if outcome is not None:
            raise GameOverError(f"the game is over, there is nothing to play. {outcome}")
        legal = history.position.legal_moves
        if len(legal) == 1:
            return Reply(legal[0], level, level, 0, Score(0), 0, 0.0, legal)
        chance = random.Random(seed)  # noqa: S311 (whims, not secrets)
        answered, info = self._think(history, chosen, chance, rules, began)
        seconds = time.monotonic() - began
        return Reply(
            info.move, answered, level, info.depth, info.score, info.nodes, seconds, info.pv
        )

    def answer_draw_offer(
        self, history: History, level: int, preset: str | DrawPreset = "standard"
    ) -> bool:
        """Tell whether the computer accepts a draw that the side to move offers; blocks.

        It does where it thinks that it stands clearly worse, looking as far as its level does,
        and where the game is even and no longer young. Raises `GameOverError` in a finished game.
        """
        chosen = level_of(level)
        rules = preset_of(preset)
        outcome = history.outcome(rules)
        if outcome is not None:
            raise GameOverError(f"the game is over, no draw can be offered. {outcome}")
        if not rules.agreement:
            return False
        depth = max(2, min(chosen.depth, OFFER_LIMITS.depth or 0))
        limits = Limits(depth=depth, seconds=OFFER_LIMITS.seconds)

        def search(thinker: Thinker) -> Info:
            return list(thinker.analyse(history, limits, rules))[-1]

        if history.position.variant != ENGLISH:
            info = search(GenericEngine(self._closed))
        elif found := self._compiled(search, time.monotonic() + (limits.seconds or 0)):
            info = found
        else:
            quick = Limits(depth=4, seconds=PLAIN_SECONDS)
            info = PlainEngine().best_move(history, quick, rules)
        advantage = -info.score.value
        pieces = len(history.position.pieces)
        young = len(history.moves) < YOUNG and pieces > FEW
        return advantage <= (WORSE if young else EVEN)

    def analyse(
        self,
        history: History,
        seconds: float,
        lines: int = 1,
        preset: str | DrawPreset = "standard",
    ) -> tuple[Info, ...]:
        """Return the best lines that so many seconds find, the best first; blocks.

        That is the compiled engine's: nothing comes where it is not ready, where all its engines
        are taken, and for other variants than English. Raises `GameOverError` where no move is
        legal.
        """
        rules = preset_of(preset)
        deadline = time.monotonic() + seconds
        found: list[Info] = []

        def search(thinker: Thinker) -> Info:
            limits = Limits(seconds=max(0.05, deadline - time.monotonic()))
            found.extend(cast("LocalEngine", thinker).analyse(history, limits, rules, lines=lines))
            return found[-1]

        if not history.position.legal_moves:
            raise GameOverError("the game is over, there is nothing to analyse")
        if history.position.variant != ENGLISH or self._compiled(search, deadline) is None:
            return ()
        heads: dict[Move, Info] = {}
        for info in reversed(found):
            if info.depth >= found[-1].depth - 1:
                heads.setdefault(info.move, info)
        ordered = sorted(heads.values(), key=lambda info: (-info.score.value, -info.depth))
        return tuple(ordered[:lines])

    def close(self) -> None:
        """End every search and give up compiling; the plain engine answers from now on."""
        self._closed.set()
        with self._lock:
            self._ready = False
            self._detail = "The engine has been closed."
            for thinker in self._busy:
                thinker.stop()
        if self._warming is not None and self._warming is not threading.current_thread():
            self._warming.join(CLOSING_SECONDS)

    def _warm(self) -> None:
        try:
            self._prepare(self._report, self._closed)
            self._detail = "The engine is being loaded."
            thinker = self._load()
            self._book = default()
        except WarmingError as error:
            self._fail(str(error))
        except Exception as error:  # noqa: BLE001 (whatever it is, a game goes on)
            self._fail(f"{type(error).__name__}: {error}")
        else:
            with self._lock:
                if self._closed.is_set():
                    return
                self._made = 1
                self._idle.put(thinker)
                self._ready = True
                self._detail = "The engine is ready."

    def _report(self, number: int, count: int, what: str) -> None:
        if not self._closed.is_set():
            self._detail = (
                f"The engine is being compiled, step {number} of {count} ({what}); "
                "a simpler one answers meanwhile."
            )

    def _fail(self, why: str) -> None:
        if not self._closed.is_set():
            self._ready = False
            self._detail = f"The engine could not be loaded, a simpler one answers: {why}"

    def _think(
        self,
        history: History,
        level: Level,
        chance: random.Random,
        preset: DrawPreset,
        began: float,
    ) -> tuple[int, Info]:
        """Return the level that answered and what it found, on time whatever happens."""
        deadline = began + level.seconds
        if history.position.variant != ENGLISH:
            engine = GenericEngine(self._closed)
            return level.number, choose(engine, history, level, chance, preset, level.seconds)

        def search(thinker: Thinker) -> Info:
            left = max(0.05, deadline - time.monotonic())
            if level.whim:
                _forget(thinker)
            return choose(thinker, history, level, chance, preset, left, self._book)

        info = self._compiled(search, deadline)
        if info is not None and info.move in history.position.legal_moves:
            return level.number, info
        lower = LEVELS[min(level.number, PLAIN_LEVEL) - 1]
        return lower.number, choose(PlainEngine(), history, lower, chance, preset, PLAIN_SECONDS)

    def _compiled(self, search: Callable[[Thinker], Info], deadline: float) -> Info | None:
        """Run a search on an idle compiled engine; None where there is none or it fails.

        The search has a thread of its own: should a kernel not come back, that thread and its
        engine are left behind, and the caller goes on.
        """
        thinker = self._borrow(deadline)
        if thinker is None:
            return None
        answers: queue.SimpleQueue[Info | Exception] = queue.SimpleQueue()

        def work() -> None:
            try:
                answers.put(search(thinker))
            except Exception as error:  # noqa: BLE001 (the caller plays on without it)
                answers.put(error)

        threading.Thread(target=work, name="kingme-search", daemon=True).start()
        answer = _wait(answers, deadline + GRACE / 2 - time.monotonic())
        if answer is None:
            thinker.stop()
            answer = _wait(answers, GRACE / 2)
        self._give_back(thinker, sound=isinstance(answer, Info))
        return answer if isinstance(answer, Info) else None

    def _borrow(self, deadline: float) -> Thinker | None:
        if not self._ready:
            return None
        with contextlib.suppress(queue.Empty):
            return self._take(self._idle.get_nowait())
        with self._lock:
            make = self._made < self._limit
            self._made += make
        if make:
            try:
                return self._take(self._load())
            except Exception as error:  # noqa: BLE001 (no memory, say: others still serve)
                with self._lock:
                    self._made -= 1
                self._detail = f"The engine is ready, but no more of it: {error}"
        try:
            return self._take(self._idle.get(timeout=max(0.01, deadline - time.monotonic() - 0.1)))
        except queue.Empty:
            return None

    def _take(self, thinker: Thinker) -> Thinker:
        with self._lock:
            self._busy.add(thinker)
        return thinker

    def _give_back(self, thinker: Thinker, *, sound: bool) -> None:
        with self._lock:
            self._busy.discard(thinker)
            if sound:
                self._idle.put(thinker)
            else:
                self._made -= 1


def _load() -> LocalEngine:
    from kingme.engine.local import LocalEngine

    return LocalEngine(TABLE_MIB)


def _no_warming(report: object, cancelled: object) -> bool:
    return False


def _forget(thinker: Thinker) -> None:
    """Make a search depend on nothing but its position, where an engine remembers."""
    clear = getattr(thinker, "clear", None)
    if clear is not None:
        clear()


def _wait(answers: queue.SimpleQueue[Info | Exception], seconds: float) -> Info | Exception | None:
    try:
        return answers.get(timeout=max(0.0, seconds))
    except queue.Empty:
        return None
