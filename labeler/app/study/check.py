"""Checking a study: every problem it can have, and how to fix it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.app.background_task import TaskStopped
from labeler.app.datasets.contact_sheets import leftover_sheets, outdated_map_pages, sheet_sources
from labeler.app.datasets.relocation import missing_folder
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.runner import JobCancelled
from labeler.app.study.settings import read_study_settings
from labeler.core.clock import Clock
from labeler.core.datasets.sampling import duplicates_elsewhere
from labeler.core.errors import LabelerError
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun
from labeler.images.contact_sheets import is_current
from labeler.images.file_reader import content_hash, read_image_bytes
from labeler.images.unreadable import UnreadableImage, UnreadableReason
from labeler.store.datasets.datasets import StoredImageFile
from labeler.store.engine.integrity_check import DatabaseFaultKind
from labeler.store.study.contents_check import find_damage
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore


class StudyProblem(StrEnum):
    """A kind of problem that a study can have, the worst first."""

    DAMAGED = "damaged"
    DANGLING = "dangling"
    UNOPENABLE = "unopenable"
    INTERRUPTED = "interrupted_import"
    MISSING = "missing_image"
    CHANGED = "changed_image"
    SEEN = "sample_seen_beforehand"
    NOT_SHOWN = "image_not_shown"
    STALE_SHEET = "stale_thumbnails"
    ORPHANED_SHEET = "orphaned_thumbnails"


_REMEDIES = {
    StudyProblem.DAMAGED: "Restore a backup: `labeler backup STUDY --list`, then `--restore`.",
    StudyProblem.DANGLING: "Restore a backup: `labeler backup STUDY --list`, then `--restore`.",
    StudyProblem.UNOPENABLE: "Follow the advice in the message, then check again.",
    StudyProblem.INTERRUPTED: "Repeat the same `labeler add-dataset` to resume the import.",
    StudyProblem.MISSING: (
        "Put the file back, or set the dataset's new folder: "
        "`labeler relocate STUDY DATASET FOLDER`."
    ),
    StudyProblem.CHANGED: "Restore the original file: answers refer to the earlier picture.",
    StudyProblem.SEEN: "Draw another sample with `labeler sample STUDY --redraw --skip-seen`.",
    StudyProblem.NOT_SHOWN: (
        "Make sure that the file can be read on the labeler's computer. The labeler can then go "
        "back to the trial and answer it."
    ),
    StudyProblem.STALE_SHEET: "Run `labeler references STUDY` to build what is missing.",
    StudyProblem.ORPHANED_SHEET: "Run `labeler references STUDY` to remove what is left over.",
}
assert set(_REMEDIES) == set(StudyProblem), "every problem has a remedy"

_PROBLEM_OF_FAULT = {
    DatabaseFaultKind.DAMAGED: StudyProblem.DAMAGED,
    DatabaseFaultKind.DANGLING: StudyProblem.DANGLING,
    DatabaseFaultKind.UNREACHABLE: StudyProblem.UNOPENABLE,
}
assert set(_PROBLEM_OF_FAULT) == set(DatabaseFaultKind), (
    "every database fault is a problem of the study"
)


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One problem, where it is, and what to do about it; `role` is the dataset's."""

    problem: StudyProblem
    sentence: str
    role: DatasetRole | None = None
    dataset: str | None = None

    @property
    def remedy(self) -> str:
        return _REMEDIES[self.problem]


def check_study(
    path: Path, *, clock: Clock, contents: bool = True, progress: ProgressReporter | None = None
) -> list[CheckFinding]:
    """Return all problems of the study; `contents` compares the hash of every image."""
    folder = StudyFolder(path)
    if folder.database.is_file():
        faults = find_damage(folder.database)
        if faults:
            return [CheckFinding(_PROBLEM_OF_FAULT[fault.kind], fault.sentence) for fault in faults]
    try:
        store = open_study(path, clock=clock)
    except LabelerError as error:
        if not folder.exists():
            raise
        return [CheckFinding(StudyProblem.UNOPENABLE, str(error))]
    with store:
        return list(_findings(store, contents=contents, progress=progress or NoProgress()))


def _findings(
    store: StudyStore, *, contents: bool, progress: ProgressReporter
) -> Iterator[CheckFinding]:
    parts: tuple[tuple[str, Callable[[], Iterable[CheckFinding]]], ...] = (
        ("settings and taxonomy", lambda: _readable(store)),
        ("datasets", lambda: _interrupted(store)),
        ("images", lambda: _files(store, contents=contents, progress=progress)),
        ("sample", lambda: _seen(store)),
        ("images that couldn't be shown", lambda: _not_shown(store)),
        ("reference images", lambda: _sheets(store)),
    )
    for name, part in parts:
        yield from _unless_unreadable(name, part)


