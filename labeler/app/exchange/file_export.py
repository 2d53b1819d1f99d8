"""Exporting a study as files: preview, what a format leaves out, and writing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from labeler.app.exchange.data_packages import package_files, package_writer
from labeler.app.exchange.export_formats import (
    EXCHANGE_EXPORTS,
    ExportFormat,
    format_omissions,
)
from labeler.app.progress import ProgressReporter, step_reporter
from labeler.app.results.report_data import ReportFormat, ReportRequest
from labeler.core.errors import RefusedError
from labeler.formats import model_vs_human as trials_of
from labeler.formats import timm_results as results_of
from labeler.formats.model_vs_human import (
    ModelVsHumanTrial,
    model_vs_human_files,
    session_file_name,
)
from labeler.formats.timm_results import TimmResult, timm_result_rows
from labeler.images.layouts import DatasetLayout
from labeler.store.engine.atomic_folder import replace_folder_atomically
from labeler.store.exchange.export_rows import (
    dataset_export_rows,
    human_export_rows,
    model_prediction_counts,
    prediction_export_rows,
)
from labeler.store.exchange.exporter import export_counts, export_exchange, write_table
from labeler.store.exchange.summary import ExportSummary, FileExport
from labeler.store.models.predictions import StoredPredictions
from labeler.store.study_store import StudyStore, Transaction

_MILLION = 1_000_000
_FIVE = 5
NO_TRIALS = "There are no answers yet, so there are no trials to export."
NO_RESULTS = "No model has predictions yet, so there are no results to export."

ExportHeader = tuple[str, ...]
ExportRows = list[tuple[object, ...]]
ExportStep = Callable[[int, int], None]


def trial_files(
    store: StudyStore, step: ExportStep
) -> Iterator[tuple[str, ExportHeader, ExportRows]]:
    """Yield name, header and rows of each model-vs-human file, one participant at a time."""
    with store.read() as study:
        targets = {(row[0], row[1]): str(row[2]) for row in dataset_export_rows(study.session)}
        lines = prediction_export_rows(study.session, step, ranks=1)
        written = False
        for name, rows in model_vs_human_files(_trials(lines, targets)):
            written = True
            yield name, trials_of.MODEL_VS_HUMAN_COLUMNS, rows
    if not written:
        raise RefusedError(NO_TRIALS)


def trial_counts(store: StudyStore) -> Iterator[tuple[str, int]]:
    """Yield the same files with their row counts, without reading the models' millions of rows."""
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
        raise RefusedError(NO_TRIALS)


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
    """Yield name, header and rows of a timm results file for each dataset."""
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
        raise RefusedError(NO_RESULTS)


def _targets(study: Transaction, dataset: str) -> np.ndarray[Any, Any]:
    return np.array([image.target for image in study.model_predictions.images(dataset)])


def _result(one: StoredPredictions, targets: np.ndarray[Any, Any]) -> TimmResult:
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


_FOREIGN: dict[
    ExportFormat, Callable[[StudyStore, ExportStep], Iterator[tuple[str, ExportHeader, ExportRows]]]
] = {
    ExportFormat.MODEL_VS_HUMAN: trial_files,
    ExportFormat.TIMM_RESULTS: result_files,
}
_TABLES = "tables"
_AS_PARQUET = {ExportFormat.PARQUET, ExportFormat.HUGGING_FACE}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPreview:
    """The files of an export; `replaced` already exist, `omitted` says what is left out.

    `files` is empty for LaTeX, whose tables are known only when they are made.
    """

    files: tuple[FileExport, ...]
    replaced: tuple[str, ...]
    omitted: tuple[str, ...]


