"""The pages that know who looks at them: rendering, and the few forms in which values are shown."""

from __future__ import annotations

import datetime as dt
from http import HTTPStatus
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import kingme
from kingme.errors import Unavailable
from kingme.play.ports import User
from kingme.web.auth import Auth
from kingme.web.guard import explain, refusal, wants_page, way_back
from kingme.web.rendering import TEMPLATES
from kingme.web.variants import shape

__all__ = ["Site", "when"]

UNASKED = object()


class Site:
    """Renders templates for whoever a request comes from."""

    def __init__(self, auth: Auth) -> None:
        self.auth = auth
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(when=when, signed=signed)
        self._templates.globals["board"] = shape()
        # Compiled here, in the thread that puts the server together, and not at the first visit.
        for name in self._templates.list_templates(["html"]):
            self._templates.get_template(name)

    async def page(
        self,
        request: Request,
        template: str,
        here: str = "",
        status: int = 200,
        you: Any = UNASKED,
        **values: Any,
    ) -> Response:
        """A page as a response. The template gets `here`, `you`, `version` and the values.

        The session of whoever looks is kept for longer with each page.
        """
        viewer: User | None = await self.auth.identify(request.headers) if you is UNASKED else you
        told = {"here": here, "you": viewer, "version": kingme.__version__, **values}
        text = self._templates.get_template(template).render(told)
        headers = {"Cache-Control": "private, no-cache", "Vary": "Cookie"}
        response = HTMLResponse(text, status, headers)
        if viewer is not None:
            self.auth.keep(request, response)
        return response

    async def explain(self, request: Request, error: Exception) -> Response:
        """The answer to a refusal: for a person a page like any other, JSON for a script."""
        # Who asks is not known while the store is away.
        if not wants_page(request) or isinstance(error, Unavailable):
            return await explain(request, error)
        status, problem, headers = refusal(error)
        title = "Nothing here" if status == HTTPStatus.NOT_FOUND else "That is not possible"
        try:
            response = await self.page(
                request,
                "refused.html",
                status=status,
                known=True,
                title=title,
                message=problem.message,
                back=way_back(request),
            )
        except Unavailable:
            return await explain(request, error)
        response.headers.update(headers)
        return response


def when(at: int) -> Markup:
    """A time (ms since the epoch) as a day, with the moment for machines."""
    moment = dt.datetime.fromtimestamp(at / 1000, dt.UTC)
    exact, day = moment.isoformat(timespec="seconds"), f"{moment.day} {moment:%b %Y}"
    return Markup('<time datetime="{}">{}</time>').format(exact, day)


def signed(amount: int) -> str:
    """An amount with its sign, as typesetters write it."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"
