"""The variants side by side: what their records say, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kingme.rules.terms import Choice, Crowning, Direction, Goal, Removal
from kingme.rules.variant import ENGLISH, Variant
from kingme.web.variants import short_title

__all__ = ["FEATURES", "Row", "address", "rows", "rules_address", "summary"]

CHOICES = {
    Choice.MOST_PIECES: "most pieces",
    Choice.MOST_VALUE: "most in value",
    Choice.WITH_KING: "with a king",
    Choice.MOST_KINGS: "most kings",
    Choice.KING_EARLIEST: "a king earliest",
}
CROWNINGS = {
    Crowning.STOP: "turn ends",
    Crowning.PASS: "goes on as a man",
    Crowning.BECOME: "goes on as a king",
}
GOALS = {
    Goal.TAKE_OR_BLOCK: "take or block all",
    Goal.LOSE_ALL: "lose all, or be blocked",
    Goal.CROWN_FIRST: "the first king",
}


def board(variant: Variant) -> str:
    """How large the board is."""
    return f"{variant.columns}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{variant.rows}"


def corner(variant: Variant) -> str:
    """Where the dark corner of a player is."""
    if variant.all_squares:
        return "all squares"
    return "near right" if variant.mirrored else "near left"


def men(variant: Variant) -> str:
    """Where men capture."""
    straight = Direction.FORWARD in variant.man_jumps
    back = Direction.BACKWARD_DIAGONAL in variant.man_jumps
    if straight:
        return "eight ways" if back else "ahead and sideways"
    kings = "" if variant.men_may_jump_kings else ", no kings"
    return f"{'forward and backward' if back else 'forward'}{kings}"


def kings(variant: Variant) -> str:
    """How kings move."""
    if not variant.flying_kings:
        return "one step"
    return "fly, land next" if variant.king_lands_next else "fly"


def choice(variant: Variant) -> str:
    """Which capture must be chosen."""
    return ", then ".join(CHOICES[rule] for rule in variant.choice) or "free"


FEATURES: tuple[tuple[str, Callable[[Variant], str]], ...] = (
    ("Board", board),
    ("Men each", lambda variant: str(variant.men)),
    ("Dark corner", corner),
    ("Begins", lambda variant: variant.first.title),
    ("Men capture", men),
    ("Kings", kings),
    ("Choice of capture", choice),
    ("Far row in mid-capture", lambda variant: CROWNINGS[variant.crowning]),
    (
        "Captured men leave",
        lambda variant: "at once" if variant.removal is Removal.NOW else "at the end",
    ),
    ("To win", lambda variant: GOALS[variant.goal]),
)
"""What is compared, and how each record says it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One variant in the comparison, with its words in the order of the features."""

    variant: Variant
    title: str
    words: tuple[str, ...]
    play: str
    rules: str
    summary: str


def rows(variants: dict[str, Variant]) -> tuple[Row, ...]:
    """Every variant as a row."""
    return tuple(
        Row(
            variant,
            short_title(variant),
            tuple(say(variant) for _, say in FEATURES),
            address(variant),
            rules_address(variant),
            summary(variant),
        )
        for variant in variants.values()
    )


def address(variant: Variant) -> str:
    """Where a variant is played."""
    return "/" if variant == ENGLISH else f"/variants/{variant.name}"


def rules_address(variant: Variant) -> str:
    """Where its rules stand."""
    return "/rules" if variant == ENGLISH else f"/variants/{variant.name}/rules"


def summary(variant: Variant) -> str:
    """A variant in short sentences.

    >>> from kingme.rules.variant import VARIANTS
    >>> print(summary(VARIANTS["thai"]))
    8 × 8 squares, 8 men each, Black begins. Kings fly, land next. Men capture forward.
    """
    said = [
        f"{board(variant)} squares, {variant.men} men each, {variant.first.title} begins.",
        f"Kings {kings(variant).replace('one step', 'go one step')}.",
        f"Men capture {men(variant)}.",
    ]
    if variant.choice:
        said.append(f"Captures are ranked: {choice(variant)}.")
    if variant.goal is not Goal.TAKE_OR_BLOCK:
        said.append(f"To win: {GOALS[variant.goal]}.")
    return " ".join(said)
