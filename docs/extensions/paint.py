"""The colours of code: few, calm, and dark or light enough to read (4.5 to 1 and more)."""

from __future__ import annotations

from typing import ClassVar

from pygments.style import Style
from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Token,
    _TokenType,
)


def colours(ink: str, soft: str, green: str, red: str, blue: str) -> dict[_TokenType, str]:
    """Which words have which colour; most have none."""
    return {
        Token: ink,
        Comment: f"italic {soft}",
        Keyword: green,
        Operator.Word: green,
        Operator: ink,
        Punctuation: ink,
        Name: ink,
        Name.Tag: green,
        Name.Attribute: blue,
        Name.Exception: red,
        Literal: red,
        String: red,
        Number: blue,
        Generic.Prompt: soft,
        Generic.Output: soft,
        Generic.Traceback: soft,
        Generic.Error: red,
        Error: red,
    }


class Light(Style):
    """On paper."""

    background_color = "#f8f5ec"
    styles: ClassVar = colours("#23261f", "#5b6055", "#1e6647", "#8a3a17", "#1f5a86")


class Dark(Style):
    """At night."""

    background_color = "#202320"
    styles: ClassVar = colours("#ece9df", "#a9aea2", "#86cba8", "#e9b38f", "#9cc4e4")
