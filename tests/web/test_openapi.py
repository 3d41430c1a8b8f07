"""The OpenAPI document says what there is: every route, every record, every example."""

from __future__ import annotations

import re

import msgspec
import pytest
from starlette.routing import Route

from kingme.store import open_store
from kingme.web import analysing, api, collection, endgames, explorer, puzzles, reading, reviewing
from kingme.web.community import gather
from kingme.web.openapi import EXAMPLES, OPERATIONS, REFERENCE, REFUSED, document
from kingme.web.ports import Ports
from kingme.web.settings import Settings

from .conftest import FirstMove
from .town import Clock, quick, town

DOCUMENT = document()


def operations():
    """Every method at every address under /api that a server answers."""
    store = open_store("sqlite://")
    made = gather(store, Settings(), now=Clock(), passwords=quick())
    routes = [*made.routes, *api.routes(Ports(FirstMove()), Settings())]
    routes += [*collection.routes(Settings()), *endgames.routes(Settings())]
    routes += [*explorer.routes(Settings()), *puzzles.routes()]
    routes += analysing.routes(Ports(FirstMove()), Settings())
    routes += [*reading.routes(Settings()), *reviewing.routes()]
    store.close()
    for route in routes:
        assert isinstance(route, Route)
        if route.path.startswith("/api/") and route.path != "/api/openapi.json":
            methods = (route.methods or set()) - {"HEAD"}
            yield from ((method, route.path) for method in methods)


def test_every_operation_is_there():
    told = {(item.method.upper(), item.path) for item in OPERATIONS}
    assert told == set(operations())
    assert len(told) == len(OPERATIONS)


def test_the_address_of_the_document(tmp_path):
    with town(tmp_path) as place:
        answer = place.browser().get("/api/openapi.json")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == DOCUMENT


def references(value):
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield item
            else:
                yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_every_reference_leads_somewhere():
    found = set(references(DOCUMENT))
    for reference in found:
        value = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            value = value[part]
    schemas = {REFERENCE.format(name=name) for name in DOCUMENT["components"]["schemas"]}
    assert schemas <= found, "every schema is used"
    for status in REFUSED:
        assert f"#/components/responses/{status}" in found, "every refusal can come"


def test_names_of_operations_are_unique():
    names = re.findall(r'"operationId":"(\w+)"', msgspec.json.encode(DOCUMENT).decode())
    assert len(set(names)) == len(names) == len(OPERATIONS)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_every_example_is_one(kind):
    msgspec.convert(EXAMPLES[kind], kind)


def test_each_body_has_an_example():
    assert {item.takes for item in OPERATIONS if item.takes} == set(EXAMPLES)
