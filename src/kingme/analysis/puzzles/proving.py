"""Whether a position is a puzzle: its solution, proved, and every other move worse.

A win is proved by the search, which scores it by the plies to the end, or by the endgame
database; a draw by the database alone. A shot is a line in which every reply is a jump that is
due, and that takes more pieces than it gives; a gain is another line that does so, and that is
proved to win as much whatever is played (`gains`). What they win must still be there in a search of
half a million positions more, and that of a gain when its line is over. At every move of the solver
all moves are looked at: those that are worse by a margin, and are not proved to gain as much, are
wrong, all others are accepted. Where more than three moves are right at first, or one may win
besides those that surely do, the position is no puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from kingme.analysis.puzzles.forcing import lead_of
from kingme.analysis.puzzles.gains import secured
from kingme.analysis.puzzles.puzzle import PuzzleKind, PuzzleStep
from kingme.analysis.shots import exchanged, shot_in
from kingme.analysis.verdicts import Solved, Verdict
from kingme.engine.api import KNOWN, WIN, Info, Limits, Score
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import PRESETS, DrawPreset
from kingme.rules.position import Position

__all__ = [
    "FEWER",
    "GAIN",
    "GENTLE",
    "RIGHT",
    "THOROUGH",
    "UNWON",
    "Effort",
    "Proof",
    "Searcher",
    "Tables",
    "points",
    "proof_of",
    "searched",
]

OPEN = PRESETS["agreement"]
"""The draw rules of the searches: none, so that a win is one however long it takes."""

WORSE = 50
"""Hundredths of a man that a move must be worth less than the best, to be wrong."""

LESS = 0.08
"""How many points less must then be expected, too, of one for a win."""

UNWON = 80
"""What a move that is not proved to win may be worth where another is."""

FEWER, ALONE = 8, 400_000
"""With so few pieces a move may be worth more if a search of it alone, of so many positions,
does not prove that it wins."""

HOLDS = 40
"""What a shot or a gain may lose of its worth from a move of the solver to the next."""

GAIN = 50
"""What a move must be worth, at least, that wins pieces by no shot."""

RIGHT, WAYS = 3, 2
"""How many first moves may be right, and how many later ones where there is more to be found."""

LONGEST = 9
"""Moves of the solver in a line, at most."""


class Searcher(Protocol):
    """What proving asks of the compiled engine."""

    def clear(self) -> None:
        """Forget earlier searches, so that the next one finds the same after any other."""

    def analyse(
        self, history: History, limits: Limits, preset: DrawPreset, *, lines: int = 1
    ) -> Iterator[Info]:
        """Yield an info of each line after each iteration."""


class Tables(Solved, Protocol):
    """What proving asks of the endgame database."""

    def keeping_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that keep the value of a position."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many positions each search looks at.

    ``first`` for all moves of the first position and ``later`` for those of the next ones,
    ``reply`` for an answer of the defence, ``deep`` for the best first move alone, once more.
    """

    first: int = 200_000
    later: int = 80_000
    reply: int = 40_000
    deep: int = 500_000


GENTLE = Effort(60_000, 30_000, 20_000, 60_000)
"""Enough to see that most positions are no puzzle."""

THOROUGH = Effort()


class Proof(NamedTuple):
    """A solution: its steps, what it is, its pieces, and the plies to a sure end or gain."""

    steps: tuple[PuzzleStep, ...]
    kind: PuzzleKind
    given: int
    taken: int
    plies: int


class _Weighed(NamedTuple):
    """The moves of a position, those right and those wrong, and what the best is worth."""

    accepted: tuple[Move, ...]
    refuted: tuple[tuple[Move, Move | None], ...]
    score: int


def points(score: int) -> float:
    """The points, from 0 to 1, that may be expected of a score in hundredths of a man."""
    return Verdict(score, ()).expected


def searched(engine: Searcher, position: Position, nodes: int, lines: int = 1) -> list[Info]:
    """Return what a search of so many positions finds of its best lines, the best first.

    The last depth at which all lines were found counts.
    """
    whole: list[Info] = []
    found: list[Info] = []
    for info in engine.analyse(History.start(position), Limits(nodes=nodes), OPEN, lines=lines):
        if info.line == 1:
            found = []
        found.append(info)
        if info.line >= len(whole):
            whole = found
    return sorted(whole, key=lambda info: -info.score.value)


