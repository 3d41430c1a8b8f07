"""What alembic runs to migrate: the open transaction that `Store.migrate` hands over."""

from __future__ import annotations

from alembic import context

from kingme.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
