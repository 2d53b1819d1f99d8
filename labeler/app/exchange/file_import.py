"""Bringing files into a study: looked at first, then all of it or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from labeler.app.exchange.file_recognition import ForeignFile, ForeignFormat, recognise_files
from labeler.app.exchange.foreign_import import foreign_rows
from labeler.app.progress import Progress
from labeler.app.told_steps import told_steps
from labeler.core.study.entities import ImageKey, ProblemReason
from labeler.core.text import counted
from labeler.store.exchange.csv_reader import Progress as Steps
from labeler.store.exchange.files import Found
from labeler.store.exchange.foreign_import import Rows, import_foreign_rows, preview_foreign_rows
from labeler.store.exchange.importer import import_found
from labeler.store.exchange.preview import Preview, preview_files
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore

Outcome = TypeVar("Outcome", covariant=True)

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
class FilesSeen:
    """What was recognised, what it would bring, and what a person should know of it."""

    kind: str
    preview: Preview
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
        return (*self.notes, *map(_came_in, self.files), *_ignored(self.ignored))


def see_files(store: StudyStore, paths: Sequence[Path], progress: Progress) -> FilesSeen:
    """What an import of the same files would do; nothing of it is kept."""
    progress.start("Looking at what it is", None)
    given = recognise_files(paths)
    if isinstance(given, ForeignFile):
        preview, notes = _of_foreign_rows(preview_foreign_rows, store, given, progress)
        return FilesSeen(kind=_ABOUT[given.format], preview=preview, notes=notes)
    preview = preview_files(store, given.files, progress=told_steps(progress, _READING))
    return FilesSeen(kind=_named(given), preview=preview, notes=_ignored(given.ignored))


def import_given(store: StudyStore, paths: Sequence[Path], progress: Progress) -> FilesImported:
    """Bring the files in: all of them, or nothing at all."""
    progress.start("Looking at what it is", None)
    given = recognise_files(paths)
    if isinstance(given, ForeignFile):
        files, notes = _of_foreign_rows(import_foreign_rows, store, given, progress)
        return FilesImported(files=files, ignored=(), notes=notes)
    origin = paths[0] if len(paths) == 1 else paths[0].parent
    files = import_found(store, given.files, origin=origin, progress=told_steps(progress, _READING))
    return FilesImported(files=files, ignored=given.ignored, notes=())


class _OfForeignRows(Protocol[Outcome]):
    """What is done with the rows of a foreign file: they are imported, or only looked at."""

    def __call__(
        self,
        store: StudyStore,
        rows: Rows,
        *,
        origin: Path,
        problematic: Mapping[ImageKey, ProblemReason],
        progress: Steps,
    ) -> Outcome: ...


def _of_foreign_rows(
    do: _OfForeignRows[Outcome], store: StudyStore, given: ForeignFile, progress: Progress
) -> tuple[Outcome, tuple[str, ...]]:
    """What came of the file's rows, and what a person should know of them."""
    progress.start(f"Reading {given.path.name}", None)
    found = foreign_rows(store, given)
    progress.advance(0)
    outcome = do(
        store,
        found.translated.rows,
        origin=given.path,
        problematic=found.problematic,
        progress=told_steps(progress, _READING),
    )
    return outcome, found.translated.notes


def _named(found: Found) -> str:
    names = ", ".join(
        file.name if path.name == file.name else f"{path.name} as {file.name}"
        for file, path in found.files.items()
    )
    return f"The exchange format: {names}."


def _contents(preview: Preview) -> tuple[str, ...]:
    """Whose images and answers they are; a long list is told by its length."""
    sentences = []
    if preview.datasets:
        named = [f"{name} ({counted(n, 'image')})" if n else name for name, n in preview.datasets]
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


def _came_in(file: FileImport) -> str:
    known = f", {counted(file.skipped, 'was', 'were')} there" if file.skipped else ""
    return f"{file.file}: {counted(file.added, 'row')} added{known}."


def _ignored(names: Sequence[str]) -> tuple[str, ...]:
    return (f"Not of this format, and ignored: {', '.join(names)}.",) if names else ()
