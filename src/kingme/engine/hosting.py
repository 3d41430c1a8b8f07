"""What both faces of ``kingme engine`` share: commands in turn, a search that hears ``stop``.

One thread reads and one works. Commands are done in the order they come, save for the few that
are for a running search: those are heard at once.
"""

from __future__ import annotations

import contextlib
import queue
import random
import re
import select
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator

from kingme.engine.api import Info
from kingme.engine.book import default
from kingme.engine.errands import Count, Errand
from kingme.engine.generic import GenericEngine
from kingme.engine.thinking import Thinker
from kingme.engine.timing import Alarm
from kingme.errors import KingmeError
from kingme.rules.outcome import STANDARD, DrawPreset
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["Host", "Make", "load", "seconds_of", "whole"]

_NO_TEXT = re.compile("[\udc80-\udcff]")
"""How Python reads bytes that are no UTF-8."""

_DIGITS = re.compile(r"[+-]?[0-9]{1,4000}")

Make = Callable[[Variant, int, int], Thinker]
"""Makes an engine for a variant, with a table of so many MiB, and so many threads."""

GRACE = 5.0
"""Seconds that what was asked for before ``quit`` may still take, each, where that has an end."""

SPREAD = 5
"""How much worse than the best a move of the book may be, in hundredths of a man."""


