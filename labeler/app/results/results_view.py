"""What the results screen shows: how far the computing is, what is chosen, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from labeler.app.chart_views import PictureRow
from labeler.app.results.selection import Selection
from labeler.app.results.source_images import SourceImageList
from labeler.core.metrics.definitions import Convention, Metric
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
assert set(METRIC_NAMES) == set(Metric), "every metric has its words"
CONVENTION_TITLES = {
    Convention.POOLED: "Only correct counts, pooled",
    Convention.UNCLEAR_COUNTS: "Unclear counts too, pooled",
    Convention.PER_CLASS: "Only correct counts, per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: "Unclear counts too, per class",
}
assert set(CONVENTION_TITLES) == set(Convention), "every convention has its words"


class ResultsStage(Enum):
    """How far it is with the results."""

    COMPUTING = "computing"
    STOPPED = "stopped"
    REFUSED = "refused"
    READY = "ready"


class ResultsSection(StrEnum):
    """What the places to look at are grouped by."""

    CHOSEN = "As chosen at the left"
    TABLES = "Tables of the report"
    GALLERIES = "Images of the report"
    FIGURES = "Figures of the report"


@dataclass(frozen=True, slots=True)
class ResultsEntry:
    """A table, a figure or a gallery that can be looked at."""

    key: str
    title: str
    group: ResultsSection


CHOSEN_TABLE_AND_FIGURE = ResultsEntry(
    "chosen", "Table and figure of what is chosen", ResultsSection.CHOSEN
)
CHOSEN_TABLE = ResultsEntry("chosen table", "Table of what is chosen", ResultsSection.CHOSEN)
CHOSEN_FIGURE = ResultsEntry("chosen figure", "Figure of what is chosen", ResultsSection.CHOSEN)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResultImagesView:
    """The images behind a cell or a point; `rows` stand for `images` one by one."""

    heading: str
    caption: str
    rows: Sequence[PictureRow]
    images: SourceImageList


@dataclass(frozen=True, slots=True, eq=False)
class FigureDetail:
    """A part of a figure, drawn again for the room that the whole had."""

    of: "RenderedFigure"
    limits: "AxesLimits"
    png: bytes


@dataclass(frozen=True, slots=True, eq=False)
class ResultImageDetails:
    """One image: what it is of, and what everyone answered."""

    title: str
    facts: str
    said: ReportTable


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResultsOptions:
    """What can be ticked, by key with its words: datasets, people and models, subsets."""

    datasets: tuple[tuple[str, str], ...] = ()
    humans: tuple[tuple[str, str], ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    subsets: tuple[tuple[str, str], ...] = ()


def results_options(results: "StudyResults") -> ResultsOptions:
    """Everything that there is to tick."""
    study, called = results.contents.numbers.study, results.cells.display_name
    return ResultsOptions(
        datasets=tuple((name, name) for name in results.cells.datasets),
        humans=tuple((code, called(code)) for code in study.humans),
        models=tuple((code, called(code)) for code in study.models),
        subsets=tuple(results.titles.items()),
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResultsView:
    """`table` and `figure` are there once something has been made of what is chosen.

    While `picturing`, the figure is still that of what was chosen before.
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
