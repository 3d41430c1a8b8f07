"""A board to play on: positions are values, and a board is where one of them stands now.

>>> from kingme import Board
>>> board = Board()
>>> move = board.push("11-15")
>>> board.turn.title, len(board.legal_moves), "22-17" in board.legal_moves
('White', 7, True)
>>> board.pop() == move
True
"""

from __future__ import annotations

from collections.abc import Iterator

from kingme.errors import MoveError
from kingme.rules.history import History, not_on_turn
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset, Outcome, Termination
from kingme.rules.perft import perft
from kingme.rules.piece import Piece
from kingme.rules.position import Position
from kingme.rules.status import Status, status
from kingme.rules.variant import ENGLISH, Side, Variant, variant_of

__all__ = ["Board", "LegalMoves"]


class LegalMoves:
    """The legal moves of a position: counted without being made, and made once asked for.

    >>> from kingme import Position
    >>> moves = LegalMoves(Position.start())
    >>> moves.count(), "11-15" in moves, "11-14" in moves
    (7, True, False)
    >>> [str(move) for move in moves][:3], str(moves[-1])
    (['9-13', '9-14', '10-14'], '12-16')
    """

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def count(self) -> int:
        """Return how many there are."""
        return perft(self._position, 1)

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return self.count() > 0

    def __iter__(self) -> Iterator[Move]:
        return iter(self._position.legal_moves)

    def __getitem__(self, index: int) -> Move:
        return self._position.legal_moves[index]

    def __contains__(self, move: object) -> bool:
        """Whether a move is legal, or a text names one that is."""
        if isinstance(move, str):
            try:
                self._position.parse(move)
            except MoveError:
                return False
            return True
        return move in self._position.legal_moves

    def __repr__(self) -> str:
        """Return them as texts."""
        return f"<LegalMoves: {', '.join(map(str, self)) or 'none'}>"


