"""The words of PDN: what each piece of the text is, before anybody asks what it means."""

from __future__ import annotations

import re

__all__ = ["BRACKETS", "CLOSERS", "MOVE", "TAG", "TOKEN", "WORDS", "flat", "only_move", "tag"]

_MARK = "[-x:X×‐‑–—−]"
_LETTERS = rf"[a-lA-L]\d{{1,2}}(?:{_MARK}?[a-lA-L]\d{{1,2}}){{1,40}}"

#: a move in one piece, or one with blanks around its marks
MOVE = (
    rf"\d{{1,9}}(?:{_MARK}\d{{1,9}}){{1,40}}(?!\w)|{_LETTERS}(?!\w)"
    rf"|\d{{1,9}}[ \t]*{_MARK}[ \t]*\d{{1,9}}(?![\w/]|[ \t]*{_MARK})"
)

#: every kind of word by its name; what is between words is white
TOKEN = re.compile(
    rf"""
      (?P<number>\d{{1,9}}\.{{1,9}})
    | (?P<draw>1/2-1/2|½[-‐–]½|1/2(?![\w/]))
    | (?P<move>{MOVE})
    | (?P<comment>\{{[^}}]*\}}?)
    | (?P<strength>[!?]+|\([ ]?[!?]{{1,9}}[ ]?\))
    | (?P<nag>\$\d{{1,4}})
    | (?P<opens>\()
    | (?P<closes>\))
    | (?P<star>\*)
    | (?P<tag>\[)
    | (?P<unknown>\.\.+|-[ ]?-)
    | (?P<setup>/FEN[ \t]*"[^"\r\n]*"[ \t]*/)
    | (?P<line>(?:;|(?<![^\r\n])%)[^\r\n]*)
    | (?P<word>\S)
    """,
    re.X,
)

#: a run of words that are nothing else, on one line, or of one sign that closes or begins nothing
WORDS = re.compile(
    rf"(?:(?!{MOVE}|\d{{1,9}}\.)[^\s{{}}()\[\]$;*]+[^\S\r\n]*)+|\}}+|\]+|\$+(?=\$)|\S"
)

TAG = re.compile(r'\[[ \t]*([A-Za-z]\w*)\s+"((?:[^"\\\r\n]|\\[^\r\n])*)"[ \t]*\]')
_QUOTE = "[\"“”„'‘’«»]"
_OPENING = rf"\[[ \t]*[A-Za-z][\w-]*[ \t]*{_QUOTE}"
#: the same as people write it: quotes inside, other quotes, none at all, a line end inside; a
#: value ends where another tag opens, so that no part of a long line is looked at over and over
_LOOSE = re.compile(
    rf"""\[[ \t]*([A-Za-z][\w-]*)(?:
        [ \t]*{_QUOTE}(?P<quoted>(?:[^\r\n\[]|(?!{_OPENING})\[)*?)
        {_QUOTE}[ \t]*\](?=[ \t]*(?:[\r\n]|$|\[))
      | [ \t]*["“”„](?P<broken>[^"“”„\[\]{{}}]*)["“”„][ \t]*\]
      | [ \t]+(?P<bare>[^"\[\]\r\n]*)\]
    )""",
    re.X,
)
#: brackets that are no tag, or a run of them that begins nothing
BRACKETS = re.compile(r"\[[^\[\]\r\n]*\]|\[+(?=\[)|\[")
CLOSERS = re.compile(r"\)+")
_GOES_ON = re.compile(rf"[ \t]*(?:(\d{{1,9}})\.|{MOVE})")
_ESCAPE = re.compile(r'\\(["\\])')
_BREAK = re.compile(r"[\r\n]+")


def tag(text: str, at: int, head: bool) -> tuple[str, str, int, bool] | None:
    r"""Return name, value, end and whether it is good PDN, of the tag at a place; or ``None``.

    Only in the ``head`` of a game may a value go without quotes: further down, brackets
    around words are a remark.

    >>> tag('[Event "A \\"B\\""]', 0, True)
    ('Event', 'A "B"', 17, True)
    >>> tag("[Event Club]", 0, True), tag("[Black resigns]", 0, False)
    (('Event', 'Club', 12, False), None)
    """
    found = TAG.match(text, at)
    if found:
        value = found[2]
        return found[1], _ESCAPE.sub(r"\1", value) if "\\" in value else value, found.end(), True
    found = _LOOSE.match(text, at)
    if not found or (not head and found["bare"] is not None):
        return None
    value = next(
        part for part in (found["quoted"], found["broken"], found["bare"]) if part is not None
    )
    return found[1], flat(value), found.end(), False


def flat(text: str) -> str:
    """Return a text on one line, as it was meant before somebody broke it into several."""
    return " ".join(filter(None, map(str.strip, _BREAK.split(text))))


def only_move(text: str, at: int) -> bool:
    """Return whether the star at a place marks the move before it, rather than end the game.

    >>> only_move("1. 11-15* 24-20", 8), only_move("1. 11-15 *", 9)
    (True, False)
    """
    if text[at - 1 : at].isalnum():
        return True
    goes_on = _GOES_ON.match(text, at + 1)
    return bool(goes_on and goes_on[1] != "1")
