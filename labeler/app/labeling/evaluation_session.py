"""The desk at which a labeler answers the evaluation: every use case of its workbench."""

from collections.abc import Callable
from contextlib import suppress

from labeler import __version__
from labeler.app.labeling.answer_journal import AnswerJournal, ReplayResult
from labeler.app.labeling.answer_writer import AnswerOutcome
from labeler.app.labeling.revisit_time import store_revisit_times
from labeler.app.labeling.session import (
    RECENTLY_ACTIVE,
    BaseLabelingSession,
    SessionStart,
    TrialStart,
    read_image_file,
    trial_start,
)
from labeler.app.labeling.trial_draft import SavedTrial
from labeler.app.lazy import Lazy
from labeler.app.study.settings import read_study_settings, settings_from_values
from labeler.core.clock import Clock, stamp
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import CommittedAnswer, TrialDraft, TrialFlag
from labeler.core.labeling.blind_types import BlindTrial, EncodedImage
from labeler.store.labeling.evaluation import EvaluationTrials
from labeler.store.labeling.quick_study import QuickSession, QuickStudy
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.study_store import StudyStore, Transaction


class EvaluationSession(BaseLabelingSession):
    """Nobody at it is told whether an answer was right."""

    def __init__(
        self, store: StudyStore, participant: str, *, journal: AnswerJournal | None = None
    ) -> None:
        super().__init__(store, participant, EVALUATION, journal=journal)

    def _work(self, study: Transaction) -> EvaluationTrials:
        return study.labeling

    def _require_washed_out(self, study: Transaction) -> None:
        """Refuse whoever would begin too soon; who has begun goes on."""
        washes_out = read_study_settings(study).washout_days > 0
        if not washes_out or study.labeling.progress(self._participant).answered:
            return
        from labeler.app.study.phase_facts import washout_waits
        from labeler.core.datasets.washout import washout_wait_text

        until = washout_waits(study, now=self._store.clock.utc()).get(self._participant)
        if until is not None:
            raise RefusedError(washout_wait_text(until))

    def begin(self) -> SessionStart:
        """Store what waits in the journal, prepare the trials, and begin a session."""
        replayed = self._answers.replay()
        with self._store.write() as study:
            self._require_washed_out(study)
            study.labeling.prepare_trials(self._participant)
            also_open = self._begin_session(study)
        self._open_line()
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
                asks_confidence=settings.asks_confidence,
                idle_after_ms=settings.idle_after_ms,
                also_open=also_open,
            )

    def trials(self) -> tuple[BlindTrial, ...]:
        """All trials in the labeler's order."""
        with self._store.read() as study:
            return tuple(study.labeling.trials(self._participant))

    def mark(self, trial_id: str, *, marked: bool) -> None:
        """Note that the labeler wants to come back to the trial, or no longer does."""
        with self._store.write() as study:
            study.labeling.mark(trial_id, marked=marked)

    def lock(self) -> None:
        """Lock the answers for good; refused while a trial or a journaled answer waits."""
        self._answers.require_none_waiting()
        with self._store.write() as study:
            store_revisit_times(study, self._participant, now=stamp(self._store.clock.utc()))
            study.labeling.lock_task(self._participant)


_NOTHING_WAITED = ReplayResult(stored=(), refused=(), torn_lines=0)


class QuickEvaluationSession:
    """Begins the session and opens the first trial; an EvaluationSession does everything else.

    The modules of the full session take longer to import than the first image takes to appear.
    """

    def __init__(
        self,
        quick: QuickStudy,
        *,
        journal: AnswerJournal,
        clock: Clock,
        usual: Callable[[], EvaluationSession],
    ) -> None:
        self._quick = quick
        self._journal = journal
        self._clock = clock
        self._session_id: str | None = None
        self._starts: dict[str, TrialStart] = {}
        self._pictures: dict[str, EncodedImage] = {}
        self._make_usual = usual
        self._usual = Lazy(self._made)

    def begin(self) -> SessionStart:
        """Begin a session where everything is as usual; else let the full session begin it."""
        session = self._begin_quickly() if self._journal.is_empty else None
        if session is None:
            return self._usual().begin()
        self._session_id = session.session_id
        start = _session_start(session)
        if start.first is not None:
            self._open(start.first)
        return start

    def trials(self) -> tuple[BlindTrial, ...]:
        """All trials in the labeler's order."""
        known = None if self._session_id is None else self._quick.trials()
        return self._usual().trials() if known is None else known

    def open_trial(self, trial_id: str) -> TrialStart:
        known = self._starts.pop(trial_id, None)
        return self._usual().open_trial(trial_id) if known is None else known

    def picture(self, trial_id: str) -> EncodedImage:
        known = self._pictures.pop(trial_id, None)
        return self._usual().picture(trial_id) if known is None else known

    def keep(self, trial_id: str, kept: SavedTrial) -> None:
        self._usual().keep(trial_id, kept)

    def commit(self, answer: CommittedAnswer) -> AnswerOutcome:
        return self._usual().commit(answer)

    def flag(
        self,
        trial_id: str,
        flag: TrialFlag,
        *,
        note: str,
        spent: TimeSpent,
        shown_at: str | None,
    ) -> None:
        self._usual().flag(trial_id, flag, note=note, spent=spent, shown_at=shown_at)

    def unflag(self, trial_id: str) -> None:
        self._usual().unflag(trial_id)

    def mark(self, trial_id: str, *, marked: bool) -> None:
        self._usual().mark(trial_id, marked=marked)

    def visited_guide(self, slug: str, *, trial_id: str | None, guide_version: str) -> None:
        self._usual().visited_guide(slug, trial_id=trial_id, guide_version=guide_version)

    def lock(self) -> None:
        self._usual().lock()

    def end(self) -> None:
        self._usual().end()

    def _begin_quickly(self) -> QuickSession | None:
        now = self._clock.utc()
        return self._quick.begin(
            program_version=__version__, now=stamp(now), active_since=stamp(now - RECENTLY_ACTIVE)
        )

    def _open(self, trial_id: str) -> None:
        """Take the trial's image out of its file, if the trial is new."""
        trial = self._quick.trial(trial_id)
        if trial is None:
            return
        self._starts[trial_id] = trial_start(TrialDraft(), trial.draft)
        # The full session meets the same fault when it is asked for the image, and reports it.
        with suppress(EnvironmentFault):
            self._pictures[trial_id] = read_image_file(trial.file)

    def _made(self) -> EvaluationSession:
        session = self._make_usual()
        if self._session_id is not None:
            session.go_on_with(self._session_id)
        return session


def _session_start(session: QuickSession) -> SessionStart:
    settings = settings_from_values(session.settings)
    return SessionStart(
        session_id=session.session_id,
        trial=session.left or session.waits,
        resumed=session.left is not None,
        finished=session.waits is None,
        replayed=_NOTHING_WAITED,
        asks_confidence=settings.asks_confidence,
        idle_after_ms=settings.idle_after_ms,
        also_open=session.also_open,
    )
