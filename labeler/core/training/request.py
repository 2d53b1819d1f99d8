"""Requests for a training, and graded training answers."""

from dataclasses import dataclass
from enum import StrEnum

MIN_LENGTH, DEFAULT_LENGTH, MAX_LENGTH = 1, 20, 500


class TrainingSource(StrEnum):
    """Where the classes of a training come from; the images are always of the training pool."""

    EVERYTHING = "everything"
    SUBTREES = "subtrees"
    FAMILY = "family"
    MISTAKES = "mistakes"
    LOOK_ALIKES = "look_alikes"
    DUE = "due"


class TrainingOrder(StrEnum):
    """The order of the images in a training."""

    MIXED = "mixed"
    BY_CLASS = "by_class"
    DUE_FIRST = "due_first"


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What a labeler wants to train on.

    `subject` holds the nodes or classes of `SUBTREES`, the name of a `FAMILY`, or the class of
    `LOOK_ALIKES`. Without a seed the program chooses one.
    """

    source: TrainingSource = TrainingSource.EVERYTHING
    subject: tuple[str, ...] = ()
    length: int = DEFAULT_LENGTH
    order: TrainingOrder = TrainingOrder.MIXED
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class SavedFamily:
    """A named list of classes that someone saved; those of the lead are shared with everyone."""

    name: str
    wnids: tuple[str, ...]
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedAnswer:
    """A training answer, with the feedback that may be shown after it is stored.

    `image` is the number of the image. `accepted` are the labels that count as right: the target
    first, then the labels that the review judged correct for the image.
    """

    trial_id: str
    image: int
    label: str
    target: str
    accepted: tuple[str, ...]
    alternative: str | None
    at: str

    @property
    def right(self) -> bool:
        return self.label in self.accepted
