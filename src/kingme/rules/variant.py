"""A variant of draughts is one record of data; the rules read it and never ask its name.

Where texts differ, the record follows the sources that it names, and the rules text of the
variant (:mod:`kingme.rules.texts`) says what others do.
"""

from __future__ import annotations

from kingme.rules.record import Variant
from kingme.rules.terms import Choice, Crowning, Direction, Goal, Removal, Side

__all__ = [
    "ENGLISH",
    "VARIANTS",
    "Choice",
    "Crowning",
    "Direction",
    "Goal",
    "Removal",
    "Side",
    "Variant",
    "variant_of",
]

_AHEAD = frozenset({Direction.FORWARD_DIAGONAL})
_DIAGONAL = _AHEAD | {Direction.BACKWARD_DIAGONAL}
_STRAIGHT = frozenset({Direction.FORWARD, Direction.BACKWARD, Direction.SIDEWAYS})
_ONWARD = frozenset({Direction.FORWARD, Direction.SIDEWAYS})
_PDN = "PDN 3.0, section GameType"
_DCTL = "perft counts of the dctl library's tests"

#: American checkers, the game of this project.
ENGLISH = Variant(
    name="english",
    title="American checkers (English draughts)",
    game_type=21,
    draws=("standard", "tournament", "captures50", "agreement"),
    sources=("WCDF, Rules of Draughts (Checkers), sections 1.13 to 1.32",),
)

ITALIAN = Variant(
    name="italian",
    title="Italian draughts",
    game_type=22,
    mirrored=True,
    first=Side.WHITE,
    men_may_jump_kings=False,
    choice=(Choice.MOST_PIECES, Choice.WITH_KING, Choice.MOST_KINGS, Choice.KING_EARLIEST),
    draws=("italian", "agreement"),
    sources=("Federazione Italiana Dama, rules of Italian draughts", _PDN, _DCTL),
)

RUSSIAN = Variant(
    name="russian",
    title="Russian draughts",
    game_type=25,
    first=Side.WHITE,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    crowning=Crowning.BECOME,
    jump_mark=":",
    letters_first=True,
    draws=("draughts64", "agreement"),
    sources=("FMJD section 64, rules of Russian draughts", _PDN, _DCTL),
)

BRAZILIAN = Variant(
    name="brazilian",
    title="Brazilian draughts",
    game_type=26,
    first=Side.WHITE,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    choice=(Choice.MOST_PIECES,),
    crowning=Crowning.PASS,
    letters_first=True,
    draws=("draughts64", "agreement"),
    sources=("FMJD section 64, rules of Brazilian draughts", _PDN, _DCTL),
)

POOL = Variant(
    name="pool",
    title="American pool checkers",
    game_type=23,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    crowning=Crowning.PASS,
    draws=("pool", "agreement"),
    sources=("American Pool Checker Association, rules of play", _PDN, _DCTL),
)

SPANISH = Variant(
    name="spanish",
    title="Spanish draughts",
    game_type=24,
    mirrored=True,
    first=Side.WHITE,
    low=Side.WHITE,
    leftward=True,
    flying_kings=True,
    choice=(Choice.MOST_PIECES, Choice.MOST_KINGS),
    draws=("iberian", "agreement"),
    sources=(_PDN, _DCTL),
)

PORTUGUESE = Variant(
    name="portuguese",
    title="Portuguese draughts",
    game_type=28,
    mirrored=True,
    first=Side.WHITE,
    low=Side.WHITE,
    leftward=True,
    flying_kings=True,
    choice=(Choice.MOST_PIECES, Choice.MOST_KINGS),
    draws=("iberian", "agreement"),
    sources=("Federação Portuguesa de Damas, rules of classic draughts", _PDN, _DCTL),
)

CZECH = Variant(
    name="czech",
    title="Czech draughts",
    game_type=29,
    first=Side.WHITE,
    flying_kings=True,
    choice=(Choice.WITH_KING,),
    letters_first=True,
    draws=("czech", "agreement"),
    sources=("Česká federace dámy, rules of Czech draughts", _PDN, _DCTL),
)

