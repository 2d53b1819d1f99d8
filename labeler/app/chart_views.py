"""What the progress screen shows: figures, points, bars and tables, each leading to images."""

from dataclasses import dataclass
from enum import StrEnum

from labeler.app.training.start_view import SuggestedTraining
from labeler.core.training.answer_record import TrainingFilter


class AnswerTone(StrEnum):
    """What an answer, or several, came to; each has a shape and a colour of its own."""

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
    """By what progress is reported; one at a time is on the screen."""

    DAYS = "days"
    SESSIONS = "sessions"
    FAMILIES = "families"
    PAIRS = "pairs"
    CLASSES = "classes"


@dataclass(frozen=True, slots=True)
class ImageListSource:
    """Where a number leads: the images behind it, and what they are called together."""

    heading: str
    part: TrainingFilter


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table: its text, by what it is ordered, and where it leads, if anywhere."""

    text: str
    order: float | str
    source: ImageListSource | None = None


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column's title; numbers stand right-aligned and begin with the largest when ordered.

    `explained` is reported to who points at the title.
    """

    title: str
    numeric: bool = True
    explained: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """Rows in the order in which they are first shown; an empty table says why it is."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    empty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarView:
    """A part of a whole with its words; `mark` is a share to compare with, where there is one."""

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
    """A day or session with answers: its place, its share right, the moving share, and words."""

    place: int
    short: str
    share: float
    moving: float
    answered: int
    words: str
    source: ImageListSource


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineView:
    """The places from the first to the last; `dot` says what a point is, `moving` the line."""

    title: str
    dot: str
    moving: str
    first: int
    last: int
    points: tuple[TimelinePoint, ...]
    empty: str


@dataclass(frozen=True, slots=True)
class KeyNumber:
    """A number that says much, and what it says."""

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
    tables: dict[ProgressSection, DataTable]


@dataclass(frozen=True, slots=True)
class TrainingImagesView:
    """The images behind what was pointed at; `sentence` is shown where there are none."""

    heading: str = ""
    rows: tuple[PictureRow, ...] = ()
    sentence: str = ""
