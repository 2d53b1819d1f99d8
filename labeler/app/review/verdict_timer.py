"""Measure the time of verdicts in laps."""

from labeler.core.clock import Clock
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.attention_recorder import AttentionRecorder
from labeler.core.review.blind_types import Lap
from labeler.core.study.entities import AttentionPlace

# The most time that can be lost in a crash; verdicts are stored when they are given.
LAP_SAVE_INTERVAL_MS = 10_000


class VerdictTimer:
    """Splits a session into laps, one per verdict; ignores input until it is started."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._session = ""
        self._idle_after_ms = 0
        self._number = 0
        self._recorder: AttentionRecorder | None = None
        self._saved, self._saved_ms = Lap(0), 0

    def begin(self, session: str, *, idle_after_ms: int) -> None:
        self._session, self._idle_after_ms = session, idle_after_ms
        self._start_lap(AttentionPlace.IMAGE)

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

    def pause(self) -> None:
        if self._recorder is not None:
            self._recorder.pause()

    def resume(self) -> None:
        if self._recorder is not None:
            self._recorder.resume()

    @property
    def running(self) -> Lap | None:
        """The current lap, or None without attention so far."""
        recorded = () if self._recorder is None else self._recorder.snapshot()
        return Lap(self._number, recorded[0].intervals) if recorded else None

    def due(self) -> Lap | None:
        """Return the current lap if it has grown and wasn't saved for a while."""
        now, running = self._clock.monotonic_ms(), self.running
        if running is None or running == self._saved:
            return None
        if now - self._saved_ms < LAP_SAVE_INTERVAL_MS:
            return None
        self._saved, self._saved_ms = running, now
        return running

    def end_lap(self) -> tuple[Lap, int]:
        """Return the lap and its active time, and start the next one."""
        assert self._recorder is not None, "the session must be started first"
        recorded = self._recorder.snapshot()
        lap = Lap(self._number, recorded[0].intervals if recorded else ())
        self._start_lap(self._recorder.place)
        return lap, TimeSpent(recorded).active_ms(idle_after_ms=self._idle_after_ms)

    def _start_lap(self, place: AttentionPlace | None) -> None:
        """Start a recorder for the lap: reading one recorder for a whole day would be slow."""
        self._number += 1
        self._saved_ms = self._clock.monotonic_ms()
        self._recorder = AttentionRecorder(self._clock, session=self._session)
        if place is not None:
            self._recorder.attend(place)
