"""A damaged study: the start page reports it, and a backup can be restored."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from labeler.app.study.people import add_person
from labeler.app.study.setup.backups import DAMAGED_FILE_KEPT
from labeler.app.study.studies import new_study
from labeler.core.study.entities import Role
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study.folder import StudyFolder
from labeler.ui.study.restore_backup_dialog import RestoreBackupDialog
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.navigation import LaunchRequest
from tests.adjustable_clock import AdjustableClock
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
NONSENSE = b"holiday notes\n" * 500


@pytest.fixture
def folder(tmp_path: Path, clock: AdjustableClock) -> StudyFolder:
    """A study with a lead, and no backup yet."""
    folder = StudyFolder(tmp_path / "damaged")
    with new_study(folder.path, clock=clock, name="First study") as store:
        add_person(store, "L", roles=[Role.LEAD])
    return folder


def asked(session: WindowSession, screen: StartScreen) -> RestoreBackupDialog:
    session.click(screen.put_back)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RestoreBackupDialog)
    return dialog


def test_a_damaged_study_is_replaced_by_a_backup(
    open_session: Callable[..., WindowSession], folder: StudyFolder, clock: AdjustableClock
) -> None:
    back_up(folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    folder.database.write_bytes(NONSENSE)
    clock.go_on(seconds=1)
    session = open_session(LaunchRequest(study=folder.path))
    screen = session.start_screen()
    assert "file is not a database" in screen.error_banner.sentence
    session.wait(lambda: not screen.put_back.visibleRegion().isEmpty())
    dialog = asked(session, screen)
    assert DAMAGED_FILE_KEPT in dialog.words.text()
    session.wait(dialog.cancel.hasFocus)  # so that Enter changes nothing
    session.click(dialog.do)
    signing = session.sign_in_screen()
    assert "Restored the study as of " in signing.noted.sentence
    assert list(signing.roles) == [Role.LEAD]
    [kept] = folder.backups.glob("replaced-*/study.db")
    assert kept.read_bytes() == NONSENSE


def test_cancelling_leaves_the_damaged_study_unchanged(
    open_session: Callable[..., WindowSession], folder: StudyFolder, clock: AdjustableClock
) -> None:
    back_up(folder, now=clock.utc())
    folder.database.write_bytes(NONSENSE)
    session = open_session(LaunchRequest(study=folder.path))
    session.click(asked(session, session.start_screen()).cancel)
    assert folder.database.read_bytes() == NONSENSE


def test_without_backups_none_is_offered(
    open_session: Callable[..., WindowSession], folder: StudyFolder
) -> None:
    folder.database.write_bytes(NONSENSE)
    screen = open_session(LaunchRequest(study=folder.path)).start_screen()
    assert screen.error_banner.sentence
    assert not screen.put_back.isVisible()


def test_an_intact_study_is_not_offered_backups(
    open_session: Callable[..., WindowSession], folder: StudyFolder, clock: AdjustableClock
) -> None:
    back_up(folder, now=clock.utc())
    folder.database.rename(folder.path / "elsewhere.db")
    screen = open_session(LaunchRequest(study=folder.path)).start_screen()
    assert screen.error_banner.sentence
    assert not screen.put_back.isVisible()


def test_the_message_names_the_damage_and_the_newest_sound_backup_is_offered(
    open_session: Callable[..., WindowSession], folder: StudyFolder, clock: AdjustableClock
) -> None:
    sound = back_up(folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    clock.go_on(minutes=1)
    newer = back_up(folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    for database in (newer.path, folder.database):
        with closing(sqlite3.connect(database)) as connection, connection:
            [taxonomy] = connection.execute("SELECT taxonomy FROM study").fetchone()
            changed = taxonomy[:-1] + bytes([taxonomy[-1] ^ 1])
            connection.execute("UPDATE study SET taxonomy = ?", (changed,))
    session = open_session(LaunchRequest(study=folder.path))
    screen = session.start_screen()
    assert "The table study is damaged: taxonomy in the row 1" in screen.error_banner.sentence
    dialog = asked(session, screen)
    session.click(dialog.do)
    signing = session.sign_in_screen()
    assert f"{sound.made_at.astimezone():%Y-%m-%d at %H:%M}" in signing.noted.sentence
