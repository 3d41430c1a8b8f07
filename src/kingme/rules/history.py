"""A game's history: where it began and what was played, and what follows for a draw."""

from __future__ import annotations

from dataclasses import dataclass

from kingme.errors import ClaimError, MoveError
from kingme.rules.moves import Move
from kingme.rules.outcome import (
    DrawPreset,
    Ending,
    Outcome,
    Progress,
    Termination,
    preset_of,
)
from kingme.rules.position import Position
from kingme.rules.record import Variant
from kingme.rules.terms import Direction, Side
from kingme.rules.variant import ENGLISH

__all__ = ["History"]

#: directions in which a man cannot come back
_ONWARD = frozenset({Direction.FORWARD, Direction.FORWARD_DIAGONAL})
#: what makes every earlier position impossible: nothing is put on again, a king is no man again
_LASTING = frozenset({Progress.CAPTURE, Progress.PROMOTION})


@dataclass(frozen=True, slots=True, repr=False)
class History:
    """Positions from the first to the present one, and the moves between them.

    ``positions`` is always one longer than ``moves``. Operations return the next value.
    Where a draw preset is asked for, its name will do.

    >>> history = History.start().play("11-15").play("22-18").play("15x22")
    >>> history.position.turn.title, len(history.moves), history.quiet_plies()
    ('White', 3, 0)
    >>> str(history.back(2).position.turn)
    'Side.WHITE'
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...] = ()

    def __post_init__(self) -> None:
        """Refuse positions and moves that do not match in number."""
        if len(self.positions) != len(self.moves) + 1:
            raise ValueError(
                f"{len(self.moves)} moves lie between {len(self.moves) + 1} positions, "
                f"not {len(self.positions)}: begin with History.start() and play"
            )

    @classmethod
    def start(
        cls, position: Position | str | None = None, variant: Variant | str = ENGLISH
    ) -> History:
        """Return a history without moves, from a position or its FEN, or the usual start.

        A variant is a record or its name.
        """
        if isinstance(position, str):
            position = Position.from_fen(position, variant)
        return cls((position or Position.start(variant),))

    def __repr__(self) -> str:
        """Return where it began and what was played."""
        played = " ".join(map(str, self.moves))
        return f"<History from {self.positions[0].fen}: {played or 'no move yet'}>"

    def _repr_html_(self) -> str:
        """Return the board as it stands beside the moves, for notebooks."""
        from kingme.rules import html

        return html.record(self)

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]

    def play(self, move: Move | str) -> History:
        """Return the history with one more move; a text is read as :meth:`Position.parse` does."""
        chosen = self.position.parse(move) if isinstance(move, str) else move
        return History((*self.positions, self.position.play(chosen)), (*self.moves, chosen))

    def back(self, plies: int = 1) -> History:
        """Return the history without its last ``plies`` moves."""
        if not 0 <= plies <= len(self.moves):
            raise ValueError(f"{plies} plies cannot be taken back: {len(self.moves)} were played")
        keep = len(self.moves) - plies
        return History(self.positions[: keep + 1], self.moves[:keep])

    def events(self, ply: int) -> frozenset[Progress]:
        """Return what move number ``ply`` (from 0) did for progress."""
        before, after, move = (
            self.positions[ply],
            self.positions[ply + 1],
            self.moves[ply],
        )
        found = {Progress.CAPTURE} if move.captures else set()
        piece = before.piece_at(move.start)
        if piece and not piece.king:
            found.add(Progress.MAN_MOVE)
            if after.kings & after.variant.geometry.masks[move.end]:
                found.add(Progress.PROMOTION)
        return frozenset(found)

    def quiet_plies(self, preset: DrawPreset | str | None = None) -> int:
        """Return how many plies in a row, up to now, made no progress in the preset's sense."""
        return self._plies_since(self._rules(preset).progress)

    def repetitions(self, preset: DrawPreset | str | None = None) -> int:
        """Return how often the present position has occurred, this time included."""
        return self._occurrences(self.position, self._rules(preset))

    def outcome(self, preset: DrawPreset | str | None = None) -> Outcome | None:
        """Return how the game has ended by itself, or ``None`` while it goes on.

        A player without a piece or a move on the turn has lost, and that goes before any
        draw; claimed draws are not here but in :meth:`claim`. By default the draw rules are
        those that the variant is usually played by.
        """
        preset = self._rules(preset)
        if over := self.position.outcome:
            return over
        if not preset.claimed:
            if preset.repetition and self.repetitions(preset) >= preset.repetition:
                return Outcome(None, Termination.REPETITION)
            if preset.progress_plies and self.quiet_plies(preset) >= preset.progress_plies:
                return Outcome(None, Termination.NO_PROGRESS)
            if any(self._lasts(ending) for ending in preset.endings):
                return Outcome(None, Termination.NO_PROGRESS)
        if preset.ply_cap and len(self.moves) >= preset.ply_cap:
            return Outcome(None, Termination.PLY_CAP)
        return None

    def claimable(self, preset: DrawPreset | str) -> tuple[Termination | Move, ...]:
        """Return what the player on the turn may claim a draw on.

        ``Termination.NO_PROGRESS`` where the count is full, and each legal move that would
        make the position for the preset's last time (WCDF 1.32). Empty under presets
        whose draws come by themselves, and when the game is over.
        """
        preset = preset_of(preset)
        if not preset.claimed or self.outcome(preset):
            return ()
        found: list[Termination | Move] = []
        if preset.progress_plies and self.quiet_plies(preset) >= preset.progress_plies:
            found.append(Termination.NO_PROGRESS)
        if preset.repetition:
            found += [m for m in self.position.legal_moves if self._repeats(m, preset)]
        return tuple(found)

    def claim(self, preset: DrawPreset | str, by: Side, move: Move | str | None = None) -> Outcome:
        """Return the draw that ``by`` claims, or raise :class:`~kingme.errors.ClaimError`.

        With a ``move``, the claim is that this move makes the position for the third
        time; without, that no progress was made for long enough. Source: WCDF 1.32.
        """
        preset = preset_of(preset)
        if not preset.claimed:
            raise ClaimError(f"under {preset.title} rules no draw is claimed: {preset.summary}")
        if self.outcome(preset):
            raise ClaimError("the game is over: there is nothing to claim")
        if Side(by) is not self.position.turn:
            raise not_on_turn(Side(by))
        return self._claim_progress(preset) if move is None else self._claim_move(preset, move)

    def _claim_progress(self, preset: DrawPreset) -> Outcome:
        count, limit = self.quiet_plies(preset), preset.progress_plies
        if limit and count >= limit:
            return Outcome(None, Termination.NO_PROGRESS)
        repeating = [str(m) for m in self.claimable(preset) if isinstance(m, Move)]
        if repeating:
            raise ClaimError(f"name the move that repeats the position: {' or '.join(repeating)}")
        rule = f"{limit} are needed" if limit else "no number of them makes a draw here"
        raise ClaimError(f"{count} plies in a row made no progress: {rule}")

    def _claim_move(self, preset: DrawPreset, move: Move | str) -> Outcome:
        try:
            chosen = self.position.parse(move) if isinstance(move, str) else move
            after = self.position.play(chosen)
        except MoveError as error:
            raise ClaimError(f"a claim names a legal move: {error}") from error
        if self._repeats(chosen, preset):
            return Outcome(None, Termination.REPETITION)
        times = self._occurrences(after, preset) + 1
        raise ClaimError(
            f"{chosen} makes a position that occurs for the {_ordinal(times)} time: "
            f"{preset.repetition or 'no number of'} occurrences make a draw here"
        )

    def _repeats(self, move: Move, preset: DrawPreset) -> bool:
        if not preset.repetition or (move.captures and Progress.CAPTURE in preset.repetition_reset):
            return False
        after = self.position.play(move)
        return self._occurrences(after, preset) + 1 >= preset.repetition

    def _occurrences(self, position: Position, preset: DrawPreset) -> int:
        """Count ``position`` among those played, from the last event that resets the count.

        What lies before a capture or a man's move cannot come again, so nobody looks there;
        only men that move sideways can come back.
        """
        lasting = _LASTING | preset.repetition_reset
        if position.variant.man_moves <= _ONWARD:
            lasting |= {Progress.MAN_MOVE}
        since = self._plies_since(lasting)
        return self.positions[len(self.moves) - since :].count(position)

    def _rules(self, preset: DrawPreset | str | None) -> DrawPreset:
        return preset_of(preset or self.position.variant.draws[0])

    def _lasts(self, ending: Ending) -> bool:
        """Whether the balance of an ending has lasted for its number of plies, up to now."""
        first = len(self.moves) - ending.plies
        return (
            first >= 0
            and all(ending.holds(position) for position in reversed(self.positions[first:]))
            and not any(
                self.events(ply) & ending.restarts for ply in range(first, first + ending.plies)
            )
        )

    def _plies_since(self, kinds: frozenset[Progress]) -> int:
        masks = self.position.variant.geometry.masks
        count = 0
        for ply in range(len(self.moves) - 1, -1, -1):
            move = self.moves[ply]
            # Most plies of a long count are quiet moves of kings: no event, whatever is asked for.
            quiet = not move.captures and self.positions[ply].kings & masks[move.start]
            if not quiet and self.events(ply) & kinds:
                break
            count += 1
        return count


def not_on_turn(side: Side) -> ClaimError:
    """Return the refusal of a claim by the player who waits."""
    return ClaimError(
        f"{side.title} cannot claim: it is {side.other.title}'s turn, "
        "and only the player on the turn may"
    )


def _ordinal(number: int) -> str:
    names = {1: "first", 2: "second", 3: "third"}
    return names.get(number, f"{number}th")
