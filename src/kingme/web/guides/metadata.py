"""What search engines are told: structured data by schema.org, the map of the site, robots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape, unescape

from markupsafe import Markup

from kingme.web.guides.questions import Question
from kingme.web.rendering import embedded

__all__ = ["application", "article", "breadcrumbs", "faq", "puzzle", "robots", "sitemap"]

CONTEXT = "https://schema.org"
GAME = {"@type": "Game", "name": "Checkers", "alternateName": "English draughts"}
Trail = Sequence[tuple[str, str]]
"""Names and paths of the pages that lead to a page, itself last."""

Telling = Callable[[str, str], Markup]
"""What a page says of itself as JSON-LD, made from its title and description in HTML."""


def application(base: str, path: str) -> Telling:
    """A page to do something on, as everybody may, in any browser."""
    return partial(
        _told,
        {
            "@context": CONTEXT,
            "@type": "WebApplication",
            "url": f"{base}{path}",
            "applicationCategory": "GameApplication",
            "operatingSystem": "Any",
            "browserRequirements": "A browser with JavaScript",
            "inLanguage": "en",
            "isAccessibleForFree": True,
            "offers": {"@type": "Offer", "price": "0", "priceCurrency": "EUR"},
            "about": GAME,
            "publisher": {"@type": "Organization", "name": "kingme", "url": f"{base}/"},
        },
    )


def puzzle(base: str, name: str) -> Telling:
    """One puzzle of many."""
    return partial(
        _told,
        {
            "@context": CONTEXT,
            "@type": "LearningResource",
            "url": f"{base}/puzzles/{name}",
            "learningResourceType": "Puzzle",
            "inLanguage": "en",
            "isAccessibleForFree": True,
            "about": GAME,
            "isPartOf": {"@type": "WebApplication", "name": "kingme", "url": f"{base}/"},
        },
    )


def _told(record: dict[str, object], title: str, description: str) -> Markup:
    name, about = (unescape(str(text)) for text in (title, description))
    return embedded({**record, "name": name.removesuffix(" – kingme"), "description": about})


def article(base: str, path: str, title: str, description: str) -> dict[str, object]:
    """A page to read."""
    return {
        "@context": CONTEXT,
        "@type": "Article",
        "headline": title,
        "description": description,
        "url": f"{base}{path}",
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "about": GAME,
        "publisher": {"@type": "Organization", "name": "kingme", "url": f"{base}/"},
    }


def breadcrumbs(base: str, trail: Trail) -> dict[str, object]:
    """Where a page is."""
    return {
        "@context": CONTEXT,
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": i, "name": name, "item": f"{base}{path}"}
            for i, (name, path) in enumerate(trail, 1)
        ],
    }


def faq(questions: Iterable[Question]) -> dict[str, object]:
    """Questions with their answers, which stand on the page in the same words."""
    return {
        "@context": CONTEXT,
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": question.asked,
                "acceptedAnswer": {
                    "@type": "Answer",
                    "text": "".join(f"<p>{paragraph}</p>" for paragraph in question.answer),
                },
            }
            for question in questions
        ],
    }


def sitemap(base: str, paths: Iterable[str]) -> str:
    """The pages of the site as XML, by the protocol of sitemaps.org."""
    entries = "".join(f"<url><loc>{escape(base + path)}</loc></url>\n" for path in paths)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def robots(base: str, kept_out: Iterable[str]) -> str:
    """What robots are asked to leave alone, and where the map is."""
    refused = "".join(f"Disallow: {path}\n" for path in kept_out)
    return f"User-agent: *\n{refused}\nSitemap: {base}/sitemap.xml\n"
