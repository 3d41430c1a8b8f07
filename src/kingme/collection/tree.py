"""The opening tree: what was played in a position, how often, and with what success."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from kingme.collection.packing import code_of, key_of
from kingme.collection.query import Query, conditions
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["Branch", "Tally", "Tree", "grow", "refresh"]

BUSY = 1000
"""From how many games on the counts of a position are kept."""

FACT = (1 << 19) - 1
"""The part of a fact of ``place`` that is counted: the move and the result, without the ply."""

Counts = Counter[tuple[int, int]]
"""Games by turn and fact."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How games ended, as they look from the position that was asked for; the rest is unknown."""

    games: int = 0
    black: int = 0
    white: int = 0
    draws: int = 0

    def score(self, side: Side) -> float | None:
        """Return a side's points of all games that have a result, from 0 to 1.

        >>> Tally(games=5, black=2, white=1, draws=1).score(Side.BLACK)
        0.625
        """
        decided = self.black + self.white + self.draws
        won = self.black if side is Side.BLACK else self.white
        return (won + self.draws / 2) / decided if decided else None


@dataclass(frozen=True, slots=True)
class Branch:
    """One move from a position; ``score`` is that of the side that plays it, None if unknown."""

    move: Move
    tally: Tally
    score: float | None


@dataclass(frozen=True, slots=True)
class Tree:
    """A position with its branches, the most played first; ``ended`` games went no further."""

    position: Position
    tally: Tally
    ended: int
    branches: tuple[Branch, ...]


def grow(connection: sqlite3.Connection, query: Query) -> Tree:
    """Return the tree at the position of a query, over the games that meet the rest of it."""
    position = query.position or Position.start()
    white = int(position.turn is Side.WHITE)
    counts = _narrow(connection, position, query) if query.narrow else _all(connection, position)
    if not query.colours:
        counts = Counter({(turn, fact): n for (turn, fact), n in counts.items() if turn == white})
    moves = {turn: _moves(position, turn != white) for turn in (0, 1)}
    found: dict[Move | None, list[int]] = {}
    for (turn, fact), number in counts.items():
        move = moves[turn].get(fact >> 2)
        result = fact & 3
        if turn != white and result in (1, 2):
            result = 3 - result
        found.setdefault(move, [0, 0, 0, 0])[result] += number
    tallies = {move: Tally(sum(row), *row[1:]) for move, row in found.items()}
    branches = [
        Branch(move, tally, tally.score(position.turn)) for move, tally in tallies.items() if move
    ]
    branches.sort(key=lambda branch: (-branch.tally.games, branch.move))
    ended = tallies.get(None, Tally())
    total = [sum(row[i] for row in found.values()) for i in range(4)]
    return Tree(position, Tally(sum(total), *total[1:]), ended.games, tuple(branches))


def _moves(position: Position, reversed_: bool) -> dict[int, Move]:
    """The moves of a position by the code that they have in games with these colours."""
    legal = position.legal_moves
    if not reversed_:
        return {code_of(move, legal): move for move in legal}
    geometry = position.variant.geometry
    turned = {move.mirrored(geometry): move for move in legal}
    return {code_of(move, turned): legal_move for move, legal_move in turned.items()}


def _all(connection: sqlite3.Connection, position: Position) -> Counts:
    key = key_of(position)
    row = connection.execute("SELECT upto FROM busy WHERE key = ?", (key,)).fetchone()
    counts = _counted(connection, key, row[0] if row else 0)
    if row:
        counts.update(_kept(connection, key))
    return counts


def _counted(connection: sqlite3.Connection, key: int, after: int) -> Counts:
    """Count the games of a position that came after a number."""
    sql = (
        f"SELECT turn, fact & {FACT}, count(*) FROM place WHERE key = ? AND game > ? GROUP BY 1, 2"
    )
    rows = connection.execute(sql, (key, after))
    return Counter({(turn, fact): games for turn, fact, games in rows})


def _kept(connection: sqlite3.Connection, key: int) -> Counts:
    sql = "SELECT turn, fact, games FROM branch WHERE key = ?"
    return Counter({(turn, fact): games for turn, fact, games in connection.execute(sql, (key,))})


def _narrow(connection: sqlite3.Connection, position: Position, query: Query) -> Counts:
    key = key_of(position)
    few = "SELECT count(*) FROM (SELECT 1 FROM place WHERE key = ? LIMIT ?)"
    singly = connection.execute(few, (key, BUSY)).fetchone()[0] < BUSY
    parts = list(conditions(query, "p.game", singly=singly))
    where = " AND ".join(["p.key = ?", *(clause for clause, _ in parts)])
    values = [key, *(value for _, several in parts for value in several)]
    what = f"SELECT p.turn, p.fact & {FACT}, count(*) FROM place p JOIN game g ON g.id = p.game"
    rows = connection.execute(f"{what} WHERE {where} GROUP BY 1, 2", values)
    return Counter({(turn, fact): games for turn, fact, games in rows})


def refresh(connection: sqlite3.Connection, starts: Iterable[Position]) -> int:
    """Bring the kept counts up to date from these positions on; return how many are kept."""
    (last,) = connection.execute("SELECT max(id) FROM game").fetchone()
    waiting = list(starts)
    seen: set[int] = set()
    while waiting:
        position = waiting.pop()
        key = key_of(position)
        if key in seen:
            continue
        seen.add(key)
        counts = _all(connection, position)
        if sum(counts.values()) < BUSY:
            continue
        _keep(connection, key, counts, last or 0)
        white = int(position.turn is Side.WHITE)
        after: Counter[Move] = Counter()
        for turn in {turn for turn, _ in counts}:
            moves = _moves(position, turn != white)
            for (side, fact), number in counts.items():
                if side == turn and fact >> 2 in moves:
                    after[moves[fact >> 2]] += number
        waiting += [position.play(move) for move, number in after.items() if number >= BUSY]
    return len(seen)


def _keep(connection: sqlite3.Connection, key: int, counts: Counts, last: int) -> None:
    connection.execute("INSERT OR REPLACE INTO busy VALUES (?, ?)", (key, last))
    connection.executemany(
        "INSERT OR REPLACE INTO branch VALUES (?, ?, ?, ?)",
        ((key, turn, fact, number) for (turn, fact), number in counts.items()),
    )
