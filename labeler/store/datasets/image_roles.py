"""The roles of images: training pool, references, and candidates for the sample."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import delete, exists, func, insert, select
from sqlalchemy.orm import Session, aliased

from labeler.core.datasets.sampling import SampleCandidate
from labeler.core.study.entities import DatasetRole, ExposureOccasion, ImageKey, SessionTask
from labeler.images.pack_file import PACKED_REFERENCES
from labeler.store.datasets.image_files import (
    PackedFiles,
    image_folders,
    resolve_image_path,
    used_pack,
)
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ExposureRow,
    ImageRow,
    PredictionRow,
    ProblematicRow,
    ReferenceRow,
    ReviewRow,
    TrainingPoolRow,
    table_of,
)
from labeler.store.schema.row_ids import class_ids, image_ids


def tasks_with_work(session: Session) -> set[SessionTask]:
    """Return the tasks with answers or verdicts given in this study; imported ones don't count."""
    done = {
        task
        for task in (SessionTask.TRAIN, SessionTask.EVALUATE)
        if session.scalar(
            select(exists().where(PredictionRow.task == task, PredictionRow.trial_id.is_not(None)))
        )
    }
    judged = session.scalar(select(exists().where(ReviewRow.session_id.is_not(None))))
    return done | ({SessionTask.REVIEW} if judged else set())


# Images that someone trained on count as training images even if no longer in the pool.
_TRAINING_EXPOSURES = select(ExposureRow.image_id).where(
    ExposureRow.occasion == ExposureOccasion.TRAINING
)


@dataclass(frozen=True, slots=True)
class ReferenceImage:
    """A reference image of a class: its file, and the hash to detect changes."""

    key: ImageKey
    path: Path
    content_hash: bytes
    apply_exif: bool