def proof_of(
    position: Position,
    engine: Searcher,
    tables: Tables,
    effort: Effort = THOROUGH,
    missing: Move | None = None,
) -> Proof | None:
    """Return the solution of a position where it is a puzzle, ``None`` where it is none.

    It is none where the move ``missing`` does as well. The engine forgets what it knew, so that
    the same comes of it at any time.
    """
    engine.clear()
    first = _weighed(position, engine, tables, effort.first)
    if first is None or not first.refuted or not 0 < len(_results(position, first)) <= RIGHT:
        return None
    if missing in first.accepted or (first.score < 0 and _few(position, tables)):
        return None
    if not _few(position, tables) and not _sure(first.score):
        (deep,) = searched(engine, position, effort.deep)
        if deep.move not in first.accepted or deep.score.value < first.score - HOLDS:
            return None
    proof = _Line(position, first, engine, tables, effort).followed()
    if proof is None or proof.kind is not PuzzleKind.GAIN:
        return proof
    return _by_force(position, proof, missing)


def _by_force(position: Position, proof: Proof, missing: Move | None) -> Proof | None:
    """A gain as it is proved against every defence; ``None`` where it is not."""
    found = secured(position, proof.steps, proof.taken - proof.given)
    if found is None:
        return None
    first = found.steps[0]
    results = {position.after(move) for move in first.accepted}
    if missing in first.accepted or not first.refuted or len(results) > RIGHT:
        return None
    taken = proof.given + found.pieces
    return proof._replace(steps=found.steps, taken=taken, plies=found.plies)


class _Line:
    """A line of a solver and the best defence, move by move."""

    def __init__(
        self, position: Position, first: _Weighed, engine: Searcher, tables: Tables, effort: Effort
    ) -> None:
        self._start = self._now = position
        self._side = position.turn
        self._first = self._weighed = first
        self._engine, self._tables, self._effort = engine, tables, effort
        self._steps: list[PuzzleStep] = []
        self._moves: list[Move] = []

    def followed(self) -> Proof | None:
        """Play the line to its end, and say what it is; ``None`` where it does not hold."""
        while True:
            weighed, move = self._weighed, self._weighed.accepted[0]
            after = self._now.after(move)
            self._moves.append(move)
            if not after.legal_moves or self._settled(after):
                break
            if not self._certain and not after.must_jump and self._first.score < GAIN:
                return None
            reply = self._reply(after)
            following = after.after(reply)
            if len(self._steps) + 1 >= LONGEST:
                if following.must_jump:
                    return None
                break
            next_one = _weighed(following, self._engine, self._tables, self._effort.later)
            if next_one is None or not self._holds(next_one.score):
                if not self._certain or following.must_jump:
                    return None
                break
            if self._dull(following, next_one):
                break
            self._steps.append(PuzzleStep(weighed.accepted, weighed.refuted, reply))
            self._moves.append(reply)
            self._now, self._weighed = following, next_one
        self._steps.append(PuzzleStep(weighed.accepted, weighed.refuted))
        return self._named()

    def _settled(self, after: Position) -> bool:
        """Whether a shot is over, no jump being due; a line that is no sure win must be one."""
        if after.must_jump:
            return False
        if shot_in(self._start, self._moves) is not None:
            return True
        return not self._certain and lead_of(after, self._side) > lead_of(self._start, self._side)

    @property
    def _certain(self) -> bool:
        return _few(self._start, self._tables) or _sure(self._first.score)

    def _holds(self, score: int) -> bool:
        if self._certain:
            return self._first.score == 0 or _sure(score)
        return score >= self._first.score - HOLDS

    def _dull(self, position: Position, weighed: _Weighed) -> bool:
        """Whether there is nothing more to be found: there are many ways, or it is a draw still."""
        many = len(_results(position, weighed)) > WAYS
        return self._certain and many and not position.must_jump

    def _reply(self, position: Position) -> Move:
        """The best answer of the defence."""
        legal = position.legal_moves
        if len(legal) == 1:
            return legal[0]
        if _few(position, self._tables):
            return self._tables.best_moves(position)[0]
        return searched(self._engine, position, self._effort.reply)[0].move

    def _named(self) -> Proof | None:
        shot = shot_in(self._start, self._moves)
        plies = (Score(self._first.score).plies_to_end or 0) if _sure(self._first.score) else 0
        steps = tuple(self._steps)
        if self._certain and self._first.score == 0:
            return Proof(steps, PuzzleKind.DRAW, 0, 0, 0)
        if shot is not None:
            return Proof(steps, PuzzleKind.SHOT, shot.given, shot.taken, plies)
        if self._certain:
            return Proof(steps, PuzzleKind.WIN, 0, 0, plies)
        return self._gained(steps)

    def _gained(self, steps: tuple[PuzzleStep, ...]) -> Proof | None:
        """A gain that is still there when the line is over."""
        end = self._now.after(self._moves[-1])
        if end.legal_moves:
            (info,) = searched(self._engine, end, self._effort.later)
            if -info.score.value < self._first.score - HOLDS:
                return None
        given, taken = exchanged(self._moves)
        return Proof(steps, PuzzleKind.GAIN, given, taken, 0) if taken > given else None


