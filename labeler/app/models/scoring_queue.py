"""A queue of models that are scored one at a time and can be stopped."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event, Lock
from typing import Protocol

from labeler.app.models.scoring_request import DatasetScoringResult, ScoringChoices, ScoringWatcher
from labeler.app.progress import CancelCheck
from labeler.app.runner import Job, Runner
from labeler.core.clock import Clock
from labeler.core.models.scoring import ModelFacts, ModelSpec
from labeler.scoring.worker_pool import ScoringCancelled


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSnapshot:
    """The progress of a run; `done`, `answered` and `right` are by dataset."""

    facts: ModelFacts | None = None
    dataset: str = ""
    done: dict[str, int] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)
    scored_now: int = 0
    spent_ms: int = 0

    @property
    def rate(self) -> float:
        """Return the images per second since the first result."""
        return 1000 * self.scored_now / self.spent_ms if self.spent_ms else 0.0


class ScoringProgress:
    """A watcher on the scoring thread that reports each step to the job."""

    def __init__(self, job: Job, clock: Clock) -> None:
        self._job = job
        self._clock = clock
        self._lock = Lock()
        self._now = RunSnapshot()
        self._words: list[str] = []
        self._began_ms = 0

    def snapshot(self) -> RunSnapshot:
        with self._lock:
            return self._now

    def words(self) -> tuple[str, ...]:
        """Everything that was said so far."""
        with self._lock:
            return tuple(self._words)

    def loaded(self, facts: ModelFacts) -> None:
        self._put(facts=facts)
        self.note(f"{facts.weights} on {facts.device}: {facts.classes}.")

    def began(self, dataset: str, *, done: int, total: int) -> None:
        self._began_ms = self._began_ms or self._clock.monotonic_ms()
        self._put(dataset=dataset, done={**self._now.done, dataset: done})
        self.note(f"Scoring {dataset}: {total:,} images, {done:,} of them already done.")

    def scored(self, *, images: int, right: int) -> None:
        now = self._now
        self._put(
            done=_plus(now.done, now.dataset, images),
            answered=_plus(now.answered, now.dataset, images),
            right=_plus(now.right, now.dataset, right),
            scored_now=now.scored_now + images,
            spent_ms=self._clock.monotonic_ms() - self._began_ms,
        )

    def note(self, sentence: str) -> None:
        self.log(sentence)

    def log(self, words: str) -> None:
        with self._lock:
            self._words.append(words)
        self._notify()

    def _put(self, **changes: object) -> None:
        with self._lock:
            self._now = replace(self._now, **changes)  # type: ignore[arg-type]
        self._notify()

    def _notify(self) -> None:
        # A cancelled job accepts no progress; the scoring itself checks whether to stop.
        if not self._job.cancelled:
            self._job.progress(sum(self._now.done.values()), 0)


def _plus(counts: dict[str, int], key: str, more: int) -> dict[str, int]:
    return {**counts, key: counts.get(key, 0) + more}


class ScoreModel(Protocol):
    """Scores a model; blocks until it is done or `cancelled` returns true."""

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
    """Callbacks for the events of a model's scoring, called with its name."""

    began: Callable[[str], None]
    went_on: Callable[[str], None]
    finished: Callable[[str], None]
    stopped: Callable[[str], None]
    failed: Callable[[str, Exception], None]


class ScoringQueue:
    """Submits one model after the other to the scoring thread."""

    def __init__(
        self, score: ScoreModel, *, runner: Runner, clock: Clock, listeners: ScoringListeners
    ) -> None:
        self._score = score
        self._runner, self._clock = runner, clock
        self._listeners = listeners
        self._waiting: list[tuple[ModelSpec, ScoringChoices]] = []
        self._stop = Event()
        self.current: str | None = None
        self.watch: ScoringProgress | None = None

    def add(self, spec: ModelSpec, how: ScoringChoices) -> None:
        """Add a model to the end of the queue."""
        self._waiting.append((spec, how))
        if self.current is None:
            self._next()

    def drop(self, name: str) -> bool:
        """Remove a waiting model; return False if it isn't waiting."""
        waiting = [(spec, how) for spec, how in self._waiting if spec.name != name]
        dropped = len(waiting) < len(self._waiting)
        self._waiting = waiting
        return dropped

    def stop(self) -> None:
        """Stop the current model; its results so far are saved."""
        self._stop.set()

    def close(self) -> None:
        """Stop the current model and clear the queue."""
        self._waiting.clear()
        self._stop.set()

    def _next(self) -> None:
        self.current = self.watch = None
        if not self._waiting:
            return
        spec, how = self._waiting.pop(0)
        self.current = spec.name
        self._stop = Event()
        self._listeners.began(spec.name)
        self._runner.run_with_progress(
            "score model",
            lambda job: self._do(spec, how, job, self._stop),
            done=lambda completed: self._has_ended(spec.name, completed),
            failed=lambda error: self._has_failed(spec.name, error),
            progress=lambda _done, _total: self._listeners.went_on(spec.name),
        )

    def _do(self, spec: ModelSpec, how: ScoringChoices, job: Job, stop: Event) -> bool:
        """Score on the scoring thread; return False if it was stopped."""
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
        (self._listeners.finished if completed else self._listeners.stopped)(name)
        self._next()

    def _has_failed(self, name: str, error: Exception) -> None:
        self._listeners.failed(name, error)
        self._next()
