"""What a lesson is made of: steps with a text and a position, and what is asked of the learner.

All of it is data. A page shows it, and a test proves it: each question says by its ``claim`` what
makes its answers right, so that the rules, the endgame database or the engine can be asked.
Moves are written as in books (``11-15``, ``15x22x31``), positions as FEN.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kingme.rules.position import Position

__all__ = ["Chapter", "Choose", "Hold", "Lesson", "Moves", "Point", "Step", "Task", "Win"]

MoveClaim = Literal[
    "legal", "told", "crowns", "most", "ends", "safe", "gains", "win", "draw", "saves"
]
PointClaim = Literal["can_move", "must_jump", "lands", "pieces", "kings", "named", "system", "weak"]
ChoiceClaim = Literal["value", "move", "count", "steps", "moves", "legal", "fact"]


@dataclass(frozen=True, slots=True)
class Moves:
    """A move to be found, or several with the answers of the other side between them.

    ``line`` holds the learner's moves and the answers in turn; a move of the learner may be one of
    several, written ``22-17|22-18``, and a line ends after such a choice. What makes exactly these
    moves right is the ``claim``:

    * ``legal``: they are all the legal moves; ``crowns``: all those that crown;
    * ``told``: the question names the squares of the move;
    * ``most``: all those that take the most pieces; ``ends``: all those that end the game at once;
    * ``safe``: all those that lose nothing once all jumps are made, ``gains``: all those that win
      the most by jumps alone;
    * ``win`` and ``draw``: all those that keep the win, or the draw, by proof;
    * ``saves``: all those that do not lose, by proof, where any other leaves one a man down.
    """

    ask: str
    line: tuple[str, ...]
    claim: MoveClaim
    hint: str
    otherwise: str
    """Why other moves fail, said of those that ``wrong`` does not name."""
    wrong: tuple[tuple[str, str], ...] = ()
    """Moves that are often tried at the first turn, and what is wrong with each."""


@dataclass(frozen=True, slots=True)
class Point:
    """Squares to be pointed at, all of them.

    The ``claim`` says which: those of pieces that ``can_move`` or ``must_jump``; where the piece
    on the square ``of`` ``lands``; the ``pieces`` or ``kings`` of the sides ``of``; the ``system``
    of a side with pieces on it; ``weak`` men of a side, which could be taken if the other side
    were to move; or squares ``named`` so in books, under the name ``of``.
    """

    ask: str
    answer: tuple[int, ...]
    claim: PointClaim
    hint: str
    otherwise: str
    """Why other squares are wrong, said where `pointing` knows nothing plainer."""
    of: str = ""


@dataclass(frozen=True, slots=True)
class Choose:
    """One of a few words to be chosen; each has what is said when it is.

    The ``claim`` says what the answer rests on: the ``value`` of the position (the choices begin
    with the winner, or are a draw); which side has the ``move`` by the count of ``of``; the
    ``count`` of pieces in the system of the side ``of``; how many legal ``moves`` there are;
    whether the move ``of`` is ``legal``; or a ``fact`` of the rules, where ``of`` may name the
    field of a draw preset, or a square whose letters are asked for.
    """

    ask: str
    choices: tuple[tuple[str, str], ...]
    answer: int
    claim: ChoiceClaim
    of: str = ""


@dataclass(frozen=True, slots=True)
class Win:
    """A position to be played on until it is won, against the best defence.

    ``plies`` is how long the learner may take, the answers included: the distance that the
    database gives, and some grace.
    """

    ask: str
    plies: int
    hint: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A position to be held: it is drawn by repetition, or stands after ``plies`` plies."""

    ask: str
    plies: int
    hint: str


Task = Moves | Point | Choose | Win | Hold


@dataclass(frozen=True, slots=True)
class Step:
    """One thing at a time: a heading, a text in paragraphs, a position, perhaps a task.

    ``marks`` are squares that the text speaks of. ``after`` is said when the task is done.
    ``bottom`` is the side that sits at the board's lower edge; without it, the side to move.
    """

    title: str
    text: tuple[str, ...]
    fen: str
    task: Task | None = None
    after: str = ""
    marks: tuple[int, ...] = ()
    bottom: Literal["B", "W", ""] = ""

    @property
    def position(self) -> Position:
        """The position that the board shows."""
        return Position.from_fen(self.fen)

    @property
    def below(self) -> str:
        """The side at the lower edge, ``B`` or ``W``."""
        return self.bottom or self.position.turn.code


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: its name in addresses, its title, what it is about in a sentence, its steps."""

    name: str
    title: str
    about: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Lessons that belong together."""

    title: str
    about: str
    lessons: tuple[Lesson, ...]

    def __iter__(self) -> Iterator[Lesson]:
        """Go through the lessons."""
        return iter(self.lessons)
