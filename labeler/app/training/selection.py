"""Turns a request for a training into classes, and classes into images."""

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
from labeler.core.training.answers import TrainingAnswer
from labeler.core.training.image_draw import PoolImage, draw_training_images
from labeler.core.training.request import (
    MAX_LENGTH,
    MIN_LENGTH,
    SavedFamily,
    TrainingRequest,
    TrainingSource,
)
from labeler.store.study_store import Transaction

# A class is trained with this many of its closest look-alikes.
MAX_LOOK_ALIKES = 8
# Only mistakes among this many last answers count.
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
        """Return the classes that are due today, the longest overdue first."""
        due = due_by(repetitions(self.answers), end_of_day(self.now))
        return tuple(self.taxonomy.class_wnids[index] for index in due)

    @cached_property
    def mistakes(self) -> tuple[str, ...]:
        """Return the classes that the labeler recently missed, and those they chose instead."""
        missed = [answer for answer in self.answers[-_MISTAKES_WITHIN:] if not answer.right]
        indices = {index for answer in missed for index in (answer.target, answer.label)}
        return tuple(self.taxonomy.class_wnids[index] for index in sorted(indices))


def requested_classes(request: TrainingRequest, material: TrainingMaterial) -> tuple[str, ...]:
    """Return the requested classes in class order; refused if there are none."""
    wnids = set(_classes(request, material))
    found = [wnid for wnid in material.taxonomy.class_wnids if wnid in wnids]
    if not found:
        raise RefusedError(NOTHING_TO_TRAIN_ON[request.source])
    trained = tuple(wnid for wnid in found if wnid in material.offered)
    if not trained:
        raise RefusedError(NO_POOL_IMAGES)
    return trained


def select_training_images(
    request: TrainingRequest, material: TrainingMaterial, pool: Iterable[PoolImage]
) -> tuple[ImageKey, ...]:
    """Return the images of the training in order; `request` has a seed."""
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
    """Return the valid request with a seed, which depends on the number of trainings before."""
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
    return look_alike_classes(request.subject, material)


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


def look_alike_classes(subject: tuple[str, ...], material: TrainingMaterial) -> Iterable[str]:
    """Yield each class of the subject and those that look most like it."""
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
    """Return how often the labeler confused each pair of classes."""
    counts: dict[tuple[str, str], int] = {}
    classes = material.taxonomy.class_wnids
    for answer in material.answers:
        if not answer.right:
            pair = classes[answer.target], classes[answer.label]
            counts[pair] = counts.get(pair, 0) + 1
    return counts


NO_POOL_IMAGES = "The training pool has no images of these classes. Choose others, or ask the lead."
NOTHING_TO_TRAIN_ON = {
    TrainingSource.EVERYTHING: "The study has no classes.",
    TrainingSource.SUBTREES: "Enter the classes or branches of the taxonomy to train on.",
    TrainingSource.FAMILY: "This family has no classes any more. Choose another.",
    TrainingSource.MISTAKES: "You have no mistakes to train on yet. Choose something else.",
    TrainingSource.LOOK_ALIKES: "Enter the class whose look-alikes you want to train on.",
    TrainingSource.DUE: "No classes are due today.",
}
assert set(NOTHING_TO_TRAIN_ON) == set(TrainingSource), "every source can be empty"


def read_training_material(
    study: Transaction,
    participant: str,
    *,
    taxonomy: Taxonomy,
    guide_pairs: frozenset[tuple[str, str]],
    now: datetime,
) -> TrainingMaterial:
    """Read what one labeler can train on: the pool, their answers and the families."""
    return TrainingMaterial(
        taxonomy=taxonomy,
        offered=Counter(image.target for image in study.training.pool(participant)),
        answers=tuple(study.training_record.answers(participant)),
        families=tuple(study.families.of(participant)),
        guide_pairs=guide_pairs,
        now=now,
    )
