"""Figures of what annotators saw; every mark lists its images where it counts images."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from matplotlib.axes import Axes

from labeler.core.crowd.analysis.ambiguity import ambiguous_images
from labeler.core.crowd.analysis.annotations import AnnotatedDataset, AnnotatedImage
from labeler.core.crowd.analysis.confusions import MAIN_LABEL_OF_ANNOTATORS, MOST_FREQUENT_LABEL
from labeler.core.crowd.analysis.label_analyses import count_validated
from labeler.core.crowd.analysis.object_analyses import (
    MainDiffersAccuracy,
    ObjectGroup,
    ObjectMetric,
    Top5Corrections,
)
from labeler.core.study.entities import ParticipantKind
from labeler.core.text import count_noun
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.crowd.annotated_tables import listed_images
from labeler.report.crowd.superclass_figures import draw_confusion, draw_cooccurrence
from labeler.report.figures.figure import (
    FAINT,
    FEW_IMAGES_LEFT_OUT,
    FEWEST_IMAGES,
    INK,
    KIND_COLOURS,
    KIND_MARKERS,
    KIND_NAMES,
    MUTED,
    FigureDraft,
    FigureMark,
    make_axes,
    shorten_name,
)

_FILLS = (KIND_COLOURS[ParticipantKind.MODEL], FAINT, KIND_COLOURS[ParticipantKind.HUMAN], MUTED)
_HATCHES = ("", "///", "...", "xxx")
_MOST_PAIRS = 15
_MODELS_AT_EACH_END = 8
_GROUPS = {ObjectGroup.ONE: "1", ObjectGroup.TWO: "2", ObjectGroup.THREE_OR_MORE: "3 or more"}
_METRICS = {
    ObjectMetric.TOP1: ("top-1", "-", "o"),
    ObjectMetric.ANY_OBJECT: ("any label of an object", "--", "s"),
    ObjectMetric.MAIN_LABEL: ("main label", ":", "^"),
}
_TENTHS = tuple(f"{10 * tenth}–{10 * tenth + 10}" for tenth in range(10))


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar that counts images: its dataset, its place on the axis, and the images."""

    dataset: str
    place: int
    words: str
    images: Sequence[AnnotatedImage]


def crowd_figures(cells: AccuracyIndex) -> Iterator[FigureDraft | None]:
    """Yield the figures of all analyses; None where there is nothing to draw."""
    if not cells.contents.crowd.datasets:
        return
    yield _objects(cells)
    yield _accuracy_by_objects(cells)
    yield _main_differs(cells)
    yield _top5_corrections(cells)
    yield _target_frequencies(cells)
    yield _validated_labels(cells)
    yield _ambiguous_pairs(cells)
    yield _human_based(cells)
    yield _wrong_predictions(cells)
    for who in (MAIN_LABEL_OF_ANNOTATORS, MOST_FREQUENT_LABEL):
        yield draw_confusion(cells, who)
    yield draw_cooccurrence(cells)


def _draw_bars(ax: Axes, bars: Sequence[_Bar], datasets: Sequence[str]) -> list[FigureMark]:
    """Draw the datasets next to each other, and return a mark for each bar."""
    width = 0.8 / len(datasets)
    marks = []
    for number, dataset in enumerate(datasets):
        own = [bar for bar in bars if bar.dataset == dataset and bar.images]
        places = [bar.place + (number - (len(datasets) - 1) / 2) * width for bar in own]
        heights = [len(bar.images) for bar in own]
        ax.bar(
            places,
            heights,
            width=width * 0.94,
            color=_FILLS[number % len(_FILLS)],
            hatch=_HATCHES[number % len(_HATCHES)],
            edgecolor=INK,
            linewidth=0.4,
            label=shorten_name(dataset),
        )
        for bar, place, height in zip(own, places, heights, strict=True):
            source = listed_images(dataset, bar.words, bar.images)
            words = f"{dataset}, {bar.words}\n{count_noun(height, 'image')}"
            marks.append(FigureMark(place, height / 2, words, source, width * 0.94, height))
    ax.set(ylabel="images")
    ax.grid(visible=False, axis="x")
    if len(datasets) > 1:
        ax.legend()
    return marks


def _names(cells: AccuracyIndex) -> list[str]:
    return [data.dataset for data in cells.contents.crowd.datasets]


