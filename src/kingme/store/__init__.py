"""The store keeps everything that has to last, in SQLite or PostgreSQL, behind `kingme.play.ports`.

`open_store` is the door. Every method is one transaction, durable when it returns.
"""

from __future__ import annotations

from kingme.store.backups import restore
from kingme.store.sql import Store, open_store

__all__ = ["Store", "open_store", "restore"]
