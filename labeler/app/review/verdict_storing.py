"""Storing verdicts in the order in which they were given, and again until they are in the study."""

from collections.abc import Callable, Sequence

from labeler.app.labeling.answer_writer import error_sentence
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.review.blind_types import CommittedVerdict


class VerdictWriter:
    """Holds what isn't stored yet; a try takes all of it, so that nothing overtakes."""

    def __init__(
        self,
        *,
        commit: Callable[[Sequence[CommittedVerdict]], None],
        runner: Runner,
        clock: Clock,
    ) -> None:
        self._commit, self._runner, self._clock = commit, runner, clock
        self._waiting: list[CommittedVerdict] = []
        self._trying = False
        self._told: Callable[[], None] = lambda: None
        self.trouble = ""

    def listen(self, told: Callable[[], None]) -> None:
        """Have this one told when verdicts were stored, or couldn't be."""
        self._told = told

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def store(self, verdicts: Sequence[CommittedVerdict]) -> None:
        self._waiting += verdicts
        self.try_again()

    def try_again(self) -> None:
        """Try to store what waits, unless a try is under way."""
        if self._trying or not self._waiting:
            return
        self._trying = True
        tried = tuple(self._waiting)
        self._runner.submit(
            lambda _job: self._commit(tried),
            done=lambda _nothing: self._stored(len(tried)),
            failed=self._failed,
        )

    def _stored(self, count: int) -> None:
        self._trying = False
        del self._waiting[:count]
        self.trouble = ""
        self.try_again()
        self._told()

    def _failed(self, error: Exception) -> None:
        self._trying = False
        self.trouble = error_sentence(error, clock=self._clock, blind=True)
        self._told()
