"""A lead takes an empty study to a running evaluation in the window, mostly with the mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from labeler.app.people import add_person
from labeler.app.presenters.set_up_steps import Step
from labeler.app.studies import new_study
from labeler.core.phases import Phase, PhaseState
from labeler.core.study import Role
from labeler.store.opening import open_study
from labeler.ui.dialogs.confirming import ConfirmDialog
from labeler.ui.screens.home import HomeScreen
from labeler.ui.screens.set_up import SetUpScreen
from labeler.ui.set_up.files import FilesPanel
from labeler.ui.set_up.images import ImagesPanel
from labeler.ui.set_up.people import PeoplePanel
from labeler.ui.set_up.sample import SamplePanel
from labeler.ui.shell import Wish
from tests.adjustable_clock import AdjustableClock
from tests.gui.sitting import ALT, Sitting

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

MARMOT, BEAVER = "n02361337", "n02363005"


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Two pictures of each of two classes, by wnid."""
    folder = tmp_path / "val"
    for number, wnid in enumerate((MARMOT, BEAVER)):
        for each in range(2):
            file = folder / wnid / f"{wnid}_{each}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (24, 16), (60 * number, 90 * each, 40)).save(file)
    return folder


@pytest.fixture
def lead(sit_down: Callable[..., Sitting], tmp_path: Path, clock: AdjustableClock) -> Sitting:
    """The lead of an empty study, at home."""
    folder = tmp_path / "first"
    with new_study(folder, clock=clock, name="First study") as store:
        add_person(store, "L", roles=[Role.LEAD])
    sitting = sit_down(Wish(study=folder))
    sitting.sign_in_screen()
    sitting.type_in("L")
    sitting.press(Qt.Key.Key_Return)
    sitting.home()
    return sitting


def set_up(sitting: Sitting) -> SetUpScreen:
    sitting.press(Qt.Key.Key_F9)
    screen = sitting.wait_for(SetUpScreen)
    assert isinstance(screen, SetUpScreen)
    sitting.wait(screen.steps[Step.IMAGES].isVisible)
    return screen


def pressed(sitting: Sitting, button: QAbstractButton, screen: SetUpScreen, said: str) -> None:
    """Click, and wait for what comes of it."""
    sitting.click(button)
    sitting.wait(lambda: said in screen.said.sentence)


def go_to(sitting: Sitting, screen: SetUpScreen, step: Step) -> None:
    sitting.click(screen.steps[step])
    sitting.wait(screen.panels[step].isVisible)


