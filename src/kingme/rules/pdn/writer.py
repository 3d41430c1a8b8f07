"""Writing PDN: a game as text that is read back to the same game."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kingme.rules.moves import Move
from kingme.rules.pdn.results import ENDS, is_result
from kingme.rules.pdn.tags import Tags
from kingme.rules.pdn.tree import Game, Node
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS

__all__ = ["write"]

_NAME = re.compile(r"[A-Za-z][\w-]*")


def write(game: Game, *, short: bool = False, letters: bool = False, columns: int = 79) -> str:
    r"""Return a game as PDN, with a newline at its end; a blank line joins several to a file.

    Moves are whole routes; ``short`` leaves landings out where the first and the last square
    name one route. ``letters`` writes ``c3-d4``. No line of moves is longer than ``columns``
    unless one word is. Tags are written as they are; a start or a variant that no tag tells
    is told. ``ValueError`` for what PDN has no room for: a name that no tag can have, a result
    that is none, a sign below 0, a strength of other marks, a variation without a move.

    >>> from kingme.rules.pdn import read
    >>> game, = read('[Event "A"] 11x15! {on} (12-16?) 1... 24-20 $4 1-0')
    >>> print(write(game, letters=True), end="")
    [Event "A"]
    <BLANKLINE>
    1. f6-e5! {on} (1. h6-g5?) 1... g3-h4 $4 1-0
    """
    head = [f'[{name} "{_escaped(value)}"]' for name, value in _tags(game)]
    lines = [""]
    whole = False  # a comment that only the end of its line ends
    for word in _Words(short, letters).of(game):
        line = f"{lines[-1]} {word}" if lines[-1] else word
        if not whole and (len(line) <= columns or not lines[-1]):
            lines[-1] = line
        else:
            lines.append(word)
        whole = word.startswith(";")
    return "\n".join([*head, "", *lines, ""] if head else [*lines, ""])


def _tags(game: Game) -> list[tuple[str, str]]:
    tags, start = Tags(game.tags.items()), game.start
    for name in tags:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a tag: one is like Event or TimeControl")
    if not is_result(game.result or "*"):
        known = ", ".join(ENDS)
        raise ValueError(f"{game.result!r} is no result: there are {known}, and points as in 12-8")
    if game.result and game.result not in ENDS and not tags.find("Result"):
        tags.add("Result", game.result)
    if not tags.find("GameType") and start.variant != ENGLISH:
        if start.variant.game_type:
            tags.add("GameType", str(start.variant.game_type))
        elif VARIANTS.get(tags.find("Variant").lower()) != start.variant:
            tags.add("Variant", start.variant.name)
    if not tags.find("FEN") and start != Position.start(start.variant):
        tags.add("SetUp", "1")
        tags.add("FEN", start.fen)
    return tags.items()


def _escaped(value: str) -> str:
    """A tag's value on one line, its quotes and backslashes marked."""
    return _flat(value).replace("\\", "\\\\").replace('"', '\\"')


def _flat(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


class _Words:
    """The words of a game's body, each of which stays on one line."""

    def __init__(self, short: bool, letters: bool) -> None:
        self._short, self._letters = short, letters

    def of(self, game: Game) -> Iterator[str]:
        """Yield everything behind the tags."""
        for comment in game.comments:
            yield from _comment(comment)
        late = game.start.turn is not game.start.variant.first
        yield from self._line(game.line, int(late), game.start)
        yield game.result if game.result in ENDS else "*"  # points are in the tag

    def _line(self, line: list[Node], ply: int, position: Position | None) -> Iterator[str]:
        alone = True  # nothing stands before the move that would tell its number
        for node in line:
            number, second = divmod(ply, 2)
            setup = node.move is None and node.text.startswith("/")
            number_said = f"{number + 1}.{'..' * second}"
            if node.before:
                yield number_said
                for comment in node.before:
                    yield from _comment(comment)
                yield self._said(node, position)
            elif (alone or not second) and not setup:
                yield f"{number_said} {self._said(node, position)}"
            else:
                yield self._said(node, position)
            if any(nag < 0 for nag in node.nags):
                raise ValueError(f"there is no sign ${min(node.nags)}: they are numbered from 0")
            yield from (f"${nag}" for nag in node.nags)
            for comment in node.comments:
                yield from _comment(comment)
            for variation in node.variations:
                if not variation:
                    raise ValueError(f"a variation behind {node.text} has no move")
                words = list(self._line(variation, ply, position))
                words[0] = f"({words[0]}"
                if words[-1].startswith(";"):
                    words.append("")
                words[-1] += ")"
                yield from words
            alone = bool(node.comments or node.variations)
            position = node.position
            ply += 1
            if setup and position:
                ply = 2 * number + (position.turn is not position.variant.first)

    def _said(self, node: Node, position: Position | None) -> str:
        if node.strength.strip("!?()"):
            raise ValueError(f"{node.strength!r} is no strength: one is of ! and ?")
        return f"{self._text(node.move, node, position)}{node.strength}"

    def _text(self, move: Move | None, node: Node, position: Position | None) -> str:
        if move is None:
            return node.text
        if self._short and position and len(move.path) > 2:
            ends = move.start, move.end
            if sum((m.start, m.end) == ends for m in position.legal_moves) == 1:
                move = Move((move.start, move.end), move.captures)
        if self._letters and node.position:
            return move.letters(node.position.variant.geometry)
        return str(move)


def _comment(text: str) -> list[str]:
    """A comment in words. No line may begin with a mark that other readers take for more.

    A comment with a closing brace goes to the end of its line.
    """
    if "}" in text:
        return [f";{_flat(text)}"]
    words: list[str] = []
    for word in f"{{{_flat(text)}}}".split(" "):
        if words and (
            not word
            or not words[-1].split(" ")[-1]
            or word[0] in "%["
            or word[0].isspace()
            or words[-1][-1].isspace()
        ):
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words
