"""Bringing a study's database to the schema of this program."""

from sqlalchemy import inspect, text
from sqlalchemy.orm import Session

from labeler.core.errors import RefusedError
from labeler.locations import MIGRATIONS
from labeler.store.engine.database import Database

# The newest migration in db/versions; a test compares, so that opening needn't import Alembic.
SCHEMA_VERSION = "0034"


def current_revision(session: Session) -> str | None:
    """The migration that the database is at; None for a database without a schema."""
    if not inspect(session.connection()).has_table("alembic_version"):
        return None
    revision = session.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if revision is None else str(revision)


def is_empty(database: Database) -> bool:
    """Whether there is no study in the database."""
    with database.read() as session:
        return current_revision(session) is None


def needs_upgrade(database: Database) -> bool:
    """Whether the study is older than this program; refused if it is newer, or isn't there."""
    with database.read() as session:
        revision = current_revision(session)
    if revision is None:
        raise RefusedError(
            "The study's database is empty: there is no study in it. Its lead can put a "
            "backup in its place, on the first page.",
            by_command="`labeler backup STUDY --list`, then `--restore`.",
        )
    if revision > SCHEMA_VERSION:
        raise RefusedError(
            f"This study was written by a newer labeler (schema {revision}; this program knows "
            f"{SCHEMA_VERSION}). Update labeler to open it."
        )
    return revision != SCHEMA_VERSION


def require_empty(session: Session) -> None:
    """Refuse a database in which a study is already."""
    if current_revision(session) is not None:
        raise RefusedError("There is a study in that database already. Give an empty one.")


def upgrade(database: Database) -> None:
    """Run every migration that is missing, all in one transaction."""
    with database.write() as session:
        run_migrations(session)


def run_migrations(session: Session) -> None:
    """Run every migration that is missing, within the session's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = session.connection()
    command.upgrade(config, "head")
