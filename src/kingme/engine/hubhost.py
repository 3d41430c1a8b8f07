"""The engine's side of the Hub protocol, version 2 (see `kingme.engine.hub`)."""

from __future__ import annotations

import math
from collections.abc import Callable

from kingme.engine.api import Info, Limits
from kingme.engine.errands import Errand
from kingme.engine.hosting import Host, Make, seconds_of, whole
from kingme.engine.hub import HUB_NAMES, Param, hub_line, hub_move, read_line, read_move
from kingme.engine.hub import read_position as read_hub_position
from kingme.engine.machine import MOST_THREADS, largest_table, require_table
from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.presets import preset_for
from kingme.rules.variant import ENGLISH, VARIANTS

__all__ = ["HubHost"]

MOVES_TO_GO = 25
"""How many more moves a game is taken to have where the level does not say."""

ARGUMENTS = {
    "set-param": ("name", "value"),
    "pos": ("pos", "moves"),
    "level": ("depth", "nodes", "move-time", "moves", "time", "inc", "infinite"),
    "go": ("think", "ponder", "analyze"),
}
"""The arguments of commands that have some."""

MARGIN = 0.05
"""Seconds of a clock that are never planned with."""


class HubHost(Host):
    """Answers the commands of a Hub program; unknown ones are passed over, as it asks."""

    def __init__(
        self,
        say: Callable[[str], None],
        make: Make | None = None,
        version: str = "",
        answers: int | None = None,
    ) -> None:
        super().__init__(say, make, answers)
        self._version = version
        self._history: History | None = None
        self._limits = Limits()
        self._names = {HUB_NAMES.get(name, name): variant for name, variant in VARIANTS.items()}
        names = tuple(self._names)
        self._params = {
            "variant": Param("variant", ENGLISH.name, "enum", names),
            "hash": Param("hash", str(self.table_mib), "int", low=1, high=largest_table()),
            "threads": Param("threads", str(self.threads), "int", low=1, high=MOST_THREADS),
            "book": Param("book", "false", "bool"),
        }

    def complain(self, why: str) -> None:
        """Say that something could not be done."""
        self.say(hub_line("error", {"message": why}))

    def _leave(self) -> None:
        self.halt()

    def _run_out(self) -> None:
        """The other side has gone: so does this one, as directly as it can."""
        self.halt()

    def _take(self, line: str) -> bool:
        try:
            command, given = read_line(line)
        except ValueError as error:
            why = f"{line[:80]!r} cannot be read: {error}"
            self.queue(lambda: self.complain(why))
            return True
        extra = [name for name in given if name not in ARGUMENTS.get(command, given)]
        if extra:
            known = ", ".join(ARGUMENTS[command])
            why = f"{command!r} takes no {extra[0][:40]!r}: it takes {known}"
            self.queue(lambda: self.complain(why))
            return True
        if command == "quit":
            return False
        if command == "stop":
            self.halt()
        elif command == "ponder-hit":
            self.hit()
        elif command == "ping" and self.busy:
            self.say("pong")
        elif command == "go":
            self._go(given)
        else:
            tasks: dict[str, Callable[[], None]] = {
                "hub": self._introduce,
                "set-param": lambda: self._set(given),
                "init": self._init,
                "new-game": self.forget,
                "pos": lambda: self._position(given),
                "level": lambda: self._level(given),
                "ping": lambda: self.say("pong"),
            }
            if command in tasks:
                self.queue(tasks[command])
        return True

    def _introduce(self) -> None:
        who = {"name": "kingme", "version": self._version, "author": "The kingme authors"}
        self.say(hub_line("id", who))
        for param in self._params.values():
            facts: dict[str, object] = {
                "name": param.name,
                "value": param.value,
                "type": param.kind,
            }
            if param.values:
                facts["values"] = " ".join(param.values)
            if param.low is not None and param.high is not None:
                facts |= {"min": f"{param.low:g}", "max": f"{param.high:.0f}"}
            self.say(hub_line("param", facts))
        self.say("wait")

    def _set(self, given: dict[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if name not in self._params:
            raise ValueError(f"there is no parameter {name!r}")
        if name == "variant" and value in VARIANTS:
            value = HUB_NAMES.get(value, value)
        text = self._params[name].text(value)
        if name == "variant":
            self.variant = self._names[text]
            self.preset = preset_for(self.variant.draws[0], self.variant)
            self._history = None
        elif name == "book":
            self.book = text == "true"
            return
        elif name == "threads":
            self.threads = int(text)
        else:
            require_table(int(text))
            self.table_mib = int(text)
        self.change()

    def _init(self) -> None:
        self.engine()
        self.say("ready")

    def _position(self, given: dict[str, str]) -> None:
        history = History.start(read_hub_position(given.get("pos", ""), self.variant))
        for text in given.get("moves", "").split():
            history = history.play(read_move(history.position, text))
        self._history = history
        self._limits = Limits()

    def _level(self, given: dict[str, str]) -> None:
        """Take what ends the search; levels in several lines add up until the next position."""
        if not given:
            raise ValueError(f"'level' is followed by one of {', '.join(ARGUMENTS['level'])}")
        if "infinite" in given:
            self._limits = Limits()
            return
        seconds = self._limits.seconds
        if "move-time" in given:
            seconds = seconds_of(given["move-time"], "move-time")
        elif "time" in given:
            seconds = _share(given)
        depth, nodes = self._limits.depth, self._limits.nodes
        self._limits = Limits(
            depth=whole(given["depth"], "depth") if "depth" in given else depth,
            nodes=whole(given["nodes"], "nodes") if "nodes" in given else nodes,
            seconds=seconds,
        )

    def _go(self, given: dict[str, str]) -> None:
        if not given:
            why = f"'go' is followed by one of {', '.join(ARGUMENTS['go'])}"
            self.queue(lambda: self.complain(why))
            return
        errand = Errand(History.start(), Limits(), ponder="ponder" in given)
        errand.book = not {"ponder", "analyze"} & set(given)
        self.begin(errand)
        self.queue(lambda: self._run(errand))

    def _run(self, errand: Errand) -> None:
        """Search, and say ``done`` in any case: whoever asked waits for it."""
        answer: dict[str, object] = {}
        try:
            answer = self._searched(errand)
        except (KingmeError, ValueError, MemoryError) as error:
            self.complain(str(error) or "there is not enough memory")
        finally:
            self.end(errand)
        self.say(hub_line("done", answer))

    def _searched(self, errand: Errand) -> dict[str, object]:
        """Return what was found; nothing where the game is over."""
        history = self._history
        if history is None:
            raise ValueError("there is no position to search")
        if history.position.outcome is not None:
            return {}
        errand.history = history
        errand.limits = self._limits
        errand.book = errand.book and self.book
        info = self.search(errand, self._tell)
        answer: dict[str, object] = {"move": hub_move(info.move)}
        if len(info.pv) > 1:
            answer["ponder"] = hub_move(info.pv[1])
        return answer

    def _tell(self, info: Info) -> None:
        speed = info.nodes / info.seconds / 1e6 if info.seconds else 0.0
        self.say(
            hub_line(
                "info",
                {
                    "depth": info.depth,
                    "score": f"{info.score.value / 100:.2f}",
                    "nodes": info.nodes,
                    "time": f"{info.seconds:.3f}",
                    "nps": f"{speed:.3f}",
                    "pv": " ".join(map(hub_move, info.pv)),
                },
            )
        )


def _number(given: dict[str, str], name: str) -> float:
    try:
        number = float(given[name])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} is a number, not {given[name]!r}")
    return number


def _share(given: dict[str, str]) -> float:
    """Return the seconds to spend on a move of those on the clock."""
    left = max(0.0, _number(given, "time") - MARGIN)
    moves = whole(given["moves"], "moves") if "moves" in given else MOVES_TO_GO
    extra = max(0.0, _number(given, "inc")) if "inc" in given else 0.0
    return max(0.01, min(left / moves + 0.9 * extra, 0.5 * left + 0.01))