def _weighed(position: Position, engine: Searcher, tables: Tables, nodes: int) -> _Weighed | None:
    """Sort the moves of a position into right and wrong; ``None`` where that cannot be done."""
    legal = position.legal_moves
    if _few(position, tables):
        return _looked_up(position, tables)
    if len({position.after(move) for move in legal}) == 1:
        infos = searched(engine, position, nodes // 4)
        return _Weighed(legal, (), infos[0].score.value)
    searched(engine, position, nodes // 2)
    infos = searched(engine, position, nodes // 2, len(legal))
    best = infos[0].score.value
    wrong = [info for info in infos if _loses(info.score.value, best)]
    right = [info for info in infos if info not in wrong]
    if _sure(best):
        unsure = [info for info in right if not _sure(info.score.value)]
        if unsure and (len(position.pieces) > FEWER or not _unwon(position, unsure, engine)):
            return None
        right, wrong = [info for info in right if info not in unsure], [*unsure, *wrong]
    accepted = _with_routes(position, [info.move for info in right])
    refuted = tuple((info.move, info.pv[1] if len(info.pv) > 1 else None) for info in wrong)
    return _Weighed(accepted, refuted, best)


def _unwon(position: Position, unsure: list[Info], engine: Searcher) -> bool:
    """Whether no move of these is proved to win by a search of it alone."""
    for info in unsure:
        after = position.after(info.move)
        if after.legal_moves and searched(engine, after, ALONE)[0].result == "loss":
            return False
    return True


def _looked_up(position: Position, tables: Tables) -> _Weighed:
    best, keeping = tables.best_moves(position), tables.keeping_moves(position)
    accepted = [*best[:1], *(move for move in keeping if move != best[0])]
    refuted = []
    for move in position.legal_moves:
        if move not in keeping:
            replies = tables.best_moves(position.after(move))
            refuted.append((move, replies[0] if replies else None))
    plies = tables.distance(position)
    value = str(tables.value(position))
    size = 0 if value == "draw" else KNOWN if plies is None else WIN - plies
    score = size if value == "win" else -size
    return _Weighed(tuple(accepted), tuple(refuted), score)


def _results(position: Position, weighed: _Weighed) -> set[Position]:
    """What the right moves lead to: two routes to one position are no two ways."""
    return {position.after(move) for move in weighed.accepted}


def _loses(score: int, best: int) -> bool:
    """Whether a move is clearly worse than the best."""
    if _sure(best):
        return score <= UNWON
    return score <= best - WORSE and points(best) - points(score) >= LESS


def _with_routes(position: Position, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return moves with all that come to the same: other routes of a jump."""
    results = [position.after(move) for move in moves]
    routes = [
        move
        for move in position.legal_moves
        if move not in moves and position.after(move) in results
    ]
    return (*moves, *routes)


def _sure(score: int) -> bool:
    return Score(score).won


def _few(position: Position, tables: Solved) -> bool:
    return len(position.pieces) <= tables.pieces