class Board:
    """A game as it is played: a position, the moves that led to it, and the way back.

    Begin with nothing, a FEN, a :class:`Position` or a :class:`History`. ``variant`` is a
    record or its name, English where none is given; what is not text brings its own. Boards
    are equal where their positions are. Raises :class:`~kingme.errors.FenError` for a text
    that is no position, ``ValueError`` for a name that is no variant.

    >>> board = Board("B:W25,26:B22")
    >>> [str(move) for move in board.legal_moves]
    ['22x29', '22x31']
    >>> str(board.push("22x31")), board.fen
    ('22x31', 'W:W25:BK31')
    >>> board.outcome() is None, [str(move) for move in board.move_stack]
    (True, ['22x31'])
    """

    __slots__ = ("_moves", "_positions")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        position: Position | History | str | None = None,
        variant: Variant | str | None = None,
    ) -> None:
        rules = variant_of(variant) if variant is not None else None
        history = (
            position if isinstance(position, History) else History.start(position, rules or ENGLISH)
        )
        if rules is not None and history.position.variant != rules:
            raise ValueError(
                f"this is a position of {history.position.variant.title}, not of {rules.title}"
            )
        self._positions = list(history.positions)
        self._moves = list(history.moves)

    @property
    def position(self) -> Position:
        """The position as it stands: a value that the next move does not change."""
        return self._positions[-1]

    @property
    def history(self) -> History:
        """The whole game as a value."""
        return History(tuple(self._positions), tuple(self._moves))

    @property
    def variant(self) -> Variant:
        """The rules in force."""
        return self.position.variant

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def fen(self) -> str:
        """The position as text."""
        return self.position.fen

    @property
    def key(self) -> int:
        """The Zobrist key of the position."""
        return self.position.key

    @property
    def pieces(self) -> dict[int, Piece]:
        """All pieces by square number."""
        return self.position.pieces

    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves played, oldest first."""
        return tuple(self._moves)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves as the board stands now."""
        return LegalMoves(self.position)

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square number, or ``None`` where it is empty."""
        return self.position.piece_at(square)

    def parse(self, text: str) -> Move:
        """Return the legal move that a text names; see :meth:`Position.parse` for its errors."""
        return self.position.parse(text)

    def push(self, move: Move | str) -> Move:
        """Play a move, or what a text names, and return it; an illegal one changes nothing.

        >>> Board().push("11-14")
        Traceback (most recent call last):
        kingme.errors.IllegalMoveError: 11-14 is not legal: the piece on 11 cannot go there...
        """
        chosen = self.parse(move) if isinstance(move, str) else move
        self._positions.append(self.position.play(chosen))
        self._moves.append(chosen)
        return chosen

    def pop(self) -> Move:
        """Take the last move back and return it; ``IndexError`` where none was played."""
        move = self.peek()
        del self._positions[-1], self._moves[-1]
        return move

    def peek(self) -> Move:
        """Return the last move; ``IndexError`` where none was played."""
        if not self._moves:
            raise IndexError("no move was played on this board")
        return self._moves[-1]

    def outcome(
        self, preset: DrawPreset | str | None = None, *, claim: bool | Side = False
    ) -> Outcome | None:
        """Return how the game has ended, or ``None`` while it goes on.

        ``preset`` are the draw rules, by default those that the variant is usually played by.
        With ``claim``, a draw that the player on the turn may claim under them counts as
        claimed (WCDF 1.32). A side for ``claim`` says whose claim it is: only the player on
        the turn has one, and :class:`~kingme.errors.ClaimError` refuses the other's.

        >>> board = Board("W:WK1:BK32")
        >>> for text in ["1-6", "32-28", "6-1", "28-32"] * 2:
        ...     move = board.push(text)
        >>> print(board.outcome())
        Draw: the same position came again and again
        >>> print(board.outcome("tournament"), board.outcome("tournament", claim=True), sep="; ")
        None; Draw: the same position came again and again
        >>> board.outcome("tournament", claim=Side.BLACK)
        Traceback (most recent call last):
        kingme.errors.ClaimError: Black cannot claim: it is White's turn, and only the player...
        """
        if not isinstance(claim, bool | Side):
            raise TypeError(
                f"a claim is True, False, Side.BLACK or Side.WHITE, not {type(claim).__name__}"
            )
        history = self.history
        rules = preset or self.variant.draws[0]
        found = history.outcome(rules)
        if found or claim is False:
            return found
        if claim is self.turn.other:
            raise not_on_turn(claim)
        claims = history.claimable(rules)
        if not claims:
            return None
        reason = claims[0]
        return Outcome(None, reason if isinstance(reason, Termination) else Termination.REPETITION)

    def status(self) -> Status:
        """Return why the position cannot occur in a game; ``Status.VALID`` where it can.

        >>> Board().status()
        <Status.VALID: 0>
        """
        return status(self.position)

    def mirrored(self) -> Board:
        """Return the same game with the colours changed and the board turned round.

        This board stays as it is, and so :meth:`Position.mirrored` has the same name.

        >>> board = Board("B:W21:B1")
        >>> move, other = board.push("1-6"), board.mirrored()
        >>> str(move), other.fen, str(other.peek())
        ('1-6', 'B:W27:B12', '32-27')
        """
        geometry = self.variant.geometry
        moves = tuple(move.mirrored(geometry) for move in self._moves)
        return Board(History(tuple(p.mirrored() for p in self._positions), moves))

    def mirror(self) -> Board:
        """Return what :meth:`mirrored` does, under the name that ``python-chess`` has for it."""
        return self.mirrored()

    def copy(self, *, stack: bool = True) -> Board:
        """Return another board that stands the same, without the moves where not ``stack``."""
        return Board(self.history if stack else self.position)

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Board:
        """Positions and moves never change: they are shared."""
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return self.position == other.position if isinstance(other, Board) else NotImplemented

    def __repr__(self) -> str:
        """Return the expression that sets the position up again."""
        variant = "" if self.variant == ENGLISH else f", {self.variant.name!r}"
        return f"Board({self.fen!r}{variant})"

    def __str__(self) -> str:
        """Return a diagram, as of a position."""
        return str(self.position)

    def _repr_svg_(self) -> str:
        """Return a picture with the last move, for notebooks."""
        from kingme.rules import svg

        return svg.board(self, last_move=self._moves[-1] if self._moves else None)

    def _repr_html_(self) -> str:
        """Return the board as it stands beside the moves played, for notebooks."""
        from kingme.rules import html

        return html.record(self.history)
