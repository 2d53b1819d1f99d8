"""Storing a submitted answer: once, and again until it is in the study."""

from collections.abc import Callable

from labeler.app.incidents import record_incident
from labeler.app.labeling.outcomes import AnswerOutcome, AnswerStored
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.errors import LabelerError
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.core.machine_faults import as_environment_fault


class AnswerWriter:
    """Holds the answer that isn't stored yet; there is at most one, since the next waits for it."""

    def __init__(
        self,
        *,
        commit: Callable[[CommittedAnswer], AnswerOutcome],
        runner: Runner,
        clock: Clock,
        stored: Callable[[CommittedAnswer], None],
        delayed: Callable[[str], None],
    ) -> None:
        self._commit = commit
        self._runner = runner
        self._clock = clock
        self._stored = stored
        self._delayed = delayed
        self._answer: CommittedAnswer | None = None
        self._trying = False

    @property
    def waits(self) -> bool:
        """Whether an answer is on the screen that the study doesn't have."""
        return self._answer is not None

    def store(self, answer: CommittedAnswer) -> None:
        self._answer = answer
        self._try(answer)

    def try_again(self) -> None:
        """Try once more, unless a try is under way or nothing waits."""
        if self._answer is not None and not self._trying:
            self._try(self._answer)

    def _try(self, answer: CommittedAnswer) -> None:
        self._trying = True
        self._runner.submit(
            lambda _job: self._commit(answer),
            done=lambda outcome: self._came_out(answer, outcome),
            failed=self._failed,
        )

    def _came_out(self, answer: CommittedAnswer, outcome: AnswerOutcome) -> None:
        self._trying = False
        if isinstance(outcome, AnswerStored):
            self._answer = None
            self._stored(answer)
        else:
            self._delayed(outcome.sentence)

    def _failed(self, error: Exception) -> None:
        self._trying = False
        self._delayed(error_sentence(error, clock=self._clock))


def error_sentence(error: Exception, *, clock: Clock, blind: bool = True) -> str:
    """What a person is told of an error: a sentence of ours, or the number of an incident."""
    if isinstance(error, LabelerError):
        return str(error)
    fault = as_environment_fault(error, blind=blind)
    if fault is not None:
        return str(fault)
    number = record_incident(error, at=clock.utc(), blind=blind)
    return f"Something unforeseen happened: incident {number}. Please tell the lead."
