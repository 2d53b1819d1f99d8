"""The blocking calls of the review of classes: those of a revision, or of a pool before it."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from labeler.app.curation.revision_history import RevisionReader
from labeler.app.study.settings import read_study_settings
from labeler.core.curation.entities import (
    BuiltImage,
    Candidate,
    RejectReason,
    Revision,
    RevisionState,
)
from labeler.core.curation.near_duplicates import JudgedPair
from labeler.core.curation.revisions import ClassState
from labeler.core.errors import RefusedError
from labeler.core.hash_order import derived_seed, shuffled
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import ImageKey
from labeler.images.file_reader import read_image_bytes
from labeler.store.study_store import StudyStore, Transaction

NOTHING_TO_REVIEW = "No revision waits for a review."
NO_CANDIDATES = "The pool has no candidates."
_ORIGINALS = 10


@dataclass(frozen=True, slots=True)
class ClassReviewProgress:
    """The newest revision that isn't final, and how many of its classes are reviewed."""

    dataset: str
    revision: int
    classes: int
    reviewed: int
    needs_work: int


def class_review_progress(study: Transaction) -> ClassReviewProgress | None:
    """Return the newest revision that can be reviewed, or None."""
    newest = _newest_open(study)
    if newest is None:
        return None
    states = RevisionReader(study, newest.dataset).states(newest.revision)
    return ClassReviewProgress(
        newest.dataset,
        newest.revision,
        len(states),
        sum(state.reviewed for state in states.values()),
        sum(state.needs_work for state in states.values()),
    )


@dataclass(slots=True)
class ClassContents:
    """What was read about a class, and the state of all classes; keys never reach the screen."""

    label: str
    states: dict[str, ClassState]
    images: list[Candidate]
    chosen: frozenset[ImageKey] = frozenset()
    originals: list[ImageKey] = field(default_factory=list)
    sets: list[tuple[ImageKey, ...]] = field(default_factory=list)
    shows_frequencies: bool = False


class ReviewedClasses(Protocol):
    """Classes that can be reviewed one after another; `revision` is 0 if there is none yet."""

    @property
    def name(self) -> str: ...
    @property
    def revision(self) -> int: ...

    def first(self, reviewer: str, *, draw: int) -> ClassContents: ...
    def read(self, label: str, *, draw: int) -> ClassContents: ...
    def record(
        self, label: str, reviewer: str, *, needs_work: bool, draw: int
    ) -> ClassContents: ...


class RevisionClasses:
    """The classes of a revision, by default of the newest that isn't final."""

    def __init__(
        self,
        store: StudyStore,
        dataset: str = "",
        revision: int = 0,
        *,
        shows_frequencies: bool = False,
    ) -> None:
        self._store = store
        self.name, self.revision = dataset, revision
        self._may_see_frequencies = shows_frequencies
        self._built_images: dict[int, list[BuiltImage]] = {}

    def first(self, reviewer: str, *, draw: int) -> ClassContents:
        """Return the first open class of this reviewer's part of the queue."""
        with self._store.read() as study:
            if not self.revision:
                newest = _newest_open(study)
                if newest is None:
                    raise RefusedError(NOTHING_TO_REVIEW)
                self.name, self.revision = newest.dataset, newest.revision
            reader = self._reader(study)
            states = reader.states(self.revision)
            if not states:
                raise RefusedError(NOTHING_TO_REVIEW)
            labels = list(states)
            # Several reviewers begin at different classes, so that they rarely meet.
            start = derived_seed(0, "class review", reviewer) % len(labels)
            queue = labels[start:] + labels[:start]
            label = next((label for label in queue if not states[label].is_done), labels[0])
            return self._contents(study, reader, label, draw=draw)

    def read(self, label: str, *, draw: int) -> ClassContents:
        with self._store.read() as study:
            return self._contents(study, self._reader(study), label, draw=draw)

    def record(self, label: str, reviewer: str, *, needs_work: bool, draw: int) -> ClassContents:
        """Store that a class is reviewed, and return the next open one."""
        with self._store.write() as study:
            study.class_reviews.record(
                dataset=self.name,
                revision=self.revision,
                label=label,
                reviewer=reviewer,
                reviewed=True,
                needs_work=needs_work,
            )
        with self._store.read() as study:
            reader = self._reader(study)
            states = reader.states(self.revision)
            labels = list(states)
            after = labels.index(label) + 1
            queue = labels[after:] + labels[:after]
            following = next((each for each in queue if not states[each].reviewed), label)
            return self._contents(study, reader, following, draw=draw)

    def _reader(self, study: Transaction) -> RevisionReader:
        return RevisionReader(study, self.name, known_images=self._built_images)

    def _contents(
        self, study: Transaction, reader: RevisionReader, label: str, *, draw: int
    ) -> ClassContents:
        allowed = self._may_see_frequencies or read_study_settings(study).shows_frequencies
        revision = reader.require(self.revision)
        built = study.built_datasets.images(self.name, self.revision, label=label)
        candidates = study.pools.candidates(revision.pool, label=label)
        images = _in_order(candidates, built, by_frequency=allowed)
        reference = str(revision.parameters.get("reference") or _reference(study))
        originals = _originals(study, reference, label, draw=draw, count=len(built))
        return ClassContents(
            label,
            reader.states(self.revision),
            images,
            frozenset(each.image for each in built),
            originals,
            _sets(study, images, originals),
            allowed,
        )


