"""The headline of a report: what was compared, in words, with the numbers that matter.

Rules write the text. It says when a difference could be chance, and when there are too few people,
models or images to say anything in general.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.adjusted_tests import TestFamily
from labeler.core.metrics.gap_intervals import GapGroup, GapGroupRow
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import ParticipantKind
from labeler.core.text import count_noun
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.table import format_p_value, format_signed, format_with_interval

SIGNIFICANT = 0.05
FEW_IMAGES = 50
NO_COMPARISON = "The study has no pair of datasets with answers, so there is no gap to report."
ONE_PARTICIPANT = "One {kind} can’t represent others: the numbers are about this {kind} only."
FEW_IMAGES_NOTE = "{dataset} has only {images} counted images, so the intervals are wide."
FIXED_PARTICIPANTS = (
    "Intervals and tests are about these participants on other images of the same kind."
)
BY_CHANCE = "Their difference of {points} points could be chance (p = {p}, Holm)."
BEYOND_CHANCE = "Their difference of {points} points is more than chance explains (p {p}, Holm)."


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineNumber:
    """A number with its interval; `group` is a kind of participant, or empty for both."""

    value: str
    interval: str
    label: str
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The line above, one or two sentences, up to three numbers, and what limits them."""

    about: str
    sentences: tuple[str, ...]
    numbers: tuple[HeadlineNumber, ...]
    remarks: tuple[str, ...]


def report_headline(cells: AccuracyIndex) -> Headline:
    """Write the headline by rules; without two datasets it names the best accuracies."""
    found = cells.numbers.gap_statistics
    humans, models, difference = (
        found.group(group, cells.main_metric)
        for group in (GapGroup.HUMANS, GapGroup.MODELS, GapGroup.DIFFERENCE)
    )
    if cells.pair is None or (humans is None and models is None):
        return Headline(
            about=_about(cells),
            sentences=(NO_COMPARISON,),
            numbers=tuple(_best_accuracies(cells)),
            remarks=(),
        )
    sentences = [_losses(cells, humans, models)]
    if difference is not None:
        sentences.append(_difference(cells, difference))
    return Headline(
        about=_about(cells),
        sentences=tuple(sentences),
        numbers=tuple(_gap_numbers(cells, humans, models, difference)),
        remarks=tuple(_remarks(cells, humans, models)),
    )


def _about(cells: AccuracyIndex) -> str:
    study = cells.numbers.study
    counted = {name: int(flags.sum()) for name, flags in _counted(cells).items()}
    images = ", ".join(f"{name} ({count:,})" for name, count in counted.items())
    return (
        f"{count_noun(len(study.humans), 'human')} and {count_noun(len(study.models), 'model')} on "
        f"{count_noun(sum(counted.values()), 'image')}: {images or 'none'}. "
        f"{METRIC_TITLES[cells.main_metric]} accuracy."
    )


def _counted(cells: AccuracyIndex) -> dict[str, Flags]:
    """Return which images count for anyone, by dataset; only the compared pair if there is one."""
    wanted = cells.pair or cells.datasets
    metric = cells.main_metric
    return {
        scored.name: np.asarray((scored.counted(metric) & scored.members_of()).any(axis=0))
        for scored in cells.numbers.scored
        if scored.name in wanted
    }


def _losses(cells: AccuracyIndex, humans: GapGroupRow | None, models: GapGroupRow | None) -> str:
    original, new = cells.pair or ("", "")
    changes = []
    if humans is not None:
        changes.append(_change("the human" if humans.humans == 1 else "humans", humans.gap))
    if models is not None:
        changes.append(_change("the model" if models.models == 1 else "models", models.gap))
    return f"From {original} to {new}, {' and '.join(changes)}."


def _change(who: str, gap: float) -> str:
    points = f"{abs(100 * gap):.1f}"
    if points == "0.0":
        return f"{who} kept the same accuracy"
    return f"{who} {'lost' if gap > 0 else 'gained'} {points} points of accuracy"


def _difference(cells: AccuracyIndex, row: GapGroupRow) -> str:
    p_value = _holm(cells, row)
    text, points = format_p_value(p_value), f"{abs(100 * row.gap):.1f}"
    if p_value < SIGNIFICANT:
        return BEYOND_CHANCE.format(points=points, p=text if "<" in text else f"= {text}")
    return BY_CHANCE.format(points=points, p=text)


def _holm(cells: AccuracyIndex, row: GapGroupRow) -> float:
    key = TestFamily.GAP_GROUPS, str(row.group), "", "", row.subset, row.metric
    test = cells.adjusted.get(key)
    return row.p_value if test is None else test.p_value_holm


def _gap_numbers(
    cells: AccuracyIndex,
    humans: GapGroupRow | None,
    models: GapGroupRow | None,
    difference: GapGroupRow | None,
) -> Iterator[HeadlineNumber]:
    for row, group, label in (
        (humans, "human", "mean gap of {count}"),
        (models, "model", "mean gap of {count}"),
        (difference, "", "humans minus models"),
    ):
        if row is not None:
            people = row.humans if group == "human" else row.models
            p_text = "" if group else f" · p {_relation(_holm(cells, row))} (Holm)"
            yield HeadlineNumber(
                value=f"{format_signed(row.gap)} points",
                interval=f"95 % interval {format_signed(row.ci_low)} to "
                f"{format_signed(row.ci_high)}{p_text}",
                label=label.format(count=count_noun(people, group)),
                group=group,
            )


def _relation(p_value: float) -> str:
    text = format_p_value(p_value)
    return text if text.startswith("<") else f"= {text}"


def _best_accuracies(cells: AccuracyIndex) -> Iterator[HeadlineNumber]:
    study, metric = cells.numbers.study, cells.main_metric
    for codes, kind in (
        (study.humans, ParticipantKind.HUMAN),
        (study.models, ParticipantKind.MODEL),
    ):
        for code in cells.ordered(codes, metric)[:1]:
            row = next(
                row
                for dataset in cells.datasets
                if (row := cells.accuracy.get((code, dataset, ALL, metric))) is not None
            )
            text = format_with_interval(row.accuracy, row.ci_low, row.ci_high)
            value, _, interval = text.partition(" ")
            yield HeadlineNumber(
                value=f"{value} %",
                interval=f"95 % interval {interval.strip('[]').replace(', ', ' to ')}",
                label=f"{cells.display_name(code)}, best {kind} on {row.dataset}",
                group=str(kind),
            )


def _remarks(
    cells: AccuracyIndex, humans: GapGroupRow | None, models: GapGroupRow | None
) -> Iterator[str]:
    if humans is None:
        yield "No human answered both datasets, so only the models are compared."
    elif humans.humans == 1:
        yield ONE_PARTICIPANT.format(kind="human")
    if models is None:
        yield "No model has predictions for both datasets, so only the humans are compared."
    elif models.models == 1:
        yield ONE_PARTICIPANT.format(kind="model")
    for dataset, counted in _counted(cells).items():
        images = int(counted.sum())
        if images < FEW_IMAGES:
            yield FEW_IMAGES_NOTE.format(dataset=dataset, images=images)
    yield FIXED_PARTICIPANTS
