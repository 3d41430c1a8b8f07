"""Clock times in comments: ``[%clk 0:05:00]`` and its relatives (PDN 3.0)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kingme.rules.variant import Side

__all__ = ["Clock", "clocks"]

_COMMAND = re.compile(r"\[%(clk|emt|egt|mct|clock)\s+([^\]]*)\]")
_TIME = re.compile(r"([wWbB]?)\s*(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Clock:
    """One time in a comment.

    ``kind`` is the command that says it: ``clk`` the time left, ``emt`` the time used for
    the move, ``egt`` that for the game so far, ``mct`` what a mechanical clock shows, and
    ``clock`` the clock of a ``side`` that may be ``running``. ``seconds`` may have a part.
    """

    kind: str
    seconds: float
    side: Side | None = None
    running: bool = False


def clocks(comment: str) -> list[Clock]:
    """Return the clock times in a comment.

    >>> clocks("forced [%clk 0:04:59]")
    [Clock(kind='clk', seconds=299.0, side=None, running=False)]
    >>> [(c.side.title, c.seconds, c.running) for c in clocks("[%clock w0:00:10 B0:00:03]")]
    [('White', 10.0, False), ('Black', 3.0, True)]
    """
    found = []
    for kind, said in _COMMAND.findall(comment):
        for side, hours, minutes, seconds in _TIME.findall(said):
            time = 3600.0 * int(hours or 0) + 60.0 * int(minutes or 0) + float(seconds)
            found.append(Clock(kind, time, Side(side.upper()) if side else None, side.isupper()))
    return found
