"""A directive that draws a position where it stands in a page.

    ```{board} W:W27,32:B15,16,23,24
    :marks: 27
    :arrows: 27-18 18-11
    White has to jump, and may choose how.
    ```

The argument is a FEN, or nothing for the start; the text below is the caption.
"""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import kingme
from kingme.rules import svg


def pairs(text: str) -> list[tuple[int, int]]:
    """Arrows as people write them: `27-18 18-11`."""
    words = [word.split("-") for word in text.split()]
    return [(int(start), int(end)) for start, end in words]


def numbers(text: str) -> list[int]:
    """Squares: `18 27`."""
    return [int(word) for word in text.split()]


class BoardDirective(SphinxDirective):
    """`board`: a picture of a position, with a caption."""

    optional_arguments = 1
    final_argument_whitespace = False
    has_content = True
    option_spec: ClassVar = {
        "variant": directives.unchanged,
        "move": directives.unchanged_required,
        "arrows": pairs,
        "marks": numbers,
        "seen-from": lambda text: directives.choice(text, ("black", "white")),
        "theme": directives.unchanged,
        "size": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        """Draw; a text that cannot be read is an error of the page."""
        variant = kingme.VARIANTS[self.options.get("variant", "english")]
        try:
            position = (
                kingme.Position.from_fen(self.arguments[0], variant)
                if self.arguments
                else kingme.Position.start(variant)
            )
            move = position.parse(self.options["move"]) if "move" in self.options else None
        except kingme.KingmeError as error:
            raise self.error(str(error)) from error
        black = self.options.get("seen-from") == "black"
        drawn = svg.board(
            position.play(move) if move else position,
            size=self.options.get("size", 42 * variant.columns + 16),
            orientation=kingme.Side.BLACK if black else kingme.Side.WHITE,
            last_move=move,
            arrows=self.options.get("arrows", ()),
            marks=self.options.get("marks", ()),
            theme=self.options.get("theme", "wood"),
        )
        figure = nodes.figure(classes=["board"])
        figure += nodes.raw("", drawn, format="html")
        if self.content:
            caption, _ = self.parse_inline(" ".join(self.content))
            figure += nodes.caption("", "", *caption)
        return [figure]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("board", BoardDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
