"""Records where a labeler's attention is, as raw intervals."""

from labeler.core.clock import Clock
from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.study.entities import AttentionPlace

HEARTBEAT_MS = 1_000
SUSPENDED_AFTER_MS = 10_000


class AttentionRecorder:
    """Converts events on the screen to intervals on the session's monotonic clock.

    There is attention while the person is at a place (`attend`, until `leave`) and not paused.
    Pausing twice is one pause, and places entered during a pause are taken up after it. Inputs
    without attention are not kept: a key pressed on a covered image is no work on it.

    The caller calls `tick` every `HEARTBEAT_MS`. If there was no call for more than
    `suspended_after_ms`, the machine was asleep: attention ended with the last call and starts
    again with the next one. Where the monotonic clock is still during
    sleep, no time passes and there is nothing to leave out.

    `earlier` holds visits recorded before, perhaps by a program that crashed; they stay as they
    are, before this session's own.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        session: str,
        earlier: tuple[TrialVisit, ...] = (),
        suspended_after_ms: int = SUSPENDED_AFTER_MS,
    ) -> None:
        self._clock = clock
        self._session = session
        self._earlier = earlier
        self._suspended_after_ms = suspended_after_ms
        self._place: AttentionPlace | None = None
        self._paused = False
        self._closed: list[AttentionInterval] = []
        self._started_ms = 0
        self._inputs: list[int] = []
        self._noted_ms = clock.monotonic_ms()

    @property
    def place(self) -> AttentionPlace | None:
        """The place of attention, or the one after the pause; None if it is elsewhere."""
        return self._place

    @property
    def paused(self) -> bool:
        return self._paused

    def attend(self, place: AttentionPlace) -> None:
        """Record that the person turned to a place of the workbench."""
        self._note_time()
        self._change(place=place, paused=self._paused)

    def leave(self) -> None:
        """Record that another application, a locked screen or an unrelated dialog is in front."""
        self._note_time()
        self._change(place=None, paused=self._paused)

    def pause(self) -> None:
        self._note_time()
        self._change(place=self._place, paused=True)

    def resume(self) -> None:
        self._note_time()
        self._change(place=self._place, paused=False)

    def input(self) -> None:
        """Record a key press, a click or a turn of the wheel."""
        self._note_time()
        if self._attended is not None:
            self._inputs.append(self._noted_ms)

    def tick(self) -> None:
        """Record that the program is running."""
        self._note_time()

    def snapshot(self) -> tuple[TrialVisit, ...]:
        """Return all visits so far, with the open interval as if it ended now."""
        now = self._clock.monotonic_ms()
        end = self._noted_ms if self._was_suspended(now) else now
        intervals = (*self._closed, *self._open_until(end))
        own = (TrialVisit(self._session, intervals),) if intervals else ()
        return self._earlier + own

    @property
    def _attended(self) -> AttentionPlace | None:
        return None if self._paused else self._place

    def _was_suspended(self, now: int) -> bool:
        return now - self._noted_ms > self._suspended_after_ms

    def _note_time(self) -> None:
        """Record the moment, and end attention if the machine was asleep until now."""
        now = self._clock.monotonic_ms()
        if self._was_suspended(now):
            self._close()
            self._started_ms = now
        self._noted_ms = now

    def _change(self, *, place: AttentionPlace | None, paused: bool) -> None:
        if self._attended is not (None if paused else place):
            self._close()
        self._place, self._paused = place, paused

    def _close(self) -> None:
        """End the open interval at the last recorded moment, and start the next one there."""
        self._closed.extend(self._open_until(self._noted_ms))
        self._started_ms = self._noted_ms
        self._inputs = []

    def _open_until(self, end: int) -> tuple[AttentionInterval, ...]:
        """Return the open interval, or None if there is no attention or it is empty."""
        place = self._attended
        if place is None or (end == self._started_ms and not self._inputs):
            return ()
        return (AttentionInterval(place, self._started_ms, end, tuple(self._inputs)),)
