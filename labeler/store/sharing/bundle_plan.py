"""For whom a bundle is made, and how images get into it."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, Role
from labeler.store.schema import ImageRow
from labeler.store.sharing.row_copier import RowCopier, new_image_id
from labeler.store.sharing.shared_tables import Link

# The datasets' names and ids in every bundle.
IMAGES, TRAINING, REFERENCES = "images", "training", "references"
DATASET_IDS = {IMAGES: 1, TRAINING: 2, REFERENCES: 3}
DATASET_ROLES = {
    IMAGES: DatasetRole.EVALUATION,
    TRAINING: DatasetRole.TRAINING,
    REFERENCES: DatasetRole.REFERENCE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlePlan:
    """For whom a bundle is, and what of the study goes into it."""

    bundle_id: str
    code: str
    role: Role
    pack_id: str
    settings: Mapping[str, Any]
    tokens: Mapping[int, str]
    reference_tokens: Mapping[int, str]
    sealed_key: Mapping[str, str]


class ImageAdder:
    """Adds images to the bundle, known by their tokens in the pack."""

    def __init__(self, copier: RowCopier, plan: BundlePlan) -> None:
        self._copier, self._plan = copier, plan

    def add(self, images: Iterable[int], *, dataset: str = IMAGES) -> None:
        """Add images that weren't added before; those of the training dataset have targets."""
        new = self._copier.give_tokens(Link.IMAGE, images)
        ids = {image: self._copier.tokens[Link.IMAGE][image] for image in new}
        self._insert(ids, dataset, self._plan.tokens)

    def add_references(self, images: Iterable[int]) -> dict[int, int]:
        """Add reference images and return their ids, which no asked image has."""
        ids = {image: new_image_id() for image in images}
        self._insert(ids, REFERENCES, self._plan.reference_tokens)
        return ids

    def _insert(self, ids: Mapping[int, int], dataset: str, tokens: Mapping[int, str]) -> None:
        missing = sum(image not in tokens for image in ids)
        if missing:
            raise RefusedError(
                f"{missing:,} images aren't in the newest pack. Make a new pack first.",
                by_command="`labeler pack STUDY --out FILE` makes it.",
            )
        targets = {} if dataset == IMAGES else self._targets(ids)
        order = list(ids)
        secrets.SystemRandom().shuffle(order)
        start = self._count(dataset)
        rows = [
            {
                "id": ids[image],
                "dataset_id": DATASET_IDS[dataset],
                "ordinal": start + number,
                "name": tokens[image],
                "target_id": targets.get(image),
            }
            for number, image in enumerate(order)
        ]
        self._copier.add(ImageRow, rows)

    def _targets(self, images: Iterable[int]) -> dict[int, int | None]:
        wanted = set(images)
        query = select(ImageRow.id, ImageRow.target_id)
        return {
            image: target for image, target in self._copier.study.execute(query) if image in wanted
        }

    def _count(self, dataset: str) -> int:
        query = select(func.count()).where(ImageRow.dataset_id == DATASET_IDS[dataset])
        return self._copier.bundle.scalar(query) or 0
