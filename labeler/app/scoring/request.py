"""What a lead asks for when scoring, and what came of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from labeler.core.scoring import ModelFacts, Precision


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
class HowToScore:
    """What a lead chooses in the window for the models that are started next.

    No dataset means all of them; a model's own batch size comes before this one.
    """

    datasets: tuple[str, ...] = ()
    device: str = "auto"
    ranks: int = 5
    batch_size: int | None = None

    @property
    def sentence(self) -> str:
        where = "the fastest device" if self.device == "auto" else self.device
        what = " and ".join(self.datasets) or "all datasets"
        batches = f"in batches of {self.batch_size}" if self.batch_size else "batch size by trying"
        kept = "1 label" if self.ranks == 1 else f"{self.ranks:,} labels"
        return f"Next: {what} on {where}, {kept} kept for each image, {batches}."


@dataclass(frozen=True, slots=True)
class NotScored:
    """An image without a prediction, and why."""

    image: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetScored:
    """A dataset that a model is through with: counts, and what couldn't be scored."""

    model: str
    dataset: str
    images: int
    answered: int
    right: int
    scored_now: int
    not_scored: tuple[NotScored, ...] = ()

    @property
    def top1(self) -> float | None:
        return self.right / self.answered if self.answered else None


class ScoringWatcher(Protocol):
    """Somebody who watches a model being scored."""

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
