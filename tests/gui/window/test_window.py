"""The window around the screens: theme, keys, dialogs, what it remembers, what it never tells."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QToolButton,
    QWidget,
)

from labeler.app.keymap import Action, load_keymap, parse_key
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.phase_facts import EVALUATION_NOT_OPEN, PHASE_LOCKED
from labeler.app.study.phases import lock_phase
from labeler.app.study.preferences import TextSize, ThemeChoice
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.study.preferences_dialog import PreferencesDialog
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.navigation import LaunchRequest
from tests.gui.small_study import STUDY_NAME, TELL_TALES
from tests.gui.window_session import CONTROL, WindowSession

# The screenless platform says so whenever a dialog has a size of its own.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


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
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        yield widget.toPlainText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _rows_of(widget)


def _rows_of(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    for row in range(min(model.rowCount(), 60)):
        yield from (repr(model.index(row, 0).data(role)) for role in Qt.ItemDataRole)


def everything_told(session: WindowSession) -> str:
    texts = [text for widget in QApplication.allWidgets() for text in texts_of(widget)]
    texts += [action.text() for action in session.window.findChildren(QAction)]
    texts.append(QApplication.clipboard().text())
    return "\n".join(texts)


def test_the_window_is_named_after_the_study_and_large_enough(
    open_session: Callable[..., WindowSession],
) -> None:
    session = open_session()
    session.sign_in_screen()
    assert session.window.windowTitle() == f"{STUDY_NAME} — labeler"
    smallest = session.window.minimumSize()
    assert smallest.width() <= 1280
    assert smallest.height() <= 800 - 40, "a frame and a system's bar need room too"


def test_nothing_forbidden_is_reported_anywhere(at_work: WindowSession, own_folders: Path) -> None:
    for name in ("tiger", "silky terrier", "beaver"):
        at_work.press(Qt.Key.Key_Escape)
        at_work.type_in(name)
        panel = at_work.sights.panel
        at_work.wait(lambda panel=panel: bool(panel.grid.tiles) or panel.message.isVisible())
        _tell_nothing(at_work)
    at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.press(Qt.Key.Key_K, CONTROL)
    at_work.press(Qt.Key.Key_F1)
    _tell_nothing(at_work)
    at_work.answer("beaver")
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    _tell_nothing(at_work)
    kept = "".join(at_work.study.read("SELECT group_concat(contents, '') FROM draft")[0][0] or "")
    written = b"".join(f.read_bytes() for f in own_folders.rglob("*") if f.is_file()).decode()
    assert not [secret for secret in TELL_TALES if secret in kept + written]


def _tell_nothing(session: WindowSession) -> None:
    texts = everything_told(session)
    assert not [secret for secret in TELL_TALES if secret in texts]


def test_every_control_has_a_name_for_a_screen_reader(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    controls = [
        *at_work.window.findChildren(QAbstractButton),
        *at_work.window.findChildren(QLineEdit),
        *at_work.window.findChildren(QAbstractItemView),
    ]
    nameless = [c for c in controls if c.isVisible() and not _is_of_qt(c) and not _name(c)]
    assert nameless == []
    assert at_work.sights.panel.grid.accessibleName() == "Reference images of beaver"


def _is_of_qt(control: QWidget) -> bool:
    """A dock's own buttons, which Qt names by itself."""
    return control.objectName().startswith("qt_") or isinstance(control.parent(), QDockWidget)


def _name(control: QWidget) -> str:
    text = control.text() if isinstance(control, QAbstractButton) else ""
    return control.accessibleName() or text


def test_the_theme_is_switched_by_mouse_and_by_key_and_remembered(
    at_home: WindowSession, open_session: Callable[..., WindowSession], qapp: QApplication
) -> None:
    at_home.press(Qt.Key.Key_T, CONTROL)
    assert at_home.opened.appearance.choice is ThemeChoice.LIGHT
    assert qapp.palette().window().color().lightness() > 200
    buttons = at_home.window.findChildren(QToolButton)
    at_home.click(next(b for b in buttons if b.accessibleName() == "Dark theme"))
    assert at_home.opened.appearance.choice is ThemeChoice.DARK
    assert qapp.palette().window().color().lightness() < 60
    assert open_session().opened.appearance.choice is ThemeChoice.DARK


def test_the_size_of_the_tiles_is_remembered(looking_up: WindowSession) -> None:
    usual = looking_up.sights.panel.grid.tile_size
    looking_up.press(Qt.Key.Key_Minus, CONTROL)
    smaller = looking_up.sights.panel.grid.tile_size
    assert smaller < usual
    looking_up.press(Qt.Key.Key_W, CONTROL)
    looking_up.begin()
    assert looking_up.sights.panel.grid.tile_size == smaller


