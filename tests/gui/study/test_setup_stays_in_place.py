"""Messages in Set up appear right below the form, and don't move it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from labeler.app.study.setup.setup_step import SetupStep
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.training_images_panel import TrainingImagesPanel
from tests.gui.leading import add_images, at_rest, go_to, set_up
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def card_of(part: QWidget) -> QWidget:
    card = part.parentWidget()
    assert card.property("kind") == "card"
    return card


def test_a_message_is_right_below_a_short_form_and_as_wide(
    lead: WindowSession, tmp_path: Path
) -> None:
    lead.window.resize(1280, 1000)
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.preview_path(tmp_path / "nowhere")
    lead.wait(screen.error_banner.isVisible)
    card, banner = at_rest(lead, screen, card_of(panel.folder), screen.error_banner)
    assert banner.top() - card.bottom() == 17
    assert (banner.left(), banner.right()) == (card.left(), card.right())


def test_a_scroll_bar_does_not_narrow_the_cards(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.TRAINING)
    panel = screen.panels[SetupStep.TRAINING]
    assert isinstance(panel, TrainingImagesPanel)
    area = panel.parentWidget().parentWidget().parentWidget()
    lead.wait(panel.draw.isVisible)
    lead.wait(lambda: area.verticalScrollBar().maximum() == 0)
    card = card_of(panel.folder)
    wide = at_rest(lead, screen, card)[0].width()
    screen._stacked.setMaximumHeight(240)
    lead.wait(lambda: area.verticalScrollBar().maximum() > 0)
    assert at_rest(lead, screen, card)[0].width() == wide


def test_a_warning_in_a_preview_leaves_the_rows_above_it(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    sample = screen.sample
    lead.wait(sample.preview.isEnabled)
    sample.classes.setValue(5_000)
    parts = (sample.per_class, sample.classes, sample.seed, sample.skip_seen, sample.preview)
    before = at_rest(lead, screen, *parts)
    lead.click(sample.preview)
    lead.wait(sample.refused.isVisible)
    assert at_rest(lead, screen, *parts) == before


def test_the_focus_stays_after_a_refusal(lead: WindowSession, tmp_path: Path) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    names = screen.settings.names
    lead.click(names.files)
    lead.type_in(str(tmp_path / "nowhere.csv"))
    lead.press(Qt.Key.Key_Return)
    lead.wait(lambda: "nowhere.csv" in screen.error_banner.sentence)
    assert names.files.hasFocus()


def test_a_preview_does_not_move_the_focus(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    elsewhere = lead.window.hint_bar._keys
    panel.preview_path(pictures)
    elsewhere.setFocus()
    lead.wait(panel.add.isEnabled)
    assert elsewhere.hasFocus()
