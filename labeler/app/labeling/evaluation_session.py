"""A labeler's evaluation session: every use case of its workbench."""

from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.app.labeling.revisit_time import store_revisit_times
from labeler.app.labeling.session import BaseLabelingSession, SessionStart
from labeler.app.study.phase_facts import washout_waits
from labeler.app.study.settings import read_study_settings
from labeler.core.clock import stamp
from labeler.core.datasets.washout import washout_wait_text
from labeler.core.errors import RefusedError
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.own_answers import OwnAnswer
from labeler.store.labeling.evaluation import EvaluationTrials
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.study_store import StudyStore, Transaction


class EvaluationSession(BaseLabelingSession):
    """Answers trials without feedback."""

    def __init__(
        self, store: StudyStore, participant: str, *, journal: AnswerJournal | None = None
    ) -> None:
        super().__init__(store, participant, EVALUATION, journal=journal)

    def _work(self, study: Transaction) -> EvaluationTrials:
        return study.labeling

    def _require_washed_out(self, study: Transaction) -> None:
        """Refuse a labeler whose waiting period after training isn't over; others may continue."""
        washes_out = read_study_settings(study).washout_days > 0
        if not washes_out or study.labeling.progress(self._participant).answered:
            return
        until = washout_waits(study, now=self._store.clock.utc()).get(self._participant)
        if until is not None:
            raise RefusedError(washout_wait_text(until))

    def begin(self) -> SessionStart:
        """Store journaled answers, prepare the trials, and start a session."""
        replayed = self.answers.replay()
        with self._store.write() as study:
            self._require_washed_out(study)
            study.labeling.prepare_trials(self._participant)
            also_open = self._begin_session(study)
        with self._store.read() as study:
            settings = read_study_settings(study)
            left = study.labeling.unfinished_trial(self._participant)
            waits = study.labeling.next_unanswered(self._participant)
            return SessionStart(
                session_id=self._session,
                trial=waits if left is None else study.labeling.trial(self._participant, left),
                resumed=left is not None,
                finished=waits is None,
                replayed=replayed,
                questions=settings.questions,
                idle_after_ms=settings.idle_after_ms,
                also_open=also_open,
            )

    def trials(self) -> tuple[BlindTrial, ...]:
        """Return all trials in the labeler's order."""
        with self._store.read() as study:
            return tuple(study.labeling.trials(self._participant))

    def own_answers(self) -> tuple[OwnAnswer, ...]:
        """Return the labeler's answers so far, until they are locked."""
        with self._store.read() as study:
            return tuple(study.labeling.own_answers(self._participant))

    def active_ms(self) -> int:
        """Return the labeler's active time so far."""
        with self._store.read() as study:
            idle = read_study_settings(study).idle_after_ms
            return study.labeling.active_ms(self._participant, idle_after_ms=idle)

    def mark(self, trial_id: str, *, marked: bool) -> None:
        """Mark the trial to return to it, or remove the mark."""
        with self._writing() as study:
            study.labeling.mark(trial_id, marked=marked)

    def lock(self) -> None:
        """Lock the answers permanently; refused while an answer is missing or unstored."""
        self.answers.require_none_waiting()
        with self._writing() as study:
            store_revisit_times(study, self._participant, now=stamp(self._store.clock.utc()))
            study.labeling.lock_task(self._participant)
