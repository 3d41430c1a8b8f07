"""The HTTP interface from the outside: answers, refusals, and that nothing breaks it."""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
import string
import threading
from urllib.parse import quote

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kingme.engine.levels import LEVELS
from kingme.engine.opponent import Opponent
from kingme.rules.history import History
from kingme.rules.outcome import PRESETS
from kingme.rules.position import Position
from kingme.web import serve
from kingme.web.api import decode, replay
from kingme.web.app import create_app
from kingme.web.guard import RequestError
from kingme.web.pages import HERE
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import FirstMove, serving

GAME = {"protocol": 1, "variant": "english", "preset": "standard", "start": None, "moves": []}


def game(**changes):
    return {**GAME, "level": 1, **changes}


def refusal(response, status, code):
    """The problem that a response tells, after checking that it is told as promised."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    problem = response.json()["error"]
    assert problem["code"] == code, problem
    assert problem["message"].endswith(".")
    assert "Traceback" not in response.text
    return problem


class TestReply:
    def test_answers_with_a_whole_move(self, shared_client):
        answer = shared_client.post("/api/reply", json=game(moves=["11-15", "22-18"], level=5))
        assert answer.status_code == 200
        assert answer.json() == {
            "protocol": 1,
            "ply": 2,
            "move": "15x22",
            "path": [15, 22],
            "captures": [18],
            "level": 5,
            "asked": 5,
            "depth": 3,
            "score": 12,
            "nodes": 99,
            "seconds": 0.012,
        }
        assert answer.headers["cache-control"] == "no-store"

    def test_replays_every_spelling_from_any_start(self, opponent, client):
        sent = game(start=" b : w 18 , 26 : b 15 , 1 .", moves=["15x22x31"], preset="captures50")
        answer = client.post("/api/reply", json=sent | {"moves": ["f6-g5"], "start": None})
        assert answer.status_code == 200
        assert client.post("/api/reply", json=sent).status_code == 422
        fen = History.start().play("11-16").position.fen
        assert opponent.asked == [(fen, 1, "captures50")]

    def test_the_optional_fields_have_defaults(self, shared_client):
        sent = {"protocol": 1, "moves": [], "level": 8}
        assert shared_client.post("/api/reply", json=sent).json()["move"] == "9-13"

    def test_a_whole_game_by_first_moves(self, shared_client):
        history = History.start()
        while not history.outcome(PRESETS["standard"]):
            moves = [str(move) for move in history.moves]
            answer = shared_client.post("/api/reply", json=game(moves=moves)).json()
            assert answer["ply"] == len(moves)
            history = history.play(answer["move"])
        problem = refusal(
            shared_client.post("/api/reply", json=game(moves=[str(m) for m in history.moves])),
            422,
            "game_over",
        )
        assert problem["ply"] == len(history.moves)


class TestDraw:
    def test_answers_an_offer(self, shared_client):
        body = shared_client.post("/api/draw", json=game(moves=["11-15"])).json()
        assert body == {"protocol": 1, "ply": 1, "accepted": False}
        body = shared_client.post("/api/draw", json=game(start="B:WK32:BK1")).json()
        assert body == {"protocol": 1, "ply": 0, "accepted": True}


class TestRefusals:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"null",
            b"[]",
            b'"text"',
            b"\xff\xfe{}",
            b"{}",
            b'{"protocol":"1"}',
            b'{"protocol":1}',
            b'{"protocol":1,"moves":[],"level":"1"}',
            b'{"protocol":1,"moves":[],"level":1.5}',
            b'{"protocol":1,"moves":[],"level":NaN}',
            b'{"protocol":1,"moves":"11-15","level":1}',
            b'{"protocol":1,"moves":[11],"level":1}',
            b'{"protocol":1,"moves":[null],"level":1}',
            b'{"protocol":1,"moves":[],"level":1,"start":5}',
            b'{"protocol":1,"moves":[],"level":1,"preset":null}',
            b'{"protocol":1,"moves":[],"level":1}{}',
            b'{"protocol":1,"moves":["' + b"1" * 101 + b'"],"level":1}',
            b'{"protocol":1,"moves":[],"level":1,"start":"' + b"1" * 1001 + b'"}',
            b"[" * 20_000,
            b'{"a":' * 8_000,
        ],
        ids=lambda body: body[:40].decode(errors="replace"),
    )
    def test_malformed(self, shared_client, body):
        headers = {"content-type": "application/json"}
        for path in ("/api/reply", "/api/draw"):
            refusal(shared_client.post(path, content=body, headers=headers), 400, "malformed")

    @pytest.mark.parametrize(
        ("body", "words", "field"),
        [
            ('{"protocol":1,"moves":[]}', "This request lacks the field level.", "level"),
            (
                '{"protocol":1,"moves":[],"level":"1"}',
                "The field level must be a whole number, not text.",
                "level",
            ),
            (
                '{"protocol":1,"moves":[11],"level":1}',
                "An item of moves must be text, not a whole number.",
                "moves",
            ),
            (
                '{"protocol":1,"moves":[],"level":1,"start":5}',
                "The field start must be text or null, not a whole number.",
                "start",
            ),
            (
                '{"protocol":1,"moves":["%s"],"level":1}' % ("1" * 101),
                "An item of moves is too long.",
                "moves",
            ),
            (
                '{"protocol":1,"moves":[],"level":%s}' % ("9" * 40),
                "The field level is out of range.",
                "level",
            ),
            ("[]", "The server cannot read this request: it is not an object.", None),
            ("{", "The server cannot read this request: it is not JSON.", None),
        ],
    )
    def test_malformed_in_words(self, shared_client, body, words, field):
        headers = {"content-type": "application/json"}
        answer = shared_client.post("/api/reply", content=body, headers=headers)
        problem = refusal(answer, 400, "malformed")
        assert (problem["message"], problem.get("field")) == (words, field)

    def test_what_is_sent_is_not_echoed_at_length(self, shared_client):
        for start in ("W:W" + "9" * 900, "?" * 1000, "W:" + "W1," * 300):
            answer = shared_client.post("/api/reply", json=game(start=start))
            assert len(refusal(answer, 422, "bad_fen")["message"]) < 500

    @pytest.mark.parametrize("protocol", [0, 2, -1, 999])
    def test_a_page_of_another_release(self, shared_client, protocol):
        sent = {"protocol": protocol, "something": "new"}
        problem = refusal(shared_client.post("/api/reply", json=sent), 409, "stale_page")
        assert problem["message"] == (
            "This page is from another version of kingme. Reload it; your game is kept."
        )

    def test_a_page_that_counts_wrong(self, shared_client):
        sent = game(moves=["11-15"], ply=3)
        problem = refusal(shared_client.post("/api/reply", json=sent), 409, "stale_page")
        assert problem["field"] == "ply"
        assert shared_client.post("/api/reply", json=sent | {"ply": 1}).status_code == 200

    @pytest.mark.parametrize(
        ("change", "code", "words"),
        [
            ({"level": 0}, "unknown_level", "levels are 1 to 8"),
            ({"level": 9}, "unknown_level", "There is no level 9"),
            ({"level": -(2**63)}, "unknown_level", "There is no level"),
            ({"preset": "chess"}, "unknown_preset", "standard, tournament, agreement"),
            ({"preset": "<b>"}, "unknown_preset", "<b>"),
            ({"variant": "ludo"}, "unknown_variant", "ludo"),
            ({"start": ""}, "bad_fen", "side to move"),
            ({"start": "W::."}, "bad_fen", "no pieces"),
            ({"start": "B:W1:B2"}, "bad_fen", "crown row"),
            ({"start": "B:W18:B18"}, "bad_fen", "18"),
            ({"start": "B:W18:BK1-13"}, "bad_fen", "13 pieces"),
            ({"start": "B:W99:B1"}, "bad_fen", "1 to 32"),
            ({"start": "\x00"}, "bad_fen", "cannot be set up"),
            ({"start": "W:W5:B1"}, "game_over", "White has no move"),
            ({"start": "B:W5:B"}, "game_over", "Black has no piece"),
            ({"moves": ["11-15", "11-15"]}, "illegal_move", "Legal: 21-17"),
            ({"moves": ["e2-e4"]}, "illegal_move", "no square of play"),
            ({"moves": ["11-15", ""]}, "illegal_move", "Move 2 of this game"),
            ({"moves": ["11-15", "22-18", "8-11"]}, "illegal_move", "a jump is compulsory"),
            (
                {"start": "W:W27,32:B15,16,23,24", "moves": ["27x11"]},
                "illegal_move",
                "27x18x11 or 27x20x11",
            ),
        ],
    )
    def test_well_formed_but_impossible(self, shared_client, change, code, words):
        for path in ("/api/reply", "/api/draw"):
            problem = refusal(shared_client.post(path, json=game(**change)), 422, code)
            assert words in problem["message"]

    def test_the_move_at_fault_is_named(self, shared_client):
        sent = game(moves=["11-15", "22-18", "15-19"])
        problem = refusal(shared_client.post("/api/reply", json=sent), 422, "illegal_move")
        assert (problem["ply"], problem["field"]) == (3, "moves")

    def test_a_drawn_game_is_over_where_draws_come_by_themselves(self, shared_client):
        there, back = ["1-6", "32-27"], ["6-1", "27-32"]
        sent = game(start="B:WK32:BK1", moves=(there + back) * 2)
        refusal(shared_client.post("/api/reply", json=sent), 422, "game_over")
        for preset in ("tournament", "agreement"):
            answer = shared_client.post("/api/reply", json=sent | {"preset": preset})
            assert answer.status_code == 200
        shorter = sent | {"moves": sent["moves"][:-1]}
        assert shared_client.post("/api/reply", json=shorter).status_code == 200

    def test_a_game_does_not_go_on_after_its_end(self, shared_client):
        moves = [*["32-27", "1-6", "27-32", "6-1"] * 2, "32-28"]
        sent = game(start="W:WK32,21:BK1,12", moves=moves)
        problem = refusal(shared_client.post("/api/reply", json=sent), 422, "game_over")
        assert problem["ply"] == 8
        assert problem["message"].startswith("This game was over after move 8. Draw: the same")
        for preset, status in (("tournament", 200), ("agreement", 200), ("captures50", 422)):
            answer = shared_client.post("/api/reply", json=sent | {"preset": preset})
            assert answer.status_code == status

    def test_a_game_without_a_move_left_is_over(self, shared_client):
        problem = refusal(
            shared_client.post("/api/reply", json=game(start="W:W5:B1", moves=["5-1"])),
            422,
            "game_over",
        )
        assert "ply" not in problem
        assert "White has no move" in problem["message"]

    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("preset", ["standard", "captures50"])
    def test_every_ply_is_judged_as_the_rules_judge_it(self, seed, preset):
        """Kings wander until the rules end the game; the server says so at the same ply."""
        chance, rules = random.Random(seed), PRESETS[preset]
        history = History.start(Position.from_fen("W:WK32,K31,K30,21:BK1,K2,12"))
        while not history.outcome(rules):
            history = history.play(chance.choice(history.position.legal_moves))
        end = len(history.moves)
        for _ in range(3):
            if history.position.legal_moves:
                history = history.play(history.position.legal_moves[0])
        sent = decode(
            json.dumps(
                game(
                    moves=[str(m) for m in history.moves],
                    preset=preset,
                    start=history.positions[0].fen,
                )
            ).encode()
        )
        with pytest.raises(RequestError) as caught:
            replay(sent, Settings())
        assert (caught.value.problem.code, caught.value.problem.ply) == ("game_over", end)

    def test_more_moves_than_the_server_replays(self, shared_client):
        cycle = ["1-6", "32-27", "6-1", "27-32"]
        sent = game(start="B:WK32:BK1", preset="agreement", moves=cycle * 500)
        assert shared_client.post("/api/reply", json=sent).status_code == 200
        sent["moves"] += ["1-6"]
        problem = refusal(shared_client.post("/api/reply", json=sent), 422, "too_long")
        assert "2000" in problem["message"]

    def test_a_body_that_is_too_large(self, shared_client):
        sent = game(moves=["11-15"] * 20_000)
        refusal(shared_client.post("/api/reply", json=sent), 413, "too_large")

    def test_a_large_body_in_chunks_without_a_length(self, shared_client):
        def chunks():
            yield from [b" " * 4096] * 64

        headers = {"content-type": "application/json"}
        answer = shared_client.post("/api/reply", content=chunks(), headers=headers)
        refusal(answer, 413, "too_large")

    @pytest.mark.parametrize(
        "headers",
        [
            {"content-type": "text/plain"},
            {"content-type": "application/x-www-form-urlencoded"},
            {"content-type": ""},
            {"content-type": "application/json", "content-encoding": "gzip"},
        ],
    )
    def test_another_type(self, shared_client, headers):
        answer = shared_client.post("/api/reply", content=json.dumps(game()), headers=headers)
        refusal(answer, 415, "wrong_type")

    def test_json_with_a_charset(self, shared_client):
        headers = {"content-type": "Application/JSON; charset=utf-8"}
        answer = shared_client.post("/api/reply", content=json.dumps(game()), headers=headers)
        assert answer.status_code == 200

    def test_other_methods(self, shared_client):
        for method in ("GET", "PUT", "DELETE", "PATCH"):
            refusal(shared_client.request(method, "/api/reply"), 405, "wrong_method")
        assert shared_client.get("/api/reply").headers["allow"] == "POST"
        refusal(shared_client.post("/static/rules.js"), 405, "wrong_method")


class TestOrigins:
    def test_a_page_of_another_site_may_not_ask(self, shared_client, shared_base):
        for headers in (
            {"origin": "https://elsewhere.example"},
            {"origin": "null"},
            {"origin": "http://127.0.0.1:1"},
            {"origin": "http://[broken"},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ):
            answer = shared_client.post("/api/reply", json=game(), headers=headers)
            refusal(answer, 403, "cross_origin")
        same = {"origin": shared_base, "sec-fetch-site": "same-origin"}
        assert shared_client.post("/api/reply", json=game(), headers=same).status_code == 200

    def test_a_name_that_points_here_is_not_ours(self, shared_client):
        for host in (
            "elsewhere.example",
            "127.0.0.1.elsewhere.example",
            "",
            "[::1",
            "localhost.:x",
        ):
            answer = shared_client.get("/api/engine", headers={"host": host})
            assert answer.status_code == 400, host
        for host in ("localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:8642"):
            assert shared_client.get("/api/engine", headers={"host": host}).status_code == 200

    def test_a_public_server_takes_any_name(self):
        app = create_app(Settings(hosts=None), Ports(FirstMove()))
        with serving(app) as base:
            answer = httpx.get(f"{base}/api/engine", headers={"host": "checkers.example"})
            assert answer.status_code == 200


class TestEngine:
    def test_says_how_far_it_is(self, opponent, client):
        assert client.get("/api/engine").json() == {"ready": True, "detail": opponent.detail}
        opponent.ready, opponent.detail = False, "The engine is being compiled."
        assert client.get("/api/engine").json() == {"ready": False, "detail": opponent.detail}

    def test_a_failure_inside_shows_no_details(self, opponent, client, caplog):
        opponent.failure = ValueError("a secret")
        problem = refusal(client.post("/api/reply", json=game()), 500, "internal")
        assert "secret" not in problem["message"]
        assert "a secret" in caplog.text
        opponent.failure = None
        assert client.post("/api/reply", json=game()).status_code == 200

    def test_is_let_go_when_the_server_stops(self, opponent):
        with serving(create_app(Settings(), Ports(opponent))):
            assert not opponent.closed
        assert opponent.closed


class TestQueue:
    """One search at a time and one waiting, as the `settings` fixture says."""

    @pytest.fixture
    def ask(self, base):
        """Ask for a reply in a thread; the status is in `.status` when it has been joined."""
        started = []

        def begin():
            thread = threading.Thread(target=lambda: setattr(thread, "status", post()))
            thread.start()
            started.append(thread)
            return thread

        def post():
            return httpx.post(f"{base}/api/reply", json=game(), timeout=60).status_code

        yield begin
        for thread in started:
            thread.join()

    def test_beyond_it_the_server_says_that_it_is_busy(self, opponent, client, ask):
        opponent.gate.clear()
        try:
            thinking = ask()
            assert opponent.thinking.acquire(timeout=60)
            others = [ask(), ask()]  # one of them waits, the other is turned away
            while sum(hasattr(thread, "status") for thread in others) < 1:
                assert client.get("/api/engine").status_code == 200  # pages go on meanwhile
            problem = refusal(client.post("/api/reply", json=game()), 503, "busy")
            assert "Try again" in problem["message"]
        finally:
            opponent.gate.set()
        for thread in (thinking, *others):
            thread.join()
        assert thinking.status == 200
        assert sorted(thread.status for thread in others) == [200, 503]
        assert client.post("/api/reply", json=game()).status_code == 200

    def test_nobody_waits_longer_than_the_limit(self, opponent):
        opponent.gate.clear()
        app = create_app(Settings(searches=1, queue=5, queue_seconds=0.05), Ports(opponent))
        with serving(app) as base:
            first = threading.Thread(
                target=httpx.post, args=(f"{base}/api/reply",), kwargs={"json": game()}
            )
            first.start()
            assert opponent.thinking.acquire(timeout=60)
            answer = httpx.post(f"{base}/api/reply", json=game())
            opponent.gate.set()
            first.join()
        refusal(answer, 503, "busy")
        assert answer.headers["retry-after"] == "2"

    def test_people_who_leave_do_not_block_it(self, opponent, base, client):
        opponent.gate.clear()
        with asking(base, game()):
            assert opponent.thinking.acquire(timeout=60)
            with asking(base, game()):
                pass  # leaves while it waits for its turn
        opponent.gate.set()
        answers = (client.post("/api/reply", json=game()).status_code for _ in range(1000))
        assert 200 in answers

    def test_a_body_that_never_comes(self, opponent):
        app = create_app(Settings(body_seconds=0.05), Ports(opponent))
        with serving(app) as base, connect(base) as wire:
            wire.sendall(
                b"POST /api/reply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            assert b" 408 " in wire.recv(4096).split(b"\r\n")[0]

    @pytest.mark.parametrize("head", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: local"])
    def test_a_head_that_never_ends(self, opponent, monkeypatch, head):
        monkeypatch.setattr(serve, "HEAD_SECONDS", 0.05)
        with serving(create_app(Settings(), Ports(opponent))) as base, connect(base) as wire:
            wire.sendall(head)
            assert wire.recv(4096) == b""

    def test_a_second_head_that_never_ends(self, opponent, monkeypatch):
        monkeypatch.setattr(serve, "HEAD_SECONDS", 0.5)
        with serving(create_app(Settings(), Ports(opponent))) as base, connect(base) as wire:
            wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"ok\n"):
                answer += wire.recv(4096)
            wire.sendall(b"GET / HT")
            assert wire.recv(4096) == b""

    def test_a_search_outlasts_the_time_of_a_head(self, opponent, monkeypatch):
        monkeypatch.setattr(serve, "HEAD_SECONDS", 0.05)
        opponent.gate.clear()
        with serving(create_app(Settings(), Ports(opponent))) as base:
            timer = threading.Timer(0.2, opponent.gate.set)
            timer.start()
            assert httpx.post(f"{base}/api/reply", json=game()).status_code == 200
            timer.join()

    @pytest.mark.parametrize(
        ("request_", "status"),
        [
            (
                b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                b"Upgrade: h2c\r\n\r\n",
                b"200",
            ),
            (
                b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                b"Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n\r\n",
                b"400",
            ),
            (b"nonsense\r\n\r\n", b"400"),
        ],
    )
    def test_nothing_is_said_at_the_terminal(self, base, capfd, caplog, request_, status):
        with connect(base) as wire:
            wire.sendall(request_)
            assert wire.recv(4096).startswith(b"HTTP/1.1 " + status)
        assert not caplog.records
        assert capfd.readouterr().err == ""

    def test_a_body_that_breaks_off(self, base, client):
        with connect(base) as wire:
            wire.sendall(
                b"POST /api/reply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
        assert client.post("/api/reply", json=game()).status_code == 200


def connect(base):
    address = httpx.URL(base)
    return socket.create_connection((address.host, address.port))


@contextlib.contextmanager
def asking(base, sent):
    """Send a request; whoever sent it goes away at the end of the block, answered or not."""
    body = json.dumps(sent).encode()
    head = (
        "POST /api/reply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with connect(base) as wire:
        wire.sendall(head.encode() + body)
        yield


fuzz = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
words = st.text(st.sampled_from("0123456789abcdefghBWK:,-x. !?\"'[]\x00é\ud800"), max_size=30)
fens = st.sampled_from([Position.start().fen, "W:WK1-4:B5-8", "B:W18:B1"])


def spoilt(text_and_edits):
    text, edits = text_and_edits
    letters = list(text)
    for at, letter in edits:
        letters[at % (len(letters) + 1) : at % (len(letters) + 1) + 1] = letter
    return "".join(letters)


edits = st.lists(st.tuples(st.integers(0, 90), st.sampled_from(string.printable)), max_size=4)


class TestFuzz:
    """Whatever is sent, the answer is an answer or a refusal."""

    def send(self, client, body):
        headers = {"content-type": "application/json"}
        answer = client.post("/api/reply", content=body, headers=headers)
        assert answer.status_code in (200, 400, 409, 413, 422), answer.text
        if answer.status_code != 200:
            assert answer.json()["error"]["message"]
        return answer

    @fuzz
    @given(st.binary(max_size=200))
    def test_bytes(self, shared_client, body):
        self.send(shared_client, body)

    @fuzz
    @given(json_values)
    def test_json(self, shared_client, value):
        self.send(shared_client, json.dumps(value).encode())

    @fuzz
    @given(
        st.fixed_dictionaries(
            {"protocol": st.just(1) | json_values, "level": st.integers(1, 8) | json_values},
            optional={
                "moves": st.lists(words, max_size=4) | json_values,
                "start": st.none() | words | json_values,
                "preset": st.sampled_from([*PRESETS]) | json_values,
                "variant": st.just("english") | json_values,
                "ply": st.none() | st.integers(0, 4) | json_values,
            },
        )
    )
    def test_fields(self, shared_client, sent):
        self.send(shared_client, json.dumps(sent).encode())

    @fuzz
    @given(st.tuples(fens, edits).map(spoilt) | words)
    def test_fens(self, shared_client, fen):
        self.send(shared_client, json.dumps(game(start=fen)).encode())

    @fuzz
    @given(st.lists(st.tuples(st.sampled_from(["11-15", "22-18"]), edits).map(spoilt) | words))
    def test_moves(self, shared_client, moves):
        self.send(shared_client, json.dumps(game(moves=moves)).encode())

    @fuzz
    @given(st.binary(max_size=40), st.sampled_from(["/", "/static/", "/api/"]))
    @example(b".", "/static/")  # a client makes /static of it
    def test_addresses(self, shared_client, tail, folder):
        answer = shared_client.get(folder + quote(tail))
        assert answer.status_code in (200, 404, 405), answer.text


@pytest.fixture(scope="module")
def real_client():
    """A server with the real opponent, once its engine is ready."""
    opponent = Opponent()
    app = create_app(Settings(), Ports(opponent))
    with serving(app) as base, httpx.Client(base_url=base, timeout=60) as made:
        opponent.wait(300)
        yield made


class TestRealEngine:
    """The real opponent behind the interface."""

    def test_a_whole_game_against_the_beginner(self, real_client):
        chance, history = random.Random(1), History.start()
        while not history.outcome(PRESETS["standard"]):
            if len(history.moves) % 2:
                moves = [str(move) for move in history.moves]
                answer = real_client.post("/api/reply", json=game(moves=moves))
                assert answer.status_code == 200, answer.text
                body = answer.json()
                assert (body["ply"], body["asked"]) == (len(moves), 1)
                move = history.position.parse(body["move"])
                assert [*move.path] == body["path"]
                assert [*move.captures] == body["captures"]
            else:
                move = chance.choice(history.position.legal_moves)
            history = history.play(move)

    @pytest.mark.parametrize("level", [level.number for level in LEVELS])
    def test_every_level_answers(self, real_client, level):
        sent = game(moves=["11-15", "22-18", "15x22"], level=level)
        body = real_client.post("/api/reply", json=sent).json()
        assert body["move"] in ("25x18", "26x17")
        assert body["asked"] == level

    def test_a_draw_is_refused_by_whoever_wins(self, real_client):
        winning = {"start": "B:W9,K18,K19,K22,K23:B3", "level": 8}
        body = real_client.post("/api/draw", json=game(**winning)).json()
        assert body["accepted"] is False
        body = real_client.post("/api/draw", json=game(start="B:WK29:BK4", level=8)).json()
        assert body["accepted"] is True

    def test_says_that_it_is_ready(self, real_client):
        assert real_client.get("/api/engine").json()["ready"] is True


def test_every_refusal_is_documented():
    """docs/http.md names each code with the status that the server sends."""
    raised: set[tuple[str, str]] = {("404", "not_found"), ("405", "wrong_method")}
    for module in HERE.glob("*.py"):
        text = module.read_text()
        raised |= set(re.findall(r'RequestError\(\s*(\d+), "(\w+)"', text))
        for code in re.findall(r'\bRefusal\(\s*"(\w+)"', text):
            raised.add(("409" if code == "name_taken" else "422", code))
        raised |= {("409", "name_taken") for _ in re.findall(r"raise NameTaken", text)}
    told: set[tuple[str, str]] = set()
    page = (HERE.parents[2] / "docs" / "http.md").read_text()
    for status, codes in re.findall(r"^\| (\d{3}) \| ([^|]+) \|", page, re.MULTILINE):
        told |= {(status, code) for code in re.findall(r"`(\w+)`", codes)}
    assert told == raised


def test_every_level_is_offered(shared_client):
    for level in LEVELS:
        answer = shared_client.post("/api/reply", json=game(level=level.number))
        assert answer.json()["asked"] == level.number
