"""The steps of the set-up next to the way to an evaluation: each does what its command does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel

from labeler.app.study.settings import study_settings
from labeler.app.study.setup.steps import SetupStep
from labeler.app.study.start import NewStudyForm
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.ui.models.models_screen import ModelsScreen
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.review_plan_panel import ReviewPlanPanel
from labeler.ui.study.setup.settings_panel import StudySettingsPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
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


def test_the_way_leads_from_step_to_step(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    assert screen.next_button.isHidden(), "without images there is nothing to go on with"
    add_images(lead, screen, pictures)
    lead.wait(screen.next_button.isVisible)
    assert screen.next_button.words == "Next: Reference images (optional)"
    assert screen.next_button.property("kind") == "primary"
    lead.click(screen.next_button)
    assert screen.panels[SetupStep.REFERENCES].isVisible()
    assert screen.next_button.words == "Skip this, go to: Images to train on (optional)"
    assert screen.next_button.property("kind") == "plain", (
        "nobody is invited to skip the references"
    )
    lead.press(Qt.Key.Key_Right, ALT)
    lead.press(Qt.Key.Key_Right, ALT)
    assert screen.panels[SetupStep.PEOPLE].isVisible()
    assert screen.next_button.isHidden(), "an evaluation needs a labeler"


def test_a_moved_folder_can_be_told(lead: WindowSession, pictures: Path) -> None:
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
    lead.wait(lambda: f"val is at {moved} now." in screen.said.sentence)


def test_a_check_leads_to_what_mends_it(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    next(pictures.rglob("*.png")).unlink()
    go_to(lead, screen, SetupStep.KEEPING)
    lead.click(screen.backups.check)
    lead.wait(lambda: screen.backups.wrong.sentence.endswith(": 1 thing is wrong."))
    names = {each.text(): each for each in screen.backups.findChildren(QAbstractButton)}
    go = names["Go to “Images to classify”"]
    lead.wait(lambda: go.visibleRegion().contains(go.rect().center()))
    lead.click(go)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    assert [item.text(0) for item in panel.datasets.selectedItems()] == ["val"]
    assert panel.dataset_actions.moved.isEnabled(), (
        "what mends it acts on what was complained about"
    )


def test_who_comes_back_to_a_check_reads_that_it_is_an_earlier_one(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    next(pictures.rglob("*.png")).unlink()
    go_to(lead, screen, SetupStep.KEEPING)
    lead.click(screen.backups.check)
    lead.wait(screen.backups.wrong.isVisible)
    assert screen.backups.wrong.sentence.startswith("Checked on ")
    titles = [each.text() for each in screen.backups.findChildren(QLabel)]
    assert titles.index("Images are missing") < next(
        place for place, text in enumerate(titles) if text.startswith("Put back what is missing")
    ), "what is wrong comes first"
    go_to(lead, screen, SetupStep.IMAGES)
    go_to(lead, screen, SetupStep.KEEPING)
    assert "1 thing was wrong" in screen.backups.wrong.sentence
    assert "Check the study again" in screen.backups.wrong.sentence


def test_replacing_a_sample_is_asked_about(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    panel = draw(lead, screen)
    lead.wait(lambda: panel.draw.text() == "&Replace the sample…")
    panel.seed.setValue(5)
    lead.click(panel.draw)
    asked = confirmation()
    assert "The 2 images that were drawn" in words_of(asked)
    pressed(lead, asked.do, screen, "(seed 5)")


def test_settings_are_seen_and_changed(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    panel = screen.panels[SetupStep.SETTINGS]
    assert isinstance(panel, StudySettingsPanel)
    assert not panel.apply.isEnabled(), "that holds already"
    panel.asks.setChecked(True)
    panel.washout.setValue(30)
    pressed(lead, panel.apply, screen, "The settings hold from now on.")
    lead.wait(lambda: not panel.apply.isEnabled())
    with open_study(folder_of(lead), clock=lead.clock) as store:
        held = study_settings(store)
    assert (held.asks_confidence, held.washout_days, held.idle_seconds) == (True, 30, 120)


def test_names_in_another_language_are_given_and_replaced(
    lead: WindowSession, tmp_path: Path
) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    card = screen.settings.names
    assert card.held.text() == "English only."
    file = tmp_path / "deu.csv"
    file.write_text("name\nBiber\n")
    card.take([file])
    lead.click(card.give)
    lead.wait(lambda: "'wnid' is missing" in screen.error_banner.sentence)
    file.write_text("wnid,name\nn02363005,Biper\n")
    pressed(lead, card.give, screen, "Searches find the names of 1 class in deu.")
    lead.wait(lambda: card.held.text() == "There are names of 1 class in deu.")
    assert card.files.text() == ""
    file.write_text("wnid,name\nn02363005,Biber\nn02361337,Murmeltier\n")
    card.take([file])
    lead.click(card.give)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    asked = confirmation()
    assert "1 class before, 2 afterwards" in words_of(asked)
    pressed(lead, asked.do, screen, "Searches find the names of 2 classes in deu.")
    with open_study(folder_of(lead), clock=lead.clock) as store:
        assert store.taxonomy["n02363005"].lemmas[-1] == "Biber"
    assert list((folder_of(lead) / "backups").glob("study-*.db")), "what was replaced is kept"


def test_a_passphrase_is_typed_twice(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    panel = screen.panels[SetupStep.SETTINGS]
    assert isinstance(panel, StudySettingsPanel)
    panel.passphrase.setText("heron")
    lead.click(panel.set_passphrase)
    assert screen.error_banner.sentence == "The two passphrases differ: type the same one twice."
    lead.click(panel.again)
    lead.type_in("heron")
    assert not screen.error_banner.sentence, "whoever mends it isn't told of it any more"
    pressed(lead, panel.set_passphrase, screen, "asked for the passphrase from now on")
    assert panel.passphrase.text() == ""
    lead.wait(panel.remove_passphrase.isEnabled)
    assert "--no-lead-passphrase" in panel.passphrase_state.text(), "for who can't sign in"


def test_a_passphrase_goes_only_after_a_question(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.SETTINGS)
    panel = screen.settings
    for part in (panel.passphrase, panel.again):
        part.setText("heron")
    pressed(lead, panel.set_passphrase, screen, "asked for the passphrase from now on")
    lead.wait(panel.remove_passphrase.isEnabled)
    lead.click(panel.remove_passphrase)
    asked = confirmation()
    assert "Anybody who knows a lead's code can then sign in as lead" in words_of(asked)
    lead.click(asked.cancel)
    assert panel.remove_passphrase.isEnabled()
    lead.click(panel.remove_passphrase)
    pressed(lead, confirmation().do, screen, "without a passphrase")


def test_a_review_is_previewed_then_planned(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.REVIEWS)
    panel = screen.panels[SetupStep.REVIEWS]
    assert isinstance(panel, ReviewPlanPanel)
    assert not panel.preview.isEnabled(), "nobody can review"
    people = add_labeler(lead, screen, "R")
    people.people.itemClicked.emit(people.people.topLevelItem(1), 0)
    people.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, people.change, screen, "R is labeler, reviewer now.")
    go_to(lead, screen, SetupStep.REVIEWS)
    lead.wait(panel.preview.isEnabled)
    lead.click(panel.preview)
    lead.wait(lambda: "This would plan the initial review" in panel.preview_text.text())
    assert "It needs 4 judgements more: R 4." in panel.preview_text.text()
    lead.wait(lambda: panel.state.text() == "No review is planned yet.")
    panel.repeats.setValue(50)
    pressed(lead, panel.plan, screen, "Planned the initial review")
    lead.wait(lambda: panel.plan.text() == "&Extend the plan")
    row = panel.made.topLevelItem(0)
    texts = [row.text(column) for column in range(1, panel.made.columnCount() - 1)]
    assert texts == ["initial", "4", "1", "50 %", "–"]
    assert "asks 4 labels on 4 images of 1 reviewer" in panel.state.text()
    panel.stage.setCurrentIndex(1)
    assert panel.again.isVisible()
    assert not panel.sample_only.isVisible()
    lead.click(panel.preview)
    lead.wait(lambda: "There are no labels to judge" in screen.error_banner.sentence)


def test_a_plan_is_extended_with_what_it_asked_before(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    people = add_labeler(lead, screen, "R")
    people.people.itemClicked.emit(people.people.topLevelItem(1), 0)
    people.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, people.change, screen, "R is labeler, reviewer now.")
    go_to(lead, screen, SetupStep.REVIEWS)
    panel = screen.panels[SetupStep.REVIEWS]
    assert isinstance(panel, ReviewPlanPanel)
    lead.wait(panel.plan.isEnabled)
    panel.repeats.setValue(25)
    pressed(lead, panel.plan, screen, "Planned the initial review")
    lead.click(screen.home)
    lead.home()
    again = set_up(lead).panels[SetupStep.REVIEWS]
    assert isinstance(again, ReviewPlanPanel)
    assert again.repeats.value() == 25
    assert again.made.topLevelItemCount() == 1


def test_what_a_preview_says_is_brought_into_sight(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    lead.window.resize(1280, 800)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    screen._stacked.setMaximumHeight(240)
    lead.wait(screen.sample.preview.isEnabled)
    lead.click(screen.sample.preview)
    lead.wait(lambda: "It would draw 2 images" in screen.sample.drawn.text())
    lead.wait(lambda: not screen.sample.drawn.visibleRegion().isEmpty())
    assert screen.sample.drawn.text().startswith("It would draw 2 images")


def test_models_are_a_step_that_leads_to_their_screen(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.MODELS)
    assert "add those first" in screen.models.state.text()
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


def test_who_makes_a_study_goes_on_setting_it_up(
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
