"""The short test that an annotator takes before the first task."""

import json
from collections.abc import Iterable, Sequence

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.crowd.entities import GridRole
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.datasets.image_file import ImageFile
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.crowd.available_work import AvailableWork
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    shown_image_files,
)
from labeler.store.schema import (
    ClassRow,
    CrowdQualificationImageRow,
    CrowdQualificationRow,
    CrowdRoundGridRow,
    CrowdRoundRow,
    DatasetRow,
    GridImageRow,
    GridRow,
    ImageRow,
)
from labeler.store.study.sessions import person_id

_MOST_NAMES = 1000


class Qualifications:
    """Who has passed, what a test may ask about, and which images it has shown."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def required_percent(self) -> int:
        """Return the strictest share of right answers among the open rounds; 0 asks no test."""
        query = select(CrowdRoundRow.parameters).where(CrowdRoundRow.closed_at.is_(None))
        found = [json.loads(text) for text in self._session.scalars(query)]
        return max((int(one.get("qualification", 0)) for one in found), default=0)

    def has_passed(self, code: str) -> bool:
        row = CrowdQualificationRow
        query = select(row.id).where(
            row.participant_id == person_id(self._session, code), row.passed
        )
        return self._session.scalar(query.limit(1)) is not None

    def attempts(self, code: str) -> int:
        row = CrowdQualificationRow
        query = select(row.id).where(row.participant_id == person_id(self._session, code))
        return len(self._session.scalars(query).all())

    def labels(self) -> list[str]:
        """Return the classes that open contains rounds ask about; all classes without any."""
        asked = (
            select(ClassRow.wnid)
            .join(GridRow, GridRow.class_id == ClassRow.id)
            .join(CrowdRoundGridRow, CrowdRoundGridRow.grid_id == GridRow.id)
            .join(CrowdRoundRow, CrowdRoundRow.id == CrowdRoundGridRow.round_id)
            .where(CrowdRoundRow.closed_at.is_(None))
            .distinct()
            .order_by(ClassRow.wnid)
        )
        found = list(self._session.scalars(asked))
        return found or list(self._session.scalars(select(ClassRow.wnid).order_by(ClassRow.wnid)))

    def files(self, images: Iterable[ImageKey]) -> dict[ImageKey, ImageFile]:
        """Return the files of images."""
        wanted = set(images)
        query = select(*IMAGE_FILE_COLUMNS).join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        # A statement has a limited number of parameters; for more, all files are read.
        if len(wanted) <= _MOST_NAMES:
            query = query.where(ImageRow.name.in_({image.image for image in wanted}))
        file_of = shown_image_files(self._session)
        found = {
            ImageKey(row.dataset, row.name): file_of(row) for row in self._session.execute(query)
        }
        return {key: file for key, file in found.items() if key in wanted and file is not None}

    def references(self, labels: Sequence[str], *, most: int) -> dict[str, list[ImageKey]]:
        """Return reference images of each label that are no controls, at most `most`."""
        control = select(GridImageRow.image_id).where(GridImageRow.role != GridRole.CANDIDATE)
        query = (
            select(ClassRow.wnid, DatasetRow.name, ImageRow.name)
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(DatasetRow.role == DatasetRole.REFERENCE, ClassRow.wnid.in_(labels))
            .where(ImageRow.id.not_in(control))
            .order_by(ImageRow.id)
        )
        found: dict[str, list[ImageKey]] = {label: [] for label in labels}
        for label, dataset, image in self._session.execute(query):
            if len(found[label]) < most:
                found[label].append(ImageKey(dataset, image))
        return found

    def met(self, code: str) -> set[ImageKey]:
        """Return the controls that the annotator has seen."""
        person = person_id(self._session, code)
        seen = AvailableWork(self._session, self._clock).met_controls(person)
        query = (
            select(DatasetRow.name, ImageRow.name, ImageRow.id)
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .where(ImageRow.id.in_(seen))
        )
        return {ImageKey(dataset, image) for dataset, image, _id in self._session.execute(query)}

    def show(self, code: str, images: Iterable[ImageKey]) -> None:
        """Record that the annotator sees these controls."""
        person = person_id(self._session, code)
        row = CrowdQualificationImageRow
        for image in images:
            number = self._session.scalar(
                select(ImageRow.id)
                .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                .where(DatasetRow.name == image.dataset, ImageRow.name == image.image)
            )
            key = {"participant_id": person, "image_id": number}
            self._session.execute(
                delete(row).where(row.participant_id == person, row.image_id == number)
            )
            self._session.execute(insert(row), [key])

    def record(self, code: str, *, correct: int, total: int, passed: bool) -> None:
        self._session.add(
            CrowdQualificationRow(
                participant_id=person_id(self._session, code),
                task=CrowdTask.CONTAINS,
                correct=correct,
                total=total,
                passed=passed,
                at=stamp(self._clock.utc()),
            )
        )
        self._session.flush()
