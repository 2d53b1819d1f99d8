"""From what a labeler wants to train on to classes, and from classes to images."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from labeler.app.training.spaced_repetition import due_by, end_of_day, repetitions
from labeler.core.classes.look_alikes import find_look_alikes
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.hash_order import MAX_SEED, derived_seed, validated_seed
from labeler.core.study.entities import ImageKey
from labeler.core.training.answer_record import TrainingAnswer
from labeler.core.training.image_draw import PoolImage, draw_training_images
from labeler.core.training.request import (
    MAX_LENGTH,
    MIN_LENGTH,
    SavedFamily,
    TrainingRequest,
    TrainingSource,
)
from labeler.store.study_store import Transaction

# A class, and so many that look most like it.
MAX_LOOK_ALIKES = 8
# Mistakes older than these answers are no longer what a labeler gets wrong.
_MISTAKES_WITHIN = 500


@dataclass(frozen=True, kw_only=True)
class TrainingMaterial:
    """What a labeler can train on: `offered` counts the images of each class that has any."""

    taxonomy: Taxonomy
    offered: Mapping[str, int]
    answers: tuple[TrainingAnswer, ...]
    families: tuple[SavedFamily, ...]
    guide_pairs: frozenset[tuple[str, str]]
    now: datetime

    @cached_property
    def due(self) -> tuple[str, ...]:
        """The classes that are due today, the longest overdue first."""
        due = due_by(repetitions(self.answers), end_of_day(self.now))
        return tuple(self.taxonomy.class_wnids[index] for index in due)

    @cached_property
    def mistakes(self) -> tuple[str, ...]:
        """The classes that the labeler missed lately, and those that they took them for."""
        missed = [answer for answer in self.answers[-_MISTAKES_WITHIN:] if not answer.right]
        indices = {index for answer in missed for index in (answer.target, answer.label)}
        return tuple(self.taxonomy.class_wnids[index] for index in sorted(indices))


def requested_classes(request: TrainingRequest, material: TrainingMaterial) -> tuple[str, ...]:
    """The classes that the request is about, in class order; refused where there are none."""
    wnids = set(_classes(request, material))
    found = [wnid for wnid in material.taxonomy.class_wnids if wnid in wnids]
    if not found:
        raise RefusedError(_NOTHING[request.source])
    trained = tuple(wnid for wnid in found if wnid in material.offered)
    if not trained:
        raise RefusedError(
            "The training pool has no image of these classes. Choose others, or ask the lead."
        )
    return trained


def select_training_images(
    request: TrainingRequest, material: TrainingMaterial, pool: Iterable[PoolImage]
) -> tuple[ImageKey, ...]:
    """The images of the training, in their order; `request` has its seed."""
    assert request.seed is not None, "a training is drawn by a seed"
    wanted = set(requested_classes(request, material))
    return draw_training_images(
        (image for image in pool if image.target in wanted),
        due=material.due,
        length=request.length,
        order=request.order,
        seed=request.seed,
    )


def checked_training_request(
    request: TrainingRequest, *, order_seed: int, before: int
) -> TrainingRequest:
    """The request with a seed; `before` counts the trainings so far, so that each has its own."""
    if not MIN_LENGTH <= request.length <= MAX_LENGTH:
        raise RefusedError(
            f"A training has from {MIN_LENGTH} to {MAX_LENGTH} images, not {request.length}."
        )
    if request.seed is not None:
        validated_seed(request.seed)
        return request
    seed = derived_seed(order_seed, "training", str(before)) % (MAX_SEED + 1)
    return replace(request, seed=seed)


def _classes(request: TrainingRequest, material: TrainingMaterial) -> Iterable[str]:
    taxonomy = material.taxonomy
    if request.source is TrainingSource.EVERYTHING:
        return taxonomy.class_wnids
    if request.source is TrainingSource.SUBTREES:
        return _under(request.subject, taxonomy)
    if request.source is TrainingSource.FAMILY:
        return _family(request.subject, material.families)
    if request.source is TrainingSource.MISTAKES:
        return material.mistakes
    if request.source is TrainingSource.DUE:
        return material.due
    return _alike(request.subject, material)


def _under(nodes: Iterable[str], taxonomy: Taxonomy) -> Iterable[str]:
    for node in nodes:
        if node not in taxonomy:
            raise RefusedError(f"'{node}' is neither a class nor a branch of the taxonomy.")
        yield from taxonomy.classes_under(node)


def _family(subject: tuple[str, ...], families: Iterable[SavedFamily]) -> tuple[str, ...]:
    name = subject[0] if subject else ""
    found = next((family for family in families if family.name == name), None)
    if found is None:
        raise RefusedError(f"There is no family called “{name}” any more. Choose another.")
    return found.wnids


def _alike(subject: tuple[str, ...], material: TrainingMaterial) -> Iterable[str]:
    for wnid in subject:
        likest = find_look_alikes(
            wnid,
            taxonomy=material.taxonomy,
            guide_pairs=material.guide_pairs,
            confusions=_confusions(material),
            count=MAX_LOOK_ALIKES,
        )
        yield wnid
        yield from (each.wnid for each in likest)


def _confusions(material: TrainingMaterial) -> dict[tuple[str, str], int]:
    """How often the labeler took a class for another."""
    counts: dict[tuple[str, str], int] = {}
    classes = material.taxonomy.class_wnids
    for answer in material.answers:
        if not answer.right:
            pair = classes[answer.target], classes[answer.label]
            counts[pair] = counts.get(pair, 0) + 1
    return counts


_NOTHING = {
    TrainingSource.EVERYTHING: "The study has no classes.",
    TrainingSource.SUBTREES: "Say which classes or branches of the taxonomy you want to train on.",
    TrainingSource.FAMILY: "This family has no class any more. Choose another.",
    TrainingSource.MISTAKES: "You have made no mistake yet: there is nothing to train on here.",
    TrainingSource.LOOK_ALIKES: "Say whose look-alikes you want to train on.",
    TrainingSource.DUE: "Nothing is due today.",
}
assert set(_NOTHING) == set(TrainingSource), "every source can be empty"


def read_training_material(
    study: Transaction,
    participant: str,
    *,
    taxonomy: Taxonomy,
    guide_pairs: frozenset[tuple[str, str]],
    now: datetime,
) -> TrainingMaterial:
    """What the pool offers, the answers so far and the families, as they are for one labeler."""
    return TrainingMaterial(
        taxonomy=taxonomy,
        offered=Counter(image.target for image in study.training.pool(participant)),
        answers=tuple(study.training_record.answers(participant)),
        families=tuple(study.families.of(participant)),
        guide_pairs=guide_pairs,
        now=now,
    )
