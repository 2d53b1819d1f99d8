"""Rounds of crowd tasks: what is asked, and who gets which grid or image next."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from labeler.core.hash_order import hash_key
from labeler.core.study.entities import ImageKey

# An unfinished grid or image is kept for its annotator this long before others may get it.
RESERVED_HOURS = 2


class CrowdTask(StrEnum):
    """What annotators are asked: which images contain a class, or what an image shows."""

    CONTAINS = "contains"
    CLASSIFY = "classify"


class LabelChoice(StrEnum):
    """Which labels an image is asked about."""

    POTENTIAL = "potential"
    TARGET = "target"
    CANDIDATE = "candidate"


class AssignmentState(StrEnum):
    """What became of a grid or image that was given to an annotator."""

    OPEN = "open"
    SUBMITTED = "submitted"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdRound:
    """A planned round: its grids or images are asked until each has `answers` answers."""

    id: str
    task: CrowdTask
    answers: int
    seed: int
    planned_at: str
    closed_at: str | None = None

    @property
    def is_open(self) -> bool:
        return self.closed_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundProgress:
    """How far a round is: answers given of those wanted, and finished grids or images."""

    round: CrowdRound
    items: int
    finished: int
    answers: int
    annotators: int

    @property
    def wanted(self) -> int:
        return self.items * self.round.answers


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A grid or image that can be given out, and how many answers it has or expects."""

    key: str
    answers: int
    wanted: int


def choose_work(
    items: Iterable[WorkItem],
    *,
    annotator_seed: int,
    is_allowed: Callable[[str], bool] = lambda _key: True,
) -> str | None:
    """Return the allowed item with the fewest answers, or None.

    Among items with equally many answers, each annotator has a random order of their own.
    """
    waiting = [item for item in items if item.answers < item.wanted]
    waiting.sort(key=lambda i: (i.answers, hash_key(annotator_seed, "crowd work", i.key)))
    return next((item.key for item in waiting if is_allowed(item.key)), None)


def potential_labels(
    target: str, ranked: Iterable[Sequence[str]], *, depth: int = 5
) -> tuple[str, ...]:
    """Return the first labels of each model and the target, sorted."""
    return tuple(sorted({target, *(label for labels in ranked for label in labels[:depth])}))


def images_by_label(
    labels: Mapping[ImageKey, Collection[str]],
) -> dict[str, list[ImageKey]]:
    """Return for each label the images that are asked about it."""
    gathered: dict[str, list[ImageKey]] = {}
    for image in sorted(labels):
        for label in labels[image]:
            gathered.setdefault(label, []).append(image)
    return gathered
