"""The command line as one typer application; a command's own imports wait until it runs."""

from __future__ import annotations

