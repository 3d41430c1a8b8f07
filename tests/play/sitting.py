"""Two people at a game, driven as the server drives it: decide, apply, remember the events."""

from __future__ import annotations

from typing import Any

import pytest

from kingme import Move, Position, Side
from kingme.errors import Refusal
from kingme.play.clock import TimeControl
from kingme.play.commands import Command, Play
from kingme.play.events import Event, Started, decode, encode
from kingme.play.game import State, apply, begin, decide, replay

BLACK, WHITE = Side.BLACK, Side.WHITE
NOW = 1_700_000_000_000
#: user ids of the two
DORA, WIM = 11, 22
BLITZ = TimeControl("increment", 300_000, 3_000)

#: Three kings against two and a man: nobody can take anything for long.
KINGS = "W:WK29,K32,21:BK1,K4"
BLACK_WALK = ["1-5", "5-9", "9-6", "6-1"]
WHITE_WALK = ["32-28", "28-24", "24-27", "27-32"]


class Sitting:
    """A game with its log and the time of day, which only `wait` and `at` move on."""

    def __init__(self, control: TimeControl | str = BLITZ, now: int = NOW, **fields: Any) -> None:
        if isinstance(control, str):
            control = TimeControl.parse(control)
        started = Started(at=now, black=DORA, white=WIM, control=control, **fields)
        self.now = now
        self.state: State = begin(started)
        self.log: list[Event] = [started]

    def wait(self, ms: int) -> Sitting:
        self.now += ms
        return self

    def do(self, command: type[Any], by: Side | None = None, **fields: Any) -> list[Event]:
        """Do what a command asks; the events, each as the store gives it back."""
        asked: Command = command(by=by, **fields)
        events = [decode(encode(event)) for event in decide(self.state, asked, self.now)]
        for event in events:
            self.state = apply(self.state, event)
            self.log.append(event)
        assert self.state.version == len(self.log)
        assert replay(self.log) == self.state
        return events

    def refuse(self, code: str, command: type[Any], by: Side | None = None, **fields: Any) -> str:
        """Expect a refusal, and nothing else to happen; its sentence."""
        before = self.state
        with pytest.raises(Refusal) as refused:
            self.do(command, by, **fields)
        assert refused.value.code == code
        message = str(refused.value)
        assert message[0] == message[0].upper() and message[-1] == "."
        assert self.state is before
        return message

    def play(self, *moves: str, lag: int = 0, take: int = 0) -> Sitting:
        """Play moves for whoever is on the turn, each after `take` ms."""
        for move in " ".join(moves).split():
            self.now += take
            self.do(Play, self.state.turn, ply=self.state.plies, move=move, lag=lag)
        return self

    def shuffle(self, plies: int) -> Sitting:
        """Walk the kings of `KINGS` round: every eight plies the same position comes again."""
        for ply in range(plies):
            cycle = WHITE_WALK if self.state.turn is WHITE else BLACK_WALK
            self.play(cycle[ply // 2 % 4])
        return self

    def wander(self, plies: int) -> Sitting:
        """Walk the kings of `KINGS` so that positions come as rarely as possible."""
        for _ in range(plies):
            self.play(str(self._fresh(self.state.history.position)))
        return self

    def _fresh(self, position: Position) -> Move:
        home = range(1, 13) if position.turn is BLACK else range(21, 33)
        played = self.state.history.positions
        kings = [
            move
            for move in position.legal_moves
            if (piece := position.piece_at(move.start)) and piece.king and move.end in home
        ]
        return min(kings, key=lambda move: (played.count(position.play(move)), move))

    @property
    def moves(self) -> str:
        return " ".join(str(move) for move in self.state.history.moves)
