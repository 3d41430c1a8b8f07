"""What is said of a puzzle: what is to be found, and what came of it in the game."""

from __future__ import annotations

from kingme.analysis.puzzles.puzzle import Fate, Puzzle, PuzzleKind
from kingme.analysis.shots import Shot, exchanged, number_word
from kingme.engine.api import in_moves

__all__ = ["found_words", "goal_words", "origin_words", "worse_words"]


def goal_words(puzzle: Puzzle) -> str:
    """Return what is to be found.

    The kind of a shot is not told: to see that two are taken for one is to solve it.
    """
    side = puzzle.position.turn.title
    return {
        PuzzleKind.SHOT: f"{side} to move. There is a shot.",
        PuzzleKind.GAIN: f"{side} to move and win {_pieces(puzzle)}.",
        PuzzleKind.WIN: f"{side} to move and win.",
        PuzzleKind.DRAW: f"{side} to move and draw.",
    }[puzzle.kind]


def worse_words(puzzle: Puzzle) -> str:
    """Return what every wrong move has in common, as far as it is proved."""
    return {
        PuzzleKind.SHOT: "That is worth less than the shot.",
        PuzzleKind.GAIN: "That is worth clearly less.",
        PuzzleKind.WIN: "That is no sure win any more.",
        PuzzleKind.DRAW: "That loses.",
    }[puzzle.kind]


def found_words(puzzle: Puzzle) -> str:
    """Return what the solution is, as far as it is proved."""
    if puzzle.kind is PuzzleKind.DRAW:
        return "The one way to a draw, proved by the endgame database."
    ending = f"wins {in_moves(puzzle.plies or 0)}, which is proved"
    if puzzle.kind is PuzzleKind.WIN:
        return f"It {ending}."
    if puzzle.kind is PuzzleKind.GAIN:
        here = f" Here it is {Shot(*exchanged(puzzle.line), ())}." if puzzle.given else ""
        return f"It wins {_pieces(puzzle)} whatever is played, which is proved.{here}"
    name = str(Shot(puzzle.given, puzzle.taken, ())).capitalize()
    return f"{name}; it {ending}." if puzzle.plies else f"{name}."


def game_words(puzzle: Puzzle) -> str:
    """Return who played the game that it is from, and where and when as far as known."""
    origin = puzzle.origin
    where = "" if origin.event in ("", "?") else f", {origin.event}"
    if origin.year and str(origin.year) not in where:
        where += f", {origin.year}"
    return f"{_named(origin.black)} against {_named(origin.white)}{where}"


def origin_words(puzzle: Puzzle) -> str:
    """Return which game it is from, and what its player did."""
    origin, side = puzzle.origin, puzzle.position.turn.code
    player = _named(origin.black if side == "B" else origin.white)
    did = {
        Fate.MISSED: f"{player} played {origin.played} and missed it.",
        Fate.FOUND: f"{player} found it.",
        Fate.ENDED: "The game ended here.",
    }[puzzle.fate]
    return f"{game_words(puzzle)}. {did}"


def _pieces(puzzle: Puzzle) -> str:
    """How many pieces are won."""
    count = puzzle.taken - puzzle.given
    return "a piece" if count == 1 else f"{number_word(count)} pieces"


def _named(player: str) -> str:
    """A name as it is said: what stands behind a comma goes before.

    >>> _named("Wyllie, J."), _named("Tinsley"), _named("?")
    ('J. Wyllie', 'Tinsley', 'Somebody')
    """
    last, comma, first = player.partition(",")
    if player in ("", "?"):
        return "Somebody"
    return f"{first.strip()} {last.strip()}".strip() if comma else player
