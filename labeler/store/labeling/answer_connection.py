"""The short way to the disk, for what a labeler waits for: answers and drafts."""

from labeler.core.clock import Clock, stamp
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.store.engine.database import Database
from labeler.store.labeling.answers import commit_answer
from labeler.store.labeling.draft_writer import save_trial_draft, touch_session
from labeler.store.labeling.kept_connection import RawConnection
from labeler.store.labeling.new_trial_query import NewTrial, find_new_trial
from labeler.store.labeling.trial_tasks import EVALUATION, TrialTask

_TOUCH_EVERY_MS = 60_000


class AnswerConnection:
    """One labeler's answers and drafts, on a connection of their own; for one thread at a time."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        session_id: str,
        task: TrialTask = EVALUATION,
    ) -> None:
        self._connection = RawConnection(database)
        self._clock = clock
        self._session_id = session_id
        self._task = task
        self._touched_ms: int | None = None

    def commit(self, answer: CommittedAnswer) -> int:
        """Store the answer and give its revision; committed again, it changes nothing."""
        with self._connection.write() as line:
            return commit_answer(line, answer, self._task)

    def find_new_trial(self, trial_id: str) -> NewTrial | None:
        """The trial, if it is new to the labeler: asked at every image."""
        with self._connection.read() as line:
            return find_new_trial(line, trial_id, self._task)

    def keep(self, trial_id: str, contents: str) -> bool:
        """Keep the trial's draft; false when nobody may work on it any more."""
        now, now_ms = stamp(self._clock.utc()), self._clock.monotonic_ms()
        is_due = self._touched_ms is None or now_ms - self._touched_ms >= _TOUCH_EVERY_MS
        with self._connection.write() as line:
            kept = save_trial_draft(line, trial_id, contents, now=now, task=self._task)
            if is_due:
                touch_session(line, self._session_id, now=now)
        self._touched_ms = now_ms if is_due else self._touched_ms
        # Nobody waits for a draft, so that this is the moment to put the log in order.
        self._connection.checkpoint()
        return kept

    def close(self) -> None:
        self._connection.close()
