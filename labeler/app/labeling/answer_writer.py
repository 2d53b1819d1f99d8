"""Stores submitted answers; if the database fails, the answer is journaled and retried."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from labeler.app.incidents import error_sentence
from labeler.app.labeling.answer_journal import AnswerJournal, ReplayResult, replay_journal
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.answers import CommittedAnswer
from labeler.store.engine.opened_file import DatabaseReplaced
from labeler.store.study.sessions import SessionTakenOver
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class AnswerStored:
    """The answer is stored in the study."""

    answer_id: str
    revision: int


@dataclass(frozen=True, slots=True)
class AnswerJournaled:
    """The study can't be written now; the answer is in the journal and will be retried."""

    answer_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AnswerUnsaved:
    """Neither the study nor the journal can be written: the answer is only in memory."""

    answer_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AnswerRescued:
    """The study's file is gone or was replaced; the answer is in the user's own journal."""

    answer_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AnswerRefused:
    """The labeler continued in another window, so this answer counts nowhere."""

    answer_id: str
    sentence: str


AnswerOutcome = AnswerStored | AnswerJournaled | AnswerUnsaved | AnswerRescued | AnswerRefused


RETRY_INTERVAL_MS = 5_000

IN_JOURNAL = "Your answer is safe in a journal, and is stored as soon as the study can take it."
RESCUED = (
    "Your answer is saved in a journal on this computer. It is stored when you open the study here "
    "again and continue with your code."
)
NOWHERE = "Your answer is on this screen only: leave the window open until it is stored."


class JournaledAnswerStore:
    """Stores answers with blocking calls, and keeps track of those in the journal.

    `rescue` is a journal outside the study's folder, for when the study's file is gone.
    """

    def __init__(self, store: StudyStore, journal: AnswerJournal, *, rescue: AnswerJournal) -> None:
        self._store = store
        self._journal, self._rescue = journal, rescue
        self._journaled: set[str] = set()

    def replay(self) -> ReplayResult:
        """Store the answers in the journal; those that are refused stay there."""
        replayed = replay_journal(self._store, self._journal)
        self._journaled = {answer_id for answer_id, _reason in replayed.refused}
        rescued = replay_journal(self._store, self._rescue)
        self._compact()
        return replayed + rescued

    def commit(self, answer: CommittedAnswer) -> AnswerOutcome:
        """Store the answer, or journal it for a retry; committing it again has no effect."""
        try:
            with self._store.write() as study:
                study.sessions.require_running(answer.session_id)
                revision = study.answers.commit(answer, task=self._journal.task)
        except SessionTakenOver as taken:
            return AnswerRefused(answer.answer_id, str(taken))
        except DatabaseReplaced as lost:
            return self._rescue_instead(answer, str(lost))
        except EnvironmentFault as fault:
            return self._journal_instead(answer, str(fault))
        if answer.answer_id in self._journaled:
            self._settle(answer.answer_id)
        return AnswerStored(answer.answer_id, revision)

    def require_none_waiting(self) -> None:
        """Replay the journal, then refuse if an answer is still in it."""
        refused = self.replay().refused
        if refused:
            waiting = "1 answer waits" if len(refused) == 1 else f"{len(refused):,} answers wait"
            raise RefusedError(
                f"{waiting} in the journal and couldn't be stored: {refused[0][1]} The answers "
                "are locked when none waits."
            )

    def _journal_instead(self, answer: CommittedAnswer, fault: str) -> AnswerOutcome:
        if answer.answer_id not in self._journaled:
            try:
                self._journal.append(answer)
            except EnvironmentFault:
                return AnswerUnsaved(answer.answer_id, f"{fault} {NOWHERE}")
            self._journaled.add(answer.answer_id)
        return AnswerJournaled(answer.answer_id, f"{fault} {IN_JOURNAL}")

    def _rescue_instead(self, answer: CommittedAnswer, fault: str) -> AnswerOutcome:
        try:
            self._rescue.append(answer)
        except EnvironmentFault:
            return AnswerUnsaved(answer.answer_id, f"{fault} {NOWHERE}")
        return AnswerRescued(answer.answer_id, f"{fault} {RESCUED}")

    def _settle(self, answer_id: str) -> None:
        # An answer that stays unsettled is only found stored at the next replay.
        with suppress(EnvironmentFault):
            self._journal.settle(answer_id)
            self._journaled.discard(answer_id)
        if not self._journaled:
            self._compact()

    def _compact(self) -> None:
        with suppress(EnvironmentFault):
            self._journal.compact()
            self._rescue.compact()


class AnswerWriter:
    """Stores a submitted answer on the database worker, and retries until that succeeds.

    At most one answer is unstored, because the next image only opens after it.
    """

    def __init__(
        self,
        *,
        answers: JournaledAnswerStore,
        runner: Runner,
        clock: Clock,
        stored: Callable[[CommittedAnswer], None],
        delayed: Callable[[str], None],
        lost: Callable[[str], None],
    ) -> None:
        """`lost` is called when nothing more can be stored, in this session."""
        self._answers = answers
        self._runner = runner
        self._clock = clock
        self._stored = stored
        self._delayed, self._lost = delayed, lost
        self._answer: CommittedAnswer | None = None
        self._trying = False
        self._tried_at_ms = clock.monotonic_ms()

    @property
    def waits(self) -> bool:
        """Whether an answer isn't stored yet."""
        return self._answer is not None

    def store(self, answer: CommittedAnswer) -> None:
        self._answer = answer
        self.try_again()

    def try_again(self) -> None:
        """Try to store the answer, unless a try is running or nothing is pending."""
        answer = self._answer
        if answer is None or self._trying:
            return
        self._trying = True
        self._runner.run(
            "commit answer",
            lambda: self._answers.commit(answer),
            done=lambda outcome: self._finished(answer, outcome),
            failed=self._failed,
        )

    def try_when_due(self) -> None:
        """Try again if the last try was long enough ago."""
        if self._clock.monotonic_ms() - self._tried_at_ms >= RETRY_INTERVAL_MS:
            self.try_again()

    def _finished(self, answer: CommittedAnswer, outcome: AnswerOutcome) -> None:
        if isinstance(outcome, AnswerStored):
            self._trying = False
            self._answer = None
            self._stored(answer)
        elif isinstance(outcome, AnswerRescued | AnswerRefused):
            self._trying = False
            self._answer = None
            self._lost(outcome.sentence)
        else:
            self._delay(outcome.sentence)

    def _failed(self, error: Exception) -> None:
        self._delay(error_sentence(error, clock=self._clock))

    def _delay(self, sentence: str) -> None:
        self._trying = False
        self._tried_at_ms = self._clock.monotonic_ms()
        self._delayed(sentence)
