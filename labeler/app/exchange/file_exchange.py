"""The lead's desk for files in and out; its calls may block, and tell how far they are."""

from collections.abc import Sequence
from pathlib import Path

from labeler.app.exchange.file_export import (
    ExportFormat,
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
        """What the files would bring, nothing is kept; or a file of scores, to be asked about."""
        return find_predictions_file(paths) or preview_file_import(self._store, paths, progress)

    def see_scores(self, given: PredictionFile, progress: ProgressReporter) -> tuple[str, ...]:
        """What the predictions would be; nothing is kept."""
        progress.start(f"Reading {given.file.name}", None)
        seen = preview_predictions(self._store, given)
        return (f"{_predictions_sentences(seen)} Nothing is imported yet.",)

    def take_scores(self, given: PredictionFile, progress: ProgressReporter) -> tuple[str, ...]:
        """Bring the predictions in, all of them or nothing."""
        progress.start(f"Importing {given.file.name}", None)
        return (f"Imported. {_predictions_sentences(import_prediction_file(self._store, given))}",)

    def take(self, paths: Sequence[Path], progress: ProgressReporter) -> tuple[str, ...]:
        """Bring the files in, all of them or nothing."""
        files = run_file_import(self._store, paths, progress).files
        added, known = sum(f.added for f in files), sum(f.skipped for f in files)
        named = ", ".join(f"{file.added:,} in {file.file}" for file in files if file.added)
        sentence = f"Imported {count_noun(added, 'row')}" + (f": {named}." if named else ".")
        return (
            f"{sentence} {count_noun(known, 'was', 'were')} there already." if known else sentence,
        )

    def see_export(
        self, folder: Path, wanted: ExportFormat, progress: ProgressReporter
    ) -> ExportPreview:
        """What would be written there."""
        return preview_export(self._store, folder, wanted, progress)

    def give(
        self, folder: Path, wanted: ExportFormat, *, names: bool, progress: ProgressReporter
    ) -> tuple[str, ...]:
        """Write the study there, all of it or nothing."""
        there = {*folder.glob("*"), *folder.glob("*/*.tex")}
        summary = export_study(self._store, folder, wanted, names=names, progress=progress)
        replaced = sum(folder / file.file in there for file in summary.files)
        named = ", ".join(file.file for file in summary.files[:_NAMED])
        more = len(summary.files) - _NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        rows = sum(file.rows or 0 for file in summary.files)
        count = f", {count_noun(rows, 'row')}" if rows else ""
        written = count_noun(len(summary.files), "file")
        instead = f" {count_noun(replaced, 'file')} that lay there went." if replaced else ""
        return (f"Wrote {written}{count} to {folder}: {named}{rest}.{instead}",)


def _predictions_sentences(scored: DatasetScoringResult) -> str:
    answered = f"{scored.answered:,} of {count_noun(scored.images, 'image')}"
    right = "" if scored.top1 is None else f", {scored.top1:.2%} of them with the target first"
    return f"{scored.model} on {scored.dataset}: predictions for {answered}{right}."
