"""PostgreSQL and Redis of a run's own, as the tests have them."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services import Postgres, Redis

__all__ = ["private_services"]

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"


def private_services(stack: contextlib.ExitStack) -> tuple[Postgres, Redis]:
    """Start both; they stop with `stack`. ``SystemExit`` where a program is not there."""
    if str(SCRIPTS) not in sys.path:
        sys.path.append(str(SCRIPTS))
    import services

    lacking = services.missing()
    if lacking:
        raise SystemExit(f"{lacking}: {services.BY_HAND}")
    return stack.enter_context(services.Postgres()), stack.enter_context(services.Redis())
