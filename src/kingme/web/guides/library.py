"""The pages to read as records: what each is called, its parts, its boards, what it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kingme.rules.ballots import DECKS
from kingme.rules.outcome import PRESETS, preset_of
from kingme.rules.texts import sections
from kingme.rules.variant import ENGLISH, VARIANTS, Variant
from kingme.web.guides import comparison
from kingme.web.guides.boards import BOARDS, LETTERED
from kingme.web.guides.contrasts import CONTRASTS, boards_of, thumbnails
from kingme.web.guides.diagram import Diagram
from kingme.web.guides.ideas import IDEAS
from kingme.web.guides.questions import GROUPS
from kingme.web.variants import short_title

__all__ = ["FIRST_MOVES", "GUIDES", "PDN", "Guide"]

Contents = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Guide:
    """A page to read.

    ``title`` and ``description`` are what a search engine shows, ``heading`` and ``lead`` what
    stands at the top; ``contents`` are the anchors of its parts with their titles; ``above`` the
    pages it belongs under, with their paths.
    """

    name: str
    path: str
    title: str
    heading: str
    description: str
    lead: str
    contents: Contents
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    boards: Mapping[str, Diagram] = field(default_factory=dict)
    variant: Variant = ENGLISH
    above: Contents = ()
    asks: bool = False

    @property
    def trail(self) -> Contents:
        """The way to the page from the start page, itself last."""
        return (("kingme", "/"), *self.above, (self.heading, self.path))


RULES = Guide(
    name="rules",
    path="/rules",
    title="The rules of American checkers (English draughts)",
    heading="The rules of checkers",
    description=(
        "The complete rules of American checkers with boards to try them on: setting up, moving, "
        "jumping, kings, how a game ends, and the draw rules of several places compared."
    ),
    lead=(
        "These are the rules of American checkers, which is also called English draughts, as "
        "clubs and tournaments play it. On every board you can follow the moves or make your own."
    ),
    contents=(
        ("setting-up", "Board and men"),
        ("moving", "Moves"),
        ("captures", "Jumps"),
        ("kings", "Kings"),
        ("end", "End of the game"),
        ("draws", "Draws, by place"),
        ("tournaments", "In tournaments"),
        ("differences", "Where rules differ"),
        ("sources", "Sources"),
    ),
    template="rules.html",
    values={
        "texts": {section.heading: section.paragraphs for section in sections(ENGLISH)},
        "presets": tuple(PRESETS.values()),
        "sources": ENGLISH.sources,
    },
    boards=BOARDS,
)

FAQ = Guide(
    name="faq",
    path="/faq",
    title="Checkers rules: questions and answers",
    heading="Questions about checkers",
    description=(
        "Must I jump? May a man jump backward? What if nobody can move? Short answers to what "
        "people ask about the rules of checkers, with boards to try."
    ),
    lead=(
        "Short answers to what people ask at the board. The whole rules stand on a page of their "
        "own."
    ),
    contents=tuple((group.anchor, group.title) for group in GROUPS),
    template="faq.html",
    values={"groups": GROUPS},
    boards=BOARDS,
    asks=True,
)

FIRST_MOVES = (
    ("11-15", "several, by White’s reply", "Straight into the centre, and most ways are open."),
    ("9-14", "Double Corner", "To the centre from the other wing; firm."),
    ("11-16", "Bristol", "Quiet, keeps the centre in view."),
    ("10-15", "Kelso", "Opens a gap in the middle early."),
    ("10-14", "Denny", "Likewise, and White gets a free hand on one side."),
    ("12-16", "Dundee", "To the edge; White may take the centre."),
    ("9-13", "Edinburgh", "To the edge, and thought the weakest."),
)
"""The first moves of Black by reputation, with the names of their families."""

STRATEGY = Guide(
    name="strategy",
    path="/strategy",
    title="Checkers strategy: from the first moves to the endings",
    heading="Checkers strategy",
    description=(
        "How to win at checkers: centre and back row, the bridge and the dog hole, how to count "
        "the move, shots, endings with kings, openings and ballots, on boards you can play on."
    ),
    lead=(
        "What good players know that beginners do not. Where a board says that one side wins or "
        "that the game is a draw, it has been proved by computing every reply."
    ),
    contents=(
        ("first-things", "First things"),
        ("the-move", "The move"),
        ("shots", "Shots"),
        ("king-endings", "Endings with kings"),
        ("positions", "Known positions"),
        ("openings", "Openings and ballots"),
    ),
    template="strategy.html",
    values={"first_moves": FIRST_MOVES, "decks": DECKS},
    boards=IDEAS,
)

COMPARED = Guide(
    name="variants",
    path="/variants",
    title="Kinds of checkers and draughts compared",
    heading="Kinds of draughts",
    description=(
        "Fifteen kinds of checkers and draughts side by side: American, Russian, international, "
        "Italian, Turkish and more. Boards, men, kings, captures and draws, and where to play."
    ),
    lead=(
        "All these games are one family, and each has a rule or two that make it another game. "
        "Every one can be played here, against the computer or with a friend on one device."
    ),
    contents=(
        ("table", "At a glance"),
        ("backward-captures", "Men that capture backward"),
        ("flying-kings", "Flying kings"),
        ("choice", "Which capture"),
        ("far-row", "The far row in mid-capture"),
        ("games", "The games"),
    ),
    template="variants.html",
    values={
        "features": tuple(title for title, _ in comparison.FEATURES),
        "rows": comparison.rows(VARIANTS),
        "starts": thumbnails(),
    },
    boards=CONTRASTS,
)

PDN = """[Event "A first game"]
[Black "Ann"]
[White "Ben"]
[Result "*"]

