"""What somebody may try against a real server, over real sockets: refused clearly, nothing lost."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingme.play.clock import TimeControl
from kingme.play.events import Moved, Settled, Started
from kingme.play.game import replay
from kingme.store import Store, open_store
from kingme.web.auth import Passwords
from kingme.web.live.frames import Do, Follow, Join, Ping, SeekSent, Unfollow
from live.client import Client, keep
from live.people import Person, enrol
from live.seats import Pair
from live.service import Service
from live.wire import Refused, open_socket

pytestmark = pytest.mark.anyio

SECONDS = 60
BLITZ = TimeControl("increment", 300_000, 3_000)
ELSEWHERE = "https://evil.example"


class Attacker:
    """A connection that sends whatever it likes, and keeps all it gets."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.code: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def open(self, base: str, token: str | None = None, **more: Any) -> Attacker:
        self.socket = await open_socket(base, token, self.hear, self.gone, **more)
        return self

    def hear(self, message: bytes) -> None:
        self.frames.put_nowait(json.loads(message))

    def gone(self, code: int) -> None:
        if not self.code.done():
            self.code.set_result(code)

    def send(self, frame: dict[str, Any] | str | bytes) -> None:
        text = json.dumps(frame) if isinstance(frame, dict) else frame
        self.socket.send(text.encode() if isinstance(text, str) else text)

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of these kinds."""
        async with asyncio.timeout(SECONDS):
            while (frame := await self.frames.get())["t"] not in kinds:
                pass
            return frame

    async def ask(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Send a frame with an id and return its answer."""
        name = frame.setdefault("id", secrets.token_hex(6))
        self.send(frame)
        while True:
            answer = await self.next("ack", "no")
            if answer.get("id") == name:
                return answer

    async def do(self, game: str, what: str, **fields: Any) -> dict[str, Any]:
        return await self.ask({"t": "do", "game": game, "what": what, **fields})

    async def alive(self) -> None:
        """The server still answers on this connection."""
        self.send({"t": "ping"})
        await self.next("pong")

    async def closed(self) -> int:
        async with asyncio.timeout(SECONDS):
            return await asyncio.shield(self.code)


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("attacked"))
    try:
        made.start()
        yield made
        assert made.get("/healthz")
        assert "Traceback" not in made.log.read_text()
    finally:
        made.stop()


@pytest.fixture(scope="module")
def store(service) -> Iterator[Store]:
    made = open_store(service.database)
    yield made
    made.close()


@pytest.fixture
def people(store) -> list[Person]:
    return list(enrol(store, 3, chips=1000))


@pytest.fixture
async def arrive(service) -> AsyncIterator[Any]:
    """Open connections that close when the test ends."""
    opened: list[Attacker] = []

    async def one(person: Person | None = None, **more: Any) -> Attacker:
        attacker = await Attacker().open(service.base, person.token if person else None, **more)
        opened.append(attacker)
        return attacker

    yield one
    for attacker in opened:
        attacker.socket.cut()


@asynccontextmanager
async def seated(service: Service, one: Person, two: Person, **more: Any) -> AsyncIterator[Pair]:
    """A game between two players who keep to the rules; the first is Black."""
    clients = [Client([service.base], person.token, user=person.id) for person in (one, two)]
    keeping = asyncio.create_task(keep(clients))
    try:
        for client in clients:
            await client.connect()
        pair = Pair(clients[0], clients[1], BLITZ, **more)
        await pair.sit()
        yield pair
        assert [client.broken for client in clients] == ["", ""]
    finally:
        keeping.cancel()
        for client in clients:
            client.end()


async def play(pair: Pair, plies: int) -> list[str]:
    """Play on until so many moves stand, and both have seen them."""
    boards = [client.boards[pair.game] for client in (pair.one, pair.two)]
    for ply in range(len(boards[0].moves), plies):
        mover, board = (pair.one, boards[0]) if ply % 2 == 0 else (pair.two, boards[1])
        mover.play(board, board.positions[-1].legal_moves[0])
        for client, seen in zip((pair.one, pair.two), boards, strict=True):
            await client.until(lambda seen=seen, ply=ply: len(seen.moves) > ply)
    return list(boards[0].moves)


def doing(game: str, name: str, **fields: Any) -> dict[str, Any]:
    """A frame that plays a move."""
    return {"t": "do", "id": name, "game": game, "what": "play", **fields}


