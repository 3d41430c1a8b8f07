"""What a database says of the moves of a position, as scores of an engine."""

from __future__ import annotations

from dataclasses import dataclass

from kingme.engine.api import KNOWN, LIKELY, WIN
from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.tables import Tables, Value
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset
from kingme.rules.position import Position

__all__ = ["Root", "Worth"]

UNTOLD = LIKELY - 300
"""What `LIKELY` is for a win without a distance: below those with one, whatever that is."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a move is worth to the side that makes it.

    ``plies`` from before the move to the end of the game, None for a draw and where the database
    tells no distance. ``sure`` is False where a draw rule may come before that end.
    """

    value: Value
    plies: int | None
    sure: bool

    @property
    def score(self) -> int:
        """Return it as a score of `kingme.engine.api.Score`."""
        if self.value is Value.DRAW:
            return 0
        if self.plies is None:
            size = (KNOWN if self.sure else UNTOLD) - 1
        else:
            size = (WIN if self.sure else LIKELY) - self.plies
        return size if self.value is Value.WIN else -size


class Root:
    """The moves of a position that the database has, with what each is worth.

    Of several routes to one result the first stands for all.
    """

    def __init__(
        self, history: History, tables: Tables, worths: dict[Move, Worth], left: int | None
    ) -> None:
        self._history, self._tables = history, tables
        self.worths = worths
        self.left = left
        """Plies without progress until a draw rule ends the game; None without such a rule."""

    @classmethod
    def of(cls, history: History, tables: Tables | None, preset: DrawPreset) -> Root | None:
        """Look the moves of a game's position up; None where the database lacks one of them."""
        position = history.position
        if tables is None or len(position.pieces) > tables.pieces:
            return None
        limit = preset.progress_plies
        left = None if not limit else limit - history.quiet_plies(preset)
        worths: dict[Move, Worth] = {}
        routes: dict[Position, Move] = {}
        for move in position.legal_moves:
            routes.setdefault(position.after(move), move)
        try:
            for reached, move in routes.items():
                value, after = _told(reached, tables)
                plies = None if after is None else after + 1
                sure = left is None or value is Value.DRAW or (plies is not None and plies <= left)
                worths[move] = Worth(value.against, plies, sure)
        except EndgameError:
            return None
        return cls(history, tables, worths, left)

    @property
    def position(self) -> Position:
        """The position itself."""
        return self._history.position

    @property
    def best(self) -> Worth:
        """What the position is worth."""
        return max(self.worths.values(), key=lambda worth: worth.score)

    @property
    def settled(self) -> bool:
        """Whether the scores say it all, so that there is nothing to search.

        Where a draw rule may come before the end, or nothing tells how far that is, a search is
        to choose among the moves that keep the value.
        """
        return self.best.sure and (self.best.value is Value.DRAW or self.best.plies is not None)

    def ranked(self) -> list[tuple[Move, int]]:
        """Return the moves with their scores: first those that win soonest, lose latest or draw.

        Of draws that comes first after which most replies lose, though that is of no use against
        perfect play.
        """

        def liking(item: tuple[Move, Worth]) -> tuple[int, float]:
            move, worth = item
            return -worth.score, self._safe_replies(move) if worth.value is Value.DRAW else 0.0

        return [(move, worth.score) for move, worth in sorted(self.worths.items(), key=liking)]

    @property
    def untold(self) -> bool:
        """Whether it is won or lost, and nothing tells how soon."""
        return self.best.value is not Value.DRAW and self.best.plies is None

    @property
    def won(self) -> bool:
        """Whether it is a win for the side to move, soon or late."""
        return self.best.value is Value.WIN

    def agrees(self, move: Move, score: int) -> bool:
        """Whether a search's score of a move is on the side of what the database says."""
        sign = {Value.WIN: score > 0, Value.DRAW: score == 0, Value.LOSS: score < 0}
        return sign[self.worths[move].value]

    def keeping(self) -> list[Move]:
        """Return the moves that keep the value, as far as they bring no earlier position back.

        Where there are no others, those that do are right too.
        """
        kept = self.best.value
        moves = [move for move, worth in self.worths.items() if worth.value is kept]
        seen = set(self._history.positions)
        return [m for m in moves if self._history.position.after(m) not in seen] or moves

    def _safe_replies(self, move: Move) -> float:
        """The part of the replies to a drawing move that keep the draw."""
        after = self._history.position.after(move)
        try:
            kept = self._tables.keeping_moves(after)
        except EndgameError:
            return 1.0
        return len(kept) / max(1, len(after.legal_moves))


def _told(position: Position, tables: Tables) -> tuple[Value, int | None]:
    """Return value and distance; raise `EndgameError` where not even the value is known."""
    if not position.legal_moves:
        return Value.LOSS, 0
    value = tables.value(position)
    try:
        return value, tables.distance(position)
    except EndgameError:
        return value, None
