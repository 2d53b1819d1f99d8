"""Add candidates to a pool from a folder, a manifest or search results."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from labeler.app.datasets.image_measurement import measured_image
from labeler.app.progress import CancelCheck, NoProgress, ProgressReporter, never_cancelled
from labeler.core.curation.pools import CandidateFilter
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun
from labeler.images.candidate_lists import ListedCandidate, list_candidates
from labeler.images.dataset_files import IgnoredFile, ListedImage
from labeler.images.identify import ScannedImage, scan_images
from labeler.store.curation.pools import NewCandidate
from labeler.store.datasets.datasets import OddFile
from labeler.store.study_store import StudyStore

# Images per transaction: small, so that others don't wait long and little is lost in a crash.
_CHUNK = 500
NAME_RULE = "Enter a name of visible characters, without spaces at either end."


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """What to add to a pool; `source` names where the images come from.

    `files` is the folder with the images of a list, if it isn't the list's own folder.
    """

    pool: str
    path: Path
    source: str = ""
    files: Path | None = None

    @property
    def source_name(self) -> str:
        return self.source or (self.path.stem if self.path.is_file() else self.path.resolve().name)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolImportReport:
    """What became of the listed images; a cancelled import is continued by the same request."""

    pool: str
    candidates: int
    added: int
    already_there: int = 0
    repeated: int = 0
    not_downloaded: int = 0
    unreadable: tuple[str, ...] = ()
    ignored: int = 0
    cancelled: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the report in sentences."""
        notes = (
            (self.already_there, "image", "already in the pool"),
            (self.repeated, "image", "left out: its class has the same image"),
            (self.not_downloaded, "entry", "without a file: download it, and add the list again"),
            (len(self.unreadable), "file", "left out: it can't be read as an image"),
            (self.ignored, "file", "left out: not an image of a class"),
        )
        first = (
            f"Added {count_noun(self.added, 'candidate')}; {self.pool} has "
            f"{count_noun(self.candidates, 'candidate')}."
        )
        plural = {"entry": "entries"}
        return (
            first,
            *(
                f"{count_noun(count, noun, plural.get(noun, noun + 's'))} {what}."
                for count, noun, what in notes
                if count
            ),
        )


