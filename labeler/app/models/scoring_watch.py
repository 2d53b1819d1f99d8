"""What the scoring thread tells and the GUI thread reads: one model's run, as it goes."""

from dataclasses import dataclass, field, replace
from threading import Lock

from labeler.app.runner import Job
from labeler.core.clock import Clock
from labeler.core.models.scoring import ModelFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSnapshot:
    """How far a run is at one moment; `done` and `right` are by dataset."""

    facts: ModelFacts | None = None
    dataset: str = ""
    done: dict[str, int] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)
    scored_now: int = 0
    spent_ms: int = 0

    @property
    def rate(self) -> float:
        """Images a second since the first came out."""
        return 1000 * self.scored_now / self.spent_ms if self.spent_ms else 0.0


class ScoringProgress:
    """A watcher on the scoring thread; `job` is told of each step, and brings the news over."""

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
        self.note(f"Scoring {dataset}: {total:,} images, {done:,} of them done before.")

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
        self._tell()

    def _put(self, **changes: object) -> None:
        with self._lock:
            self._now = replace(self._now, **changes)  # type: ignore[arg-type]
        self._tell()

    def _tell(self) -> None:
        # Whether to stop is asked elsewhere: a cancelled job's news have nobody to go to.
        if not self._job.cancelled:
            self._job.progress(sum(self._now.done.values()), 0)


def _plus(counts: dict[str, int], key: str, more: int) -> dict[str, int]:
    return {**counts, key: counts.get(key, 0) + more}
