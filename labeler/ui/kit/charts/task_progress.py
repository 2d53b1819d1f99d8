"""Where the labeler is in the task: a thin bar, the numbers, and a clock for who wants one."""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.labeling.workbench_view import ClockView, WorkbenchView
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip

_SECONDS_IN_MINUTE, _SECONDS_IN_HOUR = 60, 3600


class CountedProgress(Protocol):
    """What there is to tell of any task."""

    @property
    def done(self) -> int: ...
    @property
    def left(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def pace_ms(self) -> int | None: ...


class TaskProgressBar(QWidget):
    """Renders position, what is done and left, this session's pace, and the clock."""

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._position = label(rank="number")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName("Done so far")
        self._numbers = label(rank="caption")
        self._clock = label(rank="caption")
        self._clock.setToolTip(action_tooltip(keymap[Action.TOGGLE_CLOCK]))
        self._clock.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._shows_pace = True
        self.show_clock(None)
        self._lay_out()

    @property
    def numbers(self) -> str:
        return self._numbers.text()

    @property
    def position(self) -> str:
        return self._position.text()

    def set_pace_shown(self, shown: bool) -> None:
        self._shows_pace = shown

    def render_progress(self, view: WorkbenchView[object]) -> None:
        trial = view.trial
        position = f"Image {trial.position:,} of {trial.total:,}" if trial else ""
        self.show_progress(position, view.progress, each="an image")

    def show_progress(self, position: str, progress: CountedProgress | None, *, each: str) -> None:
        """Show how far a task is, if that is known; `each` is what the pace is reported for."""
        self._position.setText(position)
        if progress is None:
            self._numbers.clear()
            return
        self._fill(done=progress.done, total=max(progress.total, 1))
        parts = [f"{progress.done:,} done", f"{progress.left:,} left"]
        if self._shows_pace and progress.pace_ms is not None:
            parts.append(f"{_seconds(progress.pace_ms)} {each}")
        self._numbers.setText(" · ".join(parts))

    def show_clock(self, clock: ClockView | None) -> None:
        """Show the active time, or hide it by None."""
        self._clock.setVisible(clock is not None)
        if clock is not None:
            trial, session = _clock_text(clock.trial_ms), _clock_text(clock.session_ms)
            self._clock.setText(f"{trial} on this image · {session} in this session")

    def _fill(self, *, done: int, total: int) -> None:
        # Qt's bar paints at once, and with it all of the window that waits for its turn.
        self._bar.setUpdatesEnabled(False)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.setUpdatesEnabled(True)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._position)
        row.addWidget(self._bar, stretch=1)
        row.addWidget(self._numbers)
        row.addWidget(self._clock)


def _seconds(milliseconds: int) -> str:
    return f"{max(1, round(milliseconds / 1000)):,} s"


def _clock_text(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    hours, rest = divmod(seconds, _SECONDS_IN_HOUR)
    minutes, seconds = divmod(rest, _SECONDS_IN_MINUTE)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
