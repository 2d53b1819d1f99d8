"""Which candidates of a pool, and which reference images, a contains round asks about."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from labeler.core.curation.eligibility import MIN_SHOWN
from labeler.core.curation.strategies import MIN_REFERENCES
from labeler.core.errors import RefusedError
from labeler.core.hash_order import shuffled
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import Transaction

ALL_ASKED = (
    "Every candidate of the pool is rejected or in a grid already. Add candidates first, or wait "
    "for the answers."
)


def without_asked_candidates(
    study: Transaction, targets: Mapping[ImageKey, str], pools: Sequence[str]
) -> dict[ImageKey, str]:
    """Leave out candidates that are rejected or in a grid already."""
    left_out: set[ImageKey] = set()
    for pool in pools:
        left_out |= study.crowd_rounds.images_in_grids(pool)
        left_out |= {each.image for each in study.pools.candidates(pool) if each.rejected}
    waiting = {image: label for image, label in targets.items() if image not in left_out}
    if not waiting:
        raise RefusedError(ALL_ASKED)
    return waiting


def reference_images_to_ask(
    study: Transaction,
    reference: str,
    classes: Collection[str],
    *,
    seed: int,
    wanted: int = MIN_REFERENCES,
    min_shown: int = MIN_SHOWN,
) -> dict[ImageKey, str]:
    """Return reference images so that each class has enough with, or waiting for, answers."""
    if study.datasets.find(reference) is None:
        raise RefusedError(f"The study has no dataset '{reference}'.")
    shown = study.pools.frequencies(reference)
    done = study.crowd_rounds.images_in_grids(reference)
    done |= {ImageKey(reference, name) for name, f in shown.items() if f.shown >= min_shown}
    by_class: dict[str, list[ImageKey]] = defaultdict(list)
    for image, label in study.crowd_rounds.targets([reference], sampled=False).items():
        if label in classes:
            by_class[label].append(image)
    chosen: dict[ImageKey, str] = {}
    for label, images in by_class.items():
        missing = wanted - sum(image in done for image in images)
        waiting = shuffled(
            (image for image in images if image not in done),
            seed=seed,
            purpose="reference images",
            key=lambda image: (image.dataset, image.image),
        )
        chosen |= dict.fromkeys(waiting[: max(0, missing)], label)
    return chosen
