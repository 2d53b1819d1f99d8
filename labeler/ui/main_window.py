"""The main window: a screen, the bar at its foot, and the keys that work everywhere."""

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QCloseEvent, QIcon
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.actions import Handlers, bind
from labeler.ui.dialogs.about import AboutDialog
from labeler.ui.dialogs.key_sheet import KeySheet
from labeler.ui.icons import icon
from labeler.ui.look import Look
from labeler.ui.screens.study import StudyScreen
from labeler.ui.theme import ThemeChoice
from labeler.ui.widgets.hint_bar import HintBar
from labeler.ui.widgets.labels import divider
from labeler.ui.window_memory import WindowMemory

# A screen of 1280×800, less a window's frame and a system's bar.
SMALLEST = QSize(1264, 736)
_PART_OF_SCREEN = 0.9


class MainWindow(QMainWindow):
    """Holds the study's screen and remembers how it was left."""

    def __init__(
        self,
        *,
        look: Look,
        keymap: Keymap,
        memory: WindowMemory,
        study_name: str,
        screen: StudyScreen,
    ) -> None:
        super().__init__()
        self._look = look
        self._keymap = keymap
        self._memory = memory
        self.screen_shown = screen
        self.hint_bar = HintBar(look, keymap)
        self.setWindowTitle(f"{study_name} — labeler")
        self.setMinimumSize(SMALLEST)
        self._lay_out()
        self._connect()
        bind(self, keymap, Scope.WINDOW, self._window_actions())
        self._recall()

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Take a person's choice, and remember it."""
        self._look.choose(choice)
        self._memory.theme = choice

    @Slot()
    def show_keys(self) -> None:
        KeySheet(self._look, self._keymap, self).open()

    @Slot()
    def show_about(self) -> None:
        # What reads packages' versions is slow to import, and seldom wanted.
        from labeler.app.presenters.about import about

        AboutDialog(self._look, about(), self).open()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._memory.geometry = self.saveGeometry()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        centre = QWidget()
        whole = QVBoxLayout(centre)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.screen_shown, stretch=1)
        whole.addWidget(divider())
        whole.addWidget(self.hint_bar)
        self.setCentralWidget(centre)

    def _connect(self) -> None:
        self.hint_bar.keys_wanted.connect(self.show_keys)
        self.hint_bar.about_wanted.connect(self.show_about)
        self.hint_bar.theme_chosen.connect(self.choose_theme)
        self.screen_shown.panel.grid.tile_size_changed.connect(self._remember_tile_size)

    def _window_actions(self) -> Handlers:
        return {
            Action.SHOW_KEYS: self.show_keys,
            Action.FIND_CLASS: self.screen_shown.finder.field.setFocus,
            Action.NEXT_THEME: lambda: self.choose_theme(self._look.choice.following),
            Action.SHOW_ABOUT: self.show_about,
            Action.QUIT: self.close,
        }

    def _recall(self) -> None:
        self.setWindowIcon(self._icon())
        if self._memory.geometry is not None:
            self.restoreGeometry(self._memory.geometry)
        else:
            self.resize(SMALLEST.expandedTo(self.screen().availableSize() * _PART_OF_SCREEN))
        if self._memory.tile_size is not None:
            self.screen_shown.panel.grid.set_tile_size(self._memory.tile_size)

    def _remember_tile_size(self, size: int) -> None:
        self._memory.tile_size = size

    def _icon(self) -> QIcon:
        theme = self._look.theme
        return icon("labeler", colour=theme.accent, behind=theme.surface, size=64)
