"""A study's answers as other people's programs read them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import numpy as np

from labeler.core.errors import RefusedError
from labeler.formats import model_vs_human as trials_of
from labeler.formats import timm_results as results_of
from labeler.formats.model_vs_human import (
    ModelVsHumanTrial,
    model_vs_human_files,
    session_file_name,
)
from labeler.formats.timm_results import TimmResult, timm_result_rows
from labeler.store.exchange.export_rows import dataset_export_rows
from labeler.store.exchange.prediction_lines import (
    human_export_rows,
    model_prediction_counts,
    prediction_export_rows,
)
from labeler.store.models.predictions import StoredPredictions
from labeler.store.study_store import StudyStore, Transaction

_MILLION = 1_000_000
_FIVE = 5
_NO_TRIALS = "Nobody has answered yet, so there are no trials to write."

ExportHeader = tuple[str, ...]
ExportRows = list[tuple[object, ...]]
ExportStep = Callable[[int, int], None]


def trial_files(
    store: StudyStore, step: ExportStep
) -> Iterator[tuple[str, ExportHeader, ExportRows]]:
    """Names, headers and rows for model-vs-human; no more than one participant's at a time."""
    with store.read() as study:
        targets = {(row[0], row[1]): str(row[2]) for row in dataset_export_rows(study.session)}
        lines = prediction_export_rows(study.session, step, ranks=1)
        written = False
        for name, rows in model_vs_human_files(_trials(lines, targets)):
            written = True
            yield name, trials_of.MODEL_VS_HUMAN_COLUMNS, rows
    if not written:
        raise RefusedError(_NO_TRIALS)


def trial_counts(store: StudyStore) -> Iterator[tuple[str, int]]:
    """The same files with how many rows each has; models' millions are only counted."""
    with store.read() as study:
        targets = {(row[0], row[1]): str(row[2]) for row in dataset_export_rows(study.session)}
        counted = False
        for name, rows in model_vs_human_files(_trials(human_export_rows(study.session), targets)):
            counted = True
            yield name, len(rows)
        for model, dataset, count in model_prediction_counts(study.session, ranks=1):
            counted = True
            yield session_file_name(dataset, model, 1), count
    if not counted:
        raise RefusedError(_NO_TRIALS)


def _trials(
    lines: Iterable[tuple[Any, ...]], targets: Mapping[tuple[object, object], str]
) -> Iterator[ModelVsHumanTrial]:
    for code, dataset, image, _rank, label, _score, active, wall, shown_at, *_hatch in lines:
        yield ModelVsHumanTrial(
            code, dataset, image, label, targets[dataset, image], active or wall, shown_at
        )


def result_files(
    store: StudyStore, step: ExportStep
) -> Iterator[tuple[str, ExportHeader, ExportRows]]:
    """Names, headers and rows of results as timm's, a file for each dataset."""
    with store.read() as study:
        stored = study.model_predictions.all()
        datasets = list(dict.fromkeys(one.dataset for one in stored))
        for done, name in enumerate(datasets, start=1):
            targets = _targets(study, name)
            results = (_result(one, targets) for one in stored if one.dataset == name)
            file = f"results-{quote(name, safe='')}.csv"
            yield file, results_of.TIMM_RESULT_COLUMNS, list(timm_result_rows(results))
            step(done, len(datasets))
    if not stored:
        raise RefusedError("No model has predictions yet, so there are no results to write.")


def _targets(study: Transaction, dataset: str) -> "np.ndarray[Any, Any]":
    return np.array([image.target for image in study.model_predictions.images(dataset)])


def _result(one: StoredPredictions, targets: "np.ndarray[Any, Any]") -> TimmResult:
    labels = one.predictions.labels
    right = labels == targets[: len(labels), None]
    answered = max(1, one.answered)
    transform = one.provenance.get("identity", {}).get("transform", {})
    parameters = one.provenance.get("parameters")
    several = one.predictions.ranks > 1
    return TimmResult(
        model=one.model,
        top1=float(right[:, 0].sum()) / answered,
        top5=float(right[:, :_FIVE].any(axis=1).sum()) / answered if several else None,
        img_size=str(transform.get("input_size", [""])[-1]),
        param_count="" if parameters is None else f"{parameters / _MILLION:.2f}",
        crop_pct=str(transform.get("crop_pct", "")),
        interpolation=str(transform.get("interpolation", "")),
    )
