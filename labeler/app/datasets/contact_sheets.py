"""Preparing the contact sheets of the reference images, which can be interrupted and resumed."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from labeler.app.datasets.mosaic_pages import outdated_pages, prepare_pages
from labeler.app.datasets.relocation import missing_datasets
from labeler.app.progress import CancelCheck, NoProgress, ProgressReporter, never_cancelled
from labeler.core.errors import EnvironmentFault, os_error_reason
from labeler.core.folder_access import make_folder
from labeler.core.study.entities import Dataset, DatasetRole, ImageKey
from labeler.images.contact_sheets import build_sheet, is_current, is_outdated, orphaned_files
from labeler.images.pack_file import PACKED_REFERENCES
from labeler.images.sheet_manifest import SheetSource, jpeg_path, load_manifest, manifest_path
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.image_roles import ReferenceImage
from labeler.store.study_store import StudyStore, Transaction


@dataclass(frozen=True, slots=True)
class ReplacedReferences:
    """The dataset from which a class had its references, and the one it has them from now."""

    before: str
    now: str


@dataclass(frozen=True, slots=True)
class SheetsReport:
    """How many sheets were built or up to date, and which references couldn't be read.

    `replaced` counts the classes whose references now come from another dataset; `bare` counts
    the classes without references. Nothing is built from `missing`, datasets whose folder isn't
    there: a sheet without pictures would replace one that has them.
    """

    built: int
    current: int
    problems: tuple[tuple[ImageKey, UnreadableReason], ...]
    finished: bool
    replaced: tuple[tuple[ReplacedReferences, int], ...] = ()
    bare: int = 0
    missing: tuple[Dataset, ...] = ()


def prepare_sheets(
    store: StudyStore,
    *,
    progress: ProgressReporter | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> SheetsReport:
    """Build the contact sheets and pages that are missing or outdated, and remove unused ones."""
    watcher = progress or NoProgress()
    folder = store.folder.thumbnails
    with store.read() as study:
        wnids = sorted(study.image_roles.reference_counts())
        gone = _missing(store, study)
    _clear(folder, wnids)
    watcher.start("Preparing reference images", len(wnids))
    done: list[_Built | _Unchanged] = []
    unavailable = {one.name for one in gone}
    if gone and store.used_pack() is not None:
        unavailable.add(PACKED_REFERENCES)
    for result in _results(store, folder, wnids, unavailable, cancelled):
        watcher.advance()
        done.append(result)
    finished = len(done) == len(wnids) and prepare_pages(
        folder, _classes_on_pages(store, wnids), progress=watcher, cancelled=cancelled
    )
    built = [result for result in done if isinstance(result, _Built)]
    replaced = Counter(one.replaced for one in built if one.replaced is not None)
    return SheetsReport(
        built=len(built),
        current=done.count(_Unchanged.CURRENT),
        problems=tuple(problem for one in built for problem in one.problems),
        finished=finished,
        replaced=tuple(replaced.items()),
        bare=len(store.taxonomy.class_wnids) - len(wnids),
        missing=tuple(one for one in gone if one.role is DatasetRole.REFERENCE),
    )


def _missing(store: StudyStore, study: Transaction) -> list[Dataset]:
    """Return the datasets whose images this machine hasn't, in folders or in its pack."""
    pack = store.used_pack()
    if pack is None:
        return missing_datasets(study)
    return [] if pack.file.is_file() else study.datasets.all()


def lacks_sheets(store: StudyStore) -> bool:
    """Return whether this machine has no sheet, or one of other images, of some class.

    This only compares numbers, and so takes a moment; `prepare_sheets` compares every file.
    """
    with store.read() as study:
        counts = study.image_roles.reference_counts()
    folder = store.folder.thumbnails
    sheets = ((load_manifest(folder, wnid), count) for wnid, count in counts.items())
    return any(sheet is None or len(sheet.sound_images) != count for sheet, count in sheets)


