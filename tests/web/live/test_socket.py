"""The live connection from the outside: real sockets, a real server, a real store."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket as sockets
import struct
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.web.live.place import BLITZ, PATIENCE, Line, Place, begin, opened
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from kingme.play.events import Moved, Settled
from kingme.rules.history import History
from kingme.rules.outcome import PRESETS
from kingme.web.live.feed import LONGEST
from kingme.web.live.frames import SUBPROTOCOL
from kingme.web.live.meter import BUDGETS, Bucket
from kingme.web.live.socket import EXCESS
from kingme.web.live.sockets import CHECK, SILENT
from kingme.web.serve import Connection

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Iterator[Place]:
    with opened(tmp_path_factory.mktemp("place")) as made:
        yield made


async def refused(place: Place, **more: Any) -> tuple[int, str]:
    """The status and the code of a handshake that is turned down."""
    with pytest.raises(InvalidStatus) as caught:
        async with place.knock(**more):
            pass
    response = caught.value.response
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    problem = json.loads(response.body or b"")["error"]
    assert problem["message"].endswith(".")
    return response.status_code, problem["code"]


def plain(place: Place) -> ClientConnection:
    """A connection of a program that is no page."""
    return connect(
        f"ws://127.0.0.1:{place.port}/live",
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        proxy=None,
    )


class TestDoor:
    async def test_a_visitor_and_a_person_are_welcomed(self, place):
        (person,) = place.people(1)
        async with place.knock() as line:
            welcome = await line.next()
            assert welcome["t"] == "welcome" and welcome["you"] is None
        async with place.knock(person) as line:
            you = (await line.next())["you"]
            assert (you["id"], you["name"], you["guest"]) == (person.id, person.name, False)

    @pytest.mark.parametrize(
        "origin",
        [
            "https://evil.example",
            "http://127.0.0.1:1",
            "http://localhost",
            "null",
            "",
            "http://[",
            "file://",
        ],
    )
    async def test_a_page_from_elsewhere_is_not_let_in(self, place, origin):
        found = await refused(place, headers={"Origin": origin})
        assert found == (403, "cross_origin")

    async def test_programs_that_are_no_page_may_leave_the_origin_out(self, place):
        with plain(place) as line:
            assert json.loads(line.recv())["t"] == "welcome"

    async def test_another_name_of_the_server_is_refused(self, place):
        name = "evil.example"
        headers = {"Origin": f"http://{name}:{place.port}"}
        assert await refused(place, name=name, headers=headers) == (400, "wrong_host")
        assert await refused(place, headers=headers) == (403, "cross_origin")

    async def test_without_the_protocol_nothing_is_spoken(self, place):
        assert await refused(place, protocols=[]) == (400, "wrong_protocol")
        assert await refused(place, protocols=["chat", "mqtt"]) == (400, "wrong_protocol")

    @pytest.mark.parametrize("name", ["kingme.0", "kingme.2"])
    async def test_a_page_of_another_release_is_told_to_reload(self, place, name):
        async with place.knock(protocols=["x", name]) as line:
            code, said = await line.end()
        assert code == 1008
        assert said == [{"t": "bye", "reason": "release", "after": None}]

    async def test_a_cookie_of_nobody_makes_a_visitor(self, place):
        async with place.knock(headers={"Cookie": f"kingme_session={'x' * 43}"}) as line:
            assert (await line.next())["you"] is None

    async def test_so_many_sockets_of_a_user_and_no_more(self, place):
        (person,) = place.people(1)
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(place.settings.sockets_per_user):
                await stack.enter_async_context(place.visit(person))
            async with place.knock(person) as line:
                code, said = await line.end()
            assert code == 1008
            assert said == [{"t": "bye", "reason": "too_many", "after": None}]

    async def test_so_many_sockets_of_an_address_and_no_more(self, tmp_path):
        with opened(tmp_path, sockets_per_address=2) as place:
            async with place.visit(), place.visit():
                async with place.knock() as line:
                    code, said = await line.end()
                assert code == 1008
                assert said[0]["reason"] == "too_many"
            async with place.visit():  # what is closed counts no more
                pass

    async def test_a_connection_that_was_upgraded_has_no_head_to_send_any_more(
        self, place, monkeypatch
    ):
        upgraded = []
        hand_over = Connection.handle_websocket_upgrade

        def note(connection: Connection, event: Any) -> None:
            upgraded.append(connection)
            hand_over(connection, event)

        monkeypatch.setattr(Connection, "handle_websocket_upgrade", note)
        async with place.visit() as line:
            await line.alive()
            (connection,) = upgraded
            assert connection._deadline is None


class TestGames:
    async def test_two_people_play_a_game_to_its_end(self, place):
        chance = random.Random(11)
        dora, wim = place.people(2, chips=100)
        async with place.visit(dora) as one, place.visit(wim) as two:
            seek = await one.ask("seek", control=BLITZ, rated=True, stake=50, side="W")
            joined = await two.ask("join", seek=seek["seek"])
            game = joined["game"]
            assert (await one.hear("paired"))["side"] == "W"
            lines = {"W": one, "B": two}
            for side, line in lines.items():
                await line.send({"t": "follow", "game": game})
                shown = (await line.hear("game"))["game"]
                assert (shown["you"], shown["stake"], shown["rated"]) == (side, 50, True)
            history, version = History.start(), 1
            while history.outcome(PRESETS["standard"]) is None:
                move = str(chance.choice(history.position.legal_moves))
                side, ply = history.position.turn.code, len(history.moves)
                answer = await lines[side].do(game, "play", ply=ply, move=move)
                version += 1
                assert answer["t"] == "ack" and answer["version"] >= version
                assert self.moves(place, game)[ply] == move  # durable before it is said
                other = lines["W" if side == "B" else "B"]
                heard = await other.hear("events", after=version - 1)
                assert heard["events"][0]["move"] == move
                history = history.play(move)
        events = place.store.games.events(game)
        assert isinstance(events[-1], Settled)
        assert not place.store.ledger.check()
        assert [str(move) for move in history.moves] == self.moves(place, game)

    @staticmethod
    def moves(place: Place, game: str) -> list[str]:
        events = place.store.games.events(game)
        return [event.move for event in events if isinstance(event, Moved)]

    async def test_who_comes_back_gets_just_what_was_missed(self, place):
        dora, wim = place.people(2)
        async with place.visit(wim) as two:
            async with place.visit(dora) as one:
                game = await begin(one, two)
                await one.do(game, "play", ply=0, move="11-15")
                await one.send({"t": "follow", "game": game})
                assert (await one.hear("game"))["game"]["version"] == 2
            await two.do(game, "play", ply=1, move="22-18")
            await two.do(game, "offer_draw")
            async with place.visit(dora) as one:
                await one.send({"t": "follow", "game": game, "version": 2})
                missed = await one.hear("events", game=game)
                assert missed["after"] == 2
                assert [event["kind"] for event in missed["events"]] == ["moved", "draw_offered"]
                assert missed["clock"]["running"] == "B"
                await one.send({"t": "follow", "game": game, "version": 4})
                assert (await one.hear("events"))["events"] == []
                await one.send({"t": "follow", "game": game, "version": 99})
                assert (await one.hear("game"))["game"]["version"] == 4

    async def test_a_frame_that_comes_again_is_done_once(self, place):
        dora, wim = place.people(2)
        async with place.visit(dora) as one, place.visit(wim) as two:
            game = await begin(one, two)
            frame = {"t": "do", "id": "the same", "game": game, "what": "play", "ply": 0}
            frame["id"] = "the-same"
            frame["move"] = "11-15"
            for _ in range(3):
                await one.send(frame)
            answers = [await one.hear("ack") for _ in range(3)]
            assert {answer["version"] for answer in answers} == {2}
        async with place.visit(dora) as one:
            await one.send(frame)
            assert (await one.hear("ack"))["version"] == 2
        assert self.moves(place, game) == ["11-15"]

    async def test_a_refusal_names_the_frame_and_where_the_game_is(self, place):
        dora, wim, stranger = place.people(3)
        async with place.visit(dora) as one, place.visit(wim) as two:
            game = await begin(one, two, private=False)
            answer = await two.do(game, "play", ply=0, move="11-15")
            assert (answer["code"], answer["version"]) == ("not_your_turn", 1)
            answer = await one.do(game, "play", ply=0, move="11-16-20")
            assert answer["code"] == "illegal_move"
            answer = await one.do(game, "play")
            assert answer["code"] == "bad_frame"
        async with place.visit(stranger) as line:
            assert (await line.do(game, "resign"))["code"] == "not_player"
        async with place.visit() as line:
            assert (await line.do(game, "resign"))["code"] == "needs_session"

    async def test_a_private_game_is_not_there_for_others(self, place):
        dora, wim, stranger = place.people(3)
        async with place.visit(dora) as one, place.visit(wim) as two:
            game = await begin(one, two)
            for who in (stranger, None):
                async with place.visit(who) as line:
                    for name in (game, "no-such-game"):
                        await line.send({"t": "follow", "game": name})
                        answer = await line.hear("no")
                        assert (answer["code"], answer["game"]) == ("no_game", name)
                    if who is not None:
                        assert (await line.do(game, "resign"))["code"] == "no_game"

    async def test_a_player_who_leaves_on_purpose_is_seen_to_go(self, place):
        dora, wim = place.people(2)
        async with place.visit(dora) as one, place.visit(wim) as two:
            game = await begin(one, two)
            for line in (one, two):
                await line.send({"t": "follow", "game": game})
            await one.hear("presence", black=True, white=True)
            await two.send({"t": "unfollow", "game": game, "leaving": True})
            await one.hear("presence", black=True, white=False)

    async def test_spectators_watch_and_say_nothing(self, place):
        dora, wim, fan = place.people(3)
        async with place.visit(dora) as one, place.visit(wim) as two, place.visit(fan) as third:
            game = await begin(one, two, private=False)
            await third.send({"t": "follow", "game": game})
            assert (await third.hear("game"))["game"]["you"] is None
            await one.do(game, "say", phrase="hello")
            await one.do(game, "play", ply=0, move="11-15")
            hidden = await third.hear("events")
            assert hidden["events"] == [{"kind": "hidden"}]
            assert (await third.hear("events"))["events"][0]["move"] == "11-15"
            answer = await third.do(game, "say", phrase="hello")
            assert answer["code"] == "not_player"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KINDS = ["ping", "follow", "unfollow", "watch", "do", "seek", "pair", "unseek", "join", "welcome"]
FIELDS = ["id", "game", "version", "what", "ply", "move", "control", "seek", "stake", "on", "echo"]
FRAMES = st.fixed_dictionaries(
    {"t": st.sampled_from(KINDS) | st.text(max_size=8)},
    optional=dict.fromkeys(FIELDS, JSON),
).map(json.dumps)
MESSAGES = st.one_of(
    FRAMES,
    JSON.map(json.dumps),
    st.text(max_size=200),
    st.binary(max_size=200),
    FRAMES.flatmap(lambda text: st.integers(0, len(text)).map(lambda end: text[:end])),
    st.integers(1, 3000).map(lambda depth: '{"t":"ping","x":' + "[" * depth),
)


class TestWrongFrames:
    @given(st.lists(MESSAGES, min_size=1, max_size=20))
    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_nothing_that_is_sent_breaks_the_connection(self, place, messages):
        """Each message but a well-formed one is answered by a sentence, and a ping by a pong."""
        with plain(place) as line:
            for message in messages:
                line.send(message)
            line.send('{"t":"join","id":"the-last","seek":"none"}')
            while True:
                answer = json.loads(line.recv(PATIENCE))
                assert answer["t"] in ("welcome", "pong", "lobby", "no")
                if answer["t"] == "no":
                    assert answer["code"] not in ("internal", "failed"), answer
                    assert answer["message"].endswith((".", "!"))
                if answer.get("id") == "the-last":
                    break

    @pytest.mark.parametrize(
        ("message", "says"),
        [
            ("", "not JSON"),
            ("{", "not JSON"),
            ("[]", "send an object"),
            ("{}", "lacks the field t"),
            ('{"t":"shout"}', "no frame of this kind"),
            ('{"t":"ping","echo":"soon"}', "echo must be a whole number, not text"),
            ('{"t":"follow"}', "lacks the field game"),
            (b'{"t":"ping"}', "binary"),
            ('{"t":"ping","x":' + "[" * 7000, "nested too deeply"),
            ('{"t":"do","id":"a","game":"g\\u0000","what":"resign"}', "field game"),
        ],
    )
    async def test_what_is_wrong_is_said(self, place, message, says):
        async with place.visit() as line:
            await line.send(message)
            answer = await line.hear("no")
            assert answer["code"] == "malformed"
            assert says in answer["message"]
            await line.alive()

    async def test_a_wrong_frame_with_a_name_is_answered_by_it(self, place):
        async with place.visit() as line:
            answer = await line.ask("do", game="g", what="cheat")
            assert answer["code"] == "malformed"

    @pytest.mark.parametrize(
        ("send", "code"),
        [
            (lambda line: line.send("x" * 8193), 1009),
            (lambda line: line.send(["x" * 5000, "x" * 5000]), 1009),
            (lambda line: line.send(["x"] * 100), 1008),
            (lambda line: line.send(b"\xff\xfe", text=True), 1007),
        ],
        ids=["long", "long in parts", "too many parts", "not UTF-8"],
    )
    def test_messages_beyond_the_bounds_close_with_a_code(self, place, send, code, caplog):
        with plain(place) as line:
            line.recv()
            with contextlib.suppress(ConnectionClosed):
                send(line)
            with pytest.raises(ConnectionClosed) as caught:
                line.recv(PATIENCE)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == code
        assert not [record for record in caplog.records if record.exc_info]

    async def test_the_longest_message_that_is_allowed(self, place):
        async with place.visit() as line:
            await line.send('{"t":"ping"' + " " * 8180 + "}")
            await line.hear("pong")

    async def test_what_many_sockets_ask_together_is_bounded(self, tmp_path):
        with opened(tmp_path, sockets_per_user=2, sockets_per_address=30) as place:
            (dora,) = place.people(1)
            async with place.visit(dora) as one, place.visit(dora) as two:
                for line in (one, two):  # four credits each, of twenty
                    for _ in range(3):
                        await line.send({"t": "join", "id": "again", "seek": "none"})
                heard = [await line.hear("no") for line in (one, two) for _ in range(3)]
                codes = [answer["code"] for answer in heard]
                assert sorted(codes) == ["seek_gone"] * 5 + ["too_fast"]
                await one.alive()
                await two.alive()

    async def test_what_an_address_tries_is_bounded(self, tmp_path):
        with opened(tmp_path, sockets_per_address=1) as place:
            for _ in range(5):
                async with place.visit():
                    pass
            assert await refused(place) == (429, "too_many")

    async def test_a_flood_is_told_once_and_then_closed(self, place):
        most = BUDGETS["lobby"][0]
        async with place.visit() as line:
            for _ in range(most + EXCESS + 5):
                with contextlib.suppress(ConnectionClosed):
                    await line.send({"t": "ping"})
            code, said = await line.end()
        assert code == 1008
        assert [frame["code"] for frame in said if frame["t"] == "no"] == ["too_fast"]


class TestSlowReaders:
    @pytest.fixture
    def narrow(self, tmp_path) -> Iterator[Place]:
        """A place from which little is on its way at once."""
        made = Place(tmp_path)
        made.listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
        made.start()
        yield made
        made.stop()

    @staticmethod
    def deaf(place: Place) -> sockets.socket:
        """A visitor who shakes hands and reads nothing more."""
        wire = sockets.socket()
        wire.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        wire.settimeout(PATIENCE)
        wire.connect(("127.0.0.1", place.port))
        wire.sendall(
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{place.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )
        head = b""
        while b"welcome" not in head:
            head += wire.recv(1)
        return wire

    async def test_one_who_does_not_read_is_let_go_and_nobody_else(self, narrow):
        async with narrow.visit() as other:
            await other.alive()
            (before,) = narrow.call(lambda: tuple(narrow.parts.sockets))
            with self.deaf(narrow) as wire:
                (slow,) = set(narrow.call(lambda: tuple(narrow.parts.sockets))) - {before}

                def flood() -> None:
                    for _ in range(2 * LONGEST + 100):
                        slow.send(b"x" * 4000)

                narrow.call(flood)
                await other.alive()
                narrow.run(slow.gone())
                with contextlib.suppress(ConnectionResetError):
                    while wire.recv(65536):
                        pass
            await other.alive()
            assert narrow.call(lambda: tuple(narrow.parts.sockets)) == (before,)

    async def test_one_who_pings_and_does_not_read_is_let_go(self, narrow):
        with self.deaf(narrow) as wire:
            (slow,) = narrow.call(lambda: tuple(narrow.parts.sockets))
            ping = struct.pack("!BB", 0x89, 0x80 | 125) + bytes(4) + b"x" * 125
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                while True:
                    wire.sendall(ping * 100)
            narrow.run(slow.gone())

    async def test_who_fell_behind_gets_the_whole_game(self, place):
        dora, wim = place.people(2)
        async with place.visit(dora) as one, place.visit(wim) as two:
            game = await begin(one, two)
            await one.send({"t": "follow", "game": game})
            await one.hear("presence", game=game)
            await one.send({"t": "watch"})
            await one.hear("lobby")

            def overflow() -> None:
                (socket,) = place.parts.sockets._users[dora.id]
                for number in range(LONGEST + 1):
                    socket.send(b'{"t":"noise","number":%d}' % number)

            place.call(overflow)
            said = [await one.next(), await one.next()]
            assert [frame["t"] for frame in said] == ["game", "presence"]
            assert said[0]["game"]["id"] == game
            await one.hear("lobby")


class TestEnds:
    async def test_signing_out_ends_the_connections_of_that_person(self, place):
        dora, wim = place.people(2)
        async with place.visit(dora) as one, place.visit(dora) as same, place.visit(wim) as two:
            place.run(place.parts.sockets.renew(dora.id))
            for line in (one, same):
                code, said = await line.end()
                assert code == 1012
                assert said == [{"t": "bye", "reason": "session", "after": 0}]
            await two.alive()

    async def test_signing_out_while_somebody_comes_in_counts_too(self, place, monkeypatch):
        """It is known already who comes, and they are not among the connections yet."""
        (dora,) = place.people(1)
        identify = place.parts.community.auth.identify

        async def slowly(headers: Any) -> Any:
            found = await identify(headers)
            await place.parts.sockets.renew(dora.id)
            return found

        monkeypatch.setattr(place.parts.community.auth, "identify", slowly)
        async with place.knock(dora) as line:
            code, said = await line.end()
        assert code == 1012
        assert [frame["t"] for frame in said] == ["welcome", "bye"]
        assert said[-1]["reason"] == "session"

    async def test_a_session_that_ended_unseen_is_found_by_and_by(self, place):
        dora, wim = place.people(2)
        async with place.visit(dora) as one, place.visit(wim) as two, place.visit() as third:
            place.store.users.change(dora.id, disabled=True)
            await self.sweep(place, CHECK + 1)
            code, said = await one.end()
            assert code == 1012
            assert said[-1]["reason"] == "session"
            await two.alive()
            await third.alive()

    async def test_the_silent_are_closed(self, place):
        async with place.visit() as line, place.visit() as other:
            await self.sweep(place, SILENT + 1, spared=other)
            code, said = await line.end()
            assert code == 1001
            assert said == [{"t": "bye", "reason": "silent", "after": 0}]
            await other.alive()

    @staticmethod
    async def sweep(place: Place, ms: int, spared: Line | None = None) -> None:
        """Look after all sockets as if they had last been heard and looked up so long ago."""
        if spared is not None:
            await spared.alive()

        async def work() -> None:
            last = max(place.parts.sockets, key=lambda socket: socket.heard)
            for socket in place.parts.sockets:
                if ms > SILENT and (spared is None or socket is not last):
                    socket.heard -= ms
                socket.checked -= ms
            await place.parts.sockets.sweep(place.parts.community.auth.identify)

        place.run(work())

    async def test_a_connection_that_breaks_off_is_gone_at_once(self, place):
        dora, wim = place.people(2)
        async with place.visit(wim) as two:
            async with place.visit(dora) as one:
                game = await begin(one, two)
                for line in (one, two):
                    await line.send({"t": "follow", "game": game})
                await two.hear("presence", black=True, white=True)
                one.socket.transport.abort()
            await two.hear("presence", black=False, white=True)

    async def test_a_server_that_stops_lets_all_come_back_at_their_time(self, tmp_path):
        place = Place(tmp_path).start()
        (dora,) = place.people(1)
        try:
            async with contextlib.AsyncExitStack() as stack:
                lines = [await stack.enter_async_context(place.visit()) for _ in range(10)]
                lines.append(await stack.enter_async_context(place.visit(dora)))
                place.ask_to_stop()
                ends = await asyncio.gather(*(line.end() for line in lines))
            assert {code for code, _ in ends} == {1012}
            byes = [said[-1] for _, said in ends]
            assert {bye["reason"] for bye in byes} == {"restart"}
            times = [bye["after"] for bye in byes]
            assert all(500 <= after <= 2_500 for after in times)
            assert len(set(times)) > 1
        finally:
            place.stop()

    async def test_while_it_drains_it_says_so_and_takes_nobody(self, tmp_path):
        with opened(tmp_path) as place:
            async with place.visit() as line:
                assert self.health(place) == (200, "ok\n")
                place.run(place.live.drain())
                assert (await line.end())[0] == 1012
            assert self.health(place) == (503, "draining\n")
            assert await refused(place) == (503, "draining")

    @staticmethod
    def health(place: Place) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"{place.base}/healthz", timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


async def test_the_lag_of_a_connection_is_measured(place):
    async with place.knock() as line:
        welcome = await line.next()
        (socket,) = place.call(lambda: tuple(place.parts.sockets))
        assert place.call(lambda: socket.lag) == 0
        # Somebody who claims to have held nothing has the whole time as a way.
        await line.send({"t": "ping", "echo": welcome["now"], "held": 0})
        await line.hear("pong")
        assert 0 <= place.call(lambda: socket.lag) <= 2_000


async def test_commands_wait_their_turn_and_not_without_end(place):
    """While the store takes its time pings are answered, and frames wait: so many and no more."""
    gate = asyncio.Event()
    (person,) = place.people(1)
    async with place.visit(person) as line:
        (socket,) = place.call(lambda: tuple(place.parts.sockets._users[person.id]))

        real = socket._hall

        class Hall:
            async def ask(self, user: int, frame: Any) -> Any:
                await gate.wait()
                raise AssertionError("this is wrong with the program")

            def unwatch(self, follower: Any) -> None:
                real.unwatch(follower)

        place.call(lambda: setattr(socket, "_hall", Hall()))
        for number in range(27):
            await line.send({"t": "unseek", "id": f"u{number}", "seek": "x"})
        await line.alive()
        place.call(lambda: setattr(socket, "_credits", Bucket.of("player")))
        for number in range(27, 34):
            await line.send({"t": "unseek", "id": f"u{number}", "seek": "x"})
        assert (await line.hear("no"))["code"] == "busy"
        place.call(lambda: setattr(socket, "_hall", real))
        place.call(gate.set)
        answers = [await line.hear("no" if number == 0 else "ack") for number in range(33)]
        assert answers[0]["code"] == "internal"
        assert [answer["id"] for answer in answers] == [f"u{number}" for number in range(33)]
