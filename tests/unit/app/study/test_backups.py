"""Backups make themselves after ten minutes of work, or after 50 decisions."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.study.backups import (
    BACKUP_INTERVAL_DECISIONS,
    AutomaticBackups,
    restore_backup,
)
from labeler.app.study.check import StudyProblem, check_study
from labeler.app.study.home_facts import home_facts
from labeler.app.study.lead_home import health_lines
from labeler.app.study.people import add_person
from labeler.app.study.settings import set_backup_folder
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import Role
from labeler.store.study.backups import BackupReason, apply_retention, back_up, backups
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from tests.gui.small_study import make_study


def work(store) -> None:
    with store.write() as study:
        study.audit.record("work")


def test_a_backup_is_made_after_ten_minutes_and_not_before(store, clock) -> None:
    automatic = AutomaticBackups(store, clock)
    work(store)

    clock.go_on(minutes=9, seconds=59)
    assert not automatic.tick()
    clock.go_on(seconds=1)
    assert automatic.tick()

    [backup] = backups(store.folder)
    assert backup.made_at == clock.utc()


def test_ten_minutes_without_work_make_none(store, clock) -> None:
    automatic = AutomaticBackups(store, clock)
    work(store)
    made = []
    for _ in range(4):
        clock.go_on(minutes=30)
        made.append(automatic.tick())
    work(store)
    clock.go_on(minutes=30)
    made.append(automatic.tick())

    assert made == [True, False, False, False, True]


def test_a_day_of_work_leaves_every_half_hour_and_a_month_leaves_each_day(store, clock) -> None:
    automatic = AutomaticBackups(store, clock, every_minutes=360)
    for _ in range(4 * 10):
        work(store)
        clock.go_on(hours=6)
        assert automatic.tick()

    made = [backup.made_at for backup in backups(store.folder)]
    assert made[0] == clock.utc()
    assert len(made) == 4 + 10
    assert len({moment.date() for moment in made}) == 11


def test_the_interval_uses_the_monotonic_clock(store, clock) -> None:
    automatic = AutomaticBackups(store, clock)
    work(store)
    clock.jump(hours=5)

    assert not automatic.tick()


def test_a_study_just_opened_is_backed_up_at_the_first_tick(store, clock) -> None:
    backups = AutomaticBackups(store, clock, due_at_once=True)
    assert backups.tick()
    assert not backups.tick()


@pytest.fixture(scope="module")
def referenced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with reference images, some of them prepared."""
    return make_study(tmp_path_factory.mktemp("made"))


def answer(database: Path, count: int) -> None:
    """Add answers as another window does."""
    with closing(sqlite3.connect(database)) as other, other:
        for _ in range(count):
            other.execute(
                "INSERT INTO prediction (id, participant_id, task, image_id, revision, class_id,"
                " escape_hatch, note, committed_at) SELECT lower(hex(randomblob(16))), p.id,"
                " 'train', i.id, 1 + (SELECT count(*) FROM prediction), 0, 0, '', '' FROM"
                " participant AS p, image AS i LIMIT 1"
            )


def test_fifty_decisions_make_a_backup_before_ten_minutes_are_over(referenced: Path, clock) -> None:
    with open_study(referenced, clock=clock) as store:
        automatic = AutomaticBackups(store, clock)
        answer(store.folder.database, BACKUP_INTERVAL_DECISIONS - 1)
        assert not automatic.tick()
        answer(store.folder.database, 1)
        clock.go_on(seconds=1)
        assert automatic.tick()
        assert not automatic.tick()