def remove_sheets(store: StudyStore, wnids: Collection[str]) -> None:
    """Remove the sheets of classes that no longer have references."""
    folder = store.folder.thumbnails
    with store.read() as study:
        still = study.image_roles.reference_counts()
    try:
        for wnid in wnids:
            if wnid not in still:
                jpeg_path(folder, wnid).unlink(missing_ok=True)
                manifest_path(folder, wnid).unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentFault(
            f"The references are removed, but not their thumbnails in {folder} "
            f"({error.strerror}). Check the permissions, then check the study for leftovers."
        ) from error
    prepare_pages(
        folder,
        _classes_on_pages(store, still),
        progress=NoProgress(),
        cancelled=never_cancelled,
    )


def outdated_map_pages(store: StudyStore, wnids: Collection[str]) -> list[int]:
    """Return the numbers of mosaic pages that don't show the classes' contact sheets."""
    return outdated_pages(store.folder.thumbnails, _classes_on_pages(store, wnids))


def _classes_on_pages(store: StudyStore, illustrated: Collection[str]) -> Sequence[str]:
    """Return the classes on mosaic pages: all of them, as their slots must not move, or none."""
    return store.taxonomy.class_wnids if illustrated else ()


def sheet_key(image: ImageKey) -> str:
    """Return what the manifest of a sheet calls the image."""
    return f"{image.dataset}/{image.image}"


def sheet_sources(references: Sequence[ReferenceImage]) -> list[SheetSource]:
    """Convert the references for the sheet builder."""
    return [
        SheetSource(key=sheet_key(r.key), path=r.path, content_hash=r.content_hash)
        for r in references
    ]


def leftover_sheets(folder: Path, wnids: Collection[str]) -> list[Path]:
    """Return files that belong to no sheet; folders are ignored, as labeler creates none."""
    return [path for path in orphaned_files(folder, wnids) if not path.is_dir()]


def _clear(folder: Path, wnids: Collection[str]) -> None:
    try:
        make_folder(folder)
        for leftover in leftover_sheets(folder, wnids):
            leftover.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentFault(
            f"The prepared reference images in {folder} can't be changed: {os_error_reason(error)}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Built:
    """The problems in building a class's sheet, and which dataset it no longer shows."""

    problems: list[tuple[ImageKey, UnreadableReason]]
    replaced: ReplacedReferences | None


class _Unchanged(Enum):
    """Why a class's sheet wasn't built."""

    CURRENT = auto()
    UNAVAILABLE = auto()


def _results(
    store: StudyStore,
    folder: Path,
    wnids: Sequence[str],
    unavailable: Set[str],
    cancelled: CancelCheck,
) -> Iterator[_Built | _Unchanged]:
    """Yield the result of building each class's sheet, or why none was built."""
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers, thread_name_prefix="sheets") as executor:
        pending: set[Future[_Built | _Unchanged]] = set()
        for wnid in wnids:
            if cancelled():
                break
            with store.read() as study:
                references = study.image_roles.references(wnid)
            if not unavailable.isdisjoint(reference.key.dataset for reference in references):
                yield _Unchanged.UNAVAILABLE
                continue
            pending.add(executor.submit(_prepare, folder, wnid, references))
            if len(pending) > 2 * workers:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in pending)


def _prepare(folder: Path, wnid: str, references: Sequence[ReferenceImage]) -> _Built | _Unchanged:
    wanted = sheet_sources(references)
    apply_exif = any(reference.apply_exif for reference in references)
    current = is_current(folder, wnid, wanted, apply_exif=apply_exif)
    if current and not is_outdated(folder, wnid, wanted):
        return _Unchanged.CURRENT
    replaced = _replaced(folder, wnid, references)
    result = build_sheet(folder, wnid, wanted, apply_exif=apply_exif)
    keys = {source.key: reference.key for source, reference in zip(wanted, references, strict=True)}
    problems = [(keys[problem.source.key], problem.reason) for problem in result.problems]
    return _Built(problems, replaced)


def _replaced(
    folder: Path, wnid: str, references: Sequence[ReferenceImage]
) -> ReplacedReferences | None:
    """Read from the existing sheet which dataset's images the class has shown."""
    before = load_manifest(folder, wnid)
    if before is None or not before.images or not references:
        return None
    shown, shows = before.images[0].key.partition("/")[0], references[0].key.dataset
    return None if shown == shows else ReplacedReferences(shown, shows)
