"""The view of the results screen: progress, choices, and what is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from labeler.app.chart_views import PictureRow
from labeler.app.results.selection import Selection
from labeler.app.results.source_images import SourceImageList
from labeler.core.metrics.definitions import Convention, Metric
from labeler.report.sections import SECTIONS
from labeler.report.table import ReportTable

if TYPE_CHECKING:
    from labeler.app.results.results_data import StudyResults
    from labeler.report.figures.figure import AxesLimits, RenderedFigure

METRIC_NAMES = {
    Metric.MULTI_LABEL: "Multi-label",
    Metric.TOP1: "Top-1",
    Metric.TOP5: "Top-5",
    Metric.MULTI_LABEL_IMPUTED: "Multi-label, hatches imputed",
}
assert set(METRIC_NAMES) == set(Metric), "every metric has a name"
CONVENTION_TITLES = {
    Convention.POOLED: "Only correct counts, pooled",
    Convention.UNCLEAR_COUNTS: "Unclear counts as correct, pooled",
    Convention.PER_CLASS: "Only correct counts, per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: "Unclear counts as correct, per class",
}
assert set(CONVENTION_TITLES) == set(Convention), "every convention has a title"


class ResultsStage(Enum):
    """The state of the results."""

    COMPUTING = "computing"
    STOPPED = "stopped"
    REFUSED = "refused"
    READY = "ready"


class ResultsSection(StrEnum):
    """The groups of the list of views."""

    CHOSEN = "Selection"
    TABLES = "Tables of the report"
    GALLERIES = "Images of the report"
    FIGURES = "Figures of the report"


@dataclass(frozen=True, slots=True)
class ResultsEntry:
    """A table, figure or gallery that can be shown; `section` is where the report has it."""

    key: str
    title: str
    group: ResultsSection
    section: str = ResultsSection.CHOSEN


CHOSEN_TABLE_AND_FIGURE = ResultsEntry(
    "chosen", "Table and figure of the selection", ResultsSection.CHOSEN
)
CHOSEN_TABLE = ResultsEntry("chosen table", "Table of the selection", ResultsSection.CHOSEN)
CHOSEN_FIGURE = ResultsEntry("chosen figure", "Figure of the selection", ResultsSection.CHOSEN)


_SECTION_ORDER = (ResultsSection.CHOSEN.value, *(plan.title for plan in SECTIONS))


def in_reading_order(entries: Iterable[ResultsEntry]) -> tuple[ResultsEntry, ...]:
    """Return the entries by section, in the order of the report."""
    return tuple(sorted(entries, key=lambda entry: _SECTION_ORDER.index(entry.section)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResultImagesView:
    """The images of a cell or point; `rows` correspond to `images`."""

    heading: str
    caption: str
    rows: Sequence[PictureRow]
    images: SourceImageList


@dataclass(frozen=True, slots=True, eq=False)
class FigureDetail:
    """A part of a figure, redrawn at the size of the whole."""

    of: "RenderedFigure"
    limits: "AxesLimits"
    png: bytes


@dataclass(frozen=True, slots=True, eq=False)
class ResultImageDetails:
    """One image: its facts and everyone's answers."""

    title: str
    facts: str
    said: ReportTable


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResultsOptions:
    """The available choices, as keys with titles: datasets, people and models, subsets."""

    datasets: tuple[tuple[str, str], ...] = ()
    humans: tuple[tuple[str, str], ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    subsets: tuple[tuple[str, str], ...] = ()


def results_options(results: "StudyResults") -> ResultsOptions:
    """Return all available choices."""
    study, display_name = results.contents.numbers.study, results.cells.display_name
    return ResultsOptions(
        datasets=tuple((name, name) for name in results.cells.datasets),
        humans=tuple((code, display_name(code)) for code in study.humans),
        models=tuple((code, display_name(code)) for code in study.models),
        subsets=tuple(results.titles.items()),
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResultsView:
    """The state of the screen; `table` and `figure` show the selection.

    While `picturing`, the figure is still the previous one.
    """

    stage: ResultsStage = ResultsStage.COMPUTING
    sentence: str = ""
    done: int = 0
    total: int = 0
    message: str = ""
    failed: bool = False
    selection: Selection | None = None
    choices: ResultsOptions = field(default_factory=ResultsOptions)
    places: tuple[ResultsEntry, ...] = (CHOSEN_TABLE_AND_FIGURE, CHOSEN_TABLE, CHOSEN_FIGURE)
    place: ResultsEntry = CHOSEN_TABLE_AND_FIGURE
    drawing: bool = False
    busy: bool = False
    picturing: bool = False
    title: str = ""
    note: str = ""
    table: ReportTable | None = None
    figure: "RenderedFigure | None" = None
    part: FigureDetail | None = None
    images: ResultImagesView | None = None
