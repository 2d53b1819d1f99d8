"""The time of verdicts, lap by lap, from what happens on a review's screen."""

from labeler.core.clock import Clock
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.attention_recorder import AttentionRecorder
from labeler.core.review.blind_types import Lap
from labeler.core.study.entities import AttentionPlace

# So much time may be lost when the program is killed; verdicts are stored as they are given.
LAP_SAVE_INTERVAL_MS = 10_000


class VerdictTimer:
    """Cuts a sitting into laps, each from one verdict to the next; until it begins it is deaf."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._session = ""
        self._idle_after_ms = 0
        self._number = 0
        self._recorder: AttentionRecorder | None = None
        self._kept, self._kept_ms = Lap(0), 0

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
        """The lap so far; None when no one sits here, or no one was attentive in it."""
        recorded = () if self._recorder is None else self._recorder.snapshot()
        return Lap(self._number, recorded[0].intervals) if recorded else None

    def due(self) -> Lap | None:
        """The lap so far, when it has grown and hasn't been kept for a while."""
        now, running = self._clock.monotonic_ms(), self.running
        if running is None or running == self._kept:
            return None
        if now - self._kept_ms < LAP_SAVE_INTERVAL_MS:
            return None
        self._kept, self._kept_ms = running, now
        return running

    def end_lap(self) -> tuple[Lap, int]:
        """The lap and its active time; the next one starts now."""
        assert self._recorder is not None, "a sitting has begun before it is used"
        recorded = self._recorder.snapshot()
        lap = Lap(self._number, recorded[0].intervals if recorded else ())
        self._start_lap(self._recorder.place)
        return lap, TimeSpent(recorded).active_ms(idle_after_ms=self._idle_after_ms)

    def _start_lap(self, place: AttentionPlace | None) -> None:
        """A recorder for each lap: one for a whole day would be read from its start every time."""
        self._number += 1
        self._kept_ms = self._clock.monotonic_ms()
        self._recorder = AttentionRecorder(self._clock, session=self._session)
        if place is not None:
            self._recorder.attend(place)
