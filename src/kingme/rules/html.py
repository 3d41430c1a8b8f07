"""Games as HTML, for notebooks: the board as it stands, and the moves beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from kingme.rules import svg
from kingme.rules.history import History

__all__ = ["record"]

_ROW = "display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start"
_SIDE = "flex:1 1 14rem;max-width:26rem;line-height:1.5;text-align:left"
_HEAD = "font-weight:600;font-size:1.1em;margin:0"
_SOFT = "opacity:.7;margin:0"


def record(
    history: History,
    *,
    heading: str = "",
    details: Iterable[str] = (),
    comments: Mapping[int, str] | None = None,
    result: str = "",
    size: int = 320,
) -> str:
    """Return a game as HTML without scripts: its last position, and its moves with numbers.

    ``heading`` and ``details`` come above the moves, the texts of ``comments`` by how many
    plies they follow (0: before the first move), ``result`` at the end; without one, how the
    game ended by itself. All texts are taken as text.

    >>> shown = record(History.start().play("11-15"), heading="Ann – Bob", result="*")
    >>> "Ann – Bob" in shown, "<b>1.</b> 11-15" in shown, shown.count("<svg")
    (True, True, 1)
    """
    last = history.moves[-1] if history.moves else None
    picture = svg.board(history.position, size=size, last_move=last)
    outcome = history.outcome(history.position.variant.draws[0])
    ending = result or str(outcome or f"{history.position.turn.title} to move")
    head = f'<p style="{_HEAD}">{escape(heading)}</p>' if heading else ""
    lines = "".join(f'<p style="{_SOFT}">{escape(line)}</p>' for line in details)
    moves = " ".join(_words(history, comments or {}))
    text = (
        f'{head}{lines}<p style="margin:.5em 0">{moves}</p><p style="margin:0">{escape(ending)}</p>'
    )
    return f'<div style="{_ROW}">{picture}<div style="{_SIDE}">{text}</div></div>'


def _words(history: History, comments: Mapping[int, str]) -> Iterator[str]:
    """The moves with their numbers, and the comments among them."""
    first = history.positions[0]
    late = int(first.turn is not first.variant.first)
    alone = True  # nothing stands before the move that would tell its number
    for ply in range(len(history.moves) + 1):
        if ply in comments:
            yield f'<span style="opacity:.7">{escape(comments[ply])}</span>'
            alone = True
        if ply < len(history.moves):
            number, second = divmod(ply + late, 2)
            said = "" if second and not alone else f"<b>{number + 1}.{'..' * second}</b> "
            yield f'<span style="white-space:nowrap">{said}{history.moves[ply]}</span>'
            alone = False
