"""Figures of superclasses: confusions of annotators, and what occurs together."""

from collections import defaultdict

import numpy as np

from labeler.core.crowd.analysis.confusions import MAIN_LABEL_OF_ANNOTATORS
from labeler.core.text import count_noun
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.figure import INK, FigureDraft, FigureMark, make_axes, shorten_name


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
    figure, ax = make_axes(5.8, 5.0)
    totals = np.maximum(values.sum(axis=1, keepdims=True), 1)
    shares = values / totals
    ax.imshow(shares, cmap="Greys", vmin=0, vmax=1)
    marks = []
    for row, column in np.argwhere(values).tolist():
        colour = "white" if shares[row, column] > 0.55 else INK
        count = int(values[row, column])
        ax.text(column, row, f"{count}", ha="center", va="center", fontsize=7, color=colour)
        tooltip = f"{names[row]}, {columns}: {names[column]}\n{count_noun(count, 'image')}"
        marks.append(FigureMark(column, row, tooltip, None, 1.0, 1.0))
    short = [shorten_name(name) for name in names]
    ax.set_xticks(range(len(names)), short, rotation=40, ha="right")
    ax.set_yticks(range(len(names)), short)
    ax.set(xlabel=columns, ylabel="target")
    ax.grid(visible=False)
    return FigureDraft(figure, key, title, words, marks)
