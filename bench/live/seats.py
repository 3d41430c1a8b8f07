"""Two people at one game after another, through the lobby as anybody does it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from kingme.play.clock import TimeControl
from kingme.rules.variant import Side
from live.client import Board, Client

__all__ = ["Pair", "seat"]

AT_ONCE = 50


@dataclass(slots=True)
class Pair:
    """Two clients and the game that they play; `control` and the rest are what they ask for."""

    one: Client
    two: Client
    control: TimeControl
    rated: bool = False
    stake: int = 0
    preset: str = "standard"
    private: bool = True
    game: str = ""
    games: int = 0

    async def sit(self) -> None:
        """Begin a game: one opens a seek, private unless told otherwise, and the other joins it."""
        for client in (self.one, self.two):
            client.unfollow(self.game)
        side = (Side.BLACK, Side.WHITE)[self.games % 2]
        seek = await self.one.seek(
            self.control,
            rated=self.rated,
            stake=self.stake,
            preset=self.preset,
            side=side.value,
            private=self.private,
        )
        joined = await self.two.join(seek.code or seek.seek or "")
        assert joined.game is not None
        self.game = joined.game
        self.games += 1
        for client in (self.one, self.two):
            board = client.follow(self.game)
            await client.until(lambda board=board: board.known)  # type: ignore[misc]

    def board(self, client: Client) -> Board | None:
        """The game as one of them sees it."""
        return client.boards.get(self.game)

    def mover(self) -> tuple[Client, Board] | None:
        """Who is to move and sees it, if anybody."""
        for client in (self.one, self.two):
            board = self.board(client)
            if board is not None and board.mine and client.online:
                return client, board
        return None

    @property
    def over(self) -> bool:
        """Whether both have seen the end."""
        boards = [self.board(client) for client in (self.one, self.two)]
        return all(board is not None and board.over for board in boards)


async def seat(pairs: Sequence[Pair], at_once: int = AT_ONCE) -> None:
    """Begin a game for every pair."""
    gate = asyncio.Semaphore(at_once)

    async def one(pair: Pair) -> None:
        async with gate:
            await pair.sit()

    await asyncio.gather(*map(one, pairs))
