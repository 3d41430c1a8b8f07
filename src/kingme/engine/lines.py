"""Engines that are driven line by line: one command a line, one answer a line.

The protocol is that of ``kingme engine --lines`` (docs/engines.md). Options go by the names that
CheckerBoard engines gave them (``hashsize``, ``searchthreads``) or by our own (``hash``).
"""

from __future__ import annotations

from kingme.engine.api import WIN, EngineError, Info, Limits, Score
from kingme.engine.client import Client, Found, Option, same_stretch
from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["LineEngine"]

NUMBERS = ("depth", "score", "nodes", "time")


class LineEngine(Client):
    """An engine that speaks lines, as ``LineEngine("kingme engine --lines")``.

    ``title`` is what it calls itself. See `kingme.engine.client.Client` for the arguments and
    the errors.
    """

    title: str

    def set(self, name: str, value: Option) -> None:
        """Set an option; raise `EngineError` with the engine's reason where it refuses."""
        with self._turns.taken():
            self._set(name, value)

    def _greet(self) -> None:
        answer = self._until(
            lambda line: line.startswith(("name ", "error")), "name", "'name' and a name"
        )
        if answer.startswith("error"):
            raise EngineError(f"the engine {self.name!r} refuses 'name': it says {answer!r}")
        self.title = answer.removeprefix("name ")
        for name, value in self._options.items():
            self._set(name, value)

    def _select(self, variant: Variant) -> None:
        if variant != ENGLISH or self._variant is not None:
            self._set("variant", variant.name)
        self._until(lambda line: line == "readyok", "ready", "readyok", loading=True)

    def _forget(self) -> None:
        self._obey("newgame")

    def _set(self, name: str, value: Option) -> None:
        said = str(value).lower() if isinstance(value, bool) else str(value)
        self._obey(f"set {name} {said}")

    def _obey(self, line: str) -> None:
        """Send a command that is answered by ``ok``."""
        answer = self._until(lambda said: said == "ok" or said.startswith("error"), line, "ok")
        if answer != "ok":
            why = answer.removeprefix("error").strip()
            raise EngineError(f"the engine {self.name!r} refuses {line!r}: {why}")

    def _ask(self, history: History, limits: Limits) -> None:
        self._until(lambda line: line == "readyok", "ready", "readyok")
        stretch = same_stretch(history)
        moves = " ".join(map(str, stretch.moves))
        self._obey(f"position {stretch.positions[0].fen}" + (f" moves {moves}" if moves else ""))
        levels = {"movetime": limits.seconds, "depth": limits.depth, "nodes": limits.nodes}
        given = [f"{name} {value}" for name, value in levels.items() if value is not None]
        self._process.send(" ".join(["go", *given]))

    def _hear(self, line: str, history: History, seconds: float) -> Found | None:
        words = line.split()
        if not words:
            return None
        if words[0] == "error":
            raise ValueError(" ".join(words[1:]) or "no reason is given")
        if words[0] == "bestmove":
            return _chosen(history.position, words)
        if words[0] != "info":
            return None
        known = _fields(words[1:])
        play = _line(history.position, words)
        if not play:
            return None
        return Info(
            int(known.get("depth", "0")),
            Score(max(-WIN, min(WIN, int(known.get("score", "0"))))),
            int(known.get("nodes", "0")),
            float(known.get("time", seconds)),
            play,
        )


def _fields(words: list[str]) -> dict[str, str]:
    """Read the pairs of name and value before the line of play."""
    end = words.index("pv") if "pv" in words else len(words)
    return {
        name: value
        for name, value in zip(words[0:end:2], words[1:end:2], strict=False)
        if name in NUMBERS
    }


def _line(position: Position, words: list[str]) -> tuple[Move, ...]:
    """Read a line of play as far as it is legal."""
    moves: list[Move] = []
    for word in words[words.index("pv") + 1 :] if "pv" in words else []:
        try:
            move = position.parse(word)
        except KingmeError:
            break
        moves.append(move)
        position = position.after(move)
    return tuple(moves)


def _chosen(position: Position, words: list[str]) -> Move:
    """Read the move at the end; the position after it, where given, must be the same as ours."""
    if len(words) < 2:
        raise ValueError("no move follows 'bestmove'")
    if words[1] == "none":
        raise ValueError(f"there are moves in {position.fen}")
    move = position.parse(words[1])
    if len(words) > 3 and words[2] == "fen":
        after = position.after(move)
        if Position.from_fen(words[3], position.variant, strict=False) != after:
            raise ValueError(f"after {move} the position is {after.fen}")
    return move
