"""All numbers of a report that come from annotators."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from labeler.core.crowd.analysis import (
    ambiguity,
    confusions,
    judged_predictions,
    label_analyses,
    object_analyses,
)
from labeler.core.crowd.analysis.annotations import AnnotatedDataset
from labeler.core.crowd.frequencies import AnnotatorQuality, QualityRule

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdNumbers:
    """The analyses over all annotated datasets, and the annotators; empty without any."""

    datasets: tuple[AnnotatedDataset, ...] = ()
    quality: QualityRule = QualityRule.CONTROLS
    annotators: tuple[AnnotatorQuality, ...] = ()
    # The superclass of each class that belongs to one.
    superclasses: Mapping[str, str] = field(default_factory=dict)
    frequencies: tuple[label_analyses.TargetFrequency, ...] = ()
    accuracy_by_bin: tuple[label_analyses.BinAccuracy, ...] = ()
    objects: tuple[object_analyses.ObjectCount, ...] = ()
    multi_object_shares: tuple[object_analyses.MultiObjectShare, ...] = ()
    cooccurrence: tuple[object_analyses.Cooccurrence, ...] = ()
    accuracy_by_objects: tuple[object_analyses.ObjectAccuracy, ...] = ()
    main_differs: tuple[object_analyses.MainDiffers, ...] = ()
    main_differs_classes: tuple[object_analyses.MainDiffersClass, ...] = ()
    main_differs_accuracy: tuple[object_analyses.MainDiffersAccuracy, ...] = ()
    top5_corrections: tuple[object_analyses.Top5Corrections, ...] = ()
    validated_labels: tuple[label_analyses.ValidatedLabels, ...] = ()
    validated_by_subsets: tuple[label_analyses.ValidatedLabels, ...] = ()
    twice_selected_labels: tuple[label_analyses.TwiceSelectedLabels, ...] = ()
    ambiguous_pairs: tuple[ambiguity.AmbiguousPair, ...] = ()
    pair_accuracy: tuple[ambiguity.PairAccuracy, ...] = ()
    human_based: tuple[judged_predictions.HumanBased, ...] = ()
    class_confusions: tuple[confusions.ClassConfusion, ...] = ()
    superclass_confusions: tuple[confusions.SuperclassConfusion, ...] = ()
    superclass_cooccurrence: tuple[confusions.SuperclassCooccurrence, ...] = ()
    suspects: tuple[label_analyses.SuspectImage, ...] = ()


def crowd_numbers(
    datasets: tuple[AnnotatedDataset, ...],
    *,
    quality: QualityRule,
    annotators: tuple[AnnotatorQuality, ...],
    superclasses: Mapping[str, str],
    seed: int,
) -> CrowdNumbers:
    """Compute every analysis; `superclasses` maps classes to the superclass they belong to."""

    def each(analysis: Callable[[AnnotatedDataset], Iterable[Row]]) -> tuple[Row, ...]:
        return tuple(row for data in datasets for row in analysis(data))

    def one(analysis: Callable[[AnnotatedDataset], Row | None]) -> tuple[Row, ...]:
        return tuple(row for data in datasets if (row := analysis(data)) is not None)

    return CrowdNumbers(
        datasets=datasets,
        quality=quality,
        annotators=annotators,
        superclasses=superclasses,
        frequencies=each(lambda data: label_analyses.target_frequencies(data, seed=seed)),
        accuracy_by_bin=each(label_analyses.accuracy_by_bin),
        objects=each(lambda data: object_analyses.count_objects(data, seed=seed)),
        multi_object_shares=one(object_analyses.multi_object_share),
        cooccurrence=each(object_analyses.cooccurrences),
        accuracy_by_objects=each(object_analyses.accuracy_by_objects),
        main_differs=one(object_analyses.count_main_differs),
        main_differs_classes=each(object_analyses.main_differs_by_class),
        main_differs_accuracy=each(object_analyses.accuracy_where_main_differs),
        top5_corrections=each(object_analyses.top5_corrections),
        validated_labels=each(label_analyses.validated_labels),
        validated_by_subsets=each(
            lambda data: label_analyses.validated_by_subsets(data, seed=seed)
        ),
        twice_selected_labels=each(label_analyses.twice_selected_labels),
        ambiguous_pairs=each(lambda data: ambiguity.ambiguous_pairs(data, seed=seed)),
        pair_accuracy=each(ambiguity.accuracy_on_pairs),
        human_based=each(lambda data: judged_predictions.human_based(data, seed=seed)),
        class_confusions=each(lambda data: confusions.class_confusions(data, superclasses)),
        superclass_confusions=each(
            lambda data: confusions.superclass_confusions(data, superclasses)
        ),
        superclass_cooccurrence=each(
            lambda data: confusions.superclass_cooccurrences(data, superclasses)
        ),
        suspects=each(label_analyses.suspects),
    )
