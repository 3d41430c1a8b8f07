"""Who plays in a match: engines by name, by level, and by the command that starts them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from kingme.engine.api import EngineError, Info, Limits
from kingme.engine.book import Book, default
from kingme.engine.client import Client, Option
from kingme.engine.generic import GenericEngine
from kingme.engine.hosting import load
from kingme.engine.hub import HubEngine
from kingme.engine.levels import LEVELS, Level, level_of
from kingme.engine.lines import LineEngine
from kingme.engine.plain import PlainEngine
from kingme.engine.thinking import Thinker, choose
from kingme.rules.history import History
from kingme.rules.outcome import DrawPreset
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["Entrant", "enter", "opened"]

TABLE_MIB = 16


class Entrant:
    """An engine in a match; a context manager. One that has failed is started again.

    ``start`` gives the engine and, for one in this process, the level it plays at and its book.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[], Client | Thinker],
        level: Level | None = None,
        seed: str = "",
        book: Book | None = None,
    ) -> None:
        self.name = name
        self._book = book
        self._start = start
        self._level = level
        self._seed = seed
        self._chance = random.Random(seed)  # noqa: S311 (whims, not secrets)
        self._engine = start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(self._engine, Client):
            self._engine.close()

    def new_game(self, number: int) -> None:
        """Forget the game before; the same number brings the same whims."""
        self._chance = random.Random(f"{self._seed}/{number}")  # noqa: S311
        if isinstance(self._engine, Client):
            if not self._engine.running:
                self._engine.close()
                self._engine = self._start()
            else:
                self._engine.new_game()
        else:
            _clear(self._engine)

    def best_move(self, history: History, limits: Limits, preset: DrawPreset) -> Info:
        """Return what it plays; a level takes no longer than its record or the limits say."""
        engine, level = self._engine, self._level
        if isinstance(engine, Client):
            return engine.best_move(history, limits, preset)
        if level is None:
            for found in engine.analyse(history, limits, preset):
                info = found
            return info
        if level.whim:
            _clear(engine)
        seconds = min(level.seconds, limits.seconds or level.seconds)
        return choose(engine, history, level, self._chance, preset, seconds, self._book)


def enter(
    text: str,
    *,
    options: Mapping[str, Option] | None = None,
    variant: Variant = ENGLISH,
    seed: str = "0",
) -> Entrant:
    """Start the engine that a text names: see `docs/engines.md`.

    A number or ``level:N`` is a level, ``compiled``, ``plain`` and ``generic`` are the engines
    of this program at full strength, ``hub:COMMAND`` and ``lines:COMMAND`` start another one,
    and any other text is a command whose protocol is found out. The compiled engine has the
    option ``weights``, a file, and a level ``book``, on or off, off where not given. Raises
    `EngineError` where nothing can be started so.
    """
    kind, colon, rest = text.partition(":")
    if text.isdigit() or (kind == "level" and colon):
        return _level(text if text.isdigit() else rest, options, variant, seed)
    if text == "compiled":
        return Entrant(text, _compiled(variant, options), seed=seed)
    inside: dict[str, Callable[[], Thinker]] = {
        "plain": lambda: _plain(variant),
        "generic": GenericEngine,
    }
    if text in inside:
        _no_options(text, options)
        return Entrant(text, inside[text], seed=seed)
    outside: dict[str, type[Client]] = {"hub": HubEngine, "lines": LineEngine}
    if colon and kind in outside:
        start = outside[kind]
        return Entrant(text, lambda: start(rest.strip(), options=options, variant=variant))
    return Entrant(text, lambda: opened(text, options=options, variant=variant))


def opened(
    command: str,
    *,
    options: Mapping[str, Option] | None = None,
    variant: Variant = ENGLISH,
    handshake: float = 20,
) -> Client:
    """Start a command and find out which protocol it speaks: Hub, or lines.

    It has ``handshake`` seconds to answer to each. Raises `EngineError` where it speaks neither.
    """
    reasons = []
    kinds: tuple[type[Client], ...] = (HubEngine, LineEngine)
    for kind in kinds:
        try:
            return kind(command, options=options, variant=variant, handshake=handshake)
        except EngineError as error:
            if "cannot be started" in str(error):
                known = "a level, compiled, plain, generic, hub:COMMAND or lines:COMMAND"
                raise EngineError(f"{error}; an engine is {known}, or a command") from None
            reasons.append(str(error))
    raise EngineError(f"no protocol fits. As Hub: {reasons[0]}. As lines: {reasons[1]}")


def _level(
    number: str, options: Mapping[str, Option] | None, variant: Variant, seed: str
) -> Entrant:
    others = dict(options or {})
    book = str(others.pop("book", "off"))
    _no_options(f"level {number}", others, "but book")
    if book not in ("on", "off"):
        raise EngineError(f"the book of a level is on or off, not {book!r}")
    try:
        level = level_of(int(number))
    except ValueError:
        raise EngineError(
            f"there is no level {number!r}: they run from 1 to {len(LEVELS)}"
        ) from None
    name = f"level {level.number}"
    chosen = default() if book == "on" else None
    return Entrant(name, lambda: load(variant, TABLE_MIB), level, seed, chosen)


def _compiled(variant: Variant, options: Mapping[str, Option] | None) -> Callable[[], Thinker]:
    """Return what makes the compiled engine, its weights already read."""
    if variant != ENGLISH:
        raise EngineError(f"the compiled engine does not play {variant.title}: take 'generic'")
    if not options:
        return lambda: load(variant, TABLE_MIB)
    from kingme.engine.local import LocalEngine
    from kingme.engine.weights import Weights

    others = {key: value for key, value in options.items() if key != "weights"}
    _no_options("compiled", others, "but weights")
    weights = Weights.load(Path(str(options["weights"])))
    return lambda: LocalEngine(TABLE_MIB, weights=weights)


def _plain(variant: Variant) -> Thinker:
    if variant != ENGLISH:
        raise EngineError(f"the plain engine does not play {variant.title}: take 'generic'")
    return PlainEngine()


def _no_options(
    name: str, options: Mapping[str, Option] | None, other: str = "nor any other"
) -> None:
    if options:
        raise EngineError(f"{name} has no option {next(iter(options))!r}, {other}")


def _clear(engine: Thinker) -> None:
    clear = getattr(engine, "clear", None)
    if clear is not None:
        clear()
