"""The packs of a study, and the tokens of the images in them."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import CompoundSelect, insert, select, union, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    image_file_from_row,
    image_folders,
)
from labeler.store.schema import (
    CrowdRoundImageRow,
    DatasetRow,
    FlagCheckRow,
    GridImageRow,
    ImageRow,
    PackImageRow,
    PackRow,
    ReferenceRow,
    ReviewRepeatRow,
    ReviewVisitRow,
    SampleImageRow,
    SampleRow,
    TrainingPoolRow,
    TrialRow,
    table_of,
)

_TOKEN_BYTES = 12


def new_pack_token() -> str:
    return secrets.token_hex(_TOKEN_BYTES)


@dataclass(frozen=True, slots=True)
class PackedImage:
    """An image to put into a pack under its token; the file is for reading only."""

    token: str
    image_id: int
    is_reference: bool
    file: ImageFile | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class CompletePack:
    """A pack that people can use, and where the lead wrote it."""

    pack_id: str
    digest: str
    file: str


class Packs:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def is_unfinished(self, pack_id: str) -> bool:
        row = self._session.get(PackRow, pack_id)
        return row is not None and row.digest is None

    def begin(self, file: str) -> str:
        """Add a pack that will be written to the file, and return its random id."""
        pack_id = secrets.token_hex(16)
        made_at = stamp(self._clock.utc())
        self._session.add(PackRow(id=pack_id, file=file, made_at=made_at))
        self._session.flush()
        return pack_id

    def complete(self, pack_id: str, digest: str) -> None:
        self._session.execute(update(PackRow).where(PackRow.id == pack_id).values(digest=digest))

    def digest(self, pack_id: str) -> str | None:
        """Return the digest of a complete pack of the study, or None if it has none."""
        return self._session.scalar(select(PackRow.digest).where(PackRow.id == pack_id))

    def newest(self) -> CompletePack:
        """Return the newest complete pack; refused if there is none."""
        query = select(PackRow).where(PackRow.digest.is_not(None))
        row = self._session.scalars(query.order_by(PackRow.made_at.desc()).limit(1)).one_or_none()
        if row is None or row.digest is None:
            raise RefusedError(
                "The study has no pack yet, and people's bundles need one for their images.",
                by_command="`labeler pack STUDY --out FILE` makes it.",
            )
        return CompletePack(row.id, row.digest, row.file)

    def add_missing_tokens(self, pack_id: str) -> None:
        """Give every image that someone needs a fresh random token in this pack."""
        query = select(PackImageRow.image_id, PackImageRow.is_reference)
        known = {
            (image, bool(reference))
            for image, reference in self._session.execute(
                query.where(PackImageRow.pack_id == pack_id)
            )
        }
        needed = {(image, False) for image in self._session.scalars(_asked_images())}
        needed |= {(image, True) for image in self._session.scalars(select(ReferenceRow.image_id))}
        rows = [
            {
                "pack_id": pack_id,
                "token": new_pack_token(),
                "image_id": image,
                "is_reference": reference,
            }
            for image, reference in needed - known
        ]
        if rows:
            self._session.execute(insert(table_of(PackImageRow)), rows)

    def images(self, pack_id: str) -> list[PackedImage]:
        """Return the images of the pack in the order of their tokens, which says nothing."""
        query = (
            select(PackImageRow.token, PackImageRow.image_id, *IMAGE_FILE_COLUMNS)
            .add_columns(PackImageRow.is_reference)
            .join(ImageRow, ImageRow.id == PackImageRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(PackImageRow.pack_id == pack_id)
            .order_by(PackImageRow.token)
        )
        folders = image_folders(self._session)
        return [
            PackedImage(
                row.token, row.image_id, row.is_reference, image_file_from_row(row, folders)
            )
            for row in self._session.execute(query)
        ]

    def files(self, image_ids: Iterable[int]) -> dict[int, ImageFile | None]:
        """Return the files of images, to put them into an update."""
        query = (
            select(ImageRow.id, *IMAGE_FILE_COLUMNS)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(ImageRow.id.in_(sorted(image_ids)))
        )
        folders = image_folders(self._session)
        return {row.id: image_file_from_row(row, folders) for row in self._session.execute(query)}

    def tokens(self, pack_id: str, *, references: bool = False) -> dict[int, str]:
        """Return the tokens by image, of what is asked or of reference images."""
        query = select(PackImageRow.image_id, PackImageRow.token).where(
            PackImageRow.pack_id == pack_id, PackImageRow.is_reference.is_(references)
        )
        return dict(self._session.execute(query).all())

    def reference_keys(self, image_ids: Iterable[int]) -> dict[int, ImageKey]:
        """Return the keys of reference images, by which sheets name them."""
        wanted = set(image_ids)
        query = (
            select(ImageRow.id, DatasetRow.name, ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ReferenceRow, ReferenceRow.image_id == ImageRow.id)
        )
        return {
            number: ImageKey(dataset, name)
            for number, dataset, name in self._session.execute(query)
            if number in wanted
        }


def _asked_images() -> CompoundSelect[int]:
    """Return the query for all images that a labeler, reviewer or annotator may be asked about."""
    sampled = (
        select(SampleImageRow.image_id)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .where(SampleRow.retired_at.is_(None))
    )
    rows = (
        TrialRow,
        ReviewVisitRow,
        ReviewRepeatRow,
        FlagCheckRow,
        TrainingPoolRow,
        GridImageRow,
        CrowdRoundImageRow,
    )
    return union(sampled, *(select(row.image_id) for row in rows))
