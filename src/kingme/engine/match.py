"""A match of two engines: openings played twice with the colours changed, until all is played.

The rules and a draw preset alone end a game, or an engine that fails: it loses, and is started
again. What a game needs comes in as arguments; what came of it goes out as a value.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from kingme.engine.api import EngineError, Info, Limits
from kingme.errors import KingmeError
from kingme.rules import pdn
from kingme.rules.ballots import THREE_MOVE
from kingme.rules.history import History
from kingme.rules.outcome import DrawPreset, Termination
from kingme.rules.pdn import game_pdn
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Side, Variant

__all__ = ["Finished", "Player", "Task", "beginnings", "openings", "play", "record", "tasks"]

LONGEST = 400
"""Plies after which a game is a draw whatever the preset says, so that every game ends."""

UNFINISHED = "the game was long enough"


class Player(Protocol):
    """What a match asks of an engine."""

    def best_move(self, history: History, limits: Limits, preset: DrawPreset) -> Info:
        """Return what it plays."""


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played: its number from 0, its opening, and whether A has the first move."""

    number: int
    opening: History
    a_first: bool

    @property
    def round(self) -> str:
        """The name of the game in the file: pair and game, ``"12.2"``."""
        return f"{self.number // 2 + 1}.{self.number % 2 + 1}"


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played: who won (None for a draw), and why, in a sentence."""

    history: History
    winner: Side | None
    why: str

    @property
    def result(self) -> str:
        """The result as PDN writes it: ``1-0`` where the side that moves first won."""
        if self.winner is None:
            return "1/2-1/2"
        first = self.history.position.variant.first
        return "1-0" if self.winner is first else "0-1"

    def points(self, side: Side) -> float:
        """Return the points of a side."""
        return 0.5 if self.winner is None else float(self.winner is side)


def beginnings(variant: Variant = ENGLISH, plies: int = 2) -> list[History]:
    """Return every position that can arise after so many plies, once, as a game.

    >>> len(beginnings())
    49
    """
    found = [History.start(Position.start(variant))]
    for _ in range(plies):
        after = (game.play(move) for game in found for move in game.position.legal_moves)
        found = list({game.position: game for game in after}.values())
    return [game for game in found if game.position.legal_moves]


def openings(text: str | None, variant: Variant = ENGLISH, seed: int = 0) -> list[History]:
    """Return the openings of a file, or the usual ones in an order that ``seed`` gives.

    A file is PDN, a game for each opening, or a FEN a line; after ``#`` a line is passed over.
    The usual ones are the three-move ballots of English draughts, or what can arise after two
    plies. Raises `EngineError` where a file holds none, with the line at fault.
    """
    if text is None:
        if variant == ENGLISH:
            found = [ballot.history for ballot in THREE_MOVE.drawn]
        else:
            found = beginnings(variant)
        random.Random(seed).shuffle(found)  # noqa: S311 (an order, not a secret)
        return found
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    fens = all(_like_fen(line) for line in lines if line)
    found = list(_fens(lines, variant)) if fens else list(_games(text, variant))
    if not found:
        raise EngineError("the file of openings holds none")
    return found


def tasks(games: int, beginning: Sequence[History]) -> Iterator[Task]:
    """Yield the games of a match in their order; openings are taken again when all were used."""
    for number in range(games):
        opening = beginning[number // 2 % len(beginning)]
        yield Task(number, opening, number % 2 == 0)


def play(
    first: Player,
    second: Player,
    opening: History,
    limits: Limits,
    preset: DrawPreset,
    told: Callable[[History, Info], None] | None = None,
) -> Finished:
    """Play a game; ``first`` moves whenever the side does that begins in this variant.

    An engine that fails or moves against the rules has lost. ``told`` hears of every move.
    """
    history = opening
    begins = history.position.variant.first
    while True:
        ended = _ended(history, preset)
        if ended is not None:
            return ended
        turn = history.position.turn
        player = first if turn is begins else second
        try:
            info = player.best_move(history, limits, preset)
            history = history.play(info.move)
        except KingmeError as error:
            why = " ".join(str(error).split())
            return Finished(history, turn.other, f"{turn.title} forfeits: {why}")
        if told is not None:
            told(history, info)


def record(task: Task, done: Finished, names: tuple[str, str], tags: dict[str, str]) -> str:
    """Return the game as PDN, with a blank line at its end; ``names`` are those of A and B."""
    variant = done.history.position.variant
    black_is_a = task.a_first is (variant.first is Side.BLACK)
    black, white = names if black_is_a else names[::-1]
    own = {"Event": "Engine match", "Round": task.round, "Black": black, "White": white}
    return game_pdn({**own, "Termination": done.why, **tags}, done.history, done.result) + "\n"


def _ended(history: History, preset: DrawPreset) -> Finished | None:
    outcome = history.outcome(preset)
    if outcome is not None:
        return Finished(history, outcome.winner, str(outcome))
    claims = history.claimable(preset)
    if claims:
        why = claims[0] if isinstance(claims[0], Termination) else Termination.REPETITION
        return Finished(history, None, f"Draw: claimed for {why.value.replace('_', ' ')}")
    if len(history.moves) >= LONGEST:
        return Finished(history, None, f"Draw: {UNFINISHED}")
    return None


def _like_fen(line: str) -> bool:
    return line[:2].upper() in ("B:", "W:")


def _fens(lines: list[str], variant: Variant) -> Iterator[History]:
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            history = History.start(line, variant)
        except KingmeError as error:
            raise EngineError(f"line {number} of the openings: {error}") from None
        if not history.position.legal_moves:
            raise EngineError(f"line {number} of the openings: the game is over there")
        yield history


def _games(text: str, variant: Variant) -> Iterator[History]:
    for game in pdn.read(text, variant=variant):
        bad = next((note for note in game.notes if note.kind == "error"), None)
        if bad is not None:
            raise EngineError(
                f"line {bad.line}, column {bad.column} of the openings: {bad.message}"
            )
        if game.history.position.legal_moves:
            yield game.history
