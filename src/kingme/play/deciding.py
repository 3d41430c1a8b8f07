"""Whether a command may be, and what then happens. Each refusal is a sentence for the player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from kingme.errors import ClaimError, MoveError, Refusal
from kingme.play.applying import apply
from kingme.play.commands import (
    Abort,
    AcceptDraw,
    AcceptRematch,
    AcceptTakeback,
    ClaimDraw,
    ClaimGone,
    Command,
    DeclineDraw,
    DeclineRematch,
    DeclineTakeback,
    GameCommand,
    OfferDraw,
    OfferRematch,
    OfferTakeback,
    Play,
    Resign,
    Say,
    SetChat,
    ShiftClock,
    Wake,
)
from kingme.play.events import (
    Aborted,
    ChatSet,
    ClockShifted,
    Deserted,
    DrawAgreed,
    DrawClaimed,
    DrawDeclined,
    DrawOffered,
    Event,
    FlagFell,
    Moved,
    RematchDeclined,
    Rematched,
    RematchOffered,
    Resigned,
    Said,
    TakebackDeclined,
    TakebackOffered,
    TakenBack,
)
from kingme.play.phrases import PHRASES
from kingme.play.state import State, index
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["decide"]

#: how long a text in the chat may be
TEXT = 140
#: So that no game fills the store: how often each player may speak up besides the moves, and from
#: which version on nothing is taken back (moves end by themselves, see `state.LONGEST`).
TALK = 200
FULL = 4000

Events = tuple[Event, ...]
NOTHING: Events = ()


def decide(state: State, command: Command, now: int) -> Events:
    """What happens by a command at `now`: nothing where it is done already; or a `Refusal`.

    Where the time is over, that comes first, whatever the command.
    """
    now = max(now, state.at)
    if isinstance(command, ShiftClock):
        return _shift_clock(state, command, now)
    if command.id and command.by and command.id in state.seen[index(command.by)]:
        return NOTHING
    fallen = _overdue(state, now)
    if fallen is None:
        return _decided(state, command, now)
    try:
        return fallen, *_decided(apply(state, fallen), command, now)
    except Refusal:
        return (fallen,)


def _overdue(state: State, now: int) -> FlagFell | Deserted | Aborted | None:
    """The end that time brings, if it has come.

    Before the second move the game is called off, then a flag falls. Without a clock it is `IDLE`
    that is over: nobody's flag falls, but the side on the turn has deserted, and the other wins.
    """
    deadline = state.deadline()
    if deadline is None or now < deadline:
        return None
    running = state.clock.running
    if running is None:
        return Aborted(at=now)
    if state.started.control.kind == "unlimited":
        return Deserted(at=now, side=running)
    return FlagFell(at=now, side=running)


def _decided(state: State, command: Command, now: int) -> Events:
    kind = type(command)
    if kind is Wake:
        return NOTHING
    if command.by is None:
        _refuse("not_player", "Only the two players can do this.")
    if kind in _IN_PLAY and not state.playing:
        _refuse("game_over", "The game is over.")
    if kind in _AFTERWARDS and state.playing:
        _refuse("not_allowed", "The game is not over yet.")
    return _DECIDERS[kind](state, command, command.by, now)


def _refuse(code: str, message: str) -> NoReturn:
    raise Refusal(code, message)


def _sentence(error: Exception) -> str:
    """What the rules say, as a sentence."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


# --- moves ---


def _play(state: State, command: Play, by: Side, now: int) -> Events:
    if 0 <= command.ply < state.plies and _stands(state, command, by):
        return NOTHING
    if not state.playing:
        _refuse("game_over", "The game is over.")
    if command.ply != state.plies:
        _refuse("stale", "The game has gone on: look at the board and move again.")
    if by is not state.turn:
        _refuse("not_your_turn", f"It is {state.turn.title}'s turn.")
    try:
        move = _named(state.history.position, command.move)
    except MoveError as error:
        raise Refusal("illegal_move", _sentence(error)) from error
    charge = state.clock.charge(now, command.lag)
    if charge is None:
        return (FlagFell(at=now, side=by),)
    return (
        Moved(
            at=now,
            command=command.id,
            side=by,
            ply=command.ply,
            move=str(move),
            spent=charge.spent,
            credit=charge.credit,
        ),
    )


