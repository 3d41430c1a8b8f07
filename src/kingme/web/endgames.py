"""The packed endgame files of this server, which pages read in parts: what there is, and the files.

A file is read by ranges, in pages of so many bytes (`PAGES`). The list tells the CRC-32 of each,
so that whoever has a part of a file can tell that it is sound. An address names what is in the
file, so it may be kept for ever; where a file gives way to another, so does its address.
"""

from __future__ import annotations

import base64
import hashlib
import os
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import anyio
import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kingme.engine.endgames import files
from kingme.engine.endgames.files import DamagedError, EndgameError
from kingme.engine.endgames.pack import Kind
from kingme.engine.endgames.shelf import opened
from kingme.web.guard import answer
from kingme.web.settings import Settings
from kingme.web.wire import Record

__all__ = ["PAGES", "EndgamesAnswer", "routes"]

PAGES = {Kind.VALUES: 1 << 12, Kind.DISTANCES: 1 << 13}
"""Bytes of a page; the last of a file may be shorter. What is asked of values are a few bytes here
and there, of distances whole blocks, which have some 10 KB."""

FOR_EVER = "public, max-age=31536000, immutable"


class PackShown(Record, frozen=True):
    """A file of exactly so many `pieces`: `values` say who wins, `distances` in how many plies.

    `sums` are the CRC-32 of its pages, each of `page` bytes but the last: 32 bits, the lowest byte
    first, in base64.
    """

    pieces: int
    kind: str
    address: str
    size: int
    page: int
    sums: str


class EndgamesAnswer(Record, frozen=True):
    """The files that there are."""

    packs: list[PackShown]


@dataclass(frozen=True, slots=True)
class Offer:
    """A file as it was found, sound, and what is told of it."""

    path: Path
    state: os.stat_result
    digest: str
    shown: PackShown


class Offers:
    """The files that may be read, looked at again where one has changed; it blocks.

    It may be asked from any thread: one reads a file, and the others wait for what it finds.
    """

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self._known: dict[Path, tuple[os.stat_result, Offer | None]] = {}
        self._looking = threading.Lock()

    def all(self) -> list[Offer]:
        """Find the files of more pieces than a page's own database has, as far as is allowed."""
        with self._looking:
            return list(self._found())

    def _found(self) -> Iterator[Offer]:
        for pieces in range(files.PIECES + 1, min(self._pieces, files.MOST) + 1):
            for kind in Kind:
                path = files.pack_path(pieces, kind.word)
                if path is not None and (offer := self._offer(path, pieces, kind)):
                    yield offer

    def _offer(self, path: Path, pieces: int, kind: Kind) -> Offer | None:
        """Return what is offered of a file; nothing of a damaged one, until it changes."""
        try:
            state = path.stat()
        except OSError:
            return None
        before, offer = self._known.get(path, (None, None))
        if before is None or not _same(before, state):
            try:
                offer = _proved(path, state, pieces, kind)
            except DamagedError:  # the engine, which uses it too, has told the operator
                offer = None
            except (OSError, EndgameError):
                return None
            self._known[path] = state, offer
        return offer


def routes(settings: Settings) -> list[Route]:
    """The list, and the files."""
    offers = Offers(settings.endgames)

    async def listed(_: Request) -> Response:
        """What there is; where that is nothing, the list is empty."""
        found = await anyio.to_thread.run_sync(offers.all)
        response = answer(EndgamesAnswer([offer.shown for offer in found]))
        response.headers["Cache-Control"] = "max-age=600"
        return response

    async def sent(request: Request) -> Response:
        """A file or a part of it, as long as it is the one that the address names."""
        wanted = request.url.path
        for offer in await anyio.to_thread.run_sync(offers.all):
            if offer.shown.address == wanted:
                headers = {"ETag": f'"{offer.digest}"', "Cache-Control": FOR_EVER}
                kind = "application/octet-stream"
                return FileResponse(offer.path, 200, headers, kind, stat_result=offer.state)
        raise HTTPException(HTTPStatus.NOT_FOUND)

    return [Route("/api/endgames", listed), Route("/endgames/{digest}/{name}", sent)]


def _proved(path: Path, state: os.stat_result, pieces: int, kind: Kind) -> Offer:
    """Check a file wholly, and sum up its pages; raises `EndgameError` and ``OSError``."""
    opened(pieces, kind).prove()
    page, digest = PAGES[kind], hashlib.sha256()
    sums = []
    with path.open("rb") as file:
        while part := file.read(page):
            digest.update(part)
            sums.append(zlib.crc32(part))
    name = digest.hexdigest()[:32]
    text = base64.b64encode(np.array(sums, "<u4").tobytes()).decode()
    address = f"/endgames/{name}/{path.name}"
    shown = PackShown(pieces, kind.word, address, state.st_size, page, text)
    return Offer(path, state, name, shown)


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_mtime_ns, one.st_size) == (other.st_mtime_ns, other.st_size)
