"""Backups that make themselves while people work."""

from labeler.core.clock import Clock
from labeler.store.study_opening import back_up_if_changed
from labeler.store.study_store import StudyStore

BACKUP_INTERVAL_MINUTES = 30


class AutomaticBackups:
    """Makes a backup after every half hour of work in which something changed."""

    def __init__(
        self,
        store: StudyStore,
        clock: Clock,
        *,
        every_minutes: int = BACKUP_INTERVAL_MINUTES,
        due_at_once: bool = False,
    ) -> None:
        """With `due_at_once`, the first tick makes one: nobody has since the study was opened."""
        self._store = store
        self._clock = clock
        self._every_ms = every_minutes * 60_000
        self._last_ms = clock.monotonic_ms() - (self._every_ms if due_at_once else 0)

    def tick(self) -> bool:
        """Called from time to time; tells whether a backup was made."""
        now = self._clock.monotonic_ms()
        if now - self._last_ms < self._every_ms:
            return False
        self._last_ms = now
        return back_up_if_changed(self._store)