def test_backups_are_copied_to_the_second_folder_and_thinned_there(store, clock, tmp_path) -> None:
    second = tmp_path / "drive" / "backups"
    set_backup_folder(store, second)
    for _ in range(3):
        made = back_up(store.folder, now=clock.utc(), reason=BackupReason.BY_HAND)
        clock.go_on(hours=30)
    [place] = second.iterdir()
    assert place.name == store.identity.study_id.replace("-", "")
    apply_retention(store.folder, now=clock.utc())
    assert (place / made.name).read_bytes() == made.path.read_bytes()
    set_backup_folder(store, None)
    back_up(store.folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    assert made.name == max(file.name for file in place.iterdir())


def test_copies_in_the_second_folder_are_as_private_as_the_study(store, clock, tmp_path) -> None:
    second = tmp_path / "drive"
    set_backup_folder(store, second)
    second.chmod(0o755)
    made = back_up(store.folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    [place] = second.iterdir()
    assert place.stat().st_mode & 0o777 == store.folder.backups.stat().st_mode & 0o777
    assert (place / made.name).stat().st_mode & 0o777 == 0o600


def test_home_shows_the_lead_that_a_backup_is_not_in_the_second_folder(
    store, clock, tmp_path
) -> None:
    add_person(store, "L", roles=[Role.LEAD])
    second = tmp_path / "drive"
    set_backup_folder(store, second)
    back_up(store.folder, now=clock.utc(), reason=BackupReason.AUTOMATIC)
    assert not home_facts(store, "L", Role.LEAD).health.uncopied_to
    shutil.rmtree(second)
    second.write_text("no folder")
    clock.go_on(minutes=10)
    back_up(store.folder, now=clock.utc(), reason=BackupReason.AUTOMATIC)
    health = home_facts(store, "L", Role.LEAD).health
    assert health.uncopied_to.startswith(str(second))
    assert any(line.problem for line in health_lines(health, now=clock.utc()))


def test_a_missing_second_folder_is_reported_only_to_those_who_asked(
    store, clock, tmp_path
) -> None:
    second = tmp_path / "drive"
    set_backup_folder(store, second)
    second.rmdir()
    second.write_text("no folder")
    back_up(store.folder, now=clock.utc(), reason=BackupReason.AUTOMATIC)
    clock.go_on(seconds=1)
    with pytest.raises(EnvironmentFault, match="couldn't be copied"):
        back_up(store.folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    assert len(backups(store.folder)) == 2


def test_a_second_folder_inside_the_study_is_refused(store) -> None:
    with pytest.raises(RefusedError, match="inside the study's folder"):
        set_backup_folder(store, store.folder.path / "copies")


def test_a_restored_backup_leaves_reference_images_consistent(referenced: Path, clock) -> None:
    folder = StudyFolder(referenced)
    with open_study(referenced, clock=clock) as store:
        prepare_sheets(store)
        chosen = back_up(folder, now=clock.utc(), reason=BackupReason.BY_HAND)
        with store.write() as study:
            study.image_roles.remove_references("snitchreferences")
        prepare_sheets(store)
    clock.go_on(minutes=1)
    restore_backup(folder, chosen.name, clock=clock)
    problems = {f.problem for f in check_study(referenced, clock=clock, contents=False)}
    assert not problems & {StudyProblem.STALE_SHEET, StudyProblem.ORPHANED_SHEET}


_KILLED = """
import os, signal, sqlite3, sys
copy = sqlite3.connect(sys.argv[1], isolation_level=None)
copy.execute("CREATE TABLE half (made)")
copy.execute("BEGIN EXCLUSIVE")
copy.execute("INSERT INTO half VALUES (1)")
print("written", flush=True)
signal.pause()
"""


def test_what_a_killed_backup_left_is_removed_and_a_running_one_is_left_alone(store, clock) -> None:
    store.folder.backups.mkdir()
    partial = store.folder.backups / "study-20260301T093000000Z-automatic.partial"
    running = subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(partial)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert running.stdout is not None
        assert running.stdout.readline() == "written\n"
        hours_ago = time.time() - 7200
        os.utime(partial, (hours_ago, hours_ago))
        back_up(store.folder, now=clock.utc())
        assert partial.exists()
    finally:
        running.send_signal(signal.SIGKILL)
        running.communicate()
    clock.go_on(seconds=1)
    back_up(store.folder, now=clock.utc())
    assert not list(store.folder.backups.glob("*partial*"))
