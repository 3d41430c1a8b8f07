"""``kingme ballots``: the decks of openings, listed, drawn by lot, and written for a match."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingme.cli.output import say

if TYPE_CHECKING:
    from kingme.rules.ballots import Ballot, Deck

__all__ = ["ballots"]


def ballots(
    which: Annotated[
        list[str] | None,
        typer.Argument(metavar="NUMBER|NAME", help="Numbers, or words of one name."),
    ] = None,
    deck: Annotated[
        str | None,
        typer.Option(help="three-move (where not given), two-move, eleven-man or named."),
    ] = None,
    usual: Annotated[
        bool, typer.Option("--drawn", help="Only those that are drawn by lot: none is barred.")
    ] = False,
    draw: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Draw so many by lot; each may recur.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Draw the same ones again.")] = None,
    fen: Annotated[bool, typer.Option("--fen", help="Print positions, a FEN a line.")] = False,
    pdn: Annotated[bool, typer.Option("--pdn", help="Print games as PDN.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
) -> None:
    """List ballots, the openings that are drawn by lot, or draw some.

    Without a number or a name all of a deck are listed; a name is looked for in every deck that
    is not ruled out. What --fen and --pdn print is a file of openings for `kingme match`.
    """
    if sum((fen, pdn, as_json)) > 1:
        raise typer.BadParameter("one of them is enough", param_hint="--fen, --pdn, --json")
    words = which or []
    found = _chosen(words, deck)
    if usual:
        found = [ballot for ballot in found if not ballot.barred]
    if draw is not None:
        found = _drawn(found, draw, seed)
    if as_json:
        say(json.dumps([_record(ballot) for ballot in found]))
        return
    for index, ballot in enumerate(found):
        if fen:
            say(f"{ballot.position.fen}  # {_told(ballot)}")
        elif pdn:
            say(_pdn(ballot) + ("\n" if index + 1 < len(found) else ""))
        else:
            say(_line(ballot))


def _chosen(words: list[str], name: str | None) -> list[Ballot]:
    from kingme.errors import KingmeError
    from kingme.rules.ballots import THREE_MOVE, find

    deck = _deck(name)
    if not words:
        return list((deck or THREE_MOVE).values())
    if not _numbers(words):
        found = [ballot for ballot in find(" ".join(words)) if deck in (None, _deck(ballot.deck))]
        if not found:
            where = f"in the deck {deck.name}" if deck else "in any deck"
            raise KingmeError(f"no opening {where} has {' '.join(words)!r} in its name")
        return found
    deck = deck or THREE_MOVE
    numbers = {str(number): ballot for number, ballot in deck.items()}
    for word in words:
        if word not in numbers:
            raise KingmeError(
                f"the deck {deck.name} has no number {word[:20]}: they run from 1 to {len(deck)}"
            )
    return [numbers[word] for word in words]


def _numbers(words: list[str]) -> bool:
    return all(word.isdecimal() for word in words)


def _deck(name: str | None) -> Deck | None:
    from kingme.rules.ballots import DECKS

    if name is not None and name not in DECKS:
        raise typer.BadParameter(
            f"there is no {name!r}: there are {', '.join(DECKS)}", param_hint="--deck"
        )
    return None if name is None else DECKS[name]


def _drawn(found: list[Ballot], count: int, seed: int | None) -> list[Ballot]:
    """Draw some by lot of those that are not barred, or of all where all are."""
    chance = random.Random(seed)  # noqa: S311 (an opening, not a secret)
    lot = [ballot for ballot in found if not ballot.barred] or found
    if count > len(lot):
        told = f"note: there are only {len(lot)} to draw from, so that some come more than once"
        typer.echo(told, err=True)
    return [chance.choice(lot) for _ in range(count)]


def _line(ballot: Ballot) -> str:
    status = "" if ballot.status == "named" else f"  ({ballot.status})"
    return f"{_told(ballot)}{status}"


def _told(ballot: Ballot) -> str:
    """A ballot with its deck, and with the number by which it can be asked for."""
    return f"named {ballot.number} {ballot}" if ballot.status == "named" else str(ballot)


def _record(ballot: Ballot) -> dict[str, Any]:
    return {
        "deck": ballot.deck,
        "number": ballot.number,
        "name": ballot.name,
        "status": ballot.status,
        "barred": ballot.barred,
        "removed": list(ballot.removed),
        "moves": list(ballot.moves),
        "fen": ballot.position.fen,
    }


def _pdn(ballot: Ballot) -> str:
    from kingme.rules.ballots import DECKS
    from kingme.rules.pdn import game_pdn

    tags = {"Event": DECKS[ballot.deck].title, "Round": str(ballot.number)}
    if ballot.name:
        tags["Opening"] = ballot.name
    return game_pdn(tags, ballot.history).rstrip("\n")
