"""Who may come in: foreign pages, other names, tokens that were never given, and silence."""

from __future__ import annotations

import json
import socket

import anyio
import httpx2 as httpx
import pytest
from tests.web.live.attacks.attacker import ELSEWHERE, SECONDS, play, seated, session_of

from live.wire import Refused

pytestmark = pytest.mark.anyio


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
