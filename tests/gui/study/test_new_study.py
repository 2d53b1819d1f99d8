"""The dialog for a new study keeps its entries until the study is created."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.start import (
    NAME_NEEDED,
    PASSPHRASES_DIFFER,
    NewStudyField,
    NewStudyForm,
    NewStudyProblem,
    studies_folder,
    taken_folder_text,
)
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.study.new_study_dialog import CREATING, NewStudyDialog
from labeler.ui.study.setup.setup_screen import SetupScreen
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.navigation import LaunchRequest
from labeler.ui.window.theme import Appearance
from tests.gui.small_study import BEAVER
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def screen(appearance: Appearance, qtbot: QtBot) -> StartScreen:
    made = StartScreen(appearance)
    qtbot.addWidget(made)
    made.resize(1264, 736)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


@pytest.fixture
def form(screen: StartScreen, qtbot: QtBot) -> NewStudyDialog:
    qtbot.keyClick(screen.demo, Qt.Key.Key_3)
    asked = screen.asking
    assert asked is not None
    qtbot.waitUntil(asked.name.hasFocus)
    return asked


def test_a_new_study_is_asked_for_and_described(
    screen: StartScreen, form: NewStudyDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.keyClicks(form.name, "Birds of Kent")
    assert Path(form.folder.text()).name == "birds-of-kent"
    form.folder.setText(str(tmp_path / "kent"))
    with qtbot.waitSignal(screen.new_wanted) as wanted:
        qtbot.keyClick(form.name, Qt.Key.Key_Return)
    assert wanted.args == [
        NewStudyForm(name="Birds of Kent", folder=tmp_path / "kent", lead_code="L", passphrase="")
    ]


def test_a_missing_entry_is_reported_and_focused(form: NewStudyDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(form.do, Qt.MouseButton.LeftButton)
    assert form.isVisible()
    assert form.error_banner.sentence == NAME_NEEDED
    assert form.name.hasFocus()
    assert not form.again.isVisible()
    qtbot.keyClicks(form.name, "Birds")
    assert not form.error_banner.isVisible(), "editing clears the error"
    qtbot.keyClicks(form.passphrase, "heron")
    assert form.again.isVisible()
    qtbot.mouseClick(form.do, Qt.MouseButton.LeftButton)
    assert form.error_banner.sentence == PASSPHRASES_DIFFER
    assert form.again.hasFocus()
    qtbot.keyClicks(form.again, "h")
    assert not form.error_banner.isVisible()


def test_a_message_moves_no_button(form: NewStudyDialog, qtbot: QtBot) -> None:
    before = place(form.do)
    qtbot.mouseClick(form.do, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(form.error_banner.isVisible)
    assert place(form.do) == before
    qtbot.keyClicks(form.name, "B")
    qtbot.waitUntil(lambda: not form.error_banner.isVisible())
    assert place(form.do) == before


def test_a_long_sentence_squeezes_no_field(form: NewStudyDialog, qtbot: QtBot) -> None:
    before = form.folder.height()
    form.refuse(
        NewStudyProblem(
            "The study can't be created at '/a/very/long/path'. " * 12, NewStudyField.FOLDER
        )
    )
    qtbot.waitUntil(form.error_banner.isVisible)
    QApplication.processEvents()
    assert form.folder.height() == before
    assert form.error_banner.height() >= form.error_banner.heightForWidth(form.error_banner.width())


def place(widget: QWidget) -> QPoint:
    QApplication.processEvents()
    return widget.mapTo(widget.window(), QPoint())


def test_the_dialog_is_disabled_while_the_study_is_created(
    screen: StartScreen, form: NewStudyDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    enter(form, tmp_path / "birds")
    wanted: list[NewStudyForm] = []
    screen.new_wanted.connect(wanted.append)
    for _time in range(2):
        qtbot.mouseClick(form.do, Qt.MouseButton.LeftButton)
        qtbot.keyClick(form, Qt.Key.Key_Return)
    assert len(wanted) == 1
    assert form.making.sentence == CREATING
    qtbot.keyClick(form, Qt.Key.Key_Escape)
    form.close()
    assert form.isVisible()
    screen.close_new_study_dialog()
    assert screen.asking is None


def test_a_late_refusal_keeps_the_entries(
    screen: StartScreen, form: NewStudyDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    enter(form, tmp_path / "birds")
    form.passphrase.setText("heron")
    form.again.setText("heron")
    with qtbot.waitSignal(screen.new_wanted):
        qtbot.mouseClick(form.do, Qt.MouseButton.LeftButton)
    screen.refuse_study(NewStudyProblem("The disk is full: free some space.", NewStudyField.FOLDER))
    assert form.error_banner.sentence == "The disk is full: free some space."
    assert not form.making.isVisible()
    assert form.folder.hasFocus()
    assert (form.name.text(), form.passphrase.text()) == ("Birds", "heron")
    with qtbot.waitSignal(screen.new_wanted):
        qtbot.mouseClick(form.do, Qt.MouseButton.LeftButton)


def enter(form: NewStudyDialog, folder: Path) -> None:
    form.name.setText("Birds")
    form.folder.setText(str(folder))


def test_browsing_starts_at_the_proposed_folder(form: NewStudyDialog, tmp_path: Path) -> None:
    form.folder.setText(str(tmp_path / "not" / "yet" / "birds"))
    form.browse()
    dialog = form.findChild(QFileDialog)
    assert Path(dialog.directory().absolutePath()) == tmp_path
    assert dialog.testOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    assert Path(form.folder.text()) == tmp_path / "study"


def test_an_existing_folder_is_reported_without_moving_anything(
    form: NewStudyDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds" / "study.db").touch()
    before = place(form.do)
    form.name.setText("Birds")
    form.browse()
    form.findChild(QFileDialog).fileSelected.emit(str(tmp_path))
    form.findChild(QFileDialog).reject()
    assert Path(form.folder.text()).name == "birds-2"
    assert form.where.text() == taken_folder_text(tmp_path / "birds")
    assert place(form.do) == before
    qtbot.keyClicks(form.folder, "x")
    assert "birds" not in form.where.text(), "an entered folder needs no explanation"


def test_a_folder_that_cannot_be_created_is_reported_in_the_form(
    open_session: Callable[..., WindowSession], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    session = open_session(LaunchRequest())
    start = session.start_screen()
    start.begin_study()
    form = start.asking
    assert form is not None
    form.name.setText("Mine")
    form.folder.setText(str(tmp_path / "file" / "mine"))
    session.click(form.do)
    session.wait(lambda: "can't be created" in form.error_banner.sentence)
    assert form.folder.hasFocus()
    form.folder.setText(str(tmp_path / "mine"))
    session.click(form.do)
    session.wait_for(SetupScreen)


def test_a_study_is_created_with_two_clicks(
    open_session: Callable[..., WindowSession], tmp_path: Path
) -> None:
    session = open_session(LaunchRequest())
    start = session.start_screen()
    session.click(start.new)
    form = start.asking
    assert form is not None
    today = session.clock.utc().astimezone().date().isoformat()
    assert form.name.text() == form.name.selectedText() == f"Study {today}"
    assert Path(form.folder.text()).name == f"study-{today}"
    form.folder.setText(str(tmp_path / "mine"))
    session.click(form.do)
    session.wait_for(SetupScreen)
    assert f"Study {today}" in session.window.windowTitle()


def test_a_dropped_folder_of_images_leads_to_the_first_image(
    open_session: Callable[..., WindowSession], tmp_path: Path
) -> None:
    for number in range(3):
        copy = tmp_path / "holiday" / f"{BEAVER}_{number}.JPEG"
        copy.parent.mkdir(exist_ok=True)
        Image.new("RGB", (64, 48), (number * 80, 90, 120)).save(copy, "JPEG")
    session = open_session(LaunchRequest())
    start = session.window.screen_shown
    assert isinstance(start, StartScreen)

    start.handle_dropped_files([tmp_path / "holiday"])

    session.qtbot.waitUntil(
        lambda: isinstance(session.window.screen_shown, WorkbenchScreen), timeout=30_000
    )
    session.qtbot.waitUntil(lambda: session.workbench.view.stage is WorkbenchStage.TRIAL)


def test_a_folder_that_cannot_be_labeled_says_why(
    open_session: Callable[..., WindowSession], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    session = open_session(LaunchRequest())
    start = session.window.screen_shown
    assert isinstance(start, StartScreen)

    start.handle_dropped_files([tmp_path / "empty"])

    session.qtbot.waitUntil(start.error_banner.isVisible)
    assert start.demo.isEnabled()
    assert not studies_folder().exists() or not any(studies_folder().iterdir())
