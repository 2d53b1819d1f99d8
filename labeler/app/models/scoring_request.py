"""What a lead asks for when scoring, and what came of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from labeler.core.models.scoring import ModelFacts, Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """How to score; `workers` is a number of processes, by default one a core or GPU.

    `replace` takes the place of predictions that were made otherwise; `accept_chance` stores even
    what agrees with the targets no better than chance.
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
    """What a lead chooses in the window for the models that are started next.

    No dataset means all of them; a model's own batch size comes before this one.
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
        """Whether something is chosen that few need."""
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
        batches = f"in batches of {self.batch_size}" if self.batch_size else "batch size by trying"
        kept = "1 label" if self.ranks == 1 else f"{self.ranks:,} labels"
        parts = [f"{what} on {where}", f"{kept} kept for each image", batches, *self._more()]
        return f"Next: {', '.join(parts)}."

    def _more(self) -> Iterator[str]:
        if self.precision is not Precision.AUTO:
            yield self.precision.value
        if self.logits is not None:
            yield f"logits to {self.logits.name}"
        if self.replace:
            yield "in place of what is there"
        if self.accept_chance:
            yield "even what is no better than chance"


@dataclass(frozen=True, slots=True)
class UnscoredImage:
    """An image without a prediction, and why."""

    image: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetScoringResult:
    """A dataset that a model is through with: counts, and what couldn't be scored."""

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
    """Someone who watches a model being scored."""

    def loaded(self, facts: ModelFacts) -> None: ...

    def began(self, dataset: str, *, done: int, total: int) -> None:
        """The model turns to a dataset, of which some images may be done already."""
        ...

    def scored(self, *, images: int, right: int) -> None:
        """So many more images are done, and so many of them have their target as first label."""
        ...

    def note(self, sentence: str) -> None:
        """Something that a lead should know."""
        ...

    def log(self, words: str) -> None:
        """What a library had to say."""
        ...
