"""``kingme match``: two engines play a match, and what it proves."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from kingme.cli.compiling import compiled_first
from kingme.cli.pdn_shared import sensible
from kingme.rules.variant import ENGLISH

if TYPE_CHECKING:
    from kingme.engine.api import Limits
    from kingme.engine.entrants import Entrant
    from kingme.engine.match import Finished, Task
    from kingme.engine.scoring import MatchTally, Sprt
    from kingme.rules.outcome import DrawPreset
    from kingme.rules.variant import Variant

__all__ = ["match", "preset_asked"]

SECONDS = 0.1

Names = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of this engine.")
]


def match(
    a: Annotated[str, typer.Argument(metavar="A", help="An engine: see above.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    games: Annotated[int, typer.Option(min=1, help="How many games; an even number.")] = 100,
    seconds: Annotated[
        float | None,
        typer.Option(
            callback=sensible,
            help=f"Seconds a move; {SECONDS} where no limit is given.",
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Plies to search at most.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Positions at most.")] = None,
    variant: Annotated[str, typer.Option(help="The variant that is played.")] = "english",
    openings: Annotated[
        Path | None, typer.Option(help="A file of openings: PDN, or a FEN a line.")
    ] = None,
    draws: Annotated[
        str | None, typer.Option(help="The draw rules; those of the variant where not given.")
    ] = None,
    pdn: Annotated[
        Path | None, typer.Option(help="Keep the games in this file, and go on where it ends.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO,ELO", help="Stop as soon as one of two leads of A is likely."),
    ] = None,
    seed: Annotated[int, typer.Option(help="For the order of openings and for whims.")] = 0,
    set_a: Names = None,
    set_b: Names = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object at the end, and nothing else.")
    ] = False,
) -> None:
    """Let two engines play a match.

    An engine is a level (1 to 8), one of this program's (compiled, plain, generic), a command
    that speaks Hub or lines, or hub:COMMAND or lines:COMMAND. Every opening is played twice with
    the colours changed. Ctrl+C ends the match; with --pdn it goes on where it was.
    """
    from kingme.engine.api import Limits

    if seconds is None and depth is None and nodes is None:
        seconds = SECONDS
    rules = _variant(variant)
    options = (_options(set_a, "--set-a"), _options(set_b, "--set-b"))
    limits = Limits(depth, nodes, seconds)
    preset = preset_asked(draws or rules.draws[0], rules)
    text = None if openings is None else _text(openings)
    if games % 2:
        games += 1
        told = f"{games} games are played, and not {games - 1}: each opening with both colours"
        typer.echo(told, err=True)
    plan = _Plan((a, b), options, games, limits, rules, preset, text, seed)
    _run(plan, pdn, _sprt(sprt), as_json=as_json)


@dataclass(frozen=True)
class _Plan:
    """What is to be played."""

    names: tuple[str, str]
    options: tuple[dict[str, str], dict[str, str]]
    games: int
    limits: Limits
    variant: Variant
    preset: DrawPreset
    openings: str | None
    seed: int

    @property
    def titles(self) -> tuple[str, str]:
        """The engines with what was set for them."""
        a, b = (
            " ".join([name, *(f"{key}={value}" for key, value in options.items())])
            for name, options in zip(self.names, self.options, strict=True)
        )
        return a, b

    @property
    def terms(self) -> str:
        """Say on what terms a match is played, so that no other is taken for its beginning."""
        names = self.titles
        limit = ", ".join(
            f"{key} {value:g}"
            for key in ("seconds", "depth", "nodes")
            if (value := getattr(self.limits, key)) is not None
        )
        text = self.openings
        book = "usual" if text is None else hashlib.sha256(text.encode()).hexdigest()[:12]
        rules = (self.variant.name, self.preset.name)
        parts = (*names, *rules, limit, f"openings {book}", f"seed {self.seed}")
        # As a tag holds it: no quotation marks, no backslashes.
        return "; ".join(parts).replace('"', "'").replace("\\", "/")


def _run(plan: _Plan, pdn: Path | None, test: Sprt | None, *, as_json: bool) -> None:
    """Play what has not been played, and report."""
    from kingme.engine.entrants import enter
    from kingme.engine.match import openings, tasks
    from kingme.engine.scoring import MatchTally

    if plan.variant == ENGLISH and any(map(_compiled, plan.names)):
        compiled_first()
    beginning = openings(plan.openings, plan.variant, plan.seed)
    tally = MatchTally()
    with contextlib.ExitStack() as stack:
        ledger = stack.enter_context(_ledger(pdn, plan.terms))
        for points in ledger.points:
            tally = tally.add(points)
        if ledger.points and not as_json:
            typer.echo(f"{len(ledger.points)} games were played before: {tally}")
        entrants = [
            stack.enter_context(
                enter(name, options=options, variant=plan.variant, seed=f"{plan.seed}{side}")
            )
            for name, options, side in zip(plan.names, plan.options, "ab", strict=True)
        ]
        show = stack.enter_context(_showing(plan.games, tally, as_json=as_json))
        forfeits = 0
        try:
            for task in tasks(plan.games, beginning):
                if task.number < tally.games:
                    continue
                if test is not None and tally.half is None and test.verdict(tally) is not None:
                    break
                done = _play(task, entrants, plan)
                points = _points(task, done)
                ledger.append(_record(task, done, entrants, plan), points)
                tally = tally.add(points)
                forfeits += "forfeits" in done.why
                show.game(task, done, tally)
        finally:
            show.close()
            _report(plan.titles, tally, test, forfeits, as_json=as_json)


def _compiled(name: str) -> bool:
    """Whether an engine is the compiled one, in this process."""
    return name == "compiled" or name.isdigit() or name.startswith("level:")


class _Book(Protocol):
    """Where games are kept: a file, or nowhere."""

    points: list[float]

    def append(self, text: str, points: float) -> None:
        """Keep a game."""


class _Nowhere:
    """No file: the games are forgotten."""

    def __init__(self) -> None:
        self.points: list[float] = []

    def append(self, text: str, points: float) -> None:
        """Forget the game."""


@contextlib.contextmanager
def _ledger(path: Path | None, terms: str) -> Iterator[_Book]:
    if path is None:
        yield _Nowhere()
        return
    from kingme.engine.ledger import Ledger

    with Ledger(path, terms) as ledger:
        if ledger.cut:
            typer.echo(f"{path}: {ledger.cut} bytes of an unfinished game were cut off", err=True)
        yield ledger


class _Show:
    """What is seen while the match runs: a line for each game, and a bar on a terminal."""

    def __init__(self, games: int, tally: MatchTally, *, quiet: bool) -> None:
        self._quiet = quiet
        self._games = games
        self._before = tally.games
        self._began = time.monotonic()
        self._bar: Any = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
            from rich.progress import TimeRemainingColumn as Remaining

            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
            self._bar = Progress(
                *columns, Remaining(elapsed_when_finished=True), console=Console(stderr=True)
            )
            self._bar.start()
            self._task = self._bar.add_task(str(tally), total=games, completed=tally.games)

    def game(self, task: Task, done: Finished, tally: MatchTally) -> None:
        """Show a game that has ended."""
        if not self._quiet:
            first, second = ("A", "B") if task.a_first else ("B", "A")
            line = f"{task.round:>6}  {first}-{second}  {done.result:<7}  "
            line += f"{len(done.history.moves):3} plies  {done.why}"
            if self._bar is not None and sys.stdout.isatty():
                self._bar.console.print(line, markup=False, highlight=False)
            else:
                typer.echo(line)
        if self._bar is not None:
            rate = (tally.games - self._before) / (time.monotonic() - self._began) * 60
            elo = f"  {tally.elo}" if tally.elo else ""
            said = f"{tally}{elo}  {rate:.1f} games/min"
            self._bar.update(self._task, completed=tally.games, description=said)

    def close(self) -> None:
        """Leave the bar as it is."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


