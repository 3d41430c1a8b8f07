"""PDN, the text of draughts games: read without loss, judged move by move, written again.

:func:`read` gives one :class:`Game` after the other, :func:`headers` only their tags, and
:func:`visit` drives a :class:`Visitor` of your own; :func:`write` turns a game into text.
Files are as messy as people: what was odd, what was repaired and what was wrong is in
:attr:`Game.notes`, with line and column, and nothing that stood there is lost. A result is
what the text says: ``1-0`` means that the side which moves first won, Black in English
draughts, and no board ever changes it. Source: PDN 3.0 (github.com/wiegerw/pdn).
"""

from kingme.rules.pdn.clocks import Clock
from kingme.rules.pdn.headers import Header, headers
from kingme.rules.pdn.plain import RESULTS, game_pdn
from kingme.rules.pdn.reader import read, visit
from kingme.rules.pdn.source import Source
from kingme.rules.pdn.tags import Tags
from kingme.rules.pdn.tree import Game, Node
from kingme.rules.pdn.visitor import Counter, Note, Visitor
from kingme.rules.pdn.writer import write

__all__ = [
    "RESULTS",
    "Clock",
    "Counter",
    "Game",
    "Header",
    "Node",
    "Note",
    "Source",
    "Tags",
    "Visitor",
    "game_pdn",
    "headers",
    "read",
    "visit",
    "write",
]
