"""Who one is: sessions that were chosen, stolen or ended, and what is guessed."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator

import anyio
import httpx2 as httpx
import pytest
from tests.web.live.attacks.attacker import (
    SECONDS,
    Attacker,
    control,
    login,
    session_of,
    with_password,
)

from kingme.store import open_store
from live.people import enrol
from live.service import Service

pytestmark = pytest.mark.anyio


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

        statuses = {
            login(
                guarded, f"name{number}", "x", headers={"X-Forwarded-For": f"192.0.2.{number}"}
            ).status_code
            for number in range(70)
        }
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
            await attacker.socket.leave()
            return codes

        codes = asyncio.run(guess())
        assert "seek_gone" in codes
        assert "too_fast" in codes
