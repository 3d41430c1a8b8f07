"""``kingme train``: self-play, fitting weights to it, and weights against weights."""

from __future__ import annotations

import contextlib
import json
import math
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from kingme.cli.compiling import compiled_first
from kingme.cli.groups import group
from kingme.cli.progress import progress

__all__ = ["train"]

MOST_NODES = 10**12
"""More than any machine searches for a move, and less than a kernel's counter holds."""

train = group("Teach the evaluation by games of the engine against itself.")

WeightsFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Weights to begin with, or `beginning`; the package's where not given.",
    ),
]


def _positive(number: float) -> float:
    """Return a number above 0; a limit of the option alone would let others through."""
    if not 0 < number < math.inf:
        raise typer.BadParameter(f"{number:g} is not above 0")
    return number


@train.command()
def selfplay(
    file: Annotated[Path, typer.Argument(help="Where the positions go; it goes on where it ends.")],
    games: Annotated[int, typer.Option(min=1, help="How many games the file shall hold.")] = 20_000,
    nodes: Annotated[
        int, typer.Option(min=1, max=MOST_NODES, help="Positions searched for a move.")
    ] = 2_500,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other games.")] = 1,
    weights: WeightsFile = None,
    workers: Annotated[int, typer.Option(min=1, help="Threads; the games are the same.")] = 1,
) -> None:
    """Let the engine play itself and keep quiet positions.

    Games are played 64 at a time. Ctrl+C breaks off; the same command goes on, and comes to the
    same file.
    """
    compiled_first()
    from kingme.engine.training.openings import Openings
    from kingme.engine.training.records import Store
    from kingme.engine.training.selfplay import BLOCK, Terms, blocks

    asked, games = games, games + -games % BLOCK
    with _plainly():
        openings, player = Openings(), _weights(weights)
        terms = Terms(seed, nodes, player.digest, openings.digest)
        with Store(file, asdict(terms)) as store, progress(games, store.games) as show:
            if asked % BLOCK:
                told = f"note: {games} games are played, and not {asked}: {BLOCK} at a time"
                typer.echo(told, err=True)
            while store.games < games:
                for first, rows in blocks(terms, openings, player, store.games, workers):
                    store.append(first, BLOCK, rows)
                    show(store.games, f"{store.positions} positions")
                    if store.games >= games:
                        break
    typer.echo(f"{file}: {store.games} games, {store.positions} positions")


@train.command()
def fit(
    files: Annotated[list[Path], typer.Argument(help="Files of self-play.")],
    out: Annotated[Path, typer.Option(help="Where the weights go; a record goes beside them.")],
    weights: WeightsFile = "beginning",
    epochs: Annotated[int, typer.Option(min=1, help="Times that all positions are seen.")] = 5,
    batch: Annotated[int, typer.Option(min=1, help="Positions a step.")] = 8192,
    rate: Annotated[
        float, typer.Option(callback=_positive, help="The first step, hundredths of a man.")
    ] = 3.0,
    blend: Annotated[
        float,
        typer.Option(min=0, max=1, help="The share of the searches' scores."),
    ] = 0.9,
    pattern_spread: Annotated[
        float,
        typer.Option(callback=_positive, help="How far patterns may go, in hundredths of a man."),
    ] = 16.0,
    spread: Annotated[
        float, typer.Option(callback=_positive, help="How far other weights may go.")
    ] = 40.0,
    seed: Annotated[int, typer.Option(min=0, help="For the order, and for what is held out.")] = 1,
) -> None:
    """Fit weights to the results of self-play.

    The losses of every epoch are printed: of the positions learnt from, and of games held out.
    """
    compiled_first()
    from kingme.engine.training.fit import Settings, Stage
    from kingme.engine.training.fit import fit as fitted
    from kingme.engine.training.parameters import pack
    from kingme.engine.training.records import read
    from kingme.engine.weights import Weights

    settings = Settings(epochs, batch, rate, blend, pattern_spread, spread, seed=seed)
    with _plainly():
        notes = _record_beside(out)
        rows, games, heads = read(files)
        start = _weights(weights)
        with progress(epochs, 0) as show:

            def told(stage: Stage) -> None:
                show(stage.epoch, f"loss {stage.loss:.5f}, held out {stage.held_out:.5f}")

            found = fitted(rows, games, _pairs(start), settings, told)
        made = Weights(pack(found.pairs))
        made.save(out)
    last = found.stages[-1]
    record = {
        "digest": made.digest,
        "start": start.digest,
        "settings": asdict(settings),
        "files": heads,
        "scale": round(found.scale, 2),
        "loss": round(last.loss, 6),
        "held_out_loss": round(last.held_out, 6),
    }
    notes.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    typer.echo(f"{out}: {len(rows)} positions, loss {last.loss:.5f}, held out {last.held_out:.5f}")


@train.command()
def duel(
    a: Annotated[str, typer.Argument(metavar="A", help="A file of weights, or `beginning`.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    games: Annotated[int, typer.Option(min=2, help="How many games; an even number.")] = 400,
    nodes: Annotated[
        int, typer.Option(min=1, max=MOST_NODES, help="Positions searched for a move.")
    ] = 2_500,
    seed: Annotated[int, typer.Option(help="For the choice of eleven-man ballots.")] = 0,
) -> None:
    """Let weights play others, from eleven-man ballots with both colours, at equal nodes.

    As `kingme match`, but in compiled code from end to end: some hundred games a minute.
    """
    compiled_first()
    from kingme.engine.scoring import MatchTally
    from kingme.engine.training.openings import eleven_man
    from kingme.engine.training.selfplay import duel as fought

    if games % 2:
        games += 1
        told = f"note: {games} games are played, and not {games - 1}: each ballot with both colours"
        typer.echo(told, err=True)
    with _plainly():
        sides = (_weights(a), _weights(b))
        ballots = list(eleven_man())
        random.Random(seed).shuffle(ballots)  # noqa: S311 (an order, not a secret)
        tally = MatchTally()
        with progress(games, 0) as show:
            for points in fought(*sides, ballots, games, nodes):
                tally = tally.add(points)
                show(tally.games, str(tally))
    typer.echo(f"{tally}; lead of A: {tally.elo}")


def _record_beside(out: Path) -> Path:
    """Return where the record goes; refuse files that could not be written after long work."""
    from kingme.engine.api import EngineError

    if out.is_dir():
        raise EngineError(f"{out} is a folder: name a file")
    notes = out.with_suffix(".json")
    if out == notes:
        raise EngineError(f"{out} is where the record of the weights goes: name another file")
    for path in (out, notes):
        try:
            new = not path.exists()
            with path.open("ab"):
                pass
            if new:
                path.unlink()
        except OSError as error:
            raise EngineError(f"{path} cannot be written: {error.strerror}") from None
    return notes


def _weights(name: str | None) -> Any:
    from kingme.engine.training.beginning import beginning
    from kingme.engine.training.parameters import pack
    from kingme.engine.weights import Weights, default

    if name is None:
        return default()
    return Weights(pack(beginning())) if name == "beginning" else Weights.load(Path(name))


def _pairs(weights: Any) -> Any:
    from kingme.engine.training.parameters import unpack

    return unpack(weights.words)


@contextlib.contextmanager
def _plainly() -> Iterator[None]:
    """Tell of an error in one line, and of Ctrl+C in none."""
    from kingme.engine.api import EngineError

    try:
        yield
    except EngineError as error:
        typer.echo(f"kingme: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
