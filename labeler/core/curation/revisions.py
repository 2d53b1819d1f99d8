"""Revisions of a built dataset: build one, compare two, and carry class reviews over."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from labeler.core.curation.eligibility import Eligibility
from labeler.core.curation.entities import (
    BuiltImage,
    ClassReview,
    RemovalReason,
    RevisionState,
)
from labeler.core.curation.strategies import ClassDraw, SamplingRules, draw_class
from labeler.core.study.entities import ImageKey


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltRevision:
    """The images of a new revision, what is missing, and why images of the parent left."""

    draws: tuple[ClassDraw, ...]
    removed: Mapping[ImageKey, RemovalReason] = field(default_factory=dict)

    @property
    def images(self) -> tuple[BuiltImage, ...]:
        return tuple(built for draw in self.draws for built in draw.images)

    @property
    def complete_classes(self) -> int:
        return sum(not draw.missing for draw in self.draws)

    @property
    def missing(self) -> int:
        return sum(draw.missing for draw in self.draws)

    @property
    def state(self) -> RevisionState:
        return RevisionState.INCOMPLETE if self.missing else RevisionState.COMPLETE


def build_revision(
    candidates: Eligibility,
    rules: SamplingRules,
    *,
    references: Mapping[str, Sequence[Fraction]],
    parent: Iterable[BuiltImage] = (),
) -> BuiltRevision:
    """Sample every class that has candidates, in wnid order."""
    before: dict[str, list[BuiltImage]] = defaultdict(list)
    for built in parent:
        before[built.label].append(built)
    draws = tuple(
        draw_class(
            label,
            eligible,
            rules,
            references=references.get(label, ()),
            parent=before.get(label, ()),
        )
        for label, eligible in candidates.eligible.items()
    )
    kept = {built.image for draw in draws for built in draw.images}
    gone = sorted(b.image for group in before.values() for b in group if b.image not in kept)
    eligible_images = candidates.images
    return BuiltRevision(
        draws=draws,
        removed={image: _removal(image, candidates, eligible_images) for image in gone},
    )


def _removal(
    image: ImageKey, candidates: Eligibility, eligible: Collection[ImageKey]
) -> RemovalReason:
    if reason := candidates.excluded.get(image):
        return RemovalReason(reason.value)
    return RemovalReason.OUTSIDE_RULE if image in eligible else RemovalReason.NOT_A_CANDIDATE


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionChange:
    """What differs between two revisions; the reasons are those that are known."""

    kept: tuple[ImageKey, ...]
    added: tuple[ImageKey, ...]
    removed: Mapping[ImageKey, RemovalReason | None]


def compare_revisions(
    before: Collection[BuiltImage],
    after: Collection[BuiltImage],
    reasons: Mapping[ImageKey, RemovalReason],
) -> RevisionChange:
    """Compare the images of two revisions; each part is sorted."""
    old, new = ({built.image for built in images} for images in (before, after))
    return RevisionChange(
        kept=tuple(sorted(old & new)),
        added=tuple(sorted(new - old)),
        removed={image: reasons.get(image) for image in sorted(old - new)},
    )


@dataclass(frozen=True, slots=True)
class ClassState:
    """What the reviewers of a class say; `carried` if they said it about an earlier revision."""

    reviewed: bool = False
    needs_work: bool = False
    carried: bool = False

    @property
    def is_done(self) -> bool:
        return self.reviewed and not self.needs_work


def class_states(
    images: Collection[BuiltImage],
    reviews: Iterable[ClassReview],
    *,
    parent_images: Collection[BuiltImage] = (),
    parent_states: Mapping[str, ClassState] | None = None,
    labels: Iterable[str] = (),
) -> dict[str, ClassState]:
    """Return the state of each class of a revision.

    `reviews` has the last review of each reviewer and class. A class that nobody has reviewed yet
    keeps the parent's review if its images are the same and it didn't need work.
    """
    given: dict[str, list[ClassReview]] = defaultdict(list)
    for review in reviews:
        given[review.label].append(review)
    inherited = parent_states or {}
    # Without a parent, which images a class has doesn't matter.
    here, there = (images_by_class(each if inherited else ()) for each in (images, parent_images))
    states = {}
    for label in sorted({*(built.label for built in images), *labels}):
        before = inherited.get(label, ClassState())
        if label in given:
            states[label] = ClassState(
                reviewed=any(review.reviewed for review in given[label]),
                needs_work=any(review.needs_work for review in given[label]),
            )
        elif before.is_done and here.get(label) == there.get(label):
            states[label] = ClassState(reviewed=True, carried=True)
        else:
            states[label] = ClassState()
    return states


def images_by_class(images: Iterable[BuiltImage]) -> dict[str, frozenset[ImageKey]]:
    """Return the images of each class."""
    found: dict[str, set[ImageKey]] = defaultdict(set)
    for built in images:
        found[built.label].add(built.image)
    return {label: frozenset(keys) for label, keys in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalObstacles:
    """What a revision still needs before it can be declared final."""

    missing: int = 0
    rejected: int = 0
    duplicates: int = 0
    not_reviewed: tuple[str, ...] = ()
    needs_work: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        counts = self.missing or self.rejected or self.duplicates
        return bool(counts or self.not_reviewed or self.needs_work)


def final_obstacles(
    states: Mapping[str, ClassState], *, missing: int, rejected: int = 0, duplicates: int = 0
) -> FinalObstacles:
    """Return what prevents a revision from being final.

    `rejected` images and `duplicates` of others must leave it first.
    """
    return FinalObstacles(
        missing=missing,
        rejected=rejected,
        duplicates=duplicates,
        not_reviewed=tuple(label for label, state in states.items() if not state.reviewed),
        needs_work=tuple(label for label, state in states.items() if state.needs_work),
    )
