"""The window around the screen: theme, keys, About, what it remembers, and what it never tells."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from labeler.app.keymap import Action, load_keymap
from labeler.app.presenters.about import about
from labeler.ui.application import OpenWindow
from labeler.ui.dialogs.about import AboutDialog
from labeler.ui.dialogs.key_sheet import KeySheet
from labeler.ui.theme import ThemeChoice
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.result_model import ROW

TELL_TALES = ("tattledataset", "blabbing_file", "snitch_key", "thumbnail-folder")

# The screenless platform says so whenever a dialog has a size of its own.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
CONTROL = Qt.KeyboardModifier.ControlModifier


def dialog(opened: OpenWindow, kind: type[QDialog]) -> QDialog:
    return next(d for d in opened.window.findChildren(kind) if d.isVisible())


def texts_of(widget: QWidget) -> Iterator[str]:
    """Everything that a widget could tell to the eye, the pointer or a screen reader."""
    yield widget.windowTitle()
    yield widget.toolTip()
    yield widget.statusTip()
    yield widget.whatsThis()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    yield widget.objectName()
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        yield widget.text()
    if isinstance(widget, QPlainTextEdit):
        yield widget.toPlainText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))


def everything_told(opened: OpenWindow) -> str:
    told = [t for w in QApplication.allWidgets() for t in texts_of(w)]
    told += [action.text() for action in opened.window.findChildren(QAction)]
    model = opened.window.screen_shown.finder.model
    roles = (*Qt.ItemDataRole, ROW)
    rows = range(model.rowCount())
    told += [repr(model.index(row, 0).data(role)) for row in rows for role in roles]
    return "\n".join(told)


def test_the_window_is_named_after_the_study_and_large_enough(study: OpenWindow) -> None:
    assert study.window.windowTitle() == "A study of rodents — labeler"
    smallest = study.window.minimumSize()
    assert smallest.width() <= 1280
    assert smallest.height() <= 800 - 40, "a frame and a system's bar need room too"


def test_phases_and_counts_are_told_in_words(study: OpenWindow) -> None:
    texts = [label.text() for label in study.window.findChildren(QLabel)]
    for expected in ("Annotate", "Train", "Evaluate", "Review", "1,143", "reference images"):
        assert expected in texts
    for word, times in (("locked", 1), ("open", 2), ("not open yet", 1)):
        assert texts.count(word) == times


def test_nothing_forbidden_is_told_anywhere(study: OpenWindow, qtbot: QtBot) -> None:
    screen = study.window.screen_shown
    qtbot.keyClick(study.window, Qt.Key.Key_F1)
    dialog(study, KeySheet).close()
    study.window.show_about()
    for typed in ("tiger", "silky terrier", "beaver"):
        qtbot.keyClick(screen.finder.field, Qt.Key.Key_Escape)
        qtbot.keyClicks(screen.finder.field, typed)
        qtbot.waitUntil(lambda: bool(screen.panel.grid.tiles) or screen.panel.message.isVisible())
        told = everything_told(study)
        assert not [secret for secret in TELL_TALES if secret in told]


def test_every_control_has_a_name_for_a_screen_reader(study: OpenWindow) -> None:
    controls = study.window.findChildren(QAbstractButton) + study.window.findChildren(QLineEdit)
    nameless = [c for c in controls if not c.isHidden() and not c.accessibleName() and not _text(c)]
    assert nameless == []
    assert study.window.screen_shown.panel.grid.accessibleName().startswith("Reference images of ")


def _text(control: QWidget) -> str:
    return control.text() if isinstance(control, QAbstractButton) else ""


def test_the_theme_is_switched_by_mouse_and_by_key_and_remembered(
    study: OpenWindow, open_study: Callable[..., OpenWindow], qapp: QApplication, qtbot: QtBot
) -> None:
    qtbot.keyClick(study.window, Qt.Key.Key_T, CONTROL)
    assert study.look.choice is ThemeChoice.LIGHT
    assert qapp.palette().window().color().lightness() > 200
    buttons = study.window.findChildren(QToolButton)
    dark = next(b for b in buttons if b.accessibleName() == "Dark theme")
    qtbot.mouseClick(dark, Qt.MouseButton.LeftButton)
    assert study.look.choice is ThemeChoice.DARK
    assert qapp.palette().window().color().lightness() < 60
    assert open_study().look.choice is ThemeChoice.DARK


def test_the_size_of_the_tiles_is_remembered(
    study: OpenWindow, open_study: Callable[..., OpenWindow], qtbot: QtBot
) -> None:
    qtbot.keyClick(study.window.screen_shown.finder.field, Qt.Key.Key_Minus, CONTROL)
    size = study.window.screen_shown.panel.grid.tile_size
    assert open_study().window.screen_shown.panel.grid.tile_size == size


@pytest.mark.parametrize("key", [Qt.Key.Key_F1, Qt.Key.Key_Question])
def test_the_cheat_sheet_opens_from_the_search_field_without_typing(
    study: OpenWindow, qtbot: QtBot, key: Qt.Key
) -> None:
    field = study.window.screen_shown.finder.field
    qtbot.keyClick(field, key)
    assert dialog(study, KeySheet).isVisible()
    assert field.text() == ""


def test_the_cheat_sheet_lists_every_action_with_its_keys(study: OpenWindow) -> None:
    study.window.show_keys()
    sheet = dialog(study, KeySheet)
    titles = [label.text() for label in sheet.findChildren(QLabel)]
    caps = [widget.accessibleName() for widget in sheet.findChildren(KeyCaps)]
    keymap = load_keymap()
    for action in Action:
        assert titles.count(keymap[action].title) == 1
    assert len(caps) == len(Action)
    assert "F1 or ?" in caps


def test_qt_reads_every_key_as_the_keymap_means_it() -> None:
    for binding in load_keymap().bindings:
        for key in binding.keys:
            read = QKeySequence(str(key))
            assert read.count() == 1
            assert read.toString(QKeySequence.SequenceFormat.PortableText) == str(key)


def test_about_shows_versions_and_every_licence(study: OpenWindow) -> None:
    study.window.show_about()
    shown = dialog(study, AboutDialog)
    assert isinstance(shown, AboutDialog)
    told = " ".join(label.text() for label in shown.findChildren(QLabel))
    assert "Python 3." in told
    assert "Qt 6." in told
    for number, licence in enumerate(about().licences):
        shown.choice.setCurrentIndex(number)
        assert shown.text.toPlainText().strip() == licence.text.strip() != ""


def test_closing_by_key_ends_the_window(study: OpenWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(study.window, Qt.Key.Key_Q, CONTROL)
    assert not study.window.isVisible()


def test_nothing_slow_is_imported_when_the_window_opens(tmp_path: Path) -> None:
    slow = ["torch", "timm", "pandas", "matplotlib", "nltk", "scipy", "sqlalchemy", "alembic"]
    code = f"import sys, labeler.ui.application; print([m for m in {slow} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]"
