"""What the screens of annotators' tasks share: banner, time, hints, and the end."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from labeler.app.crowd.task_presenter import TaskPresenter
from labeler.app.keymap import Action, Key, Keymap
from labeler.core.study.entities import AttentionPlace
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.attention_watcher import AttentionWatcher
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import hbox
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.theme import Appearance

SAVED, SAVING = "saved", "saving…"
_TICK_MS = 1000
_BAR_WIDTH = 72


class TaskScreen(QWidget):
    """A screen over a presenter; it measures attention while it is shown."""

    home_wanted = Signal()
    finished = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, presenter: TaskPresenter[Any, Any]
    ) -> None:
        super().__init__()
        self.appearance, self.keymap = appearance, keymap
        self._tasks = presenter
        self.banner = ErrorBanner(appearance, BannerKind.INFO)
        self.progress = ProgressBar("Progress")
        self.progress.setFixedWidth(_BAR_WIDTH)
        self.place = label(rank="muted")
        self.home = self.plain_button("Home", Action.GO_HOME, self.home_wanted.emit)
        self._watcher = AttentionWatcher(
            self,
            places=lambda: {self: AttentionPlace.IMAGE},
            attend=presenter.timer.attend,
            turn_away=presenter.timer.turn_away,
            input_made=presenter.timer.input,
        )
        self._ticker = QTimer(self)
        self._ticker.setInterval(_TICK_MS)
        self._ticker.timeout.connect(presenter.timer.tick)
        presenter.listen(self.show_state)

    def start(self) -> None:
        """Show the first task."""
        self._watcher.start()
        self._watcher.watch_inputs()
        self._ticker.start()
        self._tasks.start()

    def stop(self) -> None:
        self._watcher.stop()
        self._ticker.stop()

    def show_state(self) -> None:
        """Render the presenter's state; at the end, say so."""
        if self._tasks.is_finished:
            self.stop()
            self.finished.emit()
            return
        kind = BannerKind.INFO if self._tasks.saved else BannerKind.ERROR
        self.banner.say(self._tasks.message, kind)
        self._show_progress()
        self.render_state()

    def render_state(self) -> None:
        """Show the question and the answer so far."""

    def item_word(self) -> str:
        """Return what is counted, for example "Grid"."""
        return ""

    def place_text(self, place: str) -> str:
        """Return where the annotator is."""
        return place

    def _show_progress(self) -> None:
        progress = self._tasks.progress
        if progress is None:
            return
        total = progress.done + progress.left
        self.progress.show_part(progress.done, total)
        number = progress.done if self._tasks.revises else progress.done + 1
        state = SAVED if self._tasks.saved and not self._tasks.busy else SAVING
        place = f"{self.item_word()} {number:,} of {total:,}"
        self.place.setText(self.place_text(place) + f" · {state}")

    def plain_button(self, words: str, action: Action, do: Callable[[], object]) -> CommandButton:
        """Return a button whose key is in its tooltip, because the bars have little room."""
        made = CommandButton(self.appearance, words)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setToolTip(action_tooltip(self.keymap[action]))
        made.clicked.connect(do)
        return made

    def hint(self, words: str, actions: Sequence[Action], keys: Sequence[Key] = ()) -> QWidget:
        """Return key caps with a word."""
        shown = [*keys, *(self.keymap[action].keys[0] for action in actions)]
        caps = KeyCaps(self.appearance, shown, actions=() if keys else actions)
        holder = QWidget()
        hbox(caps, label(words, rank="caption"), on=holder, spacing=4)
        return holder


def bar(height: int) -> QFrame:
    """Return a bar at the top or bottom of a screen."""
    made = QFrame()
    made.setObjectName("task_bar")
    made.setMinimumHeight(height)
    return made