@contextlib.contextmanager
def _showing(games: int, tally: MatchTally, *, as_json: bool) -> Iterator[_Show]:
    show = _Show(games, tally, quiet=as_json)
    try:
        yield show
    finally:
        show.close()


def _play(task: Task, entrants: Sequence[Entrant], plan: _Plan) -> Finished:
    from kingme.engine.match import play

    for entrant in entrants:
        entrant.new_game(task.number)
    first, second = entrants if task.a_first else entrants[::-1]
    return play(first, second, task.opening, plan.limits, plan.preset)


def _points(task: Task, done: Finished) -> float:
    begins = done.history.position.variant.first
    return done.points(begins if task.a_first else begins.other)


def _record(task: Task, done: Finished, entrants: Sequence[Entrant], plan: _Plan) -> str:
    from kingme.engine.match import record

    date = time.strftime("%Y.%m.%d", time.gmtime())
    names = (entrants[0].name, entrants[1].name)
    if names[0] == names[1]:
        names = plan.titles
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    return record(task, done, names, {"Date": date, "Terms": plan.terms})


def _variant(name: str) -> Variant:
    from kingme.rules.variant import VARIANTS

    if name not in VARIANTS:
        raise typer.BadParameter(
            f"there is no {name!r}: there are {', '.join(VARIANTS)}", param_hint="--variant"
        )
    return VARIANTS[name]


