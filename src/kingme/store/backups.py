"""Copies of a whole database, and the way back."""

from __future__ import annotations

from pathlib import Path

from kingme.store.database import Database

__all__ = ["backup", "restore"]


def backup(database: Database, path: Path) -> None:
    """Write all as it stands at one moment into a new file."""
    raise NotImplementedError


def restore(url: str, path: Path, *, overwrite: bool = False) -> None:
    """Put a backup in the place of a database."""
    raise NotImplementedError
