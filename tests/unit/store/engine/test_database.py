"""Transactions are durable, whole and safe next to other programs on the same study."""

import os
import signal
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.store.datasets.datasets import DatasetDefinition
from labeler.store.engine.checksums import RESTORE_COMMAND
from labeler.store.engine.database import Database, server_url, sqlite_url
from labeler.store.study_opening import open_study

NOBODY = 65534

_WRITER = """
import sys
from pathlib import Path
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with open_study(path, clock=SystemClock()) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(count):
        with store.write() as study:
            # What is written depends on what is read: an outdated view would repeat a number.
            study.audit.record(str(len(study.audit.entries())), actor=name)
"""

_KILLED = """
import sys
from pathlib import Path
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store, store.write() as study:
    for number in range(5000):
        study.audit.record(f"half done {number}")
    study.session.flush()
    print("in the middle", flush=True)
    sys.stdin.readline()
"""


def actions(store) -> list[str]:
    with store.read() as study:
        return [entry.action for entry in study.audit.entries()]


def pragma(store, name: str) -> object:
    with store.read() as study:
        return study.session.execute(text(f"PRAGMA {name}")).scalar()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 60_000),
    ],
)
def test_every_connection_has_the_settings_that_keep_data_safe(store, name, value) -> None:
    assert pragma(store, name) == value


def test_a_hurried_study_is_as_safe_and_less_patient(store) -> None:
    with store.hurried() as hurried:
        settings = [pragma(hurried, name) for name in ("journal_mode", "synchronous")]
        assert (settings, pragma(hurried, "busy_timeout")) == (["wal", 2], 3000)


def test_a_row_that_refers_to_nothing_is_not_accepted(store) -> None:
    with (
        pytest.raises(IntegrityError, match="FOREIGN KEY"),
        store.write() as study,
    ):
        study.session.execute(text("INSERT INTO training_pool (image_id) VALUES (99)"))


def test_a_value_outside_a_closed_set_is_not_accepted(store) -> None:
    with pytest.raises(IntegrityError, match="CHECK"), store.write() as study:
        study.session.execute(text("INSERT INTO phase (phase, state) VALUES ('train', 'ajar')"))


def test_a_write_that_fails_leaves_nothing_of_itself(store) -> None:
    def half_a_change() -> None:
        with store.write() as study:
            study.audit.record("first")
            study.datasets.add(DatasetDefinition(name="val", role=DatasetRole.EVALUATION))
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        half_a_change()

    with store.read() as study:
        assert study.audit.entries() == []
        assert study.datasets.all() == []


def test_what_is_done_in_a_read_is_not_kept(store) -> None:
    with store.read() as study:
        study.audit.record("never")
        study.session.flush()

    assert actions(store) == []


def test_a_reader_keeps_its_view_while_a_writer_commits(store, path, clock) -> None:
    with open_study(path, clock=clock) as other, store.read() as before:
        assert before.audit.entries() == []
        with other.write() as study:
            study.audit.record("meanwhile")

        assert before.audit.entries() == []
        assert actions(other) == ["meanwhile"]
    assert actions(store) == ["meanwhile"]


def test_two_programs_write_at_once_and_nothing_is_lost(store, path, run) -> None:
    writers = [run(_WRITER, path, name, 40) for name in ("one", "other")]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()

    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    with store.read() as study:
        entries = study.audit.entries()
    assert [entry.action for entry in entries] == [str(number) for number in range(80)]
    assert [entry.actor for entry in entries].count("one") == 40


def test_a_program_killed_in_the_middle_of_a_write_leaves_the_earlier_state(
    store, path, run
) -> None:
    with store.write() as study:
        study.audit.record("before")
    process = run(_KILLED, path)
    assert process.stdout.readline() == "in the middle\n"

    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)

    assert process.returncode == -signal.SIGKILL
    assert actions(store) == ["before"]
    with store.write() as study:
        study.audit.record("after")
    assert actions(store) == ["before", "after"]


def test_a_full_disk_is_told_and_changes_nothing(store) -> None:
    pages = pragma(store, "page_count")

    def write_much() -> None:
        with store.write() as study:
            study.session.execute(text(f"PRAGMA max_page_count = {pages}"))
            study.audit.record("much", text="x" * 1_000_000)

    with pytest.raises(EnvironmentFault, match="disk is full: the study wasn't changed"):
        write_much()

    assert actions(store) == []


