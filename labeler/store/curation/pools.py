"""Candidate pools: their images, where they were found, and which are rejected."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import Row, Select, and_, func, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.curation.entities import Candidate, CandidateSource, RejectReason
from labeler.core.curation.pools import SourceIdentity
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.datasets.datasets import DatasetDefinition, Datasets, NewImage
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    image_file_from_row,
    image_folders,
)
from labeler.store.schema import (
    CandidateRejectionRow,
    CandidateRow,
    ClassRow,
    DatasetRow,
    ImageRow,
    ParticipantRow,
    SelectionFrequencyRow,
)
from labeler.store.schema.row_ids import image_ids

# SQLite allows a limited number of parameters in a statement.
_IDS_PER_QUERY = 500


@dataclass(frozen=True, slots=True)
class NewCandidate:
    """A measured image to add to a pool, and where it was found."""

    image: NewImage
    source: CandidateSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A rejection of a candidate, withdrawn or not, with who rejected it."""

    image: str
    reason: RejectReason
    by: str | None
    note: str
    at: str
    withdrawn_at: str | None


class Pools:
    """The candidate pools of a study."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._datasets = Datasets(session, clock)

    def names(self) -> list[str]:
        """Return the names of all pools, oldest first."""
        return [dataset.name for dataset in self._datasets.all(DatasetRole.POOL)]

    def require(self, pool: str) -> None:
        """Refuse a name that isn't a pool's."""
        if pool not in (known := self.names()):
            listed = ", ".join(known) or "none"
            raise RefusedError(f"The study has no candidate pool '{pool}'; it has: {listed}.")

    def begin(self, pool: str) -> None:
        """Create a pool unless the study has it; a dataset of that name is refused."""
        found = self._datasets.find(pool)
        if found is None:
            self._datasets.add(
                DatasetDefinition(name=pool, role=DatasetRole.POOL, root=None), complete=True
            )
        elif found.role is not DatasetRole.POOL:
            raise RefusedError(f"The study has a dataset “{pool}” already. Choose another name.")

    def append(self, pool: str, candidates: Sequence[NewCandidate]) -> None:
        """Add candidates to a pool."""
        if not candidates:
            return
        self._datasets.append(pool, [each.image for each in candidates])
        names = [each.image.name for each in candidates]
        ids = dict(
            self._session.execute(
                select(ImageRow.name, ImageRow.id)
                .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                .where(DatasetRow.name == pool, ImageRow.name.in_(names))
            ).all()
        )
        rows = [
            {
                "image_id": ids[each.image.name],
                "source": each.source.source,
                "source_id": each.source.source_id,
                "query": each.source.query,
                "taken_at": each.source.taken_at,
                "uploaded_at": each.source.uploaded_at,
            }
            for each in candidates
        ]
        self._session.execute(insert(CandidateRow), rows)

    def paths(self, pool: str) -> dict[str, str]:
        """Return the file of each candidate by its name."""
        query = select(ImageRow.name, ImageRow.path).join(DatasetRow)
        found = self._session.execute(query.where(DatasetRow.name == pool))
        return {name: path or "" for name, path in found}

    def identities(self, pool: str) -> Iterator[SourceIdentity]:
        """Yield what tells that two candidates are the same image."""
        query = (
            select(ImageRow.name, ClassRow.wnid, CandidateRow.source, CandidateRow.source_id)
            .add_columns(ImageRow.content_hash)
            .join(CandidateRow, CandidateRow.image_id == ImageRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == pool)
            .order_by(ImageRow.ordinal)
            .execution_options(yield_per=10_000)
        )
        for name, label, source, source_id, content_hash in self._session.connection().execute(
            query
        ):
            yield SourceIdentity(
                image=ImageKey(pool, name),
                label=label,
                source=source,
                source_id=source_id,
                content_hash=content_hash,
            )

    def labels(self, pool: str) -> list[str]:
        """Return the classes that have candidates in a pool, in class order."""
        of_pool = (
            select(ImageRow.target_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == pool)
        )
        query = select(ClassRow.wnid).where(ClassRow.id.in_(of_pool)).order_by(ClassRow.id)
        return list(self._session.scalars(query))

    def candidates(self, pool: str, *, label: str | None = None) -> list[Candidate]:
        """Return the candidates of a pool, or of one class, in the order they were added."""
        query = self._candidates_query().where(DatasetRow.name == pool).order_by(ImageRow.ordinal)
        if label is not None:
            query = query.where(ClassRow.wnid == label)
        # Directly on the connection: the ORM's rows take twice as long.
        rows = self._session.connection().execute(query.execution_options(yield_per=10_000))
        return [_candidate(pool, row) for row in rows]

    def _candidates_query(self) -> Select[Any]:
        frequency = SelectionFrequencyRow
        rejection = (
            select(CandidateRejectionRow.image_id, func.max(CandidateRejectionRow.id).label("id"))
            .where(CandidateRejectionRow.withdrawn_at.is_(None))
            .group_by(CandidateRejectionRow.image_id)
            .subquery()
        )
        return (
            select(ImageRow.name, ClassRow.wnid, CandidateRow.source, CandidateRow.source_id)
            .add_columns(CandidateRow.query, CandidateRow.taken_at, CandidateRow.uploaded_at)
            .add_columns(CandidateRejectionRow.reason, frequency.selected, frequency.shown)
            .join(CandidateRow, CandidateRow.image_id == ImageRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .outerjoin(
                frequency,
                and_(frequency.image_id == ImageRow.id, frequency.class_id == ImageRow.target_id),
            )
            .outerjoin(rejection, rejection.c.image_id == ImageRow.id)
            .outerjoin(CandidateRejectionRow, CandidateRejectionRow.id == rejection.c.id)
        )

    def reject(
        self, image: ImageKey, reason: RejectReason, *, by: str | None = None, note: str = ""
    ) -> None:
        """Bar a candidate from every dataset; a new reason replaces the one before."""
        self.unreject(image)
        self._session.add(
            CandidateRejectionRow(
                image_id=self._candidate_id(image),
                reason=reason,
                participant_id=None if by is None else self._participant_id(by),
                note=note,
                at=stamp(self._clock.utc()),
            )
        )
        self._session.flush()

    def unreject(self, image: ImageKey) -> bool:
        """Take a rejection back; return whether there was one."""
        row = CandidateRejectionRow
        standing = (row.image_id == self._candidate_id(image)) & row.withdrawn_at.is_(None)
        found = self._session.scalar(select(func.count()).select_from(row).where(standing))
        self._session.execute(
            update(row).where(standing).values(withdrawn_at=stamp(self._clock.utc()))
        )
        return bool(found)

    def rejected(self, pool: str) -> set[ImageKey]:
        """Return the candidates of a pool that are rejected now."""
        query = (
            select(ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(CandidateRejectionRow, CandidateRejectionRow.image_id == ImageRow.id)
            .where(DatasetRow.name == pool, CandidateRejectionRow.withdrawn_at.is_(None))
        )
        return {ImageKey(pool, name) for name in self._session.scalars(query)}

    def rejections(self, pool: str) -> list[Rejection]:
        """Return all rejections of a pool's candidates, also withdrawn ones, oldest first."""
        row = CandidateRejectionRow
        query = (
            select(ImageRow.name, row.reason, ParticipantRow.code, row.note, row.at)
            .add_columns(row.withdrawn_at)
            .join(ImageRow, ImageRow.id == row.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .outerjoin(ParticipantRow, ParticipantRow.id == row.participant_id)
            .where(DatasetRow.name == pool)
            .order_by(row.id)
        )
        return [
            Rejection(image=image, reason=reason, by=by, note=note, at=at, withdrawn_at=withdrawn)
            for image, reason, by, note, at, withdrawn in self._session.execute(query)
        ]

    def reference_frequencies(self, dataset: str, *, min_shown: int) -> dict[str, list[Fraction]]:
        """Return by class the frequencies of a dataset's images with enough answers."""
        frequency = SelectionFrequencyRow
        query = (
            select(ClassRow.wnid, frequency.selected, frequency.shown)
            .join(ImageRow, ImageRow.id == frequency.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == frequency.class_id)
            .where(DatasetRow.name == dataset, frequency.class_id == ImageRow.target_id)
            .where(frequency.shown >= min_shown)
            .order_by(ImageRow.ordinal)
        )
        found: dict[str, list[Fraction]] = {}
        for wnid, selected, shown in self._session.execute(query):
            found.setdefault(wnid, []).append(Fraction(selected, shown))
        return found

    def frequencies(self, dataset: str) -> dict[str, SelectionFrequency]:
        """Return the frequency of each image of a dataset or pool for its own class, by name."""
        frequency = SelectionFrequencyRow
        query = (
            select(ImageRow.name, frequency.selected, frequency.shown)
            .join(ImageRow, ImageRow.id == frequency.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == dataset, frequency.class_id == ImageRow.target_id)
        )
        return {
            name: SelectionFrequency(selected, shown)
            for name, selected, shown in self._session.execute(query)
        }

    def files(self, images: Collection[ImageKey]) -> dict[ImageKey, ImageFile]:
        """Return the files of images of any dataset; an image without one is left out."""
        found: dict[ImageKey, ImageFile] = {}
        by_dataset: dict[str, list[str]] = {}
        for key in images:
            by_dataset.setdefault(key.dataset, []).append(key.image)
        folders = image_folders(self._session)
        for dataset, names in by_dataset.items():
            for part in _parts(names):
                query = (
                    select(*IMAGE_FILE_COLUMNS)
                    .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                    .where(DatasetRow.name == dataset, ImageRow.name.in_(part))
                )
                for row in self._session.execute(query):
                    if file := image_file_from_row(row, folders):
                        found[ImageKey(dataset, row.name)] = file
        return found

    def images_of_class(self, dataset: str, label: str) -> list[ImageKey]:
        """Return the images of a dataset that have the class as target, in dataset order."""
        query = (
            select(ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(DatasetRow.name == dataset, ClassRow.wnid == label)
            .order_by(ImageRow.ordinal)
        )
        return [ImageKey(dataset, name) for name in self._session.scalars(query)]

    def _candidate_id(self, image: ImageKey) -> int:
        query = (
            select(CandidateRow.image_id)
            .join(ImageRow, ImageRow.id == CandidateRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == image.dataset, ImageRow.name == image.image)
        )
        found = self._session.scalar(query)
        if found is None:
            self.require(image.dataset)
            raise RefusedError(
                f"'{image.image}' isn't a candidate of the pool '{image.dataset}'. Check its name."
            )
        return found

    def _participant_id(self, code: str) -> int:
        found = self._session.scalar(select(ParticipantRow.id).where(ParticipantRow.code == code))
        if found is None:
            raise RefusedError(f"The study has no participant '{code}'.")
        return found


def key_ids(session: Session, keys: Iterable[ImageKey]) -> dict[ImageKey, int]:
    """Return the ids of images by key; whole datasets are read, one query each."""
    wanted = set(keys)
    return {
        key: number
        for dataset in sorted({key.dataset for key in wanted})
        for name, number in image_ids(session, dataset).items()
        if (key := ImageKey(dataset, name)) in wanted
    }


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _IDS_PER_QUERY):
        yield names[start : start + _IDS_PER_QUERY]


def _candidate(pool: str, row: Row[Any]) -> Candidate:
    return Candidate(
        image=ImageKey(pool, row.name),
        label=row.wnid,
        source=CandidateSource(
            source=row.source,
            source_id=row.source_id,
            query=row.query,
            taken_at=row.taken_at,
            uploaded_at=row.uploaded_at,
        ),
        rejected=row.reason,
        frequency=SelectionFrequency(row.selected, row.shown) if row.shown else None,
    )
