"""What the progress screen shows: figures, points, bars and tables, each leading to images."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from labeler.app.training.start_view import SuggestedTraining
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.request import TrainingRequest

if TYPE_CHECKING:  # which needs this module
    from labeler.app.training.decks import DeckView


class AnswerTone(StrEnum):
    """How one or more answers were judged; each value has its own shape and colour."""

    RIGHT = "right"
    WRONG = "wrong"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRow:
    """An image by number: what was answered, what is accepted, and a word more.

    Without a tone nothing was answered that could be right or wrong.
    """

    image: int
    answer: str
    tone: AnswerTone | None
    word: str
    accepted: str
    caption: str


class ProgressSection(StrEnum):
    """How progress is grouped; the screen shows one grouping at a time."""

    DAYS = "days"
    SESSIONS = "sessions"
    FAMILIES = "families"
    PAIRS = "pairs"
    CLASSES = "classes"


@dataclass(frozen=True, slots=True)
class ImageListSource:
    """The images behind a number, and a title for them."""

    heading: str
    part: TrainingFilter


@dataclass(frozen=True, slots=True)
class TableCell:
    """A table cell: its text, its sort key, and the images it links to, if any."""

    text: str
    order: float | str
    source: ImageListSource | None = None


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column's title; numbers are right-aligned and sort from the largest first.

    `explained` is reported to who points at the title.
    """

    title: str
    numeric: bool = True
    explained: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """Rows in their first order; an empty table says why it is empty."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    empty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarView:
    """A share with its text; `mark` is a share to compare with, if any."""

    title: str
    part: int
    total: int
    words: str
    source: ImageListSource
    mark: float | None = None

    @property
    def share(self) -> float:
        return self.part / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChartView:
    """Bars below a title; `legend` says what a bar is, and `mark` what its mark is."""

    title: str
    legend: str
    bars: tuple[BarView, ...]
    empty: str
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelinePoint:
    """A day or session with answers: its position, share correct with interval, and text."""

    place: int
    short: str
    share: float
    low: float
    high: float
    moving: float
    answered: int
    words: str
    source: ImageListSource


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineView:
    """The points in order; `dot` and `moving` say what a point and the line mean."""

    title: str
    dot: str
    moving: str
    first: int
    last: int
    points: tuple[TimelinePoint, ...]
    empty: str


class AccuracyLevel(StrEnum):
    """How good a share right is; the values are the words of the legend."""

    LOW = "below 60 %"
    MIDDLE = "60 to 85 %"
    HIGH = "over 85 %"
    NEVER_SEEN = "never seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyTile:
    """A family on the map: its share right in words, the images behind it, and its training."""

    title: str
    number: str
    level: AccuracyLevel
    classes: int
    words: str
    source: ImageListSource | None
    request: TrainingRequest


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """The families of a superclass."""

    title: str
    tiles: tuple[AccuracyTile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyMapView:
    """All families with classes in training, by superclass."""

    title: str
    rows: tuple[AccuracyRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDecksView:
    """The most confused pairs as decks with pictures of both classes."""

    title: str
    legend: str
    decks: "tuple[DeckView, ...]"


@dataclass(frozen=True, slots=True)
class KeyNumber:
    """A key number and its meaning."""

    number: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingProgressView:
    """The whole screen but the images; `people` has several codes for a lead only.

    Only anyone who looks at their own progress can begin what is suggested.
    """

    code: str
    people: tuple[str, ...]
    own: bool
    figures: tuple[KeyNumber, ...]
    suggestions: tuple[SuggestedTraining, ...]
    timelines: dict[ProgressSection, TimelineView]
    bars: dict[ProgressSection, BarChartView]
    families: AccuracyMapView
    pairs: PairDecksView
    tables: dict[ProgressSection, DataTable]


@dataclass(frozen=True, slots=True)
class TrainingImagesView:
    """The images behind a selection; `sentence` is shown if there are none."""

    heading: str = ""
    rows: tuple[PictureRow, ...] = ()
    sentence: str = ""
