"""The main window: one screen at a time, the hint bar, and the keys that work everywhere."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from labeler.app.about import about_view
from labeler.app.key_sheet import key_sheet
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.study.preferences import ThemeChoice
from labeler.ui.kit.text.labels import divider_line
from labeler.ui.window.about_dialog import AboutDialog
from labeler.ui.window.actions import (
    Handlers,
    bind_scope,
    bound_actions,
    trigger_action,
    update_shortcuts,
)
from labeler.ui.window.hint_bar import HintBar, HintSet
from labeler.ui.window.icons import window_icon
from labeler.ui.window.key_sheet_dialog import KeySheetDialog
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance

# A screen of 1280×800 without the window frame and the system's panel.
MIN_WINDOW_SIZE = QSize(1264, 736)
_SCREEN_SHARE = 0.9
_TITLE = "labeler"


class MainWindow(QMainWindow):
    """Shows one screen at a time and saves the window's geometry."""

    home_wanted = Signal()
    settings_wanted = Signal()
    theme_wanted = Signal(ThemeChoice)
    closing = Signal()

    def __init__(self, *, appearance: Appearance, keymap: Keymap, memory: SavedWindowState) -> None:
        super().__init__()
        self._appearance = appearance
        self.keymap = keymap
        self._memory = memory
        self._asks_before_closing: Callable[[Callable[[], None]], bool] = _close_without_asking
        self._screens = QStackedWidget()
        self.hint_bar = HintBar(appearance, keymap)
        self.set_study("")
        self.setMinimumSize(MIN_WINDOW_SIZE)
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.WINDOW, self._window_actions())
        self._recall()

    @property
    def screen_shown(self) -> QWidget | None:
        return self._screens.currentWidget()

    def set_study(self, name: str) -> None:
        """Show the study's name in the title, and nothing else about the study."""
        self.setWindowTitle(f"{name} — {_TITLE}" if name else _TITLE)

    def show_screen(
        self, screen: QWidget, *, keep: QWidget | None = None, hints: HintSet = HintSet.NONE
    ) -> None:
        """Replace the current screen, which is deleted unless it is `keep`."""
        self.hint_bar.show_hints(hints)
        before = self._screens.currentWidget()
        if self._screens.indexOf(screen) < 0:
            self._screens.addWidget(screen)
        self._screens.setCurrentWidget(screen)
        if before is not None and before is not screen and before is not keep:
            self.discard(before)

    def discard(self, screen: QWidget) -> None:
        """Delete a screen that was kept."""
        # A late answer must not move the keyboard focus to a screen that is going away.
        screen.setEnabled(False)
        self._screens.removeWidget(screen)
        screen.deleteLater()

    def set_keymap(self, keymap: Keymap) -> None:
        """Use and show other keys from now on."""
        self.keymap = keymap
        update_shortcuts(self, keymap)

    def ask_before_closing(self, asks: Callable[[Callable[[], None]], bool]) -> None:
        """Set a function that may ask before the window closes; it returns whether it asks.

        It gets the function that closes the window without asking again.
        """
        self._asks_before_closing = asks

    @Slot()
    def show_keys(self) -> None:
        bound, closed = bound_actions(self._screens.currentWidget() or self._screens)
        everywhere = {binding.action for binding in self.keymap.of(Scope.WINDOW)}
        view = key_sheet(self.keymap, bound=bound | everywhere, closed=closed)
        KeySheetDialog(self._appearance, view, self).open()

    @Slot()
    def show_settings(self) -> None:
        self.settings_wanted.emit()

    @Slot()
    def show_about(self) -> None:
        AboutDialog(self._appearance, about_view(), self).open()

    def close_now(self) -> None:
        """Close the window without asking."""
        self._asks_before_closing = _close_without_asking
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        # A question would block the shutdown of the system.
        if not _ends_with_session() and self._asks_before_closing(self.close_now):
            event.ignore()
            return
        self._memory.geometry = self.saveGeometry()
        self.closing.emit()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._screens, stretch=1)
        layout.addWidget(divider_line())
        layout.addWidget(self.hint_bar)
        self.setCentralWidget(centre)

    def _connect(self) -> None:
        self.hint_bar.wanted.connect(lambda wanted: trigger_action(self, wanted))
        self.hint_bar.keys_wanted.connect(self.show_keys)
        self.hint_bar.about_wanted.connect(self.show_about)
        self.hint_bar.theme_chosen.connect(self.theme_wanted)
        running = QApplication.instance()
        if isinstance(running, QApplication):
            running.focusChanged.connect(self._follow_keyboard)

    def _follow_keyboard(self, _before: QWidget | None, focused: QWidget | None) -> None:
        # A menu or another window has the keyboard only briefly.
        if focused is not None and self.isAncestorOf(focused) and focused.window() is self:
            self.hint_bar.follow(focused)

    def _window_actions(self) -> Handlers:
        return {
            Action.SHOW_KEYS: self.show_keys,
            Action.GO_HOME: self.home_wanted.emit,
            Action.SHOW_SETTINGS: self.show_settings,
            Action.NEXT_THEME: lambda: self.theme_wanted.emit(self._appearance.choice.following),
            Action.SHOW_ABOUT: self.show_about,
            Action.QUIT: self.close,
        }

    def _recall(self) -> None:
        self.setWindowIcon(self._icon())
        if self._memory.geometry is not None:
            self.restoreGeometry(self._memory.geometry)
        else:
            self.resize(MIN_WINDOW_SIZE.expandedTo(self.screen().availableSize() * _SCREEN_SHARE))

    def _icon(self) -> QIcon:
        theme = self._appearance.theme
        return window_icon("labeler", colour=theme.on_accent, ground=theme.accent)


def _ends_with_session() -> bool:
    running = QGuiApplication.instance()
    return isinstance(running, QGuiApplication) and running.isSavingSession()


def _close_without_asking(_close: Callable[[], None]) -> bool:
    """Let the window close."""
    return False
