"""Backups are made while people work, thinned, and put back without losing anything."""

import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.backup_retention import backups_to_keep
from labeler.store.schema.base import Base
from labeler.store.study.backups import (
    DECISIONS,
    apply_retention,
    back_up,
    backups,
    changed_since_backup,
    restore,
)
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import back_up_if_changed, open_study


def note(store, action: str) -> None:
    with store.write() as study:
        study.audit.record(action)


def actions(store) -> list[str]:
    with store.read() as study:
        return [entry.action for entry in study.audit.entries()]


def actions_in(file) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [action for (action,) in connection.execute("SELECT action FROM audit ORDER BY id")]


def test_a_backup_holds_the_study_and_is_named_by_its_moment(store, clock) -> None:
    note(store, "first")
    clock.go_on(milliseconds=125)

    backup = back_up(store.folder, now=clock.utc())

    assert backup.name == "study-20260301T093000125Z.db"
    assert backups(store.folder) == [backup]
    assert actions_in(backup.path) == ["first"]
    assert [part.name for part in store.folder.backups.iterdir()] == [backup.name]


def test_a_backup_made_while_somebody_writes_is_whole(store, clock) -> None:
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            with store.write() as study:
                study.audit.record(f"{number} first half")
                study.audit.record(f"{number} second half")
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = []
        for _ in range(5):
            clock.go_on(minutes=1)
            made.append(back_up(store.folder, now=clock.utc()))
    finally:
        stop.set()
        writer.join()

    everything = actions(store)
    for backup in made:
        found = actions_in(backup.path)
        assert len(found) % 2 == 0
        assert found == everything[: len(found)]


def test_a_backup_made_inside_another_programs_write_shows_the_state_before_it(
    store, path, clock
) -> None:
    note(store, "committed")
    with store.write() as study:
        study.audit.record("not yet")
        study.session.flush()

        backup = back_up(StudyFolder(path), now=clock.utc())

    assert actions_in(backup.path) == ["committed"]


def test_backups_are_listed_newest_first_and_nothing_else_is(store, clock) -> None:
    names = []
    for _ in range(3):
        clock.go_on(hours=1)
        names.append(back_up(store.folder, now=clock.utc()).name)
    for stranger in ("study-yesterday.db", "notes.txt", "study-20260301T093000125Z.partial"):
        (store.folder.backups / stranger).touch()

    assert [backup.name for backup in backups(store.folder)] == names[::-1]


def test_a_study_that_did_not_change_is_not_backed_up_again(path, clock) -> None:
    with open_study(path, clock=clock) as store:
        note(store, "work")
        assert back_up_if_changed(store)
        clock.go_on(hours=1)
        assert not back_up_if_changed(store)
    for _ in range(3):
        clock.go_on(hours=1)
        with open_study(path, clock=clock) as store:
            assert store.identity.name
            assert not back_up_if_changed(store)

    assert len(backups(StudyFolder(path))) == 1


def test_a_change_since_the_last_backup_is_noticed_before_and_after_closing(path, clock) -> None:
    folder = StudyFolder(path)
    assert changed_since_backup(folder)
    with open_study(path, clock=clock) as store:
        back_up(folder, now=clock.utc())
        assert not changed_since_backup(folder)
        note(store, "work")
        assert changed_since_backup(folder)

    assert changed_since_backup(folder)
    clock.go_on(hours=1)
    back_up(folder, now=clock.utc())
    assert not changed_since_backup(folder)


def test_a_script_of_many_commands_makes_few_backups(store, clock) -> None:
    for _ in range(10):
        note(store, "work")
        back_up_if_changed(store, apart=timedelta(minutes=10))
        clock.go_on(minutes=1)
    assert len(backups(store.folder)) == 1

    note(store, "work")
    assert back_up_if_changed(store, apart=timedelta(minutes=10))
    assert len(backups(store.folder)) == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(minutes=st.sets(st.integers(0, 100 * 24 * 60), min_size=1, max_size=12))
def test_thinning_removes_exactly_what_the_rules_give_up(tmp_path, clock, minutes) -> None:
    folder = StudyFolder(tmp_path)
    shutil.rmtree(folder.backups, ignore_errors=True)
    folder.backups.mkdir()
    now = clock.utc()
    moments = {now - timedelta(minutes=number) for number in minutes}
    for moment in moments:
        (folder.backups / f"study-{moment:%Y%m%dT%H%M%S}000Z.db").touch()

    gone = apply_retention(folder, now=now)

    assert {backup.made_at for backup in backups(folder)} == backups_to_keep(moments, now=now)
    assert {backup.made_at for backup in gone} == moments - backups_to_keep(moments, now=now)


