"""What is said on the terminal, also where nobody can hear it.

Standard output may be closed, full, or a pipe that nobody reads any more.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

import typer

__all__ = ["announce", "counted", "discard", "open_streams", "reason", "say"]


def open_streams() -> None:
    """Let standard streams that were closed lead nowhere.

    Writing to the output is an ``OSError`` then, as on a full disk: it was asked for. This also
    keeps their numbers from being given to the files and sockets opened next.
    """
    for name, flags, mode in (
        ("stdin", os.O_RDONLY, "r"),
        ("stdout", os.O_RDONLY, "w"),  # nothing can be written to what is open to be read
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def reason(error: OSError) -> str:
    """Why the program cannot go on."""
    if error.errno == errno.EBADF:
        return "standard output is closed"
    return error.strerror or str(error)


def discard() -> None:
    """Let what is left of the output lead nowhere: Python writes it once more when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def say(text: str) -> None:
    """Print what a command was asked for; an ``OSError`` where that cannot be ends the command."""
    typer.echo(text)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun; ``many`` where that is not ``one`` with an s.

    >>> counted(1, "game"), counted(0, "reply", "replies")
    ('1 game', '0 replies')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def announce(text: str) -> None:
    """Print what is going on; where that cannot be, on standard error, or else not at all.

    For a command whose work goes on or is done whether it is heard or not.
    """
    try:
        typer.echo(text)
    except OSError:
        discard()
        with contextlib.suppress(OSError):
            typer.echo(text, err=True)
