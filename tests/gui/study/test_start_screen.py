"""The start page: three choices, and the recent studies."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from labeler.app.study.preferences import ThemeChoice
from labeler.app.study.recent_studies import FOLDER_NOT_FOUND, RecentStudy
from labeler.app.study.start import StartView
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.theme import Appearance

without_hint = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def screen(qtbot: QtBot, qapp: QApplication) -> StartScreen:
    made = StartScreen(Appearance(qapp, ThemeChoice.LIGHT))
    qtbot.addWidget(made)
    made.resize(1264, 736)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def row(screen: StartScreen, name: str) -> CommandButton:
    return next(b for b in screen.findChildren(CommandButton) if b.words == name)


def test_the_demo_is_one_key_away(screen: StartScreen, qtbot: QtBot) -> None:
    assert screen.demo.hasFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_1):
        with qtbot.waitSignal(screen.demo_wanted):
            qtbot.keyClick(QApplication.focusWidget(), key)


@without_hint
def test_a_study_is_opened_by_its_folder(screen: StartScreen, qtbot: QtBot, tmp_path: Path) -> None:
    qtbot.keyClick(screen.demo, Qt.Key.Key_2)
    dialog = screen.findChild(QFileDialog)
    with qtbot.waitSignal(screen.open_wanted) as opened:
        dialog.fileSelected.emit(str(tmp_path))
    assert opened.args == [tmp_path]
    dialog.reject()


def test_a_folder_can_be_dropped_and_a_file_cannot(
    screen: StartScreen, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    assert not accepts(screen, tmp_path / "file")
    assert accepts(screen, tmp_path)
    with qtbot.waitSignal(screen.images_chosen) as chosen:
        drop(screen, tmp_path)
    assert chosen.args == [tmp_path]
    (tmp_path / "study.db").touch()
    with qtbot.waitSignal(screen.open_wanted) as opened:
        drop(screen, tmp_path)
    assert opened.args == [tmp_path]


def drop(screen: StartScreen, path: Path) -> None:
    screen.dropEvent(
        QDropEvent(
            QPointF(9, 9),
            Qt.DropAction.CopyAction,
            carrying(path),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


def accepts(screen: StartScreen, path: Path) -> bool:
    entering = QDragEnterEvent(
        QPointF(9, 9).toPoint(),
        Qt.DropAction.CopyAction,
        carrying(path),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entering.ignore()
    screen.dragEnterEvent(entering)
    return entering.isAccepted()


def carrying(path: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    # Qt's events don't keep what they carry alive.
    _CARRIED.append(data)
    return data


_CARRIED: list[QMimeData] = []


def test_recent_studies_can_be_opened_unless_missing(screen: StartScreen, qtbot: QtBot) -> None:
    here, gone = Path("/studies/birds"), Path("/stick/pilot")
    screen.render_view(
        StartView((RecentStudy("Birds", here), RecentStudy("Pilot", gone, FOLDER_NOT_FOUND)))
    )
    with qtbot.waitSignal(screen.recent_chosen) as chosen:
        qtbot.mouseClick(row(screen, "Birds"), Qt.MouseButton.LeftButton)
    assert chosen.args == [here]
    assert not row(screen, "Pilot").isEnabled()
    assert FOLDER_NOT_FOUND in row(screen, "Pilot").accessibleDescription()


def test_the_last_study_is_on_top_and_opens_with_one_key(screen: StartScreen, qtbot: QtBot) -> None:
    gone, here = Path("/stick/pilot"), Path("/studies/birds")
    screen.render_view(
        StartView((RecentStudy("Pilot", gone, FOLDER_NOT_FOUND), RecentStudy("Birds", here)))
    )
    birds = row(screen, "Birds")
    assert QApplication.focusWidget() is birds
    qtbot.waitUntil(
        lambda: birds.mapTo(screen, QPoint()).y() < screen.demo.mapTo(screen, QPoint()).y()
    )
    with qtbot.waitSignal(screen.recent_chosen) as chosen:
        qtbot.keyClick(birds, Qt.Key.Key_Return)
    assert chosen.args == [here]
    qtbot.keyClick(birds, Qt.Key.Key_Tab)
    assert screen.demo.hasFocus()


def test_the_demo_has_the_focus_if_all_recent_studies_are_missing(screen: StartScreen) -> None:
    screen.render_view(StartView((RecentStudy("Pilot", Path("/p"), FOLDER_NOT_FOUND),)))
    assert screen.demo.hasFocus()


@without_hint
def test_the_dialog_starts_next_to_the_last_study(screen: StartScreen, tmp_path: Path) -> None:
    (tmp_path / "birds").mkdir()
    screen.render_view(StartView((RecentStudy("Birds", tmp_path / "birds"),)))
    screen.choose_folder()
    dialog = screen.findChild(QFileDialog)
    assert Path(dialog.directory().absolutePath()) == tmp_path
    dialog.reject()


def test_recent_studies_can_be_shown_again(screen: StartScreen, qtbot: QtBot) -> None:
    screen.render_view(StartView((RecentStudy("Birds", Path("/b")),)))
    screen.render_view(StartView((RecentStudy("Dogs", Path("/d")),)))
    qtbot.waitUntil(lambda: "Birds" not in names(screen))
    assert "Dogs" in names(screen)


def names(screen: StartScreen) -> list[str]:
    return [button.words for button in screen.findChildren(CommandButton)]


def test_building_the_demo_shows_progress_and_can_be_cancelled(
    screen: StartScreen, qtbot: QtBot
) -> None:
    screen.show_progress(50, 200, "Composing images · about 2 min left")
    assert screen.progress.isVisible()
    assert screen.progress.sentence.text().startswith("Composing images · about 2 min left")
    assert screen.progress.line.part == 0.25
    assert not screen.new.isEnabled()
    assert screen.progress.cancel.hasFocus()
    with qtbot.waitSignal(screen.cancel_wanted):
        qtbot.keyClick(screen.progress.cancel, Qt.Key.Key_Return)
    assert not screen.progress.isVisible()
    assert screen.demo.isEnabled()
    assert screen.demo.hasFocus()


def test_a_failure_is_reported_and_can_be_retried(screen: StartScreen) -> None:
    screen.show_progress(50, 200, "Composing images")
    screen.say("The disk is full: free some space.")
    assert screen.error_banner.isVisible()
    assert screen.error_banner.accessibleName() == "The disk is full: free some space."
    assert not screen.progress.isVisible()
    assert screen.demo.isEnabled()
    screen.say("")
    assert not screen.error_banner.isVisible()
