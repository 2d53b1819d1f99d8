"""What the tables of annotated images must say, worked out from report.json alone."""

from collections.abc import Callable
from typing import Any

from scipy.stats import beta

from tests.e2e.printed_numbers import NONE, spanned

Report = dict[str, Any]
Rows = list[list[str]]
OBJECTS = {"1": "1", "1_with_clear": "1, with clear images", "2": "2", "3+": "3 or more"}
OBJECTS["2+"] = "2 or more"
METRICS = {
    "top1": "Top-1",
    "top5": "Top-5",
    "object_label": "An object's label",
    "any_object": "Any label of an object",
    "main_label": "Main label",
}


def between(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None:
        return NONE
    low, high = interval or (None, None)
    return spanned({"accuracy": value, "ci_low": low, "ci_high": high})


def with_exact_interval(correct: int, total: int) -> str:
    low = beta.ppf(0.025, correct, total - correct + 1) if correct else 0.0
    high = beta.ppf(0.975, correct + 1, total - correct) if correct < total else 1.0
    return spanned({"accuracy": correct / total, "ci_low": low, "ci_high": high})


def objects(crowd: Report) -> Rows:
    return [
        [
            r["dataset"],
            str(r["num_objects"]),
            f"{r['images']:,}",
            spanned({**r, "accuracy": r["mean_confidence"]}),
        ]
        for r in crowd["objects"]
    ]


def accuracy_by_objects(crowd: Report) -> Rows:
    return [
        [
            r["participant"],
            r["dataset"],
            OBJECTS[r["objects"]],
            METRICS[r["metric"]],
            with_exact_interval(r["correct"], r["total"]),
            f"{r['total']:,}",
        ]
        for r in crowd["accuracy_by_objects"]
    ]


def main_differs_accuracy(crowd: Report) -> Rows:
    return [
        [
            r["participant"],
            r["dataset"],
            f"{r['total']:,}",
            with_exact_interval(r["correct"], r["total"]),
        ]
        for r in crowd["main_differs_accuracy"]
    ]


def top5_corrections(crowd: Report) -> Rows:
    return [
        [
            r["participant"],
            r["dataset"],
            f"{r['corrections']:,}",
            f"{r['in_other_object']:,}",
            with_exact_interval(r["in_other_object"], r["corrections"]),
        ]
        for r in crowd["top5_corrections"]
    ]


def frequencies(crowd: Report) -> Rows:
    return [
        [r["dataset"], spanned({**r, "accuracy": r["mean"]}), f"{r['images']:,}"]
        for r in crowd["frequencies"]
        if r["label"] is None
    ]


def accuracy_by_frequency(crowd: Report) -> Rows:
    return [
        [
            r["participant"],
            r["dataset"],
            f"{100 * r['bin_low']:.0f} to {100 * r['bin_high']:.0f} %",
            with_exact_interval(r["correct"], r["total"]),
            f"{r['total']:,}",
        ]
        for r in crowd["accuracy_by_bin"]
    ]


def validated_labels(crowd: Report) -> Rows:
    return [
        [
            r["dataset"],
            str(r["annotators"] or "all"),
            f"{r['threshold']:g}",
            str(r["labels"]),
            f"{r['images']:,}",
        ]
        for r in (*crowd["validated_labels"], *crowd["validated_by_subsets"])
    ]


def twice_selected(crowd: Report) -> Rows:
    return [
        [r["dataset"], str(r["labels"]), f"{r['images']:,}"] for r in crowd["twice_selected_labels"]
    ]


def human_based(crowd: Report) -> Rows:
    return [human_based_row(r, "") for r in crowd["human_based"]]


def human_based_wrong(crowd: Report) -> Rows:
    return [human_based_row(r, "wrong_") for r in crowd["human_based"]]


def human_based_row(r: Report, which: str) -> list[str]:
    return [
        r["participant"],
        r["dataset"],
        between(r[f"{which}mean_prediction_frequency"], r[f"{which}mean_prediction_ci"]),
        between(r[f"{which}mean_target_frequency"], r[f"{which}mean_target_ci"]),
        between(r[f"{which}is_main_label"], r[f"{which}is_main_label_ci"]),
        f"{r[f'{which}asked']:,}",
        f"{r[f'{which}unasked']:,}",
    ]


def superclass_cooccurrence(crowd: Report) -> Rows:
    return [
        [r["dataset"], r["superclass"], r["other_superclass"], f"{r['images']:,}"]
        for r in crowd["superclass_cooccurrence"]
    ]


EXPECTED: dict[str, Callable[[Report], Rows]] = {
    "crowd-objects": objects,
    "crowd-accuracy-by-objects": accuracy_by_objects,
    "crowd-main-differs-accuracy": main_differs_accuracy,
    "crowd-top5-corrections": top5_corrections,
    "crowd-frequencies": frequencies,
    "crowd-accuracy-by-frequency": accuracy_by_frequency,
    "crowd-validated-labels": validated_labels,
    "crowd-twice-selected": twice_selected,
    "crowd-human-based": human_based,
    "crowd-human-based-wrong": human_based_wrong,
    "crowd-superclass-cooccurrence": superclass_cooccurrence,
}
