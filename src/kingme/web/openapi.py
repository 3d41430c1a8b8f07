"""The interface as an OpenAPI document, at ``/api/openapi.json``, made of the very records it uses.

Operations are listed by hand. A test holds the list against the routes, and others send what it
allows and forbids, and hold the answers against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kingme
from kingme.collection import Page
from kingme.web.accounts import LoginSent, PasswordSent, RegistrationSent, SessionAnswer
from kingme.web.analysing import AnalysisAnswer, AnalysisSent
from kingme.web.auth import COOKIE
from kingme.web.collection import TreeAnswer
from kingme.web.conduct import MutedAnswer, MuteSent, ReportSent
from kingme.web.endgames import EndgamesAnswer
from kingme.web.explorer import ExplorerAnswer
from kingme.web.gallery import SPEEDS, GamesPage, LeadersPage, LedgerPage, Profile, RoomsPage
from kingme.web.names import NAME
from kingme.web.puzzles import PuzzlesAnswer
from kingme.web.reading import PdnAnswer, PdnSent
from kingme.web.wire import DrawAnswer, EngineState, Failure, GameSent, ReplyAnswer

__all__ = ["OPERATIONS", "Operation", "document", "routes"]

Kind = type[object]

JSON = "application/json"
REFERENCE = "#/components/schemas/{name}"

REFUSED = {
    400: "The request cannot be read, or names a host that this server is not.",
    401: "Sign in first.",
    403: "A page of another site asks.",
    404: "There is nothing of that name.",
    408: "The body took too long to arrive.",
    409: "The request does not fit what is there: a stale page, or a name that is taken.",
    413: "The body is too large.",
    415: "The body is not JSON, or is compressed.",
    422: "The request is well-formed, but cannot be done; the message says why.",
    429: "Too many of these for now; Retry-After says when to ask again.",
    500: "A fault of the server.",
    503: "The server is busy, about to stop, or cannot reach its records.",
}
EXAMPLES: dict[Kind, dict[str, Any]] = {
    GameSent: {"protocol": 1, "moves": ["11-15", "22-18"], "level": 5},
    LoginSent: {"name": "Anna", "password": "a horse of paper"},
    RegistrationSent: {"name": "Anna", "password": "a horse of paper"},
    PasswordSent: {"current": "a horse of paper", "password": "another paper horse"},
    ReportSent: {"name": "Bella", "text": "She swears."},
    MuteSent: {"name": "Bella", "on": True},
    AnalysisSent: {"moves": ["11-15", "22-18"], "lines": 2, "seconds": 0.5},
    PdnSent: {"text": '[Event "Club"]\n1. 11-15 22-18 2. 15x22 25x18 *'},
}
ALWAYS = (400, 403, 500, 503)
WITH_BODY = (408, 413, 415, 422)


@dataclass(frozen=True, slots=True)
class Operation:
    """One method at one address. `yields` is None for an answer without a body (204).

    `refuses` are the statuses beyond those that any operation can have; `own` that it needs a
    session; `parameters` are names in `PARAMETERS`.
    """

    method: str
    path: str
    summary: str
    yields: Kind | None = None
    takes: Kind | None = None
    refuses: tuple[int, ...] = ()
    own: bool = False
    parameters: tuple[str, ...] = ()
    made: bool = False


def _asked(description: str, kind: str = "string", **bounds: int) -> dict[str, Any]:
    """A part of an address behind the question mark, which may be left out."""
    longest = {"maxLength": 1000} if kind == "string" else {}
    schema = {"type": kind, **longest, **bounds}
    return {"in": "query", "required": False, "description": description, "schema": schema}


PARAMETERS: dict[str, dict[str, Any]] = {
    "name": {
        "in": "path",
        "required": True,
        "description": "A player's name, in any case of letters.",
        "schema": {"type": "string", "pattern": f"^{NAME.pattern}$"},
    },
    "speed": {
        "in": "path",
        "required": True,
        "description": "A time class.",
        "schema": {"type": "string", "enum": list(SPEEDS)},
    },
    "before": {
        "in": "query",
        "required": False,
        "description": "The `before` of the page before, for the next one.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    },
}

WORDS = {
    "player": "Words of either player's name.",
    "black": "Words of Black's name.",
    "white": "Words of White's name.",
    "event": "Words of the event.",
    "since": "The first day, such as 1904 or 1904.12.03.",
    "until": "The last day.",
    "material": "Men and kings of one side and the other: 1m2k v 3m, or 1m2k v *.",
    "result": "black, white, draw or none.",
}
"""What is said of the games of a collection."""

PARAMETERS |= {
    "fen": _asked("A position, reached by any order of moves."),
    "variant": _asked("The name of a variant; English without it."),
    "colours": _asked("Whether the position is asked for with colours reversed too.", "boolean"),
    **{name: _asked(text) for name, text in WORDS.items()},
    "opening": _asked("The number of a three-move ballot.", "integer", minimum=1, maximum=174),
    "limit": _asked("How many games at once.", "integer", minimum=1, maximum=1000),
    "after": _asked("The `after` of the page before.", "integer", minimum=0, maximum=10**15 - 1),
}

OPERATIONS = (
    Operation("get", "/api/engine", "Whether the compiled engine is ready", EngineState),
    Operation("post", "/api/reply", "The computer's move in a game", ReplyAnswer, GameSent, (409,)),
    Operation(
        "post", "/api/draw", "Whether the computer takes a draw", DrawAnswer, GameSent, (409,)
    ),
    Operation(
        "post", "/api/analysis", "What the server finds", AnalysisAnswer, AnalysisSent, (429,)
    ),
    Operation("post", "/api/pdn", "The games of a PDN text", PdnAnswer, PdnSent, (429,)),
    Operation("get", "/api/endgames", "The endgame files that pages may read", EndgamesAnswer),
    Operation("get", "/api/puzzles", "All puzzles, the easiest first", PuzzlesAnswer),
    Operation("get", "/api/session", "Who one is", SessionAnswer),
    Operation(
        "post",
        "/api/session",
        "Play as a guest, unless one is somebody",
        SessionAnswer,
        refuses=(429,),
        made=True,
    ),
    Operation("delete", "/api/session", "Sign out here"),
    Operation("delete", "/api/sessions", "Sign out everywhere", own=True),
    Operation("post", "/api/session/login", "Sign in", SessionAnswer, LoginSent, refuses=(429,)),
    Operation(
        "post",
        "/api/account",
        "Make an account; a guest keeps the games",
        SessionAnswer,
        RegistrationSent,
        refuses=(409, 429),
        made=True,
    ),
    Operation(
        "post",
        "/api/account/password",
        "Change the password, and sign out everywhere else",
        SessionAnswer,
        PasswordSent,
        refuses=(429,),
        own=True,
    ),
    Operation(
        "get", "/api/player/{name}", "A player", Profile, refuses=(404,), parameters=("name",)
    ),
    Operation(
        "get",
        "/api/player/{name}/games",
        "A player's games, the private ones for that player alone",
        GamesPage,
        refuses=(404,),
        parameters=("name", "before"),
    ),
    Operation(
        "get",
        "/api/ledger",
        "One's own chips, booking by booking",
        LedgerPage,
        own=True,
        parameters=("before",),
    ),
    Operation(
        "get",
        "/api/leaders/{speed}",
        "The best players of a time class",
        LeadersPage,
        refuses=(404,),
        parameters=("speed",),
    ),
    Operation("get", "/api/rooms", "The rooms, and where one may sit down", RoomsPage),
    Operation(
        "post",
        "/api/report",
        "Report a player to the operator",
        None,
        ReportSent,
        refuses=(404, 429),
        own=True,
    ),
    Operation(
        "post", "/api/mute", "Mute a player, or unmute", MutedAnswer, MuteSent, (404, 429), own=True
    ),
    Operation("get", "/api/mute", "Whom one has muted", MutedAnswer, own=True),
    Operation(
        "get",
        "/api/collection/tree",
        "What was played in a position, in the games of the collection",
        TreeAnswer,
        refuses=(404, 422),
        parameters=("fen", "variant", "colours"),
    ),
    Operation(
        "get",
        "/api/explorer",
        "What was played in a position of the opening, and what the engine holds of each move",
        ExplorerAnswer,
        refuses=(422,),
        parameters=("fen",),
    ),
    Operation(
        "get",
        "/api/collection/games",
        "The games of the collection that meet every condition",
        Page,
        refuses=(404, 422),
        parameters=("fen", "variant", "colours", *WORDS, "opening", "limit", "after"),
    ),
)


def document() -> dict[str, Any]:
    """The OpenAPI document."""
    kinds = {kind for item in OPERATIONS for kind in (item.yields, item.takes) if kind}
    _, schemas = msgspec.json.schema_components(
        sorted({*kinds, Failure}, key=lambda kind: kind.__name__), ref_template=REFERENCE
    )
    paths: dict[str, dict[str, Any]] = {}
    for item in OPERATIONS:
        paths.setdefault(item.path, {})[item.method] = _operation(item)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kingme",
            "version": kingme.__version__,
            "description": (
                "What the pages of the same release ask of the server. Live games speak frames "
                "over a WebSocket at /live. Any other method at these addresses is refused (405)."
            ),
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": {
                name: {"name": name, **parameter} for name, parameter in PARAMETERS.items()
            },
            "responses": {
                str(status): {
                    "description": text,
                    "content": {JSON: {"schema": _reference(Failure)}},
                    **({"headers": RETRY} if status in (429, 503) else {}),
                }
                for status, text in REFUSED.items()
            },
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


RETRY = {
    "Retry-After": {
        "description": "The seconds after which it makes sense to ask again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    }
}


def routes() -> list[Route]:
    """The address of the document."""
    body = msgspec.json.encode(document())

    async def show(_: Request) -> Response:
        """The document."""
        return Response(body, media_type=JSON, headers={"Cache-Control": "no-cache"})

    return [Route("/api/openapi.json", show)]


def _operation(item: Operation) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done."}
    if item.yields is not None:
        done["content"] = {JSON: {"schema": _reference(item.yields)}}
    answers = {"201" if item.made else "200" if item.yields else "204": done}
    if item.path == "/api/session" and item.made:
        answers["200"] = {**done, "description": "One is somebody already."}
    refused = sorted(
        {
            *ALWAYS,
            *item.refuses,
            *(WITH_BODY if item.takes else ()),
            *((401,) if item.own else ()),
        }
    )
    answers |= {str(status): {"$ref": f"#/components/responses/{status}"} for status in refused}
    words = [word.strip("{}") for word in item.path.split("/") if word]
    made: dict[str, Any] = {
        "operationId": "_".join([item.method, *words]),
        "summary": item.summary,
        "responses": answers,
    }
    if item.parameters:
        made["parameters"] = [
            {"$ref": f"#/components/parameters/{name}"} for name in item.parameters
        ]
    if item.takes is not None:
        made["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": _reference(item.takes), "example": EXAMPLES[item.takes]}},
        }
    if item.own:
        made["security"] = [{"session": []}]
    return made


def _reference(kind: Kind) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=kind.__name__)}
