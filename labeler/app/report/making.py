"""Writing a report to a folder in the formats that the lead wants."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.app.progress import Progress, Unwatched
from labeler.app.report.reading import ReportWish, read_report
from labeler.images.write_aside import write_aside
from labeler.report.json_file import FILE, json_bytes, report_json
from labeler.store.study import StudyStore


class ReportFormat(StrEnum):
    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    LATEX = "latex"
    SVG = "svg"
    PNG = "png"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeReport:
    """What was written, what the report couldn't give, and whether answers may still change."""

    files: tuple[Path, ...]
    omissions: tuple[str, ...]
    evaluation_locked: bool


def make_report(
    store: StudyStore,
    out: Path,
    *,
    wish: ReportWish,
    formats: frozenset[ReportFormat],
    progress: Progress | None = None,
) -> MadeReport:
    """Compute the report and write its files, each whole or not at all."""
    watched = progress or Unwatched()
    watched.start("Computing", None)
    contents = read_report(store, wish)
    files: dict[str, bytes] = {}
    if ReportFormat.JSON in formats:
        files[FILE] = json_bytes(report_json(contents))
    watched.start("Writing", len(files))
    for name, data in files.items():
        write_aside(out / name, data)
        watched.advance()
    return MadeReport(
        files=tuple(out / name for name in files),
        omissions=tuple(f"{o.what}: {o.why}" for o in contents.numbers.omissions),
        evaluation_locked=contents.evaluation_locked,
    )
