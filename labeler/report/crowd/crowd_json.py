"""The part of report.json that comes from annotators."""

from labeler.core.crowd.analysis.numbers import CrowdNumbers
from labeler.core.crowd.frequencies import AnnotatorQuality
from labeler.core.curation.built_analyses import CurationNumbers
from labeler.report.json_rows import JsonRow, dataclass_rows

_LISTS = (
    "objects",
    "multi_object_shares",
    "cooccurrence",
    "accuracy_by_objects",
    "main_differs_classes",
    "main_differs_accuracy",
    "top5_corrections",
    "validated_labels",
    "validated_by_subsets",
    "twice_selected_labels",
    "ambiguous_pairs",
    "pair_accuracy",
    "human_based",
    "class_confusions",
    "superclass_confusions",
    "superclass_cooccurrence",
    "suspects",
)


def crowd_json(crowd: CrowdNumbers, built: CurationNumbers) -> JsonRow:
    """Return the key `crowd`; without annotators its lists are empty.

    `main_differs` is about the first dataset, `main_differs_by_dataset` about all.
    """
    differs = dataclass_rows(crowd.main_differs)
    return {
        "quality": str(crowd.quality),
        **{name: dataclass_rows(getattr(crowd, name)) for name in _LISTS},
        "frequencies": dataclass_rows((*crowd.frequencies, *built.frequencies)),
        "accuracy_by_bin": dataclass_rows((*crowd.accuracy_by_bin, *built.accuracy_by_bin)),
        "difficulty_models": dataclass_rows(built.difficulty_models),
        "class_difficulties": dataclass_rows(built.class_difficulties),
        "built_changes": dataclass_rows(built.changes),
        "built_comparisons": dataclass_rows(built.comparisons),
        "main_differs": differs[0] if differs else None,
        "main_differs_by_dataset": differs,
        "annotators": [_annotator(each) for each in crowd.annotators],
    }


def _annotator(each: AnnotatorQuality) -> JsonRow:
    return {
        "participant": each.participant,
        "grids": each.grids,
        "positive_rate": _rate(*each.positive),
        "negative_rate": _rate(*each.negative),
        "median_active_seconds": each.median_active_ms and each.median_active_ms / 1000,
        "selections": each.selections,
        "excluded": each.excluded,
        "reason": each.reason,
    }


def _rate(selected: int, shown: int) -> float | None:
    return selected / shown if shown else None
