"""Damage in a database is found, and only damage is called so."""

import sqlite3
from contextlib import closing
from pathlib import Path

from labeler.store.engine.integrity_check import DatabaseFaultKind, find_database_faults


def overwrite_page(file: Path, table: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        [page] = connection.execute(query, [table]).fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as stream:
        stream.seek((page - 1) * size)
        stream.write(b"\xff" * size)


def test_a_healthy_database_has_no_fault(path) -> None:
    assert find_database_faults(path / "study.db") == []


def test_a_database_in_use_has_no_fault(store, lead) -> None:
    lead.add("val", lead.image("a.JPEG"))

    assert find_database_faults(store.folder.database) == []


def test_a_damaged_page_is_found_and_told_on_one_line(path) -> None:
    overwrite_page(path / "study.db", "audit")

    faults = find_database_faults(path / "study.db")

    assert faults
    assert {fault.kind for fault in faults} == {DatabaseFaultKind.DAMAGED}
    assert all("\n" not in fault.sentence for fault in faults)


def test_a_value_that_the_schema_forbids_is_found(path) -> None:
    with closing(sqlite3.connect(path / "study.db")) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute("INSERT INTO phase (phase, state) VALUES ('train', 'ajar')")

    assert [(fault.kind, fault.sentence) for fault in find_database_faults(path / "study.db")] == [
        (DatabaseFaultKind.DAMAGED, "The database is damaged: CHECK constraint failed in phase.")
    ]


def test_a_file_that_is_no_database_is_damaged(path) -> None:
    (path / "study.db").write_bytes(b"holiday notes\n" * 500)

    [fault] = find_database_faults(path / "study.db")

    assert fault.kind is DatabaseFaultKind.DAMAGED


def test_rows_that_refer_to_nothing_are_counted_by_what_they_refer_to(path) -> None:
    with closing(sqlite3.connect(path / "study.db")) as connection, connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.executemany("INSERT INTO training_pool VALUES (?)", [(7,), (8,)])
        connection.execute("INSERT INTO person VALUES (3, 'Nobody')")

    faults = find_database_faults(path / "study.db")

    assert {(fault.kind, fault.sentence) for fault in faults} == {
        (
            DatabaseFaultKind.DANGLING,
            "2 rows refer from training_pool to something in image that isn't there.",
        ),
        (
            DatabaseFaultKind.DANGLING,
            "1 row refers from person to something in participant that isn't there.",
        ),
    }


def test_a_database_that_can_not_be_opened_is_not_called_damaged(tmp_path) -> None:
    [fault] = find_database_faults(tmp_path / "no folder" / "study.db")

    assert fault.kind is DatabaseFaultKind.UNREACHABLE
