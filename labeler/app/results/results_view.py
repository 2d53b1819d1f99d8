"""What the results screen shows: how far the computing is, what is chosen, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from labeler.app.picture_rows import PictureRow
from labeler.core.metrics.definitions import Convention, Metric

if TYPE_CHECKING:
    from labeler.app.results.results_data import Results
    from labeler.app.results.selection import Selection
    from labeler.app.results.source_images import ImageList
    from labeler.report.figures.figure import Drawn, Limits
    from labeler.report.table import Table

METRICS = {
    Metric.MULTI_LABEL: "Multi-label",
    Metric.TOP1: "Top-1",
    Metric.TOP5: "Top-5",
    Metric.MULTI_LABEL_IMPUTED: "Multi-label, hatches imputed",
}
assert set(METRICS) == set(Metric), "every metric has its words"
CONVENTIONS = {
    Convention.POOLED: "Only correct counts, pooled",
    Convention.UNCLEAR_COUNTS: "Unclear counts too, pooled",
    Convention.PER_CLASS: "Only correct counts, per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: "Unclear counts too, per class",
}
assert set(CONVENTIONS) == set(Convention), "every convention has its words"


class Stage(Enum):
    """How far it is with the results."""

    COMPUTING = "computing"
    STOPPED = "stopped"
    REFUSED = "refused"
    READY = "ready"


class Group(StrEnum):
    """What the places to look at are grouped by."""

    CHOSEN = "As chosen at the left"
    TABLES = "Tables of the report"
    GALLERIES = "Images of the report"
    FIGURES = "Figures of the report"


@dataclass(frozen=True, slots=True)
class Place:
    """A table, a figure or a gallery that can be looked at."""

    key: str
    title: str
    group: Group


BOTH = Place("chosen", "Table and figure of what is chosen", Group.CHOSEN)
TABLE = Place("chosen table", "Table of what is chosen", Group.CHOSEN)
FIGURE = Place("chosen figure", "Figure of what is chosen", Group.CHOSEN)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ImagesView:
    """The images behind a cell or a point; `rows` stand for `images` one by one."""

    heading: str
    caption: str
    rows: Sequence[PictureRow]
    images: "ImageList"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a figure, drawn anew for the room that the whole had."""

    of: "Drawn"
    limits: "Limits"
    png: bytes


@dataclass(frozen=True, slots=True, eq=False)
class ImageDetails:
    """One image: what it is of, and what everybody answered."""

    title: str
    facts: str
    said: "Table"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Choices:
    """What can be ticked, by key with its words: datasets, people and models, subsets."""

    datasets: tuple[tuple[str, str], ...] = ()
    humans: tuple[tuple[str, str], ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    subsets: tuple[tuple[str, str], ...] = ()


def choices_of(results: "Results") -> Choices:
    """Everything that there is to tick."""
    study, called = results.contents.numbers.study, results.cells.called
    return Choices(
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

    stage: Stage = Stage.COMPUTING
    sentence: str = ""
    done: int = 0
    total: int = 0
    told: str = ""
    failed: bool = False
    selection: "Selection | None" = None
    choices: Choices = field(default_factory=Choices)
    places: tuple[Place, ...] = (BOTH, TABLE, FIGURE)
    place: Place = BOTH
    drawing: bool = False
    busy: bool = False
    picturing: bool = False
    title: str = ""
    note: str = ""
    table: "Table | None" = None
    figure: "Drawn | None" = None
    part: Part | None = None
    images: ImagesView | None = None
