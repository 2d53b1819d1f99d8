"""Measure the active time of an annotator's task."""

from labeler.core.clock import Clock
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.attention_recorder import AttentionRecorder
from labeler.core.study.entities import AttentionPlace


class TaskTimer:
    """Adds up attention on one task after another; pauses and idle time don't count."""

    def __init__(self, clock: Clock, *, idle_after_ms: int) -> None:
        self._clock, self._idle_after_ms = clock, idle_after_ms
        self._earlier_ms = 0
        self._recorder: AttentionRecorder | None = None

    def begin(self, task_id: str, *, earlier_ms: int = 0) -> None:
        """Start on a task; `earlier_ms` was spent on it before."""
        self._earlier_ms = earlier_ms
        self._recorder = AttentionRecorder(self._clock, session=task_id)
        self._recorder.attend(AttentionPlace.IMAGE)

    @property
    def active_ms(self) -> int:
        if self._recorder is None:
            return self._earlier_ms
        spent = TimeSpent(self._recorder.snapshot())
        return self._earlier_ms + spent.active_ms(idle_after_ms=self._idle_after_ms)

    def attend(self, place: AttentionPlace) -> None:
        if self._recorder is not None:
            self._recorder.attend(place)

    def turn_away(self) -> None:
        if self._recorder is not None:
            self._recorder.leave()

    def input(self) -> None:
        if self._recorder is not None:
            self._recorder.input()

    def tick(self) -> None:
        if self._recorder is not None:
            self._recorder.tick()
