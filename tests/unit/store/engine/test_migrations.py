"""The migrations lead to the schema, and a study is opened only by a program that knows it."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text

from labeler.core.errors import RefusedError
from labeler.locations import MIGRATIONS
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.engine.migrations import SCHEMA_VERSION, current_revision, upgrade
from labeler.store.schema import Base, ErrorReviewRow, SessionRow, TrialRow
from labeler.store.study.backups import backups
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study

_NEXT_NUMBER = f"{int(SCHEMA_VERSION) + 1:04d}"
_NEXT = """
from alembic import op
import sqlalchemy as sa

revision, down_revision = "{number}", "{before}"


def upgrade() -> None:
    with op.batch_alter_table("audit") as audit:
        audit.add_column(sa.Column("mood", sa.Text(), server_default="calm"))
    {then}
"""

_OLD_ROWS = (
    "INSERT INTO participant (id, code, kind, description, order_seed, added_at)"
    " VALUES (1, 'A', 'human', '', 1, '2026')",
    "INSERT INTO class (id, wnid, name) VALUES (0, 'n01440764', 'tench')",
    "INSERT INTO dataset (id, name, role, apply_exif, complete, added_at)"
    " VALUES (1, 'val', 'evaluation', 0, 1, '2026')",
    "INSERT INTO image (id, dataset_id, ordinal, name, target_id) VALUES (1, 1, 0, 'a', 0)",
    "INSERT INTO session (id, participant_id, role, task, program_version, started_at)"
    " VALUES ('00000000000000000000000000000001', 1, 'labeler', 'evaluate', '0', '2026')",
    "INSERT INTO trial (id, participant_id, task, image_id, position)"
    " VALUES ('00000000000000000000000000000002', 1, 'evaluate', 1, 7)",
)


_ERROR_REVIEW = (
    "INSERT INTO error_review (participant_id, image_id, class_id, mistake, category)"
    " VALUES (1, 1, 0, 'yes', 'other')"
)


def revision_of(path: Path) -> str | None:
    with (
        closing(Database(sqlite_url(path))) as database,
        database.read() as session,
    ):
        return current_revision(session)


def later_program(folder: Path, monkeypatch: pytest.MonkeyPatch, *, then: str = "") -> None:
    """From here on the program has one more migration."""
    shutil.copytree(MIGRATIONS, folder)
    migration = _NEXT.format(number=_NEXT_NUMBER, before=SCHEMA_VERSION, then=then)
    (folder / "versions" / f"{_NEXT_NUMBER}_moods.py").write_text(migration)
    monkeypatch.setattr("labeler.store.engine.migrations.MIGRATIONS", folder)
    monkeypatch.setattr("labeler.store.engine.migrations.SCHEMA_VERSION", _NEXT_NUMBER)


def test_the_newest_migration_is_the_one_that_opening_expects() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))

    assert ScriptDirectory.from_config(config).get_heads() == [SCHEMA_VERSION]


def test_every_migration_in_turn_leads_to_the_schema(tmp_path) -> None:
    with closing(Database(sqlite_url(tmp_path / "empty.db"))) as database:
        upgrade(database)
        with database.read() as session:
            context = MigrationContext.configure(
                session.connection(), opts={"compare_type": True, "compare_server_default": True}
            )
            assert compare_metadata(context, Base.metadata) == []


def test_the_database_checks_what_the_schema_checks(tmp_path) -> None:
    with closing(Database(sqlite_url(tmp_path / "empty.db"))) as database:
        upgrade(database)
        with database.read() as session:
            inspector = inspect(session.connection())
            for table in Base.metadata.sorted_tables:
                wanted = {
                    str(check.name): str(check.sqltext)
                    for check in table.constraints
                    if check.__visit_name__
                    in ("check_constraint", "table_or_column_check_constraint")
                }
                found = {
                    str(check["name"]): check["sqltext"]
                    for check in inspector.get_check_constraints(table.name)
                }
                assert found == wanted, table.name


def test_a_study_of_the_first_schema_keeps_its_sessions_and_trials(tmp_path) -> None:
    with closing(Database(sqlite_url(tmp_path / "old.db"))) as database:
        with database.write() as session:
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.attributes["connection"] = session.connection()
            command.upgrade(config, "0001")
            for statement in _OLD_ROWS:
                session.execute(text(statement))

        upgrade(database)

        with database.read() as session:
            row = session.scalars(select(SessionRow)).one()
            trial = session.scalars(select(TrialRow)).one()
    assert (row.started_at, row.active_at) == ("2026", None)
    assert (trial.position, trial.flagged_wall_ms) == (7, None)


def test_error_reviews_from_before_revisions_are_kept_as_the_first(tmp_path) -> None:
    with closing(Database(sqlite_url(tmp_path / "old.db"))) as database:
        with database.write() as session:
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.attributes["connection"] = session.connection()
            command.upgrade(config, "0024")
            for statement in (*_OLD_ROWS[:4], _ERROR_REVIEW):
                session.execute(text(statement))

        upgrade(database)

        with database.read() as session:
            row = session.scalars(select(ErrorReviewRow)).one()
    assert (row.revision, row.mistake, row.category, row.severity) == (1, "yes", "other", None)


def test_upgrading_what_is_up_to_date_changes_nothing(store) -> None:
    upgrade(store.database)

    assert revision_of(store.folder.database) == SCHEMA_VERSION


def test_a_newer_study_is_refused_with_a_sentence(store, path, clock) -> None:
    with store.write() as study:
        study.session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(
        RefusedError, match=r"newer labeler \(schema 9999; .* Update labeler to open"
    ):
        open_study(path, clock=clock)


def test_an_older_study_is_backed_up_and_upgraded_when_it_is_opened(
    store, path, clock, tmp_path, monkeypatch
) -> None:
    with store.write() as study:
        study.audit.record("before the upgrade")
    later_program(tmp_path / "db", monkeypatch)

    with open_study(path, clock=clock) as upgraded, upgraded.read() as study:
        assert study.session.execute(text("SELECT action, mood FROM audit")).all() == [
            ("before the upgrade", "calm")
        ]

    assert revision_of(path / "study.db") == _NEXT_NUMBER
    [backup] = backups(StudyFolder(path))
    assert revision_of(backup.path) == SCHEMA_VERSION
    assert backup.made_at == clock.utc()


def test_opening_an_upgraded_study_again_makes_no_other_backup(
    store, path, clock, tmp_path, monkeypatch
) -> None:
    later_program(tmp_path / "db", monkeypatch)
    open_study(path, clock=clock).close()
    clock.go_on(hours=1)

    open_study(path, clock=clock).close()

    assert len(backups(StudyFolder(path))) == 1


def test_an_upgrade_that_fails_leaves_the_study_as_it_was(
    store, path, clock, tmp_path, monkeypatch
) -> None:
    later_program(tmp_path / "db", monkeypatch, then="raise RuntimeError('half way')")

    with pytest.raises(RuntimeError, match="half way"):
        open_study(path, clock=clock)

    assert revision_of(path / "study.db") == SCHEMA_VERSION
    with store.read() as study:
        columns = {
            column["name"] for column in inspect(study.session.connection()).get_columns("audit")
        }
    assert "mood" not in columns


@pytest.mark.parametrize("left_of_it", ["an empty file", "an empty list of migrations"])
def test_a_database_without_a_study_is_refused_and_not_filled(path, clock, left_of_it) -> None:
    for file in path.glob("study.db*"):
        file.unlink()
    if left_of_it == "an empty file":
        (path / "study.db").touch()
    else:
        with closing(Database(sqlite_url(path / "study.db"))) as database, database.write() as s:
            s.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))

    with pytest.raises(RefusedError, match=r"there is no study in it\. Its lead can put a backup"):
        open_study(path, clock=clock)

    assert revision_of(path / "study.db") is None
