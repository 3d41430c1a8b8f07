"""One search at a time: other threads wait for it, and its own thread is told that it has one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from kingme.engine.api import EngineError

__all__ = ["Turns"]


class Turns:
    """A lock for an engine whose search is an iterator, which its caller may leave open.

    ``what`` is locked, for the message to a thread that would wait for itself for ever.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._holder: int | None = None

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Have the engine while the context lasts; wait for a search of another thread.

        Raises `EngineError` where it is one of this thread that is open.
        """
        if self._holder == threading.get_ident():
            raise EngineError(
                f"this thread has a search of the {self._what} open: follow its iterator to the "
                "end, or close() it, before you ask for anything else"
            )
        with self._lock:
            self._holder = threading.get_ident()
            try:
                yield
            finally:
                self._holder = None

    def pass_on(self) -> None:
        """Note that it is the present thread which goes on with the iterator."""
        self._holder = threading.get_ident()
