"""``kingme pdn check`` and ``stats``: what is wrong in files of games, and what is in them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.output import counted, say
from kingme.cli.pdn_shared import (
    FilesArgument,
    JsonOption,
    VariantOption,
    count_notes,
    each_game,
    failing,
    opened,
    show_json,
    tell,
    variant_of,
    watching,
)

if TYPE_CHECKING:
    from kingme.rules.moves import Move
    from kingme.rules.pdn import Game, Note, Tags
    from kingme.rules.position import Position

__all__ = ["check", "stats"]

TOP = 10


def check(
    files: FilesArgument,
    odd: Annotated[
        bool, typer.Option("--odd", help="List also what is understood but is no good PDN.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Status 1 for a repair too, not for errors alone.")
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="How many notes to list; 0 is all.")] = 100,
    variant: VariantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read every game, judge every move, and list what is wrong, with line and column.

    The last line counts games, plies, repairs and errors. Status 0: there was no error;
    1: there was one; 2: a file cannot be read.
    """
    from kingme.collection.sources import Metered
    from kingme.rules.pdn import visit

    found = opened(files)
    chosen = variant_of(variant)
    kinds = {"error", "repair", *(["odd"] if odd else [])}
    total = [0, 0, 0, 0, 0]
    each: list[dict[str, Any]] = []
    listed: list[dict[str, Any]] = []
    with watching(found, "reading") as watch:
        for source in found:
            counter = _listener(watch)
            with failing(source.name), source.open() as stream:
                visit(Metered(stream, watch.read), counter, default=chosen)
            counts = counter.counts
            total = [a + b for a, b in zip(total, counts, strict=True)]
            each.append({"file": source.name, **_named(counts)})
            listed += [
                _told(source.name, number, note)
                for number, note in counter.notes
                if note.kind in kinds
            ]
        seconds = watch.seconds
    if as_json:
        shown = listed[:limit] if limit else listed
        counts_now = _named(tuple(total))
        show_json({**counts_now, "seconds": round(seconds, 3), "files": each, "notes": shown})
    else:
        if not quiet:
            _list(listed, limit)
        games, plies, repairs, errors, oddities = total
        say(
            f"{counted(games, 'game')}, {counted(plies, 'ply', 'plies')}, "
            f"{counted(repairs, 'repair')}, {counted(errors, 'error')}, "
            f"{counted(oddities, 'oddity', 'oddities')}; {seconds:.1f} s"
        )
    if total[3] or (strict and total[2]):
        raise typer.Exit(1)


def _listener(watch: Any) -> Any:
    """A visitor that counts, keeps the notes with the number of their game, and tells the bar."""
    from kingme.rules.pdn import Counter as PdnCounter

    class Listener(PdnCounter):
        """Counts and keeps."""

        def __init__(self) -> None:
            super().__init__()
            self.notes: list[tuple[int, Note]] = []
            self._waiting: list[Note] = []
            self._real = False

        def begin(self, offset: int, line: int) -> None:
            """Wait for a tag or a move, which make it a game."""
            self._real = False

        def setup(self, tags: Tags, start: Position) -> None:
            """Know whether there is a tag."""
            self._real = len(tags) > 0

        def move(self, text: str, move: Move | None, after: Any) -> None:
            """Know that there is a move."""
            super().move(text, move, after)
            self._real = True

        @property
        def counts(self) -> tuple[int, ...]:
            """Games, plies, repairs, errors and oddities."""
            return self.games, self.plies, self.repairs, self.errors, self.odd

        def note(self, note: Note) -> None:
            """Keep a note."""
            super().note(note)
            self._waiting.append(note)

        def end(self, result: str) -> None:
            """Tell that a game is read."""
            super().end(result)
            if self._real:
                self.games += 1
                watch.game()
            number = self.games if self._real else 0
            self.notes += [(number, note) for note in self._waiting]
            self._waiting = []

    return Listener()


def _named(counts: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(("games", "plies", "repairs", "errors", "odd"), counts, strict=True))


def _told(name: str, number: int, note: Note) -> dict[str, Any]:
    return {
        "file": name,
        "game": number,
        "line": note.line,
        "column": note.column,
        "kind": note.kind,
        "message": note.message,
        "token": note.token,
    }


def _list(notes: list[dict[str, Any]], limit: int) -> None:
    shown = notes[:limit] if limit else notes
    for note in shown:
        where = f" in game {note['game']}" if note["game"] else ""
        tell(
            f"{note['file']}:{note['line']}:{note['column']}: {note['kind']}{where}: "
            f"{note['message']}"
        )
    if len(shown) < len(notes):
        say(f"... and {len(notes) - len(shown)} more: --limit 0 lists all")


def stats(
    files: FilesArgument,
    top: Annotated[int, typer.Option(min=1, max=1000, help="How many of the most frequent.")] = TOP,
    variant: VariantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count games by result, variant, year, player, event and opening."""
    found = opened(files)
    chosen = variant_of(variant)
    counts = _Counts()
    with watching(found, "reading") as watch:
        for _, game in each_game(found, watch, chosen):
            counts.add(game)
    count_notes(watch.notes)
    value = counts.value(top)
    if as_json:
        show_json(value)
        return
    plies = counted(value["plies"], "ply", "plies")
    say(f"{counted(value['games'], 'game')}, {plies}, {value['average']} a game")
    for heading in ("results", "variants", "years", "players", "events", "openings"):
        say(f"{heading}:")
        for name, number in value[heading].items():
            tell(f"  {number:>7}  {name}")


class _Counts:
    """How often what came."""

    def __init__(self) -> None:
        self.games = self.plies = 0
        self.of: dict[str, Counter[str]] = {
            name: Counter()
            for name in ("results", "variants", "years", "players", "events", "openings")
        }

    def add(self, game: Game) -> None:
        """Count a game."""
        from kingme.collection.matching import opening_of
        from kingme.collection.packing import date_number
        from kingme.collection.reading import entry_of
        from kingme.rules.ballots import THREE_MOVE

        entry = entry_of(game, with_text=False)
        if entry is None:
            return
        self.games += 1
        self.plies += len(entry.history.moves)
        of = self.of
        ended = entry.winner.title if entry.winner else "draw" if entry.draw else "none"
        of["results"][ended] += 1
        of["variants"][entry.history.positions[0].variant.name] += 1
        day = date_number(entry.date)
        of["years"][str(day // 10000) if day else "unknown"] += 1
        of["players"].update({entry.black, entry.white} - {"", "?"})
        if entry.event not in ("", "?"):
            of["events"][entry.event] += 1
        number = opening_of(entry)
        if number is not None:
            of["openings"][str(THREE_MOVE[number])] += 1

    def value(self, top: int) -> dict[str, Any]:
        """All counts, the most frequent first; years in their order."""
        years = dict(sorted(self.of["years"].items()))
        most = {
            name: years if name == "years" else dict(counts.most_common(top))
            for name, counts in self.of.items()
        }
        average = round(self.plies / self.games, 1) if self.games else 0.0
        return {"games": self.games, "plies": self.plies, "average": average, **most}