class PoolClasses:
    """The classes of a pool, to reject candidates before a revision is built; for the lead."""

    revision = 0

    def __init__(self, store: StudyStore, pool: str, *, begins_with: str = "") -> None:
        self._store = store
        self.name = pool
        self._begins_with = begins_with

    def first(self, reviewer: str, *, draw: int) -> ClassContents:  # noqa: ARG002
        with self._store.read() as study:
            labels = study.pools.labels(self.name)
            if not labels:
                raise RefusedError(NO_CANDIDATES)
            begun = self._begins_with if self._begins_with in labels else labels[0]
            return self._contents(study, labels, begun, draw=draw)

    def read(self, label: str, *, draw: int) -> ClassContents:
        with self._store.read() as study:
            return self._contents(study, study.pools.labels(self.name), label, draw=draw)

    def record(
        self,
        label: str,
        reviewer: str,  # noqa: ARG002
        *,
        needs_work: bool,  # noqa: ARG002
        draw: int,
    ) -> ClassContents:
        """Return the next class: candidates aren't reviewed until they are built into a dataset."""
        with self._store.read() as study:
            labels = study.pools.labels(self.name)
            following = labels[(labels.index(label) + 1) % len(labels)]
            return self._contents(study, labels, following, draw=draw)

    def _contents(
        self, study: Transaction, labels: list[str], label: str, *, draw: int
    ) -> ClassContents:
        images = _in_order(study.pools.candidates(self.name, label=label), [], by_frequency=True)
        originals = _originals(study, _reference(study), label, draw=draw, count=_ORIGINALS)
        return ClassContents(
            label,
            dict.fromkeys(labels, ClassState()),
            images,
            originals=originals,
            sets=_sets(study, images, originals),
            shows_frequencies=True,
        )


def set_rejection(
    store: StudyStore, image: ImageKey, reason: RejectReason | None, *, by: str
) -> None:
    """Reject a candidate for this reason, or take its rejection back."""
    with store.write() as study:
        if reason is None:
            study.pools.unreject(image)
        else:
            study.pools.reject(image, reason, by=by)
        study.audit.record(
            "candidate rejected" if reason else "rejection taken back",
            actor=by,
            pool=image.dataset,
            image=image.image,
            reason=str(reason or ""),
        )


def set_verdict(store: StudyStore, pair: JudgedPair, *, withdrawn: bool) -> None:
    with store.write() as study:
        study.near_duplicates.judge([pair], withdrawn=withdrawn)


def _newest_open(study: Transaction) -> Revision | None:
    """Return the newest revision that isn't final."""
    waiting = [r for r in study.built_datasets.revisions() if r.state is not RevisionState.FINAL]
    return waiting[-1] if waiting else None


def _originals(
    study: Transaction, reference: str, label: str, *, draw: int, count: int
) -> list[ImageKey]:
    """Draw originals of a class."""
    found = study.pools.images_of_class(reference, label) if reference else []
    drawn = shuffled(
        found, seed=draw, purpose="originals", key=lambda key: (key.dataset, key.image)
    )
    return drawn[: max(_ORIGINALS, count)]


def _sets(
    study: Transaction, images: list[Candidate], originals: list[ImageKey]
) -> list[tuple[ImageKey, ...]]:
    return study.near_duplicates.sets_with([*(each.image for each in images), *originals])


def candidate_picture(store: StudyStore, key: ImageKey) -> EncodedImage | None:
    """Return the file of a candidate or original, or None if it has none."""
    with store.read() as study:
        file = study.pools.files([key]).get(key)
    return None if file is None else EncodedImage(read_image_bytes(file.path), file.apply_exif)


def _in_order(
    candidates: list[Candidate], built: list[BuiltImage], *, by_frequency: bool
) -> list[Candidate]:
    """Return the chosen images by date taken, then the other candidates.

    These are by frequency only for those who may see it, because an order gives it away.
    """
    chosen = {each.image for each in built}

    def order(each: Candidate) -> tuple[bool, Fraction, str, ImageKey]:
        ranked = by_frequency and each.image not in chosen
        rank = -each.value if ranked else Fraction(0)
        return each.image not in chosen, rank, each.source.taken_at, each.image

    return sorted(candidates, key=order)


def _reference(study: Transaction) -> str:
    """Return the first dataset that the images can be compared with."""
    linked = study.built_datasets.linked()
    names = [d.name for d in study.datasets.all() if d.name not in (*linked, *study.pools.names())]
    return names[0] if names else ""
