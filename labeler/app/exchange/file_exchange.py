"""The lead's desk for files in and out; its calls may block, and tell how far they are."""

from collections.abc import Sequence
from pathlib import Path

from labeler.app.exchange.file_export import ExportFormat, ExportSeen, export_as, see_export
from labeler.app.exchange.file_import import FilesSeen, import_given, see_files
from labeler.app.exchange.file_recognition import scores_file
from labeler.app.models.prediction_import import (
    MadeElsewhere,
    import_made_elsewhere,
    see_made_elsewhere,
)
from labeler.app.models.scoring_request import DatasetScored
from labeler.app.progress import Progress
from labeler.core.text import counted
from labeler.store.study_store import StudyStore

_NAMED = 6


class FilesDesk:
    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def see(self, paths: Sequence[Path], progress: Progress) -> FilesSeen | Path:
        """What the files would bring, nothing is kept; or a file of scores, to be asked about."""
        return scores_file(paths) or see_files(self._store, paths, progress)

    def see_scores(self, given: MadeElsewhere, progress: Progress) -> tuple[str, ...]:
        """What the predictions would be; nothing is kept."""
        progress.start(f"Reading {given.file.name}", None)
        seen = see_made_elsewhere(self._store, given)
        return (f"{_scores_told(seen)} Nothing is imported yet.",)

    def take_scores(self, given: MadeElsewhere, progress: Progress) -> tuple[str, ...]:
        """Bring the predictions in, all of them or nothing."""
        progress.start(f"Importing {given.file.name}", None)
        return (f"Imported. {_scores_told(import_made_elsewhere(self._store, given))}",)

    def take(self, paths: Sequence[Path], progress: Progress) -> tuple[str, ...]:
        """Bring the files in, all of them or nothing."""
        files = import_given(self._store, paths, progress).files
        added, known = sum(f.added for f in files), sum(f.skipped for f in files)
        named = ", ".join(f"{file.added:,} in {file.file}" for file in files if file.added)
        told = f"Imported {counted(added, 'row')}" + (f": {named}." if named else ".")
        return (f"{told} {counted(known, 'was', 'were')} there already." if known else told,)

    def see_export(self, folder: Path, wanted: ExportFormat, progress: Progress) -> ExportSeen:
        """What would be written there."""
        return see_export(self._store, folder, wanted, progress)

    def give(
        self, folder: Path, wanted: ExportFormat, *, names: bool, progress: Progress
    ) -> tuple[str, ...]:
        """Write the study there, all of it or nothing."""
        there = {*folder.glob("*"), *folder.glob("*/*.tex")}
        summary = export_as(self._store, folder, wanted, names=names, progress=progress)
        replaced = sum(folder / file.file in there for file in summary.files)
        named = ", ".join(file.file for file in summary.files[:_NAMED])
        more = len(summary.files) - _NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        rows = sum(file.rows or 0 for file in summary.files)
        told = f", {counted(rows, 'row')}" if rows else ""
        written = counted(len(summary.files), "file")
        instead = f" {counted(replaced, 'file')} that lay there went." if replaced else ""
        return (f"Wrote {written}{told} to {folder}: {named}{rest}.{instead}",)


def _scores_told(scored: DatasetScored) -> str:
    answered = f"{scored.answered:,} of {counted(scored.images, 'image')}"
    right = "" if scored.top1 is None else f", {scored.top1:.2%} of them with the target first"
    return f"{scored.model} on {scored.dataset}: predictions for {answered}{right}."
