"""A lead removes a dataset that was added by mistake, and is reported when something rests on
it."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from labeler.app.datasets.removal import DATASET_USES, KEEP_IT_HINT, dataset_in_use_text
from labeler.app.study.setup.setup_step import SetupStep
from labeler.store.study.backups import backups
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import add_images, add_labeler, draw, folder_of, go_to, set_up
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def wish_to_remove(lead: WindowSession, screen: SetupScreen) -> None:
    go_to(lead, screen, SetupStep.IMAGES)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    lead.wait(lambda: panel.datasets.topLevelItemCount() == 1)
    panel.datasets.setCurrentItem(panel.datasets.topLevelItem(0))
    lead.click(panel.dataset_actions.remove)


def asked_to_remove(lead: WindowSession, screen: SetupScreen) -> ConfirmDialog:
    wish_to_remove(lead, screen)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    return asked


def datasets(lead: WindowSession) -> list[str]:
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        return [dataset.name for dataset in study.datasets.all()]


def test_a_dataset_is_removed_after_a_confirmation_and_a_backup(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    assert not panel.dataset_actions.remove.isEnabled()
    add_images(lead, screen, pictures)
    lead.click(asked_to_remove(lead, screen).cancel)
    assert datasets(lead) == ["val"]
    before = len(backups(StudyFolder(folder_of(lead))))

    lead.click(asked_to_remove(lead, screen).do)

    lead.wait(lambda: "Removed val with 4 images" in screen.said.sentence)
    lead.wait(panel.datasets.isHidden)
    assert not panel.dataset_actions.remove.isEnabled()
    assert datasets(lead) == []
    assert len(backups(StudyFolder(folder_of(lead)))) == before + 1
    assert len(list(pictures.rglob("*.*"))) == 4, "the files stay"


def test_a_dataset_with_a_sample_cannot_be_removed(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    before = len(backups(StudyFolder(folder_of(lead))))
    wish_to_remove(lead, screen)
    lead.wait(lambda: bool(screen.error_banner.sentence))
    assert QApplication.activeModalWidget() is None
    assert len(backups(StudyFolder(folder_of(lead)))) == before, "no backup without a change"
    assert screen.error_banner.sentence.startswith(
        dataset_in_use_text("val", [DATASET_USES["sample_dataset"]])
    )
    assert KEEP_IT_HINT in screen.error_banner.sentence
    assert datasets(lead) == ["val"]


def test_a_focused_row_that_is_not_selected_enables_nothing(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    panel = add_images(lead, screen, pictures)
    lead.wait(panel.datasets.isVisible)
    panel.datasets.setFocus()
    assert panel.datasets.selectedItems() == []
    assert not panel.dataset_actions.remove.isEnabled()
    assert not panel.dataset_actions.moved.isEnabled()
