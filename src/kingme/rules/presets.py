"""The draw rules of each place and each variant, as data with names.

Sources: WCDF 1.32 for English; FMJD annex 1, section 6, for international; FMJD section 64,
7.2, for draughts on 64 squares; FMJD's brief rules of Czech draughts; the book rules of
American pool (the 13 count); the World Federation of Frisian Draughts; lidraughts.org for
antidraughts and breakthrough. Where a place has a draw claimed or judged, here it comes by
itself; the rules text of each variant says what is disputed.
"""

from __future__ import annotations

from kingme.rules.draws import DrawPreset, Ending, Progress
from kingme.rules.record import Variant

__all__ = ["PRESETS", "STANDARD", "VARIANT_PRESETS", "preset_for", "preset_of"]

STANDARD = DrawPreset(
    name="standard",
    title="Standard",
    summary=(
        "A draw comes by itself when the same position occurs for the third time, or when "
        "each side has made 40 moves in a row without a jump or a man's move. "
        "Players may also agree to a draw."
    ),
    repetition=3,
    progress_plies=80,
)

#: The named presets of English draughts; ``standard`` is the default.
PRESETS: dict[str, DrawPreset] = {
    preset.name: preset
    for preset in (
        STANDARD,
        DrawPreset(
            name="tournament",
            title="Tournament (WCDF)",
            summary=(
                "Draws are claimed, by the player on the turn: with a move that makes the "
                "same position for the third time, or when neither side has advanced a man "
                "or jumped in its last 40 moves. Players may agree to a draw at any time."
            ),
            repetition=3,
            progress_plies=80,
            claimed=True,
        ),
        DrawPreset(
            name="agreement",
            title="By agreement",
            summary="A game is drawn only when both players agree to it.",
        ),
        DrawPreset(
            name="captures50",
            title="50 moves without a jump",
            summary=(
                "A draw comes by itself when the same position occurs for the third time "
                "with no jump in between, or when each side has made 50 moves in a row "
                "without a jump; moves of men do not count as progress. "
                "Players may also agree to a draw."
            ),
            repetition=3,
            repetition_reset=frozenset({Progress.CAPTURE}),
            progress_plies=100,
            progress=frozenset({Progress.CAPTURE}),
        ),
    )
}

_CAPTURE = frozenset({Progress.CAPTURE})
_BALANCE = frozenset({Progress.CAPTURE, Progress.PROMOTION})


def _lone_king(plies: int, pieces: tuple[int, int], kings: int = 1) -> Ending:
    """Return the ending of one king against so many pieces, so many kings at least among them."""
    return Ending(
        plies, weaker=(1, 1), weaker_kings=(1, 1), stronger=pieces, stronger_kings=(kings, 99)
    )


_AGREEMENT = "Players may also agree to a draw."

