"""What the rows of a file may refer to: the study's classes, participants and images."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.study.entities import DatasetRole, ParticipantKind, ProblemReason
from labeler.core.study.exchange_rows import InvalidValueError, quoted
from labeler.store.schema import DatasetRow, ImageRow, ParticipantRow, ProblematicRow
from labeler.store.schema.row_ids import class_ids


def problem_reasons_by_image(
    session: Session, dataset: str
) -> dict[int, tuple[ProblemReason, ...]]:
    """Return the reasons by image id, without duplicates, in the order they were given."""
    query = (
        select(ProblematicRow.image_id, ProblematicRow.reason)
        .join(ImageRow, ImageRow.id == ProblematicRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name == dataset, ProblematicRow.withdrawn_at.is_(None))
        .order_by(ProblematicRow.id)
    )
    reasons: dict[int, dict[ProblemReason, None]] = defaultdict(dict)
    for image_id, reason in session.execute(query):
        reasons[image_id][reason] = None
    return {image_id: tuple(given) for image_id, given in reasons.items()}


class ParticipantLookup(NamedTuple):
    id: int
    kind: ParticipantKind


@dataclass(frozen=True, slots=True)
class ImageSlots:
    """All images of the evaluation datasets in consecutive slots, dataset by dataset."""

    slots: dict[str, dict[str, int]]
    ids: list[int]
    datasets: npt.NDArray[np.int64]
    ordinals: npt.NDArray[np.int64]

    def slot(self, dataset: str, image: str) -> int:
        """Return the image's slot; an error says which of the two names is unknown."""
        if dataset not in self.slots:
            raise InvalidValueError(
                "dataset", f"{quoted(dataset)} is not an evaluation dataset of the study."
            )
        if image not in self.slots[dataset]:
            raise InvalidValueError(
                "image", f"{quoted(image)} is not an image of the dataset {quoted(dataset)}."
            )
        return self.slots[dataset][image]

    def slots_of(self, datasets: Iterable[str], images: Iterable[str]) -> Iterator[int]:
        """Return the slots of whole columns without a Python loop; unknown names are a KeyError."""
        return map(dict.__getitem__, map(self.slots.__getitem__, datasets), images)

    def image_count(self, dataset_id: int) -> int:
        return int(np.count_nonzero(self.datasets == dataset_id))


@dataclass(frozen=True, slots=True)
class ImportLookups:
    """The database ids of the names in a file."""

    classes: dict[str, int]
    participants: dict[str, ParticipantLookup]
    images: ImageSlots
    participant_ids: dict[str, int]

    def participant(self, code: str, *, column: str) -> ParticipantLookup:
        found = self.participants.get(code)
        if found is None:
            raise InvalidValueError(column, f"{quoted(code)} is not a participant of the study.")
        return found

    def wnid(self, class_id: int) -> str:
        return next(wnid for wnid, index in self.classes.items() if index == class_id)


def load_lookups(session: Session) -> ImportLookups:
    """Load everything that predictions, reviews and multi-labels can refer to."""
    query = select(ParticipantRow.code, ParticipantRow.id, ParticipantRow.kind)
    participants = {
        code: ParticipantLookup(number, kind) for code, number, kind in session.execute(query)
    }
    numbers = {code: participant.id for code, participant in participants.items()}
    return ImportLookups(class_ids(session), participants, _load_image_slots(session), numbers)


def _load_image_slots(session: Session) -> ImageSlots:
    slots = {name: dict[str, int]() for _, name in evaluation_datasets(session)}
    query = (
        select(DatasetRow.name, ImageRow.name, ImageRow.id, ImageRow.dataset_id, ImageRow.ordinal)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name.in_(list(slots)))
        .order_by(DatasetRow.id, ImageRow.ordinal)
        .execution_options(yield_per=10_000)
    )
    ids: list[int] = []
    positions: list[tuple[int, int]] = []
    for dataset, name, image_id, dataset_id, ordinal in session.execute(query):
        slots[dataset][name] = len(ids)
        ids.append(image_id)
        positions.append((dataset_id, ordinal))
    table = np.array(positions, np.int64).reshape(-1, 2)
    return ImageSlots(slots, ids, table[:, 0].copy(), table[:, 1].copy())


def evaluation_datasets(session: Session) -> list[tuple[int, str]]:
    """Return the datasets that the format includes, in the order they were added."""
    query = (
        select(DatasetRow.id, DatasetRow.name)
        .where(DatasetRow.role == DatasetRole.EVALUATION, DatasetRow.complete)
        .order_by(DatasetRow.id)
    )
    return [(number, name) for number, name in session.execute(query)]
