"""Revisions of built datasets: store a new one, read them, declare one final."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.curation.entities import (
    BuiltImage,
    RemovalReason,
    Revision,
    RevisionState,
    Strategy,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.curation.pools import key_ids
from labeler.store.datasets.datasets import NewImage
from labeler.store.datasets.image_files import image_folders, resolve_image_path
from labeler.store.schema import (
    BuiltImageRow,
    BuiltRemovalRow,
    BuiltRevisionRow,
    CandidateRow,
    ClassRow,
    DatasetRow,
    ImageRow,
    RevisionDatasetRow,
    table_of,
)
from labeler.store.schema.row_ids import class_ids


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """An image of a revision as it is stored in its pool; its path is complete."""

    key: ImageKey
    image: NewImage


class BuiltDatasets:
    """The datasets that were built from pools, revision by revision."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def names(self) -> list[str]:
        """Return the names of the built datasets, oldest first."""
        row = BuiltRevisionRow
        query = select(row.dataset).group_by(row.dataset).order_by(func.min(row.id))
        return list(self._session.scalars(query))

    def revisions(self, dataset: str | None = None) -> list[Revision]:
        """Return the revisions of one built dataset or of all, oldest first."""
        query = select(BuiltRevisionRow).order_by(BuiltRevisionRow.id)
        if dataset is not None:
            query = query.where(BuiltRevisionRow.dataset == dataset)
        return [_revision(row) for row in self._session.scalars(query)]

    def revision(self, dataset: str, number: int) -> Revision:
        """Return one revision, or refuse an unknown one."""
        return _revision(self._row(dataset, number))

    def add(
        self,
        *,
        dataset: str,
        parent: int | None,
        strategy: Strategy,
        parameters: Mapping[str, object],
        seed: int,
        state: RevisionState,
        images: Collection[BuiltImage],
        removed: Mapping[ImageKey, RemovalReason],
    ) -> Revision:
        """Store a new revision; its number follows the last one."""
        last = select(func.max(BuiltRevisionRow.revision))
        last = last.where(BuiltRevisionRow.dataset == dataset)
        row = BuiltRevisionRow(
            dataset=dataset,
            revision=(self._session.scalar(last) or 0) + 1,
            parent=parent,
            strategy=strategy,
            parameters=json.dumps(parameters, ensure_ascii=False, sort_keys=True),
            seed=seed,
            made_at=stamp(self._clock.utc()),
            state=state,
        )
        self._session.add(row)
        self._session.flush()
        self._insert_images(row.id, images, removed)
        return _revision(row)

    def _insert_images(
        self,
        revision_id: int,
        images: Collection[BuiltImage],
        removed: Mapping[ImageKey, RemovalReason],
    ) -> None:
        ids = key_ids(self._session, [*(built.image for built in images), *removed])
        classes = class_ids(self._session)
        rows: list[dict[str, object]] = [
            {
                "revision_id": revision_id,
                "image_id": ids[built.image],
                "class_id": classes[built.label],
                "bin": built.bin,
                "from_bin": built.from_bin,
                "carried": built.carried,
            }
            for built in images
        ]
        if rows:
            self._session.execute(insert(table_of(BuiltImageRow)), rows)
        gone: list[dict[str, object]] = [
            {"revision_id": revision_id, "image_id": ids[image], "reason": reason}
            for image, reason in removed.items()
        ]
        if gone:
            self._session.execute(insert(BuiltRemovalRow), gone)

    def images(self, dataset: str, number: int, *, label: str | None = None) -> list[BuiltImage]:
        """Return the images of a revision by class, bin and name."""
        row = BuiltImageRow
        query = (
            select(DatasetRow.name, ImageRow.name, ClassRow.wnid)
            .add_columns(row.bin, row.from_bin, row.carried)
            .join(ImageRow, ImageRow.id == row.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == row.class_id)
            .where(row.revision_id == self._row(dataset, number).id)
            .order_by(ClassRow.id, row.bin, DatasetRow.name, ImageRow.name)
        )
        if label is not None:
            query = query.where(ClassRow.wnid == label)
        return [
            BuiltImage(
                image=ImageKey(pool, name),
                label=wnid,
                bin=place,
                from_bin=own,
                carried=carried,
            )
            for pool, name, wnid, place, own, carried in self._session.execute(query)
        ]

    def removals(self, dataset: str, number: int) -> dict[ImageKey, RemovalReason]:
        """Return why images of the parent aren't in a revision."""
        query = (
            select(DatasetRow.name, ImageRow.name, BuiltRemovalRow.reason)
            .join(ImageRow, ImageRow.id == BuiltRemovalRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(BuiltRemovalRow.revision_id == self._row(dataset, number).id)
        )
        return {ImageKey(pool, name): reason for pool, name, reason in self._session.execute(query)}

    def set_state(self, dataset: str, number: int, state: RevisionState) -> None:
        """Change the state of a revision, the only part of it that changes."""
        self._row(dataset, number).state = state
        self._session.flush()

    def files(self, dataset: str, number: int) -> list[BuiltFile]:
        """Return the images of a revision with their files, by class and name."""
        query = (
            select(DatasetRow.name, DatasetRow.root, ClassRow.wnid, ImageRow)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(BuiltImageRow, BuiltImageRow.image_id == ImageRow.id)
            .join(ClassRow, ClassRow.id == BuiltImageRow.class_id)
            .where(BuiltImageRow.revision_id == self._row(dataset, number).id)
            .order_by(ClassRow.id, DatasetRow.name, ImageRow.name)
        )
        folders = image_folders(self._session)
        return [
            BuiltFile(
                ImageKey(pool, row.name),
                NewImage(
                    name=row.name,
                    target=wnid,
                    path=resolve_image_path(
                        root=root, name=row.name, path=row.path, folder=folders.get(pool)
                    ),
                    content_hash=row.content_hash,
                    byte_count=row.byte_count,
                    width=row.width,
                    height=row.height,
                    format=row.format,
                    mode=row.mode,
                ),
            )
            for pool, root, wnid, row in self._session.execute(query)
        ]

    def link(self, dataset: str, number: int, *, added_as: str) -> None:
        """Note that a dataset of the study is a revision."""
        dataset_id = self._session.scalar(select(DatasetRow.id).where(DatasetRow.name == added_as))
        self._session.add(
            RevisionDatasetRow(dataset_id=dataset_id, revision_id=self._row(dataset, number).id)
        )
        self._session.flush()

    def linked(self) -> dict[str, Revision]:
        """Return the datasets of the study that are revisions."""
        query = (
            select(DatasetRow.name, BuiltRevisionRow)
            .join(RevisionDatasetRow, RevisionDatasetRow.dataset_id == DatasetRow.id)
            .join(BuiltRevisionRow, BuiltRevisionRow.id == RevisionDatasetRow.revision_id)
            .order_by(DatasetRow.id)
        )
        return {name: _revision(row) for name, row in self._session.execute(query)}

    def locked(self) -> dict[str, Revision]:
        """Return the datasets that no model may be scored on, because they aren't final."""
        return {
            name: revision
            for name, revision in self.linked().items()
            if revision.state is not RevisionState.FINAL
        }

    def copies_of_pools(self) -> dict[str, str]:
        """Return the datasets of which most images are candidates that aren't final, by pool.

        Such a dataset is a pool, or an unfinished revision, that was added as files.
        """
        image, copied = aliased(ImageRow), aliased(ImageRow)
        owner, pool = aliased(DatasetRow), aliased(DatasetRow)
        final = (
            select(BuiltImageRow.image_id)
            .join(BuiltRevisionRow, BuiltRevisionRow.id == BuiltImageRow.revision_id)
            .where(BuiltRevisionRow.state == RevisionState.FINAL)
        )
        finished = aliased(ImageRow)
        query = (
            select(owner.name, pool.name, func.count(image.id.distinct()), owner.id)
            .join(owner, owner.id == image.dataset_id)
            .join(copied, copied.content_hash == image.content_hash)
            .join(CandidateRow, CandidateRow.image_id == copied.id)
            .join(pool, pool.id == copied.dataset_id)
            .where(owner.role == DatasetRole.EVALUATION)
            .where(owner.id.not_in(select(RevisionDatasetRow.dataset_id)))
            .where(
                image.content_hash.not_in(
                    select(finished.content_hash).where(
                        finished.id.in_(final), finished.content_hash.is_not(None)
                    )
                )
            )
            .group_by(owner.id, owner.name, pool.name)
        )
        sizes = select(ImageRow.dataset_id, func.count()).group_by(ImageRow.dataset_id)
        images = dict(self._session.execute(sizes).all())
        return {
            name: of_pool
            for name, of_pool, count, number in self._session.execute(query)
            if 2 * count > images[number]
        }

    def _row(self, dataset: str, number: int) -> BuiltRevisionRow:
        row = BuiltRevisionRow
        query = select(row).where(row.dataset == dataset, row.revision == number)
        found = self._session.scalar(query)
        if found is None:
            raise RefusedError(self._unknown(dataset, number))
        return found

    def _unknown(self, dataset: str, number: int) -> str:
        known = [str(each.revision) for each in self.revisions(dataset)]
        if not known:
            listed = ", ".join(self.names()) or "none"
            return f"The study has no built dataset '{dataset}'; it has: {listed}."
        return f"'{dataset}' has no revision {number}; it has: {', '.join(known)}."


def _revision(row: BuiltRevisionRow) -> Revision:
    parameters = json.loads(row.parameters)
    return Revision(
        dataset=row.dataset,
        revision=row.revision,
        parent=row.parent,
        pool=str(parameters.get("pool", "")),
        strategy=row.strategy,
        parameters=parameters,
        seed=row.seed,
        made_at=row.made_at,
        state=row.state,
    )
