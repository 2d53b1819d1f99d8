"""Bringing a study's database to the schema of this program."""

from sqlalchemy import Connection, inspect, text

from labeler.core.errors import Refused
from labeler.locations import MIGRATIONS
from labeler.store.database import Database

# The newest migration in db/versions; a test compares, so that opening needn't import Alembic.
HEAD = "0001"


def current_revision(database: Database) -> str | None:
    """The migration that the database is at; None for a database without a schema."""
    with database.read() as session:
        connection = session.connection()
        if not inspect(connection).has_table("alembic_version"):
            return None
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if revision is None else str(revision)


def needs_upgrade(database: Database) -> bool:
    """Whether the study is older than this program; a newer one is refused."""
    revision = current_revision(database)
    if revision is not None and revision > HEAD:
        raise Refused(
            f"This study was written by a newer labeler (schema {revision}; this program knows "
            f"{HEAD}). Update labeler to open it."
        )
    return revision != HEAD


def upgrade(database: Database) -> None:
    """Run every migration that is missing, all in one transaction."""
    with database.write() as session:
        _run(session.connection())


def _run(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
