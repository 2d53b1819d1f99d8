"""The progress of a task: a thin bar, the numbers, and an optional clock."""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.labeling.workbench_view import ClockView, WorkbenchView
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip

_SECONDS_IN_MINUTE, _SECONDS_IN_HOUR = 60, 3600


class CountedProgress(Protocol):
    """The progress of any task."""

    @property
    def done(self) -> int: ...
    @property
    def left(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def pace_ms(self) -> int | None: ...


class TaskProgressBar(QWidget):
    """Shows the position, the numbers done and left, this session's pace, and the clock."""

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._position = label(rank="number")
        self._bar = ProgressBar("Done so far")
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
        """Show the progress, if it is known; the pace is per `each`."""
        self._position.setText(position)
        if progress is None:
            self._numbers.clear()
            return
        self._bar.show_part(progress.done, progress.total)
        parts = [f"{progress.done:,} done", f"{progress.left:,} left"]
        if self._shows_pace and progress.pace_ms is not None:
            parts.append(f"{_seconds(progress.pace_ms)} {each}")
        self._numbers.setText(" · ".join(parts))

    def show_clock(self, clock: ClockView | None) -> None:
        """Show the active time, or hide it if None."""
        self._clock.setVisible(clock is not None)
        if clock is not None:
            trial, session = _clock_text(clock.trial_ms), _clock_text(clock.session_ms)
            self._clock.setText(f"{trial} on this image · {session} in this session")

    def _lay_out(self) -> None:
        hbox(self._position, grow(self._bar), self._numbers, self._clock, on=self, spacing=12)


def _seconds(milliseconds: int) -> str:
    return f"{max(1, round(milliseconds / 1000)):,} s"


def _clock_text(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    hours, rest = divmod(seconds, _SECONDS_IN_HOUR)
    minutes, seconds = divmod(rest, _SECONDS_IN_MINUTE)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
