"""The order in which a report is read: sections, and the figures next to their tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from labeler.report.table import ReportTable

if TYPE_CHECKING:  # it needs matplotlib
    from labeler.report.figures.figure import RenderedFigure

# Longer tables are in the appendix of the printed report, except those that carry the claim.
LONGEST_IN_TEXT = 30


@dataclass(frozen=True, slots=True)
class ReportBlock:
    """Figures and tables about one thing, shown together; patterns of their keys."""

    figures: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionPlan:
    key: str
    title: str
    blocks: tuple[ReportBlock, ...] = ()


SECTIONS = (
    SectionPlan(
        "accuracy",
        "Accuracy",
        (
            ReportBlock(
                ("new-against-original-multi-label-all-linear",), ("accuracy-multi-label",)
            ),
            ReportBlock(("new-against-original-top1-all-linear",), ("accuracy-top1",)),
            ReportBlock(("multi-label-against-*",), ("metric-differences",)),
            ReportBlock((), ("accuracy-*", "mcnemar-*", "models-all-images")),
        ),
    ),
    SectionPlan(
        "gap",
        "Gap between datasets",
        (
            ReportBlock(("gaps",), ("gap-groups",)),
            ReportBlock((), ("gaps", "models", "gap-differences")),
        ),
    ),
    SectionPlan(
        "subsets",
        "Objects and organisms",
        (
            ReportBlock(("new-against-original-*-objects-linear",), ("subsets-main",)),
            ReportBlock((), ("subsets-main-top1", "subsets-classes*")),
            ReportBlock(("superclasses",), ("superclasses-*",)),
            ReportBlock(("single-against-multi-label*",), ("subsets-images*",)),
            ReportBlock(("factors",), ("factors",)),
            ReportBlock((), ("subsets-problematic*", "subsets-*", "class-resampling")),
        ),
    ),
    SectionPlan(
        "fits",
        "Fits",
        (
            ReportBlock(("new-against-original-*",), ("fits",)),
            ReportBlock((), ("built-difficulty",)),
        ),
    ),
    SectionPlan(
        "agreement",
        "Agreement",
        (ReportBlock((), ("agreement", "self-consistency", "error-consistency")),),
    ),
    SectionPlan(
        "calibration",
        "Calibration",
        (
            ReportBlock(
                ("confidence-steps", "reliability"),
                ("confidence-steps", "confidence", "reliability"),
            ),
        ),
    ),
    SectionPlan(
        "time",
        "Time and practice",
        (
            ReportBlock(("time-histogram",), ("times",)),
            ReportBlock(("accuracy-by-time", "learning"), ("earlier-exposure",)),
        ),
    ),
    SectionPlan("mistakes", "Mistakes in pictures", (ReportBlock(("confusion-*",)),)),
    SectionPlan(
        "crowd",
        "What annotators saw",
        (
            ReportBlock((), ("crowd-statuses",)),
            ReportBlock(("crowd-objects",), ("crowd-objects", "crowd-cooccurrence")),
            ReportBlock(("crowd-accuracy-by-objects",), ("crowd-accuracy-by-objects",)),
            ReportBlock(
                ("crowd-main-differs",), ("crowd-main-differs", "crowd-main-differs-accuracy")
            ),
            ReportBlock(("crowd-top5-corrections",), ("crowd-top5-corrections",)),
            ReportBlock(
                ("crowd-target-frequencies",),
                ("crowd-frequencies", "crowd-suspects"),
            ),
            ReportBlock(("accuracy-by-frequency",), ("crowd-accuracy-by-frequency",)),
            ReportBlock(
                ("crowd-validated-labels",), ("crowd-validated-labels", "crowd-twice-selected")
            ),
            ReportBlock(("crowd-ambiguous-pairs",), ("crowd-ambiguous-pairs",)),
            ReportBlock(
                ("crowd-human-based", "crowd-wrong-predictions"),
                ("crowd-human-based", "crowd-human-based-wrong", "crowd-wrong-predictions"),
            ),
            ReportBlock(
                ("crowd-confusion-*", "crowd-superclass-cooccurrence"),
                (
                    "crowd-confusions",
                    "crowd-superclass-confusions",
                    "crowd-superclass-cooccurrence",
                ),
            ),
            ReportBlock((), ("crowd-*",)),
        ),
    ),
    SectionPlan(
        "built",
        "Built datasets",
        (
            ReportBlock(("built-against-original-*",), ("built-comparisons", "built-changes")),
            ReportBlock(("class-accuracy-by-frequency",), ("built-*",)),
        ),
    ),
    SectionPlan(
        "sensitivity",
        "Sensitivity",
        (
            ReportBlock((), ("sensitivity",)),
            ReportBlock((), ("conventions", "escape-hatches", "unjudged")),
        ),
    ),
    SectionPlan(
        "methods",
        "Methods and versions",
        (ReportBlock((), ("datasets", "label-changes", "coverage")),),
    ),
    SectionPlan("tables", "All tables", (ReportBlock(("*",), ("*",)),)),
)
_GALLERIES = "mistakes"


def section_of(*, table: str | None = None, figure: str | None = None) -> SectionPlan:
    """Return the section of a table or a figure, by its key; of neither, that of the images."""
    for plan in SECTIONS:
        for block in plan.blocks:
            patterns, key = (block.tables, table) if table else (block.figures, figure)
            if key is not None and any(fnmatchcase(key, pattern) for pattern in patterns):
                return plan
    return next(plan for plan in SECTIONS if plan.key == _GALLERIES)


# Tables that stay in the text however long they are.
ALWAYS_IN_TEXT = ("gap-groups", "fits", "sensitivity", "class-resampling")


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTable:
    """A table with its number; `appendix` if the printed report moves it to the end."""

    number: int
    table: ReportTable
    appendix: bool


@dataclass(frozen=True, slots=True, eq=False)
class PlacedFigure:
    number: int
    figure: "RenderedFigure"


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBlock:
    figures: tuple[PlacedFigure, ...]
    tables: tuple[PlacedTable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReportSection:
    key: str
    title: str
    blocks: tuple[PlacedBlock, ...]


def report_sections(
    tables: Sequence[ReportTable], figures: "Sequence[RenderedFigure]", *, main_table: str
) -> list[ReportSection]:
    """Place every table and figure once, numbered in the order of reading.

    `main_table` stays in the text. Sections without a table or figure are kept, because pictures,
    methods or a list of tables may follow.
    """
    placing = _Placing(list(tables), list(figures), main_table)
    return [
        ReportSection(plan.key, plan.title, tuple(placing.blocks(plan.blocks))) for plan in SECTIONS
    ]


class _Placing:
    """What is not placed yet, and the next numbers."""

    def __init__(
        self, tables: list[ReportTable], figures: "list[RenderedFigure]", main_table: str
    ) -> None:
        self._tables, self._figures = tables, figures
        self._main_table = main_table
        self._table_number = self._figure_number = 0

    def blocks(self, plans: Iterable[ReportBlock]) -> Iterator[PlacedBlock]:
        for plan in plans:
            found = tuple(self._take_figures(plan.figures)), tuple(self._take_tables(plan.tables))
            if any(found):
                yield PlacedBlock(*found)

    def _take_figures(self, patterns: Iterable[str]) -> Iterator[PlacedFigure]:
        for pattern in patterns:
            for figure in [f for f in self._figures if fnmatchcase(f.key, pattern)]:
                self._figures.remove(figure)
                self._figure_number += 1
                yield PlacedFigure(self._figure_number, figure)

    def _take_tables(self, patterns: Iterable[str]) -> Iterator[PlacedTable]:
        for pattern in patterns:
            for table in [t for t in self._tables if fnmatchcase(t.key, pattern)]:
                self._tables.remove(table)
                self._table_number += 1
                kept = table.key in (*ALWAYS_IN_TEXT, self._main_table)
                long = len(table.rows) > LONGEST_IN_TEXT and not kept
                yield PlacedTable(self._table_number, table, long)
