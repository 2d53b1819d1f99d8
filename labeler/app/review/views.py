"""The views of the review's screens: immutable, and without the source of any label."""

from dataclasses import dataclass
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from labeler.core.labeling.blind_types import BlindImage
from labeler.core.review.blind_types import OwnFlag, OwnVerdict

Pixels = TypeVar("Pixels", covariant=True)

TAKEN_BACK = "Undone."
FLAGGED, NOT_FLAGGED = "Flagged. A second reviewer will check it.", "No longer flagged."
LOADING_REVIEW = "Loading all images of the review…"


def flag_notice(flag: OwnFlag) -> str:
    """Return the confirmation of a stored or withdrawn flag."""
    return FLAGGED if flag.reasons else NOT_FLAGGED


class ReviewStage(Enum):
    """The state of the review screen."""

    OPENING = "opening"
    JUDGING = "judging"
    CHECKING = "checking"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class LabelView:
    """A label in the list: its class, and the reviewer's own verdict."""

    wnid: str
    name: str
    gloss: str
    path: str
    own: OwnVerdict | None = None


@dataclass(frozen=True, slots=True)
class ProposedLabelView:
    """A class that may also be correct, and what to look for; the reviewer decides."""

    wnid: str
    name: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProgress:
    """The reviewer's progress; the pace is the mean active time of a judgement in this session."""

    done: int = 0
    left: int = 0
    total: int = 0
    pace_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageReviewView(Generic[Pixels]):
    """One image with its labels; `notice` confirms an action, `trouble` is a lasting problem.

    `position` is the position among all images; it and the progress are unknown until all visits
    are loaded. `unseen` says why the image can't be shown. `flag` is the stored flag,
    `half_written` an unfinished one.
    """

    stage: ReviewStage = ReviewStage.OPENING
    visit_id: str | None = None
    position: str = ""
    image: BlindImage[Pixels] | None = None
    unseen: str = ""
    labels: tuple[LabelView, ...] = ()
    focused: int = 0
    proposed: tuple[ProposedLabelView, ...] = ()
    flag: OwnFlag | None = None
    half_written: OwnFlag | None = None
    progress: ReviewProgress | None = None
    can_undo: bool = False
    notice: str = ""
    trouble: str = ""

    @property
    def focused_wnid(self) -> str | None:
        return self.labels[self.focused].wnid if self.labels else None


class TileView(NamedTuple):
    """An image in the grid of a class, with the reviewer's own verdict and flag."""

    visit_id: str
    own: OwnVerdict | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassReviewView:
    """One class with all its images; it is `number` of `classes`.

    These and the progress are unknown until all visits are loaded. `pointed_at` is the position of
    the tile to highlight.
    """

    stage: ReviewStage = ReviewStage.OPENING
    wnid: str | None = None
    name: str = ""
    number: int = 0
    classes: int = 0
    tiles: tuple[TileView, ...] = ()
    pointed_at: int | None = None
    left: int = 0
    progress: ReviewProgress | None = None
    can_undo: bool = False
    notice: str = ""
    trouble: str = ""
