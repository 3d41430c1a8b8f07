"""Limits, counted in this process, in a real Redis, and in one that has gone away."""

from __future__ import annotations

import anyio
import pytest

from kingme.web.guard import RequestError
from kingme.web.limits import Limit, Limits, address_of

THREE = Limit(3, 60, "test", "That is enough.")


def spent(limits, *keys):
    """How the limit answered for each key: 0 for yes, or the seconds to wait."""

    async def spend(key):
        try:
            await limits.spend((THREE, key))
        except RequestError as error:
            return error
        return None

    refused = [anyio.run(spend, key) for key in keys]
    assert {(error.status, str(error)) for error in refused if error} <= {(429, "That is enough.")}
    return [error.retry_after if error else 0 for error in refused]


def test_so_many_for_each_key():
    told = spent(Limits(), *"aaaaba")
    assert told[:3] + told[4:5] == [0, 0, 0, 0]
    assert all(3590 <= wait <= 3600 for wait in (told[3], told[5]))


def test_several_at_once_stop_at_the_first_that_is_used_up():
    limits = Limits()

    async def work():
        for _ in range(3):
            await limits.spend((THREE, "a"), (THREE, "b"))
        with pytest.raises(RequestError):
            await limits.spend((THREE, "a"), (THREE, "c"))
        for _ in range(3):
            await limits.spend((THREE, "c"))

    anyio.run(work)


def test_what_is_forgiven_begins_anew():
    limits = Limits()
    assert spent(limits, *"aaa") == [0, 0, 0]
    anyio.run(limits.forgive, THREE, "a")
    assert spent(limits, *"aaa") == [0, 0, 0]


def test_processes_count_together_in_redis(own_redis):
    one, two = Limits(own_redis.url), Limits(own_redis.url)
    assert spent(one, "a", "a") == [0, 0]
    told = spent(two, "a", "a")
    assert told[0] == 0
    assert told[1] > 3500
    anyio.run(one.forgive, THREE, "a")
    assert spent(two, "a") == [0]
    one.close()
    two.close()


def test_without_redis_each_process_counts_on_its_own(own_redis, caplog):
    limits = Limits(own_redis.url)
    assert spent(limits, "a") == [0]
    own_redis.kill()
    told = spent(limits, *"aaaa")
    assert told[:3] == [0, 0, 0]
    assert told[3] > 3500
    assert len(caplog.records) == 1
    anyio.run(limits.forgive, THREE, "a")
    limits.close()


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", "unknown"),
    ],
)
def test_what_an_address_counts_as(address, key):
    assert address_of((address, 1)) == key
    assert address_of(None) == "unknown"
