"""The ``kingme`` command from its first moment on: Ctrl+C ends it without a word.

It stands outside of the package, for to import anything of that is to load the rules.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]


def main() -> None:
    """Load the command line and run it; status 130 where an interrupt comes before that."""
    import sys

    try:
        run = _loaded()
    except KeyboardInterrupt:
        sys.exit(130)
    run()


def _loaded() -> Callable[[], None]:
    """Return the command line. Meanwhile there is nothing that an interrupt could leave undone.

    So it ends the process at once, rather than by an exception in the middle of an import,
    where some code would swallow it, or print it.
    """
    import os
    import signal

    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    try:
        import importlib

        importlib.import_module("kingme.cli.app")
        run: Callable[[], None] = importlib.import_module("kingme.cli").main
        return run
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
