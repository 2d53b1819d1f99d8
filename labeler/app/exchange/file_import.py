"""Bringing files into a study: looked at first, then all of it or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from labeler.app.exchange.file_recognition import ForeignFile, ForeignFormat, recognise_files
from labeler.app.exchange.foreign_import import foreign_rows
from labeler.app.progress import ProgressReporter
from labeler.app.told_steps import step_reporter
from labeler.core.study.entities import ImageKey, ProblemReason
from labeler.core.text import count_noun
from labeler.store.exchange.csv_reader import FileProgress as Steps
from labeler.store.exchange.files import FoundFiles
from labeler.store.exchange.foreign_import import (
    RowsByFile,
    import_foreign_rows,
    preview_foreign_rows,
)
from labeler.store.exchange.importer import import_found_files
from labeler.store.exchange.preview import ImportPreview, preview_files
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore

ResultT = TypeVar("ResultT", covariant=True)

_READING = "Reading {} (bytes)"
_ABOUT = {
    ForeignFormat.HUMAN_ACCURACY: "The data of “Evaluating Machine Accuracy on ImageNet” "
    "(human_accuracy.pickle): a whole study.",
    ForeignFormat.JUDGED: "Multi-labels and problematic images of “Evaluating Machine Accuracy on "
    "ImageNet” (human_accuracy_v3.0.0.json).",
    ForeignFormat.REAL: "Reassessed labels of ImageNet's validation images (real.json).",
}
assert set(_ABOUT) == set(ForeignFormat)
_ROLES = (
    "People come without roles: who has answers becomes a labeler, who has verdicts a reviewer. "
    "Give them all others under “People” in Set up."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesPreview:
    """What was recognised, what it would bring, and what a person should know of it."""

    kind: str
    preview: ImportPreview
    notes: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        """What is in it, as one reads it before the rows."""
        return (*_contents(self.preview), *self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesImported:
    """What came in, in terms of the exchange format."""

    files: tuple[FileImport, ...]
    ignored: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        return (*self.notes, *map(_imported_sentence, self.files), *_ignored(self.ignored))


def preview_file_import(
    store: StudyStore, paths: Sequence[Path], progress: ProgressReporter
) -> FilesPreview:
    """What an import of the same files would do; nothing of it is kept."""
    progress.start("Looking at what it is", None)
    given = recognise_files(paths)
    if isinstance(given, ForeignFile):
        preview, notes = _of_foreign_rows(preview_foreign_rows, store, given, progress)
        return FilesPreview(kind=_ABOUT[given.format], preview=preview, notes=notes)
    preview = preview_files(store, given.files, progress=step_reporter(progress, _READING))
    return FilesPreview(kind=_named(given), preview=preview, notes=_ignored(given.ignored))


def run_file_import(
    store: StudyStore, paths: Sequence[Path], progress: ProgressReporter
) -> FilesImported:
    """Bring the files in: all of them, or nothing at all."""
    progress.start("Looking at what it is", None)
    given = recognise_files(paths)
    if isinstance(given, ForeignFile):
        files, notes = _of_foreign_rows(import_foreign_rows, store, given, progress)
        return FilesImported(files=files, ignored=(), notes=notes)
    origin = paths[0] if len(paths) == 1 else paths[0].parent
    files = import_found_files(
        store, given.files, origin=origin, progress=step_reporter(progress, _READING)
    )
    return FilesImported(files=files, ignored=given.ignored, notes=())


class _OfForeignRows(Protocol[ResultT]):
    """What is done with the rows of a foreign file: they are imported, or only looked at."""

    def __call__(
        self,
        store: StudyStore,
        rows: RowsByFile,
        *,
        origin: Path,
        problematic: Mapping[ImageKey, ProblemReason],
        progress: Steps,
    ) -> ResultT: ...


def _of_foreign_rows(
    do: _OfForeignRows[ResultT], store: StudyStore, given: ForeignFile, progress: ProgressReporter
) -> tuple[ResultT, tuple[str, ...]]:
    """What came of the file's rows, and what a person should know of them."""
    progress.start(f"Reading {given.path.name}", None)
    found = foreign_rows(store, given)
    progress.advance(0)
    outcome = do(
        store,
        found.translated.rows,
        origin=given.path,
        problematic=found.problematic,
        progress=step_reporter(progress, _READING),
    )
    return outcome, found.translated.notes


def _named(found: FoundFiles) -> str:
    names = ", ".join(
        file.name if path.name == file.name else f"{path.name} as {file.name}"
        for file, path in found.files.items()
    )
    return f"The exchange format: {names}."


def _contents(preview: ImportPreview) -> tuple[str, ...]:
    """Whose images and answers they are; a long list is told by its length."""
    sentences = []
    if preview.datasets:
        named = [
            f"{name} ({count_noun(n, 'image')})" if n else name for name, n in preview.datasets
        ]
        sentences.append(f"{_noun(len(named), 'Dataset')}: {_few(named)}.")
    for noun, codes in (("Person", preview.people), ("Model", preview.models)):
        if codes:
            sentences.append(f"{_noun(len(codes), noun)}: {_few(codes)}.")
    if preview.people and preview.added:
        sentences.append(_ROLES)
    return tuple(sentences)


_NAMED = 6


def _few(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _noun(count: int, noun: str) -> str:
    plural = {"Person": "People"}.get(noun, f"{noun}s")
    return noun if count == 1 else plural


def _imported_sentence(file: FileImport) -> str:
    known = f", {count_noun(file.skipped, 'was', 'were')} there" if file.skipped else ""
    return f"{file.file}: {count_noun(file.added, 'row')} added{known}."


def _ignored(names: Sequence[str]) -> tuple[str, ...]:
    return (f"Not of this format, and ignored: {', '.join(names)}.",) if names else ()
