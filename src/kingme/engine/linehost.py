"""The plain line mode of ``kingme engine``: one command a line, one answer a line."""

from __future__ import annotations

from collections.abc import Callable

from kingme.engine.api import Info, Limits
from kingme.engine.errands import Count, Errand, parts
from kingme.engine.hosting import Host, Make, seconds_of, whole
from kingme.engine.machine import MOST_THREADS, largest_table, require_table
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.presets import preset_for
from kingme.rules.variant import VARIANTS

__all__ = ["LineHost"]

ALIASES = {"hashsize": "hash", "searchthreads": "threads"}
"""CheckerBoard's names for options that have others here."""

OPTIONS = ("hash", "threads", "clock", "book", "variant", "draws")
ALONE = ("name", "ready", "newgame", "fen", "legal", "stop", "quit")
"""Commands that nothing follows."""

DEEPEST_COUNT = 40
SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}


class LineHost(Host):
    """Answers the commands of the line mode; `docs/engines.md` lists them."""

    def __init__(
        self,
        say: Callable[[str], None],
        make: Make | None = None,
        name: str = "kingme",
        answers: int | None = None,
    ) -> None:
        super().__init__(say, make, answers)
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
            "set": self._set,
        }

    def complain(self, why: str) -> None:
        """Say that something could not be done."""
        self.say(f"error {why}")

    def _take(self, line: str) -> bool:
        command, *words = line.split()
        if words and command in ALONE:
            why = f"nothing follows {command!r}, but {' '.join(words)[:40]!r} did"
            self.queue(lambda: self.complain(why))
            return True
        if command == "quit":
            return False
        if command == "stop":
            self.halt()
        elif command == "ready" and self.busy:
            self.say("readyok")
        elif command == "go":
            self._go(words)
        elif command == "perft":
            self._perft(words)
        elif command in self._commands:
            self.queue(lambda: self._commands[command](words))
        else:
            known = ", ".join([*self._commands, "perft", "go", "stop", "quit"])
            self.queue(
                lambda: self.complain(f"there is no command {command[:40]!r}: there are {known}")
            )
        return True

    def _leave(self) -> None:
        """Answer what was asked for before, but not for long."""
        self._run_out()
        self.hurry()

    def _run_out(self) -> None:
        """A script that has said all still wants its answer, unless that would never come."""
        for errand in list(self._errands):
            if isinstance(errand, Errand) and errand.endless:
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
        """Ask for a count; like a search it is known at once."""
        errand = Count()
        self.begin(errand)
        self.queue(lambda: self._count(errand, " ".join(words)))

    def _count(self, errand: Count, text: str) -> None:
        try:
            depth = whole(text, "perft", 0, DEEPEST_COUNT)
            counts = parts(self._history.position, depth)
            with self.running(errand):
                total = errand.total(counts)
        finally:
            self.end(errand)
        if total is None:
            raise ValueError(f"perft {depth} was stopped")
        self.say(f"perft {depth} {total}")

    def _set(self, words: list[str]) -> None:
        if len(words) < 2:
            raise ValueError("'set' is followed by a name and a value, as in 'set hash 64'")
        name, value = ALIASES.get(words[0], words[0]), " ".join(words[1:])
        if name == "hash":
            table_mib = whole(value, name, 1, largest_table())
            require_table(table_mib)
            self.table_mib = table_mib
            self.change()
        elif name == "threads":
            self.threads = whole(value, name, 1, MOST_THREADS)
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
        errand.book = self.book and not errand.endless
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
    found: dict[str, str] = {}
    for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in ("movetime", "depth", "nodes"):
            raise ValueError(
                f"{name[:40]!r} is no limit: they are movetime SECONDS, depth N and nodes N"
            )
        if name in found:
            raise ValueError(f"{name} is given twice")
        found[name] = value
    return Limits(
        depth=whole(found["depth"], "depth") if "depth" in found else None,
        nodes=whole(found["nodes"], "nodes") if "nodes" in found else None,
        seconds=seconds_of(found["movetime"], "movetime") if "movetime" in found else None,
    )
