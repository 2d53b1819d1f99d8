"""The readable report as plain data for the HTML and PDF templates."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from labeler.core.clock import stamp
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.study.entities import ImageKey
from labeler.core.study.phases import PHASE_NAMES
from labeler.report.figures.figure import RenderedFigure
from labeler.report.galleries import Gallery
from labeler.report.methods import methods_paragraphs
from labeler.report.table import ReportTable, format_signed

ReportData = dict[str, object]

REPORT_TEMPLATE = "report"


def report_document(
    contents: ReportContents,
    *,
    tables: Sequence[ReportTable],
    figures: Sequence[RenderedFigure],
    galleries: Sequence[Gallery],
    pictures: Mapping[ImageKey, str],
) -> ReportData:
    """Return the contents in order; `pictures` maps gallery images to their asset names."""
    numbers = contents.numbers
    return {
        "title": "Humans and models",
        "subtitle": contents.study,
        "facts": _facts(contents),
        "locked": contents.evaluation_locked,
        "omissions": [asdict(omission) for omission in numbers.omissions],
        "differences": _differences(contents),
        "changes": _changes(contents),
        "tables": [_table(table) for table in tables],
        "figures": [
            {"asset": f"{f.key}.svg", "title": f.title, "words": f.words, "key": f.key}
            for f in figures
        ],
        "galleries": [_gallery(gallery, pictures) for gallery in galleries],
        "methods": [{"title": title, "text": text} for title, text in methods_paragraphs(contents)],
    }


def _facts(contents: ReportContents) -> list[list[str]]:
    numbers = contents.numbers
    evaluated = ", ".join(f"{d.dataset} {d.evaluated:,}" for d in numbers.datasets) or "none"
    phases = ", ".join(f"{PHASE_NAMES[phase]} {state}" for phase, state in contents.phases.items())
    return [
        ["Humans", f"{len(numbers.study.humans):,}"],
        ["Models", f"{len(numbers.study.models):,}"],
        ["Evaluated images", evaluated],
        ["Phases", phases],
        ["Seed", str(numbers.settings.seed)],
        ["Program", f"labeler {contents.program_version}"],
        ["Generated", stamp(contents.generated_at)],
    ]


def _differences(contents: ReportContents) -> list[str]:
    return [
        f"On {row.dataset} the median model’s multi-label accuracy differs by "
        f"{format_signed(row.median_difference)} percentage points from its "
        f"{row.against.replace('top', 'top-')} "
        f"accuracy, over {'one model' if row.models == 1 else f'{row.models:,} models'}."
        for row in contents.numbers.differences
    ]


def _changes(contents: ReportContents) -> str:
    changes = contents.reviews.changes
    if changes is None:
        return ""
    return (
        f"Between the initial and the final review, the labels of {changes.unchanged:,} images "
        f"stayed the same, {changes.added:,} gained labels, and {changes.modified:,} were modified."
    )


def _table(table: ReportTable) -> ReportData:
    return {
        "key": table.key,
        "title": table.title,
        "note": table.note,
        "numbers": [column.number for column in table.columns],
        "head": list(table.head),
        "rows": [list(row) for row in table.rows],
    }


def _gallery(gallery: Gallery, pictures: Mapping[ImageKey, str]) -> ReportData:
    return {
        "title": gallery.title,
        "total": gallery.total,
        "images": [
            {
                "asset": pictures.get(image.key),
                "name": f"{image.key.dataset}: {image.key.image}",
                "words": list(image.words),
            }
            for image in gallery.images
        ],
    }
