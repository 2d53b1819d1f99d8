"""Charts of built datasets: accuracy by selection frequency, and classes by both."""

from itertools import groupby

from labeler.core.crowd.analysis.label_analyses import BinAccuracy
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.figure import FigureDraft, FigureMark, make_axes, shorten_name

_DASHES = ("-", "--", ":", "-.")
_SHAPES = ("o", "s", "^", "D")


def draw_accuracy_by_bin(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw top-1 accuracy against the selection frequency, a line per participant and dataset."""
    contents = cells.contents
    rows = [*contents.crowd.accuracy_by_bin, *contents.curation.accuracy_by_bin]
    if not rows:
        return None
    rows.sort(key=lambda row: (row.dataset, row.participant, row.bin_low))
    datasets = sorted({row.dataset for row in rows})
    figure, ax = make_axes(6.4, 3.8)
    marks: list[FigureMark] = []
    for number, (key, group) in enumerate(
        groupby(rows, key=lambda row: (row.dataset, row.participant))
    ):
        own = list(group)
        dataset, participant = key
        name = f"{shorten_name(cells.display_name(participant))}, {dataset}"
        middles = [(row.bin_low + row.bin_high) / 2 for row in own]
        ax.plot(
            middles,
            [100 * row.correct / row.total for row in own],
            ls=_DASHES[datasets.index(dataset) % len(_DASHES)],
            marker=_SHAPES[number % len(_SHAPES)],
            ms=4.5,
            label=name,
        )
        marks += [_mark(row, name, middle) for row, middle in zip(own, middles, strict=True)]
    ax.set(xlabel="selection frequency", ylabel="top-1 accuracy, %", xlim=(0, 1), ylim=(0, 100))
    figure.legend(loc="outside right upper")
    words = "Images in five bins by the share of annotators who selected them for their class."
    title = "Accuracy by selection frequency"
    return FigureDraft(figure, "accuracy-by-frequency", title, words, marks)


def _mark(row: BinAccuracy, name: str, middle: float) -> FigureMark:
    tooltip = (
        f"{name}, {row.bin_low:.1f}–{row.bin_high:.1f}\n{row.correct:,} of {row.total:,} right"
    )
    return FigureMark(middle, 100 * row.correct / row.total, tooltip, None)


def draw_class_difficulties(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw the accuracy of all participants on each class against its mean frequency."""
    rows = [row for row in cells.contents.curation.class_difficulties if row.total]
    if not rows:
        return None
    figure, ax = make_axes()
    marks: list[FigureMark] = []
    for number, dataset in enumerate(sorted({row.dataset for row in rows})):
        own = [row for row in rows if row.dataset == dataset]
        shares = [100 * row.correct / row.total for row in own]
        ax.plot(
            [row.mean_frequency for row in own],
            shares,
            ls="",
            marker=_SHAPES[number % len(_SHAPES)],
            ms=4.5,
            label=dataset,
        )
        marks += [
            FigureMark(
                row.mean_frequency,
                share,
                f"{cells.contents.class_names.get(row.label, row.label)}, {dataset}\n"
                f"{row.correct:,} of {row.total:,} right",
                None,
            )
            for row, share in zip(own, shares, strict=True)
        ]
    ax.set(xlabel="mean selection frequency of the class", ylabel="top-1 accuracy, %")
    figure.legend(loc="outside right upper")
    words = "Each mark is a class of a built dataset; accuracy is over all participants."
    title = "Class accuracy against selection frequency"
    return FigureDraft(figure, "class-accuracy-by-frequency", title, words, marks)
