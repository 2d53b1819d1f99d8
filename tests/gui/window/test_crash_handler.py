"""An error that no one foresaw becomes a number to quote, in the log and not on the screen."""

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.logs import log_file, log_to_file, set_blindness
from labeler.core.errors import NOT_PERMITTED
from labeler.ui.kit.text.text_dialogs import MessageDialog
from labeler.ui.window.crash_handler import report_uncaught_errors


class _Bell(QObject):
    rings = Signal()


SECRET = "/".join(("", "data", "n01440764", "x.JPEG"))


def _fail() -> None:
    raise ValueError(SECRET)


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize("blind", [True, False])
def test_an_error_in_a_slot_is_reported_as_an_incident_without_its_details(
    qapp: QApplication, own_folders: Path, capfd: pytest.CaptureFixture[str], blind: bool
) -> None:
    texts: list[str] = []
    bell = _Bell()
    bell.rings.connect(_fail)
    with log_to_file(), report_uncaught_errors(texts.append, blind=lambda: blind):
        set_blindness(lambda: blind)
        bell.rings.emit()
    assert len(texts) == 1
    assert "incident" in texts[0]
    assert "x.JPEG" not in texts[0] + capfd.readouterr().err
    text = log_file().read_text(encoding="utf-8")
    assert "ValueError" in text
    assert (SECRET in text) is not blind


def _may_not() -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), SECRET)


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize("blind", [True, False])
def test_a_file_that_the_disk_refuses_is_no_incident_and_named_to_the_lead_alone(
    qapp: QApplication, debug_log: Path, blind: bool
) -> None:
    texts: list[str] = []
    bell = _Bell()
    bell.rings.connect(_may_not)
    with report_uncaught_errors(texts.append, blind=lambda: blind):
        bell.rings.emit()
    (sentence,) = texts
    assert NOT_PERMITTED in sentence
    assert "incident" not in sentence
    assert (SECRET in sentence) is not blind
    assert not debug_log.exists()


# Qt's offscreen platform says so of every dialog; a real one doesn't.
@pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
def test_the_message_is_shown_over_the_window_and_can_be_closed(
    qapp: QApplication, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    MessageDialog("Something went wrong: incident 1A2B3C.", window).open()
    (dialog,) = window.findChildren(MessageDialog)
    assert dialog.isVisible()
    assert "1A2B3C" in dialog.label.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(MessageDialog))
