"""What the tags of a game say of its moves: the variant, the start, and the result."""

from __future__ import annotations

import re
from collections.abc import Callable

from kingme.errors import KingmeError
from kingme.rules.pdn.results import is_result, score, winner_of
from kingme.rules.pdn.tags import Tags
from kingme.rules.pdn.visitor import Note
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS, Variant

__all__ = ["Heading"]

_Tell = Callable[[Note], None]
_UNSTATED = ("", "?", "*")
_NUMBER = re.compile(r"\s*(\d{1,4})(?![^\s,])")


class Heading:
    """The tags of one game while it is read, with the places that notes name."""

    __slots__ = ("_places", "_result", "default", "given", "tags")

    def __init__(self, given: Variant | None, default: Variant | None = None) -> None:
        self.given = given
        self.default = default or ENGLISH
        self.tags = Tags()
        self._places: dict[str, tuple[int, int]] = {}
        self._result: str | None = None

    def add(self, name: str, value: str, place: tuple[int, int]) -> bool:
        """Add a tag; return whether its name is a new one."""
        self.tags.add(name, value)
        self._result = None
        new = name not in self._places
        self._places.setdefault(name, place)
        return new

    @property
    def first(self) -> str:
        """The name of the first tag; empty where there is none."""
        return next(iter(self.tags), "")

    def states(self, text: str) -> bool:
        """Whether a text is the very result that the tag tells, such as ``12-8``."""
        if self._result is None:
            self._result = self.tags.find("Result")
        return text == self._result and is_result(text)

    def settle(self, tell: _Tell, starts: dict[Variant, Position | None]) -> tuple[Position, bool]:
        """Return the start, and whether it is known; tell what is wrong.

        ``starts`` keeps those of variants, so that each is set up once in a file.
        """
        variant = self.given or self._variant(tell)
        if variant is None:
            return Position.start(), False
        if variant not in starts:
            starts[variant] = _start(variant)
        start = starts[variant]
        if start is None:
            message = f"{variant.title} cannot be played yet by this version of kingme"
            self._tell(tell, "error", message, "GameType")
            return Position.start(), False
        fen = self.tags.find("FEN")
        if not fen:
            return start, True
        try:
            return Position.from_fen(fen, variant), True
        except KingmeError as error:
            try:
                start = Position.from_fen(fen, variant, strict=False)
            except KingmeError:
                self._tell(tell, "error", str(error), "FEN")
                return start, False
            self._tell(tell, "odd", str(error), "FEN")
            return start, True

    def result(
        self, stated: str, last: Position | None, tell: _Tell, place: tuple[int, int]
    ) -> str:
        """Return what is stated of the result, and tell where that contradicts something.

        A ``*`` only ends the text of a game, so the tag goes before it. ``last`` is where
        the moves end, if the game is over there.
        """
        tagged = self.tags.find("Result")
        if stated in {"", "*"}:
            result = tagged if is_result(tagged) else stated
            if not is_result(tagged) and tagged not in {"", "?"}:
                self._tell(tell, "odd", f"{tagged[:40]!r} is no result: none is taken", "Result")
        else:
            result = stated
            if tagged != stated and score(tagged) != score(stated) and tagged not in _UNSTATED:
                message = f"the tag says {tagged}, and the moves end with {stated}"
                tell(Note("odd", message, *place, stated))
        if last is not None and score(result) is not None:
            outcome = last.outcome
            winner, _ = winner_of(result, last.variant.first)
            if outcome and outcome.winner is not winner:
                message = f"the result {result} stands, but on the board {outcome}"
                tell(Note("odd", message, *place, result))
        return result

    def _variant(self, tell: _Tell) -> Variant | None:
        """Return the variant that the tags name, the default where they name none."""
        said = self.tags.find("GameType")
        if not said.strip():
            # Not every variant has a number; the writer names those that have none.
            return VARIANTS.get(self.tags.find("Variant").strip().lower(), self.default)
        number = _NUMBER.match(said)
        if not number:
            message = f"{said[:40]!r} is no game type: {self.default.title} is taken"
            self._tell(tell, "odd", message, "GameType")
            return self.default
        for variant in VARIANTS.values():
            if variant.game_type == int(number[1]):
                return variant
        self._tell(tell, "error", f"there is no game type {number[1]} here", "GameType")
        return None

    def _tell(self, tell: _Tell, kind: str, message: str, name: str) -> None:
        line, column = self._places.get(name, (1, 1))
        tell(Note(kind, message, line, column, self.tags.get(name)[:80]))  # type: ignore[arg-type]


def _start(variant: Variant) -> Position | None:
    """Return the start of a variant; ``None`` where this version cannot play it."""
    try:
        start = Position.start(variant)
        return start if start.legal_moves else None
    except KingmeError:
        return None