def test_thinning_removes_copies_that_were_killed_but_none_in_the_making(store, clock) -> None:
    store.folder.backups.mkdir()
    old, young = (
        store.folder.backups / f"study-202602{day}T093000000Z.partial" for day in (27, 28)
    )
    for file in (old, young):
        file.touch()
    clock.go_on(hours=-1)

    apply_retention(store.folder, now=clock.utc())

    assert not old.exists()
    assert young.exists()


def test_restoring_puts_the_old_state_back_and_keeps_what_it_replaced(path, clock) -> None:
    folder = StudyFolder(path)
    with open_study(path, clock=clock) as store:
        note(store, "early")
        backup = back_up(folder, now=clock.utc())
        note(store, "late")
    clock.go_on(hours=1)

    replaced = restore(folder, backup.name, now=clock.utc())

    with open_study(path, clock=clock) as store:
        assert actions(store) == ["early"]
        note(store, "afterwards")
        assert actions(store) == ["early", "afterwards"]
    assert actions_in(replaced / "study.db") == ["early", "late"]
    assert actions_in(backup.path) == ["early"]
    assert not list(path.glob("*.restoring"))


def test_restoring_replaces_a_database_that_nobody_can_read(path, clock) -> None:
    folder = StudyFolder(path)
    backup = back_up(folder, now=clock.utc())
    folder.database.write_bytes(b"ruined" * 1000)

    replaced = restore(folder, backup.name, now=clock.utc())

    with open_study(path, clock=clock) as store:
        assert store.identity.name == "Fish and dogs"
    assert (replaced / "study.db").read_bytes() == b"ruined" * 1000


def test_restoring_keeps_changes_that_a_killed_program_left_in_the_log(path, clock, run) -> None:
    folder = StudyFolder(path)
    backup = back_up(folder, now=clock.utc())
    process = run(
        "import os, sys, signal; from pathlib import Path\n"
        "from labeler.core.clock import SystemClock\n"
        "from labeler.store.study_opening import open_study\n"
        "store = open_study(Path(sys.argv[1]), clock=SystemClock())\n"
        "with store.write() as study: study.audit.record('last words')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n",
        path,
    )
    process.communicate(timeout=60)
    assert (path / "study.db-wal").stat().st_size

    replaced = restore(folder, backup.name, now=clock.utc())

    assert actions_in(replaced / "study.db") == ["last words"]
    assert actions_in(folder.database) == []


def test_a_study_that_is_open_elsewhere_is_not_pulled_away_from_there(store, clock) -> None:
    note(store, "work")
    backup = back_up(store.folder, now=clock.utc())
    note(store, "more work")

    with pytest.raises(RefusedError, match="open in another program"):
        restore(store.folder, backup.name, now=clock.utc())

    assert actions(store) == ["work", "more work"]


def test_a_backup_that_is_not_there_is_refused(store, clock) -> None:
    with pytest.raises(RefusedError, match=r"no backup 'study-x\.db'") as refused:
        restore(store.folder, "study-x.db", now=clock.utc())
    assert "--list" in refused.value.typed


@pytest.mark.parametrize("damage", ["a page", "everything", "emptiness"])
def test_a_damaged_backup_is_refused_and_nothing_changes(path, clock, damage) -> None:
    folder = StudyFolder(path)
    with open_study(path, clock=clock) as store:
        note(store, "work")
    backup = back_up(folder, now=clock.utc())
    whole = backup.path.read_bytes()
    damages = {
        "a page": whole[:8192] + b"\xff" * 8192 + whole[16384:],
        "everything": b"x" * 9999,
        "emptiness": b"",
    }
    backup.path.write_bytes(damages[damage])

    with pytest.raises(RefusedError, match="is damaged"):
        restore(folder, backup.name, now=clock.utc())

    assert actions_in(folder.database) == ["work"]
    assert [part.name for part in folder.backups.iterdir()] == [backup.name]


def test_a_backup_that_can_not_be_written_is_told(store, clock) -> None:
    store.folder.backups.write_text("in the way")

    with pytest.raises(EnvironmentFault, match="couldn't be made"):
        back_up(store.folder, now=clock.utc())


def test_a_study_on_a_server_is_left_to_the_servers_own_backups(tmp_path, clock) -> None:
    (tmp_path / "server.toml").write_text('address = "postgresql://me@host/db"\n')

    with pytest.raises(RefusedError, match="pg_dump"):
        back_up(StudyFolder(tmp_path), now=clock.utc())


def test_every_table_with_revisions_of_people_counts_towards_the_next_backup() -> None:
    revised = {
        name
        for name, table in Base.metadata.tables.items()
        if {"participant_id", "revision"} <= set(table.columns.keys())
    }
    assert "classify_answer" in revised
    assert revised <= set(DECISIONS)