#: The draw rules of the other variants, by name; each variant's record names its own.
VARIANT_PRESETS: dict[str, DrawPreset] = {
    preset.name: preset
    for preset in (
        DrawPreset(
            name="international",
            title="International (FMJD)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time; when "
                "each side has made 25 moves in a row with kings alone and without a capture; "
                "when one king has held out for 16 moves each against three pieces with a king "
                f"among them, or for 5 moves each against two or one. {_AGREEMENT}"
            ),
            repetition=3,
            progress_plies=50,
            endings=(_lone_king(32, (3, 3)), _lone_king(10, (1, 2))),
        ),
        DrawPreset(
            name="draughts64",
            title="Draughts-64 (FMJD)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time; when "
                "each side has made 15 moves in a row with kings alone and without a capture; "
                "when one king has held out for 15 moves each against three kings or more, or "
                "for 5 against two pieces, or against three while it alone holds the long "
                "diagonal; and when both have kings and nothing was captured or crowned for 30 "
                "moves each with 4 or 5 pieces on the board, or for 60 with 6 or 7. "
                f"{_AGREEMENT}"
            ),
            repetition=3,
            progress_plies=30,
            endings=(
                _lone_king(30, (3, 99), kings=3),
                _lone_king(10, (1, 2)),
                Ending(
                    10,
                    weaker=(1, 1),
                    weaker_kings=(1, 1),
                    stronger=(3, 3),
                    on_long_diagonal=True,
                    restarts=_CAPTURE,
                ),
                Ending(60, total=(4, 5), restarts=_BALANCE),
                Ending(120, total=(6, 7), restarts=_BALANCE),
            ),
        ),
        DrawPreset(
            name="italian",
            title="Italian (FID)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time, or "
                "when each side has made 40 moves in a row without a capture or a man's move. "
                f"{_AGREEMENT}"
            ),
            repetition=3,
            progress_plies=80,
        ),
        DrawPreset(
            name="pool",
            title="Pool (13 moves)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time, or "
                "when one king has held out for 13 moves each against three kings or more. "
                f"{_AGREEMENT}"
            ),
            repetition=3,
            endings=(_lone_king(26, (3, 99), kings=3),),
        ),
        DrawPreset(
            name="iberian",
            title="Spanish and Portuguese (12 moves)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time, or "
                "when one king has held out for 12 moves each against three kings or more. "
                f"{_AGREEMENT}"
            ),
            repetition=3,
            endings=(_lone_king(24, (3, 99), kings=3),),
        ),
        DrawPreset(
            name="czech",
            title="Czech (15 moves)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time, or "
                "when each side has made 15 moves in a row without a capture or a man's move. "
                f"{_AGREEMENT}"
            ),
            repetition=3,
            progress_plies=30,
        ),
        DrawPreset(
            name="repetition",
            title="Third time",
            summary=(
                "A draw comes by itself when the same position occurs for the third time. "
                f"{_AGREEMENT}"
            ),
            repetition=3,
        ),
        DrawPreset(
            name="turkish",
            title="Turkish",
            summary=(
                "A draw comes by itself when the same position occurs for the third time, or "
                "when each side has one king left and neither has taken the other within a "
                f"move each. {_AGREEMENT}"
            ),
            repetition=3,
            endings=(_lone_king(2, (1, 1)),),
        ),
        DrawPreset(
            name="frisian",
            title="Frisian (WFD)",
            summary=(
                "A draw comes by itself when the same position occurs for the third time; when "
                "two kings have not beaten one in 7 moves each; and when each side has had one "
                f"king left for 2 moves each. {_AGREEMENT}"
            ),
            repetition=3,
            endings=(_lone_king(14, (2, 2), kings=2), _lone_king(4, (1, 1))),
        ),
        DrawPreset(
            name="antidraughts",
            title="Antidraughts",
            summary=(
                "A draw comes by itself when the same position occurs for the third time, or "
                "when each side has made 25 moves in a row with kings alone and without a "
                f"capture. {_AGREEMENT}"
            ),
            repetition=3,
            progress_plies=50,
        ),
        DrawPreset(
            name="breakthrough",
            title="Breakthrough",
            summary="There are no draws: men only go forward, and the first king wins.",
            agreement=False,
        ),
    )
}


def preset_of(preset: DrawPreset | str) -> DrawPreset:
    """Return the preset of a name, or the preset itself; ``ValueError`` lists the names.

    >>> preset_of("tournament").claimed, preset_of("international").progress_plies
    (True, 50)
    """
    if isinstance(preset, DrawPreset):
        return preset
    found = PRESETS.get(preset) or VARIANT_PRESETS.get(preset)
    if found is None:
        names = ", ".join((*PRESETS, *VARIANT_PRESETS))
        raise ValueError(f"there is no draw preset {preset!r}: there are {names}")
    return found


def preset_for(name: str, variant: Variant) -> DrawPreset:
    """Return one of the draw presets of a variant by name; ``ValueError`` lists them.

    >>> from kingme import VARIANTS
    >>> preset_for("agreement", VARIANTS["russian"]).title
    'By agreement'
    """
    preset = preset_of(name)
    if name not in variant.draws:
        names = ", ".join(variant.draws)
        raise ValueError(f"{variant.title} has no draw preset {name!r}: there are {names}")
    return preset
