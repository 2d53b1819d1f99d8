"""report.json, as specified by the exchange format."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from labeler.core.clock import stamp
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.active_times import Timing
from labeler.core.metrics.error_analysis import AllWrongImages
from labeler.core.metrics.gap_intervals import GapGroupRow
from labeler.core.metrics.model_fits import ModelFit
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.metrics.sensitivity import SensitivityRow
from labeler.core.metrics.study_numbers import StudyNumbers
from labeler.core.statistics.agreement import Agreement
from labeler.core.statistics.class_resampling import CLASS_AVERAGE_RESAMPLES as CLASS_RESAMPLES
from labeler.core.statistics.proportions import INTERVAL_LEVEL
from labeler.core.study.entities import ImageKey
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.crowd.crowd_json import crowd_json
from labeler.report.json_rows import JsonRow, dataclass_rows

REPORT_FILE = "report.json"


def report_json(contents: ReportContents) -> JsonRow:
    """Return the whole report as plain data."""
    numbers = contents.numbers
    return {
        "study": contents.study,
        "generated_at": stamp(contents.generated_at),
        "settings": settings_of(contents),
        "phases": {str(phase): str(state) for phase, state in contents.phases.items()},
        "evaluation_locked": contents.evaluation_locked,
        "participants": _participants(contents),
        "datasets": dataclass_rows(numbers.datasets),
        "accuracy": [accuracy_row(row) for row in numbers.accuracy],
        "accuracy_other": [
            {**accuracy_row(row), "convention": str(row.convention)}
            for row in numbers.accuracy_other
        ],
        "accuracy_all_images": [accuracy_row(row) for row in numbers.accuracy_all_images],
        "humans_together": dataclass_rows(numbers.together),
        "coverage": dataclass_rows(numbers.coverage),
        "gaps": dataclass_rows(numbers.gaps),
        "gap_intervals": gap_rows(numbers, numbers.gap_statistics.participants),
        "gap_groups": gap_rows(numbers, numbers.gap_statistics.groups),
        "gap_differences": gap_rows(numbers, numbers.gap_statistics.differences),
        "adjusted_tests": dataclass_rows(numbers.adjusted_tests),
        "sensitivity": [sensitivity_row(row) for row in numbers.sensitivity],
        "mcnemar": dataclass_rows(numbers.mcnemar),
        "subsets": _subsets(contents),
        "class_resampling": dataclass_rows(numbers.class_resampling),
        "fits": [_fit(fit) for fit in numbers.fits],
        "escape_hatch": dataclass_rows(numbers.escape_hatches),
        "accuracy_by_exposure": dataclass_rows(numbers.by_exposure),
        "confidence": dataclass_rows(numbers.by_confidence),
        "confidence_steps": dataclass_rows(numbers.confidence_steps),
        "reliability": dataclass_rows(numbers.reliability),
        "unjudged": dataclass_rows(numbers.unjudged),
        "metric_differences": dataclass_rows(numbers.differences),
        "error_consistency": dataclass_rows(numbers.error_consistency),
        "timing": _timing(numbers.timing),
        "all_wrong": _all_wrong(numbers.all_wrong),
        "best_differ": _differing(numbers),
        "review_changes": _changes(contents),
        "agreement": {
            "humans": _agreement(numbers.agreement),
            "reviewers": _agreement(contents.reviews.agreement),
        },
        "self_consistency": dataclass_rows(contents.self_consistency),
        "crowd": crowd_json(contents.crowd, contents.curation),
        "learning": dataclass_rows(contents.learning),
        "not_given": dataclass_rows(numbers.omissions),
    }


def json_bytes(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode("utf-8", "replace")


def settings_of(contents: ReportContents) -> JsonRow:
    """Return the settings that affect the numbers."""
    settings = contents.numbers.settings
    return {
        "original": settings.original,
        "new": settings.new,
        "seed": settings.seed,
        "confidence_level": INTERVAL_LEVEL,
        "fast_threshold_seconds": settings.fast_seconds,
        "class_resampling_trials": settings.trials,
        "fit_resamples": settings.resamples,
        "class_average_resamples": CLASS_RESAMPLES,
        "gap_resamples": settings.gap_resamples,
        "subsets": [subset.key for subset in contents.numbers.subsets],
        "program_version": contents.program_version,
        "names": bool(contents.names),
    }


def _participants(contents: ReportContents) -> list[JsonRow]:
    study = contents.numbers.study
    kinds = [(code, "human") for code in study.humans] + [(code, "model") for code in study.models]
    listed = [
        {"participant": code, "kind": kind, "description": contents.descriptions.get(code, "")}
        for code, kind in kinds
    ]
    if not contents.names:
        return listed
    return [{**row, "name": contents.names.get(row["participant"], "")} for row in listed]


def accuracy_row(row: Accuracy) -> JsonRow:
    """Return an accuracy as a row of report.json."""
    return {
        "participant": row.participant,
        "kind": str(row.kind),
        "dataset": row.dataset,
        "subset": row.subset,
        "metric": str(row.metric),
        "correct": row.correct,
        "total": row.total,
        "accuracy": row.accuracy,
        "ci_low": row.ci_low,
        "ci_high": row.ci_high,
    }


def gap_rows(numbers: StudyNumbers, rows: Iterable[Any]) -> list[JsonRow]:
    """Return gaps as rows of report.json, with the datasets and how they were resampled."""
    found = numbers.gap_statistics
    shared = {
        "dataset_original": found.original,
        "dataset_new": found.new,
        "resampled": str(found.resampled),
        "resamples": found.resamples,
    }
    return [{**row, **shared} for row in dataclass_rows(rows)]


def sensitivity_row(row: SensitivityRow) -> JsonRow:
    """Return one alternative of the sensitivity table as a row of report.json."""

    def numbers_of(group: GapGroupRow | None) -> JsonRow | None:
        if group is None:
            return None
        kept = ("gap", "ci_low", "ci_high", "p_value")
        return {name: getattr(group, name) for name in kept}

    return {
        "alternative": row.alternative,
        "images_original": row.images_original,
        "images_new": row.images_new,
        "humans": numbers_of(row.humans),
        "models": numbers_of(row.models),
        "difference": numbers_of(row.difference),
    }


def _subsets(contents: ReportContents) -> list[JsonRow]:
    """Say how many images each subset has, and which other subset has the same."""
    index = AccuracyIndex(contents)
    return [
        {
            "subset": subset.key,
            "title": subset.title,
            "images": {
                scored.name: int(scored.members_of(subset.key).sum())
                for scored in contents.numbers.scored
            },
            "same_images_as": index.same_images_as(subset.key),
        }
        for subset in contents.numbers.subsets
    ]


def _fit(fit: ModelFit) -> JsonRow:
    region = fit.region
    return {
        "metric": str(fit.metric),
        "subset": fit.subset,
        "original": fit.original,
        "new": fit.new,
        "scale": str(fit.scale),
        "models": fit.models,
        "slope": fit.slope,
        "intercept": fit.intercept,
        "slope_ci": None if fit.slope_ci is None else list(fit.slope_ci),
        "intercept_ci": None if fit.intercept_ci is None else list(fit.intercept_ci),
        "resamples": fit.resamples,
        "degenerate_resamples": fit.degenerate,
        "adjusted": list(fit.adjusted),
        "region": None if region is None else dataclass_rows([region])[0],
        "r": fit.quality.r,
        "r_squared": fit.quality.r_squared,
        "slope_standard_error": fit.quality.slope_error,
        "residual_standard_error": fit.quality.residual_error,
    }


def _timing(timing: Timing) -> JsonRow:
    return {
        "per_participant": dataclass_rows(timing.per_participant),
        "per_image_median_histogram": {
            "edges": list(timing.edges),
            "counts": list(timing.counts),
        },
        "fast_threshold_seconds": timing.fast_threshold_seconds,
        "fast_images": dict(timing.fast_images),
        "accuracy_by_time": dataclass_rows(timing.bands),
    }


def _all_wrong(wrong: AllWrongImages) -> JsonRow:
    return {
        "humans": _images(wrong.humans),
        "models": _images(wrong.models),
        "both": _images(wrong.both),
        "only_models": _images(wrong.only_models),
        "metric": str(wrong.metric),
    }


def _differing(numbers: StudyNumbers) -> JsonRow | None:
    found = numbers.differing
    if found is None:
        return None
    return {
        "human": found.human,
        "model": found.model,
        "only_human": _images(found.only_human),
        "only_model": _images(found.only_model),
    }


def _images(keys: Iterable[ImageKey]) -> list[JsonRow]:
    return [{"dataset": key.dataset, "image": key.image} for key in keys]


def _changes(contents: ReportContents) -> Mapping[str, int | None]:
    """Return the counts of changes; all None if there weren't two reviews."""
    changes = contents.reviews.changes
    if changes is None:
        return {"unchanged": None, "added": None, "modified": None}
    return {
        "unchanged": changes.unchanged,
        "added": changes.added,
        "modified": changes.modified,
    }


def _agreement(measures: Agreement | None) -> JsonRow:
    if measures is None:
        measures = Agreement(
            raters=0, units=0, percent=None, cohen=None, fleiss=None, krippendorff=None
        )
    return {
        "raters": measures.raters,
        "units": measures.units,
        "percent": measures.percent,
        "cohen_kappa": measures.cohen,
        "fleiss_kappa": measures.fleiss,
        "krippendorff_alpha": measures.krippendorff,
    }
