"""The Hub protocol, version 2, as Scan speaks it: its texts, and engines that speak it.

The GUI sends ``hub``; the engine names itself and its parameters and says ``wait``. Parameters
are set, ``init`` is answered by ``ready``, and each search is a position, a level and a ``go``.
The protocol was written for 50 squares; with 32, or any other number, nothing else changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kingme.engine.api import WIN, EngineError, Info, Limits, Score
from kingme.engine.client import Client, Found, Option, same_stretch
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.piece import Piece
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Side, Variant

__all__ = [
    "HUB_NAMES",
    "HubEngine",
    "Param",
    "hub_line",
    "hub_move",
    "hub_position",
    "read_line",
    "read_move",
    "read_position",
]

HUB_NAMES = {
    "international": "normal",
    "breakthrough": "bt",
    "antidraughts": "losing",
    "frisian": "frisian",
}
"""What Hub calls variants that have another name there; others go by their own."""

_ARGUMENT = re.compile(r'\s*([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?')
_PLAIN = re.compile(r'[^\s="]+')
_LETTERS = {"w": Piece(Side.WHITE), "b": Piece(Side.BLACK)} | {
    "W": Piece(Side.WHITE, king=True),
    "B": Piece(Side.BLACK, king=True),
}
_NAMES = {piece: letter for letter, piece in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of an engine: its value at first, its type, and what is allowed."""

    name: str
    value: str
    kind: str = "string"
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def text(self, value: Option) -> str:
        """Return a value as it is sent; raise `EngineError` for one that is not allowed.

        >>> Param("book", "true", "bool").text(False)
        'false'
        """
        said = str(value).lower() if isinstance(value, bool) else str(value)
        if self.kind == "bool" and said not in ("true", "false"):
            raise EngineError(f"the option {self.name} is true or false, not {said!r}")
        if self.kind == "enum" and self.values and said not in self.values:
            raise EngineError(f"the option {self.name} is one of {self.values}, not {said!r}")
        if self.kind in ("int", "real"):
            try:
                number = int(said) if self.kind == "int" else float(said)
            except ValueError:
                raise EngineError(f"the option {self.name} is a number, not {said!r}") from None
            low, high = self.low, self.high
            if not (low is None or number >= low) or not (high is None or number <= high):
                raise EngineError(f"the option {self.name} is {low:g} to {high:g}, not {said}")
        return said


def read_line(line: str) -> tuple[str, dict[str, str]]:
    """Return a line's command and arguments; raise ``ValueError`` where a quote has no end.

    >>> read_line('info depth=9 pv="32-28 17-22" flag')
    ('info', {'depth': '9', 'pv': '32-28 17-22', 'flag': ''})
    """
    if line.count('"') % 2:
        raise ValueError("a quotation mark has no partner")
    command, _, rest = line.strip().partition(" ")
    return command, {name: quoted or plain for name, quoted, plain in _ARGUMENT.findall(rest)}


def hub_line(command: str, arguments: Mapping[str, object] | None = None) -> str:
    """Return a line; values that need quotation marks get them, their own become single ones.

    >>> hub_line("id", {"name": "Scan", "author": "Fabien Letouzey"})
    'id name=Scan author="Fabien Letouzey"'
    """
    words = [command]
    for name, value in (arguments or {}).items():
        text = str(value)
        if not _PLAIN.fullmatch(text):
            text = '"' + " ".join(text.replace('"', "'").split()) + '"'
        words.append(f"{name}={text}")
    return " ".join(words)


def hub_position(position: Position) -> str:
    """Return a position as Hub writes it: the side to move, then a letter for each square.

    >>> hub_position(Position.start())
    'Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'
    """
    pieces = position.pieces
    squares = range(1, position.variant.geometry.squares + 1)
    letters = (_NAMES[pieces[square]] if square in pieces else "e" for square in squares)
    return position.turn.code + "".join(letters)


def read_position(text: str, variant: Variant = ENGLISH) -> Position:
    """Read a position; raise ``ValueError`` where it is none of this variant.

    >>> read_position("Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww") == Position.start()
    True
    """
    count = variant.geometry.squares
    if len(text) != count + 1:
        raise ValueError(f"a position of {variant.name} has {count + 1} letters, not {len(text)}")
    if text[0] not in ("W", "B"):
        raise ValueError(f"{text[0]!r} is no side to move: it is W or B")
    pieces: dict[int, Piece] = {}
    for square, letter in enumerate(text[1:], 1):
        if letter in _LETTERS:
            pieces[square] = _LETTERS[letter]
        elif letter != "e":
            raise ValueError(f"{letter!r} on square {square} is none of w, b, W, B and e")
    return Position.of(pieces, Side(text[0]), variant)


def hub_move(move: Move) -> str:
    """Return a move as Hub writes it: start, end, and what is captured, never the landings.

    >>> hub_move(Move((7, 16, 23), (11, 19)))
    '7x23x11x19'
    """
    if not move.captures:
        return f"{move.start}-{move.end}"
    return "x".join(map(str, (move.start, move.end, *move.captures)))


