"""The ``kingme`` command: one module a subcommand, bound together here."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; what kingme refuses is one line on stderr and exit status 2."""
    from kingme.cli.app import app
    from kingme.errors import KingmeError

    try:
        app()
    except KingmeError as error:
        print(f"kingme: {error}", file=sys.stderr)
        sys.exit(2)