class Host(ABC):
    """Answers commands with an engine until the input ends or says ``quit``.

    ``say`` writes a line; ``make`` gives an engine for a variant, with a table of so many MiB,
    that searches with so many threads. Whatever is asked for ends where the reader of the
    answers goes away, if ``answers`` is the number of the file that they are written to.
    """

    def __init__(
        self, say: Callable[[str], None], make: Make | None = None, answers: int | None = None
    ) -> None:
        self.say = say
        self._answers = answers
        self._make = make or load
        self.variant = ENGLISH
        self.table_mib = 16
        self.threads = 1
        self.book = False
        self.preset: DrawPreset = STANDARD
        self._errands: list[Errand | Count] = []
        self._engine: Thinker | None = None
        self._deaf: OSError | None = None
        self._leaving = False
        self._last_orders: Alarm | None = None
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    def serve(self, lines: Iterable[str]) -> None:
        """Answer every line up to the end or ``quit``, which also ends every search.

        Raises ``OSError`` where an answer could not be written: at the next line, since until
        then nobody is there to be told.
        """
        worker = threading.Thread(target=self._work, name="kingme-engine", daemon=True)
        worker.start()
        if self._answers is not None and hasattr(select, "poll"):
            threading.Thread(target=self._watch, args=(self._answers,), daemon=True).start()
        for line in lines:
            text = line.strip()
            if self._deaf:
                self.halt()
                break
            if text and not self._heard(text):
                self._leave()
                break
        else:
            self._run_out()
        self._tasks.put(None)
        worker.join()
        if self._deaf:
            raise self._deaf

    @contextlib.contextmanager
    def running(self, errand: Errand | Count) -> Iterator[None]:
        """Count an errand as the one that runs: after `hurry` it has so long, and no longer."""
        with Alarm(GRACE, errand.halt, held=True) as alarm:
            self._last_orders = alarm
            if self._leaving:
                alarm.release()
            try:
                yield
            finally:
                self._last_orders = None

    def hurry(self) -> None:
        """Give what runs, and then each that waits, some seconds to come to its end."""
        self._leaving = True
        alarm = self._last_orders
        if alarm is not None:
            alarm.release()

    def _heard(self, line: str) -> bool:
        """Take a line, if it is text; return False for the last one."""
        odd = _NO_TEXT.search(line)
        if odd is None:
            return self._take(line)
        byte = ord(odd[0]) - 0xDC00
        why = f"the line is no UTF-8 text: it holds the byte 0x{byte:02x}"
        self.queue(lambda: self.complain(why))
        return True

    def _watch(self, answers: int) -> None:
        """Halt all that was asked for once nobody can read the answers any more."""
        watcher = select.poll()
        watcher.register(answers, 0)
        watcher.poll()
        self.halt()

    @abstractmethod
    def _take(self, line: str) -> bool:
        """Do a command at once or queue it; return False for the last one."""

    @abstractmethod
    def complain(self, why: str) -> None:
        """Say that something could not be done."""

    @abstractmethod
    def _leave(self) -> None:
        """It is said to be time to quit: let what was asked for end, or end it."""

    @abstractmethod
    def _run_out(self) -> None:
        """The input has ended: let the search end, or end it."""

    @property
    def busy(self) -> bool:
        """Whether something was asked for that takes its time, and has not ended."""
        return bool(self._errands)

    def engine(self) -> Thinker:
        """Return the engine for the variant, made at the first need."""
        if self._engine is None:
            self._engine = self._make(self.variant, self.table_mib, self.threads)
        return self._engine

    def change(self) -> None:
        """Let the next search make an engine, since what it depends on has changed."""
        self._engine = None

    def forget(self) -> None:
        """Forget earlier searches."""
        clear = getattr(self._engine, "clear", None)
        if clear is not None:
            clear()

    def queue(self, task: Callable[[], None]) -> None:
        """Do something after all that was asked for before."""
        self._tasks.put(task)

    def search(self, errand: Errand, tell: Callable[[Info], None]) -> Info:
        """Run a search, telling of every iteration, and return its last info."""
        known = None
        if errand.book:
            chance = random.Random()  # noqa: S311 (variety, not a secret)
            known = default().choose(errand.history.position, SPREAD, chance)
        if known is not None:
            self.end(errand)
            last = Info(0, known.score, 0, 0.0, (known.move,))
            tell(last)
            return last
        return self._search(errand, tell)

    def _search(self, errand: Errand, tell: Callable[[Info], None]) -> Info:
        engine = self.engine()
        last: Info | None = None
        try:
            with self.running(errand), errand.searching(engine) as limits:
                for info in engine.analyse(errand.history, limits, self.preset):
                    last = errand.timed(info)
                    tell(last)
                    errand.heard(last)
        finally:
            self.end(errand)
        assert last is not None
        return last

    def begin(self, errand: Errand | Count) -> None:
        """Count an errand among those that were asked for, so that it can be stopped."""
        self._errands.append(errand)

    def end(self, errand: Errand | Count) -> None:
        """Count it no more."""
        if errand in self._errands:
            self._errands.remove(errand)

    def halt(self) -> None:
        """Stop whatever was asked for, also that whose turn has not come.

        Each still gives its answer.
        """
        for errand in list(self._errands):
            errand.halt()

    def hit(self) -> None:
        """Let the limits of the search count that was asked for last to ponder."""
        searches = [errand for errand in list(self._errands) if isinstance(errand, Errand)]
        pondering = [errand for errand in searches if errand.ponder]
        if pondering:
            pondering[-1].hit()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                self._do(task)
            except OSError as error:
                self._deaf = error  # nobody reads the answers any more
                return

    def _do(self, task: Callable[[], None]) -> None:
        try:
            task()
        except (KingmeError, ValueError) as error:
            self.complain(" ".join(str(error).split()))
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 (the next command may do better)
            self.complain(f"{type(error).__name__}: {error}")


def load(variant: Variant, table_mib: int, threads: int = 1) -> Thinker:
    """Return the best engine for a variant: the compiled one knows English draughts alone.

    The other one searches with one thread, whatever is asked for.
    """
    if variant != ENGLISH:
        return GenericEngine()
    from kingme.engine.local import LocalEngine

    return LocalEngine(table_mib, threads=threads)


def whole(text: str, name: str, low: int = 1, high: int | None = None) -> int:
    """Return the number that stands behind a name; raise ``ValueError`` where it will not do."""
    if not _DIGITS.fullmatch(text):
        raise ValueError(f"{name} is followed by a whole number, not {text[:40]!r}")
    number = int(text)
    if number < low or (high is not None and number > high):
        allowed = f"{low} or more" if high is None else f"{low} to {high}"
        raise ValueError(f"{name} is {allowed}, not {text[:40]}")
    return number


def seconds_of(text: str, name: str) -> float:
    """Return the seconds that stand behind a name; raise ``ValueError`` for none above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise ValueError(f"{name} is a number of seconds above 0, not {text[:40]!r}")
    return number