def read_move(position: Position, text: str) -> Move:
    """Return the legal move that a text names; raise ``ValueError`` where there is none.

    >>> str(read_move(Position.from_fen("W:W27,32:B15,16,23,24"), "27x11x24x16"))
    '27x20x11'
    """
    if not re.fullmatch(r"\d+(-\d+|x\d+(x\d+)+)", text, re.ASCII):
        raise ValueError(f"{text!r} is no move of the Hub protocol")
    start, end, *captured = map(int, re.split("[-x]", text))
    for move in position.legal_moves:
        same = move.start == start and move.end == end
        if same and len(captured) == len(move.captures) and set(captured) == set(move.captures):
            return move
    legal = ", ".join(hub_move(move) for move in position.legal_moves[:40])
    raise ValueError(f"the move {text} is not legal in {position.fen}. Legal: {legal}")


class HubEngine(Client):
    """An engine that speaks Hub on its standard streams, as ``HubEngine("scan hub")``.

    ``id`` holds what it says of itself and ``params`` its parameters by name. An option must be
    one of these; see `kingme.engine.client.Client` for the arguments and the errors.
    """

    id: dict[str, str]
    params: dict[str, Param]

    def _greet(self) -> None:
        self.id, self.params = {}, {}

        def wait(line: str) -> bool:
            try:
                command, arguments = read_line(line)
                if command == "id":
                    self.id.update(arguments)
                elif command == "param" and "name" in arguments:
                    self.params[arguments["name"]] = _param(arguments)
            except ValueError as error:
                raise EngineError(
                    f"the engine {self.name!r} says {line!r}, which makes no sense: {error}"
                ) from error
            if command == "error":
                raise EngineError(f"the engine {self.name!r} refuses 'hub': it says {line!r}")
            return command == "wait"

        self._until(wait, "hub", "wait")
        for name, value in self._options.items():
            self._process.send(self._setting(name, value))

    def _select(self, variant: Variant) -> None:
        known = self.params.get("variant")
        names = [HUB_NAMES.get(variant.name, variant.name), variant.name]
        if known is not None:
            fit = [name for name in names if name in known.values or not known.values]
            if not fit:
                played = ", ".join(known.values)
                raise EngineError(
                    f"the engine {self.name!r} does not play {variant.title}: it plays {played}"
                )
            self._process.send(self._setting("variant", fit[0]))
        elif variant.name != "international":
            raise EngineError(
                f"the engine {self.name!r} names no variants: it plays international draughts only"
            )
        self._until(lambda line: line == "ready", "init", "ready", loading=True)

    def _setting(self, name: str, value: Option) -> str:
        if name not in self.params:
            known = ", ".join(self.params) or "none at all"
            raise EngineError(
                f"the engine {self.name!r} has no option {name!r}: its options are {known}"
            )
        return hub_line("set-param", {"name": name, "value": self.params[name].text(value)})

    def _forget(self) -> None:
        self._process.send("new-game")

    def _ask(self, history: History, limits: Limits) -> None:
        self._until(lambda line: line == "pong", "ping", "pong")
        stretch = same_stretch(history)
        arguments = {"pos": hub_position(stretch.positions[0])}
        if stretch.moves:
            arguments["moves"] = " ".join(map(hub_move, stretch.moves))
        self._process.send(hub_line("pos", arguments))
        # Each level stands until the next position; together they are the first to be reached.
        levels: dict[str, object] = {
            "depth": limits.depth,
            "nodes": limits.nodes,
            "move-time": limits.seconds,
        }
        given = {name: value for name, value in levels.items() if value is not None}
        self._process.send(hub_line("level", given) if given else "level infinite")
        self._process.send("go think" if given else "go analyze")

    def _hear(self, line: str, history: History, seconds: float) -> Found | None:
        command, arguments = read_line(line)
        if command == "error":
            raise ValueError(arguments.get("message", "no message"))
        if command == "done":
            return read_move(history.position, arguments.get("move", ""))
        if command != "info":
            return None
        line_of_play = _line(history.position, arguments.get("pv", ""))
        if not line_of_play:
            return None
        score = round(100 * float(arguments.get("score", "0")))
        return Info(
            round(float(arguments.get("depth", "0"))),
            Score(max(-WIN, min(WIN, score))),
            int(arguments.get("nodes", "0")),
            float(arguments.get("time", seconds)),
            line_of_play,
        )


def _param(arguments: dict[str, str]) -> Param:
    limits = [float(arguments[name]) if name in arguments else None for name in ("min", "max")]
    values = tuple(arguments.get("values", "").split())
    kind = arguments.get("type", "string")
    return Param(arguments["name"], arguments.get("value", ""), kind, values, *limits)


def _line(position: Position, text: str) -> tuple[Move, ...]:
    """Read a line of play as far as it is legal: hash tables garble the ends of such lines."""
    moves: list[Move] = []
    for word in text.split():
        try:
            move = read_move(position, word)
        except ValueError:
            break
        moves.append(move)
        position = position.after(move)
    return tuple(moves)
