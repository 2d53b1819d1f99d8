"""The lead's desk for files in and out; its calls may block, and tell how far they are."""

from collections.abc import Sequence
from pathlib import Path

from labeler.app.files_in import FilesSeen, import_given, see_files
from labeler.app.files_out import ExportFormat, ExportSeen, export_as, see_export
from labeler.app.progress import Progress
from labeler.core.naming import counted
from labeler.store.study import StudyStore

_NAMED = 6


class FilesDesk:
    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def see(self, paths: Sequence[Path], progress: Progress) -> FilesSeen:
        """What the files would bring; nothing is kept."""
        return see_files(self._store, paths, progress)

    def take(self, paths: Sequence[Path], progress: Progress) -> tuple[str, ...]:
        """Bring the files in, all of them or nothing."""
        files = import_given(self._store, paths, progress).files
        added, known = sum(f.added for f in files), sum(f.skipped for f in files)
        named = ", ".join(f"{file.added:,} in {file.file}" for file in files if file.added)
        told = f"Imported {counted(added, 'row')}" + (f": {named}." if named else ".")
        return (f"{told} {known:,} were there already." if known else told,)

    def see_export(self, folder: Path, wanted: ExportFormat, progress: Progress) -> ExportSeen:
        """What would be written there."""
        return see_export(self._store, folder, wanted, progress)

    def give(
        self, folder: Path, wanted: ExportFormat, *, names: bool, progress: Progress
    ) -> tuple[str, ...]:
        """Write the study there, all of it or nothing."""
        summary = export_as(self._store, folder, wanted, names=names, progress=progress)
        named = ", ".join(file.file for file in summary.files[:_NAMED])
        more = len(summary.files) - _NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        rows = sum(file.rows or 0 for file in summary.files)
        told = f", {counted(rows, 'row')}" if rows else ""
        written = counted(len(summary.files), "file")
        return (f"Wrote {written}{told} to {folder}: {named}{rest}.",)
