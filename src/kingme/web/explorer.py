"""The opening explorer: what people played in a position, and the engine's view of each move.

The games are those of the operator's collection where there is one, else the counts that come with
the package.
"""

from __future__ import annotations

from typing import Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.analysis.openings import Explored, explored
from kingme.collection import Query
from kingme.collection.practice import default as practice
from kingme.engine.book import default as book
from kingme.rules.ballots import Ballot
from kingme.rules.position import Position
from kingme.web.collection import BranchShown, Lending, asked_position
from kingme.web.guard import answer
from kingme.web.settings import Settings
from kingme.web.wire import Record

__all__ = ["ExplorerAnswer", "routes"]

Source = Literal["collection", "package"]


class OpeningShown(Record, frozen=True):
    """A ballot or another opening that has a name: `text` is its deck, number, name and moves."""

    deck: str
    number: int
    name: str
    status: str
    text: str


class OptionShown(BranchShown, frozen=True):
    """A move with its games, and `value`, what the engine holds of it; null if unknown.

    That is in hundredths of a man for the side that makes it, by the opening book where it is
    `booked`.
    """

    value: int | None
    booked: bool


class ExplorerAnswer(Record, frozen=True):
    """What is known of a position, its moves the most played first.

    `source` says whose games they are: the operator's collection, or those of the package.
    """

    fen: str
    source: Source
    opening: OpeningShown | None
    games: int
    black: int
    white: int
    draws: int
    moves: list[OptionShown]


def routes(settings: Settings) -> list[Route]:
    """The address of the explorer."""
    lending = Lending(settings)

    async def explorer(request: Request) -> Response:
        """What was played in a position, and what the engine holds of it."""
        wanted = asked_position(request)
        if lending.kept:
            found = await lending.ask(
                lambda games: explored(
                    wanted(), games.tree(Query(position=wanted())), practice(), book()
                )
            )
            return answer(_shown(found, "collection"))
        found = await lending.work(lambda: _of_package(wanted()))
        return answer(_shown(found, "package"))

    return [Route("/api/explorer", explorer)]


def _of_package(position: Position) -> Explored:
    known = practice()
    return explored(position, known.tree(position), known, book())


def _opening(ballot: Ballot) -> OpeningShown:
    return OpeningShown(
        deck=ballot.deck,
        number=ballot.number,
        name=ballot.name,
        status=ballot.status,
        text=f"{ballot}"[:1].upper() + f"{ballot}"[1:],
    )


def _shown(found: Explored, source: Source) -> ExplorerAnswer:
    return ExplorerAnswer(
        fen=found.position.fen,
        source=source,
        opening=_opening(found.opening) if found.opening else None,
        games=found.tally.games,
        black=found.tally.black,
        white=found.tally.white,
        draws=found.tally.draws,
        moves=[
            OptionShown.of(option, value=option.value, booked=option.booked)
            for option in found.options
        ],
    )
