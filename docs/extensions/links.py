"""Links that lead out of the site, to folders and files of a clone, become plain text.

The same pages are read in a clone, where those links work.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"\[([^\]\n]+)\]\((\.\.?/[^)#\s]+)\)")


def unlink(app: Sphinx, docname: str, source: list[str]) -> None:
    """Keep the text of links to what is not below `docs`."""
    page = Path(app.env.doc2path(docname))
    root = Path(app.srcdir).resolve()

    def replace(found: re.Match[str]) -> str:
        target = (page.parent / found[2]).resolve()
        inside = target.is_relative_to(root) and target.is_file()
        return found[0] if inside else f"`{target.relative_to(root.parent)}`"

    if page.suffix == ".md":
        source[0] = LINK.sub(replace, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Look at each page as it is read."""
    app.connect("source-read", unlink)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
