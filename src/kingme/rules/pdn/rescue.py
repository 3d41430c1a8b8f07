"""Repairs: jumps that are written short or in pieces, understood by what is played next.

Nothing is guessed: a repair is made only where one reading alone fits, and it is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from kingme.errors import AmbiguousMoveError, KingmeError, MoveError
from kingme.rules.moves import Move
from kingme.rules.pdn.lexer import BRACKETS, TOKEN, WORDS, only_move, tag
from kingme.rules.pdn.referee import Referee, State, squares
from kingme.rules.pdn.results import ENDS

__all__ = ["Repair", "following", "rescued"]

#: how far the rest of a game is looked at, in moves and in characters
_FAR, _REACH = 100, 20_000


@dataclass(frozen=True, slots=True)
class Repair:
    """What a text was understood as, why, and up to where other words went into it."""

    move: Move
    state: State
    message: str
    taken: tuple[int, ...] = ()


def following(text: str, at: int, *, inside: bool) -> list[tuple[int, str]]:
    """Return the next moves of the same line, with their places; ``inside`` a variation or not."""
    found: list[tuple[int, str]] = []
    depth, end = 0, at + _REACH
    while len(found) < _FAR and at < end and (token := TOKEN.search(text, at)):
        kind, at = token.lastgroup, token.end()
        skipped = None
        if kind == "tag" and not tag(text, token.start(), False):
            skipped = BRACKETS.match(text, token.start())
        elif kind == "word":
            skipped = WORDS.match(text, token.start())
        elif kind == "star" and only_move(text, token.start()):
            skipped = token
        if skipped:
            at = skipped.end()
            continue
        depth += {"opens": 1, "closes": -1}.get(kind or "", 0)
        depth = depth if inside else max(depth, 0)  # outside, it closes nothing
        if depth < 0 or kind in {"tag", "draw", "setup"} or (not depth and token[0] in ENDS):
            break
        if kind == "move" and not depth:
            found.append((token.start(), token[0]))
    return found


def rescued(
    judge: Referee, state: State, said: str, error: MoveError, rest: list[tuple[int, str]]
) -> Repair | None:
    """Return what a text means that is no legal move as it stands; ``None`` if nobody knows."""
    position = judge.position(state)
    legal = position.legal_moves
    if isinstance(error, AmbiguousMoveError):
        moves = [move for move in legal if str(move) in error.candidates]
        return _by_the_rest(judge, state, said, moves, rest)
    path = squares(said, position.variant)
    moves = _going_on(legal, path)
    if not moves:
        return None
    pieces = _put_together(judge, state, path, moves, rest)
    if pieces or len({_result(move) for move in moves}) > 1:
        return pieces or _by_the_rest(judge, state, said, moves, rest)
    move, after = judge.judge(state, str(moves[0]))
    return Repair(move, after, f"{said} stops in the middle of the jump {move}, the only one")


def _going_on(legal: tuple[Move, ...], path: tuple[int, ...]) -> list[Move]:
    size = len(path)
    return [m for m in legal if m.captures and len(m.path) > size >= 2 and m.path[:size] == path]


def _put_together(
    judge: Referee,
    state: State,
    path: tuple[int, ...],
    moves: list[Move],
    rest: list[tuple[int, str]],
) -> Repair | None:
    """Put a jump together that is written in several pieces, each from where the last ended."""
    taken: list[int] = []
    for place, piece in rest:
        more = squares(piece, judge.position(state).variant)
        if more[0] != path[-1]:
            return None
        path += more[1:]
        taken.append(place)
        if any(move.path == path for move in moves):
            move, after = judge.judge(state, "x".join(map(str, path)))
            message = f"the jump {move} is written in {len(taken) + 1} pieces"
            return Repair(move, after, message, tuple(taken))
    return None


def _result(move: Move) -> tuple[int, frozenset[int]]:
    return move.end, frozenset(move.captures)


def _by_the_rest(
    judge: Referee, state: State, said: str, moves: list[Move], rest: list[tuple[int, str]]
) -> Repair | None:
    """Choose the move that keeps the rest of the game legal, where it is one alone."""
    texts = [text for _, text in rest]
    readings: dict[tuple[int, frozenset[int]], tuple[int, Move, State]] = {}
    for move in moves:
        known, after = judge.judge(state, str(move))
        readings.setdefault(_result(move), (_survivors(judge, after, texts), known, after))
    ranked = sorted(readings.values(), key=lambda reading: -reading[0])
    (best, move, after), (second, other, _) = ranked[:2]
    if best == second:
        return None
    where = "" if best == len(texts) else f" for {best} moves"
    return Repair(
        move, after, f"{said} can mean {move} or {other}: {move} keeps the rest legal{where}"
    )


def _survivors(judge: Referee, state: State, texts: list[str]) -> int:
    """Return how many moves in a row are legal from a state on."""
    for count, text in enumerate(texts):
        try:
            _, state = judge.judge(state, text)
        except KingmeError:
            return count
    return len(texts)
