"""Importing files into a study: preview first, then all or nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from labeler.app.exchange.file_recognition import ForeignFile, ForeignFormat, recognise_files
from labeler.app.progress import ProgressReporter, step_reporter
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.models.real_labels import parse_real_labels
from labeler.core.study.entities import DatasetRole, ImageKey, ProblemReason
from labeler.core.text import count_noun
from labeler.formats.human_accuracy_json import translate_human_accuracy_json
from labeler.formats.human_accuracy_pickle import translate_human_accuracy_pickle
from labeler.formats.real_json import translate_real
from labeler.formats.translation import KnownImage, Translation
from labeler.store.exchange.csv_reader import FileProgress as Steps
from labeler.store.exchange.files import ExchangePaths
from labeler.store.exchange.foreign_import import (
    RowsByFile,
    import_foreign_rows,
    preview_foreign_rows,
)
from labeler.store.exchange.importer import import_found_files
from labeler.store.exchange.preview import ImportPreview, preview_files
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class ForeignRows:
    """The translated rows of a file, and its problematic images."""

    translated: Translation
    problematic: Mapping[ImageKey, ProblemReason]


def foreign_rows(store: StudyStore, given: ForeignFile) -> ForeignRows:
    """Translate the file for this study; errors are reported with their position."""
    classes, file = store.taxonomy.class_wnids, given.path
    if classes != load_default().class_wnids:
        raise RefusedError(f"'{file}' is about ImageNet's 1,000 classes. This study has others.")
    if given.format is ForeignFormat.HUMAN_ACCURACY:
        return ForeignRows(translate_human_accuracy_pickle(file, classes), {})
    images = _images(store)
    if given.format is ForeignFormat.REAL:
        labels = parse_real_labels(given.document, file=str(file))
        return ForeignRows(translate_real(labels, images, classes, file=file), {})
    judged = translate_human_accuracy_json(given.document, images, classes, file=file)
    problematic = {ImageKey(i.dataset, i.name): why for i, why in judged.problematic.items()}
    translated = judged.translated
    notes = (*translated.notes, *_problematic_sentence(problematic.values()))
    return ForeignRows(replace(translated, notes=notes), problematic)


def _problematic_sentence(reasons: Iterable[ProblemReason]) -> Iterator[str]:
    """Say how many images are marked and why, since they aren't in the rows."""
    counts = Counter(reasons)
    if counts:
        why = ", ".join(
            f"{counts[reason]:,} {reason}" for reason in ProblemReason if counts[reason]
        )
        images = count_noun(counts.total(), "image is", "images are")
        yield f"{images} marked as problematic: {why}."


def _images(store: StudyStore) -> list[KnownImage]:
    wnids = store.taxonomy.class_wnids
    with store.read() as study:
        return [
            KnownImage(dataset.name, image.name, wnids[image.target])
            for dataset in study.datasets.all(DatasetRole.EVALUATION)
            for image in study.model_predictions.images(dataset.name)
        ]


ResultT = TypeVar("ResultT", covariant=True)

_READING = "Reading {} (bytes)"
FORMAT_DESCRIPTIONS = {
    ForeignFormat.HUMAN_ACCURACY: "The data of “Evaluating Machine Accuracy on ImageNet” "
    "(human_accuracy.pickle), a whole study.",
    ForeignFormat.JUDGED: "Multi-labels and problematic images of “Evaluating Machine Accuracy on "
    "ImageNet” (human_accuracy_v3.0.0.json).",
    ForeignFormat.REAL: "Reassessed labels of ImageNet's validation images (real.json).",
}
assert set(FORMAT_DESCRIPTIONS) == set(ForeignFormat)
ROLES_HINT = (
    "The file doesn't say which roles people have. People with answers become labelers, people "
    "with verdicts reviewers. You can assign other roles in Set up, step “People”."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesPreview:
    """The recognised format, the preview, and notes."""

    kind: str
    preview: ImportPreview
    notes: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        """A summary to show above the rows."""
        return (*_contents(self.preview), *self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesImported:
    """The imported files, in terms of the exchange format."""

    files: tuple[FileImport, ...]
    notes: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        return (*self.notes, *map(_imported_sentence, self.files))


def preview_file_import(
    store: StudyStore, paths: Sequence[Path], progress: ProgressReporter, *, updates: bool = False
) -> FilesPreview:
    """Preview an import of the files; changes nothing."""
    progress.start("Recognising files", None)
    given = recognise_files(paths)
    if isinstance(given, ForeignFile):
        _refuse_updates(given, updates)
        preview, notes = _of_foreign_rows(preview_foreign_rows, store, given, progress)
        return FilesPreview(kind=FORMAT_DESCRIPTIONS[given.format], preview=preview, notes=notes)
    preview = preview_files(
        store, given, progress=step_reporter(progress, _READING), updates=updates
    )
    return FilesPreview(kind=_named(given), preview=preview, notes=())


def run_file_import(
    store: StudyStore, paths: Sequence[Path], progress: ProgressReporter, *, updates: bool = False
) -> FilesImported:
    """Import the files, all or nothing; with `updates` a row that differs is the next revision."""
    progress.start("Recognising files", None)
    given = recognise_files(paths)
    if isinstance(given, ForeignFile):
        _refuse_updates(given, updates)
        files, notes = _of_foreign_rows(import_foreign_rows, store, given, progress)
        return FilesImported(files=files, notes=notes)
    origin = paths[0] if len(paths) == 1 else paths[0].parent
    files = import_found_files(
        store, given, origin=origin, progress=step_reporter(progress, _READING), updates=updates
    )
    return FilesImported(files=files, notes=())


def _refuse_updates(given: ForeignFile, updates: bool) -> None:
    if updates:
        raise RefusedError(
            f"'{given.path}' isn't in the exchange format, so it can't update the study. Import it "
            "without updating."
        )


class _OfForeignRows(Protocol[ResultT]):
    """Imports or previews the rows of a foreign file."""

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
    """Import or preview the file's rows, and return the result with notes."""
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


def _named(found: ExchangePaths) -> str:
    names = ", ".join(
        file.name if path.name == file.name else f"{path.name} as {file.name}"
        for file, path in found.items()
    )
    return f"The exchange format: {names}."


def _contents(preview: ImportPreview) -> tuple[str, ...]:
    """List the datasets, people and models; long lists are cut."""
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
        sentences.append(ROLES_HINT)
    return tuple(sentences)


_NAMED = 6


def _few(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _noun(count: int, noun: str) -> str:
    plural = {"Person": "People"}.get(noun, f"{noun}s")
    return noun if count == 1 else plural


def _imported_sentence(file: FileImport) -> str:
    known = f", {file.skipped:,} already there" if file.skipped else ""
    new = count_noun(file.added - file.updated, "row")
    updated = f", {file.updated:,} updated" if file.updated else ""
    return f"{file.file}: {new} added{updated}{known}."