class ImageRoles:
    def __init__(self, session: Session) -> None:
        self._session = session

    def put_in_training_pool(self, dataset: str, names: Sequence[str] | None = None) -> None:
        """Add these images of the dataset, or all of them, to the training pool."""
        images = image_ids(self._session, dataset)
        pooled = set(self._session.scalars(select(TrainingPoolRow.image_id)))
        selected = [images[name] for name in (images if names is None else names)]
        rows = [{"image_id": image_id} for image_id in selected if image_id not in pooled]
        if rows:
            self._session.execute(insert(table_of(TrainingPoolRow)), rows)

    def training_pool_size(self) -> int:
        return self._session.scalar(select(func.count()).select_from(TrainingPoolRow)) or 0

    def set_references(self, dataset: str, by_class: Mapping[str, Sequence[str]]) -> None:
        """Make these images of the dataset, in this order, the references of their classes."""
        indices = class_ids(self._session)
        images = image_ids(self._session, dataset)
        class_numbers = [indices[wnid] for wnid in by_class]
        self._session.execute(delete(ReferenceRow).where(ReferenceRow.class_id.in_(class_numbers)))
        rows = [
            {"class_id": indices[wnid], "position": position, "image_id": images[name]}
            for wnid, names in by_class.items()
            for position, name in enumerate(names)
        ]
        if rows:
            self._session.execute(insert(table_of(ReferenceRow)), rows)

    def remove_references(self, dataset: str) -> list[str]:
        """Remove the dataset's images from the references and return the affected classes."""
        images = (
            select(ImageRow.id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == dataset)
        )
        of_dataset = ReferenceRow.image_id.in_(images)
        query = (
            select(ClassRow.wnid)
            .join(ReferenceRow, ReferenceRow.class_id == ClassRow.id)
            .where(of_dataset)
            .distinct()
        )
        wnids = sorted(self._session.scalars(query))
        self._session.execute(delete(ReferenceRow).where(of_dataset))
        return wnids

    def reference_counts(self) -> dict[str, int]:
        """Return the number of reference images of each class that has any."""
        query = (
            select(ClassRow.wnid, func.count())
            .join(ReferenceRow, ReferenceRow.class_id == ClassRow.id)
            .group_by(ClassRow.wnid)
        )
        return dict(self._session.execute(query).all())

    def has_references(self, wnid: str) -> bool:
        """Return whether the class has any reference image."""
        of_class = select(ClassRow.id).where(ClassRow.wnid == wnid).scalar_subquery()
        query = select(ReferenceRow.class_id).where(ReferenceRow.class_id == of_class).limit(1)
        return self._session.scalar(query) is not None

    def has_any_references(self) -> bool:
        """Return whether any class has a reference image."""
        return self._session.scalar(select(ReferenceRow.class_id).limit(1)) is not None

    def references(self, wnid: str) -> list[ReferenceImage]:
        """Return the reference images of a class, in panel order."""
        query = (
            select(
                DatasetRow.name,
                ImageRow.name,
                DatasetRow.root,
                ImageRow.path,
                ImageRow.content_hash,
                DatasetRow.apply_exif,
            )
            .select_from(ReferenceRow)
            .join(ClassRow, ClassRow.id == ReferenceRow.class_id)
            .join(ImageRow, ImageRow.id == ReferenceRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(ClassRow.wnid == wnid)
            .order_by(ReferenceRow.position)
        )
        rows = self._session.execute(query).all()
        pack = used_pack(self._session)
        if pack is not None:
            packed, hashes = PackedFiles(self._session, pack), pack.reference_hashes(wnid)
            return [_packed_reference(ImageKey(row[0], row[1]), packed, hashes) for row in rows]
        folders = image_folders(self._session)
        return [
            ReferenceImage(
                ImageKey(dataset, name),
                Path(
                    resolve_image_path(root=root, name=name, path=path, folder=folders.get(dataset))
                ),
                content_hash or b"",
                apply_exif,
            )
            for dataset, name, root, path, content_hash, apply_exif in rows
        ]

    def candidates(self, datasets: Iterable[str]) -> list[SampleCandidate]:
        """Return the images of the datasets with what decides whether they can be drawn."""
        pooled = set(self._session.scalars(select(TrainingPoolRow.image_id)))
        pooled |= set(self._session.scalars(_TRAINING_EXPOSURES))
        problematic = self._problematic()
        query = (
            select(
                ImageRow.id, DatasetRow.name, ImageRow.name, ClassRow.wnid, ImageRow.content_hash
            )
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(DatasetRow.name.in_(list(datasets)))
        )
        return [
            SampleCandidate(
                ImageKey(dataset, name),
                wnid,
                content_hash,
                problematic=image_id in problematic,
                in_training_pool=image_id in pooled,
            )
            for image_id, dataset, name, wnid, content_hash in self._session.execute(query)
        ]

    def seen_before_evaluation(self) -> dict[bytes, ImageKey]:
        """Return by content every image that labelers see before or during the evaluation."""
        query = (
            select(ImageRow.content_hash, DatasetRow.name, ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(
                ImageRow.content_hash.is_not(None),
                ImageRow.id.in_(select(TrainingPoolRow.image_id))
                | ImageRow.id.in_(_TRAINING_EXPOSURES)
                | ImageRow.id.in_(select(ReferenceRow.image_id)),
            )
        )
        return {
            content_hash: ImageKey(dataset, name)
            for content_hash, dataset, name in self._session.execute(query)
            if content_hash is not None
        }

    def contents(self, dataset: str) -> dict[bytes, ImageKey]:
        """Return by content every image of the dataset."""
        query = (
            select(ImageRow.content_hash, ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == dataset, ImageRow.content_hash.is_not(None))
        )
        return {
            content or b"": ImageKey(dataset, name)
            for content, name in self._session.execute(query)
        }

    def duplicates_within(self, dataset: str) -> list[tuple[ImageKey, ImageKey]]:
        """Return images of the dataset with the same content as an earlier image of the study."""
        image, alike, owner = aliased(ImageRow), aliased(ImageRow), aliased(DatasetRow)
        same = select(alike.id).where(alike.content_hash == image.content_hash)
        # One index lookup each, regardless of the size of the study.
        earliest = same.order_by(alike.id).limit(1).correlate(image).scalar_subquery()
        query = (
            select(image.name, owner.name, ImageRow.name)
            .join(DatasetRow, DatasetRow.id == image.dataset_id)
            .join(ImageRow, ImageRow.id == earliest)
            .join(owner, owner.id == ImageRow.dataset_id)
            .where(DatasetRow.name == dataset, ImageRow.id != image.id)
            .order_by(image.id)
        )
        return [
            (ImageKey(dataset, name), ImageKey(other, first))
            for name, other, first in self._session.execute(query)
        ]

    def evaluation_images(self) -> int:
        """Return the number of images in the evaluation datasets."""
        query = (
            select(func.count())
            .select_from(ImageRow)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.role == DatasetRole.EVALUATION, DatasetRow.complete)
        )
        return self._session.scalar(query) or 0

    def _problematic(self) -> set[int]:
        query = select(ProblematicRow.image_id).where(ProblematicRow.withdrawn_at.is_(None))
        return set(self._session.scalars(query))


def _packed_reference(
    key: ImageKey, packed: PackedFiles, hashes: Mapping[str, bytes]
) -> ReferenceImage:
    """Return the reference image as sheets in packs name it, so that such a sheet is current."""
    token, path = packed.reference(key.dataset, key.image)
    if token is None:
        return ReferenceImage(key, path, b"", apply_exif=True)
    return ReferenceImage(
        ImageKey(PACKED_REFERENCES, token), path, hashes.get(token, b""), apply_exif=True
    )
