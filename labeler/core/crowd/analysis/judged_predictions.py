"""Predictions as annotators judge them: how often they select what a participant answers."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    MeanEstimate,
    Predictions,
    bootstrap_mean,
    exact_interval,
    predicted,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanBased:
    """How annotators judge a participant's predictions.

    Predictions that annotators weren't asked about are `unasked` and in no mean. The fields
    `wrong_…` are over predictions other than the target; `wrong_histogram` counts them by
    frequency in tenths.
    """

    participant: str
    dataset: str
    mean_prediction_frequency: float | None
    mean_prediction_ci: tuple[float, float] | None
    mean_target_frequency: float | None
    mean_target_ci: tuple[float, float] | None
    is_main_label: float | None
    is_main_label_ci: tuple[float, float] | None
    main_labels: int
    asked: int
    unasked: int
    wrong_mean_prediction_frequency: float | None
    wrong_mean_prediction_ci: tuple[float, float] | None
    wrong_mean_target_frequency: float | None
    wrong_mean_target_ci: tuple[float, float] | None
    wrong_is_main_label: float | None
    wrong_is_main_label_ci: tuple[float, float] | None
    wrong_main_labels: int
    wrong_asked: int
    wrong_unasked: int
    wrong_histogram: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    """Frequencies of some predictions of one participant, and of the targets."""

    frequencies: list[Fraction]
    targets: list[Fraction]
    are_main: list[bool]
    unasked: int


def _judged(given: list[tuple[AnnotatedImage, str]]) -> _Judged:
    values = [image.frequency(label) for image, label in given]
    targets = [image.frequency(image.target) for image, _label in given]
    return _Judged(
        [value for value in values if value is not None],
        [value for value in targets if value is not None],
        [label == image.main_label for image, label in given if image.main_label is not None],
        values.count(None),
    )


def human_based(data: AnnotatedDataset, *, seed: int) -> list[HumanBased]:
    rows = []
    for by in data.predictions:
        given = [(image, labels[0]) for image, labels in predicted(list(data.images), by)]
        if given:
            rows.append(_human_based(data.dataset, by, given, seed))
    return rows


def _human_based(
    dataset: str, by: Predictions, given: list[tuple[AnnotatedImage, str]], seed: int
) -> HumanBased:
    every = _judged(given)
    wrong = _judged([(image, label) for image, label in given if label != image.target])
    purpose = f"crowd predictions {dataset} {by.participant}"
    mean = bootstrap_mean(every.frequencies, seed=seed, purpose=purpose)
    targets = bootstrap_mean(every.targets, seed=seed, purpose=f"{purpose} targets")
    of_wrong = bootstrap_mean(wrong.frequencies, seed=seed, purpose=f"{purpose} wrong")
    of_missed = bootstrap_mean(wrong.targets, seed=seed, purpose=f"{purpose} wrong targets")
    tenths = Counter(min(int(value * 10), 9) for value in wrong.frequencies)
    return HumanBased(
        participant=by.participant,
        dataset=dataset,
        mean_prediction_frequency=mean.mean,
        mean_prediction_ci=_interval(mean),
        mean_target_frequency=targets.mean,
        mean_target_ci=_interval(targets),
        is_main_label=_share(every.are_main),
        is_main_label_ci=_share_interval(every.are_main),
        main_labels=len(every.are_main),
        asked=len(every.frequencies),
        unasked=every.unasked,
        wrong_mean_prediction_frequency=of_wrong.mean,
        wrong_mean_prediction_ci=_interval(of_wrong),
        wrong_mean_target_frequency=of_missed.mean,
        wrong_mean_target_ci=_interval(of_missed),
        wrong_is_main_label=_share(wrong.are_main),
        wrong_is_main_label_ci=_share_interval(wrong.are_main),
        wrong_main_labels=len(wrong.are_main),
        wrong_asked=len(wrong.frequencies),
        wrong_unasked=wrong.unasked,
        wrong_histogram=tuple(tenths[tenth] for tenth in range(10)),
    )


def _interval(found: MeanEstimate) -> tuple[float, float] | None:
    if found.ci_low is None or found.ci_high is None:
        return None
    return found.ci_low, found.ci_high


def _share(values: list[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _share_interval(values: list[bool]) -> tuple[float, float] | None:
    return exact_interval(sum(values), len(values)) if values else None