@pytest.fixture
def ordinary_folder():
    """A folder of someone without privileges, who the test is while it runs."""
    with tempfile.TemporaryDirectory() as place:
        if os.geteuid() != 0:
            yield Path(place)
            return
        os.chown(place, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(place)
        finally:
            os.seteuid(0)


def test_a_read_only_study_says_so(ordinary_folder, make, clock) -> None:
    path = ordinary_folder / "study"
    make(path).close()
    (path / "study.db").chmod(0o444)

    with open_study(path, clock=clock) as store:
        assert store.identity.name == "Fish and dogs"
        with (
            pytest.raises(EnvironmentFault, match="its file or folder is read-only"),
            store.write() as study,
        ):
            study.audit.record("no")


def test_a_study_in_a_folder_that_may_not_be_written_says_so(ordinary_folder, make, clock) -> None:
    path = ordinary_folder / "study"
    make(path).close()
    path.chmod(0o555)
    try:
        with (
            pytest.raises(EnvironmentFault, match="its file or folder is read-only"),
            open_study(path, clock=clock) as store,
            store.write() as study,
        ):
            study.audit.record("no")
    finally:
        path.chmod(0o755)


def test_a_file_that_is_no_database_says_so(path, clock) -> None:
    (path / "study.db").write_bytes(b"holiday notes\n" * 500)

    with pytest.raises(EnvironmentFault, match="no database") as raised:
        open_study(path, clock=clock)

    assert "“Backups and check”" in str(raised.value), "what the window offers"
    assert "labeler" not in str(raised.value)
    assert RESTORE_COMMAND in raised.value.typed


def test_a_damaged_page_says_so(path, clock) -> None:
    with closing(sqlite3.connect(path / "study.db")) as connection:
        [root_page] = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'audit'"
        ).fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    with (path / "study.db").open("r+b") as file:
        file.seek((root_page - 1) * size)
        file.write(b"\xff" * size)

    with (
        open_study(path, clock=clock) as store,
        pytest.raises(EnvironmentFault, match="damaged"),
        store.read() as study,
    ):
        study.audit.entries()


def test_a_study_that_stays_busy_says_so(path, clock, monkeypatch) -> None:
    monkeypatch.setattr("labeler.store.engine.database.BUSY_TIMEOUT_SECONDS", 0)
    with (
        closing(sqlite3.connect(path / "study.db", isolation_level=None)) as other,
        open_study(path, clock=clock) as store,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EnvironmentFault, match="The study is busy"), store.write() as study:
            study.audit.record("too late")


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("not an address", "'not an address' is no address of a database"),
        ("mysql://host/db", "not in mysql: use an address like postgresql://"),
        ("postgresql://me:secret@host/db", "Leave the password out"),
    ],
)
def test_a_servers_address_is_checked_and_no_password_is_repeated(address, sentence) -> None:
    with pytest.raises(RefusedError, match=sentence) as refusal:
        server_url(address)

    assert "secret" not in str(refusal.value)


def test_a_server_without_its_driver_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(EnvironmentFault, match="a driver that isn't installed") as raised:
        Database(server_url("postgresql://me@host/db"))

    assert "pip install labeler[postgres]" in raised.value.typed


def test_a_server_that_is_not_there_says_so() -> None:
    database = Database(server_url("postgresql://me@127.0.0.1:1/db"))

    with (
        pytest.raises(EnvironmentFault, match=r"127\.0\.0\.1:1/db\) can't be reached"),
        database.read() as s,
    ):
        s.execute(text("SELECT 1"))


def test_a_path_with_odd_characters_is_no_obstacle(tmp_path) -> None:
    file = tmp_path / "50% of #1? — ä.db"
    with closing(Database(sqlite_url(file))) as database, database.read() as session:
        assert session.execute(text("SELECT 1")).scalar() == 1

    assert file.exists()


@pytest.mark.parametrize("said", ["disk I/O error", "unable to open database file"])
@pytest.mark.parametrize(
    ("state", "found"), [("is_disk_full", "disk is full"), ("is_drive_read_only", "read-only")]
)
def test_what_sqlite_calls_a_fault_of_the_disk_is_named_by_the_state_of_the_drive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, state: str, found: str
) -> None:
    database = Database(sqlite_url(tmp_path / "study.db"))
    error = OperationalError("SELECT 1", {}, sqlite3.OperationalError(said))
    with pytest.raises(EnvironmentFault) as plain, database.translate_errors():
        raise error
    assert found not in str(plain.value)
    monkeypatch.setattr(f"labeler.store.engine.database.{state}", lambda _file: True)
    with pytest.raises(EnvironmentFault, match=found), database.translate_errors():
        raise error
