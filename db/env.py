"""Alembic's environment: it runs on the connection that the program hands over."""

from alembic import context
from sqlalchemy import Connection

from labeler.store.schema import Base, use_partial_indexes_on_postgresql


def run(connection: Connection) -> None:
    use_partial_indexes_on_postgresql()
    # SQLite can't alter tables in place: batch mode copies them, as one migration needs it.
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


run(context.config.attributes["connection"])