def moves(store: Store, game: str) -> list[str]:
    return [event.move for event in store.games.events(game) if isinstance(event, Moved)]


# --- who may come in ---


class TestForeignOrigin:
    @pytest.mark.parametrize("origin", [ELSEWHERE, "null", "http://127.0.0.1:1", "http://", "x"])
    async def test_on_the_live_connection(self, arrive, people, origin):
        with pytest.raises(Refused) as refusal:
            await arrive(people[0], headers={"Origin": origin})
        assert refusal.value.status == 403
        assert json.loads(refusal.value.body)["error"]["code"] == "cross_origin"

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("POST", "/api/session"),
            ("DELETE", "/api/session"),
            ("POST", "/api/session/login"),
            ("POST", "/api/account"),
            ("POST", "/api/account/password"),
            ("POST", "/api/reply"),
            ("POST", "/account"),
        ],
    )
    async def test_on_a_request(self, service, people, store, method, path):
        cookies = {"kingme_session": people[0].token}
        for more in ({"Origin": ELSEWHERE}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = httpx.request(
                method, service.base + path, headers=more, cookies=cookies, timeout=SECONDS
            )
            assert answer.status_code == 403
            assert "set-cookie" not in answer.headers
        assert session_of(service, people[0].token) == people[0].id


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
async def test_another_name_for_the_server(service, arrive, host):
    with pytest.raises(Refused) as refusal:
        await arrive(headers={"Host": host, "Origin": f"http://{host}"})
    assert refusal.value.status == 400
    assert httpx.get(service.base, headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("token", ["x", "x" * 43, "x" * 4000, "é" * 43, "a;b", '"'])
async def test_a_token_that_was_never_given(arrive, token):
    visitor = await arrive(headers={"Cookie": f"kingme_session={token}".encode().decode("latin-1")})
    welcome = await visitor.next("welcome")
    assert welcome["you"] is None


async def test_more_connections_than_one_person_needs(arrive, people):
    twenty = [await arrive(people[0]) for _ in range(20)]
    more = await arrive(people[0])
    assert (await more.next("bye"))["reason"] == "too_many"
    assert await more.closed() == 1008
    await twenty[0].alive()
    await (await arrive(people[1])).alive()


# --- what a stranger to a game may do ---


class TestAPrivateGame:
    async def test_is_not_there_for_others(self, service, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 3)
            for stranger in (await arrive(people[2]), await arrive()):
                answers = []
                for game in (pair.game, "2345678923"):
                    stranger.send({"t": "follow", "game": game})
                    answer = await stranger.next("no", "game", "events")
                    answers.append({**answer, "game": ""})
                assert answers[0] == answers[1]
                assert answers[0]["code"] == "no_game"
            answers = [
                await (await arrive(people[2])).do(game, "resign")
                for game in (pair.game, "2345678923")
            ]
            assert [answer["t"] for answer in answers] == ["no", "no"]
            assert answers[0]["code"] == answers[1]["code"]

    @pytest.mark.parametrize("path", ["/game/{}", "/game/{}.pdn"])
    async def test_has_no_page_for_others(self, service, people, path):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 2)
            answers = []
            for game in (pair.game, "2345678923"):
                for person in (people[2], None):
                    answer = await fetch(service, path.format(game), person)
                    answers.append((answer.status_code, answer.text.replace(game, "")))
            assert {status for status, _ in answers} == {404}
            own = await fetch(service, path.format(pair.game), people[0])
            assert own.status_code == 200

    async def test_is_in_no_list(self, service, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 2)
            visitor = await arrive()
            visitor.send({"t": "watch"})
            assert pair.game not in json.dumps(await visitor.next("lobby"))
            page = await fetch(service, f"/player/{people[0].name}", people[2])
            assert pair.game not in page.text


class TestASpectator:
    @pytest.mark.parametrize(
        ("what", "fields"),
        [
            ("play", {"ply": 2, "move": "9-14"}),
            ("resign", {}),
            ("abort", {}),
            ("offer_draw", {}),
            ("accept_draw", {}),
            ("claim_draw", {}),
            ("offer_takeback", {}),
            ("accept_takeback", {}),
            ("claim_gone", {}),
            ("set_chat", {}),
            ("say", {"phrase": "hello"}),
            ("offer_rematch", {}),
        ],
    )
    async def test_has_no_say(self, service, store, arrive, people, what, fields):
        async with public(service, people, store) as pair:
            before = await play(pair, 2)
            for spectator in (await arrive(people[2]), await arrive()):
                spectator.send({"t": "follow", "game": pair.game})
                await spectator.next("game")
                answer = await spectator.do(pair.game, what, **fields)
                assert answer["t"] == "no"
                assert answer["code"] in ("not_player", "needs_session")
            assert moves(store, pair.game) == before
            assert replay(store.games.events(pair.game)).playing


@asynccontextmanager
async def public(service: Service, people: list[Person], store: Store) -> AsyncIterator[Pair]:
    """A game that everybody may watch."""
    async with seated(service, people[0], people[1]) as pair:
        seek = await pair.one.seek(BLITZ, side="B")
        joined = await pair.two.join(seek.seek or "")
        pair.game = joined.game or ""
        for client in (pair.one, pair.two):
            board = client.follow(pair.game)
            await client.until(lambda board=board: board.known)
        started = store.games.events(pair.game)[0]
        assert isinstance(started, Started)
        assert not started.private
        yield pair


# --- what a player may do to the other ---


class TestMoves:
    async def test_for_the_other_side(self, service, store, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 2)
            white = await arrive(people[1])
            answer = await white.do(pair.game, "play", ply=2, move="9-14")
            assert (answer["t"], answer["code"]) == ("no", "not_your_turn")
            assert moves(store, pair.game) == before

    @pytest.mark.parametrize(
        ("ply", "move", "code"),
        [
            (1, "22-17", "stale"),
            (3, "22-17", "stale"),
            (2**53, "22-17", "stale"),
            (2, "1-2", "illegal_move"),
            (2, "32-28", "illegal_move"),
            (2, "", "illegal_move"),
            (2, "11x18x25x32", "illegal_move"),
            (2, "\u202e11-15", "illegal_move"),
        ],
    )
    async def test_that_cannot_be(self, service, store, arrive, people, ply, move, code):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 2)
            black = await arrive(people[0])
            answer = await black.do(pair.game, "play", ply=ply, move=move)
            assert (answer["t"], answer["code"]) == ("no", code)
            assert answer["message"]
            assert moves(store, pair.game) == before

    async def test_that_come_twice_are_played_once(self, service, store, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            await play(pair, 2)
            black, again = await arrive(people[0]), await arrive(people[0])
            move = str(pair.one.boards[pair.game].positions[-1].legal_moves[0])
            frame = doing(pair.game, "one-and-the-same", ply=2, move=move)
            first = await asyncio.gather(*(who.ask(dict(frame)) for who in (black, again) * 5))
            assert {answer["t"] for answer in first} == {"ack"}
            assert len(moves(store, pair.game)) == 3

    async def test_taken_back_do_not_come_back_by_themselves(self, service, store, arrive, people):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 2)
            black = await arrive(people[0])
            move = str(pair.one.boards[pair.game].positions[-1].legal_moves[0])
            frame = doing(pair.game, "sent-before", ply=2, move=move)
            await black.ask(dict(frame))
            await pair.one.do(pair.game, "offer_takeback")
            await pair.two.do(pair.game, "accept_takeback")
            await black.ask(dict(frame))
            events = store.games.events(pair.game)
            assert [str(move) for move in replay(events).history.moves] == before


