"""The fixed phrases that players may say to each other, by their names on the wire."""

from __future__ import annotations

__all__ = ["PHRASES"]

PHRASES: dict[str, str] = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "have_fun": "Have fun!",
    "good_move": "Good move!",
    "well_played": "Well played!",
    "thanks": "Thank you!",
    "oops": "Oops!",
    "sorry": "Sorry!",
    "good_game": "Good game!",
    "goodbye": "Goodbye!",
}
