"""The steps of Set up: each does what its command does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel

from labeler.app.study.check import StudyProblem
from labeler.app.study.setting_definitions import ASKS_CONFIDENCE, WASHOUT_DAYS
from labeler.app.study.settings import study_settings
from labeler.app.study.setup.check import CHECK_AGAIN, PROBLEM_REMEDIES, PROBLEM_TITLES
from labeler.app.study.setup.settings import PASSPHRASE_REMOVAL
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import (
    PASSPHRASE_REMOVED,
    PASSPHRASE_SET,
    SETTINGS_SAVED,
    names_added_text,
)
from labeler.app.study.start import PASSPHRASES_DIFFER, NewStudyForm
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.ui.kit.text.error_banner import BannerKind
from labeler.ui.models.models_screen import ModelsScreen
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.models_panel import NO_IMAGES_FOR_MODELS
from labeler.ui.study.setup.review_plan_panel import EXTEND_PLAN, NO_PLAN, ReviewPlanPanel
from labeler.ui.study.setup.sample_panel import REPLACE_SAMPLE
from labeler.ui.study.setup.settings_panel import StudySettingsPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from labeler.ui.study.setup.translated_names_card import ENGLISH_ONLY, named_text
from labeler.ui.window.navigation import LaunchRequest
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
from tests.gui.window_session import ALT, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_the_next_button_leads_through_the_steps(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    assert screen.next_button.isHidden(), "images are needed first"
    add_images(lead, screen, pictures)
    lead.wait(screen.next_button.isVisible)
    assert screen.next_button.words == "Next: Reference images (optional)"
    assert screen.next_button.property("kind") == "primary"
    lead.click(screen.next_button)
    assert screen.panels[SetupStep.REFERENCES].isVisible()
    assert screen.next_button.words == "Skip to: Images to train on (optional)"
    assert screen.next_button.property("kind") == "plain", "skipping isn't recommended"
    lead.press(Qt.Key.Key_Right, ALT)
    lead.press(Qt.Key.Key_Right, ALT)
    assert screen.panels[SetupStep.PEOPLE].isVisible()
    assert screen.next_button.isHidden(), "an evaluation needs a labeler"


def test_a_moved_folder_can_be_located(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = add_images(lead, screen, pictures)
    lead.wait(panel.datasets.isVisible)
    assert not panel.dataset_actions.moved.isEnabled()
    panel.datasets.setCurrentItem(panel.datasets.topLevelItem(0))
    lead.wait(panel.dataset_actions.moved.isEnabled)
    lead.click(panel.dataset_actions.moved)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, QFileDialog)
    moved = pictures.rename(pictures.with_name("moved"))
    asked.fileSelected.emit(str(moved))
    asked.reject()
    lead.wait(lambda: f"val is now at {moved}." in screen.said.sentence)


def test_a_check_links_to_the_step_that_fixes_the_problem(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    next(pictures.rglob("*.png")).unlink()
    go_to(lead, screen, SetupStep.KEEPING)
    lead.click(screen.backups.check)
    lead.wait(lambda: screen.backups.banner.sentence.endswith(": 1 problem found."))
    names = {each.text(): each for each in screen.backups.findChildren(QAbstractButton)}
    go = names["Go to Images to classify"]
    lead.wait(lambda: go.visibleRegion().contains(go.rect().center()))
    lead.click(go)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    assert [item.text(0) for item in panel.datasets.selectedItems()] == ["val"]
    assert panel.dataset_actions.moved.isEnabled(), "the remedy applies to the dataset at fault"


def test_an_earlier_check_is_marked_as_such(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    next(pictures.rglob("*.png")).unlink()
    go_to(lead, screen, SetupStep.KEEPING)
    lead.click(screen.backups.check)
    lead.wait(screen.backups.banner.isVisible)
    assert screen.backups.banner.kind is BannerKind.ERROR
    assert screen.backups.banner.sentence.startswith("Checked on ")
    titles = [each.text() for each in screen.backups.findChildren(QLabel)]
    title = titles.index(PROBLEM_TITLES[StudyProblem.MISSING])
    assert title < titles.index(PROBLEM_REMEDIES[StudyProblem.MISSING]), "the problem comes first"
    go_to(lead, screen, SetupStep.IMAGES)
    go_to(lead, screen, SetupStep.KEEPING)
    assert "1 problem found" in screen.backups.banner.sentence
    assert CHECK_AGAIN in screen.backups.banner.sentence


def test_replacing_a_sample_needs_a_confirmation(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    panel = draw(lead, screen)
    lead.wait(lambda: panel.draw.text() == REPLACE_SAMPLE)
    panel.seed.setValue(5)
    lead.click(panel.draw)
    asked = confirmation()
    assert "sample of 2 images is discarded" in words_of(asked)
    pressed(lead, asked.do, screen, "(seed 5)")


def test_settings_are_seen_and_changed(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    panel = screen.panels[SetupStep.SETTINGS]
    assert isinstance(panel, StudySettingsPanel)
    assert not panel.apply.isEnabled(), "nothing has changed yet"
    panel.fields[ASKS_CONFIDENCE.name].set_value(True)
    panel.fields[WASHOUT_DAYS.name].set_value(30)
    pressed(lead, panel.apply, screen, SETTINGS_SAVED)
    lead.wait(lambda: not panel.apply.isEnabled())
    with open_study(folder_of(lead), clock=lead.clock) as store:
        held = study_settings(store)
    assert (held.asks_confidence, held.washout_days, held.idle_seconds) == (True, 30, 120)


def test_translated_names_are_added_and_replaced(lead: WindowSession, tmp_path: Path) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    card = screen.settings.names
    assert card.held.text() == ENGLISH_ONLY
    file = tmp_path / "deu.csv"
    file.write_text("name\nBiber\n")
    card.take([file])
    lead.click(card.give)
    lead.wait(lambda: "'wnid' is missing" in screen.error_banner.sentence)
    file.write_text("wnid,name\nn02363005,Biper\n")
    pressed(lead, card.give, screen, names_added_text("1 class in deu"))
    lead.wait(lambda: card.held.text() == named_text("1 class in deu"))
    assert card.files.text() == ""
    file.write_text("wnid,name\nn02363005,Biber\nn02361337,Murmeltier\n")
    card.take([file])
    lead.click(card.give)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    asked = confirmation()
    assert "1 class before, 2 afterwards" in words_of(asked)
    pressed(lead, asked.do, screen, names_added_text("2 classes in deu"))
    with open_study(folder_of(lead), clock=lead.clock) as store:
        assert store.taxonomy["n02363005"].lemmas[-1] == "Biber"
    assert list((folder_of(lead) / "backups").glob("study-*.db")), (
        "the replaced names are in a backup"
    )


def test_a_passphrase_is_typed_twice(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    panel = screen.panels[SetupStep.SETTINGS]
    assert isinstance(panel, StudySettingsPanel)
    panel.passphrase.setText("heron")
    lead.click(panel.set_passphrase)
    assert screen.error_banner.sentence == PASSPHRASES_DIFFER
    lead.click(panel.again)
    lead.type_in("heron")
    assert not screen.error_banner.sentence, "editing clears the error"
    pressed(lead, panel.set_passphrase, screen, PASSPHRASE_SET)
    assert panel.passphrase.text() == ""
    lead.wait(panel.remove_passphrase.isEnabled)
    assert "--no-lead-passphrase" in panel.passphrase_state.text(), "for leads who can't sign in"


def test_a_passphrase_is_removed_after_a_confirmation(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    panel = screen.settings
    for part in (panel.passphrase, panel.again):
        part.setText("heron")
    pressed(lead, panel.set_passphrase, screen, PASSPHRASE_SET)
    lead.wait(panel.remove_passphrase.isEnabled)
    lead.click(panel.remove_passphrase)
    asked = confirmation()
    assert PASSPHRASE_REMOVAL.words in words_of(asked)
    lead.click(asked.cancel)
    assert panel.remove_passphrase.isEnabled()
    lead.click(panel.remove_passphrase)
    pressed(lead, confirmation().do, screen, PASSPHRASE_REMOVED)


def test_a_review_is_previewed_then_planned(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.REVIEWS)
    panel = screen.panels[SetupStep.REVIEWS]
    assert isinstance(panel, ReviewPlanPanel)
    assert not panel.preview.isEnabled(), "there is no reviewer"
    people = add_labeler(lead, screen, "R")
    people.people.itemClicked.emit(people.people.topLevelItem(1), 0)
    people.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, people.change, screen, "R is now labeler, reviewer.")
    go_to(lead, screen, SetupStep.REVIEWS)
    lead.wait(panel.preview.isEnabled)
    lead.click(panel.preview)
    lead.wait(lambda: "This would plan the initial review" in panel.preview_text.text())
    # Each of the four images has one label, the target, and so gets a decoy.
    assert "It needs 8 judgements more: R 8." in panel.preview_text.text()
    assert "4 decoys" in panel.preview_text.text()
    lead.wait(lambda: panel.state.text() == NO_PLAN)
    assert panel.plan.isEnabled()
    panel.repeats.setValue(50)
    assert not panel.plan.isEnabled(), "what these settings reveal hasn't been shown"
    lead.click(panel.preview)
    lead.wait(panel.plan.isEnabled)
    pressed(lead, panel.plan, screen, "Planned the initial review")
    lead.wait(lambda: panel.plan.text() == EXTEND_PLAN)
    row = panel.made.topLevelItem(0)
    texts = [row.text(column) for column in range(1, panel.made.columnCount() - 1)]
    assert texts == ["initial", "8", "1", "50 %", "–", "4"]
    assert "8 labels on 4 images for 1 reviewer" in panel.state.text()
    panel.stage.setCurrentIndex(1)
    assert panel.again.isVisible()
    assert not panel.sample_only.isVisible()
    lead.click(panel.preview)
    lead.wait(lambda: "There are no labels to judge" in screen.error_banner.sentence)


def test_an_extension_starts_with_the_last_plan(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    people = add_labeler(lead, screen, "R")
    people.people.itemClicked.emit(people.people.topLevelItem(1), 0)
    people.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, people.change, screen, "R is now labeler, reviewer.")
    go_to(lead, screen, SetupStep.REVIEWS)
    panel = screen.panels[SetupStep.REVIEWS]
    assert isinstance(panel, ReviewPlanPanel)
    lead.wait(panel.preview.isEnabled)
    panel.repeats.setValue(25)
    panel.leak.setValue(-1)
    lead.click(panel.preview)
    lead.wait(panel.plan.isEnabled)
    pressed(lead, panel.plan, screen, "Planned the initial review")
    lead.click(screen.home)
    lead.home()
    again = set_up(lead).panels[SetupStep.REVIEWS]
    assert isinstance(again, ReviewPlanPanel)
    assert again.repeats.value() == 25
    assert again.leak.value() == -1
    assert again.made.topLevelItemCount() == 1


def test_a_preview_is_scrolled_into_view(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    lead.window.resize(1280, 800)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    screen._stacked.setMaximumHeight(240)
    lead.wait(screen.sample.preview.isEnabled)
    lead.click(screen.sample.preview)
    lead.wait(lambda: "The sample would have 2 images" in screen.sample.drawn.text())
    lead.wait(lambda: not screen.sample.drawn.visibleRegion().isEmpty())
    assert screen.sample.drawn.text().startswith("The sample would have 2 images")


def test_models_are_a_step_that_leads_to_their_screen(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.MODELS)
    assert screen.models.state.text() == NO_IMAGES_FOR_MODELS
    lead.click(screen.models.go)
    lead.wait_for(ModelsScreen)


def test_models_and_set_up_lead_to_each_other_by_key_and_button(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.PEOPLE)
    lead.press(Qt.Key.Key_F10)
    lead.wait_for(ModelsScreen)
    lead.press(Qt.Key.Key_F9)
    screen = back_at_the_models_step(lead)
    lead.click(screen.models.go)
    models = lead.wait_for(ModelsScreen)
    assert isinstance(models, ModelsScreen)
    lead.click(models.set_up)
    back_at_the_models_step(lead)


def back_at_the_models_step(lead: WindowSession) -> SetupScreen:
    screen = lead.wait_for(SetupScreen)
    assert isinstance(screen, SetupScreen)
    lead.wait(screen.models.isVisible)
    assert screen.steps[SetupStep.MODELS].isChecked()
    return screen


def test_a_new_study_opens_set_up(
    open_session: Callable[..., WindowSession], tmp_path: Path
) -> None:
    session = open_session(LaunchRequest())
    start = session.start_screen()
    start.new_wanted.emit(
        NewStudyForm(name="Mine", folder=tmp_path / "mine", lead_code="L", passphrase="heron")
    )
    screen = session.wait_for(SetupScreen)
    assert isinstance(screen, SetupScreen)
    session.wait(screen.steps[SetupStep.IMAGES].isVisible)
    assert screen.panels[SetupStep.IMAGES].isVisible()