def _unless_unreadable(
    name: str, part: Callable[[], Iterable[CheckFinding]]
) -> Iterator[CheckFinding]:
    """Yield the findings; what the rest of the program couldn't read either is a finding."""
    try:
        yield from part()
    except (JobCancelled, TaskStopped):
        raise
    except Exception as error:
        sentence = str(error) if isinstance(error, LabelerError) else type(error).__name__
        yield CheckFinding(StudyProblem.DAMAGED, f"The {name} can't be read: {sentence}")


def _readable(store: StudyStore) -> Iterable[CheckFinding]:
    """Read what every screen needs: an error is the finding."""
    with store.read() as study:
        store.taxonomy_in(study)
        read_study_settings(study)
    return ()


def _interrupted(store: StudyStore) -> Iterator[CheckFinding]:
    with store.read() as study:
        for dataset in study.datasets.all():
            if not dataset.complete:
                sentence = (
                    f"The import of “{dataset.name}” stopped after {dataset.images:,} images."
                )
                yield CheckFinding(StudyProblem.INTERRUPTED, sentence, dataset.role, dataset.name)


def _files(
    store: StudyStore, *, contents: bool, progress: ProgressReporter
) -> Iterator[CheckFinding]:
    with store.read() as study:
        for dataset in study.datasets.all():
            progress.start(f"Checking {dataset.name}", dataset.images)
            gone, lost = missing_folder(dataset), 0
            for file in study.datasets.files(dataset.name):
                if gone is not None and file.path.is_relative_to(gone):
                    lost += 1
                elif finding := _file(file, dataset.role, contents=contents):
                    yield finding
                progress.advance()
            if lost:
                sentence = (
                    f"{dataset.name}: the folder {gone} with its {count_noun(lost, 'image')} is "
                    "missing or can't be read."
                )
                yield CheckFinding(StudyProblem.MISSING, sentence, dataset.role, dataset.name)


def _file(file: StoredImageFile, role: DatasetRole, *, contents: bool) -> CheckFinding | None:
    where = f"{file.key.dataset}: {file.key.image}"
    try:
        if contents and file.content_hash is not None:
            changed = content_hash(read_image_bytes(file.path)) != file.content_hash
        else:
            changed = file.byte_count not in (None, file.path.stat().st_size)
    except (UnreadableImage, OSError) as error:
        if isinstance(error, UnreadableImage) and error.reason is UnreadableReason.EMPTY:
            return CheckFinding(StudyProblem.CHANGED, f"{where} is empty now.")
        sentence = f"{where} is missing from {file.path} or can't be read."
        return CheckFinding(StudyProblem.MISSING, sentence, role, file.key.dataset)
    return CheckFinding(StudyProblem.CHANGED, f"{where} has changed.") if changed else None


def _seen(store: StudyStore) -> Iterator[CheckFinding]:
    with store.read() as study:
        found = duplicates_elsewhere(
            study.samples.candidates(), study.image_roles.seen_before_evaluation()
        )
    for collision in found:
        yield CheckFinding(
            StudyProblem.SEEN,
            f"{collision.sampled.dataset}: {collision.sampled.image} is in the sample, but is the "
            f"same picture as {collision.other.dataset}: {collision.other.image}.",
        )


def _not_shown(store: StudyStore) -> Iterator[CheckFinding]:
    with store.read() as study:
        for labeler, key in study.samples.not_shown():
            sentence = f"{key.dataset}: {key.image} couldn't be shown to {labeler}, who skipped it."
            yield CheckFinding(StudyProblem.NOT_SHOWN, sentence)


def _sheets(store: StudyStore) -> Iterator[CheckFinding]:
    folder = store.folder.thumbnails
    with store.read() as study:
        wnids = sorted(study.image_roles.reference_counts())
        sound = True
        for wnid in wnids:
            references = study.image_roles.references(wnid)
            apply_exif = any(reference.apply_exif for reference in references)
            if not is_current(folder, wnid, sheet_sources(references), apply_exif=apply_exif):
                sound = False
                name = store.taxonomy.display_names[wnid]
                sentence = (
                    f"The prepared reference images of {name} ({wnid}) are missing, damaged or "
                    "outdated."
                )
                yield CheckFinding(StudyProblem.STALE_SHEET, sentence)
    # A page is outdated whenever a sheet is, which has been reported.
    for number in outdated_map_pages(store, wnids) if sound else ():
        sentence = f"Page {number + 1} of the class map is missing, damaged or outdated."
        yield CheckFinding(StudyProblem.STALE_SHEET, sentence)
    for leftover in leftover_sheets(folder, wnids):
        sentence = f"{leftover.name} belongs to no class that has references."
        yield CheckFinding(StudyProblem.ORPHANED_SHEET, sentence)
