"""What a request sends, as a record: JSON from a script, or the fields of a plain form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request

from kingme.web.api import in_words
from kingme.web.guard import RequestError, read_body, read_json
from kingme.web.settings import Settings
from kingme.web.wire import read

__all__ = ["form", "json_record", "number"]

T = TypeVar("T", bound=msgspec.Struct)

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 20


async def json_record(
    request: Request, settings: Settings, kind: type[T], most: int | None = None
) -> T:
    """The JSON body of a request as a record, or a refusal that says what is wrong with it.

    ``most`` are its bytes, where they may be more than those of other bodies.
    """
    body = await read_json(request, settings, most)
    try:
        return read(body, kind)
    except msgspec.ValidationError as error:
        message, field = in_words(str(error))
        raise RequestError(400, "malformed", message, field=field) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        message = "The server cannot read this request: it is not JSON."
        raise RequestError(400, "malformed", message) from None
    except RecursionError:
        raise RequestError(400, "malformed", "This request is nested too deeply.") from None


async def form(request: Request, settings: Settings) -> Mapping[str, str]:
    """The fields of a form, the last of those with the same name."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise RequestError(415, "wrong_type", f"Send a form, with the content type {FORM}.")
    body = await read_body(request, settings)
    try:
        return dict(parse_qsl(body.decode(), True, max_num_fields=MOST_FIELDS, errors="strict"))
    except ValueError:
        raise RequestError(400, "malformed", "The server cannot read this form.") from None


def number(request: Request, name: str) -> int | None:
    """A whole number in the query of an address; None where it is left out."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise RequestError(400, "malformed", f"{name} must be a whole number.", field=name)
    return int(text)
