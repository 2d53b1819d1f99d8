"""Importing and exporting files for the lead; the calls may block and report progress."""

from collections.abc import Sequence
from pathlib import Path

from labeler.app.exchange.export_formats import ExportFormat
from labeler.app.exchange.file_export import (
    ExportPreview,
    export_study,
    preview_export,
)
from labeler.app.exchange.file_import import FilesPreview, preview_file_import, run_file_import
from labeler.app.exchange.file_recognition import find_predictions_file
from labeler.app.models.prediction_import import (
    PredictionFile,
    import_prediction_file,
    preview_predictions,
)
from labeler.app.models.scoring_request import DatasetScoringResult
from labeler.app.progress import ProgressReporter
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore

_NAMED = 6


class FileExchange:
    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def see(self, paths: Sequence[Path], progress: ProgressReporter) -> FilesPreview | Path:
        """Preview the files, or return an array of predictions, which needs more details."""
        return find_predictions_file(paths) or preview_file_import(self._store, paths, progress)

    def see_scores(self, given: PredictionFile, progress: ProgressReporter) -> tuple[str, ...]:
        """Preview the predictions without importing them."""
        progress.start(f"Reading {given.file.name}", None)
        seen = preview_predictions(self._store, given)
        return (f"{predictions_text(seen)} {NOTHING_IMPORTED_YET}",)

    def take_scores(self, given: PredictionFile, progress: ProgressReporter) -> tuple[str, ...]:
        """Import the predictions, all or nothing."""
        progress.start(f"Importing {given.file.name}", None)
        return (f"Imported. {predictions_text(import_prediction_file(self._store, given))}",)

    def take(self, paths: Sequence[Path], progress: ProgressReporter) -> tuple[str, ...]:
        """Import the files, all or nothing."""
        files = run_file_import(self._store, paths, progress).files
        added, known = sum(f.added for f in files), sum(f.skipped for f in files)
        named = ", ".join(f"{file.added:,} in {file.file}" for file in files if file.added)
        sentence = f"Imported {count_noun(added, 'row')}" + (f": {named}." if named else ".")
        return (
            f"{sentence} {count_noun(known, 'row was', 'rows were')} already there."
            if known
            else sentence,
        )

    def see_export(
        self, folder: Path, wanted: ExportFormat, progress: ProgressReporter
    ) -> ExportPreview:
        """Preview an export to the folder."""
        return preview_export(self._store, folder, wanted, progress)

    def give(
        self, folder: Path, wanted: ExportFormat, *, names: bool, progress: ProgressReporter
    ) -> tuple[str, ...]:
        """Export the study to the folder, all or nothing."""
        there = {*folder.glob("*"), *folder.glob("*/*.tex")}
        summary = export_study(self._store, folder, wanted, names=names, progress=progress)
        replaced = sum(folder / file.file in there for file in summary.files)
        named = ", ".join(file.file for file in summary.files[:_NAMED])
        more = len(summary.files) - _NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        rows = sum(file.rows or 0 for file in summary.files)
        count = f", {count_noun(rows, 'row')}" if rows else ""
        written = count_noun(len(summary.files), "file")
        instead = f" {replaced_text(replaced)}" if replaced else ""
        return (f"Exported {written}{count} to {folder}: {named}{rest}.{instead}",)


NOTHING_IMPORTED_YET = "Nothing is imported yet."


def replaced_text(count: int) -> str:
    return f"Replaced {count_noun(count, 'existing file')}."


def predictions_text(scored: DatasetScoringResult) -> str:
    answered = f"{scored.answered:,} of {count_noun(scored.images, 'image')}"
    accuracy = "" if scored.top1 is None else f", top-1 accuracy {scored.top1:.2%}"
    return f"{scored.model} on {scored.dataset}: predictions for {answered}{accuracy}."
