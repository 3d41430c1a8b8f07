"""The page of analysis, and the server's engine for it: deeper than a browser's, and with proofs.

The page needs no server once it is there. What it may ask is bounded: so many seconds, so many at
once, and so many from one address.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.analysis import Verdict, solutions
from kingme.engine.api import Info, Proof, Result
from kingme.engine.endgames import Tables
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import STANDARD
from kingme.web.api import Desk, bounded, replay
from kingme.web.guard import RequestError, answer
from kingme.web.guides.metadata import application
from kingme.web.limits import ANALYSES, Limits, address_of
from kingme.web.ports import OpponentPort, Ports
from kingme.web.rendering import base_of, page
from kingme.web.sent import json_record
from kingme.web.settings import Settings
from kingme.web.wire import PROTOCOL, FenWords, GameSent, MoveWords, Record

__all__ = ["AnalysisAnswer", "AnalysisSent", "routes"]

BUSY = "The server is analysing for others. Try again in a moment."
COLD = "The engine of the server is still being started. Try again in a minute."
MOST = 24
"""Moves of a line that are sent."""


class AnalysisSent(Record, frozen=True):
    """A game up to now, how many of the best moves get a line, and how long it may take."""

    moves: list[MoveWords]
    start: FenWords | None = None
    lines: Annotated[int, msgspec.Meta(ge=1, le=5)] = 3
    seconds: Annotated[float, msgspec.Meta(ge=0.1, le=10)] = 5.0


class LineShown(Record, frozen=True):
    """A move and what follows; `score` in hundredths of a man, for the side to move.

    `result` is set where it is certain, and `plies` where it is known when the game ends by force:
    a win or loss without is one by an endgame database that tells no distance.
    """

    depth: int
    score: int
    result: Result | None
    plies: int | None
    pv: tuple[str, ...]


class AnalysisAnswer(Record, frozen=True):
    """The best lines, the best first; `proof` says what makes the first one certain."""

    depth: int
    nodes: int
    seconds: float
    lines: list[LineShown]
    proof: Proof | None


def routes(ports: Ports, settings: Settings) -> list[Route]:
    """The page, and the address of the server's engine."""
    # Half of the searches at most, so that nobody's game waits for them.
    few = msgspec.structs.replace(settings, searches=max(1, settings.searches // 2))
    desk, limits = Desk(few, BUSY), Limits(settings.redis)

    async def shown(request: Request) -> Response:
        """The page, the same for everybody; its script reads the address."""
        base, path = base_of(request), "/analysis"
        told = {"address": f"{base}{path}", "described": application(base, path)}
        return page("analysis.html", "analysis", **told)

    async def analysis(request: Request) -> Response:
        """What the server's engine finds in a position."""
        await limits.spend((ANALYSES, address_of(request.client)))
        sent = await json_record(request, settings, AnalysisSent)
        work = bounded(lambda: _analyse(sent, settings, ports.opponent))
        return answer(await desk.run(work, request))

    return [Route("/analysis", shown), Route("/api/analysis", analysis, methods=["POST"])]


def _analyse(sent: AnalysisSent, settings: Settings, opponent: OpponentPort) -> AnalysisAnswer:
    game = GameSent(protocol=PROTOCOL, moves=sent.moves, level=1, start=sent.start)
    history = replay(game, settings)
    position = history.position
    tables = Tables.ready()
    if tables is not None and len(position.pieces) <= tables.pieces:
        lines = [_solved(found) for found in solutions(position, tables)[: sent.lines]]
        return AnalysisAnswer(0, 0, 0.0, lines, "database")
    return _searched(history, sent, opponent)


def _searched(history: History, sent: AnalysisSent, opponent: OpponentPort) -> AnalysisAnswer:
    found = opponent.analyse(history, sent.seconds, sent.lines, STANDARD.name)
    if not found:
        raise RequestError(503, "busy", BUSY if opponent.ready else COLD)
    best = found[0]
    return AnalysisAnswer(
        depth=min(info.depth for info in found),
        nodes=max(info.nodes for info in found),
        seconds=round(max(info.seconds for info in found), 3),
        lines=[_line(info) for info in found],
        proof=best.proof,
    )


def _line(info: Info) -> LineShown:
    score = info.score
    return LineShown(info.depth, score.value, info.result, score.plies_to_end, _pv(info.pv))


def _solved(found: Verdict) -> LineShown:
    return LineShown(0, found.score, found.result, found.plies, _pv(found.line))


def _pv(line: tuple[Move, ...]) -> tuple[str, ...]:
    return tuple(map(str, line[:MOST]))