THAI = Variant(
    name="thai",
    title="Thai draughts (makhos)",
    game_type=31,
    men=8,
    low=Side.WHITE,
    leftward=True,
    flying_kings=True,
    king_lands_next=True,
    removal=Removal.NOW,
    draws=("repetition", "agreement"),
    sources=(_PDN, _DCTL),
)

TURKISH = Variant(
    name="turkish",
    title="Turkish draughts (dama)",
    game_type=30,
    men=16,
    rows_behind=1,
    all_squares=True,
    first=Side.WHITE,
    man_moves=_ONWARD,
    man_jumps=_ONWARD,
    king_moves=_STRAIGHT,
    king_jumps=_STRAIGHT,
    flying_kings=True,
    choice=(Choice.MOST_PIECES,),
    crowning=Crowning.PASS,
    removal=Removal.NOW,
    may_reverse=False,
    letters_first=True,
    draws=("turkish", "agreement"),
    sources=(_PDN,),
)

CANADIAN = Variant(
    name="canadian",
    title="Canadian draughts",
    game_type=27,
    rows=12,
    columns=12,
    men=30,
    first=Side.WHITE,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    choice=(Choice.MOST_PIECES,),
    crowning=Crowning.PASS,
    draws=("international", "agreement"),
    sources=(_PDN, _DCTL),
)

INTERNATIONAL = Variant(
    name="international",
    title="International draughts",
    game_type=20,
    rows=10,
    columns=10,
    men=20,
    first=Side.WHITE,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    choice=(Choice.MOST_PIECES,),
    crowning=Crowning.PASS,
    draws=("international", "agreement"),
    sources=("FMJD, Official Rules of International Draughts, annex 1", _PDN, _DCTL),
)

FRISIAN = Variant(
    name="frisian",
    title="Frisian draughts",
    game_type=40,
    rows=10,
    columns=10,
    men=20,
    first=Side.WHITE,
    man_jumps=_DIAGONAL | _STRAIGHT,
    king_jumps=_DIAGONAL | _STRAIGHT,
    flying_kings=True,
    choice=(Choice.MOST_VALUE, Choice.WITH_KING),
    crowning=Crowning.PASS,
    king_limit=3,
    draws=("frisian", "agreement"),
    sources=("World Federation of Frisian Draughts, official rules", _PDN, _DCTL),
)

ANTIDRAUGHTS = Variant(
    name="antidraughts",
    title="Antidraughts (suicide)",
    game_type=None,
    rows=10,
    columns=10,
    men=20,
    first=Side.WHITE,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    choice=(Choice.MOST_PIECES,),
    crowning=Crowning.PASS,
    goal=Goal.LOSE_ALL,
    draws=("antidraughts", "agreement"),
    sources=("lidraughts.org, rules of Antidraughts", "FMJD, annex 1, for the moves"),
)

BREAKTHROUGH = Variant(
    name="breakthrough",
    title="Breakthrough draughts",
    game_type=None,
    rows=10,
    columns=10,
    men=20,
    first=Side.WHITE,
    man_jumps=_DIAGONAL,
    flying_kings=True,
    choice=(Choice.MOST_PIECES,),
    crowning=Crowning.PASS,
    goal=Goal.CROWN_FIRST,
    draws=("breakthrough",),
    sources=("lidraughts.org, rules of Breakthrough", "FMJD, annex 1, for the moves"),
)

#: Every variant that can be played, by name.
VARIANTS: dict[str, Variant] = {
    record.name: record
    for record in (
        ENGLISH,
        ITALIAN,
        RUSSIAN,
        BRAZILIAN,
        POOL,
        SPANISH,
        PORTUGUESE,
        CZECH,
        THAI,
        TURKISH,
        CANADIAN,
        INTERNATIONAL,
        FRISIAN,
        ANTIDRAUGHTS,
        BREAKTHROUGH,
    )
}


def variant_of(variant: Variant | str) -> Variant:
    """Return the variant of a name, or the variant itself.

    Raises ``ValueError`` for a name that is none, ``TypeError`` for what is no name at all.
    """
    if isinstance(variant, Variant):
        return variant
    if not isinstance(variant, str):
        raise TypeError(f"a variant is a Variant or its name, not {variant!r}")
    if variant not in VARIANTS:
        raise ValueError(f"there is no variant {variant!r}: there are {', '.join(VARIANTS)}")
    return VARIANTS[variant]
