"""A lead sets up an empty study until the evaluation runs, mostly with the mouse."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

from labeler.app.study.lead_home import EVALUATION_LOCKED
from labeler.app.study.setup.check import NO_PROBLEMS
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import OWN_LEAD_ROLE
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study_opening import open_study
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.kit.text.error_banner import BannerKind
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.setup.images_panel import IMPORT_CANCELLED, ImagesPanel
from labeler.ui.study.setup.people_panel import PeoplePanel
from labeler.ui.study.setup.sample_panel import SamplePanel
from tests.gui.leading import (
    BEAVER,
    MARMOT,
    add_images,
    add_labeler,
    draw,
    folder_of,
    go_to,
    open_evaluation,
    pressed,
    set_up,
)
from tests.gui.window_session import ALT, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_an_empty_study_becomes_a_running_evaluation(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    assert screen.panels[SetupStep.IMAGES].isVisible(), "the first step to do"
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    go_to(lead, screen, SetupStep.PHASES)
    open_evaluation(lead, screen)
    lead.wait(screen.phases.cards[Phase.EVALUATE].lock.isVisible)
    assert screen.isAncestorOf(lead.window.focusWidget()), "only the button is gone"
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        assert study.phases.states()[Phase.EVALUATE] is PhaseState.OPEN
        assert study.samples.size() == 2


def test_a_folder_is_shown_before_it_is_added(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    _drop(panel, pictures)
    lead.wait(panel.add.isEnabled)
    assert "2 folders named by wnid" in panel.found.text()
    assert panel.name.text() == "val"
    shown = [each.accessibleName() for each in panel.pictures.findChildren(QLabel)]
    assert {"marmot", "beaver"} <= set(shown)
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        assert study.datasets.all() == [], "a preview adds nothing"


def test_a_problem_with_a_folder_is_reported_and_nothing_is_added(
    lead: WindowSession, tmp_path: Path
) -> None:
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    (tmp_path / "empty").mkdir()
    panel.preview_path(tmp_path / "empty")
    lead.wait(lambda: bool(screen.error_banner.sentence))
    assert "empty" in screen.error_banner.sentence
    assert not panel.add.isEnabled()


def test_a_preview_shows_the_sample_without_drawing_it(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, SetupStep.SAMPLE)
    panel = screen.panels[SetupStep.SAMPLE]
    assert isinstance(panel, SamplePanel)
    lead.wait(panel.preview.isEnabled)
    panel.per_class.setValue(3)
    lead.click(panel.preview)
    lead.wait(lambda: "The sample would have 4 images of 2 classes." in panel.drawn.text())
    assert "2 classes have too few images" in panel.refused.sentence
    rows = [panel.passed_over.topLevelItem(place) for place in range(2)]
    assert [row.text(2) for row in rows if row] == [
        f"marmot ({MARMOT}): 2 of 3",
        f"beaver ({BEAVER}): 2 of 3",
    ]
    panel.allow_shortage.setChecked(True)
    lead.click(panel.preview)
    lead.wait(lambda: "The sample would have 4 images" in panel.drawn.text())
    assert not panel.refused.sentence, "the lead accepts it"
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        assert study.samples.current() is None


def test_roles_change_by_selecting_a_person(
    lead: WindowSession,
) -> None:
    screen = set_up(lead)
    panel = add_labeler(lead, screen, "A")
    panel.people.setCurrentItem(panel.people.topLevelItem(0))
    assert panel.roles[Role.LABELER].isChecked(), "the next person is a labeler"
    panel.people.itemClicked.emit(panel.people.topLevelItem(1), 0)
    assert panel.code.text() == "A"
    assert not panel.add.isEnabled()
    panel.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, panel.change, screen, "A is now labeler, reviewer.")


def test_a_lead_keeps_the_role(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.PEOPLE)
    panel = screen.panels[SetupStep.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    panel.people.itemClicked.emit(panel.people.topLevelItem(0), 0)
    panel.roles[Role.LEAD].setChecked(False)
    panel.roles[Role.LABELER].setChecked(True)
    lead.click(panel.change)
    lead.wait(lambda: OWN_LEAD_ROLE in screen.error_banner.sentence)


def test_locking_asks_first_and_makes_a_backup(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    go_to(lead, screen, SetupStep.PHASES)
    evaluate = screen.phases.cards[Phase.EVALUATE]
    open_evaluation(lead, screen)
    lead.wait(evaluate.lock.isVisible)
    lead.click(evaluate.lock)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    lead.wait(asked.cancel.hasFocus)  # so that Enter changes nothing
    before = len(list((folder_of(lead) / "backups").glob("study-*.db")))
    lead.clock.go_on(seconds=1)
    lead.click(asked.do)
    lead.wait(lambda: EVALUATION_LOCKED in screen.said.sentence)
    assert len(list((folder_of(lead) / "backups").glob("study-*.db"))) == before + 1


def test_a_backup_is_restored_and_the_study_reopened(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.KEEPING)
    pressed(lead, screen.backups.back_up, screen, "Backed up as")
    add_labeler(lead, screen, "A")
    go_to(lead, screen, SetupStep.KEEPING)
    newest = screen.backups.backups.topLevelItem(0)
    assert newest is not None
    screen.backups.backups.setCurrentItem(newest)
    lead.click(screen.backups.restore)
    lead.wait(lambda: QApplication.activeModalWidget() is not None)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    lead.clock.go_on(seconds=1)
    lead.click(asked.do)
    assert list(lead.sign_in_screen().roles) == [Role.LEAD], "the labeler came later"
    before = max((folder_of(lead) / "backups").glob("study-*.db"))
    with closing(sqlite3.connect(before)) as kept:
        assert kept.execute("SELECT count(*) FROM participant").fetchone() == (2,), "a way back"


def test_a_check_reports_that_there_are_no_problems(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.KEEPING)
    lead.click(screen.backups.check)
    lead.wait(lambda: NO_PROBLEMS in screen.backups.banner.sentence)
    assert screen.backups.banner.kind is BannerKind.DONE


def test_a_task_can_be_cancelled_and_resumed(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.preview_path(pictures)
    lead.wait(panel.add.isEnabled)
    panel.add.click()
    assert screen.work.isVisible()
    assert screen.work.hasFocus(), "it takes the keys and ignores them"
    screen.work.cancel.click()
    assert screen.halted.sentence == IMPORT_CANCELLED
    assert not screen.said.sentence, "nothing was finished"
    assert screen.work.isHidden()
    lead.wait(panel.add.isEnabled)
    pressed(lead, panel.add, screen, "Added 4 images")


def test_steps_have_keys_and_set_up_opens_at_the_next_one(
    lead: WindowSession, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    lead.press(Qt.Key.Key_Minus, ALT)
    assert screen.panels[SetupStep.FILES].isVisible()
    lead.click(screen.home)
    lead.wait_for(HomeScreen)
    again = set_up(lead)
    assert again.panels[SetupStep.PEOPLE].isVisible(), "the next step to do"


def test_set_up_is_for_the_lead_only(at_home: WindowSession) -> None:
    home = at_home.home()
    assert home.set_up.isHidden()
    with at_home.qtbot.assertNotEmitted(home.set_up_wanted):
        at_home.press(Qt.Key.Key_F9)


def _drop(panel: ImagesPanel, folder: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    event = QDropEvent(
        QPointF(QPoint(5, 5)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    # Dropping next to the panel works as well.
    room = panel.parentWidget()
    assert room is not None
    assert room.acceptDrops()
    room.dropEvent(event)
    assert event.isAccepted()


def test_keys_have_no_effect_while_a_task_starts(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    images = screen.panels[SetupStep.IMAGES]
    assert isinstance(images, ImagesPanel)
    images.preview_path(pictures)
    lead.wait(images.add.isEnabled)
    lead.click(images.add)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_A):
        lead.press(key)
    lead.wait(lambda: "Added 4 images" in screen.said.sentence)
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as found:
        assert [dataset.images for dataset in found.datasets.all()] == [4], "added once"