def _objects(cells: AccuracyIndex) -> FigureDraft | None:
    bars = [
        _Bar(data.dataset, count, count_noun(count, "object"), found)
        for data in cells.contents.crowd.datasets
        for count in sorted({len(image.objects) for image in data.named})
        for found in [[image for image in data.named if len(image.objects) == count]]
    ]
    if not bars:
        return None
    figure, ax = make_axes(4.6, 3.2)
    marks = _draw_bars(ax, bars, _names(cells))
    ax.set_xticks(sorted({bar.place for bar in bars}))
    ax.set(xlabel="objects in an image")
    words = "Followed-up images by the number of objects that annotators named."
    return FigureDraft(figure, "crowd-objects", "Objects per image", words, marks)


def _accuracy_by_objects(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw accuracies pooled over the participants of a kind and all datasets."""
    pooled: dict[tuple[ParticipantKind, ObjectMetric, ObjectGroup], list[int]] = defaultdict(
        lambda: [0, 0]
    )
    rows = cells.contents.crowd.accuracy_by_objects
    images: dict[ObjectGroup, dict[str, int]] = defaultdict(dict)
    for row in rows:
        images[row.objects][row.dataset] = max(row.total, images[row.objects].get(row.dataset, 0))
    for row in rows:
        if sum(images[row.objects].values()) < FEWEST_IMAGES:
            continue
        count = pooled[cells.display_name.kind(row.participant), row.metric, row.objects]
        count[0] += row.correct
        count[1] += row.total
    groups = [each for each in _GROUPS if any(group is each for _kind, _metric, group in pooled)]
    if not groups:
        return None
    figure, ax = make_axes(5.2, 3.4)
    marks: list[FigureMark] = []
    for kind in ParticipantKind:
        for metric, (name, dashes, marker) in _METRICS.items():
            found = [
                (place, pooled[kind, metric, group])
                for place, group in enumerate(groups)
                if (kind, metric, group) in pooled
            ]
            if not found:
                continue
            x = [place for place, _count in found]
            y = [100 * correct / total for _place, (correct, total) in found]
            label = f"{KIND_NAMES[kind]}, {name}"
            ax.plot(x, y, ls=dashes, marker=marker, color=KIND_COLOURS[kind], label=label)
            marks += [
                FigureMark(place, share, f"{label}\n{share:.1f} %, {count[1]:,} answers", None)
                for place, share, (_p, count) in zip(x, y, found, strict=True)
            ]
    ax.set_xticks(range(len(groups)), [_GROUPS[group] for group in groups])
    ax.margins(x=0.1)
    ax.set(xlabel="objects in an image", ylabel="accuracy, %")
    figure.legend(loc="outside lower center", ncols=2)
    words = (
        "Accuracy by the number of objects, pooled over participants and datasets. "
        f"{FEW_IMAGES_LEFT_OUT}"
    )
    title = "Accuracy by number of objects"
    return FigureDraft(figure, "crowd-accuracy-by-objects", title, words, marks)


def _main_differs(cells: AccuracyIndex) -> FigureDraft | None:
    every = cells.contents.crowd.main_differs_accuracy
    if not every:
        return None
    rows, left_out = _extremes(cells, every, lambda row: row.correct / row.total)
    figure, ax = make_axes(5.2, 1.2 + 0.24 * len(rows))
    marks = []
    names = []
    for place, row in enumerate(reversed(rows)):
        kind, share = cells.display_name.kind(row.participant), 100 * row.correct / row.total
        bars = [[share - 100 * row.ci_low], [100 * row.ci_high - share]]
        colour, marker = KIND_COLOURS[kind], KIND_MARKERS[kind]
        ax.errorbar(share, place, xerr=bars, fmt=marker, color=colour, ms=4.5, lw=1)
        name = cells.display_name(row.participant)
        names.append(shorten_name(f"{name}, {row.dataset}"))
        marks.append(FigureMark(share, place, f"{names[-1]}\n{share:.1f} %, n = {row.total}", None))
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="top-1 accuracy where the main object is not the target, %", xlim=(-2, 102))
    words = (
        f"Images with several objects whose main object is not the target. {_INTERVALS}{left_out}"
    )
    title = "Accuracy where the main object is not the target"
    return FigureDraft(figure, "crowd-main-differs", title, words, marks)


_INTERVALS = "Bars are exact 95 % intervals."


_ModelRow = TypeVar("_ModelRow", MainDiffersAccuracy, Top5Corrections)


def _extremes(
    cells: AccuracyIndex, rows: Sequence[_ModelRow], share: Callable[[_ModelRow], float]
) -> tuple[list[_ModelRow], str]:
    """Return humans' rows and, of many models, the highest and lowest; and a sentence about it."""
    kind_of = cells.display_name.kind
    models = [row for row in rows if kind_of(row.participant) is ParticipantKind.MODEL]
    if len(models) <= 2 * _MODELS_AT_EACH_END:
        return list(rows), ""
    shown = [row for row in rows if row not in models]
    in_order = sorted(models, key=share, reverse=True)
    shown += in_order[:_MODELS_AT_EACH_END] + in_order[-_MODELS_AT_EACH_END:]
    return shown, f" Of the models, the {_MODELS_AT_EACH_END} at each end are shown."


def _top5_corrections(cells: AccuracyIndex) -> FigureDraft | None:
    every = [row for row in cells.contents.crowd.top5_corrections if row.corrections]
    if not every:
        return None
    rows, left_out = _extremes(cells, every, lambda row: row.in_other_object / row.corrections)
    figure, ax = make_axes(5.2, 1.2 + 0.24 * len(rows))
    names, marks = [], []
    for place, row in enumerate(reversed(rows)):
        same = row.corrections - row.in_other_object
        ax.barh(place, row.in_other_object, color=_FILLS[0], edgecolor=INK, linewidth=0.4)
        ax.barh(
            place, same, left=row.in_other_object, color=FAINT, hatch="///", edgecolor=INK, lw=0.4
        )
        names.append(shorten_name(f"{cells.display_name(row.participant)}, {row.dataset}"))
        words = f"{names[-1]}\n{row.in_other_object:,} of {row.corrections:,} in another object"
        middle = row.corrections / 2
        marks.append(FigureMark(middle, place, words, None, row.corrections, 0.8))
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="images whose target is in ranks 2 to 5 only")
    ax.grid(visible=False, axis="y")
    words = (
        f"Plain: the prediction names another object. Hatched: the same object, or none.{left_out}"
    )
    return FigureDraft(figure, "crowd-top5-corrections", "Top-5 corrections", words, marks)


