"""PDN: a game as text that other draughts programs read (PDN 3.0).

The tags come first, then the moves as whole routes with their numbers, then the result, in lines
of up to 79 columns. ``1-0`` means that Black won, since Black moves first in English draughts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kingme.rules.history import History
from kingme.rules.position import Position

__all__ = ["RESULTS", "game_pdn"]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""The result texts: Black won, White won, a draw, and a game without a result."""

_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "Black": "?",
    "White": "?",
}
_OWN = ("Result", "GameType", "SetUp", "FEN")
_TAG = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
_COLUMNS = 79


def game_pdn(
    tags: Mapping[str, str],
    history: History,
    result: str = "*",
    comments: Mapping[int, str] | None = None,
) -> str:
    r"""Return a game as PDN text, with a newline at its end; a blank line joins several to a file.

    ``tags`` may hold any but Result, GameType, SetUp and FEN, which follow from the game; of
    Event, Site, Date, Round, Black and White those not given are written as unknown.
    ``comments`` are by how many plies they come after: 0 is before the first move.
    ``ValueError`` for a tag or a result that cannot be written.

    >>> history = History.start().play("11-15").play("22-17")
    >>> print(game_pdn({"Black": "Ann", "White": 'Bob "B" Smith'}, history), end="")
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [Black "Ann"]
    [White "Bob \"B\" Smith"]
    [Result "*"]
    [GameType "21"]
    <BLANKLINE>
    1. 11-15 22-17 *
    """
    if result not in RESULTS:
        raise ValueError(f"{result!r} is no result: there are {', '.join(RESULTS)}")
    head = [f'[{name} "{_escaped(value)}"]' for name, value in _tags(tags, history, result)]
    lines = [""]
    for word in [*_words(history, comments or {}), result]:
        line = f"{lines[-1]} {word}".strip()
        if len(line) <= _COLUMNS or not lines[-1]:
            lines[-1] = line
        else:
            lines.append(word)
    return "\n".join([*head, "", *lines, ""])


def _tags(tags: Mapping[str, str], history: History, result: str) -> Iterator[tuple[str, str]]:
    for name in tags:
        if not _TAG.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a tag: one is like Event or TimeControl")
        if name in _OWN:
            raise ValueError(f"the tag {name} follows from the game and cannot be given")
    yield from ((name, tags.get(name, unknown)) for name, unknown in _ROSTER.items())
    yield "Result", result
    first = history.positions[0]
    if first.variant.game_type is not None:
        yield "GameType", str(first.variant.game_type)
    if first != Position.start(first.variant):
        yield "SetUp", "1"
        yield "FEN", first.fen
    yield from ((name, value) for name, value in tags.items() if name not in _ROSTER)


def _escaped(value: str) -> str:
    """A tag's value on one line, its quotes and backslashes marked."""
    plain = "".join(c if c.isprintable() else " " for c in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _words(history: History, comments: Mapping[int, str]) -> Iterator[str]:
    """The moves with their numbers, and the comments among them, as parts that stay on one line."""
    first = history.positions[0]
    late = int(first.turn is not first.variant.first)
    alone = True  # nothing stands before the move that would tell its number
    for ply in range(len(history.moves) + 1):
        if ply in comments:
            yield from _comment(comments[ply])
            alone = True
        if ply < len(history.moves):
            number, second = divmod(ply + late, 2)
            said = "" if second and not alone else f"{number + 1}.{'..' * second} "
            yield f"{said}{history.moves[ply]}"
            alone = False


def _comment(text: str) -> list[str]:
    """A comment in words. It cannot hold braces, and no line of PDN may begin with a ``%``."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    words: list[str] = []
    for word in f"{{{plain.replace('{', '(').replace('}', ')')}}}".split():
        if word.startswith("%") and words:
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words
