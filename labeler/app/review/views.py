"""What the review's screens show: frozen pictures of one moment, without a source of any label."""

from dataclasses import dataclass
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from labeler.core.labeling.blind_types import BlindImage
from labeler.core.review.blind_types import OwnFlag, OwnVerdict

Pixels = TypeVar("Pixels", covariant=True)

LOADING_REVIEW = "One moment: everything that you are asked is being read."


class ReviewStage(Enum):
    """Where the reviewer is."""

    OPENING = "opening"
    JUDGING = "judging"
    CHECKING = "checking"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class LabelView:
    """A label in the list: its class in words, and the reviewer's own verdict."""

    wnid: str
    name: str
    gloss: str
    path: str
    own: OwnVerdict | None = None


@dataclass(frozen=True, slots=True)
class ProposedLabelView:
    """A class that may be right too, and what to look for; the reviewer decides."""

    wnid: str
    name: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProgress:
    """How far the reviewer is; the pace is this session's mean active time for a judgement."""

    done: int = 0
    left: int = 0
    total: int = 0
    pace_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageReviewView(Generic[Pixels]):
    """One image with its labels; `notice` answers what was done, `trouble` stays until it is over.

    `position` says where the image is among all, in words; neither it nor the progress is known
    before everything is that is asked. `unseen` says why the image can't be shown.
    `flag` is; `half_written` is one that was begun and neither finished nor cancelled.
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
    """An image in the grid of a class, and the reviewer's own verdict."""

    visit_id: str
    own: OwnVerdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassReviewView:
    """One class with every image for which it is asked; `number` of `classes` says where.

    Neither that nor the progress is known before everything is that is asked. `pointed_at` is
    the place of the tile to highlight.
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