class TestSettling:
    @pytest.mark.parametrize("ends", [("resign", "resign"), ("accept_draw", "resign")])
    async def test_by_ends_that_race_happens_once(self, service, store, arrive, people, ends):
        balances = [store.ledger.balance(person.id) for person in people[:2]]
        async with seated(service, people[0], people[1], stake=100, rated=True) as pair:
            await play(pair, 4)
            if "accept_draw" in ends:
                await pair.one.do(pair.game, "offer_draw")
            sockets = [await arrive(people[number % 2]) for number in range(10)]
            answers = await asyncio.gather(
                *(
                    attacker.do(pair.game, ends[number % len(ends)])
                    for number, attacker in enumerate(sockets)
                )
            )
            assert {answer["t"] for answer in answers} == {"ack", "no"}
            events = store.games.events(pair.game)
            assert sum(isinstance(event, Settled) for event in events) == 1
        changes = [
            store.ledger.balance(person.id) - before
            for person, before in zip(people, balances, strict=False)
        ]
        assert sum(changes) == 0
        assert abs(changes[0]) in (0, 100)
        assert store.ledger.check() == []

    async def test_with_a_stake_that_is_not_there(self, service, store, arrive):
        poor = list(enrol(store, 2, chips=40))
        one, two = await arrive(poor[0]), await arrive(poor[1])
        seek = {"t": "seek", "control": control(), "stake": 50, "private": True}
        answer = await one.ask(seek)
        if answer["t"] == "ack":
            answer = await two.ask({"t": "join", "seek": answer["code"]})
        assert (answer["t"], answer["code"]) == ("no", "not_enough_chips")
        assert [store.ledger.balance(person.id) for person in poor] == [40, 40]

    async def test_with_the_same_chips_at_two_boards(self, service, store, arrive):
        poor = list(enrol(store, 3, chips=50))
        sockets = [await arrive(person) for person in poor]
        codes = []
        for attacker in sockets[1:]:
            seek = {"t": "seek", "control": control(), "stake": 50, "private": True}
            codes.append((await attacker.ask(seek))["code"])
        await asyncio.gather(*(sockets[0].ask({"t": "join", "seek": code}) for code in codes))
        assert store.ledger.balance(poor[0].id) == 0
        assert store.ledger.check() == []

    @pytest.mark.parametrize("stake", [-50, 1, 2**53, 2**63, 0.5, "50", None])
    async def test_for_a_stake_that_no_room_has(self, arrive, people, stake):
        attacker = await arrive(people[0])
        answer = await attacker.ask({"t": "seek", "control": control(), "stake": stake})
        assert answer["t"] == "no"


