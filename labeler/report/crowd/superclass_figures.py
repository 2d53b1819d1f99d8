"""Figures of superclasses: confusions of annotators, and what occurs together."""

from collections import defaultdict

import numpy as np

from labeler.core.crowd.analysis.confusions import MAIN_LABEL_OF_ANNOTATORS
from labeler.core.text import count_noun
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.figure import FigureDraft, FigureMark
from labeler.report.figures.matrix import draw_matrix


def draw_confusion(cells: AccuracyIndex, who: str) -> FigureDraft | None:
    """Draw what annotators, by one of their two answers, take for what."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in cells.contents.crowd.superclass_confusions:
        if row.participant == who:
            counts[row.superclass, row.other_superclass] += row.images
    key = "main-label" if who == MAIN_LABEL_OF_ANNOTATORS else "highest-frequency"
    words = "Images of all datasets by the superclass of the target (rows) and of the answer."
    return _matrix(f"crowd-confusion-{key}", f"Confusion: {who}", words, counts, "answered")


def draw_cooccurrence(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw which superclasses occur in the same image."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in cells.contents.crowd.superclass_cooccurrence:
        counts[row.superclass, row.other_superclass] += row.images
    words = "Images of all datasets by the superclass of the target (rows) and of other objects."
    title = "Superclasses that occur together"
    return _matrix("crowd-superclass-cooccurrence", title, words, counts, "other object")


def _matrix(
    key: str, title: str, words: str, counts: dict[tuple[str, str], int], columns: str
) -> FigureDraft | None:
    if not counts:
        return None
    names = sorted({name for pair in counts for name in pair})
    values = np.array([[counts.get((row, column), 0) for column in names] for row in names])
    figure, drawn = draw_matrix(names, values, columns=columns)
    marks = []
    for cell in drawn:
        images = count_noun(cell.images, "image")
        tooltip = f"{names[cell.row]}, {columns}: {names[cell.column]}\n{images}"
        marks.append(FigureMark(cell.x, cell.y, tooltip, None, 1.0, 1.0))
    return FigureDraft(figure, key, title, words, marks)