def test_qt_reads_every_key_as_the_keymap_means_it() -> None:
    for binding in load_keymap().bindings:
        for key in binding.keys:
            read = QKeySequence(str(key))
            assert read.count() == 1
            assert parse_key(read.toString(QKeySequence.SequenceFormat.PortableText)) == key


def test_closing_by_key_ends_the_window(at_home: WindowSession) -> None:
    at_home.press(Qt.Key.Key_Q, CONTROL)
    assert not at_home.window.isVisible()


def test_settings_hold_at_once(at_work: WindowSession, qapp: QApplication) -> None:
    assert not _clock_in_sight(at_work), "a clock in sight makes people hurry"
    before = at_work.field.fontMetrics().height()
    at_work.press(Qt.Key.Key_Comma, CONTROL)
    dialog = at_work.dialog(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    at_work.click(dialog.themes[ThemeChoice.DARK])
    assert qapp.palette().window().color().lightness() < 60
    at_work.click(dialog.sizes[TextSize.LARGEST])
    assert at_work.field.fontMetrics().height() > before
    dialog.tabs.setCurrentIndex(1)
    at_work.click(dialog.clock)
    assert _clock_in_sight(at_work)
    dialog.close()
    at_work.come_back()
    at_work.press(Qt.Key.Key_H, CONTROL)
    assert not _clock_in_sight(at_work)


def _clock_in_sight(session: WindowSession) -> bool:
    return any("on this image" in text for text in session.texts())


def test_a_changed_key_works_at_once_and_so_does_its_cap(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_Comma, CONTROL)
    dialog = at_work.dialog(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    dialog.tabs.setCurrentWidget(dialog.keys)
    dialog.keys.ask_for_key(Action.SUBMIT)
    at_work.qtbot.keyClick(dialog.keys.catcher, Qt.Key.Key_F11)
    dialog.close()
    at_work.come_back()
    submit = at_work.screen.answer.submit
    assert [caps.accessibleName() for caps in submit.findChildren(KeyCaps)] == ["F11"]
    assert isinstance(submit, KeyButton)
    assert "F11" in submit.toolTip()
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_Return, CONTROL)  # no longer its key
    at_work.wait_until_written()
    assert at_work.position == 1
    at_work.press(Qt.Key.Key_F11)
    at_work.wait_for_trial(2)


def test_settings_can_change_after_an_evaluation_was_left(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    at_work.press(Qt.Key.Key_T, CONTROL)
    assert at_work.opened.appearance.choice is ThemeChoice.LIGHT


def test_an_evaluation_that_cannot_begin_is_reported_at_home(at_home: WindowSession) -> None:
    with open_study(at_home.study.folder, clock=at_home.clock) as store:
        lock_phase(store, Phase.EVALUATE, unfinished=True)
    button = at_home.home().cards[HomeCardKind.EVALUATE].button
    assert button is not None
    at_home.click(button)
    at_home.wait(lambda: bool(at_home.home().error_banner.sentence))
    assert at_home.home().error_banner.sentence == f"{EVALUATION_NOT_OPEN} {PHASE_LOCKED}"
    at_home.press(Qt.Key.Key_T, CONTROL)  # nothing of the evaluation is left that would answer
    assert at_home.opened.appearance.choice is ThemeChoice.LIGHT


def test_a_screen_that_was_left_takes_the_keyboard_from_no_one(at_home: WindowSession) -> None:
    resting = QApplication.focusWidget()
    leaving = QWidget()
    late = QLineEdit(leaving)
    home = at_home.home()
    at_home.window.show_screen(leaving, keep=home)
    at_home.window.show_screen(home)
    late.setFocus()  # as what arrives for a screen just after it was left would do
    assert QApplication.focusWidget() is resting is not None


def test_the_windows_icon_brings_its_own_ground(open_session: Callable[..., WindowSession]) -> None:
    icon = open_session().window.windowIcon().pixmap(32, 32).toImage()
    edges = ((16, 0), (16, 31), (0, 16), (31, 16))
    assert all(icon.pixelColor(x, y).alpha() == 255 for x, y in edges)


def test_a_study_that_cannot_be_opened_is_reported_on_the_first_page(
    open_session: Callable[..., WindowSession], tmp_path: Path
) -> None:
    session = open_session(LaunchRequest(study=tmp_path / "nowhere"))
    assert isinstance(session.wait_for(StartScreen), StartScreen)
    assert any("There is no study at" in text for text in session.texts())


def test_nothing_slow_is_imported_when_the_window_opens(tmp_path: Path) -> None:
    slow = ["torch", "timm", "pandas", "matplotlib", "nltk", "scipy", "alembic"]
    code = (
        f"import sys, labeler.ui.window.application; print([m for m in {slow} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]"
