"""Bringing a labeler's answers to a safe place: the study, or else the journal."""

from contextlib import suppress

from labeler.app.labeling.answer_journal import AnswerJournal, ReplayResult, replay_journal
from labeler.app.labeling.outcomes import (
    AnswerJournaled,
    AnswerOutcome,
    AnswerStored,
    AnswerUnsaved,
)
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.store.labeling.answer_connection import AnswerConnection
from labeler.store.study_store import StudyStore

_IN_JOURNAL = "Your answer is safe in a journal, and is stored as soon as the study can take it."
_NOWHERE = "Your answer is on this screen only: leave the window open until it is stored."


class JournaledAnswerStore:
    """Knows which answers wait in the journal, so that each is settled once it is stored."""

    def __init__(self, store: StudyStore, journal: AnswerJournal) -> None:
        self._store = store
        self._journal = journal
        self._journaled: set[str] = set()

    def replay(self) -> ReplayResult:
        """Store the answers that wait in the journal; those that are refused wait on."""
        replayed = replay_journal(self._store, self._journal)
        self._journaled = {answer_id for answer_id, _reason in replayed.refused}
        self._compact()
        return replayed

    def commit(self, line: AnswerConnection, answer: CommittedAnswer) -> AnswerOutcome:
        try:
            revision = line.commit(answer)
        except EnvironmentFault as fault:
            return self._journal_instead(answer, str(fault))
        if answer.answer_id in self._journaled:
            self._settle(answer.answer_id)
        return AnswerStored(answer.answer_id, revision)

    def require_none_waiting(self) -> None:
        """Try the journal once more, then refuse while an answer waits in it."""
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
                return AnswerUnsaved(answer.answer_id, f"{fault} {_NOWHERE}")
            self._journaled.add(answer.answer_id)
        return AnswerJournaled(answer.answer_id, f"{fault} {_IN_JOURNAL}")

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
