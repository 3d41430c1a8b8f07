"""A position: the pieces and the side to move, as a value that never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kingme.errors import IllegalMoveError, PositionError
from kingme.rules import fen, hashing, notation
from kingme.rules.moves import Move, to_move
from kingme.rules.outcome import Outcome, Termination
from kingme.rules.piece import Piece
from kingme.rules.record import Variant
from kingme.rules.runs import FRESH, Runs, allowed, following
from kingme.rules.squares import bits
from kingme.rules.terms import Crowning, Goal, Side
from kingme.rules.variant import ENGLISH, variant_of

__all__ = ["Position"]


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The pieces on the board and whose turn it is.

    ``black``, ``white`` and ``kings`` (of both sides) are masks in the padded layout of
    :mod:`kingme.rules.squares`. Masks that are no set of pieces are refused with
    :class:`~kingme.errors.PositionError`; :attr:`fault` says whether the pieces can occur
    in a game, and :meth:`from_fen` and :meth:`of` refuse those that cannot.

    >>> position = Position.from_fen("W:W27,32:B15,16,23,24")
    >>> [str(move) for move in position.legal_moves]
    ['27x18x11', '27x20x11']
    >>> position.play(position.parse("27x20x11")).fen
    'B:W11,32:B15,23'

    A FEN says nothing of :attr:`runs`: a position that is read begins without.
    """

    black: int
    white: int
    kings: int
    turn: Side
    variant: Variant = ENGLISH
    #: the quiet moves in a row of either side's king, where the variant limits them
    runs: Runs = FRESH
    _legal: tuple[Move, ...] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse masks that are no set of pieces at all; take a side's code for the side."""
        try:
            object.__setattr__(self, "turn", Side(self.turn))
        except ValueError:
            raise PositionError(
                f"{self.turn!r} is no side to move: it is Side.BLACK or Side.WHITE"
            ) from None
        both = self.black | self.white
        if (
            self.black & self.white
            or self.kings & ~both
            or both & ~self.variant.geometry.board
            or not both
        ):
            raise PositionError(self._objection())

    @classmethod
    def start(cls, variant: Variant | str = ENGLISH) -> Position:
        """Return the position at the start of a game of a variant, or of the one so named."""
        variant = variant_of(variant)
        masks = variant.geometry.masks
        black = sum(masks[square] for square in variant.start_squares(Side.BLACK))
        white = sum(masks[square] for square in variant.start_squares(Side.WHITE))
        return cls(black, white, 0, variant.first, variant)

    @classmethod
    def of(
        cls, pieces: Mapping[int, Piece], turn: Side, variant: Variant | str = ENGLISH
    ) -> Position:
        """Return the position of ``pieces`` by square number."""
        variant = variant_of(variant)
        masks = variant.geometry.masks
        sets = {Side.BLACK: 0, Side.WHITE: 0}
        kings = 0
        for square, piece in pieces.items():
            if not 1 <= square <= variant.geometry.squares:
                raise PositionError(
                    f"there is no square {square}: they run from 1 to {variant.geometry.squares}"
                )
            sets[piece.side] |= masks[square]
            kings |= masks[square] if piece.king else 0
        position = cls(sets[Side.BLACK], sets[Side.WHITE], kings, turn, variant)
        if position.fault:
            raise PositionError(position.fault)
        return position

    @classmethod
    def from_fen(
        cls, text: str, variant: Variant | str = ENGLISH, *, strict: bool = True
    ) -> Position:
        """Read a FEN, forgiving in its form and strict in its sense.

        Raises :class:`~kingme.errors.FenError` with the reason, the token and its column.
        Without ``strict``, pieces that cannot occur in a game (13 of a side, a man on its
        crown row) are taken as they are: move generators are tested on such positions.
        """
        variant = variant_of(variant)
        setup = fen.read(text, variant, strict=strict)
        masks = variant.geometry.masks
        sets = {side: sum(masks[square] for square in setup.squares[side]) for side in Side}
        kings = sum(masks[square] for square in setup.kings)
        return cls(sets[Side.BLACK], sets[Side.WHITE], kings, setup.turn, variant)

    @property
    def fen(self) -> str:
        """The FEN in its one canonical form: White first, squares ascending, no dot."""
        return fen.write(
            self.turn,
            {side: self._numbers(self._set(side)) for side in Side},
            frozenset(self._numbers(self.kings)),
        )

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move as a whole route, sorted by path; empty where the turn is lost."""
        if self._legal is None:
            geometry = self.variant.geometry
            routes = self.variant.generator.routes(*self.masks)
            limit = self.variant.king_limit
            if limit:
                routes = allowed(routes, self.runs[self.turn is Side.WHITE], limit)
            found = tuple(sorted(to_move(route, geometry) for route in routes))
            object.__setattr__(self, "_legal", found)
            return found
        return self._legal

    @property
    def must_jump(self) -> tuple[int, ...]:
        """The squares of the pieces that are bound to jump; empty where no jump is due."""
        return tuple(self._numbers(self.variant.generator.jumpers(*self.masks)))

    def play(self, move: Move | str) -> Position:
        """Return the position after a legal move; refuse any other move.

        A text is read as :meth:`parse` reads it.
        """
        if isinstance(move, str):
            move = self.parse(move)
        elif not isinstance(move, Move):
            raise TypeError(f"a move is a text or a Move, not {type(move).__name__}")
        if move not in self.legal_moves:
            raise IllegalMoveError(
                notation.objection(self, move.path, str(move) or "an empty path"),
                legal=tuple(str(legal) for legal in self.legal_moves),
                must_jump=self.must_jump,
            )
        return self.after(move)

    def after(self, move: Move) -> Position:
        """Return what :meth:`play` does for a move that is known to be legal: nothing is checked.

        For games that were judged when they were played.
        """
        variant = self.variant
        masks = variant.geometry.masks
        start, end = masks[move.start], masks[move.end]
        captured = sum(masks[square] for square in move.captures)
        king = self.kings & start or end & variant.crown_row(self.turn)
        if not king and variant.crowning is Crowning.BECOME:
            crown = variant.crown_row(self.turn)
            king = any(masks[square] & crown for square in move.path[1:])
        kings = self.kings & ~start & ~captured | (end if king else 0)
        own = self._set(self.turn) & ~start | end
        enemy = self._set(self.turn.other) & ~captured
        black, white = (own, enemy) if self.turn is Side.BLACK else (enemy, own)
        runs = FRESH
        if variant.king_limit:
            quiet = bool(self.kings & start) and not captured
            men = black & ~kings, white & ~kings
            runs = following(self.runs, self.turn is Side.WHITE, start, end, quiet, men)
        return Position(black, white, kings, self.turn.other, variant, runs)

    @property
    def outcome(self) -> Outcome | None:
        """How the board alone has decided the game, or ``None`` while it goes on.

        Draws are not here: they follow from a game's :class:`~kingme.rules.history.History`.

        >>> str(Position.from_fen("B:W32:B").outcome)
        'White wins: Black has no piece left'
        """
        goal = self.variant.goal
        if goal is Goal.CROWN_FIRST and self.kings:
            winner = Side.BLACK if self.kings & self.black else Side.WHITE
            return Outcome(winner, Termination.CROWNED)
        if self.legal_moves:
            return None
        why = Termination.NO_MOVES if self._set(self.turn) else Termination.NO_PIECES
        if goal is Goal.LOSE_ALL:
            return Outcome(self.turn, why, reverse=True)
        return Outcome(self.turn.other, why)

    def parse(self, text: str) -> Move:
        """Return the legal move that ``text`` names, in any common spelling.

        Numbers or letters, full path or short; see :mod:`kingme.rules.notation`. Raises
        :class:`~kingme.errors.MoveTextError`, :class:`~kingme.errors.IllegalMoveError` or
        :class:`~kingme.errors.AmbiguousMoveError`, each listing what is legal.
        """
        return notation.parse(self, text)

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square number, or ``None`` where it is empty."""
        if not 1 <= square <= self.variant.geometry.squares:
            raise ValueError(
                f"there is no square {square}: they run from 1 to {self.variant.geometry.squares}"
            )
        mask = self.variant.geometry.masks[square]
        if not mask & (self.black | self.white):
            return None
        side = Side.BLACK if mask & self.black else Side.WHITE
        return Piece(side, bool(mask & self.kings))

    @property
    def pieces(self) -> dict[int, Piece]:
        """All pieces by square number, ascending."""
        found = {square: self.piece_at(square) for square in self._numbers(self.black | self.white)}
        return {square: piece for square, piece in found.items() if piece}

    @property
    def fault(self) -> str | None:
        """Why these pieces cannot occur in a game, or ``None`` where they can."""
        for side in Side:
            count = self._set(side).bit_count()
            if count > self.variant.men:
                return f"{side.title} has {count} pieces: at most {self.variant.men} are possible"
            for square in self._numbers(
                self._set(side) & ~self.kings & self.variant.crown_row(side)
            ):
                return (
                    f"{side.title} has a man on {square}, its crown row: it would be a king there"
                )
        return None

    def mirrored(self) -> Position:
        """Return the same position with the colours changed and the board turned round."""
        masks = self.variant.geometry.masks
        black, white, kings = (
            sum(masks[-square] for square in self._numbers(mask))
            for mask in (self.white, self.black, self.kings)
        )
        turned = [(masks[-number] if number else 0, count) for number, count in self._runs()]
        return Position(black, white, kings, self.turn.other, self.variant, (turned[1], turned[0]))

    @property
    def key(self) -> int:
        """A Zobrist key of 64 bits, equal for equal positions and fit to be stored."""
        return hashing.key(self)

    @property
    def masks(self) -> tuple[int, int, int, bool]:
        """What the generator asks for: own, enemy, kings, and whether own men move down."""
        down = self.turn is self.variant.low
        black = self.turn is Side.BLACK
        own, enemy = (self.black, self.white) if black else (self.white, self.black)
        return own, enemy, self.kings, down

    def __repr__(self) -> str:
        """Return the expression that reads this position again, and a variant's name."""
        strict = ", strict=False" if self.fault else ""
        variant = "" if self.variant == ENGLISH else f", <{self.variant.name}>"
        return f"Position.from_fen({self.fen!r}{variant}{strict})"

    def __str__(self) -> str:
        """Return a diagram: ``b B w W`` are men and kings, ``.`` the empty dark squares."""
        geometry = self.variant.geometry
        names = {geometry.letters(square): square for square in range(1, geometry.squares + 1)}
        lines = []
        for rank in range(geometry.rows, 0, -1):
            row = []
            for file in range(geometry.columns):
                square = names.get(f"{chr(ord('a') + file)}{rank}")
                piece = self.piece_at(square) if square else None
                letter = piece.side.code if piece else "."
                row.append(
                    " " if not square else letter if piece and piece.king else letter.lower()
                )
            lines.append(f"{rank:2} " + " ".join(row).rstrip())
        lines.append("   " + " ".join(chr(ord("a") + file) for file in range(geometry.columns)))
        return "\n".join([*lines, f"{self.turn.title} to move"])

    def _repr_svg_(self) -> str:
        """Return a picture, for notebooks."""
        from kingme.rules import svg

        return svg.board(self)

    def _set(self, side: Side) -> int:
        return self.black if side is Side.BLACK else self.white

    def _runs(self) -> list[tuple[int, int]]:
        numbers = self.variant.geometry.numbers
        return [(numbers.get(king, 0), count) for king, count in self.runs]

    def _numbers(self, mask: int) -> Iterable[int]:
        numbers = self.variant.geometry.numbers
        return [numbers[bit] for bit in bits(mask)]

    def _objection(self) -> str:
        """Say which of the conditions of ``__post_init__`` fails, in a player's words."""
        both = self.black | self.white
        if not both:
            return "there is no piece on the board"
        if self.black & self.white:
            low = next(bits(self.black & self.white))
            square = self.variant.geometry.numbers.get(low, "?")
            return f"square {square} holds a piece of both sides"
        if self.kings & ~both:
            return "a king is marked on an empty square"
        return "a mask holds bits that are no squares of the board"
