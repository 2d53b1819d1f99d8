"""A shared study is joined from the start page, and a new one is made on a server."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.study.people import add_person
from labeler.app.study.start import ADDRESS_NEEDED
from labeler.app.study.studies import new_study
from labeler.core.clock import SystemClock
from labeler.core.study.entities import DatasetRole, Role
from labeler.images.sheet_manifest import load_manifest
from labeler.store.study.folder import StudyFolder
from labeler.ui.study.join_study_dialog import JoinStudyDialog
from labeler.ui.study.new_study_dialog import NewStudyDialog
from labeler.ui.study.setup.setup_screen import SetupScreen
from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.navigation import LaunchRequest
from tests.gui.small_study import BEAVER
from tests.gui.window_session import WindowSession
from tests.unit.store.throwaway_server import Server

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def lead(server: Server, tmp_path: Path, pictures: Path) -> tuple[str, Path]:
    """The address of a study with references, and the folder of the lead's images."""
    folder = tmp_path / "lead" / "references"
    (folder / BEAVER).mkdir(parents=True)
    shutil.copy(next(path for path in pictures.rglob("*.*") if path.is_file()), folder / BEAVER)
    address = server.new_database()
    with new_study(
        tmp_path / "lead" / "study", clock=SystemClock(), name="Shared", server=address
    ) as store:
        add_person(store, "A", roles=[Role.LABELER])
        import_dataset(store, DatasetRequest(name="refs", path=folder, role=DatasetRole.REFERENCE))
        prepare_sheets(store)
    return address, folder


def start_page(session: WindowSession, qtbot: QtBot) -> StartScreen:
    screen = session.window.findChild(StartScreen)
    qtbot.waitUntil(screen.isVisible)
    return screen


@pytest.fixture
def page(open_session: Callable[..., WindowSession], qtbot: QtBot) -> StartScreen:
    return start_page(open_session(LaunchRequest()), qtbot)


@pytest.fixture
def dialog(page: StartScreen, qtbot: QtBot) -> JoinStudyDialog:
    qtbot.keyClick(page.demo, Qt.Key.Key_5)
    asked = page.joining
    assert asked is not None
    qtbot.waitUntil(asked.address.hasFocus)
    return asked


def connect(dialog: JoinStudyDialog, qtbot: QtBot, address: str) -> None:
    dialog.address.setText(address)
    qtbot.keyClick(dialog.address, Qt.Key.Key_Return)


def test_a_study_is_joined_with_other_folders_and_its_references_are_prepared(
    page: StartScreen,
    dialog: JoinStudyDialog,
    qtbot: QtBot,
    lead: tuple[str, Path],
    tmp_path: Path,
) -> None:
    address, images = lead
    here = tmp_path / "second"
    images.rename(here)
    connect(dialog, qtbot, address)
    qtbot.waitUntil(lambda: "refs" in dialog.images)
    assert dialog.images["refs"].text() == str(images)
    assert dialog.pack.hasFocus()
    dialog.pack.setText("study.labelerpack")
    assert not dialog.images["refs"].isVisible()
    dialog.pack.clear()
    assert dialog.images["refs"].isVisible()
    dialog.folder.setText(str(tmp_path / "joined"))
    window = page.window()
    dialog.images["refs"].setText(str(tmp_path / "pictures-that-are-gone"))
    dialog.proceed()
    qtbot.waitUntil(dialog.error_banner.isVisible)
    assert not (tmp_path / "joined").exists()

    dialog.images["refs"].setText(str(here))
    dialog.proceed()

    qtbot.waitUntil(lambda: window.findChild(SignInScreen) is not None)
    assert load_manifest(StudyFolder(tmp_path / "joined").thumbnails, BEAVER) is not None


def test_a_wrong_address_is_refused_and_can_be_corrected(
    dialog: JoinStudyDialog, qtbot: QtBot, lead: tuple[str, Path]
) -> None:
    dialog.proceed()
    assert dialog.error_banner.sentence == ADDRESS_NEEDED
    connect(dialog, qtbot, "postgresql://lead@127.0.0.1:1/study")
    qtbot.waitUntil(dialog.error_banner.isVisible)
    assert "127.0.0.1:1" in dialog.error_banner.sentence
    connect(dialog, qtbot, lead[0])
    qtbot.waitUntil(lambda: "refs" in dialog.images)
    assert dialog.folder.isVisible()
    qtbot.keyClicks(dialog.address, "x")
    assert not dialog.images
    assert not dialog.folder.isVisible()
    dialog.reject()


def test_a_new_study_can_be_made_on_a_server(
    page: StartScreen, qtbot: QtBot, server: Server, tmp_path: Path
) -> None:
    qtbot.keyClick(page.demo, Qt.Key.Key_3)
    form, window = page.asking, page.window()
    assert isinstance(form, NewStudyDialog)
    qtbot.waitUntil(form.name.hasFocus)
    form.name.setText("Lab")
    form.folder.setText(str(tmp_path / "lab"))
    assert not form.server.isVisible()
    form.database.setCurrentIndex(1)
    assert form.server.isVisible()
    form.make()
    assert form.error_banner.sentence == ADDRESS_NEEDED
    assert form.server.hasFocus()
    form.server.setText("postgresql://lead@127.0.0.1:1/study")
    form.make()
    qtbot.waitUntil(form.error_banner.isVisible)
    assert form.server.hasFocus()

    form.server.setText(server.new_database())
    form.make()

    qtbot.waitUntil(lambda: window.findChild(SetupScreen) is not None)
    assert StudyFolder(tmp_path / "lab").server.is_file()
    assert not StudyFolder(tmp_path / "lab").database.exists()
