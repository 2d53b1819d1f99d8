"""Models that wait for their turn: one is scored at a time, and can be stopped."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from labeler.app.models.scoring_request import DatasetScoringResult, ScoringChoices, ScoringWatcher
from labeler.app.models.scoring_watch import ScoringProgress
from labeler.app.progress import CancelCheck
from labeler.app.runner import Job, Runner
from labeler.core.clock import Clock
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.worker_pool import ScoringCancelled


class ScoreModel(Protocol):
    """Scores a model; blocks until it is done, or `cancelled` says so."""

    def __call__(
        self,
        spec: ModelSpec,
        how: ScoringChoices,
        *,
        watcher: ScoringWatcher,
        cancelled: CancelCheck,
    ) -> list[DatasetScoringResult]: ...


@dataclass(slots=True)
class ScoringListeners:
    """Who hears what becomes of a model, by its name."""

    began: Callable[[str], None]
    went_on: Callable[[str], None]
    finished: Callable[[str], None]
    stopped: Callable[[str], None]
    failed: Callable[[str, Exception], None]


class ScoringQueue:
    """Hands one model after the other to the scoring thread."""

    def __init__(
        self, score: ScoreModel, *, runner: Runner, clock: Clock, hearers: ScoringListeners
    ) -> None:
        self._score = score
        self._runner, self._clock = runner, clock
        self._hearers = hearers
        self._waiting: list[tuple[ModelSpec, ScoringChoices]] = []
        self._stop = Event()
        self.current: str | None = None
        self.watch: ScoringProgress | None = None

    def add(self, spec: ModelSpec, how: ScoringChoices) -> None:
        """Score the model when its turn comes."""
        self._waiting.append((spec, how))
        if self.current is None:
            self._next()

    def drop(self, name: str) -> bool:
        """Take a model out that waits; false when it doesn't wait any more."""
        waiting = [(spec, how) for spec, how in self._waiting if spec.name != name]
        dropped = len(waiting) < len(self._waiting)
        self._waiting = waiting
        return dropped

    def stop(self) -> None:
        """Stop the model that is being scored; what came out of it is kept."""
        self._stop.set()

    def close(self) -> None:
        """Stop for good: nothing is begun any more."""
        self._waiting.clear()
        self._stop.set()

    def _next(self) -> None:
        self.current = self.watch = None
        if not self._waiting:
            return
        spec, how = self._waiting.pop(0)
        self.current = spec.name
        self._stop = Event()
        self._hearers.began(spec.name)
        self._runner.submit(
            lambda job: self._do(spec, how, job, self._stop),
            done=lambda completed: self._has_ended(spec.name, completed),
            failed=lambda error: self._has_failed(spec.name, error),
            progress=lambda _done, _total: self._hearers.went_on(spec.name),
        )

    def _do(self, spec: ModelSpec, how: ScoringChoices, job: Job, stop: Event) -> bool:
        """Score on the scoring thread; false when it was stopped."""
        self.watch = ScoringProgress(job, self._clock)
        try:
            self._score(
                spec,
                how,
                watcher=self.watch,
                cancelled=lambda: stop.is_set() or job.cancelled,
            )
        except ScoringCancelled:
            return False
        return True

    def _has_ended(self, name: str, completed: bool) -> None:
        (self._hearers.finished if completed else self._hearers.stopped)(name)
        self._next()

    def _has_failed(self, name: str, error: Exception) -> None:
        self._hearers.failed(name, error)
        self._next()