def import_candidates(
    store: StudyStore,
    request: PoolRequest,
    *,
    progress: ProgressReporter | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> PoolImportReport:
    """Add candidates; what is stored stays, so an interrupted import is simply repeated."""
    name = request.pool
    if not name or name != name.strip() or not name.isprintable():
        raise RefusedError(f"{name!r} can't be a pool's name. {NAME_RULE}")
    return _PoolImport(store, request, progress or NoProgress(), cancelled).run()


@dataclass(slots=True)
class _Counts:
    added: int = 0
    already_there: int = 0
    repeated: int = 0
    not_downloaded: int = 0
    ignored: int = 0
    unreadable: list[str] = field(default_factory=list)


class _PoolImport:
    """One import: list everything once to find mistakes, then read the images in chunks."""

    def __init__(
        self,
        store: StudyStore,
        request: PoolRequest,
        progress: ProgressReporter,
        cancelled: CancelCheck,
    ) -> None:
        self._store = store
        self._request = request
        self._progress = progress
        self._cancelled = cancelled
        self._counts = _Counts()
        self._filter = CandidateFilter()
        self._known: dict[str, str] = {}

    def run(self) -> PoolImportReport:
        self._progress.start("Listing images", None)
        total = sum(1 for _ in self._listed())
        if not total and not self._counts.not_downloaded:
            raise RefusedError(f"There is no image in {self._request.path}. Nothing was added.")
        self._counts = _Counts()
        self._begin()
        self._progress.start("Reading images", total)
        self._read()
        return self._report()

    def _listed(self) -> Iterator[ListedCandidate]:
        def ignore(_file: IgnoredFile) -> None:
            self._counts.ignored += 1

        def miss(_name: str) -> None:
            self._counts.not_downloaded += 1

        return list_candidates(
            self._request.path,
            source=self._request.source_name,
            classes=self._store.taxonomy.class_wnids,
            files=self._request.files,
            on_ignored=ignore,
            on_missing=miss,
        )

    def _begin(self) -> None:
        pool = self._request.pool
        with self._store.write() as study:
            study.pools.begin(pool)
        with self._store.read() as study:
            self._known = study.pools.paths(pool)
            for each in study.pools.identities(pool):
                self._filter.is_new(
                    label=each.label,
                    source=each.source,
                    source_id=each.source_id,
                    content_hash=each.content_hash,
                )

    def _read(self) -> None:
        waiting: deque[ListedCandidate] = deque()

        def to_scan() -> Iterator[ListedImage]:
            for candidate in self._listed():
                if self._is_known(candidate.listed):
                    self._counts.already_there += 1
                    self._progress.advance()
                    continue
                waiting.append(candidate)
                yield candidate.listed

        with closing(scan_images(to_scan(), cancelled=self._cancelled)) as scanned:
            # Results come in the order of the list, so each belongs to the oldest waiting one.
            pairs = ((image, waiting.popleft()) for image in scanned)
            while chunk := list(islice(pairs, _CHUNK)):
                self._store_chunk(chunk)
                self._progress.advance(len(chunk))

    def _is_known(self, listed: ListedImage) -> bool:
        path = self._known.get(listed.name)
        if path is not None and path and path != str(Path(listed.place).resolve()):
            raise RefusedError(
                f"The pool has another file as {listed.name}: {path}. Name the source of "
                f"{self._request.path} differently.",
                by_command="Use --source NAME.",
            )
        return path is not None

    def _store_chunk(self, chunk: Sequence[tuple[ScannedImage, ListedCandidate]]) -> None:
        new: list[NewCandidate] = []
        odd: list[OddFile] = []
        for scanned, candidate in chunk:
            if scanned.facts is None:
                assert scanned.problem is not None, "an image has facts or a problem"
                odd.append(OddFile(scanned.listed.name, scanned.problem.reason, imported=False))
                self._counts.unreadable.append(scanned.listed.name)
            elif not self._is_new(scanned, candidate):
                self._counts.repeated += 1
            else:
                new.append(_new_candidate(scanned, candidate))
        with self._store.write() as study:
            study.pools.append(self._request.pool, new)
            names = {file.name for file in odd}
            study.datasets.delete_odd_files(self._request.pool, names)
            study.datasets.add_odd_files(self._request.pool, odd)
        self._known.update((each.image.name, each.image.path or "") for each in new)
        self._counts.added += len(new)

    def _is_new(self, scanned: ScannedImage, candidate: ListedCandidate) -> bool:
        assert scanned.facts is not None, "only readable images are compared"
        if scanned.listed.name in self._known:
            return False
        return self._filter.is_new(
            label=scanned.listed.target,
            source=candidate.source.source,
            source_id=candidate.source.source_id,
            content_hash=scanned.facts.content_hash,
        )

    def _report(self) -> PoolImportReport:
        pool, counts = self._request.pool, self._counts
        stopped = self._cancelled()
        with self._store.write() as study:
            if counts.added:
                study.audit.record(
                    "candidates added",
                    pool=pool,
                    candidates=counts.added,
                    path=self._request.path,
                    source=self._request.source_name,
                )
            [found] = [d for d in study.datasets.all(DatasetRole.POOL) if d.name == pool]
        return PoolImportReport(
            pool=pool,
            candidates=found.images,
            added=counts.added,
            already_there=counts.already_there,
            repeated=counts.repeated,
            not_downloaded=counts.not_downloaded,
            unreadable=tuple(counts.unreadable),
            ignored=counts.ignored,
            cancelled=stopped,
        )


def _new_candidate(scanned: ScannedImage, candidate: ListedCandidate) -> NewCandidate:
    measured = measured_image(scanned)
    path = str(Path(scanned.listed.place).resolve())
    return NewCandidate(replace(measured, path=path), candidate.source)
