"""A game under anything that both players and the server can send, in any order, at any time."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.play.sitting import DORA, KINGS, NOW, WIM

from kingme import PRESETS, Move, Outcome, Side, Termination
from kingme.errors import Refusal
from kingme.play.applying import LINES, SEEN
from kingme.play.clock import LEAST, Clock, TimeControl
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
from kingme.play.deciding import TALK
from kingme.play.events import (
    Aborted,
    Deserted,
    Event,
    FlagFell,
    Moved,
    RematchDeclined,
    Rematched,
    RematchOffered,
    Said,
    Settled,
    Started,
    TakebackOffered,
    TakenBack,
    decode,
    encode,
)
from kingme.play.events import ChatSet as ChatWasSet
from kingme.play.game import State, apply, begin, decide, rematch, replay, result
from kingme.play.ports import Result
from kingme.play.views import event_view, game_view

#: Only the two players may ever read this.
SECRET = "between us"
CONTROLS = ["0:15+0", "1+1", "5+3", "10+0", "60+30", "5 s a move", "1 day a move", "no clock"]
STARTS = [None, None, KINGS, "W:W18,31:B14,2", "B:W13,21,K30:B5,K1,12", "W:WK22:B10,11,18"]
REFUSALS = {
    *("not_your_turn", "stale", "illegal_move", "game_over", "no_offer", "too_soon"),
    *("not_allowed", "nothing_to_take_back", "no_claim", "not_gone", "too_late", "not_player"),
}
#: what may still happen when a game is over
AFTERWARDS = (RematchOffered, RematchDeclined, Rematched, ChatWasSet, Said, Settled)

sides = st.sampled_from([*Side, *Side, *Side, None])
ids = st.sampled_from(["", "", "a", "b", "c", "d", "e", "f"])
texts = st.sampled_from(
    ["11-15", "22-18", "9-13", "1-5", "6x1", "18x9", "99-1", "", "?", "x" * 300]
)
plies = st.integers(-2, 40)
PLAIN: list[Callable[..., Command]] = [
    Resign,
    AcceptDraw,
    DeclineDraw,
    AcceptTakeback,
    DeclineTakeback,
    DeclineRematch,
    Abort,
]
OFFERS: list[Callable[..., Command]] = [
    OfferDraw,
    OfferTakeback,
    AcceptDraw,
    AcceptTakeback,
    DeclineDraw,
    DeclineTakeback,
]


def asked(kind: Callable[..., Command], **fields: st.SearchStrategy) -> st.SearchStrategy[Command]:
    return st.builds(kind, by=sides, id=ids, **fields)


commands = st.one_of(
    asked(Play, ply=plies, move=texts, lag=st.integers(-100, 9_000)),
    *(asked(kind) for kind in PLAIN),
    *(asked(kind) for kind in OFFERS),
    asked(OfferRematch, game=st.sampled_from(["", "NEXT"])),
    asked(AcceptRematch, game=st.just("NEXT")),
    asked(ClaimDraw, move=st.none() | texts),
    asked(
        ClaimGone,
        claim=st.sampled_from(["win", "draw"]),
        absent=st.sampled_from([0, 11_999, 12_000, 120_000, 400_000]),
        left=st.booleans(),
    ),
    asked(SetChat, on=st.sampled_from([True, True, False])),
    asked(
        Say,
        phrase=st.sampled_from([None, None, "hello", "nonsense"]),
        text=st.sampled_from([None, SECRET, SECRET, "", "x" * 141]),
    ),
    asked(Wake),
)


class GameMachine(RuleBasedStateMachine):
    """One game. `sent` are all commands so far."""

    @initialize(
        control=st.sampled_from(CONTROLS),
        preset=st.sampled_from(list(PRESETS)),
        start=st.sampled_from(STARTS),
        rated=st.booleans(),
        first=st.integers(0, 12),
        data=st.data(),
    )
    def start(self, control, preset, start, rated, first, data):
        self.now = NOW
        started = Started(
            at=NOW,
            black=DORA,
            white=WIM,
            control=TimeControl.parse(control),
            preset=preset,
            start=start,
            rated=rated,
        )
        self.state: State = begin(started)
        self.log: list[Event] = [started]
        self.sent: list[Command] = []
        self.asked: Command | None = None
        self.outages = 0
        #: the game as it was when it ended
        self.final: State | None = None
        for _ in range(first):
            if self.state.playing:
                self.move(data, 0, "")

    def send(self, command: Command) -> tuple[Event, ...] | None:
        """Decide and apply, as the server does; None where the command is refused."""
        before = self.state
        known = command.by and command.id and command.id in before.seen[command.by is Side.WHITE]
        self.asked = command
        events: tuple[Event, ...] | None = None
        refusal: Refusal | None = None
        try:
            events = decide(before, command, self.now)
        except Refusal as refused:
            refusal = refused
        assert self.state == before
        if refusal:
            message = str(refusal)
            assert refusal.code in REFUSALS
            assert message[0].upper() == message[0] and message.endswith(".")
            assert len(message) < 700
        if known:
            assert events == ()
        for event in events or ():
            self.happen(event)
        self.sent.append(command)
        return events

    def happen(self, event: Event):
        before = self.state
        self.state = apply(before, decode(encode(event)))
        self.log.append(event)
        self.check_step(before, event)

    def check_step(self, before: State, event: Event):
        after = self.state
        assert after.version == before.version + 1
        assert after.at >= max(before.at, event.at)
        if not before.playing:
            assert isinstance(event, AFTERWARDS)
        if isinstance(event, Moved):
            assert (event.side, event.ply) == (before.turn, before.plies)
            assert after.draw_offer in {None, event.side}
            assert after.takeback_offer is None
            assert after.turn is before.turn.other
            if before.clock.running:
                assert event.credit <= before.clock.quota[event.side is Side.WHITE]
        elif isinstance(event, TakenBack):
            assert before.takeback_offer is event.side.other
            assert 1 <= before.plies - after.plies <= 2
            assert after.turn is event.side.other
            assert after.draw_offer is after.takeback_offer is None
            self.check_taken_back(before, event)
        else:
            assert after.history is before.history
        timeless = before.started.control.kind == "unlimited"
        by_time = (
            isinstance(event, FlagFell)
            or (isinstance(event, Aborted) and event.side is None)
            or (isinstance(event, Deserted) and not isinstance(self.asked, ClaimGone))
        )
        if by_time:
            deadline = before.deadline()
            assert deadline is not None
            assert event.at >= deadline or isinstance(event, FlagFell)
        if isinstance(event, FlagFell):
            assert not timeless
        if isinstance(event, Deserted) and by_time:
            assert timeless
            assert after.outcome == Outcome(before.turn.other, Termination.DESERTION)

    def check_taken_back(self, before: State, event: TakenBack):
        """What was used stays used, and moves that do not stand have earned nothing."""
        control, used = before.started.control, before.clock.stopped(event.at).left
        if control.kind != "increment":
            assert self.state.clock.left == before.clock.left
            return
        for place, side in enumerate(Side):
            undone = [
                ply
                for ply in range(event.ply, before.plies)
                if ply >= 2 and before.history.positions[ply].turn is side
            ]
            assert len(undone) <= 1
            rest, left = used[place], self.state.clock.left[place]
            assert rest - left <= len(undone) * control.increment
            assert left in {rest - len(undone) * control.increment, min(rest, LEAST)}

    # --- what the players and the server do ---

    @rule(ms=st.sampled_from([0, 1, 300, 300, 300, 2_000, 2_000, 9_000, -4_000]))
    def wait(self, ms):
        self.now += ms

    @precondition(lambda self: self.state.playing)
    @rule(data=st.data(), lag=st.integers(0, 1_500), name=ids)
    def move(self, data, lag, name):
        """The player on the turn plays a legal move: it counts, unless the time is over."""
        state, side = self.state, self.state.turn
        move = data.draw(st.sampled_from(state.history.position.legal_moves))
        events = self.send(Play(by=side, id=name, ply=state.plies, move=str(move), lag=lag))
        known = name and name in state.seen[side is Side.WHITE]
        assert events is not None
        assert [type(event) for event in events] in (
            [[]] if known else [[Moved], [FlagFell], [Aborted]]
        )

    @precondition(lambda self: self.state.playing)
    @rule(data=st.data())
    def moves(self, data):
        """Both play on quickly, so that games get somewhere."""
        for _ in range(data.draw(st.integers(1, 20))):
            if self.state.playing:
                self.move(data, 0, "")

    @rule(command=commands)
    def ask(self, command):
        self.send(command)

    @rule(kind=st.sampled_from([*OFFERS, OfferDraw, OfferTakeback]), by=st.sampled_from(list(Side)))
    def talk_about_it(self, kind, by):
        self.send(kind(by=by))

    @rule(by=st.sampled_from(list(Side)))
    def chat(self, by):
        """Both open the chat, and one says what nobody else may read."""
        for side in Side:
            self.send(SetChat(by=side, on=True))
        self.send(Say(by=by, text=SECRET))

    @precondition(lambda self: self.state.playing)
    @rule()
    def claim(self):
        """Whatever can be claimed is a draw, unless the time is over."""
        by = self.state.turn
        for reason in self.state.history.claimable(self.state.preset)[:1]:
            move = str(reason) if isinstance(reason, Move) else None
            assert self.send(ClaimDraw(by=by, move=move))
            assert not self.state.playing

    @precondition(lambda self: not self.state.playing)
    @rule(
        kind=st.sampled_from([OfferRematch, AcceptRematch, DeclineRematch]),
        by=st.sampled_from(list(Side)),
    )
    def go_on(self, kind, by):
        more = {} if kind is DeclineRematch else {"game": "NEXT"}
        self.send(kind(by=by, **more))

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def repeat(self, data):
        """A command comes again, perhaps much later."""
        self.send(data.draw(st.sampled_from(self.sent)))

    @precondition(lambda self: self.state.plies)
    @rule(data=st.data())
    def resend(self, data):
        """A move that stands comes again under another id: it is acknowledged, nothing else."""
        ply = data.draw(st.integers(0, self.state.plies - 1))
        by = self.state.history.positions[ply].turn
        move = str(self.state.history.moves[ply])
        events = self.send(Play(by=by, id="again", ply=ply, move=move))
        assert events is not None
        assert not any(isinstance(event, Moved) for event in events)

    @rule(wait=st.sampled_from([*[False] * 9, True]), late=st.integers(0, 3))
    def wake(self, wait, late):
        """The server's timer, too early or a little late."""
        deadline = self.state.deadline()
        if wait and deadline is not None:
            self.now = max(self.now, deadline + late)
        events = self.send(Wake(by=None))
        assert events is not None
        assert bool(events) is (deadline is not None and max(self.now, self.log[-1].at) >= deadline)

    @precondition(lambda self: self.state.playing)
    @rule(by=st.sampled_from(list(Side)), again=st.booleans())
    def take_back(self, by, again):
        """A takeback that both want: it happens, if there is something and the time allows it."""
        before = self.state
        asks = self.send(OfferTakeback(by=by))
        agrees = self.send(AcceptTakeback(by=by.other))
        if asks and isinstance(asks[0], TakebackOffered):
            assert agrees is not None
            assert isinstance(agrees[0], TakenBack)
            assert self.state.history == before.history.back(before.takeback(by))
        if again:
            self.send(AcceptTakeback(by=by.other))

    @rule(down=st.integers(-20_000, 5_000), last=st.integers(0, 900_000), again=st.booleans())
    def outage(self, down, last, again):
        since = self.now + down
        self.now = max(self.now, since) + last
        self.outages += 1
        shift = ShiftClock(by=None, outage=self.outages, since=since, until=self.now)
        used = self.state.clock.elapsed(since)
        events = self.send(shift)
        if events:
            assert self.state.clock.elapsed(self.now) <= used
        if again:
            assert self.send(shift) == ()

    @precondition(lambda self: not self.state.playing and not self.state.settled)
    @rule()
    def settle(self):
        self.happen(Settled(at=self.now))

    # --- what always holds ---

    @invariant()
    def the_log_is_the_game(self):
        assert self.state.version == len(self.log)
        assert replay(self.log) == self.state
        assert replay([decode(encode(event)) for event in self.log]) == self.state

    @invariant()
    def a_game_over_stays_over(self):
        if self.final is None and not self.state.playing:
            self.final = self.state
        if self.final is None:
            assert self.state.outcome is None
            assert result(self.state) is None
            return
        now, then = self.state, self.final
        assert (now.end, now.outcome, now.history) == (then.end, then.outcome, then.history)
        assert (now.clock, now.status) == (then.clock, then.status)
        assert now.draw_offer is now.takeback_offer is None
        assert now.deadline() is None
        assert now.end is not None
        assert result(now) == (
            Result(now.outcome.winner, now.outcome.termination.value)
            if isinstance(now.outcome, Outcome)
            else Result(None, "aborted")
        )

    @invariant()
    def the_board_agrees(self):
        """Where the game goes on, the board does not say that it is over."""
        if self.state.playing:
            assert self.state.history.outcome(self.state.preset) is None

    @invariant()
    def the_clock_is_sound(self):
        clock: Clock = self.state.clock
        assert min(clock.left) >= 0
        assert min(clock.quota) >= 0
        if self.state.playing:
            assert clock.running is (self.state.turn if self.state.plies >= 2 else None)

    @invariant()
    def the_deadline_is_the_first_moment_to_wake(self):
        deadline = self.state.deadline()
        if deadline is None:
            assert decide(self.state, Wake(by=None), self.now + 10**12) == ()
        elif deadline > self.state.at:
            assert decide(self.state, Wake(by=None), deadline - 1) == ()
            assert len(decide(self.state, Wake(by=None), deadline)) == 1

    @invariant()
    def memory_is_bounded(self):
        assert max(map(len, self.state.seen)) <= SEEN
        assert len(self.state.lines) <= LINES
        assert max(self.state.talk) <= TALK + 1

    @invariant()
    def spectators_see_no_talk(self):
        shown = msgspec.json.encode(
            [
                game_view(self.state, "GAME", None, {}),
                [event_view(event, None, self.state) for event in self.log],
            ]
        )
        assert SECRET.encode() not in shown
        assert b"phrase" not in shown
        assert b'"chat":null' in shown
        for side in Side:
            whole = game_view(self.state, "GAME", side, {})
            assert whole.chat is not None
            assert len(whole.chat.lines) == len(self.state.lines)

    @invariant()
    def the_next_game_can_begin(self):
        after = begin(rematch(self.state, "GAME", self.now))
        assert after.side_of(DORA) is Side.WHITE
        assert after.version == 1


TestGame = GameMachine.TestCase
TestGame.settings = settings(max_examples=100, stateful_step_count=40)
