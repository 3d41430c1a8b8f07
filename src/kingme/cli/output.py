"""What is said on the terminal, also where nobody can hear it.

Standard output may be closed, full, or a pipe that nobody reads any more.
"""

from __future__ import annotations

import contextlib
import os
import sys

import typer

__all__ = ["announce", "discard", "open_streams", "say"]


def open_streams() -> None:
    """Let standard streams that were closed lead nowhere, so that writing to them is no error.

    This also keeps their numbers from being given to the files and sockets opened next.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def discard() -> None:
    """Let what is left of the output lead nowhere: Python writes it once more when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def say(text: str) -> None:
    """Print what a command was asked for; an ``OSError`` where that cannot be ends the command."""
    typer.echo(text)


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