def _target_frequencies(cells: AccuracyIndex) -> FigureDraft | None:
    bars = []
    for data in cells.contents.crowd.datasets:
        tenths: dict[int, list[AnnotatedImage]] = defaultdict(list)
        for image in data.images:
            value = image.frequency(image.target)
            if value is not None:
                # Never selected is apart from seldom selected.
                tenths[0 if value == 0 else 1 + _tenth(value)].append(image)
        bars += [
            _Bar(data.dataset, place, _frequency_words(place), found)
            for place, found in sorted(tenths.items())
        ]
    if not bars:
        return None
    figure, ax = make_axes(5.6, 3.2)
    marks = _draw_bars(ax, bars, _names(cells))
    ax.set_xticks(range(11), ["never", *(f"≤ {10 * n}" for n in range(1, 11))], rotation=45)
    ax.set(xlabel="selection frequency of the target, %")
    words = "How often annotators select an image for its target. The first bar is suspects."
    return FigureDraft(figure, "crowd-target-frequencies", "Targets as selected", words, marks)


def _tenth(value: Fraction) -> int:
    """Return the tenth above which a positive frequency is; 1 belongs to the last."""
    return -int(-value * 10 // 1) - 1


def _frequency_words(place: int) -> str:
    return "never selected" if place == 0 else f"up to {10 * place} %"


def _validated_labels(cells: AccuracyIndex) -> FigureDraft | None:
    half = Fraction(1, 2)
    bars = []
    for data in cells.contents.crowd.datasets:
        groups: dict[int, list[AnnotatedImage]] = defaultdict(list)
        for image in data.images:
            count = count_validated(image.target, image.frequencies, half)
            if count is not None:
                groups[count].append(image)
        bars += [
            _Bar(data.dataset, count, count_noun(count, "validated label"), found)
            for count, found in sorted(groups.items())
        ]
    if not bars:
        return None
    figure, ax = make_axes(4.8, 3.2)
    marks = _draw_bars(ax, bars, _names(cells))
    ax.set_xticks(sorted({bar.place for bar in bars}))
    ax.set(xlabel="labels selected at least half as often as the target, with the target")
    words = "Images by the number of labels that annotators validate."
    return FigureDraft(figure, "crowd-validated-labels", "Validated labels", words, marks)


def _ambiguous_pairs(cells: AccuracyIndex) -> FigureDraft | None:
    rows = cells.contents.crowd.ambiguous_pairs[:_MOST_PAIRS]
    if not rows:
        return None
    of = {data.dataset: ambiguous_images(data) for data in cells.contents.crowd.datasets}
    called = cells.contents.class_names
    figure, ax = make_axes(5.8, 1.0 + 0.26 * len(rows))
    names, marks = [], []
    for place, row in enumerate(reversed(rows)):
        score = 100 * row.score
        ax.barh(
            place,
            score,
            xerr=[[score - 100 * row.ci_low], [100 * row.ci_high - score]],
            color=_FILLS[0],
            edgecolor=INK,
            linewidth=0.4,
            error_kw={"elinewidth": 1, "capsize": 2},
        )
        pair = f"{called.get(row.label_a, row.label_a)} / {called.get(row.label_b, row.label_b)}"
        names.append(shorten_name(pair))
        source = listed_images(row.dataset, pair, of[row.dataset][row.label_a, row.label_b])
        words = f"{pair}, {row.dataset}\n{score:.1f} %, {count_noun(row.images, 'image')}"
        marks.append(FigureMark(score / 2, place, words, source, score, 0.8))
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="mean of the smaller selection frequency, %")
    ax.grid(visible=False, axis="y")
    words = (
        "The classes that annotators most often select for the same image, with 95 % bootstrap "
        "intervals over images."
    )
    return FigureDraft(figure, "crowd-ambiguous-pairs", "Ambiguous pairs of classes", words, marks)