def add_images(sitting: Sitting, screen: SetUpScreen, folder: Path) -> ImagesPanel:
    panel = screen.panels[Step.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.look_at(folder)
    sitting.wait(panel.add.isEnabled)
    pressed(sitting, panel.add, screen, "Added 4 images as evaluation dataset")
    return panel


def add_labeler(sitting: Sitting, screen: SetUpScreen, code: str) -> PeoplePanel:
    go_to(sitting, screen, Step.PEOPLE)
    panel = screen.panels[Step.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    sitting.click(panel.code)
    sitting.type_in(code)
    pressed(sitting, panel.add, screen, f"Added {code}")
    sitting.wait(lambda: panel.code.text() == "")
    return panel


def draw(sitting: Sitting, screen: SetUpScreen) -> SamplePanel:
    go_to(sitting, screen, Step.SAMPLE)
    panel = screen.panels[Step.SAMPLE]
    assert isinstance(panel, SamplePanel)
    sitting.wait(panel.draw.isEnabled)
    pressed(sitting, panel.draw, screen, "Drew 2 images from val")
    return panel


def test_an_empty_study_becomes_a_running_evaluation(lead: Sitting, pictures: Path) -> None:
    screen = set_up(lead)
    assert screen.panels[Step.IMAGES].isVisible(), "the first step that is missing"
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    go_to(lead, screen, Step.PHASES)
    lead.wait(screen.phases.cards[Phase.EVALUATE].open.isEnabled)
    pressed(lead, screen.phases.cards[Phase.EVALUATE].open, screen, "The phase evaluate is open.")
    lead.wait(screen.phases.cards[Phase.EVALUATE].lock.isVisible)
    with open_study(_folder(lead), clock=lead.clock) as store, store.read() as study:
        assert study.phases.states()[Phase.EVALUATE] is PhaseState.OPEN
        assert study.samples.size() == 2


def test_a_folder_is_shown_before_it_is_added(lead: Sitting, pictures: Path) -> None:
    screen = set_up(lead)
    panel = screen.panels[Step.IMAGES]
    assert isinstance(panel, ImagesPanel)
    _drop(panel, pictures)
    lead.wait(panel.add.isEnabled)
    assert "2 folders named by wnid" in panel.found.text()
    assert panel.name.text() == "val"
    shown = [each.accessibleName() for each in panel.pictures.findChildren(type(panel.found))]
    assert {"marmot", "beaver"} <= set(shown)
    with open_study(_folder(lead), clock=lead.clock) as store, store.read() as study:
        assert study.datasets.all() == [], "nothing is added by looking"


def test_what_is_wrong_with_a_folder_is_said_and_nothing_is_added(
    lead: Sitting, tmp_path: Path
) -> None:
    screen = set_up(lead)
    panel = screen.panels[Step.IMAGES]
    assert isinstance(panel, ImagesPanel)
    (tmp_path / "empty").mkdir()
    panel.look_at(tmp_path / "empty")
    lead.wait(lambda: bool(screen.told.sentence))
    assert "empty" in screen.told.sentence
    assert not panel.add.isEnabled()


def test_a_preview_tells_what_would_be_drawn_and_draws_nothing(
    lead: Sitting, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    go_to(lead, screen, Step.SAMPLE)
    panel = screen.panels[Step.SAMPLE]
    assert isinstance(panel, SamplePanel)
    lead.wait(panel.preview.isEnabled)
    panel.per_class.setValue(3)
    lead.click(panel.preview)
    lead.wait(lambda: "It would draw 4 images of 2 classes." in panel.drawn.text())
    assert "2 classes have too few images" in panel.drawn.text()
    with open_study(_folder(lead), clock=lead.clock) as store, store.read() as study:
        assert study.samples.current() is None


def test_roles_change_by_choosing_a_person_and_not_by_passing_them(
    lead: Sitting,
) -> None:
    screen = set_up(lead)
    panel = add_labeler(lead, screen, "A")
    panel.people.setCurrentItem(panel.people.topLevelItem(0))
    assert panel.roles[Role.LABELER].isChecked(), "the next person is a labeler"
    panel.people.itemClicked.emit(panel.people.topLevelItem(1), 0)
    assert panel.code.text() == "A"
    assert not panel.add.isEnabled()
    panel.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, panel.change, screen, "A is labeler, reviewer now.")


def test_a_lead_keeps_the_role(lead: Sitting) -> None:
    screen = set_up(lead)
    go_to(lead, screen, Step.PEOPLE)
    panel = screen.panels[Step.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    panel.people.itemClicked.emit(panel.people.topLevelItem(0), 0)
    panel.roles[Role.LEAD].setChecked(False)
    panel.roles[Role.LABELER].setChecked(True)
    lead.click(panel.change)
    lead.wait(lambda: "can't take the lead's role from yourself" in screen.told.sentence)


def test_locking_asks_first_and_makes_a_backup(lead: Sitting, pictures: Path) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    add_labeler(lead, screen, "A")
    draw(lead, screen)
    go_to(lead, screen, Step.PHASES)
    evaluate = screen.phases.cards[Phase.EVALUATE]
    lead.wait(evaluate.open.isEnabled)
    pressed(lead, evaluate.open, screen, "is open")
    lead.wait(evaluate.lock.isVisible)
    lead.click(evaluate.lock)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    lead.wait(asked.cancel.hasFocus)  # so that Enter changes nothing
    before = len(list((_folder(lead) / "backups").glob("study-*.db")))
    lead.clock.go_on(seconds=1)
    lead.click(asked.do)
    lead.wait(lambda: "The phase evaluate is locked." in screen.said.sentence)
    assert len(list((_folder(lead) / "backups").glob("study-*.db"))) == before + 1


def test_a_backup_is_put_back_and_the_study_opened_anew(lead: Sitting) -> None:
    screen = set_up(lead)
    go_to(lead, screen, Step.KEEPING)
    pressed(lead, screen.keeping.back_up, screen, "Backed up as")
    add_labeler(lead, screen, "A")
    go_to(lead, screen, Step.KEEPING)
    newest = screen.keeping.backups.topLevelItem(0)
    assert newest is not None
    screen.keeping.backups.setCurrentItem(newest)
    lead.click(screen.keeping.restore)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    lead.click(asked.do)
    assert list(lead.sign_in_screen().roles) == [Role.LEAD], "the labeler came later"


def test_a_check_and_files_in_and_out(lead: Sitting, tmp_path: Path) -> None:
    screen = set_up(lead)
    go_to(lead, screen, Step.KEEPING)
    pressed(lead, screen.keeping.check, screen, "Nothing is wrong with the study")
    panel = screen.panels[Step.FILES]
    assert isinstance(panel, FilesPanel)
    panel.give(tmp_path / "out")
    lead.wait(lambda: "Wrote 5 files, 1 row to" in screen.said.sentence)
    panel.take(tmp_path / "nothing here")
    lead.wait(lambda: bool(screen.told.sentence))
    panel.take(tmp_path / "out")
    lead.wait(lambda: "participants.csv: 0 rows added, 1 were there." in screen.said.sentence)


def test_what_is_under_way_can_be_cancelled_and_goes_on(lead: Sitting, pictures: Path) -> None:
    screen = set_up(lead)
    panel = screen.panels[Step.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.look_at(pictures)
    lead.wait(panel.add.isEnabled)
    panel.add.click()
    assert screen.work.isVisible()
    assert screen.work.cancel.hasFocus(), "keys still go somewhere"
    screen.work.cancel.click()
    assert "Cancelled." in screen.said.sentence
    assert screen.work.isHidden()
    lead.wait(panel.add.isEnabled)
    pressed(lead, panel.add, screen, "Added 4 images")


def test_steps_have_keys_and_the_study_remembers_how_far_it_is(
    lead: Sitting, pictures: Path
) -> None:
    screen = set_up(lead)
    add_images(lead, screen, pictures)
    lead.press(Qt.Key.Key_8, ALT)
    assert screen.panels[Step.FILES].isVisible()
    lead.click(screen.home)
    lead.wait_for(HomeScreen)
    again = set_up(lead)
    assert again.panels[Step.PEOPLE].isVisible(), "the next step that is missing"


def test_setting_up_is_the_leads_alone(at_home: Sitting) -> None:
    home = at_home.home()
    assert home.set_up.isHidden()
    with at_home.qtbot.assertNotEmitted(home.set_up_wanted):
        at_home.press(Qt.Key.Key_F9)


def _folder(sitting: Sitting) -> Path:
    study = sitting.opened.shell._study
    assert study is not None
    return study.places.folder


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
    panel.dropEvent(event)
    assert event.isAccepted()