def preview_export(
    store: StudyStore,
    folder: Path,
    wanted: ExportFormat,
    progress: ProgressReporter,
    *,
    history: bool = False,
) -> ExportPreview:
    """Return what `export_study` would write; writes nothing."""
    _require_no_images(store, folder)
    progress.start("Counting rows", None)
    files = _counted(store, wanted, progress, history=history)
    names = [file.file for file in files]
    if wanted is ExportFormat.LATEX:
        names = [f"{_TABLES}/{file.name}" for file in sorted((folder / _TABLES).glob("*.tex"))]
    return ExportPreview(
        files=files,
        replaced=tuple(name for name in names if (folder / name).exists()),
        omitted=format_omissions(wanted),
    )


def export_study(
    store: StudyStore,
    folder: Path,
    wanted: ExportFormat,
    *,
    names: bool = False,
    history: bool = False,
    for_spreadsheets: bool = False,
    pictures: bool = False,
    progress: ProgressReporter,
) -> ExportSummary:
    """Write the files of one format, all or nothing; `names` includes people's names.

    `history` affects the formats with all tables, `for_spreadsheets` the exchange format, and
    `pictures` that of Hugging Face.
    """
    _require_no_images(store, folder)
    if wanted in EXCHANGE_EXPORTS:
        return export_exchange(
            store,
            folder,
            names=names,
            history=history,
            for_spreadsheets=for_spreadsheets,
            parquet=wanted in _AS_PARQUET,
            also=package_writer(store, wanted, names=names, pictures=pictures),
            progress=step_reporter(progress),
        )
    if wanted is ExportFormat.LATEX:
        return _export_tables(store, folder, names=names, progress=progress)
    step = _watched(progress, "Writing participants and datasets")
    with replace_folder_atomically(folder) as aside:
        return ExportSummary(
            tuple(
                FileExport(name, write_table(aside / name, header, rows))
                for name, header, rows in _FOREIGN[wanted](store, step)
            )
        )


def _require_no_images(store: StudyStore, folder: Path) -> None:
    """Refuse a dataset's folder, so that only images are in it."""
    place = folder.resolve()
    with store.read() as study:
        for dataset in study.datasets.all():
            root = Path(dataset.root or "")
            # The root of a listed dataset may contain unrelated folders.
            inside = dataset.layout != DatasetLayout.MANIFEST and place.is_relative_to(root)
            if dataset.root and (place == root or inside):
                raise RefusedError(
                    f"{folder} is the image folder of {dataset.name}. Choose another folder."
                )


def _counted(
    store: StudyStore, wanted: ExportFormat, progress: ProgressReporter, *, history: bool
) -> tuple[FileExport, ...]:
    if wanted is ExportFormat.LATEX:
        return ()
    if wanted in EXCHANGE_EXPORTS:
        parquet = wanted in _AS_PARQUET
        report = step_reporter(progress)
        tables = export_counts(store, history=history, parquet=parquet, progress=report)
        return (*tables, *package_files(store, wanted))
    if wanted is ExportFormat.MODEL_VS_HUMAN:
        counts = trial_counts(store)
    else:
        step = _watched(progress, "Counting datasets")
        counts = ((name, len(rows)) for name, _, rows in _FOREIGN[wanted](store, step))
    return tuple(FileExport(name, rows) for name, rows in _reported(counts, progress))


def _reported(
    counts: Iterator[tuple[str, int]], progress: ProgressReporter
) -> Iterator[tuple[str, int]]:
    """Yield the same counts, checking for cancellation."""
    for count in counts:
        progress.advance(0)
        yield count


def _export_tables(
    store: StudyStore, folder: Path, *, names: bool, progress: ProgressReporter
) -> ExportSummary:
    # Imported here because it loads matplotlib, for which the window shouldn't wait.
    from labeler.app.results.report_writer import make_report

    request, formats = ReportRequest(names=names), frozenset({ReportFormat.LATEX})
    made = make_report(store, folder, request=request, formats=formats, progress=progress)
    files = (file for file in made.files if file.parent.name == _TABLES)
    return ExportSummary(tuple(FileExport(f"{_TABLES}/{file.name}", None) for file in files))


def _watched(progress: ProgressReporter, what: str) -> ExportStep:
    report = step_reporter(progress)
    return lambda done, total: report(what, done, total)
