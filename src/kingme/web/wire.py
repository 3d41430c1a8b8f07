"""What crosses the wire: the requests and answers of the HTTP interface, as records.

Field names are camel case in JSON. `PROTOCOL` changes when a page of an older release could no
longer be understood; such a page is asked to reload.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Any, Self, TypeVar

import msgspec

from kingme.engine.levels import Level
from kingme.rules.outcome import DrawPreset, Ending
from kingme.rules.variant import Variant

__all__ = [
    "PROTOCOL",
    "DrawAnswer",
    "EndingRecord",
    "EngineState",
    "Failure",
    "GameSent",
    "LevelRecord",
    "PageData",
    "PresetRecord",
    "Problem",
    "ProtocolSent",
    "Record",
    "ReplyAnswer",
    "RulesRecord",
    "VariantRecord",
    "read",
]

PROTOCOL = 1

Number = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Name = Annotated[str, msgspec.Meta(max_length=40)]
MoveWords = Annotated[str, msgspec.Meta(max_length=100)]
FenWords = Annotated[str, msgspec.Meta(max_length=1000)]


T = TypeVar("T", bound=msgspec.Struct)


class Record(msgspec.Struct, frozen=True, rename="camel"):
    """A value that is only read."""


def read(body: bytes, kind: type[T]) -> T:
    """A record from JSON, in which a number without a fraction is whole: 5.0 is 5.

    Raises ``msgspec.ValidationError``, ``msgspec.DecodeError`` or ``RecursionError``.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError:
        return msgspec.convert(_whole(msgspec.json.decode(body)), kind)


def _whole(value: Any) -> Any:
    """A value of JSON with its whole numbers as such."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return value


class ProtocolSent(Record, frozen=True):
    """The part of a request that every release of the page sends."""

    protocol: Number


class GameSent(Record, frozen=True):
    """A game up to now and the level that is to answer; `ply`, if sent, must count the moves."""

    protocol: Number
    moves: list[MoveWords]
    level: Number
    start: FenWords | None = None
    variant: Name = "english"
    preset: Name = "standard"
    ply: Number | None = None


class ReplyAnswer(Record, frozen=True):
    """The computer's move: `score` in hundredths of a man and `depth` in plies, for that side."""

    protocol: int
    ply: int
    move: str
    path: tuple[int, ...]
    captures: tuple[int, ...]
    level: int
    asked: int
    depth: int
    score: int
    nodes: int
    seconds: float


class DrawAnswer(Record, frozen=True):
    """Whether the computer takes the draw offered after `ply` moves."""

    protocol: int
    ply: int
    accepted: bool


class EngineState(Record, frozen=True):
    """Whether the compiled engine is ready, and a sentence about it."""

    ready: bool
    detail: str


class Problem(Record, frozen=True, omit_defaults=True):
    """Why a request was refused: `message` is for the player, `ply` the 1-based move at fault."""

    code: str
    message: str
    field: str | None = None
    ply: int | None = None


class Failure(Record, frozen=True):
    """The body of every answer that is not a success."""

    error: Problem


class EndingRecord(Record, frozen=True):
    """A balance of few pieces as the page reads it; see `kingme.rules.draws.Ending`."""

    plies: int
    weaker: tuple[int, int]
    weaker_kings: tuple[int, int]
    stronger: tuple[int, int]
    stronger_kings: tuple[int, int]
    total: tuple[int, int]
    on_long_diagonal: bool
    restarts: list[str]

    @classmethod
    def of(cls, ending: Ending) -> EndingRecord:
        """The record of one ending."""
        values = {name: getattr(ending, name) for name in cls.__struct_fields__}
        return cls(**{**values, "restarts": sorted(event.value for event in ending.restarts)})


class PresetRecord(Record, frozen=True):
    """A draw preset as the page reads it; see `kingme.rules.outcome.DrawPreset`."""

    name: str
    title: str
    summary: str
    repetition: int | None
    repetition_reset: list[str]
    progress_plies: int | None
    progress: list[str]
    claimed: bool
    ply_cap: int | None
    agreement: bool
    endings: list[EndingRecord]

    @classmethod
    def of(cls, preset: DrawPreset) -> PresetRecord:
        """The record of one preset, its sets in alphabetical order."""
        return cls(
            name=preset.name,
            title=preset.title,
            summary=preset.summary,
            repetition=preset.repetition,
            repetition_reset=sorted(event.value for event in preset.repetition_reset),
            progress_plies=preset.progress_plies,
            progress=sorted(event.value for event in preset.progress),
            claimed=preset.claimed,
            ply_cap=preset.ply_cap,
            agreement=preset.agreement,
            endings=[EndingRecord.of(ending) for ending in preset.endings],
        )


class LevelRecord(Record, frozen=True):
    """A level of the computer as the page offers it, and how it thinks there.

    What the rest means is said in :class:`kingme.engine.levels.Level`.
    """

    number: int
    name: str
    description: str
    depth: int
    seconds: float
    glance: int
    oversight: float
    whim: int
    varied: int
    book: int

    @classmethod
    def of(cls, level: Level) -> Self:
        """The record of a level."""
        return cls(**{name: getattr(level, name) for name in cls.__struct_fields__})


class VariantRecord(Record, frozen=True, omit_defaults=True):
    """The game played on the page and its start."""

    name: str
    title: str
    start: str
    rules: RulesRecord | None = None


class RulesRecord(Record, frozen=True):
    """A variant's record as the page's generator reads it; see `kingme.rules.record.Variant`.

    `names` are the squares in letters, from square 1 on; `game_type` is PDN's, or null.
    """

    rows: int
    mirrored: bool
    names: list[str]
    game_type: str | None
    man_moves: list[str]
    man_jumps: list[str]
    king_moves: list[str]
    king_jumps: list[str]
    flying_kings: bool
    king_lands_next: bool
    men_may_jump_kings: bool
    choice: list[str]
    crowning: str
    removal: str
    may_reverse: bool
    king_limit: int | None
    goal: str

    @classmethod
    def of(cls, variant: Variant) -> RulesRecord:
        """The record of one variant; words are the names of the rules' terms, in lower case."""
        geometry = variant.geometry

        def words(terms: Iterable[Enum]) -> list[str]:
            return [term.name.lower() for term in terms]

        return cls(
            rows=variant.rows,
            mirrored=variant.mirrored,
            names=[geometry.letters(square) for square in range(1, geometry.squares + 1)],
            game_type=variant.game_type_text,
            man_moves=sorted(words(variant.man_moves)),
            man_jumps=sorted(words(variant.man_jumps)),
            king_moves=sorted(words(variant.king_moves)),
            king_jumps=sorted(words(variant.king_jumps)),
            flying_kings=variant.flying_kings,
            king_lands_next=variant.king_lands_next,
            men_may_jump_kings=variant.men_may_jump_kings,
            choice=words(variant.choice),
            crowning=variant.crowning.name.lower(),
            removal=variant.removal.name.lower(),
            may_reverse=variant.may_reverse,
            king_limit=variant.king_limit,
            goal=variant.goal.name.lower(),
        )


class PageData(Record, frozen=True, omit_defaults=True):
    """Everything the page's script needs from the server, embedded in the page as JSON.

    `link` holds the settings that the address of the page names, `link_error` what is wrong
    with them.
    """

    protocol: int
    version: str
    variant: VariantRecord
    presets: list[PresetRecord]
    levels: list[LevelRecord]
    link: dict[str, str | int] | None = None
    link_error: str | None = None
