"""Pages that are the same for everybody: the templates, and how one becomes an answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

import kingme
from kingme.web.variants import shape

__all__ = ["TEMPLATES", "base_of", "embedded", "environment", "page", "rendered", "response"]

TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """The templates of pages that do not ask who looks at them."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["board"] = shape()
    return templates


def base_of(request: Request) -> str:
    """The address of the site as this request names it, without the slash at its end."""
    return str(request.base_url).rstrip("/")


def embedded(record: object) -> Markup:
    """A record as JSON that can stand inside a script element: no tag can begin in it."""
    text = msgspec.json.encode(record).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - no tag can begin in this text


def rendered(template: str, here: str = "", **values: Any) -> str:
    """A page as text. The template gets `here`, `version` and the values."""
    told = {"here": here, "version": kingme.__version__, **values}
    return environment().get_template(template).render(told)


def response(text: str) -> HTMLResponse:
    """A page that is there as text; a browser asks each time whether it is still so."""
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


def page(template: str, here: str = "", **values: Any) -> HTMLResponse:
    """A page as a response, rendered now; see `rendered`."""
    return response(rendered(template, here, **values))