def _named(position: Position, text: str) -> Move:
    """The legal move of a text; told quickly where it is its whole route, as is usual."""
    for move in position.legal_moves:
        if str(move) == text:
            return move
    return position.parse(text)


def _stands(state: State, command: Play, by: Side) -> bool:
    """Whether `by` has played this very move already."""
    position = state.history.positions[command.ply]
    try:
        return position.turn is by and (
            _named(position, command.move) == state.history.moves[command.ply]
        )
    except MoveError:
        return False


def _offer_takeback(state: State, command: OfferTakeback, by: Side, now: int) -> Events:
    if state.takeback_offer is by.other:
        return _accept_takeback(state, command, by, now)
    plies = state.takeback(by)
    if plies > state.plies:
        _refuse("nothing_to_take_back", "You have no move to take back.")
    if state.takeback_offer is by:
        return NOTHING
    if state.version >= FULL:
        _refuse("not_allowed", "This game is so long that no more can be taken back.")
    if state.asked_takeback[index(by)]:
        _refuse("too_soon", "You have asked already: ask again after the next move.")
    return (TakebackOffered(at=now, command=command.id, side=by, plies=plies),)


def _accept_takeback(
    state: State, command: AcceptTakeback | OfferTakeback, by: Side, now: int
) -> Events:
    if state.takeback_offer is not by.other:
        _refuse("no_offer", "Your opponent does not ask to take back a move, or no longer.")
    ply = state.plies - state.takeback(by.other)
    return (TakenBack(at=now, command=command.id, side=by, ply=ply),)


def _decline_takeback(state: State, command: DeclineTakeback, by: Side, now: int) -> Events:
    if state.takeback_offer is not by.other:
        _refuse("no_offer", "Your opponent does not ask to take back a move, or no longer.")
    return (TakebackDeclined(at=now, command=command.id, side=by),)


# --- ways to end ---


def _resign(state: State, command: Resign, by: Side, now: int) -> Events:
    return (Resigned(at=now, command=command.id, side=by),)


def _offer_draw(state: State, command: OfferDraw, by: Side, now: int) -> Events:
    if state.draw_offer is by.other:
        return (DrawAgreed(at=now, command=command.id, side=by),)
    if not state.preset.agreement:
        _refuse("not_allowed", f"Under {state.preset.title} rules players cannot agree to a draw.")
    if state.draw_offer is by:
        return NOTHING
    if state.asked_draw[index(by)]:
        _refuse("too_soon", "You have offered a draw already: offer again after your next move.")
    return (DrawOffered(at=now, command=command.id, side=by),)


def _accept_draw(state: State, command: AcceptDraw, by: Side, now: int) -> Events:
    if state.draw_offer is not by.other:
        _refuse("no_offer", "Your opponent does not offer a draw, or no longer.")
    return (DrawAgreed(at=now, command=command.id, side=by),)


def _decline_draw(state: State, command: DeclineDraw, by: Side, now: int) -> Events:
    if state.draw_offer is not by.other:
        _refuse("no_offer", "Your opponent does not offer a draw, or no longer.")
    return (DrawDeclined(at=now, command=command.id, side=by),)


def _claim_draw(state: State, command: ClaimDraw, by: Side, now: int) -> Events:
    if by is not state.turn:
        _refuse("not_your_turn", "Only the player on the turn can claim a draw.")
    move = None
    try:
        outcome = state.history.claim(state.preset, by, command.move)
        if command.move is not None:
            move = str(_named(state.history.position, command.move))
    except ClaimError as error:
        raise Refusal("no_claim", _sentence(error)) from error
    return (
        DrawClaimed(
            at=now,
            command=command.id,
            side=by,
            termination=outcome.termination.value,
            move=move,
        ),
    )


def _abort(state: State, command: Abort, by: Side, now: int) -> Events:
    if state.plies >= 2:
        _refuse("too_late", "A game can be called off only before its second move.")
    return (Aborted(at=now, command=command.id, side=by),)


def _claim_gone(state: State, command: ClaimGone, by: Side, now: int) -> Events:
    if state.plies < 2:
        _refuse("too_soon", "Before the second move a game is called off, not claimed.")
    patience = state.patience(command.left)
    if patience is None:
        _refuse("not_allowed", "With days for a move, nobody has to be there: the clock decides.")
    if command.absent < patience:
        _refuse("not_gone", "Your opponent is here, or has not been gone for long enough.")
    return (Deserted(at=now, command=command.id, side=by.other, claimed=command.claim),)


