"""The plain line mode of ``kingme engine``: one command a line, one answer a line."""

from __future__ import annotations

from collections.abc import Callable

from kingme.engine.api import Info, Limits
from kingme.engine.hosting import Errand, Host, Make
from kingme.engine.machine import MOST_THREADS, largest_table, require_table
from kingme.rules.history import History
from kingme.rules.perft import perft
from kingme.rules.position import Position
from kingme.rules.presets import preset_for
from kingme.rules.variant import ENGLISH, VARIANTS

__all__ = ["LineHost"]

ALIASES = {"hashsize": "hash", "searchthreads": "threads"}
"""CheckerBoard's names for options that have others here."""

OPTIONS = ("hash", "threads", "clock", "book", "variant", "draws")
SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}


class LineHost(Host):
    """Answers the commands of the line mode; `docs/engines.md` lists them."""

    def __init__(
        self,
        say: Callable[[str], None],
        make: Make | None = None,
        name: str = "kingme",
    ) -> None:
        super().__init__(say, make)
        self._name = name
        self._cpu = False
        self._history = History.start()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "name": lambda words: self.say(f"name {self._name}"),
            "ready": self._ready,
            "newgame": self._new_game,
            "position": self._position,
            "fen": lambda words: self.say(f"fen {self._history.position.fen}"),
            "legal": self._legal,
            "perft": self._perft,
            "set": self._set,
        }

    def complain(self, why: str) -> None:
        """Say that something could not be done."""
        self.say(f"error {why}")

    def _take(self, line: str) -> bool:
        command, *words = line.split()
        if command == "quit":
            return False
        if command == "stop":
            self.halt()
        elif command == "ready" and self.busy:
            self.say("readyok")
        elif command == "go":
            self._go(words)
        elif command in self._commands:
            self.queue(lambda: self._commands[command](words))
        else:
            known = ", ".join([*self._commands, "go", "stop", "quit"])
            self.queue(
                lambda: self.complain(f"there is no command {command[:40]!r}: there are {known}")
            )
        return True

    def _run_out(self) -> None:
        """A script that has said all still wants its answer, unless that would never come."""
        for errand in list(self._errands):
            if errand.limits == Limits():
                errand.halt()

    def _ready(self, words: list[str]) -> None:
        self.engine()
        self.say("readyok")

    def _new_game(self, words: list[str]) -> None:
        self.forget()
        self._history = History.start(variant=self.variant)
        self.say("ok")

    def _position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        text, moves = " ".join(words[:at]), words[at + 1 :]
        if not text:
            raise ValueError("'position' is followed by 'start' or a FEN, then 'moves' and moves")
        if text == "start":
            history = History.start(variant=self.variant)
        else:
            history = History.start(Position.from_fen(text, self.variant))
        for move in moves:
            history = history.play(move)
        self._history = history
        self.say("ok")

    def _legal(self, words: list[str]) -> None:
        self.say(" ".join(["legal", *map(str, self._history.position.legal_moves)]))

    def _perft(self, words: list[str]) -> None:
        depth = _number(words[0] if words else "", "perft", 0, 40)
        self.say(f"perft {depth} {self._count(depth)}")

    def _count(self, depth: int) -> int:
        position = self._history.position
        if self.variant != ENGLISH or depth < 5:
            return perft(position, depth)
        from kingme.engine.kernels.perft import perft as compiled

        return compiled(position, depth)

    def _set(self, words: list[str]) -> None:
        if len(words) < 2:
            raise ValueError("'set' is followed by a name and a value, as in 'set hash 64'")
        name, value = ALIASES.get(words[0], words[0]), " ".join(words[1:])
        if name == "hash":
            table_mib = _number(value, name, 1, largest_table())
            require_table(table_mib)
            self.table_mib = table_mib
            self.change()
        elif name == "threads":
            self.threads = _number(value, name, 1, MOST_THREADS)
            self.change()
        elif name == "clock":
            if value not in ("cpu", "wall"):
                raise ValueError(f"the clock is 'cpu' or 'wall', not {value!r}")
            self._cpu = value == "cpu"
        elif name == "book":
            if value not in SWITCH:
                raise ValueError(f"the book is 'on' or 'off', not {value[:40]!r}")
            self.book = SWITCH[value]
        elif name == "variant":
            self._play(value)
        elif name == "draws":
            self.preset = preset_for(value, self.variant)
        else:
            raise ValueError(f"there is no option {name!r}: there are {', '.join(OPTIONS)}")
        self.say("ok")

    def _play(self, name: str) -> None:
        if name not in VARIANTS:
            raise ValueError(f"there is no variant {name!r}: there are {', '.join(VARIANTS)}")
        if VARIANTS[name] != self.variant:
            self.variant = VARIANTS[name]
            self.preset = preset_for(self.variant.draws[0], self.variant)
            self.change()
            self._history = History.start(variant=self.variant)

    def _go(self, words: list[str]) -> None:
        """Ask for a search; it is known at once, so that a ``stop`` on its heels ends it."""
        errand = Errand(self._history, Limits())
        self.begin(errand)
        try:
            errand.limits = _limits(words)
        except ValueError as error:
            self.end(errand)
            why = str(error)
            self.queue(lambda: self.complain(why))
            return
        self.queue(lambda: self._run(errand))

    def _run(self, errand: Errand) -> None:
        errand.history, errand.cpu = self._history, self._cpu
        errand.book = self.book and errand.limits != Limits()
        position = self._history.position
        if position.outcome is not None:
            self.end(errand)
            self.say("bestmove none")
            return
        move = self.search(errand, self._tell).move
        self.say(f"bestmove {move} fen {position.play(move).fen}")

    def _tell(self, info: Info) -> None:
        line = " ".join(map(str, info.pv))
        self.say(
            f"info depth {info.depth} score {info.score.value} nodes {info.nodes} "
            f"time {info.seconds:.3f} pv {line}"
        )


def _limits(words: list[str]) -> Limits:
    """Read the limits of ``go``; none at all means until ``stop``."""
    found: dict[str, float] = {}
    for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in ("movetime", "depth", "nodes"):
            raise ValueError(
                f"{name!r} is no limit: they are movetime SECONDS, depth N and nodes N"
            )
        try:
            found[name] = float(value) if name == "movetime" else int(value)
        except ValueError:
            raise ValueError(f"{name} is followed by a number, not {value!r}") from None
        if not 0 < found[name] < 1e12:
            raise ValueError(f"{name} {value} leaves no search")
    return Limits(
        depth=int(found["depth"]) if "depth" in found else None,
        nodes=int(found["nodes"]) if "nodes" in found else None,
        seconds=found.get("movetime"),
    )


def _number(text: str, name: str, low: int, high: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise ValueError(f"{name} is followed by a whole number, not {text[:40]!r}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {low} to {high}, not {number}")
    return number
