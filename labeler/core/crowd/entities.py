"""Crowd tasks: grids of images to validate labels, and images whose objects are named."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from labeler.core.study.entities import ImageKey


class GridRole(StrEnum):
    """Why an image is in a grid: to be judged, or as a control with a known answer."""

    CANDIDATE = "candidate"
    POSITIVE = "positive"
    NEGATIVE = "negative"


class ContainsState(StrEnum):
    """What became of an annotator's answer to a grid."""

    SUBMITTED = "submitted"
    RETURNED = "returned"
    REJECTED = "rejected"


class LabelReason(StrEnum):
    """The rule that made a label a candidate label of an image."""

    TARGET = "target"
    FREQUENT = "frequent"
    DISTANT = "distant"
    FURTHER = "further"


class AnnotationStatus(StrEnum):
    """What selection frequencies say about an image's target."""

    MISLABELED = "mislabeled"
    TOO_FEW = "too_few"
    CLEAR = "clear"
    FOLLOW_UP = "follow_up"
    TOO_MANY_LABELS = "too_many_labels"


class ObjectTie(StrEnum):
    """A part of an image's summary for which several values were equally frequent."""

    NUM_OBJECTS = "num_objects"
    MAIN_LABEL = "main_label"
    MAIN_OBJECT = "main_object"


@dataclass(frozen=True, slots=True)
class GridImage:
    """An image of a grid."""

    image: ImageKey
    role: GridRole


@dataclass(frozen=True, slots=True)
class Grid:
    """Up to 48 images shown for one class, by position."""

    id: str
    label: str
    images: Mapping[int, GridImage]

    def positions(self, role: GridRole) -> frozenset[int]:
        return frozenset(place for place, shown in self.images.items() if shown.role is role)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainsAnswer:
    """The positions that an annotator selected in a grid."""

    participant: str
    grid: str
    selected: frozenset[int]
    submitted_at: str
    state: ContainsState = ContainsState.SUBMITTED
    active_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyAnswer:
    """The labels that an annotator ticked for an image, and the main one."""

    participant: str
    image: ImageKey
    labels: frozenset[str]
    main: str
    submitted_at: str
    active_ms: int | None = None

    @property
    def contradictory(self) -> bool:
        """Whether nothing is ticked, or the main label isn't; such answers are only imported."""
        return self.main not in self.labels


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageAnswer:
    """What an annotator said about one image of a grid; only for the lead."""

    participant: str
    grid: str
    label: str
    is_selected: bool
    state: ContainsState
    role: GridRole
    submitted_at: str


@dataclass(frozen=True, slots=True, order=True)
class ImageLabel:
    """A label that an image is asked about."""

    image: ImageKey
    label: str


@dataclass(frozen=True, slots=True)
class SelectionFrequency:
    """How many annotators selected an image for a label, of those who were shown it."""

    selected: int
    shown: int

    def __post_init__(self) -> None:
        if not 0 <= self.selected <= self.shown or self.shown == 0:
            raise ValueError(f"{self.selected} of {self.shown} is not a selection frequency")

    @property
    def value(self) -> Fraction:
        """The exact frequency: floats would break ties by rounding."""
        return _fraction(self.selected, self.shown)


@lru_cache(maxsize=4096)
def _fraction(selected: int, shown: int) -> Fraction:
    """A study has many frequencies, but few different ones."""
    return Fraction(selected, shown)
