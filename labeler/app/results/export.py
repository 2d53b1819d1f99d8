"""Export what the results screen shows: a table, a figure, or the selection."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.results.selection import Selection
from labeler.core.clock import stamp
from labeler.core.errors import RefusedError
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.report_contents import ReportContents
from labeler.images.atomic_write import write_atomically
from labeler.report.json_file import accuracy_row, json_bytes, settings_of
from labeler.report.table import ReportTable, text_column
from labeler.report.table_formats import frame_code, table_csv, table_latex, table_pandas

if TYPE_CHECKING:  # it needs matplotlib
    from labeler.report.figures.figure import RenderedFigure

IMAGE_EXPORT_COLUMNS = (
    "Participant",
    "Dataset",
    "Image",
    "Target",
    "Answer",
    "Judged",
    "Accepted",
    "Counts as",
)


class ResultFormat(StrEnum):
    """The formats of an export, by file extension."""

    CSV = "csv"
    LATEX = "tex"
    SVG = "svg"
    PNG = "png"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownResult:
    """What is on the screen: the selection, a table or a figure; numbers are computed lazily."""

    contents: ReportContents
    selection: Selection
    accuracies: Callable[[], Iterable[Accuracy]]
    table: ReportTable | None = None
    figure: "RenderedFigure | None" = None

    @property
    def formats(self) -> tuple[ResultFormat, ...]:
        return tuple(format_ for format_, (has, _write) in _WRITERS.items() if has(self))

    @property
    def name(self) -> str:
        """The file name without extension."""
        shown = self.table or self.figure
        return shown.key if shown is not None else "selection"


def write_result(shown: ShownResult, file: Path) -> Path:
    """Write it in the format of the file's extension; an unsuitable extension is refused."""
    ending = file.suffix.lstrip(".").lower()
    if ending not in shown.formats:
        named = ", ".join(f".{format_}" for format_ in shown.formats)
        raise RefusedError(f"'{file.name}' has an unsuitable extension. Use {named}.")
    write_atomically(file, _WRITERS[ResultFormat(ending)][1](shown))
    return file


def result_as_pandas(shown: ShownResult, *, figure: bool) -> str:
    """Return Python code for the table, or for the marks of the figure if it is meant."""
    if shown.table is not None and not (figure and shown.figure is not None):
        return table_pandas(shown.table)
    if shown.figure is None:
        return ""
    rows = [(mark.words.replace("\n", "; "), mark.x, mark.y) for mark in shown.figure.marks]
    return frame_code(("about", "x", "y"), rows)


def write_images(rows: Iterable[tuple[str, ...]], file: Path) -> Path:
    """Write the listed images as CSV, one row each."""
    table = ReportTable(
        key="images",
        title="",
        note="",
        columns=tuple(map(text_column, IMAGE_EXPORT_COLUMNS)),
        rows=tuple(rows),
    )
    write_atomically(file, table_csv(table))
    return file


def _selection_json(shown: ShownResult) -> bytes:
    contents, selection = shown.contents, shown.selection
    return json_bytes(
        {
            "study": contents.study,
            "generated_at": stamp(contents.generated_at),
            "evaluation_locked": contents.evaluation_locked,
            "settings": settings_of(contents),
            "selection": {
                "datasets": list(selection.datasets),
                "participants": list(selection.participants),
                "subsets": list(selection.subsets),
                "metric": str(selection.metric),
                "convention": str(selection.convention),
            },
            "accuracy": [
                {**accuracy_row(row), "convention": str(row.convention)}
                for row in shown.accuracies()
            ],
        }
    )


def _csv(shown: ShownResult) -> bytes:
    return table_csv(shown.table) if shown.table is not None else b""


def _latex(shown: ShownResult) -> bytes:
    return table_latex(shown.table) if shown.table is not None else b""


def _svg(shown: ShownResult) -> bytes:
    return shown.figure.svg if shown.figure is not None else b""


def _png(shown: ShownResult) -> bytes:
    return shown.figure.png if shown.figure is not None else b""


def _has_table(shown: ShownResult) -> bool:
    return shown.table is not None


def _has_figure(shown: ShownResult) -> bool:
    return shown.figure is not None


_WRITERS: Mapping[
    ResultFormat, tuple[Callable[[ShownResult], bool], Callable[[ShownResult], bytes]]
] = {
    ResultFormat.CSV: (_has_table, _csv),
    ResultFormat.LATEX: (_has_table, _latex),
    ResultFormat.SVG: (_has_figure, _svg),
    ResultFormat.PNG: (_has_figure, _png),
    ResultFormat.JSON: (lambda _shown: True, _selection_json),
}
assert set(_WRITERS) == set(ResultFormat), "every format has a writer"