def control() -> dict[str, Any]:
    return {"kind": "increment", "initial": 300_000, "increment": 3_000}


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "increment", "initial": 0, "increment": 0},
        {"kind": "increment", "initial": -1, "increment": 0},
        {"kind": "increment", "initial": 2**62, "increment": 0},
        {"kind": "days", "initial": 1},
        {"kind": "forever"},
        {},
        [],
    ],
)
async def test_a_clock_that_cannot_be(arrive, people, wrong):
    attacker = await arrive(people[0])
    answer = await attacker.ask({"t": "seek", "control": wrong})
    if wrong == {}:  # the clock without time
        assert answer["t"] in ("ack", "no")
    else:
        assert answer["t"] == "no"


# --- what anybody may send ---


class TestFrames:
    @pytest.mark.parametrize(
        "message",
        [
            "",
            "x",
            "null",
            "[]",
            "{}",
            '{"t":"do"}',
            '{"t":"do","id":"' + "x" * 33 + '"}',
            '{"t":"nothing"}',
            '{"t":"ping","echo":-1}',
            '{"t":"follow","game":"' + "x" * 41 + '"}',
            '{"t":"follow","game":"../../etc/passwd"}',
            '{"t":"follow","game":"\' OR 1=1 --"}',
            '{"t":"follow","game":"\\u0000"}',
            '{"t":"follow","game":"x","version":1e400}',
            "[" * 8000,
            '{"t":' * 1500,
            '{"t":"ping",' + '"x":1,' * 1300 + '"y":1}',
        ],
    )
    async def test_that_are_none(self, arrive, people, message):
        attacker = await arrive(people[0])
        attacker.send(message)
        await attacker.alive()

    async def test_that_are_bytes(self, arrive, people):
        attacker = await arrive(people[0])
        attacker.socket.send_binary(b'{"t":"ping"}')
        answer = await attacker.next("no")
        assert answer["code"] == "malformed"
        await attacker.alive()

    async def test_that_are_no_text(self, arrive, people):
        attacker = await arrive(people[0])
        attacker.send(b"\xff\xfe")
        assert await attacker.closed() == 1007

    @pytest.mark.parametrize("size", [8 * 1024 + 1, 100_000, 5_000_000])
    async def test_that_are_too_large(self, arrive, people, size):
        attacker = await arrive(people[0])
        attacker.send('{"t":"ping","echo":"' + "x" * size + '"}')
        assert await attacker.closed() == 1009
        await (await arrive(people[0])).alive()

    async def test_that_come_too_fast(self, service, store, arrive, people):
        async with seated(service, people[1], people[2]) as pair:
            flood = await arrive(people[0])
            for _ in range(400):
                flood.send({"t": "follow", "game": pair.game})
            codes = []
            while not flood.code.done() or not flood.frames.empty():
                frame = await flood.next("no", "welcome", "game", "events", "presence", "bye")
                codes.append(frame.get("code"))
                if frame.get("code") == "too_fast":
                    break
            assert codes.count("too_fast") == 1
            assert await flood.closed() == 1008
            assert len(await play(pair, 6)) == 6  # the others do not notice
            assert len(moves(store, pair.game)) == 6


