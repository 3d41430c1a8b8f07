"""The page on which a game is reviewed, with what makes its judging that of `kingme.analysis`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kingme
from kingme.analysis import Mark
from kingme.analysis.reviews import FAULT, LIMITS, OPENING
from kingme.analysis.verdicts import LINE, SCALE
from kingme.engine.api import NEAR_WIN, WIN
from kingme.web.guides.metadata import application
from kingme.web.rendering import base_of, embedded, page
from kingme.web.wire import Record

__all__ = ["ReviewData", "review_data", "routes"]


class Class(Record, frozen=True):
    """A class of faults: from how many points given away on, and its sign."""

    mark: str
    least: float
    sign: str


class ReviewData(Record, frozen=True):
    """What the page's judging needs to be that of `kingme.analysis`; worst classes first.

    ``fault`` and ``opening`` are the patterns by which comments of earlier reviews are known.
    """

    version: str
    scale: float
    win: int
    near_win: int
    line: int
    classes: list[Class]
    fault: str
    opening: str


def review_data() -> ReviewData:
    """The scale and the thresholds of the review."""
    return ReviewData(
        version=kingme.__version__,
        scale=SCALE,
        win=WIN,
        near_win=NEAR_WIN,
        line=LINE,
        classes=[Class(str(mark), least, mark.sign) for least, mark in LIMITS],
        fault=FAULT,
        opening=OPENING,
    )


def routes() -> list[Route]:
    """The page."""
    marks = list(reversed(Mark))

    async def review(request: Request) -> Response:
        """The page, the same for everybody."""
        base = base_of(request)
        return page(
            "review.html",
            "review",
            address=f"{base}/review",
            described=application(base, "/review"),
            data_json=embedded(review_data()),
            marks=marks,
        )

    return [Route("/review", review)]
