"""How a game ends: the outcome as a value, and the draw rules of each place as data."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from kingme.rules.variant import Side

__all__ = [
    "PRESETS",
    "STANDARD",
    "DrawPreset",
    "Outcome",
    "Progress",
    "Termination",
    "preset_of",
]


class Termination(enum.Enum):
    """Why a game ended; the value is its name on the wire and in stores.

    >>> Termination("no_moves") is Termination.NO_MOVES
    True
    """

    NO_PIECES = "no_pieces"
    NO_MOVES = "no_moves"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    REPETITION = "repetition"
    NO_PROGRESS = "no_progress"
    PLY_CAP = "ply_cap"
    TIMEOUT = "timeout"
    DESERTION = "desertion"


class Progress(enum.Enum):
    """An event that shows that a game still moves on.

    >>> from kingme import History
    >>> History.start().play("11-15").events(0)
    frozenset({<Progress.MAN_MOVE: 'man_move'>})
    """

    CAPTURE = "capture"
    MAN_MOVE = "man_move"
    PROMOTION = "promotion"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: who won (``None`` for a draw) and why it ended.

    >>> str(Outcome(Side.WHITE, Termination.NO_MOVES))
    'White wins: Black has no move'
    >>> Outcome(None, Termination.AGREEMENT).result
    '1/2-1/2'
    """

    winner: Side | None
    termination: Termination

    @property
    def result(self) -> str:
        """The result as PDN writes it in English draughts: ``1-0`` means that Black won.

        Source: PDN 3.0, where the first number belongs to the side that moves first.
        """
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Side.BLACK else "0-1"

    def __str__(self) -> str:
        """Return the outcome in a short sentence."""
        if self.winner is None:
            why = {
                Termination.AGREEMENT: "both players agreed",
                Termination.REPETITION: "the same position came again and again",
                Termination.NO_PROGRESS: "no progress was made for too long",
                Termination.PLY_CAP: "the game reached its last move",
                Termination.DESERTION: "a player left the game",
            }
            return f"Draw: {why[self.termination]}"
        loser = self.winner.other.title
        how = {
            Termination.NO_PIECES: f"{loser} has no piece left",
            Termination.NO_MOVES: f"{loser} has no move",
            Termination.RESIGNATION: f"{loser} resigned",
            Termination.TIMEOUT: f"{loser}'s time ran out",
            Termination.DESERTION: f"{loser} left the game",
        }
        return f"{self.winner.title} wins: {how[self.termination]}"


@dataclass(frozen=True, slots=True)
class DrawPreset:
    """The draw rules of one place, every one of them a field.

    ``repetition`` counts occurrences of the same pieces with the same side to move;
    ``progress_plies`` counts plies of both sides in a row without any event in ``progress``;
    ``ply_cap`` counts the plies of a whole game. ``None`` means that there is no such
    rule. ``claimed``: a draw does not come by itself; the player on the turn claims it,
    and a repetition is claimed *before* the move that would make it.

    >>> preset = DrawPreset("short", "Short games", "A game of 100 plies is a draw.", ply_cap=100)
    >>> preset.claimed, preset.repetition
    (False, None)
    """

    name: str
    title: str
    summary: str
    repetition: int | None = None
    #: events after which earlier occurrences no longer count
    repetition_reset: frozenset[Progress] = frozenset()
    progress_plies: int | None = None
    progress: frozenset[Progress] = frozenset({Progress.CAPTURE, Progress.MAN_MOVE})
    claimed: bool = False
    ply_cap: int | None = None
    agreement: bool = True


STANDARD = DrawPreset(
    name="standard",
    title="Standard",
    summary=(
        "A draw comes by itself when the same position occurs for the third time, or when "
        "each side has made 40 moves in a row without a jump or a man's move. "
        "Players may also agree to a draw."
    ),
    repetition=3,
    progress_plies=80,
)

#: The named presets; ``standard`` is the default.
PRESETS: dict[str, DrawPreset] = {
    preset.name: preset
    for preset in (
        STANDARD,
        DrawPreset(
            name="tournament",
            title="Tournament (WCDF)",
            summary=(
                "Draws are claimed, by the player on the turn: with a move that makes the "
                "same position for the third time, or when neither side has advanced a man "
                "or jumped in its last 40 moves. Players may agree to a draw at any time."
            ),
            repetition=3,
            progress_plies=80,
            claimed=True,
        ),
        DrawPreset(
            name="agreement",
            title="By agreement",
            summary="A game is drawn only when both players agree to it.",
        ),
        DrawPreset(
            name="captures50",
            title="50 moves without a jump",
            summary=(
                "A draw comes by itself when the same position occurs for the third time "
                "with no jump in between, or when each side has made 50 moves in a row "
                "without a jump; moves of men do not count as progress. "
                "Players may also agree to a draw."
            ),
            repetition=3,
            repetition_reset=frozenset({Progress.CAPTURE}),
            progress_plies=100,
            progress=frozenset({Progress.CAPTURE}),
        ),
    )
}


def preset_of(preset: DrawPreset | str) -> DrawPreset:
    """Return the preset of a name, or the preset itself; ``ValueError`` lists the names.

    >>> preset_of("tournament").claimed
    True
    """
    if isinstance(preset, DrawPreset):
        return preset
    if preset not in PRESETS:
        raise ValueError(f"there is no draw preset {preset!r}: there are {', '.join(PRESETS)}")
    return PRESETS[preset]