1. 11-15 23-19 2. 8-11 22-17 {the Old Fourteenth} 3. 4-8 17-13 *
"""

NOTATION = Guide(
    name="notation",
    path="/notation",
    title="Checkers notation: how moves and positions are written",
    heading="How moves are written",
    description=(
        "Checkers notation explained on boards: squares by number and by letter, moves and jumps, "
        "the signs ! and ?, whole games as PDN and positions as FEN."
    ),
    lead=(
        "Squares have numbers, and a move is two of them. With this you can read any book on "
        "checkers, some of which are 200 years old."
    ),
    contents=(
        ("squares", "Squares"),
        ("moves-and-jumps", "Moves and jumps"),
        ("letters", "Letters"),
        ("signs", "Signs"),
        ("games", "Games"),
        ("positions", "Positions"),
    ),
    template="notation.html",
    values={"pdn": PDN},
    boards={**BOARDS, **LETTERED},
)


def rules_of(variant: Variant) -> Guide:
    """The page with the rules of a variant other than American checkers."""
    title = short_title(variant)
    parts = sections(variant)
    anchors = [f"part-{i}" for i, _ in enumerate(parts, 1)]
    return Guide(
        name="variants",
        path=comparison.rules_address(variant),
        title=f"The rules of {title}",
        heading=f"The rules of {title}",
        description=(
            f"The rules of {title} in plain words, with a board to try them on: "
            f"{variant.columns} × {variant.rows} squares, {variant.men} men each. How it differs "
            "from American checkers, and what makes a draw."
        ),
        lead=comparison.summary(variant),
        contents=(
            *zip(anchors, (part.heading for part in parts), strict=True),
            ("compared", "Beside American checkers"),
            ("draws", "Draws, as a choice"),
            ("sources", "Sources"),
        ),
        template="variant_rules.html",
        values={
            "parts": tuple(zip(anchors, parts, strict=True)),
            "presets": tuple(preset_of(name) for name in variant.draws),
            "features": tuple(
                (name, say(variant), say(ENGLISH)) for name, say in comparison.FEATURES
            ),
            "play": comparison.address(variant),
            "called": title,
        },
        boards=boards_of(variant),
        variant=variant,
        above=(("Kinds of draughts", "/variants"),),
    )


GUIDES: dict[str, Guide] = {
    guide.path: guide
    for guide in (
        *(RULES, STRATEGY, FAQ, NOTATION, COMPARED),
        *(rules_of(variant) for variant in VARIANTS.values() if variant != ENGLISH),
    )
}
"""Every page to read, by its address."""
