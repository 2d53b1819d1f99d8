"""A lead locates a moved dataset, and choosing a wrong folder changes nothing."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from labeler.store.study_opening import open_study
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import BEAVER, add_images, confirmation, folder_of, pressed, set_up, words_of
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def choose_for_val(lead: WindowSession, panel: ImagesPanel, folder: Path) -> None:
    lead.wait(panel.datasets.isVisible)
    panel.datasets.setCurrentItem(panel.datasets.topLevelItem(0))
    lead.wait(panel.dataset_actions.moved.isEnabled)
    lead.click(panel.dataset_actions.moved)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, QFileDialog)
    assert asked.windowTitle() == "Locate the moved folder of val"
    asked.fileSelected.emit(str(folder))
    asked.reject()


def root_of_val(lead: WindowSession) -> str | None:
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        return study.datasets.all()[0].root


@pytest.fixture
def screen(lead: WindowSession) -> SetupScreen:
    return set_up(lead)


def test_a_folder_without_its_files_is_refused(
    lead: WindowSession, screen: SetupScreen, pictures: Path
) -> None:
    panel = add_images(lead, screen, pictures)
    choose_for_val(lead, panel, pictures.parent)
    lead.wait(lambda: "No file of val is in" in screen.error_banner.sentence)
    assert not screen.said.sentence
    assert root_of_val(lead) == str(pictures)


def test_a_folder_with_missing_files_needs_a_confirmation(
    lead: WindowSession, screen: SetupScreen, pictures: Path
) -> None:
    panel = add_images(lead, screen, pictures)
    moved = pictures.rename(pictures.with_name("moved"))
    (moved / BEAVER / f"{BEAVER}_0.png").unlink()
    choose_for_val(lead, panel, moved)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    asked = confirmation()
    assert "Found only 3 of 4 files." in words_of(asked)
    lead.click(asked.cancel)
    assert root_of_val(lead) == str(pictures)
    choose_for_val(lead, panel, moved)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    pressed(lead, confirmation().do, screen, f"val is now at {moved}.")
    assert "Found only 3 of 4 files." in screen.said.sentence
    assert root_of_val(lead) == str(moved)