def _human_based(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw how often annotators select a participant's predictions, against its accuracy."""
    datasets = {data.dataset: data for data in cells.contents.crowd.datasets}
    figure, ax = make_axes(4.6, 3.8)
    marks = []
    for row in cells.contents.crowd.human_based:
        accuracy = _top1(datasets[row.dataset], row.participant)
        if row.mean_prediction_frequency is None or accuracy is None:
            continue
        share = 100 * row.mean_prediction_frequency
        kind = cells.display_name.kind(row.participant)
        ax.scatter(100 * accuracy, share, s=26, marker=KIND_MARKERS[kind], color=KIND_COLOURS[kind])
        name = f"{cells.display_name(row.participant)}, {row.dataset}"
        words = f"{name}\nselected {share:.1f} %, top-1 {100 * accuracy:.1f} %"
        marks.append(FigureMark(100 * accuracy, share, words, None))
    if not marks:
        return None
    ax.set(xlabel="top-1 accuracy, %", ylabel="mean selection frequency of predictions, %")
    words = "One mark per participant and dataset: diamonds are humans, circles models."
    title = "Predictions as annotators see them"
    return FigureDraft(figure, "crowd-human-based", title, words, marks)


def _top1(data: AnnotatedDataset, participant: str) -> float | None:
    by = next((p for p in data.predictions if p.participant == participant), None)
    given = (
        [] if by is None else [(i, by.labels[i.image]) for i in data.images if i.image in by.labels]
    )
    right = [labels[0] == image.target for image, labels in given if labels]
    return sum(right) / len(right) if right else None


def _wrong_predictions(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw the histogram of the frequencies of wrong predictions, by kind of participant."""
    counts = {kind: np.zeros(10) for kind in ParticipantKind}
    for row in cells.contents.crowd.human_based:
        counts[cells.display_name.kind(row.participant)] += row.wrong_histogram
    if not any(count.any() for count in counts.values()):
        return None
    figure, ax = make_axes(5.0, 3.2)
    marks = []
    for kind, shift in zip(ParticipantKind, (-0.2, 0.2), strict=True):
        total = counts[kind].sum()
        if not total:
            continue
        shares = 100 * counts[kind] / total
        places = np.arange(10) + shift
        hatch = "" if kind is ParticipantKind.MODEL else "///"
        ax.bar(
            places,
            shares,
            width=0.38,
            color=KIND_COLOURS[kind],
            hatch=hatch,
            edgecolor="white",
            linewidth=0.4,
            label=f"{KIND_NAMES[kind]}, {int(total):,} predictions",
        )
        marks += [
            FigureMark(x, y / 2, f"{KIND_NAMES[kind]}, {tenth} %\n{y:.1f} %", None, 0.38, y)
            for x, y, tenth in zip(places.tolist(), shares.tolist(), _TENTHS, strict=True)
            if y
        ]
    ax.set_xticks(range(10), _TENTHS, rotation=45)
    ax.set(xlabel="selection frequency, %", ylabel="wrong predictions, %")
    ax.grid(visible=False, axis="x")
    ax.legend()
    words = (
        "How often annotators select predictions that aren't the target; the last bar includes "
        "100. Unasked are left out."
    )
    return FigureDraft(figure, "crowd-wrong-predictions", "Wrong predictions", words, marks)
