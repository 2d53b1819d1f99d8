"""A typed path is checked after a pause; no key typed for a field presses a button."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from labeler.app.study.setup.setup_step import SetupStep
from labeler.images.layouts import PATH_MISSING
from labeler.ui.study.setup.files_panel import FilesPanel
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import go_to, set_up
from tests.gui.window_session import WindowSession
from tests.unit.formats.paper import paper, written

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def lead(looking_lead: WindowSession) -> WindowSession:
    """One window for all: what they preview isn't added to the study."""
    return looking_lead


@pytest.fixture
def screen(lead: WindowSession) -> SetupScreen:
    return set_up(lead)


@pytest.fixture
def images(screen: SetupScreen) -> ImagesPanel:
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    return panel


@pytest.fixture
def files(lead: WindowSession, screen: SetupScreen) -> FilesPanel:
    go_to(lead, screen, SetupStep.FILES)
    panel = screen.panels[SetupStep.FILES]
    assert isinstance(panel, FilesPanel)
    return panel


def type_into(lead: WindowSession, field: QLineEdit, path: Path) -> None:
    """Type without a pause."""
    lead.click(field)
    lead.type_in(str(path))


def test_a_folder_is_previewed_after_a_pause(
    lead: WindowSession, images: ImagesPanel, pictures: Path
) -> None:
    type_into(lead, images.folder, pictures)
    lead.wait(images.add.isEnabled)
    assert images.folder.hasFocus(), "the focus stays in the field"
    assert images.name.text() == "val"
    lead.type_in("x")
    assert not images.add.isEnabled(), "only what was previewed can be added"


def test_an_incomplete_path_is_reported_when_the_field_is_left(
    lead: WindowSession, screen: SetupScreen, images: ImagesPanel, pictures: Path
) -> None:
    type_into(lead, images.folder, pictures.with_name("va"))
    lead.wait(lambda: images._typed_folder._not_there)
    assert not screen.error_banner.sentence
    lead.click(images.name)
    message = PATH_MISSING.format(path=pictures.with_name("va"))
    lead.wait(lambda: screen.error_banner.sentence == message)
    assert images.name.hasFocus()


def test_typing_a_name_presses_no_button(
    lead: WindowSession, screen: SetupScreen, images: ImagesPanel, pictures: Path
) -> None:
    type_into(lead, images.folder, pictures)
    lead.click(images.name)
    lead.type_in("my set")
    lead.wait(images.add.isEnabled)
    assert images.name.hasFocus()
    lead.type_in(" of images")
    assert images.name.text() == "my set of images", "an entered name is kept"
    assert screen.work.isHidden()
    assert not screen.halted.sentence


def test_enter_focuses_the_button_unless_another_field_has_the_focus(
    lead: WindowSession, images: ImagesPanel, pictures: Path
) -> None:
    type_into(lead, images.folder, pictures)
    lead.press(Qt.Key.Key_Return)
    lead.wait(images.add.hasFocus)
    lead.click(images.folder)
    lead.press(Qt.Key.Key_Return)
    lead.click(images.per_class)
    lead.wait(images.add.isEnabled)
    assert not images.add.hasFocus()


def test_a_folder_from_the_dialog_focuses_the_button(
    lead: WindowSession, images: ImagesPanel, pictures: Path
) -> None:
    images.browse.setFocus()
    lead.click(images.browse)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, QFileDialog)
    asked.fileSelected.emit(str(pictures))
    asked.reject()
    lead.wait(images.add.isEnabled)
    assert lead.window.focusWidget() is images.add


def test_files_to_import_are_previewed_after_a_pause(
    lead: WindowSession, screen: SetupScreen, files: FilesPanel, tmp_path: Path
) -> None:
    card, file = files.coming_in, written(tmp_path, paper())
    type_into(lead, card.place, file.with_name("human"))
    lead.wait(lambda: card._typed._not_there)
    assert not screen.error_banner.sentence
    lead.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    lead.type_in(str(file))
    lead.wait(card.preview.isVisible)
    assert card.place.hasFocus()
    lead.press(Qt.Key.Key_Return)
    lead.wait(card.take.hasFocus)


def test_an_export_is_previewed_after_a_pause(
    lead: WindowSession, files: FilesPanel, tmp_path: Path
) -> None:
    card = files.going_out
    type_into(lead, card.folder, tmp_path / "out")
    lead.wait(card.give.isEnabled)
    assert card.folder.hasFocus()
