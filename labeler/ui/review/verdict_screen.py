"""The common parts of both review screens: widgets and time measurement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap
from labeler.core.labeling.attention_recorder import HEARTBEAT_MS
from labeler.core.study.entities import AttentionPlace
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.charts.task_progress import TaskProgressBar
from labeler.ui.kit.input.attention_watcher import AttentionWatcher
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.review.verdict_bar import VerdictBar
from labeler.ui.window.idle_queue import IdleQueue
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance

FORM_OPEN = "Nothing was judged. Finish or cancel the form on the right first."


class AttentionListener(Protocol):
    """Measures the time of verdicts from events on a screen."""

    def attend(self, place: AttentionPlace) -> None: ...
    def turn_away(self) -> None: ...
    def input(self) -> None: ...
    def tick(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictScreenContext:
    """What every screen of a review is given."""

    appearance: Appearance
    keymap: Keymap
    memory: SavedWindowState
    time: AttentionListener
    tools: ClassTools


class VerdictScreen(QWidget):
    """The image, the progress strip and the verdict bar, with time measurement."""

    finished = Signal()
    filled = Signal()
    mode_switch_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, kit: VerdictScreenContext, further: Sequence[tuple[Action, str]]) -> None:
        """`further` are the screen's additional actions, below the verdicts."""
        super().__init__()
        self._tools = kit.tools
        self.image = ImageView(kit.appearance, kit.keymap, takes_keys=False)
        self.strip = TaskProgressBar(kit.keymap)
        self.bar = VerdictBar(kit.appearance, kit.keymap, further)
        self._watcher = AttentionWatcher(
            self,
            places=lambda: {self._judged: AttentionPlace.IMAGE, **kit.tools.places()},
            attend=kit.time.attend,
            turn_away=kit.time.turn_away,
            input_made=kit.time.input,
        )
        self._heart = QTimer(self, interval=HEARTBEAT_MS)
        self._heart.timeout.connect(kit.time.tick)

    @cached_property
    def _filling(self) -> IdleQueue:
        filling = IdleQueue(*self._deferred_parts(), parent=self)
        filling.finished.connect(self.filled)
        return filling

    def _deferred_parts(self) -> tuple[Callable[[], object], ...]:
        """Return the parts that are created after what is judged is shown, one at a time."""
        return ()

    @property
    def _judged(self) -> QWidget:
        """The part of the screen that shows what is judged."""
        return self.image

    def stop(self) -> None:
        """Stop measuring: the screen is closing."""
        self._watcher.stop()
        self._heart.stop()
        self._filling.stop()

    def _start_measuring(self) -> None:
        self._watcher.start()
        self._watcher.watch_inputs()
        self._heart.start()
