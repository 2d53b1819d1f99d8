"""The readable report as plain data for the HTML and PDF templates."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from labeler.core.clock import stamp
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.study.entities import ImageKey
from labeler.core.study.phases import PHASE_NAMES
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.figure import FigureMark, RenderedFigure
from labeler.report.galleries import ONLY_MODELS_WRONG, Gallery
from labeler.report.headline import report_headline
from labeler.report.interval_bars import interval_bars
from labeler.report.methods import methods_paragraphs
from labeler.report.sections import (
    SECTIONS,
    PlacedBlock,
    PlacedFigure,
    PlacedTable,
    ReportSection,
    report_sections,
)
from labeler.report.table import ReportTable

ReportData = dict[str, object]

REPORT_TEMPLATE = "report"
# Columns of a table that fit next to a figure.
WIDEST_AT_THE_SIDE = 5
MOST_EXAMPLES = 9
_MARKS = "123456789ABCDEFGH"
assert len(SECTIONS) <= len(_MARKS)
# These have contents of their own, besides tables and figures.
_ALWAYS_SHOWN = ("methods", "tables")


def report_document(
    contents: ReportContents,
    *,
    tables: Sequence[ReportTable],
    figures: Sequence[RenderedFigure],
    galleries: Sequence[Gallery],
    pictures: Mapping[ImageKey, str],
) -> ReportData:
    """Return the contents in the order of reading.

    `pictures` maps gallery images to their asset names.
    """
    numbers = contents.numbers
    cells = AccuracyIndex(contents)
    main_table = f"accuracy-{cells.main_metric.replace('_', '-')}"
    sections = [
        section
        for section in report_sections(tables, figures, main_table=main_table)
        if section.blocks
        or section.key in _ALWAYS_SHOWN
        or (section.key == "mistakes" and galleries)
    ]
    kinds = {cells.display_name(c): "human" for c in numbers.study.humans}
    kinds |= {cells.display_name(c): "model" for c in numbers.study.models}
    return {
        "title": "Humans and models",
        "subtitle": contents.study,
        "headline": asdict(report_headline(cells)),
        "facts": _facts(contents),
        "locked": contents.evaluation_locked,
        "omissions": [asdict(omission) for omission in numbers.omissions],
        "changes": _changes(contents),
        "sections": [
            _section(section, mark, kinds) for section, mark in zip(sections, _MARKS, strict=False)
        ],
        "examples": _examples(galleries, pictures),
        "galleries": [_gallery(gallery, pictures) for gallery in galleries],
        "methods": [{"title": title, "text": text} for title, text in methods_paragraphs(contents)],
    }


def _section(section: ReportSection, mark: str, kinds: Mapping[str, str]) -> ReportData:
    return {
        "key": section.key,
        "mark": mark,
        "title": section.title,
        "blocks": [
            {
                "figures": [_figure(placed) for placed in block.figures],
                "tables": [_table(placed, kinds) for placed in block.tables],
                "side_by_side": _side_by_side(block),
            }
            for block in section.blocks
        ],
    }


def _side_by_side(block: PlacedBlock) -> bool:
    """Return whether a screen shows the figure to the left of its tables.

    Several figures need the width themselves, and so do tables with many columns.
    """
    narrow = all(len(placed.table.columns) <= WIDEST_AT_THE_SIDE for placed in block.tables)
    return len(block.figures) == 1 and bool(block.tables) and narrow


def _figure(placed: PlacedFigure) -> ReportData:
    figure = placed.figure
    return {
        "number": placed.number,
        "asset": f"{figure.key}.svg",
        "title": figure.title,
        "words": figure.words,
        "key": figure.key,
        "marks": [_mark(figure, mark) for mark in figure.marks],
    }


def _mark(figure: RenderedFigure, mark: FigureMark) -> ReportData:
    """Return where a mark is in the picture, in percent of its size from the top left."""
    limits, frame = figure.limits, figure.frame
    across = (mark.x - limits.left) / (limits.right - limits.left)
    down = (limits.top - mark.y) / (limits.top - limits.bottom)
    return {
        "left": round(100 * (frame.left + frame.width * across), 2),
        "top": round(100 * (frame.top + frame.height * down), 2),
        "words": mark.words,
        "x": round(mark.x, 4),
        "y": round(mark.y, 4),
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


def _changes(contents: ReportContents) -> str:
    changes = contents.reviews.changes
    if changes is None:
        return ""
    return (
        f"Between the initial and the final review, the labels of {changes.unchanged:,} images "
        f"stayed the same, {changes.added:,} gained labels, and {changes.modified:,} were modified."
    )


def _table(placed: PlacedTable, kinds: Mapping[str, str]) -> ReportData:
    table, bars = placed.table, interval_bars(placed.table)
    return {
        "number": placed.number,
        "appendix": placed.appendix,
        "key": table.key,
        "title": table.title,
        "note": table.note,
        "numbers": [column.number for column in table.columns],
        "head": list(table.head),
        "kinds": [kinds.get(row[0], "") for row in table.rows],
        "rows": [list(row) for row in table.rows],
        "cells": [
            [
                {
                    "text": text,
                    "bar": bars.get((number, column)),
                    "exact": table.exact.get((number, column), ""),
                }
                for column, text in enumerate(row)
            ]
            for number, row in enumerate(table.rows)
        ],
    }


def _examples(galleries: Sequence[Gallery], pictures: Mapping[ImageKey, str]) -> ReportData | None:
    """Return a row of pictures for the beginning: the images that only models got wrong."""
    for gallery in galleries:
        if gallery.key == ONLY_MODELS_WRONG:
            shown = [image for image in gallery.images if image.key in pictures]
            if shown:
                row = replace(gallery, images=tuple(shown[:MOST_EXAMPLES]))
                return _gallery(row, pictures)
    return None


def _gallery(gallery: Gallery, pictures: Mapping[ImageKey, str]) -> ReportData:
    return {
        "title": gallery.title,
        "total": gallery.total,
        "pictures": any(image.key in pictures for image in gallery.images),
        "images": [
            {
                "asset": pictures.get(image.key),
                "name": f"{image.key.dataset}: {image.key.image}",
                "words": list(image.words),
            }
            for image in gallery.images
        ],
    }
