"""The files that an import skipped can be shown as long as the dataset exists."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from labeler.app.study.setup.datasets import CHOOSE_DATASET, nothing_skipped_text
from labeler.app.study.setup.setup_step import SetupStep
from labeler.images.unreadable import UnreadableReason
from labeler.ui.kit.text.text_dialogs import TextListDialog
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.setup.images_panel import ImagesPanel
from tests.gui.leading import MARMOT, add_images, go_to, set_up
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_skipped_files_can_be_read_and_copied_later(lead: WindowSession, pictures: Path) -> None:
    (pictures / MARMOT / "empty.jpg").write_bytes(b"")
    (pictures / "README.md").write_text("words")
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.PEOPLE)
    lead.click(screen.home)
    lead.wait_for(HomeScreen)
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.IMAGES)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    actions = panel.dataset_actions
    assert actions.odd.isVisible()
    assert not actions.odd.isEnabled()
    assert actions.odd.toolTip() == CHOOSE_DATASET
    panel.select("val")
    assert actions.about.text() == "val: 2 files skipped."
    lead.click(actions.odd)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    shown = QApplication.activeModalWidget()
    assert isinstance(shown, TextListDialog)
    assert f"  {MARMOT}/empty.jpg" in shown.text.toPlainText().splitlines()
    assert f"Skipped 1 file {UnreadableReason.EMPTY.fragment}:" in shown.text.toPlainText()
    shown.copy.click()
    assert "README.md" in QGuiApplication.clipboard().text()
    shown.reject()


def test_a_dataset_without_odd_files_says_so(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = add_images(lead, screen, pictures)
    lead.wait(panel.datasets.isVisible)
    panel.select("val")
    assert panel.dataset_actions.about.text() == nothing_skipped_text("val")
    assert not panel.dataset_actions.odd.isEnabled()


def test_selecting_a_row_moves_nothing(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = add_images(lead, screen, pictures)
    lead.wait(panel.datasets.isVisible)
    lead.wait(lambda: screen._stacked.height() == screen._stacked.sizeHint().height())
    before = panel.folder.mapTo(screen, panel.folder.rect().topLeft())
    panel.select("val")
    QApplication.processEvents()
    assert panel.folder.mapTo(screen, panel.folder.rect().topLeft()) == before
