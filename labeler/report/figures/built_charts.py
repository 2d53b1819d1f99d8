"""Charts of built datasets: accuracy by selection frequency, and classes by both."""

from collections import defaultdict
from dataclasses import dataclass

from labeler.core.crowd.analysis.label_analyses import BinAccuracy
from labeler.core.study.entities import ParticipantKind
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.figure import (
    FEW_IMAGES_LEFT_OUT,
    FEWEST_IMAGES,
    KIND_COLOURS,
    KIND_MARKERS,
    KIND_NAMES,
    FigureDraft,
    FigureMark,
    make_axes,
    shorten_name,
)

_DASHES = ("-", "--", ":", "-.")
_SHAPES = ("o", "s", "^", "D")


def draw_accuracy_by_bin(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw top-1 accuracy by selection frequency, pooled over the participants of a kind."""
    pooled = {key: bins for key, bins in _pooled_bins(cells).items() if len(bins) > 1}
    if not pooled:
        return None
    datasets = sorted({dataset for dataset, _kind in pooled})
    figure, ax = make_axes(5.6, 3.6)
    marks: list[FigureMark] = []
    for (dataset, kind), bins in sorted(pooled.items()):
        label = f"{KIND_NAMES[kind]}, {shorten_name(dataset)}"
        middles = [50 * float(each.low + each.high) for each in bins]
        shares = [100 * each.correct / each.total for each in bins]
        ax.plot(
            middles,
            shares,
            ls=_DASHES[datasets.index(dataset) % len(_DASHES)],
            marker=KIND_MARKERS[kind],
            color=KIND_COLOURS[kind],
            ms=4.5,
            label=label,
        )
        marks += [
            FigureMark(middle, share, f"{label}, {each.words}", None)
            for each, middle, share in zip(bins, middles, shares, strict=True)
        ]
    ax.set(xlabel="selection frequency, %", ylabel="top-1 accuracy, %", xlim=(0, 100))
    figure.legend(loc="outside lower center", ncols=2)
    words = (
        "Images in five bins by the share of annotators who selected them for their class, "
        f"pooled over participants. {FEW_IMAGES_LEFT_OUT}"
    )
    title = "Accuracy by selection frequency"
    return FigureDraft(figure, "accuracy-by-frequency", title, words, marks)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PooledBin:
    """The answers of all participants of a kind to the images of a bin."""

    low: float
    high: float
    correct: int
    total: int

    @property
    def words(self) -> str:
        between = f"{100 * self.low:.0f} to {100 * self.high:.0f} %"
        return f"{between}\n{self.correct:,} of {self.total:,} answers right"


def _pooled_bins(cells: AccuracyIndex) -> dict[tuple[str, ParticipantKind], list[_PooledBin]]:
    contents = cells.contents
    groups: dict[tuple[str, ParticipantKind, float, float], list[BinAccuracy]] = defaultdict(list)
    for row in (*contents.crowd.accuracy_by_bin, *contents.curation.accuracy_by_bin):
        kind = cells.display_name.kind(row.participant)
        groups[row.dataset, kind, row.bin_low, row.bin_high].append(row)
    pooled: dict[tuple[str, ParticipantKind], list[_PooledBin]] = defaultdict(list)
    for (dataset, kind, low, high), rows in sorted(groups.items()):
        if max(row.total for row in rows) >= FEWEST_IMAGES:
            correct, total = sum(row.correct for row in rows), sum(row.total for row in rows)
            found = _PooledBin(low=low, high=high, correct=correct, total=total)
            pooled[dataset, kind].append(found)
    return dict(pooled)


def draw_class_difficulties(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw the accuracy of all participants on each class against its mean frequency."""
    every = cells.contents.curation.class_difficulties
    rows = [row for row in every if row.total and row.images >= FEWEST_IMAGES]
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
            label=shorten_name(dataset),
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
    words = (
        "Each mark is a class of a built dataset; accuracy is over all participants. "
        f"Classes of fewer than {FEWEST_IMAGES} images are left out."
    )
    title = "Class accuracy against selection frequency"
    return FigureDraft(figure, "class-accuracy-by-frequency", title, words, marks)
