"""The revisions of a built dataset: how they differ, how far their review is, which is final."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from labeler.core.curation.entities import BuiltImage, RemovalReason, Revision, RevisionState
from labeler.core.curation.revisions import (
    ClassState,
    FinalObstacles,
    RevisionChange,
    class_states,
    compare_revisions,
    final_obstacles,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionSummary:
    """One revision, compared with its parent."""

    revision: int
    parent: int | None
    images: int
    complete_classes: int
    classes: int
    missing: int
    kept: int
    added: int
    removed: int
    reviewed: int
    needs_work: int
    state: RevisionState

    def as_json(self) -> dict[str, object]:
        """Return the fields of `labeler crowd revisions --json`."""
        return {
            "revision": self.revision,
            "parent": self.parent,
            "images": self.images,
            "complete_classes": self.complete_classes,
            "kept": self.kept,
            "added": self.added,
            "removed": self.removed,
            "reviewed": self.reviewed,
            "needs_work": self.needs_work,
            "state": str(self.state),
        }


class RevisionReader:
    """Reads the revisions of one built dataset, each at most once.

    The images of a revision never change, so that a caller can keep those that were read.
    """

    def __init__(
        self,
        study: Transaction,
        dataset: str,
        *,
        known_images: dict[int, list[BuiltImage]] | None = None,
    ) -> None:
        self._study = study
        self._dataset = dataset
        self._revisions = {r.revision: r for r in study.built_datasets.revisions(dataset)}
        self._images = {} if known_images is None else known_images
        self._states: dict[int, dict[str, ClassState]] = {}
        if not self._revisions:
            known = ", ".join(study.built_datasets.names()) or "none"
            raise RefusedError(f"The study has no built dataset '{dataset}'; it has: {known}.")

    @property
    def dataset(self) -> str:
        return self._dataset

    @property
    def revisions(self) -> Mapping[int, Revision]:
        return self._revisions

    def require(self, number: int) -> Revision:
        if number not in self._revisions:
            known = ", ".join(map(str, self._revisions))
            raise RefusedError(f"'{self._dataset}' has no revision {number}; it has: {known}.")
        return self._revisions[number]

    def images(self, number: int) -> list[BuiltImage]:
        if number not in self._images:
            self._images[number] = self._study.built_datasets.images(self._dataset, number)
        return self._images[number]

    def states(self, number: int) -> dict[str, ClassState]:
        """Return the state of each class; reviews of unchanged classes come from the parents."""
        for each in reversed(self._ancestry(number)):
            if each not in self._states:
                parent = self._revisions[each].parent
                self._states[each] = class_states(
                    self.images(each),
                    self._study.class_reviews.last(self._dataset, each),
                    parent_images=() if parent is None else self.images(parent),
                    parent_states=None if parent is None else self._states[parent],
                )
        return self._states[number]

    def _ancestry(self, number: int) -> list[int]:
        """Return a revision, its parent, and so on."""
        found = [self.require(number).revision]
        while (parent := self._revisions[found[-1]].parent) is not None:
            found.append(parent)
        return found

    def missing(self, number: int) -> int:
        """Return how many images a revision lacks."""
        return _wanted(self.require(number)) - len(self.images(number))

    def summary(self, number: int) -> RevisionSummary:
        revision = self.require(number)
        images = self.images(number)
        before = () if revision.parent is None else self.images(revision.parent)
        change = compare_revisions(before, images, {})
        counts = Counter(built.label for built in images)
        per_class = _number(revision, "per_class")
        states = self.states(number).values()
        return RevisionSummary(
            revision=number,
            parent=revision.parent,
            images=len(images),
            complete_classes=sum(count >= per_class for count in counts.values()),
            classes=_number(revision, "classes") or len(counts),
            missing=max(0, self.missing(number)),
            kept=len(change.kept),
            added=len(change.added),
            removed=len(change.removed),
            reviewed=sum(state.reviewed for state in states),
            needs_work=sum(state.needs_work for state in states),
            state=revision.state,
        )

    def compare(self, one: int, other: int) -> RevisionChange:
        """Compare two revisions; reasons are those of the revisions after the first."""
        self.require(one)
        reasons: dict[ImageKey, RemovalReason] = {}
        for each in reversed(self._ancestry(other)):
            if each != one:
                reasons |= self._study.built_datasets.removals(self._dataset, each)
        return compare_revisions(self.images(one), self.images(other), reasons)

    def obstacles(self, number: int) -> FinalObstacles:
        """Return what a revision still needs before it can be final."""
        keys = {built.image for built in self.images(number)}
        rejected = sum(
            len(keys & self._study.pools.rejected(pool)) for pool in {key.dataset for key in keys}
        )
        return final_obstacles(
            self.states(number),
            missing=max(0, self.missing(number)),
            rejected=rejected,
            duplicates=self._duplicates(keys),
        )

    def _duplicates(self, images: Collection[ImageKey]) -> int:
        """Return how many images have a near-duplicate among these or among protected images."""
        pools = set(self._study.pools.names())
        count = 0
        for members in self._study.near_duplicates.sets_with(images):
            here = sum(key in images for key in members)
            is_protected = any(key.dataset not in pools for key in members)
            count += here if is_protected else here - 1
        return count


def revision_summaries(store: StudyStore, dataset: str) -> list[RevisionSummary]:
    """Return all revisions of a built dataset, oldest first."""
    with store.read() as study:
        reader = RevisionReader(study, dataset)
        return [reader.summary(number) for number in reader.revisions]


def declare_final(store: StudyStore, dataset: str, number: int, *, actor: str = "lead") -> Revision:
    """Declare a revision final, which allows models to be scored on it."""
    with store.write() as study:
        reader = RevisionReader(study, dataset)
        revision = reader.require(number)
        for other in reader.revisions.values():
            if other.state is RevisionState.FINAL:
                raise RefusedError(_already_final(other))
        if obstacles := reader.obstacles(number):
            raise RefusedError(
                f"Revision {number} of {dataset} can't be final yet: "
                f"{'; '.join(obstacle_words(obstacles))}."
            )
        study.built_datasets.set_state(dataset, number, RevisionState.FINAL)
        study.audit.record("revision final", actor=actor, dataset=dataset, revision=number)
        return study.built_datasets.revision(dataset, revision.revision)


def obstacle_words(obstacles: FinalObstacles) -> list[str]:
    """Return what a revision still needs, in parts of a sentence."""
    words = []
    if obstacles.missing:
        words.append(f"{count_noun(obstacles.missing, 'image')} missing")
    if obstacles.rejected:
        words.append(f"{count_noun(obstacles.rejected, 'image')} rejected since it was built")
    if obstacles.duplicates:
        words.append(
            f"{count_noun(obstacles.duplicates, 'near-duplicate')} of its own or protected images"
        )
    if obstacles.not_reviewed:
        count = count_noun(len(obstacles.not_reviewed), "class", "classes")
        words.append(f"{count} not reviewed")
    if obstacles.needs_work:
        words.append(f"{count_noun(len(obstacles.needs_work), 'class', 'classes')} in need of work")
    return words


def _already_final(revision: Revision) -> str:
    return (
        f"Revision {revision.revision} of {revision.dataset} is final already. Build a dataset "
        "with another name instead."
    )


def _wanted(revision: Revision) -> int:
    return _number(revision, "per_class") * _number(revision, "classes")


def _number(revision: Revision, name: str) -> int:
    value = revision.parameters.get(name, 0)
    return value if isinstance(value, int) else 0
