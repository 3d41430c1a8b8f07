"""The colours of a board as data; the named themes are those of the page."""

from __future__ import annotations

from dataclasses import dataclass, fields

from kingme.rules.variant import Side

__all__ = ["THEMES", "Theme", "theme_of"]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a board, each as ``#rrggbb``; the named ones are those of the page.

    ``depth`` and ``gloss`` are how strong shadow and shine of the pieces are, from 0 to 1;
    ``ridge`` is how thick the lines on them are, in tenths of a square.

    >>> THEMES["wood"].square
    '#a87848'
    """

    name: str
    pale: str
    square: str
    frame: str
    label: str
    dark_face: str
    dark_edge: str
    dark_line: str
    dark_crown: str
    dark_rim: str
    light_face: str
    light_edge: str
    light_line: str
    light_crown: str
    light_rim: str
    mark: str
    tint: str
    halo: str
    depth: float = 0.26
    gloss: float = 1.0
    ridge: float = 0.3

    def piece(self, side: Side) -> tuple[str, str, str, str, str]:
        """Return the face, edge, line, crown and rim of a side's pieces."""
        if side is Side.BLACK:
            found = (self.dark_face, self.dark_edge, self.dark_line, self.dark_crown, self.dark_rim)
        else:
            found = (
                self.light_face, self.light_edge, self.light_line, self.light_crown, self.light_rim,
            )  # fmt: skip
        return found

    @property
    def code(self) -> str:
        """A short text that is the same for the same colours, for names within a picture."""
        found = 0
        for field in fields(self):
            for character in f"{getattr(self, field.name)};":
                found = (found * 31 + ord(character)) % 0x7FFFFFFF
        return f"{found:08x}"


#: The themes of the page, by name.
THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme(
            "wood",
            pale="#ecd3a6", square="#a87848", frame="#5d3d24", label="#2a1708",
            dark_face="#3a2519", dark_edge="#1d100a", dark_line="#a07a5c", dark_crown="#f2c665",
            dark_rim="#150b06", light_face="#f8e8c8", light_edge="#c09a62",
            light_line="#a57b42", light_crown="#7a4a0c", light_rim="#54391a",
            mark="#241206", tint="#ffd95c", halo="#fff3d0",
        ),
        Theme(
            "green",
            pale="#f1e5c3", square="#649a7c", frame="#385945", label="#0c2416",
            dark_face="#821811", dark_edge="#6b130d", dark_line="#d5766b", dark_crown="#fbd873",
            dark_rim="#3b0905", light_face="#fdf7e8", light_edge="#b9ab89",
            light_line="#a28f62", light_crown="#8a5a09", light_rim="#4c3f26",
            mark="#10261b", tint="#f7d354", halo="#ffffff",
        ),
        Theme(
            "contrast",
            pale="#ffffff", square="#787878", frame="#000000", label="#000000",
            dark_face="#000000", dark_edge="#000000", dark_line="#ffffff", dark_crown="#ffffff",
            dark_rim="#ffffff", light_face="#ffffff", light_edge="#ffffff",
            light_line="#000000", light_crown="#000000", light_rim="#000000",
            mark="#000000", tint="#ffe14d", halo="#ffe14d",
            depth=0, gloss=0, ridge=0.28,
        ),
    )
}  # fmt: skip


def theme_of(theme: Theme | str) -> Theme:
    """Return the theme of a name, or the theme itself; ``ValueError`` lists the names.

    >>> theme_of("green").name
    'green'
    """
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise ValueError(f"there is no board theme {theme!r}: there are {', '.join(THEMES)}")
    return THEMES[theme]
