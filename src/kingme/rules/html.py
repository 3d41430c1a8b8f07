"""Games as HTML, for notebooks: the board as it stands, and the moves beside it.

There are no scripts and no style sheets in it, and every text of a file is taken as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from kingme.rules import svg
from kingme.rules.history import History
from kingme.rules.notation import spell
from kingme.rules.variant import Variant

if TYPE_CHECKING:
    from kingme.rules.pdn.tree import Game, Node

__all__ = ["game", "record"]

_DEEPEST = 12
"""How deep variations within variations are shown."""

_ROW = "display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start"
_SIDE = "flex:1 1 14rem;max-width:28rem;line-height:1.5;text-align:left"
_HEAD = "font-weight:600;font-size:1.1em;margin:0"
_SOFT = "opacity:.7"
_EVENT = ("Event", "Site", "Date", "Round")


def record(
    history: History,
    *,
    heading: str = "",
    details: Iterable[str] = (),
    comments: Mapping[int, str] | None = None,
    result: str = "",
    size: int = 320,
) -> str:
    """Return a game as HTML: its last position, and its moves with numbers.

    ``heading`` and ``details`` come above the moves, the texts of ``comments`` by how many
    plies they follow (0: before the first move), ``result`` at the end; without one, how the
    game ended by itself.

    >>> shown = record(History.start().play("11-15"), heading="Ann – Bob", result="*")
    >>> "Ann – Bob" in shown, "<b>1.</b> 11-15" in shown, shown.count("<svg")
    (True, True, 1)
    """
    return _page(history, heading, details, _moves(history, comments or {}), result, size)


def game(shown: Game, *, size: int = 320) -> str:
    """Return a game of a file as HTML, with its players, comments and variations.

    >>> from kingme import pdn
    >>> first, = pdn.read('[Black "Ann"] [White "Bob"] 1. 11-15! {bold} (1. 12-16) 22-18 1-0')
    >>> text = game(first)
    >>> "Ann – Bob" in text, "bold" in text, "12-16" in text
    (True, True, True)
    """
    tags = shown.tags
    players = [tags.get(name) for name in ("Black", "White")]
    heading = " – ".join(player or "?" for player in players) if any(players) else ""
    details = [tags.get(name) for name in _EVENT]
    known = ", ".join(text for text in details if text.strip("?. "))
    variant = shown.start.variant
    ply = int(shown.start.turn is not variant.first)
    words = [*_comments(shown.comments), *_line(shown.line, variant, ply, 0)]
    return _page(shown.history, heading, [known] if known else [], words, shown.result, size)


def _page(
    history: History,
    heading: str,
    details: Iterable[str],
    words: Iterable[str],
    result: str,
    size: int,
) -> str:
    last = history.moves[-1] if history.moves else None
    picture = svg.board(history.position, size=size, last_move=last)
    outcome = history.outcome(history.position.variant.draws[0])
    ending = result or str(outcome or f"{history.position.turn.title} to move")
    head = f'<p style="{_HEAD}">{escape(heading)}</p>' if heading else ""
    lines = "".join(f'<p style="margin:0;{_SOFT}">{escape(line)}</p>' for line in details)
    moves = f'<p style="margin:.5em 0">{" ".join(words)}</p>'
    text = f'{head}{lines}{moves}<p style="margin:0">{escape(ending)}</p>'
    return f'<div style="{_ROW}">{picture}<div style="{_SIDE}">{text}</div></div>'


def _moves(history: History, comments: Mapping[int, str]) -> Iterator[str]:
    """The moves with their numbers, and the comments among them."""
    first = history.positions[0]
    late = int(first.turn is not first.variant.first)
    alone = True  # nothing stands before the move that would tell its number
    for ply in range(len(history.moves) + 1):
        if ply in comments:
            yield from _comments([comments[ply]])
            alone = True
        if ply < len(history.moves):
            yield _move(spell(history.moves[ply], first.variant), ply + late, alone)
            alone = False


def _line(line: Iterable[Node], variant: Variant, ply: int, depth: int) -> Iterator[str]:
    """The moves of a line, each with all that is said of it and all that branches off there."""
    alone = True
    for number, node in enumerate(line, ply):
        yield from _comments(node.before)
        text = spell(node.move, variant) if node.move else node.text
        nags = "".join(f" ${nag}" for nag in node.nags)
        yield _move(f"{text}{node.strength}{nags}", number, alone or bool(node.before))
        yield from _comments(node.comments)
        for variation in node.variations:
            deep = depth >= _DEEPEST
            inside = "…" if deep else " ".join(_line(variation, variant, number, depth + 1))
            yield f'<span style="{_SOFT}">({inside})</span>'
        alone = bool(node.comments or node.variations)


def _move(text: str, ply: int, alone: bool) -> str:
    number, second = divmod(ply, 2)
    said = "" if second and not alone else f"<b>{number + 1}.{'..' * second}</b> "
    return f'<span style="white-space:nowrap">{said}{escape(text)}</span>'


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        yield f'<i style="{_SOFT}">{escape(comment)}</i>'
