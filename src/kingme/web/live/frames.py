"""The frames of the live connection: JSON texts, told apart by `t`.

The WebSocket is at ``/live`` and speaks the subprotocol ``kingme.1``; a page of another release
asks for another and is told to reload. Times are ms since the epoch by the server's clock.
`id` is the client's name for what it asks, random and its own for ever, answered by `Ack` or `No`;
a client that got neither sends the same frame again, also on a new connection.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from kingme.play.clock import TimeControl
from kingme.rules.variant import Side

__all__ = [
    "SUBPROTOCOL",
    "Ack",
    "Bye",
    "ClientFrame",
    "Do",
    "Events",
    "Follow",
    "Game",
    "GameShown",
    "Join",
    "Lobby",
    "Malformed",
    "No",
    "Pair",
    "Paired",
    "Person",
    "Ping",
    "Pong",
    "Presence",
    "SeekSent",
    "SeekShown",
    "Unfollow",
    "Unseek",
    "Watch",
    "Welcome",
    "decode",
    "encode",
]

SUBPROTOCOL = "kingme.1"

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[!-~]+$")]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
Words = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Frame(msgspec.Struct, frozen=True, tag_field="t", rename="camel"):
    """One message, either way."""


# --- from the client ---


class Ping(Frame, frozen=True, tag="ping"):
    """Sent every 2.5 s. `echo` is the time of the last pong, `held` how long ago it arrived (ms).

    From these the server measures the round trip itself.
    """

    echo: Count = 0
    held: Count = 0


class Follow(Frame, frozen=True, tag="follow"):
    """Follow a game from after `version`: answered by `Game` (all of it) or `Events` (the gap)."""

    game: Key
    version: Count = 0


class Unfollow(Frame, frozen=True, tag="unfollow"):
    """Follow it no more; `leaving`: the player goes away on purpose."""

    game: Key
    leaving: bool = False


class Watch(Frame, frozen=True, tag="watch"):
    """Follow the lobby, or no more."""

    on: bool = True


class Do(Frame, frozen=True, tag="do"):
    """Ask something of a game; `what` names a command of `kingme.play.commands` in snake case.

    The other fields belong to that command: `ply` and `move` to ``play``, `move` to
    ``claim_draw``, `claim` to ``claim_gone``, `on` to ``set_chat``, `phrase` or `text` to ``say``.
    """

    id: Id
    game: Key
    what: Literal[
        "play",
        "resign",
        "offer_draw",
        "accept_draw",
        "decline_draw",
        "claim_draw",
        "offer_takeback",
        "accept_takeback",
        "decline_takeback",
        "offer_rematch",
        "accept_rematch",
        "decline_rematch",
        "abort",
        "claim_gone",
        "set_chat",
        "say",
    ]
    ply: Count | None = None
    move: Words | None = None
    claim: Literal["win", "draw"] = "win"
    on: bool = True
    phrase: Words | None = None
    text: Words | None = None


class SeekSent(Frame, frozen=True, tag="seek"):
    """Open a seek in the lobby; `private`: with a link instead. The ack's `seek` names it."""

    id: Id
    control: TimeControl
    preset: Key = "standard"
    rated: bool = False
    room: Key = "passport"
    stake: Count = 0
    side: Side | None = None
    private: bool = False


class Pair(Frame, frozen=True, tag="pair"):
    """Quick pairing: join the nearest fitting seek, or open a quick one and wait."""

    id: Id
    control: TimeControl
    preset: Key = "standard"
    rated: bool = False
    room: Key = "passport"
    stake: Count = 0


class Unseek(Frame, frozen=True, tag="unseek"):
    """Close one's own seek."""

    id: Id
    seek: Key


class Join(Frame, frozen=True, tag="join"):
    """Accept a seek, by its id or a private link's code. The ack's `game` names the game."""

    id: Id
    seek: Key


ClientFrame = Ping | Follow | Unfollow | Watch | Do | SeekSent | Pair | Unseek | Join


class Malformed(Exception):
    """A message that is no frame: a sentence for whoever wrote the client, and the frame's id."""

    def __init__(self, message: str, frame_id: str | None = None) -> None:
        super().__init__(message)
        self.id = frame_id


# --- from the server ---


class Person(msgspec.Struct, frozen=True, rename="camel"):
    """A person as others see them; `rating` is in the speed at hand, None without one."""

    id: int
    name: str
    guest: bool = False
    membership: str = "none"
    rating: int | None = None
    provisional: bool = True


class Welcome(Frame, frozen=True, tag="welcome"):
    """The first frame. `you` is None for a visitor, who may watch the lobby and games."""

    now: int
    version: str
    you: Person | None = None


class Pong(Frame, frozen=True, tag="pong"):
    """The answer to a ping."""

    at: int


class Game(Frame, frozen=True, tag="game"):
    """A whole game as this viewer may see it: a `kingme.play.views.GameView`."""

    game: msgspec.Raw | Any


