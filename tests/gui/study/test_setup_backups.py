"""Backups in Set up: why each was made, what restoring discards, and the result."""

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTreeWidget

from labeler.app.study.setup.backups import REASON_TEXTS, losses_text
from labeler.app.study.setup.setup_step import SetupStep
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study.folder import StudyFolder
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import (
    add_images,
    add_labeler,
    confirmation,
    draw,
    folder_of,
    go_to,
    pressed,
    set_up,
    words_of,
)
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def rows(table: QTreeWidget) -> list[list[str]]:
    items = [table.topLevelItem(place) for place in range(table.topLevelItemCount())]
    return [[item.text(column) for column in range(4)] for item in items if item is not None]


def with_backup(lead: WindowSession) -> SetupScreen:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.KEEPING)
    pressed(lead, screen.backups.back_up, screen, "Backed up as")
    lead.wait(lambda: bool(rows(screen.backups.backups)))
    return screen


def wish_to_restore(lead: WindowSession, screen: SetupScreen) -> str:
    table = screen.backups.backups
    table.setCurrentItem(table.topLevelItem(table.topLevelItemCount() - 1))
    lead.click(screen.backups.restore)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    return words_of(confirmation())


def test_each_backup_says_why_it_was_made(lead: WindowSession, pictures: Path) -> None:
    screen = with_backup(lead)
    go_to(lead, screen, SetupStep.IMAGES)
    add_images(lead, screen, pictures)
    lead.clock.go_on(seconds=1)
    draw(lead, screen)
    go_to(lead, screen, SetupStep.KEEPING)
    lead.wait(lambda: len(rows(screen.backups.backups)) == 3)
    newer, *others = rows(screen.backups.backups)
    assert newer[1:3] == [REASON_TEXTS[BackupReason.BEFORE_SAMPLE], "0 answers, 0 verdicts"]
    assert {older[1] for older in others} == {
        REASON_TEXTS[BackupReason.BY_HAND],
        REASON_TEXTS[BackupReason.AUTOMATIC],
    }, "one is made when the study is opened"


def test_restoring_a_backup_lists_the_losses_and_reports_the_result(
    lead: WindowSession, pictures: Path
) -> None:
    screen = with_backup(lead)
    go_to(lead, screen, SetupStep.IMAGES)
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    go_to(lead, screen, SetupStep.KEEPING)
    words = wish_to_restore(lead, screen)
    assert losses_text(["1 dataset", "1 person", "the sample of 2 images"]) in words
    lead.clock.go_on(seconds=1)
    lead.click(confirmation().do)
    noted = lead.sign_in_screen().noted
    assert "Restored the study as of " in noted.sentence
    assert "is kept as backups/replaced-" in noted.sentence


def test_the_list_of_backups_fills_the_height(lead: WindowSession) -> None:
    folder = StudyFolder(folder_of(lead))
    # With the one that is made when the study is opened.
    for minutes in range(1, 16):
        back_up(folder, now=lead.clock.utc() - timedelta(minutes=minutes))
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.KEEPING)
    table = screen.backups.backups
    lead.wait(lambda: table.topLevelItemCount() == 16)
    lead.opened.window.resize(1280, 1080)
    lead.wait(lambda: table.verticalScrollBar().maximum() == 0)
    assert table.horizontalScrollBar().maximum() == 0, "a long file name is cut off"


def test_a_study_that_was_moved_is_reported(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.KEEPING)
    folder = folder_of(lead)
    folder.rename(folder.with_name("moved"))
    lead.click(screen.backups.back_up)
    lead.wait(lambda: "no longer exists" in screen.error_banner.sentence)
    assert str(folder) in screen.error_banner.sentence
    folder.with_name("moved").rename(folder)


def test_a_second_folder_for_backups_is_set_in_the_window(
    lead: WindowSession, tmp_path: Path
) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.KEEPING)
    screen.backups.second_folder.setText(str(tmp_path / "drive"))
    lead.click(screen.backups.apply)
    lead.wait(lambda: (tmp_path / "drive").is_dir() and screen.backups.back_up.isEnabled())
    lead.clock.go_on(seconds=1)
    lead.click(screen.backups.back_up)
    lead.wait(lambda: any((tmp_path / "drive").glob("*/study-*-by-hand.db")))
