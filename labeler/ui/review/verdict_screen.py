"""What the two ways of judging labels have in common: their parts, and the measuring of time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap
from labeler.core.labeling.attention_recorder import HEARTBEAT_MS
from labeler.core.study.entities import Attention
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.charts.task_progress import ProgressStrip
from labeler.ui.kit.input.attention_watcher import AttentionWatcher
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.review.review_time import TimeKeeper
from labeler.ui.review.verdict_bar import VerdictBar
from labeler.ui.window.idle_queue import OneAfterAnother
from labeler.ui.window.look import Look
from labeler.ui.window.saved_state import WindowMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingKit:
    """What every screen of a review is given."""

    look: Look
    keymap: Keymap
    memory: WindowMemory
    time: TimeKeeper
    tools: ClassTools


class JudgingScreen(QWidget):
    """The image, the strip of progress and the bar of verdicts, while somebody is timed."""

    finished = Signal()
    filled = Signal()
    other_way_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, kit: JudgingKit, further: Sequence[tuple[Action, str]]) -> None:
        """`further` are the screen's own actions, below the verdicts."""
        super().__init__()
        self._tools = kit.tools
        self.image = ImageView(kit.look, kit.keymap, takes_keys=False)
        self.strip = ProgressStrip(kit.keymap)
        self.bar = VerdictBar(kit.look, kit.keymap, further)
        self._watcher = AttentionWatcher(
            self,
            places=lambda: {self._judged: Attention.IMAGE, **kit.tools.places()},
            attend=kit.time.attend,
            turn_away=kit.time.turn_away,
            input_made=kit.time.input,
        )
        self._heart = QTimer(self, interval=HEARTBEAT_MS)
        self._heart.timeout.connect(kit.time.tick)

    @cached_property
    def _filling(self) -> OneAfterAnother:
        filling = OneAfterAnother(*self._later_parts(), parent=self)
        filling.finished.connect(self.filled)
        return filling

    def _later_parts(self) -> tuple[Callable[[], object], ...]:
        """What is made once that is there which is judged, a piece at a time."""
        return ()

    @property
    def _judged(self) -> QWidget:
        """The part of the screen that shows what is judged."""
        return self.image

    def stop(self) -> None:
        """Measure no more: the screen is about to go."""
        self._watcher.stop()
        self._heart.stop()
        self._filling.stop()

    def _start_measuring(self) -> None:
        self._watcher.start()
        self._watcher.hear()
        self._heart.start()
