"""What is to be said of positions and games that were played: worth, proofs, shots, reviews."""

from kingme.analysis.reviews import Judgement, Mark, Review, annotated, judged, review
from kingme.analysis.shots import Shot, shot_in
from kingme.analysis.verdicts import Verdict, solutions, verdict

__all__ = [
    "Judgement",
    "Mark",
    "Review",
    "Shot",
    "Verdict",
    "annotated",
    "judged",
    "review",
    "shot_in",
    "solutions",
    "verdict",
]