# --- around the game ---


def _offer_rematch(state: State, command: OfferRematch, by: Side, now: int) -> Events:
    if state.next_game or state.rematch_offer is by:
        return NOTHING
    if state.rematch_offer is by.other:
        if not command.game:
            _refuse("not_allowed", "Your opponent offers a rematch: accept it.")
        return (Rematched(at=now, command=command.id, side=by, game=command.game),)
    _bound(state, by)
    return (RematchOffered(at=now, command=command.id, side=by),)


def _accept_rematch(state: State, command: AcceptRematch, by: Side, now: int) -> Events:
    if state.next_game:
        return NOTHING
    if state.rematch_offer is not by.other:
        _refuse("no_offer", "Your opponent does not offer a rematch, or no longer.")
    return (Rematched(at=now, command=command.id, side=by, game=command.game),)


def _decline_rematch(state: State, command: DeclineRematch, by: Side, now: int) -> Events:
    if state.rematch_offer is not by.other:
        _refuse("no_offer", "Your opponent does not offer a rematch, or no longer.")
    return (RematchDeclined(at=now, command=command.id, side=by),)


def _set_chat(state: State, command: SetChat, by: Side, now: int) -> Events:
    if state.chat[index(by)] is command.on:
        return NOTHING
    # Off can always be said: nobody has to listen.
    if command.on:
        _bound(state, by)
    return (ChatSet(at=now, command=command.id, side=by, on=command.on),)


def _say(state: State, command: Say, by: Side, now: int) -> Events:
    if (command.phrase is None) is (command.text is None):
        _refuse("not_allowed", "Say either a phrase or a text.")
    _bound(state, by)
    if command.phrase is not None:
        if command.phrase not in PHRASES:
            _refuse("not_allowed", "There is no such phrase.")
        return (Said(at=now, command=command.id, side=by, phrase=command.phrase),)
    if not all(state.chat):
        _refuse("not_allowed", "Texts can be sent while both players have the chat on.")
    text = _clean(command.text or "")
    if not 1 <= len(text) <= TEXT:
        _refuse("not_allowed", f"A text has 1 to {TEXT} characters.")
    return (Said(at=now, command=command.id, side=by, text=text),)


def _clean(text: str) -> str:
    """The text on one line, without characters that are not seen or that turn others round."""
    seen = "".join(sign for sign in text if sign.isprintable() or sign.isspace())
    return " ".join(seen.split())


def _bound(state: State, by: Side) -> None:
    """Refuse to let one game's log grow without end."""
    if state.talk[index(by)] >= TALK:
        _refuse("not_allowed", "You have said all that one game has room for.")


# --- the server ---


def _shift_clock(state: State, command: ShiftClock, now: int) -> Events:
    if command.by is not None:
        _refuse("not_allowed", "Nobody can do this.")
    if not state.playing or command.outage in state.outages:
        return NOTHING
    since = state.clock.shift(command.since, command.until)
    if since is None:
        return NOTHING
    return (ClockShifted(at=now, outage=command.outage, since=since),)


_DECIDERS: dict[type[GameCommand], Callable[[State, Any, Side, int], Events]] = {
    Play: _play,
    Resign: _resign,
    OfferDraw: _offer_draw,
    AcceptDraw: _accept_draw,
    DeclineDraw: _decline_draw,
    ClaimDraw: _claim_draw,
    OfferTakeback: _offer_takeback,
    AcceptTakeback: _accept_takeback,
    DeclineTakeback: _decline_takeback,
    OfferRematch: _offer_rematch,
    AcceptRematch: _accept_rematch,
    DeclineRematch: _decline_rematch,
    Abort: _abort,
    ClaimGone: _claim_gone,
    SetChat: _set_chat,
    Say: _say,
}
_AFTERWARDS = frozenset({OfferRematch, AcceptRematch, DeclineRematch})
#: what needs a game that goes on; a move that stands is acknowledged even after the end
_IN_PLAY = frozenset(_DECIDERS) - _AFTERWARDS - {Play, SetChat, Say}