class Events(Frame, frozen=True, tag="events"):
    """Events `after` + 1 onward, as this viewer may see them, with the clock after the last.

    What a viewer may not see is there as ``{"kind": "hidden"}``, so that versions have no gap.
    """

    game: str
    after: int
    events: msgspec.Raw | Any
    clock: msgspec.Raw | Any


class Presence(Frame, frozen=True, tag="presence"):
    """Who is there. `gone` is the side that may be claimed against, from `claimable` (ms) on."""

    game: str
    black: bool
    white: bool
    watchers: int
    gone: Side | None = None
    claimable: int | None = None


class SeekShown(msgspec.Struct, frozen=True, rename="camel"):
    """A seek in the lobby. `text` is the clock in words; `yours`: it is the viewer's own."""

    id: str
    owner: Person
    control: TimeControl
    text: str
    speed: str
    preset: str
    rated: bool
    room: str
    stake: int
    side: Side | None = None
    yours: bool = False
    code: str | None = None


class GameShown(msgspec.Struct, frozen=True, rename="camel"):
    """A game in progress in the lobby. `fen` is its position."""

    id: str
    black: Person
    white: Person
    text: str
    speed: str
    plies: int
    rated: bool
    room: str
    stake: int
    fen: str
    last: str | None = None


class Lobby(Frame, frozen=True, tag="lobby"):
    """The lobby as it is now, sent again when it changes, once in half a second at most.

    `mine` are the viewer's own games in progress.
    """

    seeks: list[SeekShown]
    games: list[GameShown]
    online: list[Person]
    mine: list[GameShown]
    people: int
    playing: int


class Paired(Frame, frozen=True, tag="paired"):
    """A game began for this person: to both players, on every connection they have."""

    game: str
    side: Side


class Ack(Frame, frozen=True, tag="ack", omit_defaults=True):
    """Done, and durable. `version` is the game's; `game` or `seek` names what was made."""

    id: str
    version: int | None = None
    game: str | None = None
    seek: str | None = None
    code: str | None = None


class No(Frame, frozen=True, tag="no", omit_defaults=True):
    """Refused, with a sentence for the person. `id` names the frame that is, where it had one.

    `game` is there where following it was refused. `version` is the game's, so that a client that
    is behind follows again. With the codes ``storage``, ``busy`` and ``too_fast`` nothing was
    decided: the same frame may be sent again.
    """

    code: str
    message: str
    id: str | None = None
    game: str | None = None
    version: int | None = None


class Bye(Frame, frozen=True, tag="bye"):
    """The server ends this connection: come back after `after` ms (None: do not come back).

    ``release``: the page is of another release and has to be loaded again.
    """

    reason: Literal["restart", "session", "release", "too_many", "silent"]
    after: int | None = None


class _Named(msgspec.Struct):
    """As much of a message as says which one it is."""

    id: Id | None = None


KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number with a fraction",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "text",
}

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[ClientFrame] = msgspec.json.Decoder(ClientFrame)
_names: msgspec.json.Decoder[_Named] = msgspec.json.Decoder(_Named)


def encode(frame: Frame) -> bytes:
    """A frame as it is sent."""
    return _encoder.encode(frame)


def decode(message: str | bytes | None) -> ClientFrame:
    """The frame of a message; `Malformed` where it is none."""
    if not isinstance(message, str):
        raise Malformed("Send frames as text: this message is binary.")
    try:
        return _decoder.decode(message)
    except msgspec.ValidationError as error:
        raise Malformed(_in_words(str(error)), _name(message)) from None
    except RecursionError:
        raise Malformed("This message is nested too deeply.") from None
    except (msgspec.DecodeError, UnicodeError):
        raise Malformed("This message is not JSON.") from None


def _name(message: str) -> str | None:
    """The id of a frame in which something else is wrong."""
    try:
        return _names.decode(message).id
    except (msgspec.DecodeError, RecursionError):
        return None


def _in_words(problem: str) -> str:
    """What msgspec found wrong with a frame, as a sentence."""
    if missing := re.search(r"missing required field `(\w+)`", problem):
        return f"This frame lacks the field {missing[1]}."
    path = re.search(r" - at `\$\.([\w.]+)", problem)
    if path is None:
        return "This message is no frame: send an object."
    if path[1] == "t":
        return "There is no frame of this kind. A newer page may know it: reload."
    field = f"The field {path[1]}"
    if " of length <= " in problem:
        return f"{field} is too long."
    kinds = re.match(r"Expected `([\w |]+)`, got `(\w+)`", problem)
    if kinds is None:
        return f"{field} holds what it cannot."
    wanted = " or ".join(KINDS.get(kind, kind) for kind in kinds[1].split(" | "))
    return f"{field} must be {wanted}, not {KINDS.get(kinds[2], kinds[2])}."
