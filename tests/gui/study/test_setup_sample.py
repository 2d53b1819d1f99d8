"""The form of the sample: its preview, and its values after the sample was drawn."""

from pathlib import Path

import pytest

from labeler.app.study.setup.setup_step import SetupStep
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.setup.sample_panel import NO_DATASET_CHOSEN
from tests.gui.leading import (
    add_images,
    add_labeler,
    draw,
    go_to,
    open_evaluation,
    pressed,
    set_up,
)
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_changing_the_form_clears_the_preview(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    panel = screen.sample
    lead.wait(panel.preview.isEnabled)
    for change in (
        lambda: panel.per_class.setValue(3),
        lambda: panel.seed.setValue(9),
        lambda: panel.classes.setValue(1),
        lambda: panel.skip_seen.setChecked(True),
    ):
        lead.click(panel.preview)
        lead.wait(panel.drawn.isVisible)
        change()
        assert not panel.drawn.isVisible(), "the preview was for other options"
        assert not panel.refused.sentence
        assert not panel.passed_over.isVisible()


def test_accepting_a_shortage_clears_its_error(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    panel = screen.sample
    lead.wait(panel.preview.isEnabled)
    panel.per_class.setValue(3)
    lead.click(panel.preview)
    lead.wait(lambda: "2 classes have too few images" in panel.refused.sentence)
    panel.allow_shortage.setChecked(True)
    assert not panel.refused.sentence
    assert panel.drawn.isVisible()


def test_the_form_shows_the_drawn_sample_later(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    panel = screen.sample
    lead.wait(panel.draw.isEnabled)
    panel.per_class.setValue(2)
    panel.classes.setValue(1)
    panel.seed.setValue(5)
    pressed(lead, panel.draw, screen, "Drew 2 images from val (seed 5).")
    lead.click(screen.home)
    lead.wait_for(HomeScreen)
    back = set_up(lead).sample
    lead.wait(lambda: "drawn with seed 5" in back.state.text())
    assert (back.per_class.value(), back.classes.value(), back.seed.value()) == (2, 1, 5)
    assert back.datasets["val"].isChecked()
    assert back.per_class.isEnabled()


def test_a_final_sample_can_still_be_read(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    open_evaluation(lead, screen)
    go_to(lead, screen, SetupStep.SAMPLE)
    panel = screen.sample
    lead.wait(lambda: "can't be replaced, because the evaluation is open." in panel.state.text())
    assert not any(
        part.isEnabled()
        for part in (panel.per_class, panel.classes, panel.seed, *panel.datasets.values())
    )
    assert not any(
        part.isVisible()
        for part in (panel.draw, panel.preview, panel.skip_seen, panel.allow_shortage)
    )


def test_without_a_dataset_the_buttons_say_why_they_are_disabled(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    panel = screen.sample
    lead.wait(panel.draw.isEnabled)
    panel.datasets["val"].click()
    assert not panel.draw.isEnabled()
    assert panel.why_not.text() == panel.preview.toolTip() == NO_DATASET_CHOSEN
    panel.datasets["val"].click()
    assert panel.draw.isEnabled()
    assert not panel.why_not.text()
