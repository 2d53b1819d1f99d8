"""Importing a folder of images as a dataset; resumable, and every skipped file is reported."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path

from labeler.app.datasets.image_measurement import measured_image
from labeler.app.datasets.import_request import (
    ClassShortage,
    DatasetRequest,
    ImportInterrupted,
    ImportReport,
    complete_request,
    dataset_definition,
    detect_dataset_layout,
    reference_conflict,
)
from labeler.app.progress import CancelCheck, NoProgress, ProgressReporter, never_cancelled
from labeler.core.datasets.sampling import DuplicateImage, draw_per_class, duplicates_elsewhere
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun
from labeler.images.dataset_files import IgnoredFile, ListedImage
from labeler.images.identify import ScannedImage, scan_images
from labeler.images.layouts import DatasetLayout
from labeler.images.listing import list_images
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.datasets import OddFile
from labeler.store.study_store import StudyStore, Transaction

ClassDraws = Mapping[str, tuple[ListedImage, ...]]

# The number of spare images that can replace unreadable ones, which are rare.
_SPARE_AT_LEAST = 10


def draw_by_class(listed: Iterable[ListedImage], *, per_class: int, seed: int) -> ClassDraws:
    """Draw the wanted images of each class and some spare ones, in random order.

    If the listing is sorted by class, only the names of one class are in memory at a time.
    """
    kept = 2 * per_class + _SPARE_AT_LEAST
    draws: dict[str, tuple[ListedImage, ...]] = {}
    for wnid, images in groupby(listed, key=lambda image: image.target):
        by_name = {image.name: image for image in (*draws.get(wnid, ()), *images)}
        names = draw_per_class(by_name, count=kept, seed=seed, wnid=wnid)
        draws[wnid] = tuple(by_name[name] for name in names)
    return draws


def next_images_to_read(
    draws: ClassDraws, *, per_class: int, readable: Counter[str], tried: set[str]
) -> Iterator[ListedImage]:
    """Yield the images to read next: as many as each class lacks, as far as it has more."""
    for wnid, images in draws.items():
        needed = per_class - readable[wnid]
        waiting = (image for image in images if image.name not in tried)
        for image, _place in zip(waiting, range(needed), strict=False):
            yield image


def drawn_image_names(
    draws: ClassDraws, stored: set[str], *, per_class: int
) -> dict[str, list[str]]:
    """Return the drawn images of each class that are readable, in order."""
    return {
        wnid: [image.name for image in images if image.name in stored][:per_class]
        for wnid, images in draws.items()
    }


_WORTH_ANOTHER_TRY = frozenset(reason for reason in UnreadableReason if reason.is_transient)
# Images per transaction: small, so that others don't wait long and little is lost in a crash.
_CHUNK = 500


def import_dataset(
    store: StudyStore,
    request: DatasetRequest,
    *,
    progress: ProgressReporter | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> ImportReport | ImportInterrupted:
    """Import the dataset, or resume an interrupted import."""
    _require_name(request.name)
    layout = detect_dataset_layout(request).layout
    complete = complete_request(request, layout, study_seed=store.identity.seed)
    job = _Import(store, complete, layout, progress or NoProgress(), cancelled)
    return job.run()


def is_imported(store: StudyStore, request: DatasetRequest) -> bool:
    """Return whether the study already has exactly this dataset, completely."""
    layout = detect_dataset_layout(request).layout
    complete = complete_request(request, layout, study_seed=store.identity.seed)
    wanted = dataset_definition(complete, layout)
    with store.read() as study:
        existing = study.datasets.find(wanted.name)
        return (
            existing is not None
            and existing.complete
            and study.datasets.definition(wanted.name) == wanted
        )


class _Import:
    """One import: list the names, read the images, store them in chunks, report."""

    def __init__(
        self,
        store: StudyStore,
        request: DatasetRequest,
        layout: DatasetLayout,
        progress: ProgressReporter,
        cancelled: CancelCheck,
    ) -> None:
        self._store = store
        self._request = request
        self._layout = layout
        self._progress = progress
        self._cancelled = cancelled
        self._ignored: list[IgnoredFile] = []

    def run(self) -> ImportReport | ImportInterrupted:
        # Listing first finds problems with the folder before anything is written.
        self._progress.start("Listing images", None)
        draws = self._draws()
        total = sum(map(len, draws.values())) or sum(1 for _ in self._listed(note_ignored=True))
        if not total:
            raise RefusedError(
                f"There is no image in {self._request.path}. Nothing was added.{self._skipped()}"
            )
        known = self._begin()
        if draws:
            self._read_drawn(draws, known)
        else:
            self._progress.start("Reading images", total)
            self._progress.advance(len(known))
            self._read(image for image in self._listed() if image.name not in known)
        if self._cancelled():
            return ImportInterrupted(len(self._stored()))
        return self._finish(draws, resumed_at=len(known))

    def _skipped(self) -> str:
        """Say why all files were skipped, if there were any."""
        if not self._ignored:
            return ""
        [(why, count)] = Counter(one.why for one in self._ignored).most_common(1)
        return f" {count_noun(count, 'file')} {why.fragment} can't be imported."

    def _listed(self, *, note_ignored: bool = False) -> Iterator[ListedImage]:
        def note(ignored: IgnoredFile) -> None:
            if note_ignored:
                self._ignored.append(ignored)

        return list_images(
            self._request.path,
            self._layout,
            labels=self._request.labels,
            classes=self._store.taxonomy.class_wnids,
            on_ignored=note,
        )

    def _draws(self) -> ClassDraws:
        per_class, seed = self._request.per_class, self._request.seed
        if per_class is None or seed is None:
            return {}
        return draw_by_class(self._listed(note_ignored=True), per_class=per_class, seed=seed)

    def _begin(self) -> set[str]:
        """Add the dataset's row, or return the files that an interrupted import has read."""
        wanted = dataset_definition(self._request, self._layout)
        with self._store.write() as study:
            existing = study.datasets.find(wanted.name)
            if existing is None:
                study.datasets.add(wanted)
                return set()
            if existing.complete:
                raise RefusedError(
                    f"The study already has a dataset “{wanted.name}”. Choose another name."
                )
            if study.datasets.definition(wanted.name) != wanted:
                raise RefusedError(
                    f"An import of “{wanted.name}” with another folder or other options was "
                    "interrupted. Repeat it with the same options, or choose another name."
                )
            skipped = [f for f in study.datasets.odd_files(wanted.name) if not f.imported]
            again = {f.name for f in skipped if f.kind in _WORTH_ANOTHER_TRY}
            study.datasets.delete_odd_files(wanted.name, again)
            return study.datasets.names(wanted.name) | {f.name for f in skipped} - again

    def _read_drawn(self, draws: ClassDraws, known: set[str]) -> None:
        """Read the drawn images, then replacements; a resumed import repeats the same rounds."""
        per_class = self._request.per_class or 0
        self._progress.start("Reading images", sum(min(per_class, len(d)) for d in draws.values()))
        tried: set[str] = set()
        readable: Counter[str] = Counter()
        while not self._cancelled():
            images = list(
                next_images_to_read(draws, per_class=per_class, readable=readable, tried=tried)
            )
            if not images:
                return
            tried.update(image.name for image in images)
            waiting = [image for image in images if image.name not in known]
            self._progress.advance(len(images) - len(waiting))
            self._read(waiting)
            stored = self._stored()
            readable.update(image.target for image in images if image.name in stored)

    def _read(self, images: Iterable[ListedImage]) -> None:
        with closing(scan_images(images, cancelled=self._cancelled)) as scanned:
            while chunk := list(islice(scanned, _CHUNK)):
                self._require_place(chunk)
                self._store_chunk(chunk)
                self._progress.advance(len(chunk))

    def _require_place(self, chunk: Sequence[ScannedImage]) -> None:
        """Stop if a folder disappeared, for example because a drive was unplugged."""
        for one in chunk:
            folder = one.listed.path.parent
            if (
                one.problem is not None
                and one.problem.reason.is_transient
                and not _is_there(folder)
            ):
                raise EnvironmentFault(
                    f"The folder {folder} has disappeared. Connect its drive or put it back, then "
                    "resume the import. What was read so far is kept."
                )

    def _store_chunk(self, chunk: Sequence[ScannedImage]) -> None:
        with self._store.write() as study:
            name = self._request.name
            study.datasets.append(name, [measured_image(s) for s in chunk if s.facts is not None])
            study.datasets.add_odd_files(name, [odd for s in chunk for odd in _oddities(s)])

    def _stored(self) -> set[str]:
        with self._store.read() as study:
            return study.datasets.names(self._request.name)

    def _finish(self, draws: ClassDraws, *, resumed_at: int) -> ImportReport:
        with self._store.write() as study:
            why_not = self._why_not(study)
            if not why_not:
                return self._complete(study, draws, resumed_at)
            study.datasets.remove(self._request.name)
        raise RefusedError(why_not)

    def _why_not(self, study: Transaction) -> str:
        """Return why the images can't be added, or an empty string."""
        images = len(study.datasets.names(self._request.name))
        if not images:
            return self._nothing_usable(study)
        found = self._seen_in_sample(study)
        if found:
            return _collision_sentence(found)
        if self._request.role is not DatasetRole.REFERENCE:
            return ""
        return reference_conflict(study, self._request.name, images=images)

    def _nothing_usable(self, study: Transaction) -> str:
        skipped = Counter(odd.kind for odd in study.datasets.odd_files(self._request.name))
        [(kind, count)] = skipped.most_common(1)
        return (
            f"There is no usable image in {self._request.path}. Nothing was added. "
            f"{count_noun(count, 'file')} {UnreadableReason(kind).fragment} can't be imported."
        )

    def _complete(self, study: Transaction, draws: ClassDraws, resumed_at: int) -> ImportReport:
        name = self._request.name
        ignored = [OddFile(i.name, i.why, imported=False) for i in self._ignored]
        study.datasets.add_odd_files(name, ignored)
        shortages = self._take_up(study, draws)
        study.datasets.complete(name)
        report = self._report(study, shortages, resumed_at)
        study.audit.record(
            "dataset added",
            dataset=name,
            role=self._request.role,
            images=report.dataset.images,
            path=self._request.path,
        )
        return report

    def _take_up(self, study: Transaction, draws: ClassDraws) -> list[ClassShortage]:
        """Assign the images to their role, and return the classes that have too few."""
        name, role, per_class = self._request.name, self._request.role, self._request.per_class
        by_class = drawn_image_names(draws, study.datasets.names(name), per_class=per_class or 0)
        if role is DatasetRole.TRAINING:
            study.image_roles.put_in_training_pool(name)
        if role is DatasetRole.REFERENCE:
            study.image_roles.set_references(name, by_class)
        return [
            ClassShortage(wnid, per_class or 0, len(names))
            for wnid, names in by_class.items()
            if len(names) < (per_class or 0)
        ]

    def _seen_in_sample(self, study: Transaction) -> Sequence[DuplicateImage]:
        """Find sampled images that people would see in training or as references."""
        if self._request.role is DatasetRole.EVALUATION:
            return ()
        contents = study.image_roles.contents(self._request.name)
        return duplicates_elsewhere(study.samples.candidates(), contents)

    def _report(
        self, study: Transaction, shortages: list[ClassShortage], resumed_at: int
    ) -> ImportReport:
        name = self._request.name
        dataset = study.datasets.find(name)
        assert dataset is not None, "it was written in this transaction"
        return ImportReport(
            dataset=dataset,
            resumed_at=resumed_at,
            odd_files=tuple(study.datasets.odd_files(name)),
            duplicates=tuple(study.image_roles.duplicates_within(name)),
            shortages=tuple(shortages),
        )


def _is_there(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except OSError:
        return False


NAME_RULE = "Enter a name of visible characters, without spaces at either end."


def _require_name(name: str) -> None:
    # Names appear in files and lists, where leading and trailing spaces are invisible.
    if not name or name != name.strip() or not name.isprintable():
        problem = f"{name!r} can't be a dataset's name. " if name else ""
        raise RefusedError(f"{problem}{NAME_RULE}")


def _oddities(scanned: ScannedImage) -> Iterator[OddFile]:
    if scanned.problem is not None:
        yield OddFile(scanned.listed.name, scanned.problem.reason, imported=False)
    elif scanned.facts is not None:
        for oddity in sorted(scanned.facts.oddities):
            yield OddFile(scanned.listed.name, oddity, imported=True)


def _collision_sentence(found: Sequence[DuplicateImage]) -> str:
    first = found[0]
    return (
        f"{count_noun(len(found), 'image')} of the evaluation sample would be seen beforehand: "
        f"{first.sampled.dataset}: {first.sampled.image} is the same picture as "
        f"{first.other.dataset}: {first.other.image}. Nothing was added. Remove it from the "
        "folder, or draw another sample."
    )