class TestConnectionsThatSayNothing:
    async def test_do_not_keep_others_out(self, service, arrive, people):
        port = service.port
        halves = []
        try:
            for start in (b"", b"GET", b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: webso"):
                for _ in range(60):
                    half = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
                    half.sendall(start)
                    halves.append(half)
            await (await arrive(people[0])).alive()
            assert await anyio.to_thread.run_sync(service.get, "/healthz")
        finally:
            for half in halves:
                half.close()

    async def test_of_a_player_who_vanishes_leave_the_game_as_it_was(self, service, store, people):
        async with seated(service, people[0], people[1]) as pair:
            before = await play(pair, 4)
            pair.one.patience = (0.0, 0.01)
            pair.one.cut()
            await pair.one.until(lambda: pair.one.resumed == 1)
            await pair.one.until(lambda: pair.one.idle)
            assert (await play(pair, 6))[:4] == before


# --- who one is ---


def session_of(service: Service, token: str | None) -> int | None:
    """Whose session a token is, as the server says."""
    cookies = {"kingme_session": token} if token else {}
    answer = httpx.get(f"{service.base}/api/session", cookies=cookies, timeout=SECONDS)
    assert answer.status_code == 200
    you = answer.json()["you"]
    return None if you is None else int(you["id"])


async def fetch(service: Service, path: str, person: Person | None) -> httpx.Response:
    cookies = {"kingme_session": person.token} if person else {}
    return await anyio.to_thread.run_sync(
        lambda: httpx.get(service.base + path, cookies=cookies, timeout=SECONDS)
    )


def with_password(store: Store, password: str) -> str:
    """A new account's name."""
    name = f"u{secrets.token_hex(6)}"
    store.users.add(name, time.time_ns() // 1_000_000, anyio.run(Passwords().hash, password))
    return name


def login(service: Service, name: str, password: str, **more: Any) -> httpx.Response:
    sent = {"name": name, "password": password}
    return httpx.post(f"{service.base}/api/session/login", json=sent, timeout=SECONDS, **more)


class TestSessions:
    def test_are_not_those_that_an_attacker_chose(self, service, store):
        name = with_password(store, "a river in spring")
        chosen = "A" * 43
        answer = login(service, name, "a river in spring", cookies={"kingme_session": chosen})
        given_ = answer.cookies["kingme_session"]
        assert given_ != chosen
        assert session_of(service, chosen) is None
        assert session_of(service, given_) is not None

    def test_of_a_guest_do_not_become_those_of_an_account(self, service, store):
        name = with_password(store, "a river in spring")
        guest = httpx.post(f"{service.base}/api/session", timeout=SECONDS)
        old = guest.cookies["kingme_session"]
        answer = login(service, name, "a river in spring", cookies={"kingme_session": old})
        new = answer.cookies["kingme_session"]
        assert new != old
        assert session_of(service, old) != session_of(service, new)

    async def test_that_ended_open_nothing(self, service, arrive, people):
        person = people[0]
        attacker = await arrive(person)
        await attacker.next("welcome")
        ended = await anyio.to_thread.run_sync(
            lambda: httpx.delete(
                f"{service.base}/api/session",
                cookies={"kingme_session": person.token},
                timeout=SECONDS,
            )
        )
        assert ended.status_code in (200, 204)
        assert await attacker.closed() == 1012
        assert session_of(service, person.token) is None
        stolen = await arrive(person)
        assert (await stolen.next("welcome"))["you"] is None
        answer = await stolen.ask({"t": "seek", "control": control()})
        assert answer["code"] == "needs_session"

    def test_have_cookies_that_scripts_and_other_sites_do_not_get(self, service):
        answer = httpx.post(f"{service.base}/api/session", timeout=SECONDS)
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "path=/" in cookie

    def test_are_in_no_log(self, service, store):
        name = with_password(store, "a river in spring")
        token = login(service, name, "a river in spring").cookies["kingme_session"]
        session_of(service, token)
        log = service.log.read_text()
        assert token not in log
        assert "a river in spring" not in log


class TestGuessing:
    @pytest.fixture
    def guarded(self, tmp_path) -> Iterator[Service]:
        """A server of this test alone: what is guessed here counts against the address."""
        made = Service(tmp_path)
        try:
            made.start()
            yield made
        finally:
            made.stop()

    def test_a_password(self, guarded):
        store = open_store(guarded.database)
        name = with_password(store, "a river in spring")
        other = with_password(store, "another river")
        store.close()
        answers = [login(guarded, name, f"guess number {number}") for number in range(11)]
        assert [answer.status_code for answer in answers][-1] == 429
        assert int(answers[-1].headers["retry-after"]) > 0
        late = login(guarded, name, "a river in spring")
        assert late.status_code == 429, "the right one comes too late"
        assert "set-cookie" not in late.headers
        assert login(guarded, other, "another river").status_code == 200

        unknown = [login(guarded, "nobody-at-all", "guess") for _ in range(11)]
        for known, nobody in zip(answers, unknown, strict=True):
            assert known.status_code == nobody.status_code
            if known.status_code != 429:
                assert known.text == nobody.text

        statuses = {login(guarded, f"name{number}", "x").status_code for number in range(70)}
        assert 429 in statuses, "an address has its limit too"

    def test_the_code_of_a_private_seek(self, guarded):
        store = open_store(guarded.database)
        (person,) = enrol(store, 1)
        store.close()

        async def guess() -> set[str | None]:
            attacker = await Attacker().open(guarded.base, person.token)
            codes: set[str | None] = set()
            for _ in range(40):
                attacker.send({"t": "join", "id": secrets.token_hex(6), "seek": "x" * 16})
            while not attacker.code.done() or not attacker.frames.empty():
                try:
                    frame = await asyncio.wait_for(attacker.frames.get(), 1)
                except TimeoutError:
                    break
                codes.add(frame.get("code"))
            attacker.socket.cut()
            return codes

        codes = asyncio.run(guess())
        assert "seek_gone" in codes
        assert "too_fast" in codes


# --- anything at all ---

KINDS = st.sampled_from(
    ["ping", "follow", "unfollow", "watch", "do", "seek", "pair", "unseek", "join", "ack", "x", ""]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["play", "resign", "11-15", "B", "standard", "passport", "increment"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
STRUCTS = (Do, SeekSent, TimeControl, Ping, Follow, Unfollow, Join)
FIELDS = st.sampled_from([name for struct in STRUCTS for name in struct.__struct_fields__])
FRAMES = st.builds(
    lambda kind, fields, name: json.dumps({"t": kind, "id": name, **fields}),
    KINDS,
    st.dictionaries(FIELDS, VALUES, max_size=8),
    st.text(min_size=1, max_size=8),
)
MESSAGES = FRAMES | st.text(max_size=200) | st.binary(max_size=200)


class Crowd:
    """Connections that take turns, so that none of them is a flood; a closed one is made anew."""

    def __init__(self, service: Service, people: list[Person]) -> None:
        self.service = service
        self.people = people
        self.attackers: list[Attacker | None] = [None] * len(people)
        self.turn = 0

    async def send(self, message: str | bytes) -> None:
        """Send a message: it is answered or ends the connection, and the server lives on."""
        self.turn = (self.turn + 1) % len(self.people)
        attacker = self.attackers[self.turn]
        if attacker is None or attacker.code.done():
            attacker = await Attacker().open(self.service.base, self.people[self.turn].token)
            self.attackers[self.turn] = attacker
        attacker.send(message)
        attacker.send({"t": "ping"})
        pong = asyncio.create_task(attacker.next("pong"))
        end = asyncio.create_task(attacker.closed())
        done, rest = await asyncio.wait({pong, end}, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        for task in done:
            if task is end:
                assert end.result() in (1002, 1003, 1007, 1008, 1009)
            else:
                pong.result()


def test_any_message_at_all(service, store):
    people = list(enrol(store, 40))
    with asyncio.Runner() as runner:
        crowd = Crowd(service, people)

        @given(message=MESSAGES)
        @settings(
            max_examples=300,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        def send(message: str | bytes) -> None:
            if isinstance(message, str):
                message = message.encode("utf-8", "surrogatepass")
            runner.run(crowd.send(message))

        send()
        for attacker in crowd.attackers:
            if attacker is not None:
                attacker.socket.cut()
    assert b"ok" in service.get("/healthz")
    assert store.ledger.check() == []
