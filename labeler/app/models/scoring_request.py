"""The options, the watcher and the results of a scoring."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from labeler.core.models.scoring import ModelFacts, Precision

REPLACING = "replacing existing predictions"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """How to score; `workers` is the number of processes, by default one per core or GPU.

    `replace` replaces predictions that were made with other settings. `accept_chance` stores labels
    that agree with the targets no better than chance.
    """

    ranks: int = 5
    device: str = "auto"
    precision: Precision = Precision.AUTO
    workers: int | None = None
    logits: Path | None = None
    replace: bool = False
    accept_chance: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringChoices:
    """The lead's choices in the window for the models that are started next.

    No dataset means all datasets. A model's own batch size has priority over this one.
    """

    datasets: tuple[str, ...] = ()
    device: str = "auto"
    ranks: int = 5
    batch_size: int | None = None
    precision: Precision = Precision.AUTO
    logits: Path | None = None
    replace: bool = False
    accept_chance: bool = False

    @property
    def has_more(self) -> bool:
        """Return whether a rarely needed option is set."""
        return self != ScoringChoices(
            datasets=self.datasets,
            device=self.device,
            ranks=self.ranks,
            batch_size=self.batch_size,
        )

    @property
    def sentence(self) -> str:
        where = "the fastest device" if self.device == "auto" else self.device
        what = " and ".join(self.datasets) or "all datasets"
        batches = f"batch size {self.batch_size}" if self.batch_size else "automatic batch size"
        labels = "1 label" if self.ranks == 1 else f"{self.ranks:,} labels"
        parts = [f"{what} on {where}", f"{labels} per image", batches, *self._more()]
        return f"Next: {', '.join(parts)}."

    def _more(self) -> Iterator[str]:
        if self.precision is not Precision.AUTO:
            yield self.precision.value
        if self.logits is not None:
            yield f"logits to {self.logits.name}"
        if self.replace:
            yield REPLACING
        if self.accept_chance:
            yield "including labels no better than chance"


@dataclass(frozen=True, slots=True)
class UnscoredImage:
    """An image without a prediction, and why."""

    image: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetScoringResult:
    """The result of a model on a dataset: counts, and images that couldn't be scored."""

    model: str
    dataset: str
    images: int
    answered: int
    right: int
    scored_now: int
    not_scored: tuple[UnscoredImage, ...] = ()

    @property
    def top1(self) -> float | None:
        return self.right / self.answered if self.answered else None


class ScoringWatcher(Protocol):
    """Receives the progress of a scoring."""

    def loaded(self, facts: ModelFacts) -> None: ...

    def began(self, dataset: str, *, done: int, total: int) -> None:
        """A dataset is started; some of its images may already be done."""
        ...

    def scored(self, *, images: int, right: int) -> None:
        """More images are done; `right` of them have their target as first label."""
        ...

    def note(self, sentence: str) -> None:
        """A message for the lead."""
        ...

    def log(self, words: str) -> None:
        """A line of output of a worker or its libraries."""
        ...
