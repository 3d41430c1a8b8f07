"""Whether a written move is legal: on masks where the variant is simple, else by the rules.

A referee knows no game: it is given a state and a text, and gives back the move and the
state after it. Only the one move is looked at, not the list of all legal ones, and what a
text means on the board is worked out once.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Protocol

from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side, Variant

__all__ = ["Referee", "State", "referee", "squares"]

#: What a referee thinks of as a position; nobody else looks inside.
State = Any

_SQUARE = re.compile(r"[a-l]\d{1,2}|\d+", re.I | re.A)
_PLAIN = re.compile(r"\d{1,3}(?:[-x:]\d{1,3})+", re.A)
_REMEMBERED = 20_000

#: start, end, captured, landings, and whether a man that goes down (or up) could make it
_Known = tuple[int, int, int, int, bool, bool, Move]


class Referee(Protocol):
    """Judges the moves of one variant."""

    @property
    def variant(self) -> Variant:
        """The variant."""

    def state(self, position: Position) -> State:
        """Return the state of a position."""

    def position(self, state: State) -> Position:
        """Return the position of a state."""

    def over(self, state: State) -> bool:
        """Return whether the game is over on the board, draws apart."""

    def judge(self, state: State, text: str) -> tuple[Move, State]:
        """Return the legal move that a text names and the state after it, or raise a MoveError."""


def referee(variant: Variant) -> Referee:
    """Return who judges the moves of a variant."""
    return Masks(variant) if variant.short_moves else Rules(variant)


def squares(text: str, variant: Variant) -> tuple[int, ...]:
    """Return the square numbers in a move text; squares that do not exist are 0.

    >>> from kingme import ENGLISH
    >>> squares("c3:e5", ENGLISH), squares("11x18x99", ENGLISH)
    ((22, 15), (11, 18, 0))
    """
    found = []
    for name in _SQUARE.findall(text):
        try:
            number = int(name) if name.isdigit() else variant.geometry.number(name)
        except ValueError:
            number = 0
        found.append(number if number <= variant.geometry.squares else 0)
    return tuple(found)


class Rules:
    """The referee of any variant: a state is a position, which reads the text itself."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def state(self, position: Position) -> State:
        """Return the position."""
        return position

    def position(self, state: State) -> Position:
        """Return the position."""
        assert isinstance(state, Position)
        return state

    def over(self, state: State) -> bool:
        """Ask the position, which knows what wins."""
        return self.position(state).outcome is not None

    def judge(self, state: State, text: str) -> tuple[Move, State]:
        """Let the position read the text."""
        move = state.parse(text)
        return move, state.after(move)


class Masks:
    """The referee of variants with short moves: a state is black, white, kings, Black's turn."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._known: dict[str, _Known | None] = {}
        self._board = variant.geometry.board
        self._near, self._far = variant.geometry.shifts
        self._jumpers, self._count = variant.generator.jumpers, variant.generator.count
        #: whether Black is the side whose men go down, toward higher numbers
        self._low = variant.low is Side.BLACK
        self._crown = {
            True: variant.crown_row(variant.low),
            False: variant.crown_row(variant.low.other),
        }

    def state(self, position: Position) -> State:
        """Return the masks of a position."""
        return position.black, position.white, position.kings, position.turn is Side.BLACK

    def position(self, state: State) -> Position:
        """Return the position of masks."""
        black, white, kings, dark = state
        return Position(black, white, kings, Side.BLACK if dark else Side.WHITE, self.variant)

    def over(self, state: State) -> bool:
        """Count the moves."""
        black, white, kings, dark = state
        own, enemy = (black, white) if dark else (white, black)
        return not self._count(own, enemy, kings, dark is self._low)

    def judge(self, state: State, text: str) -> tuple[Move, State]:
        """Look at the one move; only what does not fit is read by the rules."""
        known = self._known[text] if text in self._known else self._learn(text)
        if known is None:
            return self._at_length(state, text)
        start, end, captured, landings, down, up, move = known
        black, white, kings, dark = state
        own, enemy = (black, white) if dark else (white, black)
        low = dark is self._low
        king = start & kings
        if not start & own or not (king or (down if low else up)):
            return self._at_length(state, text)
        empty = self._board & ~(own | enemy)
        if captured:
            if (
                captured & enemy != captured
                or landings & (empty | start) != landings
                or self._goes_on(end, enemy ^ captured, empty | start, bool(king), low)
            ):
                return self._at_length(state, text)
            kings &= ~captured
        elif not end & empty or self._jumpers(own, enemy, kings, low):
            return self._at_length(state, text)
        if king:
            kings = kings & ~start | end
        elif end & self._crown[low]:
            kings |= end
        own = own & ~start | end
        if dark:
            return move, (own, enemy & ~captured, kings, False)
        return move, (enemy & ~captured, own, kings, True)

    def _goes_on(self, at: int, enemy: int, empty: int, king: bool, down: bool) -> bool:
        """Whether a piece that has jumped to ``at`` must go on jumping."""
        near, far = self._near, self._far
        if not king and at & self._crown[down]:
            return False
        if (king or down) and (
            (at << near & enemy and at << 2 * near & empty)
            or (at << far & enemy and at << 2 * far & empty)
        ):
            return True
        return bool(
            (king or not down)
            and (
                (at >> near & enemy and at >> 2 * near & empty)
                or (at >> far & enemy and at >> 2 * far & empty)
            )
        )

    def _at_length(self, state: State, text: str) -> tuple[Move, State]:
        """Ask the rules, which also know what to say."""
        position = self.position(state)
        move = position.parse(text)
        return move, self.state(position.after(move))

    def _learn(self, text: str) -> _Known | None:
        """Work out what a text means on the board, whatever stands there; remember it."""
        found = self._reading(text) if _PLAIN.fullmatch(text) else None
        if len(self._known) < _REMEMBERED:
            self._known[text] = found
        return found

    def _reading(self, text: str) -> _Known | None:
        path = squares(text, self.variant)
        masks, numbers = self.variant.geometry.masks, self.variant.geometry.numbers
        steps = {self._near, self._far}
        captured, landings, ups, jumped = 0, 0, set(), []
        for one, other in pairwise(path):
            low, high = sorted((masks[one], masks[other]))
            if not low or low == high:
                return None
            distance = high.bit_length() - low.bit_length()
            ups.add(other < one)
            landings |= masks[other]
            if distance in steps and len(path) == 2:
                continue
            if distance % 2 or distance // 2 not in steps:
                return None
            over = low << distance // 2
            if over not in numbers or over & captured:
                return None
            captured |= over
            jumped.append(numbers[over])
        move = Move(path, tuple(jumped))
        down, up = True not in ups, False not in ups
        return masks[path[0]], masks[path[-1]], captured, landings, down, up, move
