"""Writing a study's answers as other people's programs read them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from labeler.core.errors import Refused
from labeler.formats import model_vs_human as trials_of
from labeler.formats import timm_results as results_of
from labeler.formats.model_vs_human import Trial, model_vs_human
from labeler.formats.timm_results import Result, timm_results
from labeler.store.exchange.prediction_lines import prediction_lines
from labeler.store.exchange.summary import ExportSummary, FileExport
from labeler.store.exchange.tables import dataset_lines
from labeler.store.exchange.writing import replacing, write_table
from labeler.store.model_predictions import StoredPredictions
from labeler.store.study import StudyStore

_MILLION = 1_000_000
_FIVE = 5

# A file's name, its header, its rows.
_File = tuple[str, tuple[str, ...], Iterable[tuple[object, ...]]]


class ExportFormat(StrEnum):
    """Formats of other programs that a study is written in."""

    MODEL_VS_HUMAN = "model-vs-human"
    TIMM_RESULTS = "timm-results"


def export_foreign(store: StudyStore, folder: Path, wanted: ExportFormat) -> ExportSummary:
    """Write the files of one format, all of them or none."""
    with replacing(folder) as aside:
        return ExportSummary(
            tuple(
                FileExport(name, write_table(aside / name, header, rows))
                for name, header, rows in _FILES[wanted](store)
            )
        )


def _trial_files(store: StudyStore) -> Iterator[_File]:
    with store.read() as study:
        targets = {(row[0], row[1]): str(row[2]) for row in dataset_lines(study.session)}
        lines = prediction_lines(study.session, lambda _done, _total: None)
        files = list(model_vs_human(_trials(lines, targets)))
    if not files:
        raise Refused("Nobody has answered yet, so there are no trials to write.")
    return ((name, trials_of.COLUMNS, rows) for name, rows in files)


def _trials(
    lines: Iterable[tuple[Any, ...]], targets: Mapping[tuple[object, object], str]
) -> Iterator[Trial]:
    for code, dataset, image, rank, label, _score, active, wall, shown_at, *_hatch in lines:
        if rank == 1:
            target = targets[dataset, image]
            yield Trial(code, dataset, image, label, target, active or wall, shown_at)


def _result_files(store: StudyStore) -> Iterator[_File]:
    with store.read() as study:
        stored = study.model_predictions.all()
        datasets = list(dict.fromkeys(one.dataset for one in stored))
        targets = {
            name: np.array([image.target for image in study.model_predictions.images(name)])
            for name in datasets
        }
    if not stored:
        raise Refused("No model has predictions yet, so there are no results to write.")
    return (
        (
            f"results-{quote(name, safe='')}.csv",
            results_of.COLUMNS,
            timm_results(_result(one, targets[name]) for one in stored if one.dataset == name),
        )
        for name in datasets
    )


def _result(one: StoredPredictions, targets: "np.ndarray[Any, Any]") -> Result:
    labels = one.predictions.labels
    right = labels == targets[: len(labels), None]
    answered = max(1, one.answered)
    transform = one.provenance.get("identity", {}).get("transform", {})
    parameters = one.provenance.get("parameters")
    return Result(
        model=one.model,
        top1=float(right[:, 0].sum()) / answered,
        top5=float(right[:, :_FIVE].any(axis=1).sum()) / answered,
        img_size=str(transform.get("input_size", [""])[-1]),
        param_count="" if parameters is None else f"{parameters / _MILLION:.2f}",
        crop_pct=str(transform.get("crop_pct", "")),
        interpolation=str(transform.get("interpolation", "")),
    )


_FILES: dict[ExportFormat, Callable[[StudyStore], Iterator[_File]]] = {
    ExportFormat.MODEL_VS_HUMAN: _trial_files,
    ExportFormat.TIMM_RESULTS: _result_files,
}
assert set(_FILES) == set(ExportFormat)
