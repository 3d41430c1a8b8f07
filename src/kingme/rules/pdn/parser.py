"""The parser: it walks over the words of PDN, judges the moves, and tells a visitor.

A game ends with its result, or where tags or a first move begin the next. Nothing stops the
parser: what it cannot understand it notes, and it goes on with what follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from kingme.errors import KingmeError, MoveError
from kingme.rules.moves import Move
from kingme.rules.pdn.heading import Heading
from kingme.rules.pdn.lexer import BRACKETS, CLOSERS, MOVE, TOKEN, WORDS, flat, only_move, tag
from kingme.rules.pdn.places import Places
from kingme.rules.pdn.referee import Referee, State, referee
from kingme.rules.pdn.rescue import following, rescued
from kingme.rules.pdn.results import ENDS
from kingme.rules.pdn.source import Block
from kingme.rules.pdn.visitor import Note, Visitor
from kingme.rules.position import Position
from kingme.rules.variant import Variant

__all__ = ["Parser"]

_Found = re.Match[str]
#: notes that wait for a game to begin
_BEFORE = 100
#: variations in variations, before they are kept as remarks
_DEEPEST = 50
_BLANK = re.compile(r"(?:\r\n|\r|\n)[ \t]*[\r\n]")
_ASIDE = re.compile(r"\(([^(){}]*)\)")
_PARENS = re.compile(r"[()]|\{[^}]*\}?")
_PLAYED = re.compile(rf"{MOVE}|\d\.|/FEN")


@dataclass(slots=True)
class _Line:
    """A line of play: where it stands, and what was read of it last."""

    #: after the last move; ``None`` where nobody knows
    state: State
    #: the same before the last move
    before: State = None
    #: whether there is a last move
    begun: bool = False
    #: whether what is said now belongs in front of the next move
    ahead: bool = False
    #: the number that nothing follows yet
    number: str = ""
    #: line and column of the parenthesis
    opened: tuple[int, int] = (1, 1)


class Parser:
    """Reads blocks one after the other; :meth:`close` when there are no more."""

    def __init__(
        self, visitor: Visitor, variant: Variant | None, default: Variant | None = None
    ) -> None:
        self._visitor = visitor
        self._given = variant
        self._default = default
        self._referees: dict[Variant, Referee] = {}
        self._starts: dict[Variant, Position | None] = {}
        self._handlers: dict[str | None, Callable[[_Found], int | None]] = {
            "number": self._number,
            "draw": self._result,
            "move": self._move,
            "comment": self._comment,
            "strength": self._strength,
            "nag": self._nag,
            "opens": self._opens,
            "closes": self._closes,
            "star": self._star,
            "tag": self._tag,
            "unknown": self._unknown,
            "setup": self._setup,
            "line": self._rest_of_line,
            "word": self._words,
        }
        self._places = Places(Block(b"", 0, 1))
        self._text = ""
        #: the head of the game that is read; none between games
        self._head: Heading | None = None
        #: the main line and the variations that are open; none while the head is read
        self._lines: list[_Line] = []
        self._referee: Referee | None = None
        #: what was said before there is a move, and noted before there is a game
        self._said: list[str] = []
        self._noted: list[Note] = []
        self._stated = ""
        #: whether a tag or a move was seen, and a byte that is in no text
        self._games = self._garbled = False
        #: where the result ended; -1 in a game that has none yet
        self._closed = -1
        #: line and column of the result
        self._ended = (1, 1)
        #: where to look for a blank line behind it; -1 if one is known
        self._apart = -1
        #: where the last tag ended
        self._tagged = 0
        #: moves that went into an earlier one
        self._taken: tuple[int, ...] = ()

    def feed(self, block: Block) -> None:
        """Read a block."""
        self._places = Places(block)
        text = self._text = self._places.text
        self._taken = ()
        self._tagged = -1
        self._closed = min(self._closed, 0)
        if block.encoding and not text.isspace():
            message = f"the text is {block.encoding.upper()}, not UTF-8: it is read all the same"
            self._note("odd", message, 0, "")
        search, handlers, at = TOKEN.search, self._handlers, 0
        while found := search(text, at):
            at = handlers[found.lastgroup](found) or found.end()

    def close(self) -> None:
        """End the last game."""
        if not self._games and (self._head or self._said or self._noted):
            wrong = Note("error", "there is no game here: neither a tag nor a move", 1, 1)
            if self._head:
                self._visitor.note(wrong)
            else:
                self._noted.insert(0, wrong)
        if (self._said or self._noted) and not self._head:
            self._begin(0)
        if self._head:
            if not self._lines:
                self._begin_moves()
            for text in self._said:
                self._remark(text)
            self._said = []
            self._finish(len(self._text))

    # The parts of a game

    def _begin(self, at: int) -> Heading:
        self._visitor.begin(self._places.offset(at), self._places.line(at))
        self._head = Heading(self._given, self._default)
        for note in self._noted:
            self._visitor.note(note)
        self._noted = []
        return self._head

    def _begin_moves(self) -> None:
        """The tags are complete: now it is known what is played, and from where."""
        assert self._head is not None
        start, known = self._head.settle(self._visitor.note, self._starts)
        variant = start.variant
        self._visitor.setup(self._head.tags, start)
        self._referee = self._referees.get(variant) or referee(variant)
        self._referees[variant] = self._referee
        self._lines = [_Line(self._referee.state(start) if known else None)]
        for text in self._said:
            self._visitor.remark("comment", text)
        self._said = []

    def _line(self, at: int) -> _Line:
        """Return the line of play that a word at a place belongs to; a game begins if need be."""
        if self._closed >= 0:
            self._finish(at)
        if not self._lines:
            if not self._head:
                self._begin(at)
            self._begin_moves()
        return self._lines[-1]

    def _finish(self, at: int) -> None:
        """The game is over."""
        assert self._head is not None and self._referee is not None
        while len(self._lines) > 1:
            opened = self._lines.pop().opened
            self._visitor.note(Note("error", "this variation is never closed", *opened, "("))
            self._visitor.branch(False)
        if self._games and not self._head.first and not self._lines[0].begun:
            self._note("odd", "what ends here has no tag and no move: it is no game", at, "")
        state, judge = self._lines[0].state, self._referee
        over = state is not None and judge.over(state)
        last = judge.position(state) if over else None
        place = self._ended
        if self._closed <= 0:
            place = self._places.line(at), self._places.column(at)
        self._visitor.end(self._head.result(self._stated, last, self._visitor.note, place))
        self._head, self._lines, self._stated, self._closed = None, [], "", -1

    def _note(
        self, kind: Literal["repair", "error", "odd"], message: str, at: int, token: str
    ) -> None:
        note = Note(kind, message, self._places.line(at), self._places.column(at), token[:80])
        if not self._head and len(self._noted) >= _BEFORE:
            self._begin(at)  # so much before a game is a part of it, and its reader hears of it
        if self._head:
            self._visitor.note(note)
        else:
            self._noted.append(note)

    def _remark(self, text: str) -> None:
        """Something is said of the last move, or of the next, as at the head of a variation."""
        line = self._lines[-1]
        ahead = line.ahead or (len(self._lines) > 1 and not line.begun)
        self._visitor.remark("before" if ahead else "comment", text)

    def _say(self, text: str, at: int) -> None:
        """Something is said, perhaps before there is a move, perhaps behind a result."""
        if self._closed >= 0 and self._is_apart(at):
            self._said.append(text)  # of the next game, or of this one if there is no other
        elif self._lines:
            self._remark(text)
        else:
            self._said.append(text)

    def _is_apart(self, at: int) -> bool:
        """Whether a blank line is between the result and a place behind it."""
        if self._closed and self._apart >= 0:
            self._apart = -1 if _BLANK.search(self._text, self._apart, at) else at
        return not self._closed or self._apart < 0

    # Moves

    def _number(self, found: _Found) -> None:
        line = self._line(found.start())
        line.ahead = True
        line.number = found[0]

    def _move(self, found: _Found) -> None:
        text, at = found[0], found.start()
        if text in ENDS:
            self._result(found)
            return
        if at in self._taken:
            return
        self._games = True
        line = self._line(at)
        state = line.state
        judge = self._referee
        assert judge is not None and self._head is not None
        if state is None and self._head.states(text):
            self._result(found)
            return
        move: Move | None = None
        after: State = None
        if state is not None:
            try:
                move, after = judge.judge(state, text)
            except KingmeError as error:
                if self._head.states(text):
                    self._result(found)
                    return
                move, after = self._rescue(found, state, error)
            else:
                self._look(move, text, at)
        line.before, line.state, line.begun, line.ahead, line.number = state, after, True, False, ""
        self._visitor.move(text, move, partial(_position, judge, after))

    def _look(self, move: Move, text: str, at: int) -> None:
        """Say where the mark between the squares is not the one that the move asks for."""
        if move.captures:
            if "-" in text:
                self._note("odd", "a jump is written as a quiet move", at, text)
        elif "x" in text or ":" in text:
            self._note("odd", "a quiet move is written as a jump", at, text)

    def _rescue(self, found: _Found, state: State, error: KingmeError) -> tuple[Move | None, State]:
        """Understand a move by what follows it, and report that; or report the error."""
        assert self._referee is not None
        text, at = found[0], found.start()
        if isinstance(error, MoveError):
            rest = following(self._text, found.end(), inside=len(self._lines) > 1)
            repair = rescued(self._referee, state, text, error, rest)
            if repair:
                self._note("repair", repair.message, at, text)
                self._taken = repair.taken
                return repair.move, repair.state
        self._note("error", str(error), at, text)
        return None, None

    def _unknown(self, found: _Found) -> None:
        """A move that is left out; or mere dots where Black's move stands in print."""
        at = found.start()
        if self._taken and at < self._taken[-1]:
            return
        line = self._line(at)
        dots = found[0].startswith(".")
        state: State = None
        if line.state is not None:
            assert self._referee is not None
            position = self._referee.position(line.state)
            second = position.turn is not position.variant.first
            if dots and second and line.number.strip("0123456789") == ".":
                return
            black, white, kings = position.black, position.white, position.kings
            passed = Position(black, white, kings, position.turn.other, position.variant)
            state = self._referee.state(passed)
        self._note("odd", "a move is left out", at, found[0])
        self._put(line, "..." if dots else "- -", state)

    def _setup(self, found: _Found) -> None:
        """A position that is set up among the moves."""
        self._games = True
        line = self._line(found.start())
        assert self._referee is not None
        text = found[0]
        fen = text.split('"')[1]
        state: State = None
        variant = self._referee.variant
        try:
            state = self._referee.state(Position.from_fen(fen, variant, strict=False))
        except KingmeError as error:
            self._note("error", str(error), found.start(), fen)
        self._put(line, f'/FEN "{fen}"/', state)

    def _put(self, line: _Line, text: str, state: State) -> None:
        """What stands in the place of a move."""
        assert self._referee is not None
        line.before, line.state, line.begun, line.ahead, line.number = (
            line.state,
            state,
            True,
            False,
            "",
        )
        self._visitor.move(text, None, partial(_position, self._referee, state))

    # What is said of moves

    def _comment(self, found: _Found) -> None:
        text = found[0]
        if text[-1] != "}" or len(text) < 2:
            self._note("error", "this comment is never closed", found.start(), text)
            text += "}"
        self._say(flat(text[1:-1]), found.start())

    def _rest_of_line(self, found: _Found) -> None:
        """A remark behind ``;``, or a line behind ``%``, which keeps its mark."""
        self._say(found[0].removeprefix(";").strip(), found.start())

    def _strength(self, found: _Found) -> None:
        line = self._lines[-1] if self._lines else None
        text = found[0].replace(" ", "")
        if line and line.begun and self._closed < 0:
            self._visitor.remark("strength", text)
        else:
            self._aside(text, found.start())

    def _nag(self, found: _Found) -> None:
        line = self._lines[-1] if self._lines else None
        if line and line.begun and self._closed < 0:
            self._visitor.remark("nag", found[0][1:])
        else:
            self._aside(found[0], found.start())

    def _words(self, found: _Found) -> int:
        """Bare words: a remark that somebody forgot to put into braces."""
        at = found.start()
        run = WORDS.match(self._text, at)
        assert run is not None
        text = run[0].strip()
        if text[0] in "}]$":
            self._note("odd", f"a {text[0]} that closes or begins nothing", at, text)
        elif "\0" in text and not self._garbled:
            self._garbled = True
            self._note("error", "a byte that is in no text: what is this file?", at, text)
            self._say(flat(text), at)
        else:
            self._aside(text, at)
        return run.end()

    def _aside(self, text: str, at: int) -> None:
        """Something that stands in the open and is no move: it is kept as a remark."""
        self._note("odd", "this is no move: it is kept as a comment", at, text)
        self._say(flat(text), at)

    # Variations, results, tags

    def _opens(self, found: _Found) -> int | None:
        at = found.start()
        aside = _ASIDE.match(self._text, at)
        if aside and not _PLAYED.search(aside[1]):
            if aside[1].strip():
                self._aside(aside[1], at)
            else:
                self._note("odd", "there is nothing in these parentheses", at, aside[0])
            return aside.end()
        line = self._lines[-1] if self._lines and self._closed < 0 else None
        if not line or not line.begun or len(self._lines) > _DEEPEST:
            end = self._closing(at)
            self._aside(self._text[at + 1 : end].removesuffix(")"), at)
            return end
        place = self._places.line(at), self._places.column(at)
        self._lines.append(_Line(line.before, opened=place))
        self._visitor.branch(True)
        return None

    def _closing(self, at: int) -> int:
        """Return where a parenthesis is closed that cannot be a variation, or all ends."""
        depth = 0
        for found in _PARENS.finditer(self._text, at):
            depth += {"(": 1, ")": -1}.get(found[0], 0)
            if not depth:
                return found.end()
        return len(self._text)

    def _closes(self, found: _Found) -> int | None:
        if len(self._lines) < 2:
            run = CLOSERS.match(self._text, found.start())
            assert run is not None
            self._note("odd", "a ) that closes nothing", found.start(), run[0])
            return run.end()
        self._lines.pop()
        self._visitor.branch(False)
        self._lines[-1].ahead = True
        return None

    def _star(self, found: _Found) -> None:
        """The end of a game's text; or the mark of an only move, which old files write so."""
        at = found.start()
        if self._closed >= 0:
            return  # it only separates what the result has ended already
        line = self._lines[-1] if self._lines else None
        if line and line.begun and only_move(self._text, at):
            self._note("odd", "an only move is marked with a star: $7 is its sign", at, "*")
            self._visitor.remark("nag", "7")
            return
        self._result(found)

    def _result(self, found: _Found) -> None:
        at, text = found.start(), found[0]
        if self._closed >= 0 and not self._lines:
            self._closed = -1
        if len(self._lines) > 1 and self._closed < 0:
            self._aside(text, at)
            return
        self._line(at)
        self._stated, self._closed = text, found.end()
        self._apart = self._closed
        self._ended = self._places.line(at), self._places.column(at)

    def _tag(self, found: _Found) -> int:
        at, text = found.start(), self._text
        read = tag(text, at, not self._lines)
        if not read:
            brackets = BRACKETS.match(text, at)
            assert brackets is not None
            if brackets[0][-1] == "[":
                self._note("odd", "a [ that begins nothing", at, brackets[0])
            else:
                self._aside(brackets[0], at)
            return brackets.end()
        self._games = True
        name, value, end, good = read
        head = self._head
        if head and self._lines:
            self._finish(at)
            head = None
        elif (
            head
            and name == head.first
            and (self._tagged < 0 or _BLANK.search(text, self._tagged, at))
        ):
            self._begin_moves()
            self._finish(at)
            head = None
        head = head or self._begin(at)
        place = self._places.line(at), self._places.column(at)
        if not head.add(name, value, place):
            self._note("odd", f"the tag {name} comes twice: the first one counts", at, name)
        if not good:
            self._note("odd", f"the tag {name} is not written as it should be", at, text[at:end])
        self._tagged = end
        return end


def _position(judge: Referee, state: State) -> Position | None:
    return None if state is None else judge.position(state)