def preset_asked(name: str, variant: Variant) -> DrawPreset:
    """The preset of a variant that ``--draws`` names; raises ``BadParameter``."""
    from kingme.rules.presets import preset_for

    try:
        return preset_for(name, variant)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--draws") from None


def _options(words: list[str] | None, flag: str) -> dict[str, str]:
    found = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{word!r} is not NAME=VALUE", param_hint=flag)
        found[name] = value
    return found


def _sprt(text: str | None) -> Sprt | None:
    if text is None:
        return None
    from kingme.engine.scoring import Sprt

    low, _, high = text.partition(",")
    try:
        return Sprt(float(low), float(high))
    except ValueError as error:
        why = f"two leads in Elo points are asked for, as in 0,10: {error}"
        raise typer.BadParameter(why, param_hint="--sprt") from None


def _text(path: Path) -> str:
    from kingme.engine.api import EngineError

    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror}") from None


def _report(
    names: tuple[str, str], tally: MatchTally, test: Sprt | None, forfeits: int, *, as_json: bool
) -> None:
    """Print the score, what it proves, and how the test stands."""
    elo, verdict = tally.elo, test.verdict(tally) if test else None
    if as_json:
        figures: dict[str, Any] = {
            "a": names[0],
            "b": names[1],
            "games": tally.games,
            "won": tally.won,
        }
        figures |= {"drawn": tally.drawn, "lost": tally.lost, "share": round(tally.share, 4)}
        figures |= {"pairs": tally.pairs, "forfeits": forfeits}
        for name in ("lead", "low", "high"):
            value = getattr(elo, name) if elo else None
            figures[name] = round(value, 1) if value is not None and math.isfinite(value) else None
        if test:
            figures["sprt"] = {"ratio": round(test.ratio(tally), 3), "passed": verdict}
        typer.echo(json.dumps(figures))
        return
    typer.echo(f"A: {names[0]}")
    typer.echo(f"B: {names[1]}")
    share = f"{100 * tally.share:.1f} %" if tally.games else "no game"
    typer.echo(f"score of A in {tally.games} games: {tally}, {share}")
    if elo:
        typer.echo(f"lead of A: {elo}")
    if forfeits:
        typer.echo(f"{forfeits} games were forfeited by an engine that failed")
    if test:
        low, high = test.bounds
        word = {True: "passed", False: "failed", None: "undecided"}[verdict]
        typer.echo(
            f"test of {test.high:g} against {test.low:g} Elo: {word}, "
            f"{test.ratio(tally):+.2f} of {low:+.2f} to {high:+.2f}"
        )
